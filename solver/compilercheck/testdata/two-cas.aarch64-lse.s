P0:
	.loc 1 3 15
	.loc 1 5 8
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	mov	w2, 1
	mov	w1, 0
	cas	w1, w2, [x0]
	.loc 1 11 9
	adrp	x0, :got:P0_r0
	ldr	x0, [x0, :got_lo12:P0_r0]
	.loc 1 5 8
	cmp	w1, 0
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
	mov	w2, 2
	mov	w1, 0
	cas	w1, w2, [x0]
	.loc 1 11 9
	adrp	x0, :got:P1_r0
	ldr	x0, [x0, :got_lo12:P1_r0]
	.loc 1 9 8
	cmp	w1, 0
	cset	w1, eq
	.loc 1 11 9
	str	w1, [x0]
	.loc 1 12 1
	ret
