	.file	"mp.c"
	.text
.Ltext0:
	.file 0 "/src" "mp.c"
	.p2align 4
	.globl	P0
	.type	P0, @function
P0:
.LFB0:
	.file 1 "mp.c"
	.loc 1 3 14
	.cfi_startproc
.LBB2:
	.loc 1 3 16
	movl	$1, x(%rip)
.LBE2:
.LBB3:
	.loc 1 3 66
	movl	$1, y(%rip)
.LBE3:
	.loc 1 3 115
	ret
	.cfi_endproc
.LFE0:
	.size	P0, .-P0
	.p2align 4
	.globl	P1
	.type	P1, @function
P1:
.LFB1:
	.loc 1 4 14
	.cfi_startproc
.LBB4:
	.loc 1 4 23
	movl	y(%rip), %eax
.LBE4:
	.loc 1 4 74
	xorl	%edx, %edx
.LBB5:
	.loc 1 4 23
.LBE5:
	.loc 1 4 85
	testl	%eax, %eax
	jne	.L7
	.loc 1 4 152 discriminator 3
	movl	%eax, P1_r0(%rip)
	.loc 1 4 162 discriminator 3
	movl	%edx, P1_r1(%rip)
	.loc 1 4 166 discriminator 3
	ret
	.p2align 4,,10
	.p2align 3
.L7:
	.loc 1 4 93 discriminator 1
	movl	$1, %edx
	lock xaddl	%edx, x(%rip)
	.loc 1 4 152 discriminator 1
	movl	%eax, P1_r0(%rip)
	.loc 1 4 162 discriminator 1
	movl	%edx, P1_r1(%rip)
	.loc 1 4 166 discriminator 1
	ret
	.cfi_endproc
.LFE1:
	.size	P1, .-P1
	.globl	P1_r1
	.bss
	.align 4
	.type	P1_r1, @object
	.size	P1_r1, 4
P1_r1:
	.zero	4
	.globl	P1_r0
	.align 4
	.type	P1_r0, @object
	.size	P1_r0, 4
P1_r0:
	.zero	4
	.globl	y
	.align 4
	.type	y, @object
	.size	y, 4
y:
	.zero	4
	.globl	x
	.align 4
	.type	x, @object
	.size	x, 4
x:
	.zero	4
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x95
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x4
	.long	.LASF4
	.byte	0x1d
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0x1
	.string	"x"
	.byte	0xc
	.uleb128 0x9
	.byte	0x3
	.quad	x
	.uleb128 0x1
	.string	"y"
	.byte	0xf
	.uleb128 0x9
	.byte	0x3
	.quad	y
	.uleb128 0x2
	.long	.LASF2
	.byte	0x16
	.uleb128 0x9
	.byte	0x3
	.quad	P1_r0
	.uleb128 0x2
	.long	.LASF3
	.byte	0x1d
	.uleb128 0x9
	.byte	0x3
	.quad	P1_r1
	.uleb128 0x3
	.string	"P1"
	.byte	0x4
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x3
	.string	"P0"
	.byte	0x3
	.quad	.LFB0
	.quad	.LFE0-.LFB0
	.uleb128 0x1
	.byte	0x9c
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 2
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 2
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 6
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_aranges,"",@progbits
	.long	0x2c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	0
	.quad	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF2:
	.string	"P1_r0"
.LASF3:
	.string	"P1_r1"
.LASF4:
	.string	"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g1 -O2 -fasynchronous-unwind-tables"
	.section	.debug_line_str,"MS",@progbits,1
.LASF0:
	.string	"mp.c"
.LASF1:
	.string	"/src"
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
