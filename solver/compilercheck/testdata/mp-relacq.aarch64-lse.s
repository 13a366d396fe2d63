P0:
	.loc 1 3 15
	.loc 1 4 5
	adrp	x1, :got:x
	ldr	x1, [x1, :got_lo12:x]
	mov	w2, 1
	.loc 1 5 3
	adrp	x0, :got:y
	ldr	x0, [x0, :got_lo12:y]
	.loc 1 4 5
	str	w2, [x1]
	.loc 1 5 3
	stlr	w2, [x0]
	.loc 1 6 1
	ret
P1:
	.loc 1 7 15
	.loc 1 8 8
	adrp	x0, :got:y
	ldr	x0, [x0, :got_lo12:y]
	ldar	w2, [x0]
	.loc 1 9 6
	mov	w3, 2
	.loc 1 10 6
	cbz	w2, .L4
	.loc 1 10 8 discriminator 1
	adrp	x0, :got:x
	ldr	x0, [x0, :got_lo12:x]
	ldr	w3, [x0]
.L4:
	.loc 1 12 9
	adrp	x1, :got:P1_r0
	ldr	x1, [x1, :got_lo12:P1_r0]
	.loc 1 12 9
	adrp	x0, :got:P1_r1
	ldr	x0, [x0, :got_lo12:P1_r1]
	.loc 1 12 9
	str	w2, [x1]
	.loc 1 12 9
	str	w3, [x0]
	.loc 1 13 1
	ret
