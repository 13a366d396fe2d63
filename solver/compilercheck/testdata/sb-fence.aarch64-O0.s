P0:
.Lfunc_begin0:
	.loc	1 3 0
	sub	sp, sp, #16
	.loc	1 3 7 prologue_end
	str	wzr, [sp, #12]
	mov	w8, #1
	.loc	1 4 3
	str	w8, [sp, #8]
	ldr	w8, [sp, #8]
	.loc	1 0 0 is_stmt 0
	adrp	x9, :got:x
	ldr	x9, [x9, :got_lo12:x]
	.loc	1 4 3
	str	w8, [x9]
	.loc	1 5 3 is_stmt 1
	dmb	ish
	.loc	1 0 0 is_stmt 0
	adrp	x8, :got:y
	ldr	x8, [x8, :got_lo12:y]
	.loc	1 6 8 is_stmt 1
	ldr	w8, [x8]
	str	w8, [sp, #4]
	ldr	w8, [sp, #4]
	.loc	1 6 6 is_stmt 0
	str	w8, [sp, #12]
	.loc	1 13 11 is_stmt 1
	ldr	w8, [sp, #12]
	.loc	1 0 0 is_stmt 0
	adrp	x9, :got:P0_r0
	ldr	x9, [x9, :got_lo12:P0_r0]
	.loc	1 13 9
	str	w8, [x9]
	.loc	1 14 1 is_stmt 1
	add	sp, sp, #16
	ret
.Lfunc_end0:
P1:
.Lfunc_begin1:
	.loc	1 8 0
	sub	sp, sp, #16
	.loc	1 8 7 prologue_end
	str	wzr, [sp, #12]
	mov	w8, #1
	.loc	1 9 3
	str	w8, [sp, #8]
	ldr	w8, [sp, #8]
	.loc	1 0 0 is_stmt 0
	adrp	x9, :got:y
	ldr	x9, [x9, :got_lo12:y]
	.loc	1 9 3
	str	w8, [x9]
	.loc	1 10 3 is_stmt 1
	dmb	ish
	.loc	1 0 0 is_stmt 0
	adrp	x8, :got:x
	ldr	x8, [x8, :got_lo12:x]
	.loc	1 11 8 is_stmt 1
	ldr	w8, [x8]
	str	w8, [sp, #4]
	ldr	w8, [sp, #4]
	.loc	1 11 6 is_stmt 0
	str	w8, [sp, #12]
	.loc	1 13 11 is_stmt 1
	ldr	w8, [sp, #12]
	.loc	1 0 0 is_stmt 0
	adrp	x9, :got:P1_r0
	ldr	x9, [x9, :got_lo12:P1_r0]
	.loc	1 13 9
	str	w8, [x9]
	.loc	1 14 1 is_stmt 1
	add	sp, sp, #16
	ret
.Lfunc_end1:
