package litmus_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect/dialecttest"
)

func TestParse(t *testing.T) {
	for _, archive := range []string{"parse.txtar", "c.txtar"} {
		testParse(t, archive)
	}
}

func testParse(t *testing.T, archive string) {
	dialecttest.Golden(t, archive, func(t *testing.T, file, source string) string {
		test, err := litmus.Parse(file, source)
		if err != nil {
			t.Fatal(err)
		}
		checkPrint(t, test)
		text := litmus.Print(test)
		for _, r := range test.Remarks {
			text += r.String() + "\n"
		}
		return text
	})
}

func TestParseErrors(t *testing.T) {
	for _, archive := range []string{"errors.txtar", "c_errors.txtar"} {
		dialecttest.Golden(t, archive, func(t *testing.T, file, source string) string {
			test, err := litmus.Parse(file, source)
			if err == nil {
				t.Fatalf("no error; read as\n%s", litmus.Print(test))
			}
			return err.Error() + "\n"
		})
	}
}

// checkPrint reads back what Print makes of a test: it must be the same test, and
// print the same.
func checkPrint(t *testing.T, test *litmus.Test) {
	t.Helper()
	text := litmus.Print(test)
	again, err := litmus.Parse("", text)
	if err != nil {
		t.Fatalf("printed as\n%s\nwhich is refused: %v", text, err)
	}
	if !reflect.DeepEqual(bare(*again), bare(*test)) {
		t.Errorf("printed as\n%s\nwhich is another test:\n%+v\nnot\n%+v", text, bare(*again), bare(*test))
	}
	if twice := litmus.Print(again); twice != text {
		t.Errorf("printed as\n%s\nthen as\n%s", text, twice)
	}
}

// bare is t without places and remarks, and with single blanks in its instructions.
func bare(t litmus.Test) litmus.Test {
	t.File, t.Source, t.Remarks = "", "", nil
	t.Init = append([]litmus.Init(nil), t.Init...)
	for i := range t.Init {
		item := &t.Init[i]
		item.Pos, item.Target = litmus.Pos{}, nowhere(item.Target)
		item.Values = append([]litmus.Literal(nil), item.Values...)
		for k := range item.Values {
			item.Values[k].Pos = litmus.Pos{}
		}
	}
	t.Threads = append([]litmus.Thread(nil), t.Threads...)
	for i := range t.Threads {
		c := &t.Threads[i]
		c.Pos, c.Cells = litmus.Pos{}, append([]litmus.Cell(nil), c.Cells...)
		c.Params = append([]litmus.Param(nil), c.Params...)
		for k := range c.Params {
			c.Params[k].Pos = litmus.Pos{}
		}
		for k := range c.Cells {
			blank := func(r rune) bool { return strings.ContainsRune(" \t\r\n\f\v", r) }
			c.Cells[k] = litmus.Cell{Text: strings.Join(strings.FieldsFunc(c.Cells[k].Text, blank), " ")}
		}
	}
	t.Locations = append([]litmus.Place(nil), t.Locations...)
	for i := range t.Locations {
		t.Locations[i] = nowhere(t.Locations[i])
	}
	atom := func(a litmus.Atom) litmus.Prop {
		a.Left, a.Literal.Pos = nowhere(a.Left), litmus.Pos{}
		if a.Other != nil {
			o := nowhere(*a.Other)
			a.Other = &o
		}
		return a
	}
	t.Filter = litmus.MapAtoms(t.Filter, atom)
	for k := range t.Handlers {
		t.Handlers[k].Pos = litmus.Pos{}
		for i := range t.Handlers[k].Cells {
			t.Handlers[k].Cells[i].Pos = litmus.Pos{}
			t.Handlers[k].Cells[i].Text = strings.Join(strings.Fields(t.Handlers[k].Cells[i].Text), " ")
		}
	}
	t.InitPos = litmus.Pos{}
	t.Meetings = slices.Clone(t.Meetings)
	for i := range t.Meetings {
		t.Meetings[i].Pos = litmus.Pos{}
	}
	t.Condition.Pos, t.Condition.Prop = litmus.Pos{}, litmus.MapAtoms(t.Condition.Prop, atom)
	return t
}

func nowhere(o litmus.Place) litmus.Place {
	o.Pos = litmus.Pos{}
	return o
}

// Print gives one text for all layouts of a test.
func TestPrintIsCanonical(t *testing.T) {
	plain := "X86 SB\n{}\nP0;\nMOV [x],$1;\nexists x=1"
	normal := func(source string) string {
		test, err := litmus.Parse("", source)
		if err != nil {
			t.Fatal(err)
		}
		return litmus.Print(test)
	}
	want := normal(plain)
	for what, c := range map[string]struct {
		source string
		same   bool
	}{
		"comments":           {"(* a *)X86 SB\n{(* b *)}\nP0;\nMOV [x],$1(* c *);\nexists x=1 (* d *)", true},
		"blanks":             {"X86  SB\r\n{ }\r\n\tP0 ;\r\n  MOV\t[x],$1\r\n;exists ( x = 1 )\r\n", true},
		"lines that CR ends": {"X86 SB\r{}\rP0;\rMOV [x],$1;\rexists x=1\r", true},
		"no-break spaces": {
			"\ufeff\u00a0X86\u00a0SB\n{\u00a0}\n\u00a0P0\u2003;\n\u00a0MOV\u00a0[x],$1;\nexists\u00a0x=1", true,
		},
		"case":                {"x86 SB\n{}\nP0;\nMOV [x],$1;\nexists x=1", true},
		"doc string":          {"X86 SB\n\"a doc string\"\n{}\nP0;\nMOV [x],$1;\nexists x=1", false},
		"info lines":          {"X86 SB\nCycle=Rfe\nwords\n{}\nP0;\nMOV [x],$1;\nexists x=1", false},
		"spelling of numbers": {"X86 SB\n{}\nP0;\nMOV [x],$1;\nexists x=0x1", true},
		"name":                {"X86 MP\n{}\nP0;\nMOV [x],$1;\nexists x=1", false},
		"architecture":        {"PPC SB\n{}\nP0;\nMOV [x],$1;\nexists x=1", false},
		"init":                {"X86 SB\n{x=1;}\nP0;\nMOV [x],$1;\nexists x=1", false},
		"instruction":         {"X86 SB\n{}\nP0;\nMOV [x],$2;\nexists x=1", false},
		"thread":              {"X86 SB\n{}\nP1;\nMOV [x],$1;\nexists x=1", false},
		"quantifier":          {"X86 SB\n{}\nP0;\nMOV [x],$1;\nforall x=1", false},
		"locations":           {"X86 SB\n{}\nP0;\nMOV [x],$1;\nlocations [y;] exists x=1", false},
		"filter":              {"X86 SB\n{}\nP0;\nMOV [x],$1;\nfilter x=1 exists x=1", false},
	} {
		if got := normal(c.source); (got == want) != c.same {
			t.Errorf("another %s:\n%s", what, got)
		}
	}
}

// Places are those of the lines that an editor shows, whatever ends them.
func TestPlacesBehindForeignBlanks(t *testing.T) {
	for _, text := range []string{
		"X86 T\r{}\rP0;\rNOP;\rexists (x?1)", "X86 T\r\n{}\r\nP0;\r\nNOP;\r\nexists (x?1)",
		"X86 T\n{}\rP0;\r\nNOP;\nexists (x?1)",
	} {
		if _, err := litmus.Parse("t", text); err == nil || !strings.HasPrefix(err.Error(), "t:5:10: ") {
			t.Errorf("%q: %v, want line 5, column 10", text, err)
		}
	}
	_, err := litmus.Parse("t", "X86 T\n{}\nP0;\nNOP;\n\u00a0exists (x?1)") // columns count bytes
	if err == nil || !strings.HasPrefix(err.Error(), "t:5:12: ") {
		t.Errorf("behind a no-break space: %v", err)
	}
	mended, ok := litmus.Fix{Pos: litmus.Pos{Line: 2, Col: 1}, Was: "b", Text: "c"}.Apply("a\rb\rd")
	if !ok || mended != "a\rc\rd" {
		t.Errorf("mended as %q", mended)
	}
}

// A test without a condition parses, and its author gets a suggestion for one.
func TestNoCondition(t *testing.T) {
	for _, text := range []string{"X86 T\n{}\nP0;\nNOP;", "X86 T\n{}\nP0;\nNOP;\n\n"} {
		test, err := litmus.Parse("t", text)
		if err != nil || test.Condition.String() != "forall (true)" || len(test.Remarks) != 1 {
			t.Fatalf("%q: %v, %v", text, test, err)
		}
		mended, ok := test.Remarks[0].Fix.Apply(text)
		if test, err = litmus.Parse("t", mended); !ok || err != nil || test.Condition.String() != "exists (true)" ||
			len(test.Remarks) > 0 {
			t.Errorf("mended as %q: %v", mended, err)
		}
	}
	if test, err := litmus.Parse("t", "X86 T\n{}\nP0;\nNOP;\nlocations [x;]"); err != nil || len(test.Remarks) > 0 {
		t.Errorf("with locations: %v, %v", test, err)
	}
}
