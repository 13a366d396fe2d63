	.text
.Ltext0:
.LFB0 = .
	.loc 2 3 15
	.set	nomips16
	.set	nomicromips
P0:
	.set	noreorder
	.set	nomacro
	daddiu	$sp,$sp,-32
	sd	$fp,24($sp)
	move	$fp,$sp
	lui	$4,%hi(%neg(%gp_rel(P0)))
	daddu	$4,$4,$25
	daddiu	$4,$4,%lo(%neg(%gp_rel(P0)))
	.loc 2 4 5
	ld	$2,%got_disp(x)($4)
	li	$3,1			# 0x1
	sw	$3,0($2)
.LBB2 = .
	.loc 2 5 3
	ld	$2,%got_disp(y)($4)
	sd	$2,0($fp)
	li	$2,1			# 0x1
	sw	$2,8($fp)
	lw	$2,8($fp)
	move	$3,$2
	ld	$2,0($fp)
	sync
	sw	$3,0($2)
.LBE2 = .
	.loc 2 6 1
	nop
	move	$sp,$fp
	ld	$fp,24($sp)
	daddiu	$sp,$sp,32
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
	daddiu	$sp,$sp,-48
	sd	$fp,40($sp)
	move	$fp,$sp
	lui	$4,%hi(%neg(%gp_rel(P1)))
	daddu	$4,$4,$25
	daddiu	$4,$4,%lo(%neg(%gp_rel(P1)))
	.loc 2 7 7
	sw	$0,4($fp)
	.loc 2 7 7
	sw	$0,0($fp)
.LBB3 = .
	.loc 2 8 8
	ld	$2,%got_disp(y)($4)
	sd	$2,8($fp)
	ld	$2,8($fp)
	lw	$2,0($2)
	sync
	move	$3,$2
	mtlo	$3
	mflo	$2
	sw	$2,16($fp)
	lw	$2,16($fp)
.LBE3 = .
	.loc 2 8 6
	sw	$2,4($fp)
	.loc 2 9 6
	li	$2,2			# 0x2
	sw	$2,0($fp)
	.loc 2 10 6
	lw	$2,4($fp)
	beq	$2,$0,.L3
	nop
	.loc 2 10 8
	ld	$2,%got_disp(x)($4)
	lw	$2,0($2)
	sw	$2,0($fp)
.L3:
	.loc 2 12 9
	ld	$2,%got_disp(P1_r0)($4)
	lw	$3,4($fp)
	sw	$3,0($2)
	.loc 2 12 9
	ld	$2,%got_disp(P1_r1)($4)
	lw	$3,0($fp)
	sw	$3,0($2)
	.loc 2 13 1
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
