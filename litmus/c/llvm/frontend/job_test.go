package frontend

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/toolchain"
)

// A program's job has the choices of its author as single arguments, and refuses what is not a choice.
func TestJob(t *testing.T) {
	p := Program{
		Language: CPlusPlus, Level: "O2", Main: "a.cpp",
		Files: map[string]string{"a.cpp": "int main() {}", "in/b.h": ""},
		Dirs:  []string{"in"}, Defines: []string{"N=1 -fplugin=x", "-UM"},
	}
	job, err := p.Job()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-O2", "-Iin", "-DN=1 -fplugin=x", "-UM", "a.cpp"} {
		if !slices.Contains(job.Arguments, want) {
			t.Errorf("got %q, want %q in it", job.Arguments, want)
		}
	}
	rust := Program{
		Language: Rust, Main: "a.rs", Files: map[string]string{"a.rs": ""}, Defines: []string{"fast", "n=2"},
	}
	if job, err = rust.Job(); err != nil || !slices.Contains(job.Arguments, `n="2"`) ||
		!slices.Contains(job.Arguments, "opt-level=1") {
		t.Errorf("got %q, %v", job.Arguments, err)
	}
	for want, p := range map[string]Program{
		"want one of O0, O1, O2": {Language: CPlusPlus, Level: "Ofast", Main: "a.cpp"},
		`"-fplugin=x.cpp"`:       {Language: CPlusPlus, Main: "-fplugin=x.cpp", Files: map[string]string{"-fplugin=x.cpp": ""}},
		`"@a.rs"`:                {Language: Rust, Main: "@a.rs", Files: map[string]string{"@a.rs": ""}},
		"of another language":    {Language: Rust, Main: "a.cpp"},
		"no macros to undefine":  {Language: Rust, Main: "a.rs", Defines: []string{"-UN"}},
		"folders to search":      {Language: Rust, Main: "a.rs", Dirs: []string{"in"}},
	} {
		if _, err := p.Job(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Errors of compilers are at the places of the program, also those in headers of the library.
func TestMessages(t *testing.T) {
	p := Program{Main: "a.cpp", Files: map[string]string{"a.cpp": "", "b.h": ""}}
	for _, test := range []struct{ said, want string }{
		{"a.cpp:3:7: error: no such thing\n  int x;\n      ^\n", "a.cpp:3:7: no such thing"},
		{"./b.h:1:2: fatal error: bad\n1 error generated.\n", "b.h:1:2: bad"},
		{"a.rs:1:2: error[E0308]: mismatched types\n", "a.cpp:1:1: a.rs:1: mismatched types"},
		{
			"/usr/include/c++/12/atomic:5:1: error: static assertion failed\n" +
				"/usr/include/c++/12/x:1:1: note: in y\na.cpp:9:4: note: in instantiation of z requested here\n" +
				"a.cpp:10:1: error: second\n",
			"a.cpp:9:4: /usr/include/c++/12/atomic:5: static assertion failed\na.cpp:10:1: second",
		},
		{
			"clang: error: unable to execute command: Killed\n",
			"a.cpp:1:1: clang++ failed:\nclang: error: unable to execute command: Killed",
		},
	} {
		var got []string
		for _, e := range p.Messages(&toolchain.Failure{Command: "clang++", Message: test.said}) {
			got = append(got, e.Error())
		}
		if text := strings.Join(got, "\n"); text != test.want {
			t.Errorf("%q: got\n%s\nwant\n%s", test.said, text, test.want)
		}
	}
	long := "a.cpp:1:1: error: " + strings.Repeat("x", 9000) + "\n"
	many := p.Messages(&toolchain.Failure{Message: strings.Repeat(long, 500)})
	if len(many) != mostMessages || len(many[0].Msg) > mostMessage+10 {
		t.Errorf("got %d messages, the first of %d bytes", len(many), len(many[0].Msg))
	}
}

// The same program gives the same module, in whatever folder the job ran.
func TestModuleOf(t *testing.T) {
	p := Program{Language: CPlusPlus}
	module := func(dir string) string {
		file := `!1 = !DIFile(filename: "a.cpp", directory: "` + dir + `")`
		text, err := p.ModuleOf(map[string][]byte{output: []byte(file)})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	a, b := module("/tmp/litmuscope-job-1/litmuscope-compile-2"), module("/var/litmuscope-job-9/litmuscope-compile-3")
	if a != b || !strings.Contains(a, `directory: "."`) {
		t.Errorf("got %s and %s", a, b)
	}
	if _, err := p.ModuleOf(map[string][]byte{output: make([]byte, mostModule+1)}); err == nil ||
		!strings.Contains(err.Error(), "the limit is 8 MiB") {
		t.Errorf("a large module: %v", err)
	}
}
