	.text
.Ltext0:
	.syntax unified
	.thumb
	.thumb_func
P0:
.LFB0:
	.loc 2 3 15
	push	{r7}
	sub	sp, sp, #12
	add	r7, sp, #0
	ldr	r3, .L2
.LPIC0:
	add	r3, pc
	.loc 2 4 5
	ldr	r2, .L2+4
	ldr	r2, [r3, r2]
	movs	r1, #1
	str	r1, [r2]
.LBB2:
	.loc 2 5 3
	ldr	r2, .L2+8
	ldr	r3, [r3, r2]
	str	r3, [r7, #4]
	movs	r3, #1
	str	r3, [r7]
	ldr	r3, [r7]
	mov	r2, r3
	ldr	r3, [r7, #4]
	dmb	ish
	str	r2, [r3]
.LBE2:
	.loc 2 6 1
	nop
	adds	r7, r7, #12
	mov	sp, r7
	ldr	r7, [sp], #4
	bx	lr
.L3:
.L2:
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
	push	{r7}
	sub	sp, sp, #20
	add	r7, sp, #0
	ldr	r3, .L6
.LPIC1:
	add	r3, pc
	.loc 2 7 7
	movs	r2, #0
	str	r2, [r7, #8]
	.loc 2 7 7
	movs	r2, #0
	str	r2, [r7, #12]
.LBB3:
	.loc 2 8 8
	ldr	r2, .L6+4
	ldr	r2, [r3, r2]
	str	r2, [r7, #4]
	ldr	r2, [r7, #4]
	ldr	r2, [r2]
	dmb	ish
	str	r2, [r7]
	ldr	r2, [r7]
.LBE3:
	.loc 2 8 6
	str	r2, [r7, #8]
	.loc 2 9 6
	movs	r2, #2
	str	r2, [r7, #12]
	.loc 2 10 6
	ldr	r2, [r7, #8]
	cmp	r2, #0
	beq	.L5
	.loc 2 10 8
	ldr	r2, .L6+8
	ldr	r2, [r3, r2]
	ldr	r2, [r2]
	str	r2, [r7, #12]
.L5:
	.loc 2 12 9
	ldr	r2, .L6+12
	ldr	r2, [r3, r2]
	ldr	r1, [r7, #8]
	str	r1, [r2]
	.loc 2 12 9
	ldr	r2, .L6+16
	ldr	r3, [r3, r2]
	ldr	r2, [r7, #12]
	str	r2, [r3]
	.loc 2 13 1
	nop
	adds	r7, r7, #20
	mov	sp, r7
	ldr	r7, [sp], #4
	bx	lr
.L7:
.L6:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC1+4)
	.word	y(GOT)
	.word	x(GOT)
	.word	P1_r0(GOT)
	.word	P1_r1(GOT)
.LFE1:
.Letext0:
