package run

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"litmuscope/litmus/c/cprog/codegen"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

func program(t *testing.T, text, entry string, asked ...ir.Property) *Program {
	t.Helper()
	u, err := codegen.Make(read.Source{Files: []read.File{{Name: "t.c", Text: text}}}, codegen.Options{Entry: entry})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(u,
		elaborate.Options{
			Entry: entry, Unroll: 2, Properties: asked, Target: elaborate.Language,
			Waits: ir.Waits{Reads: true},
		})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// end runs main to where it stops, with operands evaluated from left to right.
func end(t *testing.T, p *Program) (Action, *Thread) {
	t.Helper()
	main := p.Thread(0)
	for {
		a, err := main.Next()
		if err != nil {
			t.Fatal(err)
		}
		if a.Kind != ir.ActChoose {
			return a, main
		}
		main.Choose(true)
	}
}

// The programs look at themselves, and give 0 where all is as C has it; GCC agrees.
func TestC(t *testing.T) {
	files, err := filepath.Glob("../codegen/testdata/run/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if a, main := end(t, program(t, string(text), "test")); a.Kind != ir.ActEnd || main.Result() != 0 {
			t.Errorf("%s: %+v, %#x is wrong", name, a, main.Result())
		}
	}
}

// Memory is bytes, and pointers are numbers.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       uint64
	}{
		{"union", `union { int i; unsigned char b[4]; } u; u.i = 0x01020304; return u.b[1];`, 3},
		{"cast", `long x = 0x1122334455667788; return *((short *)&x + 1);`, 0x5566},
		{"table", `static int t[1000000]; for (int i = 0; i < 1000000; i += 1000) t[i] = i; return t[999000];`, 999000},
		{"size", `int n = 5; int *p = malloc(n * sizeof *p); for (int i = 0; i < n; i++) p[i] = i; return p[4];`, 4},
		{"recursion", `return fib(15);`, 610},
		{"function", `int (*f)(int) = fib; return f(7);`, 13},
		{
			"list",
			`struct n *l = 0; for (int i = 0; i < 50; i++) { struct n *m = malloc(sizeof *m); m->v = i; m->next = l; l = m; } int s = 0; for (; l; l = l->next) s += l->v; return s;`, 1225,
		},
		{"copy", `struct n a = {0, 7}, b; b = a; memcpy(&a, &b, sizeof a); return a.v;`, 7},
	} {
		text := "#include <stdlib.h>\n#include <string.h>\nstruct n { struct n *next; int v; };\n" +
			"int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\nint main(void) { " + c.body + " }\n"
		if a, main := end(t, program(t, text, "")); a.Kind != ir.ActEnd || main.Result() != c.want {
			t.Errorf("%s: %+v, %d, want %d", c.name, a, main.Result(), c.want)
		}
	}
}

// A thread fails where its program does, and says why.
func TestFails(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"assertion", `int x = 1; assert(x == 2);`, "x == 2"},
		{"null", `int *p = 0; *p = 1;`, "the pointer is null"},
		{"beyond", `int a[3]; int i = 3; a[i] = 1;`, "the access leaves its object"},
		{"wild", `int *p = (int *)7; *p = 1;`, "the pointer points to no memory"},
		{"unset", `int *p = malloc(4); return *p;`, "the value read is not initialised"},
		{"function", `void (*f)(void) = 0; f();`, "the pointer points to no function"},
		{"prints", `char a[2] = { 'a', 'b' }; printf("%.2s %s", a, a);`, "the access leaves its object"},
		{
			"prints nothing", `char *p = malloc(1); printf("%.0s%.*s", p, 0, p); puts(p);`,
			"the value read is not initialised",
		},
	} {
		text := "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\nint main(void) { " + c.body +
			" return 0; }\n"
		if a, _ := end(t, program(t, text, "", ir.Assertion, ir.Memory)); a.Kind != ir.ActFailed || a.Text != c.want {
			t.Errorf("%s: %+v, want that %s", c.name, a, c.want)
		}
	}
}

