P0:
	.loc 1 3 15
	.loc 1 5 8
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	mov	w1, 1
.L3:
	ldxr	w2, [x0]
	cbnz	w2, .L4
	stxr	w3, w1, [x0]
	cbnz	w3, .L3
.L4:
	.loc 1 11 9
	adrp	x0, :got:P0_r0
	ldr	x0, [x0, :got_lo12:P0_r0]
	.loc 1 5 8
	cmp	w2, 0
	cset	w1, eq
	.loc 1 11 9
	str	w1, [x0]
	.loc 1 12 1
	ret
P1:
	.loc 1 7 15
	.loc 1 9 8
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	mov	w1, 2
.L6:
	ldxr	w2, [x0]
	cbnz	w2, .L7
	stxr	w3, w1, [x0]
	cbnz	w3, .L6
.L7:
	.loc 1 11 9
	adrp	x0, :got:P1_r0
	ldr	x0, [x0, :got_lo12:P1_r0]
	.loc 1 9 8
	cmp	w2, 0
	cset	w1, eq
	.loc 1 11 9
	str	w1, [x0]
	.loc 1 12 1
	ret
