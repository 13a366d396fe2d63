P0:
	.loc 1 3 15
	.loc 1 5 8
	xorl	%eax, %eax
	movl	$1, %edx
	lock cmpxchgl	%edx, x(%rip)
	sete	%al
	movzbl	%al, %eax
	.loc 1 11 9
	movl	%eax, P0_r0(%rip)
	.loc 1 12 1
	ret
P1:
	.loc 1 7 15
	.loc 1 9 8
	xorl	%eax, %eax
	movl	$2, %edx
	lock cmpxchgl	%edx, x(%rip)
	sete	%al
	movzbl	%al, %eax
	.loc 1 11 9
	movl	%eax, P1_r0(%rip)
	.loc 1 12 1
	ret
