package cat

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A name means the last definition before it that is in sight.
func TestNamesMeanTheirDefinitions(t *testing.T) {
	const text = `"names" (* with (* comments *) *)
let one = po // the first
let one = one | rf
let f(a, b) = a ; b ; one
let rec two = one | (two ; three) and three = two
procedure p(x) =
  acyclic x | two as inner
end
call p(f(two, one)) as outer
let map-it = fun e -> e | one
let g S = let one = S in one & one
let rec h S = match S with || {} -> 0 || x ++ rest -> x ++ h rest end
with co from linearisations(W, one)
enum Kinds = 'a || 'b
acyclic co | nothing as last
`
	marks := Marks("t.cat", text)
	var got []string
	for _, m := range marks {
		if m.Name == nil {
			continue
		}
		line := func(at int) int { return strings.Count(text[:at], "\n") + 1 }
		def := "free"
		if m.Name.Def >= 0 {
			d := marks[m.Name.Def]
			if d.Text != m.Text {
				t.Errorf("%s at line %d means %s", m.Text, line(m.From), d.Text)
			}
			def = fmt.Sprint(line(d.From))
		}
		if text[m.From:m.To] != m.Text {
			t.Errorf("%q stands at %d, where the text has %q", m.Text, m.From, text[m.From:m.To])
		}
		got = append(got, fmt.Sprintf("%d:%s=%s", line(m.From), m.Text, def))
	}
	const want = "2:one=2 2:po=free 3:one=3 3:one=2 3:rf=free 4:f=4 4:a=4 4:b=4 4:a=4 4:b=4 4:one=3 " +
		"5:two=5 5:one=3 5:two=5 5:three=5 5:three=5 5:two=5 6:p=6 6:x=6 7:x=6 7:two=5 7:inner=7 " +
		"9:p=6 9:f=4 9:two=5 9:one=3 9:outer=free 10:map-it=10 10:e=10 10:e=10 10:one=3 " +
		"11:g=11 11:S=11 11:one=11 11:S=11 11:one=11 11:one=11 " +
		"12:h=12 12:S=12 12:S=12 12:x=12 12:rest=12 12:x=12 12:h=12 12:rest=12 " +
		"13:co=13 13:linearisations=free 13:W=free 13:one=3 14:Kinds=14 15:co=13 15:nothing=free 15:last=15"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

// The marks cover everything in the library's models, in order, and nothing twice.
func TestMarksOfTheLibrary(t *testing.T) {
	files, err := filepath.Glob("../library/*.cat")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		end := 0
		for _, m := range Marks(name, string(text)) {
			if m.From < end || m.To <= m.From {
				t.Errorf("%s: %q at %d, behind %d", name, m.Text, m.From, end)
			}
			if between := strings.TrimSpace(string(text[end:m.From])); between != "" {
				t.Errorf("%s: %q is not marked", name, between)
			}
			end = m.To
		}
	}
}
