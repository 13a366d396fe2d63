package assembly

import (
	"fmt"
	"strings"
	"testing"
)

// LLVM 19 prints debug records in the place of calls, and constants and flags that LLVM 14 does not know.
func TestParseNewest(t *testing.T) {
	m := parsed(t, "newest.ll")
	if v := m.Globals[0].Init; v.Kind != Splat || v.Elements[0].Int.Int64() != 7 {
		t.Errorf("splat %+v", v)
	}
	code := function(t, m, "f").Blocks[0].Instructions
	if i := code[0]; i.Op != "call" || i.Callee.Name != "llvm.dbg.declare" || i.Operands[0].Meta.Value.Name != "p" ||
		i.Operands[1].Meta.Ref != 5 || i.Debug != 7 || len(i.Operands) != 3 {
		t.Errorf("#dbg_declare %+v", i)
	}
	for k, flags := range map[int]string{1: "nsw nuw", 3: "nneg", 4: "disjoint", 5: "samesign", 6: "nusw nuw"} {
		for _, f := range strings.Fields(flags) {
			if !code[k].Flags[f] {
				t.Errorf("%s lacks %s: %v", code[k].Op, f, code[k].Flags)
			}
		}
	}
	if i := code[8]; i.Op != "shufflevector" || i.Type.String() != "<2 x i8>" || i.Debug != 7 {
		t.Errorf("shufflevector %+v", i)
	}
	if i := code[9]; i.Op != "ptrtoaddr" || i.Type.Bits != 64 {
		t.Errorf("ptrtoaddr %+v", i)
	}
}

// What LLVM's verifier rejects is refused at its place.
func TestParseRefusesWhatDoesNotFit(t *testing.T) {
	in := func(body string) string { return "define i32 @f(i32 %a, ptr %p) {\n" + body + "\n}" }
	for _, c := range []struct{ source, want string }{
		{in("  ret i32 %x"), "t.ll:2:11: %x is not defined"},
		{in("  %x = add i64 1, 2\n  ret i32 %x"), "t.ll:3:11: %x has type i64, not i32"},
		{in("  %a = add i32 1, 2\n  ret i32 %a"), "t.ll:2:3: %a is defined twice"},
		{in("  br label %x"), "t.ll:2:3: there is no block %x in @f"},
		{in("  br label %x\nx:\n  br label %x\nx:\n  ret i32 0"), "t.ll:5:1: the block %x is defined twice"},
		{in("b:\n  br label %b"), "t.ll:3:3: the first block of @f is a target of br"},
		{in(""), "t.ll:3:1: the block %0 does not end with an instruction"},
		{in("  fence seq_cst"), "t.ll:2:3: the block %0 does not end with an instruction"},
		{in("  ret void"), "t.ll:2:3: @f returns i32, and this is void"},
		{in("  store i32 1, i32 %a\n  ret i32 0"), "an operand of store has type i32, and must be a pointer"},
		{in("  %x = load void, ptr %p\n  ret i32 0"), "has type void, which no value has"},
		{in("  %x = zext i32 %a to i8\n  ret i32 0"), "zext cannot convert i32 to i8"},
		{in("  %x = bitcast i32 %a to i64\n  ret i32 0"), "bitcast cannot convert i32 to i64"},
		{in("  %x = icmp eq float 0.0, 1.0\n  ret i32 0"), "must be an integer or a pointer"},
		{
			in("  br i32 %a, label %x, label %x\nx:\n  ret i32 0"),
			"t.ll:2:3: an operand of br has type i32, and must be i1",
		},
		{
			in("  br label %x\nx:\n  %y = add i32 1, 1\n  %z = phi i32 [ 0, %0 ]\n  ret i32 0"),
			"t.ll:5:3: a phi must be",
		},
		{in("  %x = alloca %t\n  ret i32 0"), "alloca needs a type of a known size, and %t has none"},
		{in("  call void (i32) @g()\n  ret i32 0"), "the call has 0 arguments, and its type 1"},
		{in("  %x = insertvalue { i32 } undef, i64 1, 0\n  ret i32 0"), "has type i64, and must be i32"},
		{"@x = global { i32, i32 } { i32 1 }", "t.ll:1:26: this is no value of type { i32, i32 }"},
		{"@x = global [2 x i32] [i32 1, i64 2]", "t.ll:1:35: a part of [2 x i32] has type i64, not i32"},
		{"@x = global [2 x i8] c\"abc\"", "t.ll:1:22: this is no value of type [2 x i8]"},
		{"@x = global ptr inttoptr (ptr null to ptr)", "t.ll:1:17: this is no value of type ptr"},
		{"@x = global i32 0\n@x = global i32 1", "t.ll:2:1: @x is defined twice"},
		{"@x = alias i32, ptr @y\n@y = alias i32, ptr @x", "t.ll:1:1: the alias @x stands for itself"},
		{"%a = type { i32, %b }\n%b = type { [2 x %a] }", "t.ll:1:1: the type %a contains itself"},
		{"%p = type %p*", "t.ll:1:1: the type %p is no structure"},
		{"%f = type i32 (%f)", "t.ll:1:1: the type %f is no structure"},
		{"@x = global i8388607 0", "t.ll:1:13: the type i8388607 is too wide"},
		{"@x = global [99999999999 x i8] zeroinitializer", "t.ll:1:14: want a number"},
		{"@x = global ptr ptrauth (ptr @y, i32 0)", "t.ll:1:17: ptrauth is not supported"},
	} {
		_, err := Parse("t.ll", c.source)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.source, err, c.want)
		}
	}
}

// Modules whose text is short but which stand for something endless or gigantic are refused, or read at once.
func TestParseHostile(t *testing.T) {
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String()
	}
	in := func(body string) string { return "define void @f() {\n" + body }
	for name, c := range map[string]struct{ source, want string }{
		"types in types":   {"@x = global " + strings.Repeat("[1 x ", 100_000), "nested more than 200 deep"},
		"constants":        {"@x = global i32 " + strings.Repeat("add (i32 ", 100_000), "nested more than 200 deep"},
		"metadata":         {"!0 = " + strings.Repeat("!{", 100_000), "nested more than 200 deep"},
		"chain of types":   {repeat(100_000, "%%t%d = type { %%t%d }\n"), "types are nested more than 200 deep"},
		"chain of aliases": {repeat(1000, "@a%d = alias i32, ptr @a%d\n"), "a chain of more than 200 aliases"},
		"a long number":    {"@x = global i32 " + strings.Repeat("1", 10_000_000), "a number has 10000000 digits"},
		"a long line":      {in(strings.Repeat("fence seq_cst ", 750_000)), "t.ll:2:9786673: the module is too large"},
		"a long name": {
			in("%" + strings.Repeat("a", 10_000_000) + " = frob"),
			"t.ll:2:10000005: unknown instruction",
		},
		"blocks":            {in(repeat(400_000, "br label %%b%d\nb%d:\n")), "the module is too large"},
		"escapes in a name": {in("%\"a\\00\\22\\0A\" = frob"), `t.ll:2:17: unknown instruction "frob"`},
	} {
		_, err := Parse("t.ll", c.source)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}
