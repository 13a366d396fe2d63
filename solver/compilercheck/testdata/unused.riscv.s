	.text
.Ltext0:
P0:
.LFB0:
	.loc 1 3 15
.LBB2:
	.loc 1 4 3
	li	a5,1
	la	a4,x
	amoswap.w zero,a5,0(a4)
.LBE2:
.LBB3:
	.loc 1 5 3
	la	a4,y
	fence iorw,ow; amoswap.w zero,a5,0(a4)
.LBE3:
	.loc 1 6 1
	ret
.LFE0:
P1:
.LFB1:
	.loc 1 7 15
	.loc 1 8 3
	la	a5,y
	li	a4,1
	amoadd.w.aq zero,a4,0(a5)
.LBB4:
	.loc 1 9 8
	la	a5,x
	lw	a4,0(a5)
.LBE4:
	.loc 1 11 9
	la	a5,P1_r0
	sw	a4,0(a5)
	.loc 1 12 1
	ret
.LFE1:
.Letext0:
