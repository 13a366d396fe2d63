P0:
	.loc 1 3 15
	.loc 1 4 3
	movl	$1, x(%rip)
	.loc 1 5 3
	lock orq	$0, (%rsp)
	.loc 1 6 8
	movl	y(%rip), %eax
	.loc 1 13 9
	movl	%eax, P0_r0(%rip)
	.loc 1 14 1
	ret
P1:
	.loc 1 8 15
	.loc 1 9 3
	movl	$1, y(%rip)
	.loc 1 10 3
	lock orq	$0, (%rsp)
	.loc 1 11 8
	movl	x(%rip), %eax
	.loc 1 13 9
	movl	%eax, P1_r0(%rip)
	.loc 1 14 1
	ret
