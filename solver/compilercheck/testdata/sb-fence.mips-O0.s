	.text
.Ltext0:
.LFB0 = .
	.loc 2 3 15
	.set	nomips16
	.set	nomicromips
P0:
	.set	noreorder
	.set	nomacro
	daddiu	$sp,$sp,-48
	sd	$fp,40($sp)
	move	$fp,$sp
	lui	$4,%hi(%neg(%gp_rel(P0)))
	daddu	$4,$4,$25
	daddiu	$4,$4,%lo(%neg(%gp_rel(P0)))
	.loc 2 3 7
	sw	$0,0($fp)
.LBB2 = .
	.loc 2 4 3
	ld	$2,%got_disp(x)($4)
	sd	$2,8($fp)
	li	$2,1			# 0x1
	sw	$2,24($fp)
	lw	$2,24($fp)
	move	$3,$2
	ld	$2,8($fp)
	sw	$3,0($2)
.LBE2 = .
	.loc 2 5 3
	sync
.LBB3 = .
	.loc 2 6 8
	ld	$2,%got_disp(y)($4)
	sd	$2,16($fp)
	ld	$2,16($fp)
	lw	$2,0($2)
	move	$3,$2
	mtlo	$3
	mflo	$2
	sw	$2,28($fp)
	lw	$2,28($fp)
.LBE3 = .
	.loc 2 6 6
	sw	$2,0($fp)
	.loc 2 13 9
	ld	$2,%got_disp(P0_r0)($4)
	lw	$3,0($fp)
	sw	$3,0($2)
	.loc 2 14 1
	nop
	move	$sp,$fp
	ld	$fp,40($sp)
	daddiu	$sp,$sp,48
	jr	$31
	nop
	.set	macro
	.set	reorder
.LFE0:
.LFB1 = .
	.loc 2 8 15
	.set	nomips16
	.set	nomicromips
P1:
	.set	noreorder
	.set	nomacro
	daddiu	$sp,$sp,-48
	sd	$fp,40($sp)
	move	$fp,$sp
	lui	$4,%hi(%neg(%gp_rel(P1)))
	daddu	$4,$4,$25
	daddiu	$4,$4,%lo(%neg(%gp_rel(P1)))
	.loc 2 8 7
	sw	$0,0($fp)
.LBB4 = .
	.loc 2 9 3
	ld	$2,%got_disp(y)($4)
	sd	$2,8($fp)
	li	$2,1			# 0x1
	sw	$2,24($fp)
	lw	$2,24($fp)
	move	$3,$2
	ld	$2,8($fp)
	sw	$3,0($2)
.LBE4 = .
	.loc 2 10 3
	sync
.LBB5 = .
	.loc 2 11 8
	ld	$2,%got_disp(x)($4)
	sd	$2,16($fp)
	ld	$2,16($fp)
	lw	$2,0($2)
	move	$3,$2
	mtlo	$3
	mflo	$2
	sw	$2,28($fp)
	lw	$2,28($fp)
.LBE5 = .
	.loc 2 11 6
	sw	$2,0($fp)
	.loc 2 13 9
	ld	$2,%got_disp(P1_r0)($4)
	lw	$3,0($fp)
	sw	$3,0($2)
	.loc 2 14 1
	nop
	move	$sp,$fp
	ld	$fp,40($sp)
	daddiu	$sp,$sp,48
	jr	$31
	nop
	.set	macro
	.set	reorder
.LFE1:
.Letext0:
