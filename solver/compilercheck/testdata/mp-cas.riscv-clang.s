	.text
P0:                                     # @P0
.Lfunc_begin0:
	.loc 1 3 0
.LBB0_1:                                # Label of block must be emitted
	.loc 1 4 3
	auipc	a0, %got_pcrel_hi(x)
	ld	a0, %pcrel_lo(.LBB0_1)(a0)
	li	a1, 1
	sw	a1, 0(a0)
	fence	rw, w
.LBB0_2:                                # Label of block must be emitted
	.loc 1 0 3
	auipc	a0, %got_pcrel_hi(y)
	ld	a0, %pcrel_lo(.LBB0_2)(a0)
	sw	a1, 0(a0)
	.loc 1 6 1
	ret
.Ltmp0:
.Lfunc_end0:
P1:                                     # @P1
.Lfunc_begin1:
	.loc 1 7 0
.LBB1_1:                                # Label of block must be emitted
	.loc 1 9 8
	auipc	a0, %got_pcrel_hi(y)
	ld	a0, %pcrel_lo(.LBB1_1)(a0)
	li	a1, 2
	li	a2, 1
.LBB1_5:                                # =>This Inner Loop Header: Depth=1
	lr.w.aq	a3, (a0)
	bne	a3, a2, .LBB1_7
	sc.w	a4, a1, (a0)
	bnez	a4, .LBB1_5
.LBB1_7:
.LBB1_2:                                # Label of block must be emitted
	.loc 1 10 8
	auipc	a0, %got_pcrel_hi(x)
	ld	a0, %pcrel_lo(.LBB1_2)(a0)
	lw	a0, 0(a0)
.LBB1_3:                                # Label of block must be emitted
	.loc 1 12 9
	auipc	a1, %got_pcrel_hi(P1_r0)
	ld	a1, %pcrel_lo(.LBB1_3)(a1)
	.loc 1 9 8
	addi	a2, a3, -1
	seqz	a2, a2
	.loc 1 12 9
	sw	a2, 0(a1)
.LBB1_4:                                # Label of block must be emitted
	auipc	a1, %got_pcrel_hi(P1_r1)
	ld	a1, %pcrel_lo(.LBB1_4)(a1)
	sw	a0, 0(a1)
	.loc 1 13 1
	ret
.Ltmp1:
.Lfunc_end1:
