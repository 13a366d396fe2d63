package pool

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"golang.org/x/tools/txtar"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

var paperLimit = flag.Duration("papers", time.Minute,
	"how long an answer may take in the benchmarks of the papers' tables")

// entry is a row of a paper's table: a program with its bounds, and what has to come out.
type entry struct {
	name    string
	text    string
	defines []string
	unroll  int
	// Bounds of the engines that work in rounds, where the paper has them: 0 is enough to lose nothing.
	rounds, timestamps, nodes int
	verdict                   solver.Verdict
	paper                     string // its time there
}

// column is an engine and a model.
type column struct{ engine, model string }

func (c column) String() string { return c.model + " " + c.engine }

// classic is the entry of a program of the catalogue.
func classic(b *testing.B, name string, verdict solver.Verdict, defines ...string) entry {
	b.Helper()
	p, ok := catalogue.FindProgram(name)
	if !ok {
		b.Fatalf("the catalogue has no %s", name)
	}
	return entry{
		name: strings.Join(append([]string{name}, defines...), " "), text: p.Source, defines: defines,
		unroll: 2, verdict: verdict,
	}
}

// ask has an entry verified. If an engine with rounds misses a failure, ask repeats the question with more rounds, up
// to three.
func (e entry) ask(b *testing.B, p *Pool, c column) (v *solver.Verification, rounds int) {
	b.Helper()
	found, err := engines.Find(c.engine)
	if err != nil {
		b.Fatal(err)
	}
	options := solver.DefaultOptions()
	options.Unroll, options.Timeout, options.Memory = e.unroll, *paperLimit, 8192
	options.Rounds, options.Timestamps, options.Nodes = e.rounds, e.timestamps, e.nodes
	for ; ; options.Rounds++ {
		v, err := solver.Ask(context.Background(), p, solver.VerifyTask{
			Path: e.name, Files: []solver.SourceFile{{Name: e.name + ".c", Text: e.text}}, Defines: e.defines,
			Model: c.model, Engine: c.engine, Options: found.Heeded(options),
		})
		if err != nil {
			b.Fatal(err)
		}
		again := v.Verdict == solver.Safe && e.verdict == solver.Unsafe && e.rounds > 0 && found.Heeds("rounds")
		if !again || options.Rounds == e.rounds+3 {
			return v, options.Rounds
		}
	}
}

// benchmarkEntries asks for each entry in each column, and prints the paper's table anew.
func benchmarkEntries(b *testing.B, entries []entry, columns []column) {
	p, err := New(Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	cells := map[string]string{}
	for _, e := range entries {
		for _, c := range columns {
			b.Run(e.name+"/"+c.model+"/"+c.engine, func(b *testing.B) {
				sum := 0.0
				for b.Loop() {
					v, rounds := e.ask(b, p, c)
					cell := fmt.Sprintf("%.2f", v.MS/1000)
					if f, err := engines.Find(c.engine); err == nil && f.Heeds("rounds") && rounds != e.rounds {
						cell += fmt.Sprintf(" (%d rounds)", rounds)
					}
					switch {
					case v.Status == solver.Unknown:
						cells[e.name+c.String()] = "—"
						b.Skip(v.Reason)
					case v.Status != solver.OK || v.Verdict != e.verdict:
						cells[e.name+c.String()] = cell + " WRONG"
						b.Fatalf("%s %s%s, want %s", v.Status, v.Verdict, v.Error, e.verdict)
					}
					cells[e.name+c.String()] = cell
					sum += v.MS
				}
				b.ReportMetric(sum/float64(b.N), "ms")
			})
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\nseconds\t\tthere\t")
	for _, c := range columns {
		fmt.Fprintf(w, "%s\t", c)
	}
	fmt.Fprintln(w)
	for _, e := range entries {
		fmt.Fprintf(w, "%s\t%s\t%s\t", e.name, e.verdict, e.paper)
		for _, c := range columns {
			fmt.Fprintf(w, "%s\t", cells[e.name+c.String()])
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// BenchmarkTomasco2016 is table I of "Lazy Sequentialization for TSO and PSO via Shared Memory
// Abstractions": its programs with its bounds, and its seconds under TSO and PSO.
func BenchmarkTomasco2016(b *testing.B) {
	stack := inverso(b, "stack")
	var entries []entry
	for _, r := range []struct {
		entry
		unroll, nodes, rounds, timestamps int
		paper                             string
	}{
		{classic(b, "dekker", solver.Unsafe), 1, 2, 2, 2, "0.77 0.75"},
		{classic(b, "lamport", solver.Unsafe), 1, 2, 2, 2, "0.88 0.88"},
		{classic(b, "peterson", solver.Unsafe), 1, 3, 2, 2, "0.66 0.65"},
		{classic(b, "szymanski", solver.Unsafe), 1, 3, 2, 3, "0.81 0.80"},
		{classic(b, "fibonacci", solver.Unsafe, "N=6", "REACH"), 6, 2, 6, 2, "6.47 6.51"},
		{classic(b, "fibonacci", solver.Safe, "N=6"), 6, 2, 6, 2, "9.78 8.82"},
		{classic(b, "parker", solver.Unsafe), 2, 3, 2, 2, "1.68 2.19"}, // its own loop repeats twice
		{stack, 2, 2, 2, 2, "1.50 1.49"},
	} {
		e := r.entry
		e.unroll, e.nodes, e.rounds, e.timestamps, e.paper = r.unroll, r.nodes, r.rounds, r.timestamps, r.paper
		entries = append(entries, e)
	}
	benchmarkEntries(b, entries, []column{
		{"etso", "tso"},
		{"tso-sma", "tso"},
		{"k-round", "tso"},
		{"k-store-age", "tso"},
		{"axiomatic", "tso"},
		{"machine", "tso"},
		{"epso", "pso"},
		{"pso-sma", "pso"},
		{"axiomatic", "pso"},
		{"machine", "pso"},
	})
}

// BenchmarkSafeStack is table II of the same paper: its row with K = 7, N = 2 and four rounds. It
// wants -papers 15m.
func BenchmarkSafeStack(b *testing.B) {
	e := classic(b, "safe-stack", solver.Unsafe)
	e.unroll, e.nodes, e.rounds, e.timestamps, e.paper = 3, 2, 4, 7, "47m"
	benchmarkEntries(b, []entry{e}, []column{{"lazy-cseq", "sc"}, {"etso", "tso"}})
}

// BenchmarkAlglave2013 has the programs of "Partial Orders for Efficient Bounded Model Checking of
// Concurrent Software", table 7, and Fibonacci for N as large as there is time for.
func BenchmarkAlglave2013(b *testing.B) {
	models := []string{"sc", "tso", "pso", "power"}
	var columns []column
	for _, m := range models {
		columns = append(columns, column{"axiomatic", m})
	}
	machines := []column{{"machine", "sc"}, {"machine", "tso"}, {"machine", "pso"}}
	var entries []entry
	for _, n := range []int{5, 6, 7, 8, 9, 11} {
		e := classic(b, "fibonacci", solver.Safe, fmt.Sprintf("N=%d", n))
		reach := classic(b, "fibonacci", solver.Unsafe, fmt.Sprintf("N=%d", n), "REACH")
		if n == 5 {
			e.paper = "3.3"
		}
		entries = append(entries, e, reach)
	}
	benchmarkEntries(b, entries, append(slices.Clone(columns), machines...))

	// A verdict is one model's: those of PostgreSQL differ.
	for _, c := range columns {
		pgsql := classic(b, "postgres-latch", solver.Safe)
		if c.model == "pso" || c.model == "power" {
			pgsql.verdict = solver.Unsafe
		}
		rcu := classic(b, "rcu", pgsql.verdict)
		pgsql.paper, rcu.paper = "90.0", "1.0"
		apache := classic(b, "apache-queue", solver.Safe)
		apache.unroll, apache.paper = 5, "2.8"
		benchmarkEntries(b, []entry{
			pgsql, classic(b, "postgres-latch", solver.Safe, "FENCES"), rcu,
			classic(b, "rcu", solver.Safe, "FENCES"), apache,
		}, []column{c})
	}
}

// inverso is a program of testdata/inverso2014.txtar.
func inverso(b *testing.B, name string, defines ...string) entry {
	b.Helper()
	files, err := txtar.ParseFile("testdata/inverso2014.txtar")
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range files.Files {
		words := strings.Fields(f.Name)
		if words[0] != name {
			continue
		}
		e := entry{
			name: strings.Join(append([]string{name}, defines...), " "), text: string(f.Data), defines: defines,
			verdict: solver.Unsafe,
		}
		if e.unroll, err = strconv.Atoi(words[1]); err == nil {
			e.rounds, err = strconv.Atoi(words[2])
		}
		if err != nil {
			b.Fatalf("%s: want NAME UNROLL ROUNDS", f.Name)
		}
		return e
	}
	b.Fatalf("there is no program %s", name)
	return entry{}
}

// BenchmarkInverso2014 is table 1 of "Bounded Model Checking of Multi-threaded C Programs via Lazy
// Sequentialization": unsafe programs with its bounds, and the seconds of its fastest backend.
func BenchmarkInverso2014(b *testing.B) {
	var entries []entry
	fibonacci := func(n int, paper string) {
		e := classic(b, "fibonacci", solver.Unsafe, fmt.Sprintf("N=%d", n), "REACH")
		e.unroll, e.rounds, e.paper = n, n, paper
		entries = append(entries, e)
	}
	add := func(paper, name string, defines ...string) {
		e := inverso(b, name, defines...)
		e.paper = paper
		entries = append(entries, e)
	}
	add("0.3", "boop")
	add("0.2", "buggy-loop")
	add("0.2", "pthread5")
	add("0.2", "barrier")
	add("0.3", "bigshot")
	fibonacci(5, "0.7")
	fibonacci(6, "1.5")
	fibonacci(11, "214")
	add("0.2", "lazy01")
	add("0.6", "qrcu")
	add("1.1", "queue")
	add("0.3", "read-write-lock")
	add("0.3", "reorder")
	add("0.4", "reorder", "SETTERS=4")
	add("1.4", "sigma")
	add("0.5", "singleton")
	add("0.2", "stack")
	add("0.2", "stateful01")
	add("0.3", "twostage")
	benchmarkEntries(b, entries, []column{{"lazy-cseq", "sc"}, {"axiomatic", "sc"}, {"machine", "sc"}})
}
