	.text
	.abiversion 2
	.file	"mp.c"
	.globl	P0                              # -- Begin function P0
	.p2align	4
	.type	P0,@function
P0:                                     # @P0
.Lfunc_begin0:
	.file	0 "/src" "mp.c" md5 0x8a06f075bb49883da09459aaa72dc749
	.loc	0 3 0                           # mp.c:3:0
	.cfi_sections .debug_frame
	.cfi_startproc
.Lfunc_gep0:
	addis 2, 12, .TOC.-.Lfunc_gep0@ha
	addi 2, 2, .TOC.-.Lfunc_gep0@l
.Lfunc_lep0:
	.localentry	P0, .Lfunc_lep0-.Lfunc_gep0
# %bb.0:
	.loc	0 3 16 prologue_end             # mp.c:3:16
	addis 3, 2, x@toc@ha
	li 4, 1
	stw 4, x@toc@l(3)
	.loc	0 3 66 is_stmt 0                # mp.c:3:66
	addis 3, 2, y@toc@ha
	lwsync
	stw 4, y@toc@l(3)
	.loc	0 3 115                         # mp.c:3:115
	blr
.Ltmp0:
	.long	0
	.quad	0
.Lfunc_end0:
	.size	P0, .Lfunc_end0-.Lfunc_begin0
	.cfi_endproc
                                        # -- End function
	.globl	P1                              # -- Begin function P1
	.p2align	4
	.type	P1,@function
P1:                                     # @P1
.Lfunc_begin1:
	.loc	0 4 0 is_stmt 1                 # mp.c:4:0
	.cfi_startproc
.Lfunc_gep1:
	addis 2, 12, .TOC.-.Lfunc_gep1@ha
	addi 2, 2, .TOC.-.Lfunc_gep1@l
.Lfunc_lep1:
	.localentry	P1, .Lfunc_lep1-.Lfunc_gep1
# %bb.0:
	.loc	0 4 23 prologue_end             # mp.c:4:23
	addis 3, 2, y@toc@ha
	lwz 3, y@toc@l(3)
	cmpd 7, 3, 3
	.loc	0 4 86 is_stmt 0                # mp.c:4:86
	cmplwi	3, 0
	.loc	0 4 23                          # mp.c:4:23
	bne- 7, .+4
	isync
	.loc	0 4 86                          # mp.c:4:86
	beq	0, .LBB1_4
# %bb.1:
	.loc	0 4 93                          # mp.c:4:93
	addis 4, 2, x@toc@ha
	lwsync
	addi 5, 4, x@toc@l
.LBB1_2:                                # =>This Inner Loop Header: Depth=1
	lwarx 4, 0, 5
	addi 6, 4, 1
	stwcx. 6, 0, 5
	bne	0, .LBB1_2
# %bb.3:
	lwsync
	b .LBB1_5
.LBB1_4:
	.loc	0 0 93                          # mp.c:0:93
	li 4, 0
.LBB1_5:
	.loc	0 4 152                         # mp.c:4:152
	addis 5, 2, P1_r0@toc@ha
	.loc	0 4 162                         # mp.c:4:162
	addis 6, 2, P1_r1@toc@ha
	.loc	0 4 152                         # mp.c:4:152
	stw 3, P1_r0@toc@l(5)
	.loc	0 4 162                         # mp.c:4:162
	stw 4, P1_r1@toc@l(6)
	.loc	0 4 166                         # mp.c:4:166
	blr
.Ltmp1:
	.long	0
	.quad	0
.Lfunc_end1:
	.size	P1, .Lfunc_end1-.Lfunc_begin1
	.cfi_endproc
                                        # -- End function
	.type	x,@object                       # @x
	.section	.bss,"aw",@nobits
	.globl	x
	.p2align	2
x:
	.long	0                               # 0x0
	.size	x, 4

	.type	y,@object                       # @y
	.globl	y
	.p2align	2
y:
	.long	0                               # 0x0
	.size	y, 4

	.type	P1_r0,@object                   # @P1_r0
	.globl	P1_r0
	.p2align	2
P1_r0:
	.long	0                               # 0x0
	.size	P1_r0, 4

	.type	P1_r1,@object                   # @P1_r1
	.globl	P1_r1
	.p2align	2
P1_r1:
	.long	0                               # 0x0
	.size	P1_r1, 4

	.section	.debug_abbrev,"",@progbits
	.byte	1                               # Abbreviation Code
	.byte	17                              # DW_TAG_compile_unit
	.byte	0                               # DW_CHILDREN_no
	.byte	37                              # DW_AT_producer
	.byte	37                              # DW_FORM_strx1
	.byte	19                              # DW_AT_language
	.byte	5                               # DW_FORM_data2
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	114                             # DW_AT_str_offsets_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	16                              # DW_AT_stmt_list
	.byte	23                              # DW_FORM_sec_offset
	.byte	27                              # DW_AT_comp_dir
	.byte	37                              # DW_FORM_strx1
	.byte	17                              # DW_AT_low_pc
	.byte	27                              # DW_FORM_addrx
	.byte	18                              # DW_AT_high_pc
	.byte	6                               # DW_FORM_data4
	.byte	115                             # DW_AT_addr_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	0                               # EOM(3)
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0 # Length of Unit
.Ldebug_info_start0:
	.short	5                               # DWARF version number
	.byte	1                               # DWARF Unit Type
	.byte	8                               # Address Size (in bytes)
	.long	.debug_abbrev                   # Offset Into Abbrev. Section
	.byte	1                               # Abbrev [1] 0xc:0x17 DW_TAG_compile_unit
	.byte	0                               # DW_AT_producer
	.short	12                              # DW_AT_language
	.byte	1                               # DW_AT_name
	.long	.Lstr_offsets_base0             # DW_AT_str_offsets_base
	.long	.Lline_table_start0             # DW_AT_stmt_list
	.byte	2                               # DW_AT_comp_dir
	.byte	0                               # DW_AT_low_pc
	.long	.Lfunc_end1-.Lfunc_begin0       # DW_AT_high_pc
	.long	.Laddr_table_base0              # DW_AT_addr_base
.Ldebug_info_end0:
	.section	.debug_str_offsets,"",@progbits
	.long	16                              # Length of String Offsets Set
	.short	5
	.short	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"Debian clang version 14.0.6"   # string offset=0
.Linfo_string1:
	.asciz	"mp.c"                          # string offset=28
.Linfo_string2:
	.asciz	"/src"                       # string offset=33
	.section	.debug_str_offsets,"",@progbits
	.long	.Linfo_string0
	.long	.Linfo_string1
	.long	.Linfo_string2
	.section	.debug_addr,"",@progbits
	.long	.Ldebug_addr_end0-.Ldebug_addr_start0 # Length of contribution
.Ldebug_addr_start0:
	.short	5                               # DWARF version number
	.byte	8                               # Address size
	.byte	0                               # Segment selector size
.Laddr_table_base0:
	.quad	.Lfunc_begin0
.Ldebug_addr_end0:
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym x
	.section	.debug_line,"",@progbits
.Lline_table_start0:
