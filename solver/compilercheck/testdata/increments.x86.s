P0:
	.loc 1 3 15
	.loc 1 4 3
	lock addl	$1, x(%rip)
	.loc 1 5 1
	ret
P1:
	.loc 1 6 15
	.loc 1 7 8
	movl	$1, %eax
	lock xaddl	%eax, x(%rip)
	.loc 1 9 9
	movl	%eax, P1_r0(%rip)
	.loc 1 10 1
	ret
