package assembly

import (
	"os"
	"strings"
	"testing"
)

func parsed(t *testing.T, name string) *Module {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func function(t *testing.T, m *Module, name string) *Function {
	t.Helper()
	for _, f := range m.Functions {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

// The file uses each instruction and attribute form that LLVM 19 prints for threads, with opaque pointers.
func TestParseOpaquePointers(t *testing.T) {
	m := parsed(t, "opaque.ll")
	f := function(t, m, "f")
	var blocks []string
	for _, b := range f.Blocks {
		blocks = append(blocks, b.Name)
	}
	if got := strings.Join(blocks, " "); got != "1 then else pad join" {
		t.Errorf("blocks %s", got)
	}
	if len(m.Globals) != 7 || m.Globals[4].Name != "odd name" || !m.Globals[4].External || !m.Globals[2].Local ||
		m.Globals[1].Init.Name != "a\x00b" || m.Globals[5].Alias.Name != "x" {
		t.Errorf("globals %+v", m.Globals)
	}
	first := f.Blocks[0].Instructions
	if i := first[0]; i.Result != "2" || i.Op != "alloca" || i.Type.String() != "[4 x i32]" || i.Align != 16 ||
		i.Operands[0].Int.Int64() != 2 {
		t.Errorf("alloca %+v", i)
	}
	if i := first[1]; i.Kind != "umax" || i.Order != "acq_rel" || i.Scope != "singlethread" || !i.Flags["volatile"] {
		t.Errorf("atomicrmw %+v", i)
	}
	if i := first[2]; i.Order != "release" || i.Failed != "monotonic" || !i.Flags["weak"] ||
		i.Type.String() != "{ i32, i1 }" {
		t.Errorf("cmpxchg %+v", i)
	}
	if i := f.Blocks[1].Instructions[0]; i.Order != "acquire" || i.Debug != 3 || i.Pos.Line != 32 {
		t.Errorf("load %+v", i)
	}
	if i := f.Blocks[1].Instructions[5]; i.Op != "switch" || len(i.Cases) != 2 || i.Cases[0].Int.Int64() != -1 ||
		strings.Join(i.Targets, " ") != "else join join" {
		t.Errorf("switch %+v", i)
	}
	if i := f.Blocks[2].Instructions[4]; i.Op != "invoke" || i.Bundles[0] != "deopt" || i.Type.String() != "i32" ||
		strings.Join(i.Targets, " ") != "join pad" || len(i.Operands) != 4 {
		t.Errorf("invoke %+v", i)
	}
	if i := f.Blocks[3].Instructions[0]; !i.Cleanup || len(i.Clauses) != 2 || !i.Clauses[1].Filter {
		t.Errorf("landingpad %+v", i)
	}
	if i := f.Blocks[4].Instructions[0]; strings.Join(i.From, " ") != "then then else" || len(i.Operands) != 3 {
		t.Errorf("phi %+v", i)
	}
	if n := m.Metadata[3]; n.Name != "DILocation" || n.Fields["line"].Text != "7" || n.Fields["scope"].Ref != 4 {
		t.Errorf("metadata %+v", n)
	}
	a := function(t, m, "outside").Params[0].Attributes
	if a["byval"].Type.String() != "%struct.node" || a["align"].Text != "8" {
		t.Errorf("attributes %+v", a)
	}
	if !function(t, m, "outside").Attributes.Has("nounwind") || !f.Attributes.Has("norecurse") {
		t.Errorf("groups %+v", f.Attributes)
	}
}

// Clang 14 prints pointers with their types.
func TestParseTypedPointers(t *testing.T) {
	m := parsed(t, "typed.ll")
	for _, f := range m.Functions {
		for _, b := range f.Blocks {
			for _, i := range b.Instructions {
				if i.Op == "store" && i.Operands[1].Type.String() != i.Type.String()+"*" {
					t.Errorf("%s: store of %s to %s", i.Pos, i.Type, i.Operands[1].Type)
				}
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for source, want := range map[string]string{
		"BC\xc0\xde\x35\x14":                          "t.ll:1:1: this is LLVM bitcode",
		"define void @f() {\n  frob\n}":               `t.ll:2:3: unknown instruction "frob"`,
		"define void @f() {\n  ret void\n":            "t.ll:3:1: want an instruction, got the end of the file",
		"@x = global i32 \"a\"":                       "t.ll:1:17: want a value",
		"@x = global i32":                             "t.ll:1:16: want a value, got the end of the file",
		"@x = global float 3\n@y = frob":              `t.ll:2:6: want global, constant or alias, got "frob"`,
		"declare void @f() #7":                        "t.ll:1:19: the attribute group #7 is not defined",
		"%a = type { i32 }\n%a = type {}":             "t.ll:2:1: the type %a is defined twice",
		"define void @f() nonsense {\n}":              `t.ll:1:18: want "{", got "nonsense"`,
		"@x = global " + strings.Repeat("[1 x ", 500): "nested more than 200 deep",
		"@x = global i32 0, align \"8":                "t.ll:1:26: the string has no end",
		"!0 = !{}\n!0 = !{}":                          "t.ll:2:1: the metadata !0 is defined twice",
	} {
		_, err := Parse("t.ll", source)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", source[:min(len(source), 40)], err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"opaque.ll", "typed.ll", "newest.ll"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(_ *testing.T, text string) { _, _ = Parse("f.ll", text) })
}

// A call without metadata may stand before a debug record, whose # does not begin an attribute of the call.
func TestParseDebugRecordBehindCall(t *testing.T) {
	m, err := Parse("t.ll", `define void @f(ptr %p) {
  call void @g(ptr %p)
    #dbg_declare(ptr %p, !1, !DIExpression(), !2)
  call void @g(ptr %p) #0
    #dbg_value(ptr %p, !1, !DIExpression(), !2)
  ret void
}
declare void @g(ptr)
attributes #0 = { nounwind }
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range function(t, m, "f").Blocks[0].Instructions {
		name := i.Op
		if i.Callee != nil {
			name = i.Callee.Name
		}
		got = append(got, name)
	}
	if want := "g llvm.dbg.declare g llvm.dbg.value ret"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
