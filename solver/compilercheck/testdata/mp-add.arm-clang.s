	.text
	.syntax unified
	.code	32                              @ @P0
P0:
.Lfunc_begin0:
	.loc 1 3 0
	.loc 1 4 3
	ldr	r1, .LCPI0_0
	mov	r0, #1
.LPC0_0:
	ldr	r1, [pc, r1]
	str	r0, [r1]
	.loc 1 5 8
	dmb	ish
	ldr	r0, .LCPI0_1
.LPC0_1:
	ldr	r0, [pc, r0]
.LBB0_1:                                @ =>This Inner Loop Header: Depth=1
	ldrex	r1, [r0]
	add	r1, r1, #1
	strex	r2, r1, [r0]
	cmp	r2, #0
	bne	.LBB0_1
	.loc 1 6 1
	bx	lr
.Ltmp0:
	.loc 1 0 1
.LCPI0_0:
.Ltmp1:
	.long	x(GOT_PREL)-((.LPC0_0+8)-.Ltmp1)
.LCPI0_1:
.Ltmp2:
	.long	y(GOT_PREL)-((.LPC0_1+8)-.Ltmp2)
.Lfunc_end0:
	.code	32                              @ @P1
P1:
.Lfunc_begin1:
	.loc 1 7 0
	ldr	r1, .LCPI1_0
.LPC1_0:
	ldr	r1, [pc, r1]
.LBB1_1:                                @ =>This Inner Loop Header: Depth=1
.Ltmp3:
	.loc 1 8 8
	ldrex	r0, [r1]
	add	r2, r0, #2
	strex	r3, r2, [r1]
	cmp	r3, #0
	bne	.LBB1_1
	dmb	ish
	.loc 1 9 8
	ldr	r1, .LCPI1_1
.LPC1_1:
	ldr	r1, [pc, r1]
	ldr	r1, [r1]
	.loc 1 11 9
	ldr	r2, .LCPI1_2
.LPC1_2:
	ldr	r2, [pc, r2]
	str	r1, [r2]
	ldr	r1, .LCPI1_3
.LPC1_3:
	ldr	r1, [pc, r1]
	str	r0, [r1]
	.loc 1 12 1
	bx	lr
.Ltmp4:
	.loc 1 0 1
.LCPI1_0:
.Ltmp5:
	.long	y(GOT_PREL)-((.LPC1_0+8)-.Ltmp5)
.LCPI1_1:
.Ltmp6:
	.long	x(GOT_PREL)-((.LPC1_1+8)-.Ltmp6)
.LCPI1_2:
.Ltmp7:
	.long	P1_r1(GOT_PREL)-((.LPC1_2+8)-.Ltmp7)
.LCPI1_3:
.Ltmp8:
	.long	P1_r0(GOT_PREL)-((.LPC1_3+8)-.Ltmp8)
.Lfunc_end1:
