P0:
.Lfunc_begin0:
	.loc	1 3 0
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	.loc	1 4 3 prologue_end
	adrp	x1, :got:x
	mov	w0, #1
	ldr	x1, [x1, :got_lo12:x]
	bl	__aarch64_ldadd4_relax
	.loc	1 5 1
	ldp	x29, x30, [sp], #16
	ret
.Lfunc_end0:
P1:
.Lfunc_begin1:
	.loc	1 6 0
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	.loc	1 7 8 prologue_end
	adrp	x1, :got:x
	mov	w0, #1
	ldr	x1, [x1, :got_lo12:x]
	bl	__aarch64_ldadd4_relax
	.loc	1 9 9
	adrp	x8, :got:P1_r0
	ldr	x8, [x8, :got_lo12:P1_r0]
	str	w0, [x8]
	.loc	1 10 1
	ldp	x29, x30, [sp], #16
	ret
.Lfunc_end1:
