	.text
	.syntax unified
	.code	32                              @ @P0
P0:
.Lfunc_begin0:
	.loc 1 3 0
	.loc 1 4 5
	ldr	r1, .LCPI0_0
	mov	r0, #1
.LPC0_0:
	ldr	r1, [pc, r1]
	str	r0, [r1]
	.loc 1 5 3
	dmb	ish
	ldr	r1, .LCPI0_1
.LPC0_1:
	ldr	r1, [pc, r1]
	str	r0, [r1]
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
	.loc 1 8 8
	ldr	r0, .LCPI1_0
.LPC1_0:
	ldr	r0, [pc, r0]
	ldr	r0, [r0]
	dmb	ish
	.loc 1 12 9
	ldr	r1, .LCPI1_1
	.loc 1 10 7
	cmp	r0, #0
	.loc 1 12 9
.LPC1_1:
	ldr	r1, [pc, r1]
	ldr	r2, .LCPI1_2
.LPC1_2:
	ldr	r2, [pc, r2]
	str	r0, [r1]
	ldr	r2, [r2]
	ldr	r0, .LCPI1_3
	.loc 1 10 7
	movweq	r2, #2
	.loc 1 12 9
.LPC1_3:
	ldr	r0, [pc, r0]
	str	r2, [r0]
	.loc 1 13 1
	bx	lr
.Ltmp3:
	.loc 1 0 1
.LCPI1_0:
.Ltmp4:
	.long	y(GOT_PREL)-((.LPC1_0+8)-.Ltmp4)
.LCPI1_1:
.Ltmp5:
	.long	P1_r0(GOT_PREL)-((.LPC1_1+8)-.Ltmp5)
.LCPI1_2:
.Ltmp6:
	.long	x(GOT_PREL)-((.LPC1_2+8)-.Ltmp6)
.LCPI1_3:
.Ltmp7:
	.long	P1_r1(GOT_PREL)-((.LPC1_3+8)-.Ltmp7)
.Lfunc_end1:
