P0:
	.loc 1 3 15
	.loc 1 4 3
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	mov	w1, 1
	str	w1, [x0]
	.loc 1 5 3
	dmb	ish
	.loc 1 6 3
	adrp	x0, :got:y
	ldr	x0, [x0, :got_lo12:y]
	str	w1, [x0]
	.loc 1 7 1
	ret
P1:
	.loc 1 8 15
	.loc 1 9 8
	adrp	x0, :got:y
	ldr	x0, [x0, :got_lo12:y]
	ldr	w3, [x0]
	.loc 1 10 3
	dmb	ishld
	.loc 1 11 8
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	ldr	w2, [x0]
	.loc 1 13 9
	adrp	x1, :got:P1_r0
	ldr	x1, [x1, :got_lo12:P1_r0]
	.loc 1 13 9
	adrp	x0, :got:P1_r1
	ldr	x0, [x0, :got_lo12:P1_r1]
	.loc 1 13 9
	str	w3, [x1]
	.loc 1 13 9
	str	w2, [x0]
	.loc 1 14 1
	ret
