	.text
.Ltext0:
	.syntax unified
	.thumb
	.thumb_func
P0:
.LFB0:
	.loc 2 3 15
	.loc 2 3 15
	ldr	r3, .L4
.LBB2:
	.loc 2 4 3
	movs	r0, #1
	ldr	r1, .L4+4
.LBE2:
	.loc 2 3 15
.LPIC0:
	add	r3, pc
	.loc 2 5 8
	ldr	r2, .L4+8
.LBB3:
	.loc 2 4 3
	ldr	r1, [r3, r1]
	str	r0, [r1]
.LBE3:
	.loc 2 5 8
	ldr	r3, [r3, r2]
	dmb	ish
.L2:
	ldrex	r1, [r3]
	add	r1, r1, r0
	strex	r2, r1, [r3]
	cmp	r2, #0
	bne	.L2
	.loc 2 6 1
	bx	lr
.L5:
.L4:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC0+4)
	.word	x(GOT)
	.word	y(GOT)
.LFE0:
	.syntax unified
	.thumb
	.thumb_func
P1:
.LFB1:
	.loc 2 7 15
	ldr	r3, .L9
	.loc 2 8 8
	ldr	r2, .L9+4
	.loc 2 7 15
.LPIC1:
	add	r3, pc
	push	{r4}
	.loc 2 8 8
	ldr	r2, [r3, r2]
.L7:
	ldrex	r4, [r2]
	adds	r1, r4, #2
	strex	r0, r1, [r2]
	cmp	r0, #0
	bne	.L7
.LBB4:
	.loc 2 9 8
	ldr	r0, .L9+8
.LBE4:
	.loc 2 8 8
	dmb	ish
	.loc 2 11 9
	ldr	r1, .L9+12
	.loc 2 11 9
	ldr	r2, .L9+16
.LBB5:
	.loc 2 9 8
	ldr	r0, [r3, r0]
	ldr	r0, [r0]
.LBE5:
	.loc 2 11 9
	ldr	r1, [r3, r1]
	str	r4, [r1]
	.loc 2 11 9
	ldr	r3, [r3, r2]
	str	r0, [r3]
	.loc 2 12 1
	ldr	r4, [sp], #4
	bx	lr
.L10:
.L9:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC1+4)
	.word	y(GOT)
	.word	x(GOT)
	.word	P1_r0(GOT)
	.word	P1_r1(GOT)
.LFE1:
.Letext0:
