	.text
.Ltext0:
.LFB0 = .
	.loc 2 3 15
	.set	nomips16
	.set	nomicromips
P0:
	.set	noreorder
	.set	nomacro
	.loc 2 3 15
	lui	$5,%hi(%neg(%gp_rel(P0)))
	daddu	$5,$5,$25
	daddiu	$5,$5,%lo(%neg(%gp_rel(P0)))
.LBB2 = .
	.loc 2 4 3
	ld	$3,%got_disp(x)($5)
.LBE2 = .
.LBB3 = .
	.loc 2 5 8
	ld	$2,%got_disp(y)($5)
.LBE3 = .
.LBB4 = .
	.loc 2 4 3
	li	$4,1			# 0x1
	sw	$4,0($3)
.LBE4 = .
.LBB5 = .
	.loc 2 5 8
	.set	noat
	sync
1:
	ll	$3,0($2)
	li	$1,1
	sc	$1,0($2)
	beq	$1,$0,1b
	nop
	.set	at
.LBE5 = .
	.loc 2 6 1
	jr	$31
	nop
	.set	macro
	.set	reorder
.LFE0:
.LFB1 = .
	.loc 2 7 15
	.set	nomips16
	.set	nomicromips
P1:
	.set	noreorder
	.set	nomacro
	.loc 2 7 15
	lui	$6,%hi(%neg(%gp_rel(P1)))
	daddu	$6,$6,$25
	daddiu	$6,$6,%lo(%neg(%gp_rel(P1)))
.LBB6 = .
	.loc 2 9 8
	ld	$2,%got_disp(y)($6)
	li	$3,1			# 0x1
	.set	noat
1:
	ll	$5,0($2)
	bne	$5,$3,2f
	li	$4,0
	li	$1,2
	sc	$1,0($2)
	beq	$1,$0,1b
	li	$4,1
	sync
2:
	.set	at
.LBE6 = .
.LBB7 = .
	.loc 2 10 8
	ld	$2,%got_disp(x)($6)
	lw	$3,0($2)
.LBE7 = .
	.loc 2 12 9
	ld	$2,%got_disp(P1_r0)($6)
	sw	$4,0($2)
	.loc 2 12 9
	ld	$2,%got_disp(P1_r1)($6)
	.loc 2 13 1
	jr	$31
	sw	$3,0($2)
	.set	macro
	.set	reorder
.LFE1:
.Letext0:
