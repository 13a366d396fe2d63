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
	addis 10,2,.LC0@toc@ha
	ld 10,.LC0@toc@l(10)
	li 9,1
	stw 9,0(10)
.LBE2:
.LBB3:
	.loc 2 5 3
	addis 10,2,.LC1@toc@ha
	ld 10,.LC1@toc@l(10)
	lwsync
	stw 9,0(10)
.LBE3:
	.loc 2 6 1
	blr
	.long 0
	.byte 0,0,0,0,0,0,0,0
.LFE0:
	.section	".toc","aw"
	.set .LC2,.LC1
	.set .LC3,.LC0
.LC4:
	.quad	P1_r0
	.section	".text"
P1:
.LFB1:
	.loc 2 7 15
.LCF1:
0:	addis 2,12,.TOC.-.LCF1@ha
	addi 2,2,.TOC.-.LCF1@l
	.loc 2 8 3
	addis 10,2,.LC2@toc@ha
	ld 10,.LC2@toc@l(10)
.L4:
	lwarx 9,0,10
	addi 9,9,1
	stwcx. 9,0,10
	bne 0,.L4
	isync
.LBB4:
	.loc 2 9 8
	addis 9,2,.LC3@toc@ha
	ld 9,.LC3@toc@l(9)
	lwz 10,0(9)
.LBE4:
	.loc 2 11 9
	addis 9,2,.LC4@toc@ha
	ld 9,.LC4@toc@l(9)
	stw 10,0(9)
	.loc 2 12 1
	blr
	.long 0
	.byte 0,0,0,0,0,0,0,0
.LFE1:
.Letext0:
