P0:
.Lfunc_begin0:
	.loc	1 3 0
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	.loc	1 5 8 prologue_end
	adrp	x2, :got:x
	mov	w0, wzr
	mov	w1, #1
	ldr	x2, [x2, :got_lo12:x]
	bl	__aarch64_cas4_relax
	.loc	1 11 9
	adrp	x9, :got:P0_r0
	.loc	1 5 8
	cmp	w0, #0
	cset	w8, eq
	.loc	1 11 9
	ldr	x9, [x9, :got_lo12:P0_r0]
	str	w8, [x9]
	.loc	1 12 1
	ldp	x29, x30, [sp], #16
	ret
.Lfunc_end0:
P1:
.Lfunc_begin1:
	.loc	1 7 0
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	.loc	1 9 8 prologue_end
	adrp	x2, :got:x
	mov	w0, wzr
	mov	w1, #2
	ldr	x2, [x2, :got_lo12:x]
	bl	__aarch64_cas4_relax
	.loc	1 11 9
	adrp	x9, :got:P1_r0
	.loc	1 9 8
	cmp	w0, #0
	cset	w8, eq
	.loc	1 11 9
	ldr	x9, [x9, :got_lo12:P1_r0]
	str	w8, [x9]
	.loc	1 12 1
	ldp	x29, x30, [sp], #16
	ret
.Lfunc_end1:
