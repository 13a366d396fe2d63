	.text
.Ltext0:
P0:
.LFB0:
	.loc 1 3 15
.LBB2:
	.loc 1 4 3
	li	a4,1
	la	a5,x
	amoswap.w zero,a4,0(a5)
.LBE2:
	.loc 1 5 8
	la	a5,y
	fence iorw,ow; amoadd.w zero,a4,0(a5)
	.loc 1 6 1
	ret
.LFE0:
P1:
.LFB1:
	.loc 1 7 15
	.loc 1 8 8
	la	a5,y
	li	a4,2
	amoadd.w.aq a3,a4,0(a5)
.LBB3:
	.loc 1 9 8
	la	a5,x
	lw	a4,0(a5)
.LBE3:
	.loc 1 11 9
	la	a5,P1_r0
	sw	a3,0(a5)
	.loc 1 11 9
	la	a5,P1_r1
	sw	a4,0(a5)
	.loc 1 12 1
	ret
.LFE1:
.Letext0:
