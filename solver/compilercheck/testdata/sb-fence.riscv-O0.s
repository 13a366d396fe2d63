	.text
.Ltext0:
P0:
.LFB0:
	.loc 1 3 15
	addi	sp,sp,-48
	sd	s0,40(sp)
	addi	s0,sp,48
	.loc 1 3 7
	sw	zero,-20(s0)
.LBB2:
	.loc 1 4 3
	la	a5,x
	sd	a5,-32(s0)
	li	a5,1
	sw	a5,-44(s0)
	lw	a5,-44(s0)
	sext.w	a4,a5
	ld	a5,-32(s0)
	amoswap.w zero,a4,0(a5)
.LBE2:
	.loc 1 5 3
	fence	iorw,iorw
.LBB3:
	.loc 1 6 8
	la	a5,y
	sd	a5,-40(s0)
	ld	a5,-40(s0)
	lw	a5,0(a5)
	sext.w	a5,a5
	sext.w	a5,a5
	sw	a5,-48(s0)
	lw	a5,-48(s0)
.LBE3:
	.loc 1 6 6
	sw	a5,-20(s0)
	.loc 1 13 9
	la	a5,P0_r0
	lw	a4,-20(s0)
	sw	a4,0(a5)
	.loc 1 14 1
	nop
	ld	s0,40(sp)
	addi	sp,sp,48
	jr	ra
.LFE0:
P1:
.LFB1:
	.loc 1 8 15
	addi	sp,sp,-48
	sd	s0,40(sp)
	addi	s0,sp,48
	.loc 1 8 7
	sw	zero,-20(s0)
.LBB4:
	.loc 1 9 3
	la	a5,y
	sd	a5,-32(s0)
	li	a5,1
	sw	a5,-44(s0)
	lw	a5,-44(s0)
	sext.w	a4,a5
	ld	a5,-32(s0)
	amoswap.w zero,a4,0(a5)
.LBE4:
	.loc 1 10 3
	fence	iorw,iorw
.LBB5:
	.loc 1 11 8
	la	a5,x
	sd	a5,-40(s0)
	ld	a5,-40(s0)
	lw	a5,0(a5)
	sext.w	a5,a5
	sext.w	a5,a5
	sw	a5,-48(s0)
	lw	a5,-48(s0)
.LBE5:
	.loc 1 11 6
	sw	a5,-20(s0)
	.loc 1 13 9
	la	a5,P1_r0
	lw	a4,-20(s0)
	sw	a4,0(a5)
	.loc 1 14 1
	nop
	ld	s0,40(sp)
	addi	sp,sp,48
	jr	ra
.LFE1:
.Letext0:
