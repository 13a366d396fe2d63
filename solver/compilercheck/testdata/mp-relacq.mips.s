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
	.loc 2 4 5
	ld	$3,%got_disp(x)($4)
	li	$2,1			# 0x1
	sw	$2,0($3)
.LBB2 = .
	.loc 2 5 3
	ld	$3,%got_disp(y)($4)
	sync
	sw	$2,0($3)
.LBE2 = .
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
	lui	$5,%hi(%neg(%gp_rel(P1)))
	daddu	$5,$5,$25
	daddiu	$5,$5,%lo(%neg(%gp_rel(P1)))
.LBB3 = .
	.loc 2 8 8
	ld	$2,%got_disp(y)($5)
	lw	$2,0($2)
	sync
.LBE3 = .
	.loc 2 10 6
	beq	$2,$0,.L6
	move	$4,$2
	.loc 2 10 8
	ld	$2,%got_disp(x)($5)
	lw	$3,0($2)
	.loc 2 12 9
	ld	$2,%got_disp(P1_r0)($5)
	sw	$4,0($2)
	.loc 2 12 9
	ld	$2,%got_disp(P1_r1)($5)
	.loc 2 13 1
	jr	$31
	sw	$3,0($2)
.L6:
	.loc 2 12 9
	ld	$2,%got_disp(P1_r0)($5)
	.loc 2 9 6
	li	$3,2			# 0x2
	.loc 2 12 9
	sw	$4,0($2)
	.loc 2 12 9
	ld	$2,%got_disp(P1_r1)($5)
	.loc 2 13 1
	jr	$31
	sw	$3,0($2)
	.set	macro
	.set	reorder
.LFE1:
.Letext0:
