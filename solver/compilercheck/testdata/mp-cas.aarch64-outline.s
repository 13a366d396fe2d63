P0:
.Lfunc_begin0:
	.loc	1 3 0
	.loc	1 4 3 prologue_end
	adrp	x8, :got:x
	adrp	x10, :got:y
	mov	w9, #1
	ldr	x8, [x8, :got_lo12:x]
	ldr	x10, [x10, :got_lo12:y]
	str	w9, [x8]
	stlr	w9, [x10]
	.loc	1 6 1
	ret
.Lfunc_end0:
P1:
.Lfunc_begin1:
	.loc	1 7 0
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	.loc	1 9 8 prologue_end
	adrp	x2, :got:y
	mov	w0, #1
	mov	w1, #2
	ldr	x2, [x2, :got_lo12:y]
	bl	__aarch64_cas4_acq
	.loc	1 10 8
	adrp	x8, :got:x
	.loc	1 12 9
	adrp	x9, :got:P1_r0
	adrp	x11, :got:P1_r1
	.loc	1 9 8
	cmp	w0, #1
	cset	w10, eq
	.loc	1 10 8
	ldr	x8, [x8, :got_lo12:x]
	.loc	1 12 9
	ldr	x9, [x9, :got_lo12:P1_r0]
	.loc	1 10 8
	ldr	w8, [x8]
	.loc	1 12 9
	ldr	x11, [x11, :got_lo12:P1_r1]
	str	w10, [x9]
	str	w8, [x11]
	.loc	1 13 1
	ldp	x29, x30, [sp], #16
	ret
.Lfunc_end1:
