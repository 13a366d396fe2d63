package engines_test

import (
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// storeBuffering accesses x and y according to their declarations.
const storeBuffering = `#include <pthread.h>
#include <assert.h>
struct pair { int x, y; };
DECLARATION
int a, b;
void *f(void *p) { Y = 1; a = X; return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, f, 0);
  X = 1; b = Y;
  pthread_join(id, 0);
  assert(a || b);
}
`

// increments has two increments of a counter, one of which may get lost.
const increments = `#include <pthread.h>
#include <assert.h>
volatile int v;
void *f(void *p) { v++; return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, f, 0);
  v++;
  pthread_join(id, 0);
  assert(v == 2);
}
`

// Plain accesses that count as relaxed atomics do not race, and keep no more in order than relaxed atomics do. The
// formula and the interpreter agree.
func TestRelaxedAccesses(t *testing.T) {
	sb := func(declaration, x, y string) string {
		return strings.NewReplacer("DECLARATION", declaration, "X", x, "Y", y).Replace(storeBuffering)
	}
	variables := sb("volatile int x, y;", "x", "y")
	for _, c := range []struct {
		name, text, volatile, plain string
		models                      []string
		want                        string // the property that fails; "" for a safe program
	}{
		{"volatile", variables, "", "", []string{"rc11"}, "data-race"},
		{"volatile, said", variables, "plain", "", []string{"rc11"}, "data-race"},
		{"volatile, relaxed", variables, "relaxed", "", []string{"rc11", "imm", "aarch64", "tso"}, "assertion"},
		{"volatile, relaxed", variables, "relaxed", "", []string{"sc"}, ""},
		{"named", sb("int x, y;", "x", "y"), "", "relaxed:x,y", []string{"rc11", "aarch64"}, "assertion"},
		{"one of two named", sb("int x, y;", "x", "y"), "", "relaxed:x", []string{"rc11"}, "data-race"},
		{"fields", sb("struct pair s;", "s.x", "s.y"), "", "relaxed:x,y", []string{"rc11"}, "assertion"},
		{"a structure", sb("struct pair s;", "s.x", "s.y"), "", "relaxed:s", []string{"rc11"}, "assertion"},
		{
			"a volatile structure", sb("volatile struct pair s;", "s.x", "s.y"), "relaxed", "",
			[]string{"rc11"},
			"assertion",
		},
		{
			"fields by a pointer", sb("struct pair s, *q = &s;", "q->x", "q->y"), "", "relaxed:x,y",
			[]string{"rc11"},
			"assertion",
		},
		{"elements", sb("int s[2];", "s[0]", "s[1]"), "", "relaxed:s", []string{"rc11"}, "assertion"},
		{
			"through a pointer to plain int", sb("int x, y, *q = &x;", "(*q)", "y"), "", "relaxed:x,y",
			[]string{"rc11"},
			"data-race",
		},
		{"an increment is a load and a store", increments, "relaxed", "", []string{"rc11", "sc", "tso"}, "assertion"},
	} {
		for _, model := range c.models {
			for _, engine := range []string{"axiomatic", "graphs"} {
				task := randomTask(c.text)
				task.Model, task.Engine, task.Volatile, task.Plain = model, engine, c.volatile, c.plain
				task.Options.Timeout = 0
				v, err := engines.Run(t.Context(), task)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				got := string(v.Verdict)
				if v.Failure != nil {
					got = string(v.Failure.Property)
				}
				if want := c.want; v.Status != solver.OK || want == "" && got != "safe" || want != "" && got != want {
					t.Errorf("%s under %s by %s: %s %s %s, want %q",
						c.name, model, engine, got, said(v), saidOf(v), want)
				}
				on := strings.Contains(saidOf(v), "count as relaxed atomics (--")
				if on != (c.volatile == solver.CountRelaxed || c.plain != "") {
					t.Errorf("%s under %s by %s: the remarks are %v", c.name, model, engine, v.Remarks)
				}
			}
		}
	}
}

// An impossible value is an error, which lists the possible ones.
func TestRelaxedAccessesRefused(t *testing.T) {
	for _, c := range []struct{ volatile, plain, want string }{
		{"strong", "", `--volatile: unknown value "strong": want plain or relaxed`},
		{"", "x", `--plain: unknown value "x": want relaxed:NAME`},
		{"", "atomic:x", `--plain: unknown value "atomic:x": want relaxed:NAME`},
		{"", "relaxed:", `--plain: "" is no name`},
		{"", "relaxed:v,s.x", `--plain: "s.x" is no name`},
		{"", "relaxed:v,counter", "random.c:1:1: --plain: the program declares no variable and no field counter"},
		{"", "relaxed:f", "--plain: the program declares no variable and no field f"},
		{"", "relaxed:V", "no variable and no field V: did you mean v?"},
	} {
		task := randomTask(increments)
		task.Model, task.Engine, task.Volatile, task.Plain = "sc", engines.Auto, c.volatile, c.plain
		v, err := engines.Run(t.Context(), task)
		got := ""
		if v != nil {
			got = v.Error
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q %q: %s, want %s", c.volatile, c.plain, got, c.want)
		}
	}
}

// The cache separates answers with and without the option.
func TestRelaxedAccessesAreOtherQuestions(t *testing.T) {
	key := func(volatile, plain string) solver.Key {
		task := randomTask(increments)
		task.Model, task.Engine, task.Volatile, task.Plain = "sc", engines.Auto, volatile, plain
		k, err := engines.Key(task)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	usual := key("", "")
	if key(solver.CountPlain, "") != usual {
		t.Error("--volatile=plain is another question than the usual one")
	}
	if key(solver.CountRelaxed, "") == usual || key("", "relaxed:v") == usual {
		t.Error("relaxed accesses have the key of plain ones")
	}
}

// No answer mentions a bound on loops where there are none.
func TestBoundsWithoutLoops(t *testing.T) {
	loop := strings.Replace(increments, "v++; return", "for (int i = 0; i < 2; i++) v++; return", 1)
	for _, engine := range []string{"axiomatic", "graphs", "lazy-cseq", "machine"} {
		for _, property := range []ir.Property{ir.Assertion, ir.Memory} {
			for text, want := range map[string]bool{increments: false, loop: true} {
				task := randomTask(text)
				task.Model, task.Engine, task.Properties = "sc", engine, []ir.Property{property}
				task.Options.Timeout = 0
				v, err := engines.Run(t.Context(), task)
				if err != nil {
					t.Fatal(err)
				}
				_, bounded := v.Bounds["unroll"]
				if v.Loops != want || bounded && !want {
					t.Errorf("%s, %s: loops %v, bounds %v of a program where there are loops is %v", engine, property,
						v.Loops, v.Bounds, want)
				}
			}
		}
	}
}
