	.text
	.abicalls
	.section	.mdebug.abi64,"",@progbits
	.nan	legacy
	.text
	.file	"mp.c"
	.globl	P0                              # -- Begin function P0
	.p2align	3
	.type	P0,@function
	.set	nomicromips
	.set	nomips16
	.ent	P0
P0:                                     # @P0
.Ltmp0:
.set .Lfunc_begin0, .Ltmp0
	.file	0 "/src" "mp.c" md5 0x8a06f075bb49883da09459aaa72dc749
	.loc	0 3 0                           # mp.c:3:0
	.cfi_sections .debug_frame
	.cfi_startproc
	.frame	$sp,0,$ra
	.mask 	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	.set	noat
# %bb.0:
	lui	$1, %hi(%neg(%gp_rel(P0)))
	daddu	$1, $1, $25
	daddiu	$1, $1, %lo(%neg(%gp_rel(P0)))
.Ltmp1:
	.loc	0 3 16 prologue_end             # mp.c:3:16
	ld	$2, %got_disp(x)($1)
	addiu	$3, $zero, 1
	sw	$3, 0($2)
	.loc	0 3 66 is_stmt 0                # mp.c:3:66
	sync
	ld	$1, %got_disp(y)($1)
	.loc	0 3 115                         # mp.c:3:115
	jr	$ra
	sw	$3, 0($1)
.Ltmp2:
	.set	at
	.set	macro
	.set	reorder
	.end	P0
.Lfunc_end0:
	.size	P0, .Lfunc_end0-P0
	.cfi_endproc
                                        # -- End function
	.globl	P1                              # -- Begin function P1
	.p2align	3
	.type	P1,@function
	.set	nomicromips
	.set	nomips16
	.ent	P1
P1:                                     # @P1
.Ltmp3:
.set .Lfunc_begin1, .Ltmp3
	.loc	0 4 0 is_stmt 1                 # mp.c:4:0
	.cfi_startproc
	.frame	$sp,0,$ra
	.mask 	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	.set	noat
# %bb.0:
	lui	$1, %hi(%neg(%gp_rel(P1)))
	daddu	$1, $1, $25
	daddiu	$2, $1, %lo(%neg(%gp_rel(P1)))
.Ltmp4:
	.loc	0 4 23 prologue_end             # mp.c:4:23
	ld	$1, %got_disp(y)($2)
	lw	$3, 0($1)
	sync
	.loc	0 4 86 is_stmt 0                # mp.c:4:86
	beqz	$3, .LBB1_4
	nop
# %bb.1:
	.loc	0 4 93                          # mp.c:4:93
	sync
	addiu	$1, $zero, 1
	ld	$5, %got_disp(x)($2)
.LBB1_2:                                # =>This Inner Loop Header: Depth=1
	ll	$4, 0($5)
	addu	$6, $4, $1
	sc	$6, 0($5)
	beqz	$6, .LBB1_2
	nop
# %bb.3:
	sync
	b	.LBB1_5
	nop
.LBB1_4:
	.loc	0 0 93                          # mp.c:0:93
	addiu	$4, $zero, 0
.LBB1_5:
	.loc	0 4 162                         # mp.c:4:162
	ld	$1, %got_disp(P1_r1)($2)
	sw	$4, 0($1)
	.loc	0 4 152                         # mp.c:4:152
	ld	$1, %got_disp(P1_r0)($2)
	.loc	0 4 166                         # mp.c:4:166
	jr	$ra
	sw	$3, 0($1)
.Ltmp5:
	.set	at
	.set	macro
	.set	reorder
	.end	P1
.Lfunc_end1:
	.size	P1, .Lfunc_end1-P1
	.cfi_endproc
                                        # -- End function
	.type	x,@object                       # @x
	.bss
	.globl	x
	.p2align	2
x:
	.4byte	0                               # 0x0
	.size	x, 4

	.type	y,@object                       # @y
	.globl	y
	.p2align	2
y:
	.4byte	0                               # 0x0
	.size	y, 4

	.type	P1_r0,@object                   # @P1_r0
	.globl	P1_r0
	.p2align	2
P1_r0:
	.4byte	0                               # 0x0
	.size	P1_r0, 4

	.type	P1_r1,@object                   # @P1_r1
	.globl	P1_r1
	.p2align	2
P1_r1:
	.4byte	0                               # 0x0
	.size	P1_r1, 4

	.section	.debug_abbrev,"",@0x7000001e
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
	.section	.debug_info,"",@0x7000001e
.Lcu_begin0:
	.4byte	.Ldebug_info_end0-.Ldebug_info_start0 # Length of Unit
.Ldebug_info_start0:
	.2byte	5                               # DWARF version number
	.byte	1                               # DWARF Unit Type
	.byte	8                               # Address Size (in bytes)
	.4byte	.debug_abbrev                   # Offset Into Abbrev. Section
	.byte	1                               # Abbrev [1] 0xc:0x17 DW_TAG_compile_unit
	.byte	0                               # DW_AT_producer
	.2byte	12                              # DW_AT_language
	.byte	1                               # DW_AT_name
	.4byte	.Lstr_offsets_base0             # DW_AT_str_offsets_base
	.4byte	.Lline_table_start0             # DW_AT_stmt_list
	.byte	2                               # DW_AT_comp_dir
	.byte	0                               # DW_AT_low_pc
	.4byte	.Lfunc_end1-.Lfunc_begin0       # DW_AT_high_pc
	.4byte	.Laddr_table_base0              # DW_AT_addr_base
.Ldebug_info_end0:
	.section	.debug_str_offsets,"",@0x7000001e
	.4byte	16                              # Length of String Offsets Set
	.2byte	5
	.2byte	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@0x7000001e,1
.Linfo_string0:
	.asciz	"Debian clang version 14.0.6"   # string offset=0
.Linfo_string1:
	.asciz	"mp.c"                          # string offset=28
.Linfo_string2:
	.asciz	"/src"                       # string offset=33
	.section	.debug_str_offsets,"",@0x7000001e
	.4byte	.Linfo_string0
	.4byte	.Linfo_string1
	.4byte	.Linfo_string2
	.section	.debug_addr,"",@0x7000001e
	.4byte	.Ldebug_addr_end0-.Ldebug_addr_start0 # Length of contribution
.Ldebug_addr_start0:
	.2byte	5                               # DWARF version number
	.byte	8                               # Address size
	.byte	0                               # Segment selector size
.Laddr_table_base0:
	.8byte	.Lfunc_begin0
.Ldebug_addr_end0:
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym x
	.text
	.section	.debug_line,"",@0x7000001e
.Lline_table_start0:
