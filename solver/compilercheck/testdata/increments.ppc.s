	.section	".text"
.Ltext0:
	.section	".toc","aw"
.LC0:
	.quad	x
	.section	".text"
P0:
.LFB0:
	.loc 2 3 15
.LCF0:
0:	addis 2,12,.TOC.-.LCF0@ha
	addi 2,2,.TOC.-.LCF0@l
	.loc 2 4 3
	addis 10,2,.LC0@toc@ha
	ld 10,.LC0@toc@l(10)
.L2:
	lwarx 9,0,10
	addi 9,9,1
	stwcx. 9,0,10
	beqlr 0
	b .L2
	.long 0
	.byte 0,0,0,0,0,0,0,0
.LFE0:
	.section	".toc","aw"
	.set .LC1,.LC0
.LC2:
	.quad	P1_r0
	.section	".text"
P1:
.LFB1:
	.loc 2 6 15
.LCF1:
0:	addis 2,12,.TOC.-.LCF1@ha
	addi 2,2,.TOC.-.LCF1@l
	.loc 2 7 8
	addis 10,2,.LC1@toc@ha
	ld 10,.LC1@toc@l(10)
.L7:
	lwarx 9,0,10
	addi 8,9,1
	stwcx. 8,0,10
	bne 0,.L7
	.loc 2 9 9
	addis 10,2,.LC2@toc@ha
	ld 10,.LC2@toc@l(10)
	stw 9,0(10)
	.loc 2 10 1
	blr
	.long 0
	.byte 0,0,0,0,0,0,0,0
.LFE1:
.Letext0:
