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
	lui	$3,%hi(%neg(%gp_rel(P0)))
	daddu	$3,$3,$25
	daddiu	$3,$3,%lo(%neg(%gp_rel(P0)))
	.loc 2 4 3
	ld	$2,%got_disp(x)($3)
	.set	noat
	sync
1:
	ll	$1,0($2)
	addiu	$1,$1,1
	sc	$1,0($2)
	beq	$1,$0,1b
	nop
	sync
	.set	at
	.loc 2 5 1
	jr	$31
	nop
	.set	macro
	.set	reorder
.LFE0:
.LFB1 = .
	.loc 2 6 15
	.set	nomips16
	.set	nomicromips
P1:
	.set	noreorder
	.set	nomacro
	.loc 2 6 15
	lui	$4,%hi(%neg(%gp_rel(P1)))
	daddu	$4,$4,$25
	daddiu	$4,$4,%lo(%neg(%gp_rel(P1)))
	.loc 2 7 8
	ld	$2,%got_disp(x)($4)
	.set	noat
1:
	ll	$3,0($2)
	addiu	$1,$3,1
	sc	$1,0($2)
	beq	$1,$0,1b
	nop
	.set	at
	.loc 2 9 9
	ld	$2,%got_disp(P1_r0)($4)
	.loc 2 10 1
	jr	$31
	sw	$3,0($2)
	.set	macro
	.set	reorder
.LFE1:
.Letext0:
