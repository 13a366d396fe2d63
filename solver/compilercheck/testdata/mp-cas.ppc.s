	.section	".text"
.Ltext0:
	.section	".toc","aw"
.LC0:
	.quad	x
.LC1:
	.quad	y
	.section	".text"
P0:
.LFB0:
	.loc 2 3 15
.LCF0:
0:	addis 2,12,.TOC.-.LCF0@ha
	addi 2,2,.TOC.-.LCF0@l
.LBB2:
	.loc 2 4 3
	addis 9,2,.LC0@toc@ha
	ld 9,.LC0@toc@l(9)
	li 10,1
.LBE2:
.LBB3:
	.loc 2 5 8
	li 8,1
.LBE3:
.LBB4:
	.loc 2 4 3
	stw 10,0(9)
.LBE4:
.LBB5:
	.loc 2 5 8
	addis 9,2,.LC1@toc@ha
	ld 9,.LC1@toc@l(9)
	lwsync
.L2:
	lwarx 10,0,9
	stwcx. 8,0,9
	beqlr 0
	b .L2
.LBE5:
	.long 0
	.byte 0,0,0,0,0,0,0,0
.LFE0:
	.section	".toc","aw"
	.set .LC2,.LC1
	.set .LC3,.LC0
.LC4:
	.quad	P1_r0
.LC5:
	.quad	P1_r1
	.section	".text"
P1:
.LFB1:
	.loc 2 7 15
.LCF1:
0:	addis 2,12,.TOC.-.LCF1@ha
	addi 2,2,.TOC.-.LCF1@l
.LBB6:
	.loc 2 9 8
	addis 9,2,.LC2@toc@ha
	ld 9,.LC2@toc@l(9)
	li 8,2
.L7:
	lwarx 10,0,9
	cmpwi 0,10,1
	bne 0,.L8
	stwcx. 8,0,9
	bne 0,.L7
.L8:
	isync
	mfcr 7,128
	rlwinm 7,7,3,1
.LBE6:
.LBB7:
	.loc 2 10 8
	addis 9,2,.LC3@toc@ha
	ld 9,.LC3@toc@l(9)
	lwz 10,0(9)
.LBE7:
	.loc 2 12 9
	addis 8,2,.LC4@toc@ha
	ld 8,.LC4@toc@l(8)
	.loc 2 12 9
	addis 9,2,.LC5@toc@ha
	ld 9,.LC5@toc@l(9)
	.loc 2 12 9
	stw 7,0(8)
	.loc 2 12 9
	stw 10,0(9)
	.loc 2 13 1
	blr
	.long 0
	.byte 0,0,0,0,0,0,0,0
.LFE1:
.Letext0:
