P0:
	.loc 1 3 15
	.loc 1 4 3
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	mov	w1, 1
	str	w1, [x0]
	.loc 1 5 8
	mov	w0, w1
	adrp	x1, :got:y
	ldr	x1, [x1, :got_lo12:y]
	swpl	w0, w0, [x1]
	.loc 1 6 1
	ret
P1:
	.loc 1 7 15
	.loc 1 9 8
	adrp	x0, :got:y
	ldr	x0, [x0, :got_lo12:y]
	mov	w2, 2
	mov	w1, 1
	casa	w1, w2, [x0]
	cmp	w1, 1
	.loc 1 10 8
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	.loc 1 9 8
	cset	w3, eq
	.loc 1 10 8
	ldr	w2, [x0]
	.loc 1 12 9
	adrp	x1, :got:P1_r0
	ldr	x1, [x1, :got_lo12:P1_r0]
	.loc 1 12 9
	adrp	x0, :got:P1_r1
	ldr	x0, [x0, :got_lo12:P1_r1]
	.loc 1 12 9
	str	w3, [x1]
	.loc 1 12 9
	str	w2, [x0]
	.loc 1 13 1
	ret
