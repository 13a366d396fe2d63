	.text
P0:                                     # @P0
.Lfunc_begin0:
	.loc 1 3 0
.LBB0_1:                                # Label of block must be emitted
	.loc 1 5 8
	auipc	a0, %got_pcrel_hi(x)
	ld	a0, %pcrel_lo(.LBB0_1)(a0)
	li	a1, 1
.LBB0_3:                                # =>This Inner Loop Header: Depth=1
	lr.w	a2, (a0)
	bnez	a2, .LBB0_5
	sc.w	a3, a1, (a0)
	bnez	a3, .LBB0_3
.LBB0_5:
.LBB0_2:                                # Label of block must be emitted
	.loc 1 11 9
	auipc	a0, %got_pcrel_hi(P0_r0)
	ld	a0, %pcrel_lo(.LBB0_2)(a0)
	.loc 1 5 8
	seqz	a1, a2
	.loc 1 11 9
	sw	a1, 0(a0)
	.loc 1 12 1
	ret
.Ltmp0:
.Lfunc_end0:
P1:                                     # @P1
.Lfunc_begin1:
	.loc 1 7 0
.LBB1_1:                                # Label of block must be emitted
	.loc 1 9 8
	auipc	a0, %got_pcrel_hi(x)
	ld	a0, %pcrel_lo(.LBB1_1)(a0)
	li	a1, 2
.LBB1_3:                                # =>This Inner Loop Header: Depth=1
	lr.w	a2, (a0)
	bnez	a2, .LBB1_5
	sc.w	a3, a1, (a0)
	bnez	a3, .LBB1_3
.LBB1_5:
.LBB1_2:                                # Label of block must be emitted
	.loc 1 11 9
	auipc	a0, %got_pcrel_hi(P1_r0)
	ld	a0, %pcrel_lo(.LBB1_2)(a0)
	.loc 1 9 8
	seqz	a1, a2
	.loc 1 11 9
	sw	a1, 0(a0)
	.loc 1 12 1
	ret
.Ltmp1:
.Lfunc_end1:
