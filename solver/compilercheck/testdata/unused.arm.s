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
	.loc 2 5 3
	ldr	r2, .L3+8
.LBE3:
.LBB4:
	.loc 2 4 3
	ldr	r1, [r3, r1]
	str	r0, [r1]
.LBE4:
.LBB5:
	.loc 2 5 3
	ldr	r3, [r3, r2]
	dmb	ish
	str	r0, [r3]
.LBE5:
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
	.loc 2 7 15
	ldr	r3, .L7
	.loc 2 8 3
	ldr	r2, .L7+4
	.loc 2 7 15
.LPIC1:
	add	r3, pc
	.loc 2 8 3
	ldr	r2, [r3, r2]
.L6:
	ldrex	r0, [r2]
	adds	r0, r0, #1
	strex	r1, r0, [r2]
	cmp	r1, #0
	bne	.L6
.LBB6:
	.loc 2 9 8
	ldr	r1, .L7+8
.LBE6:
	.loc 2 8 3
	dmb	ish
	.loc 2 11 9
	ldr	r2, .L7+12
.LBB7:
	.loc 2 9 8
	ldr	r1, [r3, r1]
	ldr	r1, [r1]
.LBE7:
	.loc 2 11 9
	ldr	r3, [r3, r2]
	str	r1, [r3]
	.loc 2 12 1
	bx	lr
.L8:
.L7:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC1+4)
	.word	y(GOT)
	.word	x(GOT)
	.word	P1_r0(GOT)
.LFE1:
.Letext0:
