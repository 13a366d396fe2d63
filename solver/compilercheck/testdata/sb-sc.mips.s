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
	lui	$4,%hi(%neg(%gp_rel(P0)))
	daddu	$4,$4,$25
	daddiu	$4,$4,%lo(%neg(%gp_rel(P0)))
.LBB2 = .
	.loc 2 4 3
	ld	$2,%got_disp(x)($4)
	li	$3,1			# 0x1
	sync
	sw	$3,0($2)
	sync
.LBE2 = .
.LBB3 = .
	.loc 2 5 8
	ld	$2,%got_disp(y)($4)
	sync
	lw	$3,0($2)
.LBE3 = .
	.loc 2 11 9
	ld	$2,%got_disp(P0_r0)($4)
.LBB4 = .
	.loc 2 5 8
	sync
.LBE4 = .
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
	lui	$4,%hi(%neg(%gp_rel(P1)))
	daddu	$4,$4,$25
	daddiu	$4,$4,%lo(%neg(%gp_rel(P1)))
.LBB5 = .
	.loc 2 8 3
	ld	$2,%got_disp(y)($4)
	li	$3,1			# 0x1
	sync
	sw	$3,0($2)
	sync
.LBE5 = .
.LBB6 = .
	.loc 2 9 8
	ld	$2,%got_disp(x)($4)
	sync
	lw	$3,0($2)
.LBE6 = .
	.loc 2 11 9
	ld	$2,%got_disp(P1_r0)($4)
.LBB7 = .
	.loc 2 9 8
	sync
.LBE7 = .
	.loc 2 12 1
	jr	$31
	sw	$3,0($2)
	.set	macro
	.set	reorder
.LFE1:
.Letext0:
