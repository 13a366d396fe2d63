package recognise_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/recognise"
)

// sample is a text of testdata/samples.txt.
type sample struct {
	line             int
	kind, arch, then string
	text             string
}

func samples(t testing.TB) (out []sample) {
	t.Helper()
	text, err := os.ReadFile("testdata/samples.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.SplitAfter(string(text), "\n") {
		if head, ok := strings.CutPrefix(line, "== "); ok {
			s := sample{line: i + 1}
			head, s.then, _ = strings.Cut(strings.TrimSpace(head), " -> ")
			s.kind = head
			if kind, code, ok := strings.Cut(head, " of "); ok && strings.HasSuffix(code, " code") {
				s.kind, s.arch = kind, strings.TrimSuffix(code, " code")
			}
			out = append(out, s)
		} else if len(out) > 0 {
			out[len(out)-1].text += line
		}
	}
	return out
}

func TestSamples(t *testing.T) {
	for _, s := range samples(t) {
		r, ok := recognise.Of(s.text)
		if s.kind == "nothing" {
			if ok {
				t.Errorf("line %d: got %s, want nothing", s.line, r.Kind)
			}
			continue
		}
		if string(r.Kind) != s.kind || r.Arch != s.arch {
			t.Errorf("line %d: got %q %q, want %q %q", s.line, r.Kind, r.Arch, s.kind, s.arch)
			continue
		}
		if s.kind == string(recognise.Test) {
			continue
		}
		errs := recognise.Errors("t", s.text)
		if len(errs) != 1 || !strings.HasPrefix(errs[0].Msg, "this is "+s.kind) {
			t.Errorf("line %d: errors %v", s.line, errs)
			continue
		}
		mended, converted := errs[0].Fix.Apply(s.text)
		if converted != (s.then == "convert") {
			t.Errorf("line %d: %v, converted: %v", s.line, errs, converted)
		}
		if converted {
			if left := dialect.Errors("t", mended); len(left) > 0 {
				t.Errorf("line %d: converted to a test with errors: %v\n%s", s.line, left, mended)
			}
			t.Logf("line %d:\n%s", s.line, mended)
		}
		if at, why, ok := strings.Cut(s.then, ": "); ok {
			if plain, err := strconv.Unquote(why); err == nil {
				why = plain
			}
			if fmt.Sprint(errs[0].Pos.Line) != at || !strings.HasSuffix(errs[0].Msg, ": "+why) {
				t.Errorf("line %d: got %v, want line %s: %s", s.line, errs, at, why)
			}
		}
	}
}

// What the pages say of each kind: where to open it, or what to do.
func TestOpens(t *testing.T) {
	c := "#include <pthread.h>\nint main(void) { return 0 }\n"
	errs := recognise.Errors("t", c)
	if len(errs) != 1 || errs[0].Fix.String() != "Open in Programs" {
		t.Errorf("a C program as a test: %v", errs)
	}
	wrong := dialect.Errors("t", c)
	if got := recognise.ProgramErrors("t", c, wrong); fmt.Sprint(got) != fmt.Sprint(wrong) {
		t.Errorf("a C program as a program: %v", got)
	}
	for _, text := range []string{
		"X86 SB\n{ }\nP0;\nNOP;\nexists (true)\n", "arch = \"AArch64\"\n[thread.0]\n",
	} {
		if got := recognise.ProgramErrors("t", text, wrong); len(got) != 1 ||
			got[0].Fix.String() != "Open in Explorer" {
			t.Errorf("a test as a program: %v", got)
		}
		if got := recognise.ProgramErrors("t", text, nil); got != nil {
			t.Errorf("a program without errors: %v", got)
		}
	}
}

// A test in the other syntax of x86 is converted by the Fix of one error.
func TestOtherSyntax(t *testing.T) {
	source := "X86_64 SB\n{ }\n P0                   | P1                   ;\n" +
		" mov dword ptr [x], 1 | mov dword ptr [y], 1 ;\n mov eax, [y]         | mov eax, [x]         ;\n" +
		"exists (0:rax=0 /\\ 1:rax=0)\n"
	errs := recognise.Errors("t", source)
	if len(errs) != 1 || errs[0].Fix.String() != "Convert to AT&T syntax" || errs[0].Pos.Line != 4 {
		t.Fatalf("got %v", errs)
	}
	text, ok := errs[0].Fix.Apply(source)
	if errs := recognise.Errors("t", text); !ok || len(errs) > 0 {
		t.Errorf("converted: %v\n%s", errs, text)
	}
	errs = recognise.Errors("t", strings.Replace(source, "mov eax, [y]", "frob eax, [y]", 1))
	if len(errs) != 2 || errs[0].Fix.Text != "" || errs[1].Pos.Line != 5 {
		t.Errorf("with an unknown instruction: %v", errs)
	}
}

const corpus = "../../../shared/corpus"

// Nothing valid is foreign: the tests of the corpus are tests, and its C programs are C.
func TestCorpus(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus")
	}
	tests, programs := 0, 0
	err := filepath.WalkDir(corpus, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ext := filepath.Ext(path)
		if d.IsDir() || ext != ".litmus" && ext != ".c" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r, ok := recognise.Of(string(text))
		switch {
		case ext == ".litmus":
			if tests++; r.Kind != recognise.Test {
				t.Errorf("%s counts as %s", path, r.Kind)
			}
		case ok && r.Kind != recognise.CProgram:
			t.Errorf("%s counts as %s, by line %d", path, r.Kind, r.Line)
		default:
			programs++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tests, %d programs", tests, programs)
}

// Time is bounded whatever the text.
func TestBounded(t *testing.T) {
	for _, unit := range []string{
		"{{{", "/*", "\"", "P0(", "a(", "int f(int x, ", "\tmov eax, ebx\n", "x:\n", "<", "{ ", "arch = \"", "a b ",
		"0: 00 ",
	} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		start := time.Now()
		recognise.Of(text)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%q: %v", unit, took)
		}
	}
}

// No text makes the package panic, and each conversion is a valid test.
func FuzzErrors(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := recognise.Of(text)
		if ok && (r.Line < 1 || r.Line > 1+strings.Count(strings.ReplaceAll(text, "\r", "\n"), "\n")) {
			t.Fatalf("line %d of %q", r.Line, text)
		}
		for _, e := range recognise.Errors("t", text) {
			mended, ok := e.Fix.Apply(text)
			if !ok || !strings.HasPrefix(e.Fix.Title, "Convert") {
				continue
			}
			if left := dialect.Errors("t", mended); len(left) > 0 {
				t.Fatalf("converted to a test with errors: %v\n%s", left, mended)
			}
		}
		_ = recognise.ProgramErrors("t", text, dialect.Errors("t", "X86"))
	})
}
