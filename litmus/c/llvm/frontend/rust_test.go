package frontend

import (
	"strings"
	"testing"
)

// The function main needs f and what f needs; the body of g is dropped, and h goes.
func TestPruneKeepsWhatMainNeeds(t *testing.T) {
	got := prune(`%t = type { i32 }
@a = constant i32 1
@"b c" = constant ptr @a
@d = constant i32 2

; a comment
define i32 @main() !dbg !1 {
    #dbg_value(i32 1, !9, !DIExpression(), !9)
  call void @f()
  call void @g()
  ret i32 0
}
define internal void @f() {
  store ptr @"b c", ptr null
  ret void
}
define internal fastcc void @g(i32 %0) unnamed_addr #3 personality ptr @h !dbg !2 {
  call void @h()
  ret void
}
define void @h() {
  ret void
}
attributes #3 = { nounwind }
!llvm.dbg.cu = !{!2}
!1 = !{!3}
!2 = !{}
!3 = !{}
!9 = !{}
`, "main", func(name string) bool { return name == "g" })
	for text, want := range map[string]bool{
		"%t = type": true, "@a =": true, `@"b c" =`: true, "@d =": false, "define internal void @f()": true,
		"declare void @g(i32 %0) unnamed_addr #3\n": true, "@h": false, "#dbg_value": false, "!1 =": true, "!3 =": true,
		"!2 =": false, "!9 =": false, "attributes #3": true,
	} {
		if strings.Contains(got, text) != want {
			t.Errorf("%q is in the module: %v, want %v", text, !want, want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}
