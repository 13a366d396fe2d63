P0:
	.loc 1 3 15
	.loc 1 4 3
	movl	$1, x(%rip)
	.loc 1 5 8
	lock addl	$1, y(%rip)
	.loc 1 6 1
	ret
P1:
	.loc 1 7 15
	.loc 1 8 8
	movl	$2, %edx
	lock xaddl	%edx, y(%rip)
	.loc 1 9 8
	movl	x(%rip), %eax
	.loc 1 11 9
	movl	%eax, P1_r1(%rip)
	.loc 1 11 9
	movl	%edx, P1_r0(%rip)
	.loc 1 12 1
	ret
