	.text
.Ltext0:
P0:
.LFB0:
	.loc 1 3 15
	.loc 1 4 5
	la	a5,x
	li	a4,1
	sw	a4,0(a5)
.LBB2:
	.loc 1 5 3
	la	a5,y
	fence iorw,ow; amoswap.w zero,a4,0(a5)
.LBE2:
	.loc 1 6 1
	ret
.LFE0:
P1:
.LFB1:
	.loc 1 7 15
.LBB3:
	.loc 1 8 8
	la	a5,y
	lw	a5,0(a5)
	fence	iorw,iorw
.LBE3:
	.loc 1 9 6
	li	a4,2
	.loc 1 10 6
	beq	a5,zero,.L4
	.loc 1 10 8
	la	a4,x
	lw	a4,0(a4)
.L4:
	.loc 1 12 9
	la	a3,P1_r0
	sw	a5,0(a3)
	.loc 1 12 9
	la	a5,P1_r1
	sw	a4,0(a5)
	.loc 1 13 1
	ret
.LFE1:
.Letext0:
