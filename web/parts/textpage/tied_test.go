package textpage

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/compile"
)

// Instructions keep their order: a line whose instructions are apart has several groups, and a line without any is
// named in front of the next one.
func TestTie(t *testing.T) {
	for _, place := range []string{"", "@wg 0, dev 0"} { // in C, and in OpenCL
		checkTie(t, strings.ReplaceAll("C t\n{}\nP0$ (int* x) {\n  int r0 = *x;\n  int r1 = 0;\n\n  *x = 1;\n"+
			"  *x = 2; }\nP1$ (int* x) {\n  int r2 = 1; }\nexists (x=1)\n", "$", place))
	}
}

func checkTie(t *testing.T, source string) {
	t.Helper()
	tied := Tie(source, []compile.Listing{{ID: 0, Lines: []compile.Line{
		{Text: "a", From: 4},
		{Text: "b", From: 7},
		{Text: "c", From: 7},
		{Text: "d", From: 4},
		{Text: "e", From: 0},
		{Text: "f", From: 8},
		{Text: "h", From: 11},
		{Text: "g", From: 99},
	}}})
	var got []string
	for _, g := range tied.Threads[0].Groups {
		var code []string
		for _, l := range g.Code {
			code = append(code, l.Text)
		}
		got = append(got, fmt.Sprintf("%d/%d:%s", g.Line, g.Tint, strings.Join(code, "+")))
	}
	if want := "4/1:a 5/0: 7/2:b+c 4/1:d 0/0:e 8/3:f 11/4:h 0/0:g"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
	if tied.Untied || tied.first(7) != "c-p0-2" || tied.Source[6].Tint != 2 || tied.Source[4].Tint != 0 ||
		!tied.without(5) || tied.without(6) || tied.without(7) {
		t.Errorf("got %+v", tied)
	}
	if !Tie(source, []compile.Listing{{ID: 0, Lines: []compile.Line{{Text: "a"}}}}).Untied {
		t.Error("nothing is tied, and the view does not say so")
	}
}
