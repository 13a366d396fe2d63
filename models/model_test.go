package models

import (
	"strings"
	"testing"
)

func TestLibrary(t *testing.T) {
	for _, name := range Names() {
		m, ok := Find(name)
		if !ok || m.Title == "" || !m.Coherent() {
			t.Errorf("model %s: found %v, title %q, coherent %v", name, ok, m.Title, m.Coherent())
		}
	}
}

func TestModelErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"acyclic po | rff", "m.cat:1:14: rff is not defined"},
		{"let a = po\nacyclic a |", `m.cat:2:12: got end of file, want an expression`},
		{"acyclic R", "m.cat:1:1: acyclic takes a relation, got a set"},
		{"acyclic po & R", "m.cat:1:12: want a relation here, got a set"},
		{"let f(x) = x\nacyclic f", "m.cat:2:9: f is a function"},
		{"procedure p() = acyclic po end", `"procedure" is a construct of cat that is not supported`},
		{"let rec r = po \\ r\nacyclic r", "the recursion has no least solution"},
		{"let x = po", "the model has no axiom"},
		{"(* open", "m.cat:1:1: comment is not closed"},
	} {
		_, err := Parse("m.cat", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}
