P0:
	.loc 1 3 15
	.loc 1 4 3
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
.L3:
	ldxr	w2, [x0]
	add	w2, w2, 1
	stxr	w1, w2, [x0]
	cbnz	w1, .L3
	.loc 1 5 1
	ret
P1:
	.loc 1 6 15
	.loc 1 7 8
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
.L5:
	ldxr	w1, [x0]
	add	w2, w1, 1
	stxr	w3, w2, [x0]
	cbnz	w3, .L5
	.loc 1 9 9
	adrp	x0, :got:P1_r0
	ldr	x0, [x0, :got_lo12:P1_r0]
	str	w1, [x0]
	.loc 1 10 1
	ret
