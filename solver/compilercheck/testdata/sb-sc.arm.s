	.text
.Ltext0:
	.syntax unified
	.thumb
	.thumb_func
P0:
.LFB0:
	.loc 2 3 15
	ldr	r3, .L4
.LBB2:
	.loc 2 4 3
	ldr	r0, .L4+4
.LBE2:
	.loc 2 3 15
.LPIC0:
	add	r3, pc
	push	{r4}
.LBB3:
	.loc 2 5 8
	ldr	r1, .L4+8
.LBE3:
.LBB4:
	.loc 2 4 3
	movs	r4, #1
.LBE4:
	.loc 2 11 9
	ldr	r2, .L4+12
.LBB5:
	.loc 2 4 3
	ldr	r0, [r3, r0]
	dmb	ish
	str	r4, [r0]
	dmb	ish
.LBE5:
.LBB6:
	.loc 2 5 8
	ldr	r1, [r3, r1]
	dmb	ish
	ldr	r1, [r1]
	dmb	ish
.LBE6:
	.loc 2 11 9
	ldr	r3, [r3, r2]
	str	r1, [r3]
	.loc 2 12 1
	ldr	r4, [sp], #4
	bx	lr
.L5:
.L4:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC0+4)
	.word	x(GOT)
	.word	y(GOT)
	.word	P0_r0(GOT)
.LFE0:
	.syntax unified
	.thumb
	.thumb_func
P1:
.LFB1:
	.loc 2 7 15
	ldr	r3, .L8
.LBB7:
	.loc 2 8 3
	ldr	r0, .L8+4
.LBE7:
	.loc 2 7 15
.LPIC1:
	add	r3, pc
	push	{r4}
.LBB8:
	.loc 2 9 8
	ldr	r1, .L8+8
.LBE8:
.LBB9:
	.loc 2 8 3
	movs	r4, #1
.LBE9:
	.loc 2 11 9
	ldr	r2, .L8+12
.LBB10:
	.loc 2 8 3
	ldr	r0, [r3, r0]
	dmb	ish
	str	r4, [r0]
	dmb	ish
.LBE10:
.LBB11:
	.loc 2 9 8
	ldr	r1, [r3, r1]
	dmb	ish
	ldr	r1, [r1]
	dmb	ish
.LBE11:
	.loc 2 11 9
	ldr	r3, [r3, r2]
	str	r1, [r3]
	.loc 2 12 1
	ldr	r4, [sp], #4
	bx	lr
.L9:
.L8:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC1+4)
	.word	y(GOT)
	.word	x(GOT)
	.word	P1_r0(GOT)
.LFE1:
.Letext0:
