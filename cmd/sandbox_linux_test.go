package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/web/drawing"
	"litmuscope/web/drawing/layout"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// spent returns the processor time that this process has used, without its children.
func spent(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cheaply fails the test if f costs this process too much. The cost of child processes does not count.
func cheaply(t *testing.T, what string, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, start := spent(t), time.Now()
	f()
	cpu = spent(t) - cpu
	runtime.ReadMemStats(&after)
	allocated := (after.TotalAlloc - before.TotalAlloc) >> 20
	t.Logf("%s: %v, of which here %v and %d MiB", what, time.Since(start).Round(time.Millisecond),
		cpu.Round(time.Millisecond), allocated)
	if cpu > time.Second || allocated > 100 {
		t.Errorf("%s cost the server %v and %d MiB", what, cpu, allocated)
	}
}

const quarter = 250 << 10

// hostile lists questions that are expensive to read.
func hostile() map[string]engines.Question {
	test := func(init, body, condition string) engines.Question {
		return engines.Question{
			File: "test", Source: "X86 bad\n{" + init + "}\n" + body + "\n" + condition + "\n",
			Options: solver.DefaultOptions(),
		}
	}
	fill := func(s string) string { return strings.Repeat(s, quarter/len(s)) }
	var doubling strings.Builder
	doubling.WriteString("let f0(x) = x | x\n")
	for i := 1; i < 17; i++ {
		fmt.Fprintf(&doubling, "let f%d(x) = f%d(x) | f%d(x)\n", i, i-1, i-1)
	}
	for i := range 4000 {
		fmt.Fprintf(&doubling, "let a%d = f16(po)\nacyclic a%d\n", i, i)
	}
	own := func(text string) engines.Question {
		q := test("", " P0 ;\n NOP ;", "exists (x=1)")
		q.Models, q.ModelText = []string{"own"}, text[:min(len(text), quarter)]
		return q
	}
	wide := test("", " P0 "+strings.Repeat("| P1 ", 1)+";\n MOV EAX,[x] | NOP ;", "exists (x=1)")
	long := wide
	long.State = solver.State{}
	for range quarter / 10 {
		long.State = append(long.State, solver.Binding{Name: "x", Value: "1"})
	}
	return map[string]engines.Question{
		"instructions of one thread": test("", " P0 ;\n"+fill(" INC [x] ;\n"), "exists (x=1)"),
		"columns":                    test("", fill(" P0 |")+" P1 ;\n"+" NOP ;", "exists (x=1)"),
		"cells of one line":          test("", " P0 ;\n"+fill(" | ")+";", "exists (x=1)"),
		"threads and a long one": test("",
			strings.Repeat(" P0 |", 1000)+" P1 ;\n"+strings.Repeat(fill(" |")[:1000]+" NOP ;\n", 200), "exists (x=1)"),
		"names":                  test(fill("x;"), " P0 ;\n NOP ;", "exists (x=1)"),
		"a name":                 test("", " P0 ;\n MOV ["+fill("x")+"],$1 ;", "exists (x=1)"),
		"parentheses":            test("", " P0 ;\n NOP ;", "exists "+fill("(")+"x=1"),
		"a condition":            test("", " P0 ;\n NOP ;", "exists ("+fill(`x=1 /\ `)+"x=1)"),
		"comments":               test("", fill("(* "), ""),
		"no text":                {File: "test", Source: fill("\x80\xff\x00")},
		"errors":                 test("", " P0 ;\n"+fill(" FOO ;\n"), "exists (x=1)"),
		"a state":                long,
		"doubling functions":     own(doubling.String()),
		"postfix operators":      own("acyclic po" + fill("?")),
		"aliases":                own("let a0 = po | rf\n" + fill("let a0 = a0 | a0\n") + "acyclic a0"),
		"recursion":              own("let rec f = f | f\nacyclic f"),
		"a deep model":           own("acyclic " + fill("(")),
		"a long name in a model": own("acyclic po as " + fill("x")),
	}
}

// Reading a question's text costs only a child process, which has limits.
func TestReadingIsApart(t *testing.T) {
	s, err := newSandbox(2, nil, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.pool.Close()
	for what, q := range hostile() {
		cheaply(t, what, func() {
			in, err := childwork.Inspecting.Call(t.Context(), s, q)
			var limited *solver.Limited
			if err != nil && !errors.As(err, &limited) {
				t.Errorf("%s: %v", what, err)
			}
			if text, err := json.Marshal(in); err != nil || len(text) > 2<<20 {
				t.Errorf("%s: %d bytes are said of it, %v", what, len(text), err)
			}
		})
	}
	in, err := childwork.Inspecting.Call(t.Context(), s,
		engines.Question{
			File: "test", Source: "X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n",
			Models: []string{"tso"}, Options: solver.DefaultOptions(),
		})
	if err != nil || in.Name != "SB" {
		t.Errorf("afterwards: %+v, %v", in, err)
	}
}

// An endless drawing is stopped at its limit or when its client leaves, and other clients do not wait for it.
func TestDrawingIsApart(t *testing.T) {
	s, err := newSandbox(2, nil, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.pool.Close()
	small := &models.Graph{
		Threads: []models.GraphThread{{Name: "P0", Source: []string{"NOP"}}},
		Events:  []models.GraphEvent{{ID: 0, Name: "a", Kind: "W"}},
	}
	huge := &models.Graph{Threads: small.Threads}
	all := models.GraphEdges{Name: "rf"}
	for i := range 200 {
		huge.Events = append(huge.Events, models.GraphEvent{ID: i, Name: "a", Kind: "W"})
		for j := range 200 {
			all.Edges = append(all.Edges, models.Pair{i, j})
		}
	}
	huge.Relations = append(huge.Relations, all)
	cheaply(t, "a huge drawing", func() {
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := childwork.Drawing.Call(ctx, s, drawing.Request{Request: layout.Request{Graph: huge}})
			done <- err
		}()
		for s.pool.Stats().Busy == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		if p, err := childwork.Drawing.Call(t.Context(), s,
			drawing.Request{Request: layout.Request{Graph: small}}); err != nil || !strings.Contains(p.SVG, "<svg") {
			t.Error(p, err)
		}
		leave()
		var limited *solver.Limited // where the machine is that busy
		if err := <-done; !errors.Is(err, context.Canceled) && !errors.As(err, &limited) {
			t.Errorf("left: %v", err)
		}
		if busy := s.pool.Stats().Busy; busy != 0 {
			t.Errorf("%d children are busy for nobody", busy)
		}
	})
	cheaply(t, "a huge drawing to its limit", func() {
		_, err := childwork.Drawing.Call(t.Context(), s, drawing.Request{Request: layout.Request{Graph: huge}})
		var limited *solver.Limited
		if !errors.As(err, &limited) || !strings.Contains(limited.Reason, "limit") {
			t.Error(err)
		}
	})
}

// An answer has a size limit, whatever the test asks for.
func TestAnswersAreBounded(t *testing.T) {
	p, err := pool.New(pool.Options{Workers: 1, MaxAnswer: server.MaxAnswer})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var body, names strings.Builder
	for i := range 8 { // 2^8 states, each of thousands of names
		fmt.Fprintf(&body, " MOV [y%d],$1 | MOV [y%d],$2 ;\n", i, i)
		fmt.Fprintf(&names, "y%d; ", i)
	}
	for i := range 500 {
		fmt.Fprintf(&names, "%s_%d; ", strings.Repeat("long", 40), i)
	}
	task := solver.Task{
		Path:   "huge",
		Source: "X86 huge\n{}\n P0 | P1 ;\n" + body.String() + "locations [" + names.String() + "]\nexists (y0=1)\n",
		Model:  "sc", Engine: "machine", Options: solver.DefaultOptions(),
	}
	cheaply(t, "a huge answer", func() {
		r, err := solver.Ask(t.Context(), p, task)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		t.Logf("%s %s %s: %d states, %d bytes", r.Status, r.Verdict, r.Reason+r.Error, len(r.States), len(text))
		if err != nil || len(text) > server.MaxAnswer || r.StatesComplete == nil || *r.StatesComplete ||
			r.Verdict != solver.Allowed {
			t.Errorf("%d bytes, %v: %.300s", len(text), err, text)
		}
	})
}
