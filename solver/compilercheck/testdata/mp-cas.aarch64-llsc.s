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
.L3:
	ldxr	w2, [x0]
	stlxr	w3, w1, [x0]
	cbnz	w3, .L3
	.loc 1 6 1
	ret
P1:
	.loc 1 7 15
	.loc 1 9 8
	adrp	x0, :got:y
	ldr	x0, [x0, :got_lo12:y]
	mov	w1, 2
.L5:
	ldaxr	w2, [x0]
	cmp	w2, 1
	bne	.L6
	stxr	w3, w1, [x0]
	cbnz	w3, .L5
.L6:
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
