	.text
	.abiversion 2
	.file	"test.c"
	.globl	P0                              # -- Begin function P0
	.p2align	4
	.type	P0,@function
P0:                                     # @P0
.Lfunc_begin0:
	.file	0 "/tmp/litmuscope-compile-3219381905" "test.c" md5 0xa91d0b8ce11b4269e066e69aa1bc9cd2
	.file	1 "solver/compilercheck/testdata/thinair" "s-exchange.litmus"
	.loc	1 3 0                           # solver/compilercheck/testdata/thinair/s-exchange.litmus:3:0
	.cfi_sections .debug_frame
	.cfi_startproc
.Lfunc_gep0:
	addis 2, 12, .TOC.-.Lfunc_gep0@ha
	addi 2, 2, .TOC.-.Lfunc_gep0@l
.Lfunc_lep0:
	.localentry	P0, .Lfunc_lep0-.Lfunc_gep0
# %bb.0:
	li 3, 2
.Ltmp0:
	.loc	1 4 3 prologue_end              # solver/compilercheck/testdata/thinair/s-exchange.litmus:4:3
	stw 3, -12(1)
	lwz 3, -12(1)
	stw 3, -36(1)                           # 4-byte Folded Spill
	addis 3, 2, .LC0@toc@ha
	ld 3, .LC0@toc@l(3)
	std 3, -32(1)                           # 8-byte Folded Spill
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	lwz 3, -36(1)                           # 4-byte Folded Reload
	ld 4, -32(1)                            # 8-byte Folded Reload
	lwarx 5, 0, 4
	stw 5, -40(1)                           # 4-byte Folded Spill
	stwcx. 3, 0, 4
	bne	0, .LBB0_1
# %bb.2:
	lwz 3, -40(1)                           # 4-byte Folded Reload
	stw 3, -16(1)
	li 3, 1
	.loc	1 5 3                           # solver/compilercheck/testdata/thinair/s-exchange.litmus:5:3
	stw 3, -20(1)
	lwz 3, -20(1)
	stw 3, -52(1)                           # 4-byte Folded Spill
	addis 3, 2, .LC1@toc@ha
	ld 3, .LC1@toc@l(3)
	std 3, -48(1)                           # 8-byte Folded Spill
.LBB0_3:                                # =>This Inner Loop Header: Depth=1
	lwz 3, -52(1)                           # 4-byte Folded Reload
	ld 4, -48(1)                            # 8-byte Folded Reload
	lwarx 5, 0, 4
	stw 5, -56(1)                           # 4-byte Folded Spill
	stwcx. 3, 0, 4
	bne	0, .LBB0_3
# %bb.4:
	lwz 3, -56(1)                           # 4-byte Folded Reload
	stw 3, -24(1)
	.loc	1 6 1                           # solver/compilercheck/testdata/thinair/s-exchange.litmus:6:1
	blr
.Ltmp1:
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
	.loc	1 7 0                           # solver/compilercheck/testdata/thinair/s-exchange.litmus:7:0
	.cfi_startproc
.Lfunc_gep1:
	addis 2, 12, .TOC.-.Lfunc_gep1@ha
	addi 2, 2, .TOC.-.Lfunc_gep1@l
.Lfunc_lep1:
	.localentry	P1, .Lfunc_lep1-.Lfunc_gep1
# %bb.0:
	li 3, 0
.Ltmp2:
	.loc	1 7 7 prologue_end              # solver/compilercheck/testdata/thinair/s-exchange.litmus:7:7
	stw 3, -12(1)
	.loc	1 8 8                           # solver/compilercheck/testdata/thinair/s-exchange.litmus:8:8
	addis 3, 2, .LC1@toc@ha
	ld 3, .LC1@toc@l(3)
	lwz 3, 0(3)
	stw 3, -16(1)
	lwz 3, -16(1)
	.loc	1 8 6 is_stmt 0                 # solver/compilercheck/testdata/thinair/s-exchange.litmus:8:6
	stw 3, -12(1)
	li 3, 1
	.loc	1 9 3 is_stmt 1                 # solver/compilercheck/testdata/thinair/s-exchange.litmus:9:3
	stw 3, -20(1)
	lwz 3, -20(1)
	stw 3, -36(1)                           # 4-byte Folded Spill
	addis 3, 2, .LC0@toc@ha
	ld 3, .LC0@toc@l(3)
	std 3, -32(1)                           # 8-byte Folded Spill
.LBB1_1:                                # =>This Inner Loop Header: Depth=1
	lwz 3, -36(1)                           # 4-byte Folded Reload
	ld 4, -32(1)                            # 8-byte Folded Reload
	lwarx 5, 0, 4
	stw 5, -40(1)                           # 4-byte Folded Spill
	stwcx. 3, 0, 4
	bne	0, .LBB1_1
# %bb.2:
	lwz 3, -40(1)                           # 4-byte Folded Reload
	stw 3, -24(1)
	.loc	1 11 11                         # solver/compilercheck/testdata/thinair/s-exchange.litmus:11:11
	lwz 3, -12(1)
	.loc	1 11 9 is_stmt 0                # solver/compilercheck/testdata/thinair/s-exchange.litmus:11:9
	addis 4, 2, .LC2@toc@ha
	ld 4, .LC2@toc@l(4)
	stw 3, 0(4)
	.loc	1 12 1 is_stmt 1                # solver/compilercheck/testdata/thinair/s-exchange.litmus:12:1
	blr
.Ltmp3:
	.long	0
	.quad	0
.Lfunc_end1:
	.size	P1, .Lfunc_end1-.Lfunc_begin1
	.cfi_endproc
                                        # -- End function
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
	.asciz	"test.c"                        # string offset=28
.Linfo_string2:
	.asciz	"/tmp/litmuscope-compile-3219381905" # string offset=35
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
	.addrsig_sym y
	.addrsig_sym P1_r0
	.section	.toc,"aw",@progbits
.LC0:
	.tc x[TC],x
.LC1:
	.tc y[TC],y
.LC2:
	.tc P1_r0[TC],P1_r0
	.section	.debug_line,"",@progbits
.Lline_table_start0:
