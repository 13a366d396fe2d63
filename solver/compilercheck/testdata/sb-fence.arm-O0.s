	.text
.Ltext0:
	.syntax unified
	.thumb
	.thumb_func
P0:
.LFB0:
	.loc 2 3 15
	push	{r7}
	sub	sp, sp, #28
	add	r7, sp, #0
	ldr	r3, .L2
.LPIC0:
	add	r3, pc
	.loc 2 3 7
	movs	r2, #0
	str	r2, [r7, #20]
.LBB2:
	.loc 2 4 3
	ldr	r2, .L2+4
	ldr	r2, [r3, r2]
	str	r2, [r7, #16]
	movs	r2, #1
	str	r2, [r7, #8]
	ldr	r2, [r7, #8]
	mov	r1, r2
	ldr	r2, [r7, #16]
	str	r1, [r2]
.LBE2:
	.loc 2 5 3
	dmb	ish
.LBB3:
	.loc 2 6 8
	ldr	r2, .L2+8
	ldr	r2, [r3, r2]
	str	r2, [r7, #12]
	ldr	r2, [r7, #12]
	ldr	r2, [r2]
	str	r2, [r7, #4]
	ldr	r2, [r7, #4]
.LBE3:
	.loc 2 6 6
	str	r2, [r7, #20]
	.loc 2 13 9
	ldr	r2, .L2+12
	ldr	r3, [r3, r2]
	ldr	r2, [r7, #20]
	str	r2, [r3]
	.loc 2 14 1
	nop
	adds	r7, r7, #28
	mov	sp, r7
	ldr	r7, [sp], #4
	bx	lr
.L3:
.L2:
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
	.loc 2 8 15
	push	{r7}
	sub	sp, sp, #28
	add	r7, sp, #0
	ldr	r3, .L5
.LPIC1:
	add	r3, pc
	.loc 2 8 7
	movs	r2, #0
	str	r2, [r7, #20]
.LBB4:
	.loc 2 9 3
	ldr	r2, .L5+4
	ldr	r2, [r3, r2]
	str	r2, [r7, #16]
	movs	r2, #1
	str	r2, [r7, #8]
	ldr	r2, [r7, #8]
	mov	r1, r2
	ldr	r2, [r7, #16]
	str	r1, [r2]
.LBE4:
	.loc 2 10 3
	dmb	ish
.LBB5:
	.loc 2 11 8
	ldr	r2, .L5+8
	ldr	r2, [r3, r2]
	str	r2, [r7, #12]
	ldr	r2, [r7, #12]
	ldr	r2, [r2]
	str	r2, [r7, #4]
	ldr	r2, [r7, #4]
.LBE5:
	.loc 2 11 6
	str	r2, [r7, #20]
	.loc 2 13 9
	ldr	r2, .L5+12
	ldr	r3, [r3, r2]
	ldr	r2, [r7, #20]
	str	r2, [r3]
	.loc 2 14 1
	nop
	adds	r7, r7, #28
	mov	sp, r7
	ldr	r7, [sp], #4
	bx	lr
.L6:
.L5:
	.word	_GLOBAL_OFFSET_TABLE_-(.LPIC1+4)
	.word	y(GOT)
	.word	x(GOT)
	.word	P1_r0(GOT)
.LFE1:
.Letext0:
