	.text
P0:                                     # @P0
.Lfunc_begin0:
	.loc 1 3 0
.Lfunc_gep0:
	addis 2, 12, .TOC.-.Lfunc_gep0@ha
	addi 2, 2, .TOC.-.Lfunc_gep0@l
.Lfunc_lep0:
	.loc 1 4 3
	addis 3, 2, .LC0@toc@ha
	.loc 1 6 3
	addis 4, 2, .LC1@toc@ha
	li 5, 1
	.loc 1 4 3
	ld 3, .LC0@toc@l(3)
	.loc 1 6 3
	ld 4, .LC1@toc@l(4)
	.loc 1 4 3
	stw 5, 0(3)
	.loc 1 5 3
	lwsync
	.loc 1 6 3
	stw 5, 0(4)
	.loc 1 7 1
	blr
.Ltmp0:
	.long	0
	.quad	0
.Lfunc_end0:
P1:                                     # @P1
.Lfunc_begin1:
	.loc 1 8 0
.Lfunc_gep1:
	addis 2, 12, .TOC.-.Lfunc_gep1@ha
	addi 2, 2, .TOC.-.Lfunc_gep1@l
.Lfunc_lep1:
	.loc 1 9 8
	addis 3, 2, .LC1@toc@ha
	.loc 1 11 8
	addis 4, 2, .LC0@toc@ha
	.loc 1 13 9
	addis 5, 2, .LC2@toc@ha
	addis 6, 2, .LC3@toc@ha
	.loc 1 9 8
	ld 3, .LC1@toc@l(3)
	.loc 1 11 8
	ld 4, .LC0@toc@l(4)
	.loc 1 13 9
	ld 5, .LC2@toc@l(5)
	ld 6, .LC3@toc@l(6)
	.loc 1 9 8
	lwz 3, 0(3)
	.loc 1 10 3
	lwsync
	.loc 1 11 8
	lwz 4, 0(4)
	.loc 1 13 9
	stw 3, 0(5)
	stw 4, 0(6)
	.loc 1 14 1
	blr
.Ltmp1:
	.long	0
	.quad	0
.Lfunc_end1:
	.section	.toc,"aw",@progbits
.LC0:
	.tc x[TC],x
.LC1:
	.tc y[TC],y
.LC2:
	.tc P1_r0[TC],P1_r0
.LC3:
	.tc P1_r1[TC],P1_r1
