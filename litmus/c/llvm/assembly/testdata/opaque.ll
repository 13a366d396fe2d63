; ModuleID = 'opaque.c'
source_filename = "opaque.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i32, ptr }
%struct.hidden = type opaque
%packed = type <{ i8, i32 }>

@x = dso_local global i32 0, align 4
@y = internal unnamed_addr constant [3 x i8] c"a\00b", section "data", align 1
@t = thread_local(initialexec) global %struct.node zeroinitializer, align 8
@p = private global ptr getelementptr inbounds (i8, ptr @t, i64 8), align 8
@"odd name" = external global i64
@same = alias i32, ptr @x
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @first, ptr null }]

declare void @outside(ptr noundef byval(%struct.node) align 8, i32 signext, ...) local_unnamed_addr #0

define internal void @first() #1 {
  ret void
}

define dso_local noundef range(i32 0, 2) i32 @f(i32 noundef %0, ptr nocapture noundef readonly align 8 dereferenceable(16) %p) local_unnamed_addr #1 personality ptr @first {
  %2 = alloca [4 x i32], i64 2, align 16
  %old = atomicrmw volatile umax ptr @x, i32 %0 syncscope("singlethread") acq_rel, align 4
  %pair = cmpxchg weak ptr @x, i32 %old, i32 7 release monotonic, align 4
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %"then", label %else, !prof !0

then:                                             ; preds = %1
  %v = load atomic i32, ptr @x acquire, align 4, !dbg !3
  %w = getelementptr inbounds nuw %struct.node, ptr %p, i64 0, i32 1
  store atomic volatile i32 %v, ptr %2 seq_cst, align 4
  fence syncscope("agent") release
    #dbg_value(i32 %v, !1, !DIExpression(), !3)
  switch i32 %v, label %else [
    i32 -1, label %join
    i32 0, label %join
  ]

else:                                             ; preds = %then, %1
  %s = select fast i1 %ok, i32 1, i32 2
  %a = add nuw nsw i32 %s, 3
  %z = zext nneg i32 %a to i64
  %c = icmp samesign ult i64 %z, 18446744073709551615
  %i = invoke i32 (ptr, ...) @printf(ptr @y, i32 %a, double 1.5e+00, float 0x3FF8000000000000) #2 [ "deopt"(i32 1) ]
          to label %join unwind label %pad

pad:                                              ; preds = %else
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @x]
  resume { ptr, i32 } %l

join:                                             ; preds = %then, %then, %else
  %r = phi i32 [ 1, %then ], [ 1, %then ], [ %i, %else ]
  %vec = insertelement <2 x i32> poison, i32 %r, i64 0
  %shuf = shufflevector <2 x i32> %vec, <2 x i32> undef, <2 x i32> zeroinitializer
  %e = extractelement <2 x i32> %shuf, i64 1
  %fr = freeze i32 %e
  %in = insertvalue { i32, [2 x i64] } undef, i64 5, 1, 1
  call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  %t = tail call fastcc noundef i32 @f(i32 %fr, ptr null) #3, !dbg !3
  ret i32 %t
}

declare i32 @printf(ptr, ...)

attributes #0 = { nounwind "frame-pointer"="all" memory(argmem: readwrite) }
attributes #1 = { mustprogress norecurse uwtable allocsize(0) }
attributes #2 = { cold }
attributes #3 = { nounwind }

!llvm.dbg.cu = !{!2}
!0 = !{!"branch_weights", i32 1, i32 2000}
!1 = !DILocalVariable(name: "v", scope: !4, type: !5, flags: DIFlagArtificial | DIFlagObjectPointer)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !6, emissionKind: FullDebug)
!3 = !DILocation(line: 7, column: 3, scope: !4)
!4 = distinct !DISubprogram(name: "f", file: !6, line: 5, type: !5, unit: !2)
!5 = !{null, i32 4}
!6 = !DIFile(filename: "opaque.c", directory: "/src")
