	.text
	.syntax unified
	.eabi_attribute	67, "2.09"	@ Tag_conformance
	.eabi_attribute	6, 10	@ Tag_CPU_arch
	.eabi_attribute	7, 65	@ Tag_CPU_arch_profile
	.eabi_attribute	8, 1	@ Tag_ARM_ISA_use
	.eabi_attribute	9, 2	@ Tag_THUMB_ISA_use
	.eabi_attribute	34, 1	@ Tag_CPU_unaligned_access
	.eabi_attribute	15, 1	@ Tag_ABI_PCS_RW_data
	.eabi_attribute	16, 1	@ Tag_ABI_PCS_RO_data
	.eabi_attribute	17, 2	@ Tag_ABI_PCS_GOT_use
	.eabi_attribute	20, 1	@ Tag_ABI_FP_denormal
	.eabi_attribute	21, 0	@ Tag_ABI_FP_exceptions
	.eabi_attribute	23, 3	@ Tag_ABI_FP_number_model
	.eabi_attribute	24, 1	@ Tag_ABI_align_needed
	.eabi_attribute	25, 1	@ Tag_ABI_align_preserved
	.eabi_attribute	38, 1	@ Tag_ABI_FP_16bit_format
	.eabi_attribute	18, 4	@ Tag_ABI_PCS_wchar_t
	.eabi_attribute	26, 2	@ Tag_ABI_enum_size
	.eabi_attribute	14, 0	@ Tag_ABI_PCS_R9_use
	.file	"mp.c"
	.globl	P0                              @ -- Begin function P0
	.p2align	2
	.type	P0,%function
	.code	32                              @ @P0
P0:
.Lfunc_begin0:
	.file	0 "/src" "mp.c" md5 0x8a06f075bb49883da09459aaa72dc749
	.loc	0 3 0                           @ mp.c:3:0
	.fnstart
	.cfi_sections .debug_frame
	.cfi_startproc
@ %bb.0:
	.loc	0 3 16 prologue_end             @ mp.c:3:16
	ldr	r0, .LCPI0_0
	mov	r1, #1
.LPC0_0:
	add	r0, pc, r0
	str	r1, [r0]
	.loc	0 3 66 is_stmt 0                @ mp.c:3:66
	dmb	ish
	ldr	r0, .LCPI0_1
.LPC0_1:
	add	r0, pc, r0
	str	r1, [r0]
	.loc	0 3 115                         @ mp.c:3:115
	bx	lr
.Ltmp0:
	.p2align	2
@ %bb.1:
	.loc	0 0 115                         @ mp.c:0:115
.LCPI0_0:
	.long	x-(.LPC0_0+8)
.LCPI0_1:
	.long	y-(.LPC0_1+8)
.Lfunc_end0:
	.size	P0, .Lfunc_end0-P0
	.cfi_endproc
	.cantunwind
	.fnend
                                        @ -- End function
	.globl	P1                              @ -- Begin function P1
	.p2align	2
	.type	P1,%function
	.code	32                              @ @P1
P1:
.Lfunc_begin1:
	.loc	0 4 0 is_stmt 1                 @ mp.c:4:0
	.fnstart
	.cfi_startproc
@ %bb.0:
	.loc	0 4 23 prologue_end             @ mp.c:4:23
	ldr	r0, .LCPI1_0
.LPC1_0:
	add	r0, pc, r0
	ldr	r12, [r0]
	dmb	ish
	.loc	0 4 86 is_stmt 0                @ mp.c:4:86
	cmp	r12, #0
	beq	.LBB1_4
@ %bb.1:
	.loc	0 4 93                          @ mp.c:4:93
	dmb	ish
	ldr	r2, .LCPI1_1
.LPC1_1:
	add	r2, pc, r2
.LBB1_2:                                @ =>This Inner Loop Header: Depth=1
	ldrex	r1, [r2]
	add	r3, r1, #1
	strex	r0, r3, [r2]
	cmp	r0, #0
	bne	.LBB1_2
@ %bb.3:
	dmb	ish
	b	.LBB1_5
.LBB1_4:
	.loc	0 0 93                          @ mp.c:0:93
	mov	r1, #0
.LBB1_5:
	.loc	0 4 162                         @ mp.c:4:162
	ldr	r0, .LCPI1_2
.LPC1_2:
	add	r0, pc, r0
	str	r1, [r0]
	.loc	0 4 152                         @ mp.c:4:152
	ldr	r0, .LCPI1_3
.LPC1_3:
	add	r0, pc, r0
	str	r12, [r0]
	.loc	0 4 166                         @ mp.c:4:166
	bx	lr
.Ltmp1:
	.p2align	2
