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
	.loc 1 5 8
	la	a4,y
	fence iorw,ow; amoswap.w a5,a5,0(a4)
.LBE3:
	.loc 1 6 1
	ret
.LFE0:
P1:
.LFB1:
	.loc 1 7 15
.LBB4:
	.loc 1 9 8
	la	a4,y
	li	a3,1
	li	a2,2
	 1: lr.w.aq a5,0(a4); bne a5,a3,1f; sc.w.aq a1,a2,0(a4); bnez a1,1b; 1:
.LBE4:
.LBB5:
	.loc 1 10 8
	la	a4,x
	lw	a4,0(a4)
.LBE5:
.LBB6:
	.loc 1 9 8
	addiw	a5,a5,-1
	seqz	a5,a5
.LBE6:
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
