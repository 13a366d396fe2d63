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
	.loc 1 5 8
	ldrex	r1, [r0]
	cmp	r1, #0
	bne	.LBB0_3
	.loc 1 0 8
	mov	r1, #1
	.loc 1 5 8
	strex	r2, r1, [r0]
	cmp	r2, #0
	bne	.LBB0_1
	b	.LBB0_4
.LBB0_3:
	.loc 1 0 8
	mov	r1, #0
	.loc 1 5 8
	clrex
.LBB0_4:
	.loc 1 11 9
	ldr	r0, .LCPI0_1
.LPC0_1:
	ldr	r0, [pc, r0]
	str	r1, [r0]
	.loc 1 12 1
	bx	lr
.Ltmp1:
	.loc 1 0 1
.LCPI0_0:
.Ltmp2:
	.long	x(GOT_PREL)-((.LPC0_0+8)-.Ltmp2)
.LCPI0_1:
.Ltmp3:
	.long	P0_r0(GOT_PREL)-((.LPC0_1+8)-.Ltmp3)
.Lfunc_end0:
	.code	32                              @ @P1
P1:
.Lfunc_begin1:
	.loc 1 7 0
	ldr	r0, .LCPI1_0
	mov	r1, #2
.LPC1_0:
	ldr	r0, [pc, r0]
.LBB1_1:                                @ =>This Inner Loop Header: Depth=1
.Ltmp4:
	.loc 1 9 8
	ldrex	r2, [r0]
	cmp	r2, #0
	bne	.LBB1_4
	strex	r2, r1, [r0]
	cmp	r2, #0
	bne	.LBB1_1
	.loc 1 0 8
	mov	r0, #1
	b	.LBB1_5
.LBB1_4:
	mov	r0, #0
	.loc 1 9 8
	clrex
.LBB1_5:
	.loc 1 11 9
	ldr	r1, .LCPI1_1
.LPC1_1:
	ldr	r1, [pc, r1]
	str	r0, [r1]
	.loc 1 12 1
	bx	lr
.Ltmp5:
	.loc 1 0 1
.LCPI1_0:
.Ltmp6:
	.long	x(GOT_PREL)-((.LPC1_0+8)-.Ltmp6)
.LCPI1_1:
.Ltmp7:
	.long	P1_r0(GOT_PREL)-((.LPC1_1+8)-.Ltmp7)
.Lfunc_end1:
