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
.Ltmp1:
	.loc 1 4 3
	ld	$2, %got_disp(x)($1)
	addiu	$3, $zero, 1
	sw	$3, 0($2)
	sync
	ld	$1, %got_disp(y)($1)
	.loc 1 6 1
	jr	$ra
	sw	$3, 0($1)
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
	.loc 1 7 0
	.set	noreorder
	.set	nomacro
	.set	noat
	lui	$1, %hi(%neg(%gp_rel(P1)))
	daddu	$1, $1, $25
	daddiu	$1, $1, %lo(%neg(%gp_rel(P1)))
	addiu	$2, $zero, 2
	addiu	$3, $zero, 1
.Ltmp4:
	.loc 1 9 8
	ld	$4, %got_disp(y)($1)
.LBB1_1:                                # =>This Inner Loop Header: Depth=1
	ll	$5, 0($4)
	bne	$5, $3, .LBB1_3
	nop
	move	$6, $2
	sc	$6, 0($4)
	beqz	$6, .LBB1_1
	nop
.LBB1_3:
	sync
	.loc 1 10 8
	ld	$2, %got_disp(x)($1)
	lw	$2, 0($2)
	.loc 1 12 9
	ld	$4, %got_disp(P1_r1)($1)
	sw	$2, 0($4)
	.loc 1 9 8
	xor	$2, $5, $3
	sltiu	$2, $2, 1
	.loc 1 12 9
	ld	$1, %got_disp(P1_r0)($1)
	.loc 1 13 1
	jr	$ra
	sw	$2, 0($1)
.Ltmp5:
	.set	at
	.set	macro
	.set	reorder
.Lfunc_end1:
	.text
