P0:
	.loc 1 3 15
	pushq	%rbp
	movq	%rsp, %rbp
	.loc 1 4 5
	movl	$1, x(%rip)
	.loc 1 5 3
	leaq	y(%rip), %rax
	movq	%rax, -8(%rbp)
	movl	$1, -12(%rbp)
	movl	-12(%rbp), %eax
	movl	%eax, %edx
	movq	-8(%rbp), %rax
	movl	%edx, (%rax)
	.loc 1 6 1
	nop
	popq	%rbp
	ret
P1:
	.loc 1 7 15
	pushq	%rbp
	movq	%rsp, %rbp
	.loc 1 7 7
	movl	$0, -8(%rbp)
	.loc 1 7 7
	movl	$0, -4(%rbp)
	.loc 1 8 8
	leaq	y(%rip), %rax
	movq	%rax, -16(%rbp)
	movq	-16(%rbp), %rax
	movl	(%rax), %eax
	movl	%eax, -20(%rbp)
	movl	-20(%rbp), %eax
	.loc 1 8 6
	movl	%eax, -8(%rbp)
	.loc 1 9 6
	movl	$2, -4(%rbp)
	.loc 1 10 6
	cmpl	$0, -8(%rbp)
	je	.L3
	.loc 1 10 8 discriminator 1
	movl	x(%rip), %eax
	movl	%eax, -4(%rbp)
.L3:
	.loc 1 12 9
	movl	-8(%rbp), %eax
	movl	%eax, P1_r0(%rip)
	.loc 1 12 9
	movl	-4(%rbp), %eax
	movl	%eax, P1_r1(%rip)
	.loc 1 13 1
	nop
	popq	%rbp
	ret
