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
	.loc 2 5 8
	ld	$2,%got_disp(x)($5)
	.set	noat
1:
	ll	$4,0($2)
	bne	$4,$0,2f
	li	$3,0
	li	$1,1
	sc	$1,0($2)
	beq	$1,$0,1b
	li	$3,1
2:
	.set	at
.LBE2 = .
	.loc 2 11 9
	ld	$2,%got_disp(P0_r0)($5)
	.loc 2 12 1
	jr	$31
	sw	$3,0($2)
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
	lui	$5,%hi(%neg(%gp_rel(P1)))
	daddu	$5,$5,$25
	daddiu	$5,$5,%lo(%neg(%gp_rel(P1)))
.LBB3 = .
	.loc 2 9 8
	ld	$2,%got_disp(x)($5)
	.set	noat
1:
	ll	$4,0($2)
	bne	$4,$0,2f
	li	$3,0
	li	$1,2
	sc	$1,0($2)
	beq	$1,$0,1b
	li	$3,1
2:
	.set	at
.LBE3 = .
	.loc 2 11 9
	ld	$2,%got_disp(P1_r0)($5)
	.loc 2 12 1
	jr	$31
	sw	$3,0($2)
	.set	macro
	.set	reorder
.LFE1:
.Letext0:
