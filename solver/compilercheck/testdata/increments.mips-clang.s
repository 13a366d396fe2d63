	.text
	.text
	.set	nomicromips
	.set	nomips16
P0:                                     # @P0
.Ltmp0:
.set .Lfunc_begin0, .Ltmp0
	.loc 1 3 0
	.set	noreorder
	.set	nomacro
	.set	noat
	lui	$1, %hi(%neg(%gp_rel(P0)))
	daddu	$1, $1, $25
	daddiu	$1, $1, %lo(%neg(%gp_rel(P0)))
	addiu	$2, $zero, 1
.Ltmp1:
	.loc 1 4 3
	ld	$1, %got_disp(x)($1)
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	ll	$3, 0($1)
	addu	$4, $3, $2
	sc	$4, 0($1)
	beqz	$4, .LBB0_1
	nop
	.loc 1 5 1
	jr	$ra
	nop
.Ltmp2:
	.set	at
	.set	macro
	.set	reorder
.Lfunc_end0:
	.set	nomicromips
	.set	nomips16
P1:                                     # @P1
.Ltmp3:
.set .Lfunc_begin1, .Ltmp3
	.loc 1 6 0
	.set	noreorder
	.set	nomacro
	.set	noat
	lui	$1, %hi(%neg(%gp_rel(P1)))
	daddu	$1, $1, $25
	daddiu	$1, $1, %lo(%neg(%gp_rel(P1)))
	addiu	$2, $zero, 1
.Ltmp4:
	.loc 1 7 8
	ld	$3, %got_disp(x)($1)
.LBB1_1:                                # =>This Inner Loop Header: Depth=1
	ll	$4, 0($3)
	addu	$5, $4, $2
	sc	$5, 0($3)
	beqz	$5, .LBB1_1
	nop
	.loc 1 9 9
	ld	$1, %got_disp(P1_r0)($1)
	.loc 1 10 1
	jr	$ra
	sw	$4, 0($1)
.Ltmp5:
	.set	at
	.set	macro
	.set	reorder
.Lfunc_end1:
	.text
