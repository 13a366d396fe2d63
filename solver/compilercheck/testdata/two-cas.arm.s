	.text
.Ltext0:
	.syntax unified
	.thumb
	.thumb_func
P0:
.LFB0:
	.loc 2 3 15
	.loc 2 3 15
	ldr	r3, .L5
.LBB2:
	.loc 2 5 8
	movs	r1, #1
	ldr	r2, .L5+4
.LBE2:
	.loc 2 3 15
.LPIC0:
	add	r3, pc
.LBB3:
	.loc 2 5 8
	ldr	r2, [r3, r2]
.L2:
	ldrex	r0, [r2]
	cmp	r0, #0
	bne	.L3
	strex	ip, r1, [r2]
	cmp	ip, #0
	bne	.L2
.L3:
.LBE3:
	.loc 2 11 9
	ldr	r2, .L5+8
.LBB4:
	.loc 2 5 8
	it	ne
	movne	r1, #0
.LBE4:
	.loc 2 11 9
	ldr	r3, [r3, r2]
	str	r1, [r3]
	.loc 2 12 1
	bx	lr
.L6:
.L5:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC0+4)
	.word	x(GOT)
	.word	P0_r0(GOT)
.LFE0:
	.syntax unified
	.thumb
	.thumb_func
P1:
.LFB1:
	.loc 2 7 15
	.loc 2 7 15
	ldr	r3, .L10
.LBB5:
	.loc 2 9 8
	movs	r1, #2
	ldr	r2, .L10+4
.LBE5:
	.loc 2 7 15
.LPIC1:
	add	r3, pc
.LBB6:
	.loc 2 9 8
	ldr	r2, [r3, r2]
.L8:
	ldrex	r0, [r2]
	cmp	r0, #0
	bne	.L9
	strex	ip, r1, [r2]
	cmp	ip, #0
	bne	.L8
.L9:
.LBE6:
	.loc 2 11 9
	ldr	r2, .L10+8
.LBB7:
	.loc 2 9 8
	ite	eq
	moveq	r1, #1
	movne	r1, #0
.LBE7:
	.loc 2 11 9
	ldr	r3, [r3, r2]
	str	r1, [r3]
	.loc 2 12 1
	bx	lr
.L11:
.L10:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC1+4)
	.word	x(GOT)
	.word	P1_r0(GOT)
.LFE1:
.Letext0:
