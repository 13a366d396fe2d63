	.text
.Ltext0:
P0:
.LFB0:
	.loc 1 3 15
	addi	sp,sp,-32
	sd	s0,24(sp)
	addi	s0,sp,32
	.loc 1 4 5
	la	a5,x
	li	a4,1
	sw	a4,0(a5)
.LBB2:
	.loc 1 5 3
	la	a5,y
	sd	a5,-24(s0)
	li	a5,1
	sw	a5,-28(s0)
	lw	a5,-28(s0)
	sext.w	a4,a5
	ld	a5,-24(s0)
	fence iorw,ow; amoswap.w zero,a4,0(a5)
.LBE2:
	.loc 1 6 1
	nop
	ld	s0,24(sp)
	addi	sp,sp,32
	jr	ra
.LFE0:
P1:
.LFB1:
	.loc 1 7 15
	addi	sp,sp,-48
	sd	s0,40(sp)
	addi	s0,sp,48
	.loc 1 7 7
	sw	zero,-24(s0)
	.loc 1 7 7
	sw	zero,-20(s0)
.LBB3:
	.loc 1 8 8
	la	a5,y
	sd	a5,-32(s0)
	ld	a5,-32(s0)
	lw	a5,0(a5)
	fence	iorw,iorw
	sext.w	a5,a5
	sext.w	a5,a5
	sw	a5,-36(s0)
	lw	a5,-36(s0)
.LBE3:
	.loc 1 8 6
	sw	a5,-24(s0)
	.loc 1 9 6
	li	a5,2
	sw	a5,-20(s0)
	.loc 1 10 6
	lw	a5,-24(s0)
	sext.w	a5,a5
	beq	a5,zero,.L3
	.loc 1 10 8
	la	a5,x
	lw	a5,0(a5)
	sw	a5,-20(s0)
.L3:
	.loc 1 12 9
	la	a5,P1_r0
	lw	a4,-24(s0)
	sw	a4,0(a5)
	.loc 1 12 9
	la	a5,P1_r1
	lw	a4,-20(s0)
	sw	a4,0(a5)
	.loc 1 13 1
	nop
	ld	s0,40(sp)
	addi	sp,sp,48
	jr	ra
.LFE1:
.Letext0:
