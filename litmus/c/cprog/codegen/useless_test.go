package codegen

import (
	"strings"
	"testing"

	"litmuscope/litmus/c/cprog/read"
)

// A definition that changes nothing gets a remark; one that does, or that headers of systems ask for, gets none.
func TestUselessDefinitions(t *testing.T) {
	for _, c := range []struct{ text, define, want string }{
		{"int main(void) { return 0; }", "N=3", "t.c:1:1: -D N=3 has no effect: nothing in the program mentions N"},
		{"int main(void) { return N; }", "N=3", ""},
		{"#ifndef N\n#define N 2\n#endif\nint main(void) { return N; }", "N=3", ""},
		{
			"#define N 2\nint main(void) { return N; }", "N=3",
			"t.c:1:1: -D N=3 has no effect after t.c:1:9: N is defined again there",
		},
		{"#define JOIN(a, b) a##b\nint main(void) { return JOIN(FO, O); }", "FOO=3", ""},
		{"#include <assert.h>\nint main(void) { return 0; }", "NDEBUG", ""},
		{"int main(void) { return 0; }", "_GNU_SOURCE", ""},
		{"int main(void) { return 0; }", "-U__linux__", ""},
	} {
		u, err := Make(read.Source{Files: []read.File{{Name: "t.c", Text: c.text}}, Defines: []string{c.define}},
			Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range u.Remarks {
			got = append(got, r.String())
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("-D %s: got %q, want %q", c.define, got, c.want)
		}
	}
}

// The error for a file of another language names the language.
func TestOtherLanguages(t *testing.T) {
	for name, want := range map[string]string{
		"a.cpp": "a.cpp:1:1: this file is in C++", "d/a.rs": "d/a.rs:1:1: this file is in Rust",
		"a.go": "this file is in Go",
		"a.ll": "this file is in LLVM IR", "a.litmus": "use litmuscope run",
	} {
		_, err := Make(read.Source{Files: []read.File{{Name: name, Text: "fn main() {}"}}}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}