@ %bb.6:
	.loc	0 0 166                         @ mp.c:0:166
.LCPI1_0:
	.long	y-(.LPC1_0+8)
.LCPI1_1:
	.long	x-(.LPC1_1+8)
.LCPI1_2:
	.long	P1_r1-(.LPC1_2+8)
.LCPI1_3:
	.long	P1_r0-(.LPC1_3+8)
.Lfunc_end1:
	.size	P1, .Lfunc_end1-P1
	.cfi_endproc
	.cantunwind
	.fnend
                                        @ -- End function
	.type	x,%object                       @ @x
	.bss
	.globl	x
	.p2align	2
x:
	.long	0                               @ 0x0
	.size	x, 4

	.type	y,%object                       @ @y
	.globl	y
	.p2align	2
y:
	.long	0                               @ 0x0
	.size	y, 4

	.type	P1_r0,%object                   @ @P1_r0
	.globl	P1_r0
	.p2align	2
P1_r0:
	.long	0                               @ 0x0
	.size	P1_r0, 4

	.type	P1_r1,%object                   @ @P1_r1
	.globl	P1_r1
	.p2align	2
P1_r1:
	.long	0                               @ 0x0
	.size	P1_r1, 4

	.section	.debug_abbrev,"",%progbits
	.byte	1                               @ Abbreviation Code
	.byte	17                              @ DW_TAG_compile_unit
	.byte	0                               @ DW_CHILDREN_no
	.byte	37                              @ DW_AT_producer
	.byte	37                              @ DW_FORM_strx1
	.byte	19                              @ DW_AT_language
	.byte	5                               @ DW_FORM_data2
	.byte	3                               @ DW_AT_name
	.byte	37                              @ DW_FORM_strx1
	.byte	114                             @ DW_AT_str_offsets_base
	.byte	23                              @ DW_FORM_sec_offset
	.byte	16                              @ DW_AT_stmt_list
	.byte	23                              @ DW_FORM_sec_offset
	.byte	27                              @ DW_AT_comp_dir
	.byte	37                              @ DW_FORM_strx1
	.byte	17                              @ DW_AT_low_pc
	.byte	27                              @ DW_FORM_addrx
	.byte	18                              @ DW_AT_high_pc
	.byte	6                               @ DW_FORM_data4
	.byte	115                             @ DW_AT_addr_base
	.byte	23                              @ DW_FORM_sec_offset
	.byte	0                               @ EOM(1)
	.byte	0                               @ EOM(2)
	.byte	0                               @ EOM(3)
	.section	.debug_info,"",%progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0 @ Length of Unit
.Ldebug_info_start0:
	.short	5                               @ DWARF version number
	.byte	1                               @ DWARF Unit Type
	.byte	4                               @ Address Size (in bytes)
	.long	.debug_abbrev                   @ Offset Into Abbrev. Section
	.byte	1                               @ Abbrev [1] 0xc:0x17 DW_TAG_compile_unit
	.byte	0                               @ DW_AT_producer
	.short	12                              @ DW_AT_language
	.byte	1                               @ DW_AT_name
	.long	.Lstr_offsets_base0             @ DW_AT_str_offsets_base
	.long	.Lline_table_start0             @ DW_AT_stmt_list
	.byte	2                               @ DW_AT_comp_dir
	.byte	0                               @ DW_AT_low_pc
	.long	.Lfunc_end1-.Lfunc_begin0       @ DW_AT_high_pc
	.long	.Laddr_table_base0              @ DW_AT_addr_base
.Ldebug_info_end0:
	.section	.debug_str_offsets,"",%progbits
	.long	16                              @ Length of String Offsets Set
	.short	5
	.short	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",%progbits,1
.Linfo_string0:
	.asciz	"Debian clang version 14.0.6"   @ string offset=0
.Linfo_string1:
	.asciz	"mp.c"                          @ string offset=28
.Linfo_string2:
	.asciz	"/src"                       @ string offset=33
	.section	.debug_str_offsets,"",%progbits
	.long	.Linfo_string0
	.long	.Linfo_string1
	.long	.Linfo_string2
	.section	.debug_addr,"",%progbits
	.long	.Ldebug_addr_end0-.Ldebug_addr_start0 @ Length of contribution
.Ldebug_addr_start0:
	.short	5                               @ DWARF version number
	.byte	4                               @ Address size
	.byte	0                               @ Segment selector size
.Laddr_table_base0:
	.long	.Lfunc_begin0
.Ldebug_addr_end0:
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",%progbits
	.addrsig
	.addrsig_sym x
	.section	.debug_line,"",%progbits
.Lline_table_start0:
