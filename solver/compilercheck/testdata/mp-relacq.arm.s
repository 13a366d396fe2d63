	.text
.Ltext0:
	.syntax unified
	.thumb
	.thumb_func
P0:
.LFB0:
	.loc 2 3 15
	.loc 2 3 15
	ldr	r3, .L3
	.loc 2 4 5
	movs	r0, #1
	ldr	r1, .L3+4
	.loc 2 3 15
.LPIC0:
	add	r3, pc
.LBB2:
	.loc 2 5 3
	ldr	r2, .L3+8
.LBE2:
	.loc 2 4 5
	ldr	r1, [r3, r1]
	str	r0, [r1]
.LBB3:
	.loc 2 5 3
	ldr	r3, [r3, r2]
	dmb	ish
	str	r0, [r3]
.LBE3:
	.loc 2 6 1
	bx	lr
.L4:
.L3:
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
.LBB4:
	.loc 2 8 8
	ldr	r2, .L9+4
.LBE4:
	.loc 2 7 15
.LPIC1:
	add	r3, pc
	push	{r4}
	.loc 2 9 6
	movs	r4, #2
.LBB5:
	.loc 2 8 8
	ldr	r2, [r3, r2]
	ldr	r0, [r2]
	dmb	ish
.LBE5:
	.loc 2 10 6
	cbz	r0, .L6
	.loc 2 10 8
	ldr	r2, .L9+8
	ldr	r2, [r3, r2]
	ldr	r4, [r2]
.L6:
	.loc 2 12 9
	ldr	r1, .L9+12
	.loc 2 12 9
	ldr	r2, .L9+16
	.loc 2 12 9
	ldr	r1, [r3, r1]
	str	r0, [r1]
	.loc 2 12 9
	ldr	r3, [r3, r2]
	str	r4, [r3]
	.loc 2 13 1
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
