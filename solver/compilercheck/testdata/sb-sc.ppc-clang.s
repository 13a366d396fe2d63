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
	.loc 1 5 8
	addis 4, 2, .LC1@toc@ha
	li 5, 1
	.loc 1 4 3
	sync
	ld 3, .LC0@toc@l(3)
	.loc 1 5 8
	ld 4, .LC1@toc@l(4)
	.loc 1 4 3
	stw 5, 0(3)
	.loc 1 11 9
	addis 3, 2, .LC2@toc@ha
	.loc 1 5 8
	sync
	.loc 1 11 9
	ld 3, .LC2@toc@l(3)
	.loc 1 5 8
	lwz 4, 0(4)
	cmpd 7, 4, 4
	bne- 7, .+4
	isync
	.loc 1 11 9
	stw 4, 0(3)
	.loc 1 12 1
	blr
.Ltmp0:
	.long	0
	.quad	0
.Lfunc_end0:
P1:                                     # @P1
.Lfunc_begin1:
	.loc 1 7 0
.Lfunc_gep1:
	addis 2, 12, .TOC.-.Lfunc_gep1@ha
	addi 2, 2, .TOC.-.Lfunc_gep1@l
.Lfunc_lep1:
	.loc 1 8 3
	addis 3, 2, .LC1@toc@ha
	.loc 1 9 8
	addis 4, 2, .LC0@toc@ha
	li 5, 1
	.loc 1 8 3
	sync
	ld 3, .LC1@toc@l(3)
	.loc 1 9 8
	ld 4, .LC0@toc@l(4)
	.loc 1 8 3
	stw 5, 0(3)
	.loc 1 11 9
	addis 3, 2, .LC3@toc@ha
	.loc 1 9 8
	sync
	.loc 1 11 9
	ld 3, .LC3@toc@l(3)
	.loc 1 9 8
	lwz 4, 0(4)
	cmpd 7, 4, 4
	bne- 7, .+4
	isync
	.loc 1 11 9
	stw 4, 0(3)
	.loc 1 12 1
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
	.tc P0_r0[TC],P0_r0
.LC3:
	.tc P1_r0[TC],P1_r0
