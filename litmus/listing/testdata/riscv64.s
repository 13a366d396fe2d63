	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p0_m2p0_a2p0_f2p0_d2p0_c2p0"
	.file	"mp.c"
	.globl	P0                              # -- Begin function P0
	.p2align	1
	.type	P0,@function
P0:                                     # @P0
.Lfunc_begin0:
	.file	0 "/src" "mp.c" md5 0x8a06f075bb49883da09459aaa72dc749
	.loc	0 3 0                           # mp.c:3:0
	.cfi_sections .debug_frame
	.cfi_startproc
# %bb.0:
.LBB0_1:                                # Label of block must be emitted
	.loc	0 3 16 prologue_end             # mp.c:3:16
	auipc	a0, %pcrel_hi(x)
	addi	a0, a0, %pcrel_lo(.LBB0_1)
	li	a1, 1
	sw	a1, 0(a0)
	.loc	0 3 66 is_stmt 0                # mp.c:3:66
	fence	rw, w
.LBB0_2:                                # Label of block must be emitted
	auipc	a0, %pcrel_hi(y)
	addi	a0, a0, %pcrel_lo(.LBB0_2)
	sw	a1, 0(a0)
	.loc	0 3 115                         # mp.c:3:115
	ret
.Ltmp0:
.Lfunc_end0:
	.size	P0, .Lfunc_end0-P0
	.cfi_endproc
                                        # -- End function
	.globl	P1                              # -- Begin function P1
	.p2align	1
	.type	P1,@function
P1:                                     # @P1
.Lfunc_begin1:
	.loc	0 4 0 is_stmt 1                 # mp.c:4:0
	.cfi_startproc
# %bb.0:
.LBB1_4:                                # Label of block must be emitted
	.loc	0 4 23 prologue_end             # mp.c:4:23
	auipc	a0, %pcrel_hi(y)
	addi	a0, a0, %pcrel_lo(.LBB1_4)
	lw	a0, 0(a0)
	fence	r, rw
	.loc	0 4 86 is_stmt 0                # mp.c:4:86
	beqz	a0, .LBB1_2
# %bb.1:
.LBB1_5:                                # Label of block must be emitted
	.loc	0 4 93                          # mp.c:4:93
	auipc	a1, %pcrel_hi(x)
	addi	a1, a1, %pcrel_lo(.LBB1_5)
	li	a2, 1
	amoadd.w.aqrl	a1, a2, (a1)
	j	.LBB1_3
.LBB1_2:
	.loc	0 0 93                          # mp.c:0:93
	li	a1, 0
.LBB1_3:
.LBB1_6:                                # Label of block must be emitted
	.loc	0 4 152                         # mp.c:4:152
	auipc	a2, %pcrel_hi(P1_r0)
	addi	a2, a2, %pcrel_lo(.LBB1_6)
	sw	a0, 0(a2)
.LBB1_7:                                # Label of block must be emitted
	.loc	0 4 162                         # mp.c:4:162
	auipc	a0, %pcrel_hi(P1_r1)
	addi	a0, a0, %pcrel_lo(.LBB1_7)
	sw	a1, 0(a0)
	.loc	0 4 166                         # mp.c:4:166
	ret
.Ltmp1:
.Lfunc_end1:
	.size	P1, .Lfunc_end1-P1
	.cfi_endproc
                                        # -- End function
	.type	x,@object                       # @x
	.section	.sbss,"aw",@nobits
	.globl	x
	.p2align	2
x:
	.word	0                               # 0x0
	.size	x, 4

	.type	y,@object                       # @y
	.globl	y
	.p2align	2
y:
	.word	0                               # 0x0
	.size	y, 4

	.type	P1_r0,@object                   # @P1_r0
	.globl	P1_r0
	.p2align	2
P1_r0:
	.word	0                               # 0x0
	.size	P1_r0, 4

	.type	P1_r1,@object                   # @P1_r1
	.globl	P1_r1
	.p2align	2
P1_r1:
	.word	0                               # 0x0
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
	.word	.Ldebug_info_end0-.Ldebug_info_start0 # Length of Unit
.Ldebug_info_start0:
	.half	5                               # DWARF version number
	.byte	1                               # DWARF Unit Type
	.byte	8                               # Address Size (in bytes)
	.word	.debug_abbrev                   # Offset Into Abbrev. Section
	.byte	1                               # Abbrev [1] 0xc:0x17 DW_TAG_compile_unit
	.byte	0                               # DW_AT_producer
	.half	12                              # DW_AT_language
	.byte	1                               # DW_AT_name
	.word	.Lstr_offsets_base0             # DW_AT_str_offsets_base
	.word	.Lline_table_start0             # DW_AT_stmt_list
	.byte	2                               # DW_AT_comp_dir
	.byte	0                               # DW_AT_low_pc
	.word	.Lfunc_end1-.Lfunc_begin0       # DW_AT_high_pc
	.word	.Laddr_table_base0              # DW_AT_addr_base
.Ldebug_info_end0:
	.section	.debug_str_offsets,"",@progbits
	.word	16                              # Length of String Offsets Set
	.half	5
	.half	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"Debian clang version 14.0.6"   # string offset=0
.Linfo_string1:
	.asciz	"mp.c"                          # string offset=28
.Linfo_string2:
	.asciz	"/src"                       # string offset=33
	.section	.debug_str_offsets,"",@progbits
	.word	.Linfo_string0
	.word	.Linfo_string1
	.word	.Linfo_string2
	.section	.debug_addr,"",@progbits
	.word	.Ldebug_addr_end0-.Ldebug_addr_start0 # Length of contribution
.Ldebug_addr_start0:
	.half	5                               # DWARF version number
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
