P0:
	.loc 1 3 15
	.loc 1 4 3
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	mov	w1, 1
	str	w1, [x0]
	.loc 1 5 8
	adrp	x0, :got:y
	ldr	x0, [x0, :got_lo12:y]
	ldaddl	w1, w1, [x0]
	.loc 1 6 1
	ret
P1:
	.loc 1 7 15
	.loc 1 8 8
	adrp	x0, :got:y
	ldr	x0, [x0, :got_lo12:y]
	mov	w2, 2
	ldadda	w2, w2, [x0]
	.loc 1 9 8
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	ldr	w3, [x0]
	.loc 1 11 9
	adrp	x1, :got:P1_r0
	ldr	x1, [x1, :got_lo12:P1_r0]
	.loc 1 11 9
	adrp	x0, :got:P1_r1
	ldr	x0, [x0, :got_lo12:P1_r1]
	.loc 1 11 9
	str	w2, [x1]
	.loc 1 11 9
	str	w3, [x0]
	.loc 1 12 1
	ret
