P0:
	.loc 1 3 15
	.loc 1 4 3
	movl	$1, %eax
	xchgl	x(%rip), %eax
	.loc 1 5 8
	movl	y(%rip), %eax
	.loc 1 11 9
	movl	%eax, P0_r0(%rip)
	.loc 1 12 1
	ret
P1:
	.loc 1 7 15
	.loc 1 8 3
	movl	$1, %eax
	xchgl	y(%rip), %eax
	.loc 1 9 8
	movl	x(%rip), %eax
	.loc 1 11 9
	movl	%eax, P1_r0(%rip)
	.loc 1 12 1
	ret
