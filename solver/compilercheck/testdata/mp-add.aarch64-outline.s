P0:
.Lfunc_begin0:
	.loc	1 3 0
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	.loc	1 4 3 prologue_end
	adrp	x8, :got:x
	mov	w9, #1
	.loc	1 5 8
	adrp	x1, :got:y
	mov	w0, #1
	.loc	1 4 3
	ldr	x8, [x8, :got_lo12:x]
	str	w9, [x8]
	.loc	1 5 8
	ldr	x1, [x1, :got_lo12:y]
	bl	__aarch64_ldadd4_rel
	.loc	1 6 1
	ldp	x29, x30, [sp], #16
	ret
.Lfunc_end0:
P1:
.Lfunc_begin1:
	.loc	1 7 0
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	.loc	1 8 8 prologue_end
	adrp	x1, :got:y
	mov	w0, #2
	ldr	x1, [x1, :got_lo12:y]
	bl	__aarch64_ldadd4_acq
	.loc	1 9 8
	adrp	x8, :got:x
	.loc	1 11 9
	adrp	x9, :got:P1_r0
	adrp	x10, :got:P1_r1
	.loc	1 9 8
	ldr	x8, [x8, :got_lo12:x]
	.loc	1 11 9
	ldr	x9, [x9, :got_lo12:P1_r0]
	.loc	1 9 8
	ldr	w8, [x8]
	.loc	1 11 9
	ldr	x10, [x10, :got_lo12:P1_r1]
	str	w0, [x9]
	str	w8, [x10]
	.loc	1 12 1
	ldp	x29, x30, [sp], #16
	ret
.Lfunc_end1:
