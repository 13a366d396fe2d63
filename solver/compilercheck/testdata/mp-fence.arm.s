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
.LBB2:
	.loc 2 4 3
	movs	r0, #1
	ldr	r1, .L3+4
.LBE2:
	.loc 2 3 15
.LPIC0:
	add	r3, pc
.LBB3:
	.loc 2 6 3
	ldr	r2, .L3+8
.LBE3:
.LBB4:
	.loc 2 4 3
	ldr	r1, [r3, r1]
	str	r0, [r1]
.LBE4:
	.loc 2 5 3
	dmb	ish
.LBB5:
	.loc 2 6 3
	ldr	r3, [r3, r2]
	str	r0, [r3]
.LBE5:
	.loc 2 7 1
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
	.loc 2 8 15
	ldr	r3, .L7
.LBB6:
	.loc 2 9 8
	ldr	ip, .L7+4
.LBE6:
	.loc 2 8 15
.LPIC1:
	add	r3, pc
	push	{r4}
.LBB7:
	.loc 2 11 8
	ldr	r0, .L7+8
.LBE7:
	.loc 2 13 9
	ldr	r1, .L7+12
.LBB8:
	.loc 2 9 8
	ldr	r4, [r3, ip]
.LBE8:
	.loc 2 13 9
	ldr	r2, .L7+16
.LBB9:
	.loc 2 9 8
	ldr	r4, [r4]
.LBE9:
	.loc 2 10 3
	dmb	ish
.LBB10:
	.loc 2 11 8
	ldr	r0, [r3, r0]
	ldr	r0, [r0]
.LBE10:
	.loc 2 13 9
	ldr	r1, [r3, r1]
	str	r4, [r1]
	.loc 2 13 9
	ldr	r3, [r3, r2]
	str	r0, [r3]
	.loc 2 14 1
	ldr	r4, [sp], #4
	bx	lr
.L8:
.L7:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC1+4)
	.word	y(GOT)
	.word	x(GOT)
	.word	P1_r0(GOT)
	.word	P1_r1(GOT)
.LFE1:
.Letext0:
