	.section	".text"
.Ltext0:
	.section	".toc","aw"
.LC0:
	.quad	x
.LC1:
	.quad	P0_r0
	.section	".text"
P0:
.LFB0:
	.loc 2 3 15
.LCF0:
0:	addis 2,12,.TOC.-.LCF0@ha
	addi 2,2,.TOC.-.LCF0@l
.LBB2:
	.loc 2 5 8
	addis 9,2,.LC0@toc@ha
	ld 9,.LC0@toc@l(9)
	li 8,1
.L2:
	lwarx 10,0,9
	cmpwi 0,10,0
	bne 0,.L3
	stwcx. 8,0,9
	bne 0,.L2
.L3:
	mfcr 10,128
	rlwinm 10,10,3,1
.LBE2:
	.loc 2 11 9
	addis 9,2,.LC1@toc@ha
	ld 9,.LC1@toc@l(9)
	stw 10,0(9)
	.loc 2 12 1
	blr
	.long 0
	.byte 0,0,0,0,0,0,0,0
.LFE0:
	.section	".toc","aw"
	.set .LC2,.LC0
.LC3:
	.quad	P1_r0
	.section	".text"
P1:
.LFB1:
	.loc 2 7 15
.LCF1:
0:	addis 2,12,.TOC.-.LCF1@ha
	addi 2,2,.TOC.-.LCF1@l
.LBB3:
	.loc 2 9 8
	addis 9,2,.LC2@toc@ha
	ld 9,.LC2@toc@l(9)
	li 8,2
.L7:
	lwarx 10,0,9
	cmpwi 0,10,0
	bne 0,.L8
	stwcx. 8,0,9
	bne 0,.L7
.L8:
	mfcr 10,128
	rlwinm 10,10,3,1
.LBE3:
	.loc 2 11 9
	addis 9,2,.LC3@toc@ha
	ld 9,.LC3@toc@l(9)
	stw 10,0(9)
	.loc 2 12 1
	blr
	.long 0
	.byte 0,0,0,0,0,0,0,0
.LFE1:
.Letext0:
