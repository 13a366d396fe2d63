	.text
	.syntax unified
	.code	32                              @ @P0
P0:
.Lfunc_begin0:
	.loc 1 3 0
	ldr	r0, .LCPI0_0
.LPC0_0:
	ldr	r0, [pc, r0]
.LBB0_1:                                @ =>This Inner Loop Header: Depth=1
.Ltmp0:
	.loc 1 4 3
	ldrex	r1, [r0]
	add	r1, r1, #1
	strex	r2, r1, [r0]
	cmp	r2, #0
	bne	.LBB0_1
	.loc 1 5 1
	bx	lr
.Ltmp1:
	.loc 1 0 1
.LCPI0_0:
.Ltmp2:
	.long	x(GOT_PREL)-((.LPC0_0+8)-.Ltmp2)
.Lfunc_end0:
	.code	32                              @ @P1
P1:
.Lfunc_begin1:
	.loc 1 6 0
	ldr	r1, .LCPI1_0
.LPC1_0:
	ldr	r1, [pc, r1]
.LBB1_1:                                @ =>This Inner Loop Header: Depth=1
.Ltmp3:
	.loc 1 7 8
	ldrex	r0, [r1]
	add	r2, r0, #1
	strex	r3, r2, [r1]
	cmp	r3, #0
	bne	.LBB1_1
	.loc 1 9 9
	ldr	r1, .LCPI1_1
.LPC1_1:
	ldr	r1, [pc, r1]
	str	r0, [r1]
	.loc 1 10 1
	bx	lr
.Ltmp4:
	.loc 1 0 1
.LCPI1_0:
.Ltmp5:
	.long	x(GOT_PREL)-((.LPC1_0+8)-.Ltmp5)
.LCPI1_1:
.Ltmp6:
	.long	P1_r0(GOT_PREL)-((.LPC1_1+8)-.Ltmp6)
.Lfunc_end1:
