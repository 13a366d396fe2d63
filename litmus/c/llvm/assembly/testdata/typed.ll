; ModuleID = 'mp.c'
source_filename = "mp.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@x = dso_local global i32 0, align 4, !dbg !0
@y = dso_local local_unnamed_addr global i32 0, align 4, !dbg !16
@P1_r0 = dso_local local_unnamed_addr global i32 0, align 4, !dbg !21
@P1_r1 = dso_local local_unnamed_addr global i32 0, align 4, !dbg !23

; Function Attrs: mustprogress nofree norecurse nounwind uwtable willreturn
define dso_local void @P0() local_unnamed_addr #0 !dbg !32 {
  store atomic i32 1, i32* @x monotonic, align 4, !dbg !36
  store atomic i32 1, i32* @y release, align 4, !dbg !37
  ret void, !dbg !38
}

; Function Attrs: mustprogress nofree norecurse nounwind uwtable willreturn
define dso_local void @P1() local_unnamed_addr #0 !dbg !39 {
  %1 = load atomic i32, i32* @y acquire, align 4, !dbg !43
  call void @llvm.dbg.value(metadata i32 %1, metadata !41, metadata !DIExpression()), !dbg !44
  call void @llvm.dbg.value(metadata i32 0, metadata !42, metadata !DIExpression()), !dbg !44
  %2 = icmp eq i32 %1, 0, !dbg !45
  br i1 %2, label %5, label %3, !dbg !47

3:                                                ; preds = %0
  %4 = atomicrmw add i32* @x, i32 1 acq_rel, align 4, !dbg !48
  call void @llvm.dbg.value(metadata i32 %4, metadata !42, metadata !DIExpression()), !dbg !44
  br label %5, !dbg !49

5:                                                ; preds = %3, %0
  %6 = phi i32 [ %4, %3 ], [ 0, %0 ], !dbg !44
  call void @llvm.dbg.value(metadata i32 %6, metadata !42, metadata !DIExpression()), !dbg !44
  store i32 %1, i32* @P1_r0, align 4, !dbg !50, !tbaa !51
  store i32 %6, i32* @P1_r1, align 4, !dbg !55, !tbaa !51
  ret void, !dbg !56
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #1

attributes #0 = { mustprogress nofree norecurse nounwind uwtable willreturn "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!25, !26, !27, !28, !29, !30}
!llvm.ident = !{!31}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 2, type: !18, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "mp.c", directory: "/src", checksumkind: CSK_MD5, checksum: "8a06f075bb49883da09459aaa72dc749")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 56, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/lib/llvm-14/lib/clang/14.0.6/include/stdatomic.h", directory: "", checksumkind: CSK_MD5, checksum: "de5d66a1ef2f5448cc1919ff39db92bc")
!7 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!8 = !{!9, !10, !11, !12, !13, !14}
!9 = !DIEnumerator(name: "memory_order_relaxed", value: 0)
!10 = !DIEnumerator(name: "memory_order_consume", value: 1)
!11 = !DIEnumerator(name: "memory_order_acquire", value: 2)
!12 = !DIEnumerator(name: "memory_order_release", value: 3)
!13 = !DIEnumerator(name: "memory_order_acq_rel", value: 4)
!14 = !DIEnumerator(name: "memory_order_seq_cst", value: 5)
!15 = !{!0, !16, !21, !23}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "y", scope: !2, file: !3, line: 2, type: !18, isLocal: false, isDefinition: true)
!18 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 92, baseType: !19)
!19 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !20)
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(name: "P1_r0", scope: !2, file: !3, line: 2, type: !20, isLocal: false, isDefinition: true)
!23 = !DIGlobalVariableExpression(var: !24, expr: !DIExpression())
!24 = distinct !DIGlobalVariable(name: "P1_r1", scope: !2, file: !3, line: 2, type: !20, isLocal: false, isDefinition: true)
!25 = !{i32 7, !"Dwarf Version", i32 5}
!26 = !{i32 2, !"Debug Info Version", i32 3}
!27 = !{i32 1, !"wchar_size", i32 4}
!28 = !{i32 7, !"PIC Level", i32 2}
!29 = !{i32 7, !"PIE Level", i32 2}
!30 = !{i32 7, !"uwtable", i32 1}
!31 = !{!"Debian clang version 14.0.6"}
!32 = distinct !DISubprogram(name: "P0", scope: !3, file: !3, line: 3, type: !33, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !35)
!33 = !DISubroutineType(types: !34)
!34 = !{null}
!35 = !{}
!36 = !DILocation(line: 3, column: 16, scope: !32)
!37 = !DILocation(line: 3, column: 66, scope: !32)
!38 = !DILocation(line: 3, column: 115, scope: !32)
!39 = distinct !DISubprogram(name: "P1", scope: !3, file: !3, line: 4, type: !33, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !40)
!40 = !{!41, !42}
!41 = !DILocalVariable(name: "r0", scope: !39, file: !3, line: 4, type: !20)
!42 = !DILocalVariable(name: "r1", scope: !39, file: !3, line: 4, type: !20)
!43 = !DILocation(line: 4, column: 23, scope: !39)
!44 = !DILocation(line: 0, scope: !39)
!45 = !DILocation(line: 4, column: 86, scope: !46)
!46 = distinct !DILexicalBlock(scope: !39, file: !3, line: 4, column: 86)
!47 = !DILocation(line: 4, column: 86, scope: !39)
!48 = !DILocation(line: 4, column: 93, scope: !46)
!49 = !DILocation(line: 4, column: 90, scope: !46)
!50 = !DILocation(line: 4, column: 152, scope: !39)
!51 = !{!52, !52, i64 0}
!52 = !{!"int", !53, i64 0}
!53 = !{!"omnipotent char", !54, i64 0}
!54 = !{!"Simple C/C++ TBAA"}
!55 = !DILocation(line: 4, column: 162, scope: !39)
!56 = !DILocation(line: 4, column: 166, scope: !39)
