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
	sync
	ld	$2, %got_disp(x)($1)
	addiu	$3, $zero, 1
	sw	$3, 0($2)
	sync
	.loc 1 5 8
	ld	$2, %got_disp(y)($1)
	lw	$2, 0($2)
	sync
	.loc 1 11 9
	ld	$1, %got_disp(P0_r0)($1)
	.loc 1 12 1
	jr	$ra
	sw	$2, 0($1)
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
.Ltmp4:
	.loc 1 8 3
	sync
	ld	$2, %got_disp(y)($1)
	addiu	$3, $zero, 1
	sw	$3, 0($2)
	sync
	.loc 1 9 8
	ld	$2, %got_disp(x)($1)
	lw	$2, 0($2)
	sync
	.loc 1 11 9
	ld	$1, %got_disp(P1_r0)($1)
	.loc 1 12 1
	jr	$ra
	sw	$2, 0($1)
.Ltmp5:
	.set	at
	.set	macro
	.set	reorder
.Lfunc_end1:
	.text
