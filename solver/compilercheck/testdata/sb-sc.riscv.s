	.text
.Ltext0:
P0:
.LFB0:
	.loc 1 3 15
.LBB2:
	.loc 1 4 3
	la	a5,x
	li	a4,1
	fence iorw,ow; amoswap.w.aq zero,a4,0(a5)
.LBE2:
.LBB3:
	.loc 1 5 8
	fence	iorw,iorw
	la	a5,y
	lw	a4,0(a5)
	fence	iorw,iorw
.LBE3:
	.loc 1 11 9
	la	a5,P0_r0
	sw	a4,0(a5)
	.loc 1 12 1
	ret
.LFE0:
P1:
.LFB1:
	.loc 1 7 15
.LBB4:
	.loc 1 8 3
	la	a5,y
	li	a4,1
	fence iorw,ow; amoswap.w.aq zero,a4,0(a5)
.LBE4:
.LBB5:
	.loc 1 9 8
	fence	iorw,iorw
	la	a5,x
	lw	a4,0(a5)
	fence	iorw,iorw
.LBE5:
	.loc 1 11 9
	la	a5,P1_r0
	sw	a4,0(a5)
	.loc 1 12 1
	ret
.LFE1:
.Letext0:
