package cat

import (
	"fmt"
	"strings"
	"testing"
)

func TestSources(t *testing.T) {
	const text = `"a title" (* of the file *)

(* of all that follows *)

(* above
   a *)
let a = po
let b = rf (* behind b *)
(* above c *)
let c = (* within *) co |
  rf (* behind
  c *)
let d = rf let e = co (* behind e *)

(* above f, (* nested *) *)
let f = rf
and g = co // another sort of comment

(* above the axiom *)
acyclic a | (b) (* within *)
  | c as order
(* above the show *)
show a, a | b as ab
`
	f, err := Parse("x.cat", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	note := func(name string, s Source) { got = append(got, fmt.Sprintf("%s %s %q", name, s, s.Doc)) }
	for _, d := range f.Decls {
		switch d := d.(type) {
		case Let:
			for _, b := range d.Bindings {
				note(b.Name, b.Source)
			}
		case Check:
			note(d.Name, d.Source)
		case Show:
			note("show "+d.Name, d.Source)
		}
	}
	want := `a x.cat:7-7 "above a"
b x.cat:8-8 "behind b"
c x.cat:10-11 "behind c"
d x.cat:13-13 ""
e x.cat:13-13 "behind e"
f x.cat:16-16 "above f, (* nested *)"
g x.cat:17-17 ""
order x.cat:20-21 "above the axiom"
show a :0-0 ""
show ab x.cat:23-23 "above the show"`
	if g := strings.Join(got, "\n"); g != want {
		t.Errorf("got\n%s\nwant\n%s", g, want)
	}
}

func TestSentence(t *testing.T) {
	for doc, want := range map[string]string{
		"":                           "",
		"One. Two.":                  "One.",
		"Both, e.g. this one. Other": "Both, e.g. this one.",
		"No stop":                    "No stop",
	} {
		if got := Sentence(doc); got != want {
			t.Errorf("%q: got %q, want %q", doc, got, want)
		}
	}
}
