package x86

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/litmus"
)

// checkConversion prints a test in the other syntax and checks that OtherSyntax restores its program. It returns false
// if there is nothing to convert.
func checkConversion(t *testing.T, name, source string) (converted bool) {
	t.Helper()
	test, err := litmus.Parse(name, source)
	if err != nil || test.Arch != "X86" && test.Arch != "X86_64" {
		return false
	}
	p, err := Dialect{}.Lower(test)
	if err != nil {
		return false
	}
	if _, foreign := OtherSyntax(test); foreign {
		t.Errorf("%s: a valid test counts as one in the other syntax", name)
	}
	own := test.Arch == "X86_64"
	text, _, errs := printAs(test, own, !own)
	if len(errs) > 0 {
		t.Logf("%s: cannot be printed in the other syntax: %v", name, errs)
		return false
	}
	other, err := litmus.Parse(name, text)
	if err != nil {
		t.Fatalf("%s: printed in the other syntax, it is not read: %v\n%s", name, err, text)
	}
	o, foreign := OtherSyntax(other)
	if !foreign {
		return false // no operand tells the syntaxes apart
	}
	if len(o.Errors) > 0 {
		t.Errorf("%s: the conversion is refused: %v\n%s", name, o.Errors, text)
		return false
	}
	again, err := litmus.Parse(name, o.Text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	q, err := Dialect{}.Lower(again)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, o.Text)
	}
	if !sameProgram(p, q) {
		t.Errorf("%s: the conversion changes the program:\n%s\n%s\n%s", name, source, text, o.Text)
	}
	return true
}

// A test in the other syntax, converted, is the program that it was before: every line of the dialect's own table of
// instructions, and the tests of the corpus.
func TestOtherSyntaxConverts(t *testing.T) {
	table, err := os.ReadFile("testdata/instructions.txt")
	if err != nil {
		t.Fatal(err)
	}
	converted := 0
	for line := range strings.Lines(string(table)) {
		part := strings.Split(line, "|")
		if len(part) != 4 {
			continue
		}
		source := strings.TrimSpace(part[0]) + " T\n{ " + part[1] + " }\nP0;\n" +
			strings.ReplaceAll(strings.TrimSpace(part[2]), "; ", ";\n") + ";\nexists (true)\n"
		if checkConversion(t, strings.TrimSpace(part[2]), source) {
			converted++
		}
	}
	if converted < 50 {
		t.Errorf("%d of the table's lines were converted, want at least 50", converted)
	}
	files := 0
	for _, folder := range []string{"x86", "x86_64", "x86_64mixed", "scaling"} {
		err := filepath.WalkDir(filepath.Join("../../../../shared/corpus", folder),
			func(path string, d os.DirEntry, err error) error {
				if err != nil || !strings.HasSuffix(path, ".litmus") {
					return nil
				}
				if files++; testing.Short() && files%7 != 0 {
					return nil
				}
				source, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				if checkConversion(t, path, string(source)) {
					converted++
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d conversions, %d files", converted, files)
}

// What people paste: compilers' Intel syntax under X86_64, and AT&T's under X86.
func TestOtherSyntaxTexts(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"a compiler's Intel syntax", `X86_64 SB
{ }
 P0                            | P1                   ;
 mov DWORD PTR x[rip], 1       | mov dword ptr [y], 1 ;
 mov eax, DWORD PTR [rip+y]    | mov eax, [x]         ;
 movzx ecx, al                 | lock xadd [z], rbx   ;
 lock cmpxchg qword ptr [w],rbx| cmp eax, 1           ;
                               | jne L                ;
                               | L: setne byte ptr [v];
exists (0:rax=0 /\ 1:rax=0)
`, `X86_64 SB
{
}
 P0                     | P1                ;
 movl $1,(x)            | movl $1,(y)       ;
 movl (y),%eax          | movl (x),%eax     ;
 movzbl %al,%ecx        | lock xaddq %rbx,(z);
 lock cmpxchgq %rbx,(w) | cmpl $1,%eax      ;
                        | jne L             ;
                        | L: setne (v)      ;
exists (0:rax=0 /\ 1:rax=0)
`},
		{"AT&T under X86, with a comment", `X86 SB
{ int64_t q; }
 P0             | P1             ;
 movl $1,(x)    | movl $1,(y) (* the flag *) ;
 movl (y),%eax  | movl 4(%ebx,%ecx,4),%edx  ;
 mfence         | lock addb $1,(x) ;
exists (0:EAX=0)
`, `X86 SB
{ int64_t q; }
 P0             | P1             ;
 MOV [x],$1     | MOV [y],$1 (* the flag *) ;
 MOV EAX,[y]    | MOV EDX,[EBX+ECX*4+4]  ;
 mfence         | LOCK ADD BYTE PTR [x],$1 ;
exists (0:EAX=0)
`},
	} {
		test, err := litmus.Parse("t", c.source)
		if err != nil {
			t.Fatal(err)
		}
		o, ok := OtherSyntax(test)
		if !ok || len(o.Errors) > 0 {
			t.Errorf("%s: recognised %v, errors %v", c.name, ok, o.Errors)
			continue
		}
		if squeeze(o.Text) != squeeze(c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, o.Text, c.want)
		}
	}
	for _, c := range []struct{ name, source, want string }{
		{
			"an unknown instruction", "X86_64 T\n{}\nP0;\nmov dword ptr [x], 1;\nfrob [x], eax;\nexists (x=1)\n",
			"t:5:1: X86_64: unknown instruction frob",
		},
		{
			"a 64-bit register in X86", "X86 T\n{}\nP0;\nmovq (x),%rax;\nexists (x=1)\n",
			"t:4:11: X86: unknown register rax: it needs 64-bit code",
		},
		{
			"an address without a form", "X86_64 T\n{}\nP0;\nmov [x+rax+8], ebx;\nexists (x=1)\n",
			"t:4:5: X86_64: the address \"[x+rax+8]\" has no form in AT&T syntax",
		},
	} {
		test, err := litmus.Parse("t", c.source)
		if err != nil {
			t.Fatal(err)
		}
		o, ok := OtherSyntax(test)
		if !ok || o.Text != "" || !strings.HasPrefix(o.Errors.Error(), c.want) {
			t.Errorf("%s: recognised %v, text %q, errors %v, want %s", c.name, ok, o.Text, o.Errors, c.want)
		}
	}
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }
