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
	.loc 1 5 3
	fence	iorw,iorw
.LBB3:
	.loc 1 6 3
	la	a4,y
	amoswap.w zero,a5,0(a4)
.LBE3:
	.loc 1 7 1
	ret
.LFE0:
P1:
.LFB1:
	.loc 1 8 15
.LBB4:
	.loc 1 9 8
	la	a5,y
	lw	a5,0(a5)
.LBE4:
	.loc 1 10 3
	fence	iorw,iorw
.LBB5:
	.loc 1 9 8
	sext.w	a5,a5
.LBE5:
	.loc 1 10 3
.LBB6:
	.loc 1 11 8
	la	a4,x
	lw	a4,0(a4)
.LBE6:
	.loc 1 13 9
	la	a3,P1_r0
	sw	a5,0(a3)
	.loc 1 13 9
	la	a5,P1_r1
	sw	a4,0(a5)
	.loc 1 14 1
	ret
.LFE1:
.Letext0:
