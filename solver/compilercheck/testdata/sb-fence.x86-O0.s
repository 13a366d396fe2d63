P0:
	.loc 1 3 15
	pushq	%rbp
	movq	%rsp, %rbp
	.loc 1 3 7
	movl	$0, -4(%rbp)
	.loc 1 4 3
	leaq	x(%rip), %rax
	movq	%rax, -16(%rbp)
	movl	$1, -28(%rbp)
	movl	-28(%rbp), %eax
	movl	%eax, %edx
	movq	-16(%rbp), %rax
	movl	%edx, (%rax)
	.loc 1 5 3
	lock orq	$0, (%rsp)
	.loc 1 6 8
	leaq	y(%rip), %rax
	movq	%rax, -24(%rbp)
	movq	-24(%rbp), %rax
	movl	(%rax), %eax
	movl	%eax, -32(%rbp)
	movl	-32(%rbp), %eax
	.loc 1 6 6
	movl	%eax, -4(%rbp)
	.loc 1 13 9
	movl	-4(%rbp), %eax
	movl	%eax, P0_r0(%rip)
	.loc 1 14 1
	nop
	popq	%rbp
	ret
P1:
	.loc 1 8 15
	pushq	%rbp
	movq	%rsp, %rbp
	.loc 1 8 7
	movl	$0, -4(%rbp)
	.loc 1 9 3
	leaq	y(%rip), %rax
	movq	%rax, -16(%rbp)
	movl	$1, -28(%rbp)
	movl	-28(%rbp), %eax
	movl	%eax, %edx
	movq	-16(%rbp), %rax
	movl	%edx, (%rax)
	.loc 1 10 3
	lock orq	$0, (%rsp)
	.loc 1 11 8
	leaq	x(%rip), %rax
	movq	%rax, -24(%rbp)
	movq	-24(%rbp), %rax
	movl	(%rax), %eax
	movl	%eax, -32(%rbp)
	movl	-32(%rbp), %eax
	.loc 1 11 6
	movl	%eax, -4(%rbp)
	.loc 1 13 9
	movl	-4(%rbp), %eax
	movl	%eax, P1_r0(%rip)
	.loc 1 14 1
	nop
	popq	%rbp
	ret
