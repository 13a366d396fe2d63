P0:
	.loc 1 3 15
	.loc 1 4 3
	movl	$1, x(%rip)
	.loc 1 5 3
	.loc 1 6 3
	movl	$1, y(%rip)
	.loc 1 7 1
	ret
P1:
	.loc 1 8 15
	.loc 1 9 8
	movl	y(%rip), %edx
	.loc 1 10 3
	.loc 1 11 8
	movl	x(%rip), %eax
	.loc 1 13 9
	movl	%edx, P1_r0(%rip)
	.loc 1 13 9
	movl	%eax, P1_r1(%rip)
	.loc 1 14 1
	ret
