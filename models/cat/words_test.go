package cat

import (
	"slices"
	"strings"
	"testing"
)

// Every word of the language has a line of help, and every line is a word's.
func TestWords(t *testing.T) {
	named := map[string]bool{}
	for _, w := range Words() {
		named[w.Name] = true
		if w.Help == "" {
			t.Errorf("%s %s has no help", w.Kind, w.Name)
		}
	}
	for name := range wordHelps {
		if !named[name] {
			t.Errorf("help is for %s, which is no word", name)
		}
	}
	for _, set := range []string{"R", "po", "acyclic", "domain"} {
		if !named[set] {
			t.Errorf("no word %s", set)
		}
	}
}

func TestDefinitions(t *testing.T) {
	words, err := Definitions("t.cat", `"Mine"
(* why *)

let fr = rf^-1 ; co
let said = fr  (* What it is. And more. *)
let rec hb = po
  | (hb ; hb)
and   prop =  co
let f(B) = po ; B
let (a, b) = (po, rf)
procedure p(r) =
  empty r
end
acyclic hb`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range words {
		got = append(got, w.Kind+" "+w.Name+": "+w.Help)
	}
	want := []string{
		"relation fr: fr = rf^-1 ; co",
		"relation said: What it is.",
		"relation hb: hb = po | (hb ; hb)",
		"relation prop: prop = co",
		"function f: f(B) = po ; B",
		"relation a: (a, b) = (po, rf)",
		"relation b: (a, b) = (po, rf)",
		"procedure p: p(r) = empty r",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
