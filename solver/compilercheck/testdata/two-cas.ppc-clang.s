	.text
P0:                                     # @P0
.Lfunc_begin0:
	.loc 1 3 0
.Lfunc_gep0:
	addis 2, 12, .TOC.-.Lfunc_gep0@ha
	addi 2, 2, .TOC.-.Lfunc_gep0@l
.Lfunc_lep0:
	.loc 1 5 8
	addis 3, 2, .LC0@toc@ha
	li 5, 1
	li 6, 0
	ld 4, .LC0@toc@l(3)
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	lwarx 3, 0, 4
	cmpw	6, 3
	bne	0, .LBB0_3
	stwcx. 5, 0, 4
	bne	0, .LBB0_1
	b .LBB0_4
.LBB0_3:
	stwcx. 3, 0, 4
.LBB0_4:
	.loc 1 11 9
	addis 4, 2, .LC1@toc@ha
	.loc 1 5 8
	cntlzw	3, 3
	.loc 1 11 9
	ld 4, .LC1@toc@l(4)
	.loc 1 5 8
	srwi 3, 3, 5
	.loc 1 11 9
	stw 3, 0(4)
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
	.loc 1 9 8
	addis 3, 2, .LC0@toc@ha
	li 5, 2
	li 6, 0
	ld 4, .LC0@toc@l(3)
.LBB1_1:                                # =>This Inner Loop Header: Depth=1
	lwarx 3, 0, 4
	cmpw	6, 3
	bne	0, .LBB1_3
	stwcx. 5, 0, 4
	bne	0, .LBB1_1
	b .LBB1_4
.LBB1_3:
	stwcx. 3, 0, 4
.LBB1_4:
	.loc 1 11 9
	addis 4, 2, .LC2@toc@ha
	.loc 1 9 8
	cntlzw	3, 3
	.loc 1 11 9
	ld 4, .LC2@toc@l(4)
	.loc 1 9 8
	srwi 3, 3, 5
	.loc 1 11 9
	stw 3, 0(4)
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
	.tc P0_r0[TC],P0_r0
.LC2:
	.tc P1_r0[TC],P1_r0
