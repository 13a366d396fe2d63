P0:
	.loc 1 3 15
	.loc 1 4 5
	movl	$1, x(%rip)
	.loc 1 5 3
	movl	$1, y(%rip)
	.loc 1 6 1
	ret
P1:
	.loc 1 7 15
	.loc 1 8 8
	movl	y(%rip), %edx
	.loc 1 10 8
	movl	$2, %eax
	.loc 1 8 8
	.loc 1 10 8
	testl	%edx, %edx
	.loc 1 12 9
	movl	%edx, P1_r0(%rip)
	.loc 1 10 8
	cmovne	x(%rip), %eax
	.loc 1 12 9
	movl	%eax, P1_r1(%rip)
	.loc 1 13 1
	ret