// A loop that only waits runs once, a counting loop runs to its end, and any other runs as often as the bound.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		name, body string
		reads      []uint64
		want       ir.ActionKind
	}{
		{"waits", `while (!x) ;`, []uint64{0}, ir.ActBlocked},
		{"sees", `while (!x) ;`, []uint64{1}, ir.ActEnd},
		{"waits with a local", `int seen; do { seen = x; } while (!seen);`, []uint64{0}, ir.ActBlocked},
		{
			"waits with one in memory", `int seen, *p = &seen; do { *p = x; } while (!*p);`,
			[]uint64{0, 0},
			ir.ActBlocked,
		},
		{"counts what it reads", `for (int i = 0; i < 5; i++) x;`, []uint64{0, 0, 0, 0, 0}, ir.ActEnd},
		{"counts rounds", `int n = 0; while (!x) n++; return n;`, []uint64{0, 0, 0}, ir.ActUnwound},
		{"is done before", `int n = 0; while (!x) n++; return n;`, []uint64{0, 0, 1}, ir.ActEnd},
	} {
		p := program(t, "#include <pthread.h>\nvolatile int x;\nvoid *f(void *p) { x = 1; return 0; }\n"+
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); "+c.body+" }\n", "")
		var got Action
		for again := true; again; {
			again = false
			main := p.Thread(0)
			reads := c.reads
			for {
				a, err := main.Next()
				if errors.Is(err, Anew) {
					again = true
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				got = a
				if a.Kind == ir.ActSpawn {
					other := p.Thread(a.Other)
					other.Begin(main.Spawn(a.Other))
					if _, err := other.Next(); err != nil && !errors.Is(err, Anew) { // so that x belongs to it
						t.Fatal(err)
					}
					continue
				}
				if a.Kind != ir.ActLoad || len(reads) == 0 {
					break
				}
				main.Read(reads[0])
				reads = reads[1:]
			}
		}
		if got.Kind != c.want {
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
	}
}

// The search follows a loop beyond its bound to see whether it repeats for ever; and keeps the facts that it learns
// about the program.
func TestCircles(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		circles    bool
		anew       bool
	}{
		{"takes back", `while (!x) { y = 1; y = 0; }`, true, false},
		{"every other round", `int i = 0; while (!x) { i = !i; y = i; }`, true, false},
		{"counts", `int i = 0; while (!x) y = i++;`, false, false},
		{
			"comes to what another thread has alone", `for (int i = 0; !x; i++) { y = 0; if (i > 3) z = 1; }`, false,
			true,
		},
	} {
		p := program(t, "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nint z;\n"+
			"void *f(void *p) { z = 1; return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); "+c.loop+
			" }\n", "")
		var main *Thread
		memory := map[int]uint64{}
		cut := func() bool { // runs main to its bound
			main, memory = p.Thread(0), map[int]uint64{}
			for {
				a, err := main.Next()
				switch {
				case errors.Is(err, Anew):
					return false
				case err != nil:
					t.Fatalf("%s: %v", c.name, err)
				case a.Kind == ir.ActSpawn:
					other := p.Thread(a.Other)
					other.Begin(main.Spawn(a.Other))
					if _, err := other.Next(); err != nil {
						t.Fatal(err)
					}
				case a.Kind == ir.ActLoad:
					main.Read(memory[a.Scalar])
				case a.Kind == ir.ActStore:
					memory[a.Scalar] = a.Value
					main.Pass(0)
				case a.Kind == ir.ActUnwound:
					return true
				default:
					t.Fatalf("%s: %+v", c.name, a)
				}
			}
		}
		for !cut() {
		}
		circles, err := main.CanRepeat(func(scalar int) uint64 { return memory[scalar] })
		if circles != c.circles || errors.Is(err, Anew) != c.anew {
			t.Errorf("%s: %v, %v", c.name, circles, err)
		}
	}
}
