package codegen

import (
	"strings"
	"testing"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/read"
)

// A preprocessed file's markers say where its lines come from: in mistakes, in statements, and in remarks. Structures
// have the same layout in it as elsewhere, and each statement shows its own text.
func TestMarkers(t *testing.T) {
	const head = "# 0 \"dir/main.c\"\n# 1 \"<command-line>\" 1\n# 1 \"/usr/include/x.h\" 1 3 4\n" +
		"struct __attribute__((packed)) s { char c; int i; };\n# 7 \"dir/main.c\" 2\nstatic struct s s;\n"
	unit := func(text string) (*code.Unit, error) {
		return Make(read.Source{Files: []read.File{{Name: "m.i", Text: text}}}, Options{})
	}
	_, err := unit(head + "int main(void)\n{\n# 33 \"dir/other.c\"\n\treturn undefined;\n}\n")
	if err == nil || !strings.HasPrefix(err.Error(), "dir/other.c:33:9: undefined") {
		t.Errorf("a mistake: %v", err)
	}
	u, err := unit(head + "int main(void)\n{\n\ts.i = sizeof(struct s);\n# 10 \"dir/main.c\" 3 4\n\ts.c\n" +
		"# 10 \"dir/main.c\"\n\t= 3;\n\treturn 0;\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range u.Lines {
		lines = append(lines, l.Pos.String()+" "+l.Text)
	}
	got := strings.Join(lines, "\n")
	for _, want := range []string{
		"dir/main.c:10:2 s.i = sizeof(struct s);", "dir/main.c:10:2 s.c = 3;",
		"dir/main.c:11:2 return 0;",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %s", got, want)
		}
	}
	if strings.Contains(got, "m.i") {
		t.Errorf("a place is not presumed:\n%s", got)
	}
	// Where the program asks for its line, #line counts, and says it.
	if _, err := unit(
		"#line 40 \"y.c\"\n_Static_assert(__LINE__ == 40, \"line\");\nint main(void) { return undefined; }\n"); err ==
		nil || !strings.HasPrefix(err.Error(), "y.c:41:") {
		t.Errorf("__LINE__ behind #line: %v", err)
	}
	if _, err := unit(
		"# 40 \"y.c\"\n_Static_assert(__LINE__ == 40, \"line\");\nint main(void) { return undefined; }\n"); err ==
		nil || !strings.HasPrefix(err.Error(), "y.c:41:") {
		t.Errorf("__LINE__ behind a marker: %v", err)
	}
}
