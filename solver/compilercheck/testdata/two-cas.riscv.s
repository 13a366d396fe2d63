	.text
.Ltext0:
P0:
.LFB0:
	.loc 1 3 15
.LBB2:
	.loc 1 5 8
	la	a4,x
	li	a3,1
	 1: lr.w a5,0(a4); bne a5,zero,1f; sc.w a2,a3,0(a4); bnez a2,1b; 1:
	sext.w	a5,a5
	seqz	a5,a5
.LBE2:
	.loc 1 11 9
	la	a4,P0_r0
	sw	a5,0(a4)
	.loc 1 12 1
	ret
.LFE0:
P1:
.LFB1:
	.loc 1 7 15
.LBB3:
	.loc 1 9 8
	la	a4,x
	li	a3,2
	 1: lr.w a5,0(a4); bne a5,zero,1f; sc.w a2,a3,0(a4); bnez a2,1b; 1:
	sext.w	a5,a5
	seqz	a5,a5
.LBE3:
	.loc 1 11 9
	la	a4,P1_r0
	sw	a5,0(a4)
	.loc 1 12 1
	ret
.LFE1:
.Letext0:
