	.text
P0:                                     # @P0
.Lfunc_begin0:
	.loc 1 3 0
.LBB0_1:                                # Label of block must be emitted
	.loc 1 4 5
	auipc	a0, %got_pcrel_hi(x)
	ld	a0, %pcrel_lo(.LBB0_1)(a0)
	li	a1, 1
	sw	a1, 0(a0)
	.loc 1 5 3
	fence	rw, w
.LBB0_2:                                # Label of block must be emitted
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
.LBB1_3:                                # Label of block must be emitted
	.loc 1 8 8
	auipc	a0, %got_pcrel_hi(y)
	ld	a0, %pcrel_lo(.LBB1_3)(a0)
	lw	a0, 0(a0)
	fence	r, rw
.LBB1_4:                                # Label of block must be emitted
	.loc 1 0 8
	auipc	a2, %got_pcrel_hi(x)
	ld	a2, %pcrel_lo(.LBB1_4)(a2)
	li	a1, 2
	.loc 1 10 7
	beqz	a0, .LBB1_2
	.loc 1 0 7
	lw	a1, 0(a2)
.LBB1_2:
.LBB1_5:                                # Label of block must be emitted
	.loc 1 12 9
	auipc	a2, %got_pcrel_hi(P1_r0)
	ld	a2, %pcrel_lo(.LBB1_5)(a2)
	sw	a0, 0(a2)
.LBB1_6:                                # Label of block must be emitted
	auipc	a0, %got_pcrel_hi(P1_r1)
	ld	a0, %pcrel_lo(.LBB1_6)(a0)
	sw	a1, 0(a0)
	.loc 1 13 1
	ret
.Ltmp1:
.Lfunc_end1:
