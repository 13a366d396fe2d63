package batch

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Texts whose answers limits cut in different places: states beyond a loop's bound, which another engine decides;
// accesses after the end of memory's life; data races that leave all undefined; and remarks and explanations that name
// their model.
var (
	warmTests = []string{
		sb,
		"X86 MP\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n" +
			"exists (1:EAX=1 /\\ 1:EBX=0)\n",
		"X86 up\n{}\n P0 | P1 ;\n MOV EAX,$1 | L: ;\n MOV [x],EAX | MOV EAX,[x] ;\n MFENCE | INC EAX ;\n" +
			" MOV EBX,[y] | MOV [y],EAX ;\n | CMP EAX,$4 ;\n | JNE L ;\nexists (0:EBX=4)\n",
		"AArch64 LB\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 ;\n LDR W0,[X1] | LDR W0,[X1] ;\n" +
			" MOV W2,#1 | MOV W2,#1 ;\n STR W2,[X3] | STR W2,[X3] ;\nexists (0:X0=1 /\\ 1:X0=1)\n",
		"C MPplain\n{}\nP0(int *x, atomic_int *y) {\n *x = 1;\n" +
			" atomic_store_explicit(y, 1, memory_order_relaxed);\n}\nP1(int *x, atomic_int *y) {\n" +
			" int r0 = atomic_load_explicit(y, memory_order_acquire);\n int r1 = 7;\n" +
			" if (r0) { r1 = *x; }\n}\nexists (1:r0=1 /\\ 1:r1=0)\n",
	}
	warmPrograms = []string{
		"#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\natomic_int done;\n" +
			"void *f(void *p) { *(int *)p = 1; atomic_store_explicit(&done, 1, memory_order_release); return 0; }\n" +
			"int main(void) { pthread_t t; int *p = malloc(4); pthread_create(&t, 0, f, p); if " +
			"(atomic_load_explicit(&done, memory_order_acquire)) free(p); return 0; }\n",
		"#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *f(void *p) { x = 1; return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int r = x; assert(r < 2); return 0; }\n",
		"#include <pthread.h>\n#include <assert.h>\n#include <stdatomic.h>\natomic_int n;\n" +
			"void *f(void *p) { for (int i = 0; i < atomic_load(&n) + 3; i++) atomic_fetch_add(&n, 1); return 0; " +
			"}\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(atomic_load(&n) >= 0); return 0; }\n",
	}
	// warmModels are visitors' own, one text under several names.
	warmModels = []string{
		"acyclic po-loc | rf | co | fr as coherence\nacyclic po | rf as causality\n",
		"let keep = po & (W * W)\nacyclic keep | rf | co | fr as order\n",
		"enum Mine = 'a || 'b\nacyclic po | rf | co | fr as sc\n",
	}
	warmBells = map[string]string{
		"one.bell": "enum Kinds = 'once || 'acquire\n",
		"two.bell": "enum Kinds = 'once\ninclude \"three.cat\"\n", "three.cat": "empty rf & ext as alone\n",
	}
)

// drawnOptions are random options: the limits among them are such as cut answers anywhere.
func drawnOptions(t *rapid.T) solver.Options {
	o := solver.DefaultOptions()
	switch rapid.IntRange(0, 3).Draw(t, "limit") {
	case 0:
		o.Timeout = 0
	case 1:
		o.Timeout = time.Minute
	default:
		o.Timeout = time.Duration(rapid.IntRange(1, 4000).Draw(t, "time")) * time.Microsecond
	}
	o.Memory = rapid.SampledFrom([]int{0, 1, 2048}).Draw(t, "memory")
	o.Unroll = rapid.IntRange(1, 3).Draw(t, "unroll")
	o.Witnesses = rapid.Bool().Draw(t, "witnesses")
	return o
}

// drawnTest is a random question about a test.
func drawnTest(t *rapid.T) solver.Question {
	task := solver.Task{
		Path:   rapid.SampledFrom([]string{"a.litmus", "b/c.litmus"}).Draw(t, "path"),
		Source: rapid.SampledFrom(warmTests).Draw(t, "test"), Options: drawnOptions(t),
	}
	if rapid.Bool().Draw(t, "own") {
		task.Model = rapid.SampledFrom(
			[]string{"mine", "theirs", "one.cat", "two.cat", "mine~order", "one.cat~coherence"}).Draw(t, "name")
		task.ModelText = rapid.SampledFrom(warmModels).Draw(t, "text")
		if rapid.Bool().Draw(t, "files") {
			task.ModelFiles = warmBells
		}
	} else {
		task.Model = rapid.SampledFrom([]string{"", "sc", "tso", "TSO", "aarch64", "rc11", "tso~uniproc"}).Draw(t,
			"model")
	}
	if task.Engine = rapid.SampledFrom([]string{"", "axiomatic", "machine", "graphs"}).Draw(t,
		"engine"); task.Engine == "" || task.Engine == "axiomatic" {
		task.Options.Explain = rapid.Bool().Draw(t, "explain")
		task.Options.Executions = rapid.SampledFrom([]int{0, 2048}).Draw(t, "executions")
	}
	task.Options.States = rapid.SampledFrom([]int{0, 1, 4096}).Draw(t, "states")
	return task
}

// drawnProgram is a random question about a program.
func drawnProgram(t *rapid.T) solver.Question {
	name := rapid.SampledFrom([]string{"a.c", "b.c"}).Draw(t, "file")
	task := solver.VerifyTask{
		Path: name, Files: []solver.SourceFile{{Name: name, Text: rapid.SampledFrom(warmPrograms).Draw(t, "program")}},
		Options:   drawnOptions(t),
		Engine:    rapid.SampledFrom([]string{"axiomatic", "graphs"}).Draw(t, "engine"),
		Model:     rapid.SampledFrom([]string{"rc11", "tso", "sc"}).Draw(t, "model"),
		DataModel: rapid.SampledFrom([]string{"", "lp64", "ilp32"}).Draw(t, "data model"),
		Char:      rapid.SampledFrom([]string{"", "signed", "unsigned"}).Draw(t, "char"),
	}
	if rapid.Bool().Draw(t, "own") {
		task.Model, task.ModelText = rapid.SampledFrom([]string{"mine", "aarch64.cat", "rc11.cat", "one.cat"}).Draw(t,
			"name"), warmModels[rapid.IntRange(0, 1).Draw(t, "text")]
	}
	if rapid.Bool().Draw(t, "properties") {
		task.Properties = []ir.Property{
			rapid.SampledFrom([]ir.Property{ir.Memory, ir.DataRace, ir.Assertion}).Draw(t, "property"),
		}
	}
	return task
}

// said is all that an answer says, but what it took and where it came from.
func said(t *rapid.T, a solver.Answer) string {
	c := a.Copy()
	*c.Head().MS, *c.Head().Cached = 0, false
	switch c := c.(type) {
	case *solver.Result:
		c.Stats, c.Certificate = nil, nil
	case *solver.Verification:
		c.Stats = nil
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A process that has answered other questions says what a fresh one would, unless a limit cut its answer. The cache
// does not keep an answer that says so.
func TestWarmAsFresh(t *testing.T) {
	c := cached(t, engines.Local{})
	fresh := map[string]string{}
	hits, cut := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		q := drawnTest(t)
		if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
			q = drawnProgram(t)
		}
		if rapid.Bool().Draw(t, "before") { // somebody asks it with other limits
			if _, err := c.Run(t.Context(), limitedBy(q, drawnOptions(t))); err != nil {
				t.Fatal(err)
			}
			c.Close()
		}
		got, err := c.Run(t.Context(), q)
		c.Close()
		if err != nil {
			t.Fatal(err)
		}
		h := got.Head()
		if *h.Cached {
			hits++
		}
		if *h.Cut != "" {
			if cut++; *h.Cached {
				t.Fatalf("an answer is cached that a limit has cut: %s", said(t, got))
			}
			return
		}
		q = limitedBy(q, solver.Options{})
		asked, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := fresh[string(asked)]
		if !ok {
			a, err := (engines.Local{}).Run(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want = said(t, a)
			fresh[string(asked)] = want
		}
		if got := said(t, got); got != want {
			t.Fatalf("cached %v\ngot   %s\nfresh %s", *h.Cached, got, want)
		}
	})
	t.Logf("%d questions, %d answered by the cache, %d cut", len(fresh), hits, cut)
	if hits == 0 || cut == 0 {
		t.Errorf("%d answers of the cache, %d cut: want some of both", hits, cut)
	}
}

// limitedBy is a question with the limits of some options: of time and memory.
func limitedBy(q solver.Question, o solver.Options) solver.Question {
	switch q := q.(type) {
	case solver.Task:
		q.Options.Timeout, q.Options.Memory = o.Timeout, o.Memory
		return q
	case solver.VerifyTask:
		q.Options.Timeout, q.Options.Memory = o.Timeout, o.Memory
		return q
	}
	panic(fmt.Sprintf("a question of an unknown kind: %T", q))
}
