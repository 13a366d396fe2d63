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
	std 31,-8(1)
	stdu 1,-64(1)
	mr 31,1
	.loc 2 4 5
	addis 9,2,.LC0@toc@ha
	ld 9,.LC0@toc@l(9)
	li 10,1
	stw 10,0(9)
.LBB2:
	.loc 2 5 3
	addis 9,2,.LC1@toc@ha
	ld 9,.LC1@toc@l(9)
	std 9,32(31)
	li 9,1
	stw 9,40(31)
	lwz 9,40(31)
	mr 10,9
	ld 9,32(31)
	lwsync
	stw 10,0(9)
.LBE2:
	.loc 2 6 1
	nop
	addi 1,31,64
	ld 31,-8(1)
	blr
	.long 0
	.byte 0,0,0,0,128,1,0,1
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
	std 31,-8(1)
	stdu 1,-80(1)
	mr 31,1
	.loc 2 7 7
	li 9,0
	stw 9,36(31)
	.loc 2 7 7
	li 9,0
	stw 9,32(31)
.LBB3:
	.loc 2 8 8
	addis 9,2,.LC2@toc@ha
	ld 9,.LC2@toc@l(9)
	std 9,40(31)
	ld 9,40(31)
	lwz 9,0(9)
	cmpw 0,9,9
	bne- 0,$+4
	isync
	stw 9,48(31)
	lwz 9,48(31)
.LBE3:
	.loc 2 8 6
	stw 9,36(31)
	.loc 2 9 6
	li 9,2
	stw 9,32(31)
	.loc 2 10 6
	lwz 9,36(31)
	cmpwi 0,9,0
	beq 0,.L3
	.loc 2 10 8
	addis 9,2,.LC3@toc@ha
	ld 9,.LC3@toc@l(9)
	lwz 9,0(9)
	stw 9,32(31)
.L3:
	.loc 2 12 9
	addis 9,2,.LC4@toc@ha
	ld 9,.LC4@toc@l(9)
	lwz 10,36(31)
	stw 10,0(9)
	.loc 2 12 9
	addis 9,2,.LC5@toc@ha
	ld 9,.LC5@toc@l(9)
	lwz 10,32(31)
	stw 10,0(9)
	.loc 2 13 1
	nop
	addi 1,31,80
	ld 31,-8(1)
	blr
	.long 0
	.byte 0,0,0,0,128,1,0,1
.LFE1:
.Letext0:
