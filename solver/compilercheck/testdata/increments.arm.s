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
	.loc 2 4 3
	ldr	r2, .L4+4
	.loc 2 3 15
.LPIC0:
	add	r3, pc
	.loc 2 4 3
	ldr	r3, [r3, r2]
.L2:
	ldrex	r1, [r3]
	adds	r1, r1, #1
	strex	r2, r1, [r3]
	cmp	r2, #0
	bne	.L2
	.loc 2 5 1
	bx	lr
.L5:
.L4:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC0+4)
	.word	x(GOT)
.LFE0:
	.syntax unified
	.thumb
	.thumb_func
P1:
.LFB1:
	.loc 2 6 15
	.loc 2 6 15
	ldr	r3, .L8
	.loc 2 7 8
	ldr	r2, .L8+4
	.loc 2 6 15
.LPIC1:
	add	r3, pc
	.loc 2 7 8
	ldr	r2, [r3, r2]
.L7:
	ldrex	r1, [r2]
	adds	r0, r1, #1
	strex	ip, r0, [r2]
	cmp	ip, #0
	bne	.L7
	.loc 2 9 9
	ldr	r2, .L8+8
	ldr	r3, [r3, r2]
	str	r1, [r3]
	.loc 2 10 1
	bx	lr
.L9:
.L8:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC1+4)
	.word	x(GOT)
	.word	P1_r0(GOT)
.LFE1:
.Letext0:
