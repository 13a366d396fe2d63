	.text
	.syntax unified
	.code	32                              @ @P0
P0:
.Lfunc_begin0:
	.loc 1 3 0
	.loc 1 4 3
	dmb	ish
	mov	r0, #1
	ldr	r1, .LCPI0_0
.LPC0_0:
	ldr	r1, [pc, r1]
	str	r0, [r1]
	dmb	ish
	.loc 1 5 8
	ldr	r0, .LCPI0_1
.LPC0_1:
	ldr	r0, [pc, r0]
	ldr	r0, [r0]
	dmb	ish
	.loc 1 11 9
	ldr	r1, .LCPI0_2
.LPC0_2:
	ldr	r1, [pc, r1]
	str	r0, [r1]
	.loc 1 12 1
	bx	lr
.Ltmp0:
	.loc 1 0 1
.LCPI0_0:
.Ltmp1:
	.long	x(GOT_PREL)-((.LPC0_0+8)-.Ltmp1)
.LCPI0_1:
.Ltmp2:
	.long	y(GOT_PREL)-((.LPC0_1+8)-.Ltmp2)
.LCPI0_2:
.Ltmp3:
	.long	P0_r0(GOT_PREL)-((.LPC0_2+8)-.Ltmp3)
.Lfunc_end0:
	.code	32                              @ @P1
P1:
.Lfunc_begin1:
	.loc 1 7 0
	.loc 1 8 3
	dmb	ish
	mov	r0, #1
	ldr	r1, .LCPI1_0
.LPC1_0:
	ldr	r1, [pc, r1]
	str	r0, [r1]
	dmb	ish
	.loc 1 9 8
	ldr	r0, .LCPI1_1
.LPC1_1:
	ldr	r0, [pc, r0]
	ldr	r0, [r0]
	dmb	ish
	.loc 1 11 9
	ldr	r1, .LCPI1_2
.LPC1_2:
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
	.long	P1_r0(GOT_PREL)-((.LPC1_2+8)-.Ltmp7)
.Lfunc_end1:
