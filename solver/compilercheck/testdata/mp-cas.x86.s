P0:
	.loc 1 3 15
	.loc 1 4 3
	movl	$1, x(%rip)
	.loc 1 5 8
	movl	$1, %eax
	xchgl	y(%rip), %eax
	.loc 1 6 1
	ret
P1:
	.loc 1 7 15
	.loc 1 9 8
	movl	$1, %eax
	movl	$2, %edx
	lock cmpxchgl	%edx, y(%rip)
	.loc 1 10 8
	movl	x(%rip), %eax
	.loc 1 12 9
	movl	%eax, P1_r1(%rip)
	.loc 1 9 8
	sete	%dl
	movzbl	%dl, %edx
	.loc 1 12 9
	movl	%edx, P1_r0(%rip)
	.loc 1 13 1
	ret
