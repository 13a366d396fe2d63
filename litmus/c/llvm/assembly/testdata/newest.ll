; What LLVM 18 to 22 print, and earlier versions do not.
source_filename = "newest.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.pair = type { i32, i64 }

@vector = global <4 x i32> splat (i32 7), align 16
@table = internal constant { [3 x ptr] } zeroinitializer, code_model "large", align 8
@inside = global ptr getelementptr inbounds inrange(-16, 8) ({ [3 x ptr] }, ptr @table, i32 0, i32 0, i32 2), align 8
@field = global ptr getelementptr nusw nuw (i8, ptr @table, i64 8), align 8

declare target("spirv.Image", void, 1, 0) @image()

declare void @callee(ptr noalias captures(none) initializes((0, 4), (8, 16)) dead_on_unwind writable sret(%struct.pair) align 8, ptr captures(ret: address, provenance), i32 range(i32 -1, 5) noundef, float nofpclass(nan inf)) #0

define preserve_nonecc i64 @f(ptr dead_on_return noundef %p, i32 noext %n) local_unnamed_addr #1 {
    #dbg_declare(ptr %p, !5, !DIExpression(), !7)
  %narrow = trunc nuw nsw i32 %n to i8
    #dbg_value(i8 %narrow, !5, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_unsigned, DW_OP_stack_value), !7)
  %wide = zext nneg i8 %narrow to i64
  %both = or disjoint i64 %wide, 256
  %less = icmp samesign ult i64 %both, 300
  %element = getelementptr nusw nuw i8, ptr %p, i64 %both
  %first = insertelement <2 x i8> poison, i8 %narrow, i64 0, !dbg !7
  %twice = shufflevector <2 x i8> %first, <2 x i8> poison, <2 x i32> zeroinitializer, !dbg !7
  %address = ptrtoaddr ptr %element to i64
  %real = uitofp nneg i64 %wide to double
  %least = call nsz double @llvm.minimum.f64(double %real, double 1.0), !dbg !7
    #dbg_label(!5, !7)
  ret i64 %address, !dbg !7
}

declare double @llvm.minimum.f64(double, double)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: read, errnomem: none) }
attributes #1 = { mustprogress nounwind memory(none) allockind("alloc,zeroed") allocsize(0) uwtable(sync) "frame-pointer"="all" vscale_range(1,16) }

!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "newest.c", directory: "/", checksumkind: CSK_MD5, checksum: "00", source: "int x;\0A")
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, keyInstructions: true)
!5 = !DILocalVariable(name: "p", arg: 1, scope: !4, file: !1, line: 2)
!7 = !DILocation(line: 3, column: 4, scope: !4, atomGroup: 1, atomRank: 2)
