package engines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// assumptions are those on progress that tests ask about, in the order of the tables below.
var assumptions = []solver.Progress{solver.Fair, solver.HSA, solver.OBE, solver.LOBE, solver.HSAOBE, solver.Unfair}

// progressTests are tests with the assumptions under which all of their executions end, and the reasons. The model is
// that of the dialect.
var progressTests = []struct {
	name, source string
	ends         []solver.Progress
}{
	{
		// Under hsa, P0 may spin while P1 never runs. Under obe, P1 has perhaps not taken its step. Under lobe, that
		// P0 has taken one guarantees nothing to P1, which has the greater number.
		"P0 waits for P1", `PTX wait
{ x=0; }
 P0@cta 0, gpu 0       | P1@cta 1, gpu 0       ;
 L0:                   | st.relaxed.gpu x, 1   ;
 ld.relaxed.gpu r0, x  |                       ;
 bne r0, 1, L0         |                       ;
exists (0:r0=1)
`,
		[]solver.Progress{solver.Fair},
	},
	{
		// hsa runs P0 until it has ended. lobe runs it once P1 has taken a step. Under obe, P0 may never start.
		"P1 waits for P0", `PTX wait
{ x=0; }
 P0@cta 0, gpu 0       | P1@cta 1, gpu 0       ;
 st.relaxed.gpu x, 1   | L0:                   ;
                       | ld.relaxed.gpu r0, x  ;
                       | bne r0, 1, L0         ;
exists (1:r0=1)
`,
		[]solver.Progress{solver.Fair, solver.HSA, solver.LOBE, solver.HSAOBE},
	},
	{
		// A thread that holds the lock has taken a step, so that obe runs it on, and so do lobe and hsa+obe. hsa alone
		// may leave P1 with the lock while P0 spins.
		"spin lock", `PTX lock
{ m=0; }
 P0@cta 0, gpu 0              | P1@cta 1, gpu 0              ;
 L0:                          | L0:                          ;
 atom.acquire.gpu.exch r0, m, 1 | atom.acquire.gpu.exch r0, m, 1 ;
 bne r0, 0, L0                | bne r0, 0, L0                ;
 st.release.gpu m, 0          | st.release.gpu m, 0          ;
exists (0:r0=0 /\ 1:r0=0)
`,
		[]solver.Progress{solver.Fair, solver.OBE, solver.LOBE, solver.HSAOBE},
	},
	{
		// P1 writes only once P0 has written, so P0 has taken a step when it waits; P1 has not, when P0 waits for it.
		"ping and pong", `PTX pingpong
{ x=0; y=0; }
 P0@cta 0, gpu 0       | P1@cta 1, gpu 0       ;
 st.relaxed.gpu x, 1   | L0:                   ;
 L0:                   | ld.relaxed.gpu r0, x  ;
 ld.relaxed.gpu r0, y  | bne r0, 1, L0         ;
 bne r0, 1, L0         | st.relaxed.gpu y, 1   ;
exists (0:r0=1)
`,
		[]solver.Progress{solver.Fair},
	},
	{
		// Both threads write in each round, and may take turns for ever, whatever the scheduler does.
		"turns", `PTX turns
{ x=0; }
 P0@cta 0, gpu 0                | P1@cta 1, gpu 0                ;
 L0:                            | L0:                            ;
 atom.relaxed.gpu.exch r0, x, 0 | atom.relaxed.gpu.exch r0, x, 1 ;
 bne r0, 0, L0                  | bne r0, 1, L0                  ;
exists (0:r0=0)
`,
		nil,
	},
	{
		// Nobody writes x.
		"for ever", `PTX forever
{ x=0; }
 P0@cta 0, gpu 0       ;
 L0:                   ;
 ld.relaxed.gpu r0, x  ;
 bne r0, 1, L0         ;
exists (0:r0=1)
`,
		nil,
	},
	{
		// A loop without accesses, and a thread that has nothing to do with it.
		"without accesses", `PTX empty
{ x=0; }
 P0@cta 0, gpu 0       | P1@cta 1, gpu 0       ;
 L0:                   | st.relaxed.gpu x, 1   ;
 goto L0               |                       ;
exists (x=1)
`,
		nil,
	},
	{
		// No thread loops, so that some thread runs as long as one can, under any assumption.
		"straight", `PTX straight
{ x=0; }
 P0@cta 0, gpu 0       | P1@cta 1, gpu 0       ;
 ld.relaxed.gpu r0, x  | st.relaxed.gpu x, 1   ;
exists (0:r0=1)
`,
		assumptions,
	},
	{
		// Both reach the barrier, since nothing else can run.
		"barrier", `PTX barrier
{ x=0; }
 P0@cta 0, gpu 0       | P1@cta 0, gpu 0       ;
 st.relaxed.gpu x, 1   | bar.cta.sync 0        ;
 bar.cta.sync 0        | ld.relaxed.gpu r0, x  ;
exists (1:r0=1)
`,
		assumptions,
	},
	{
		// P1 does not reach the barrier if it reads 0, and P0 waits there for ever.
		"barrier that not all reach", `PTX branch
{ x=0; }
 P0@cta 0, gpu 0       | P1@cta 0, gpu 0       ;
 st.relaxed.gpu x, 1   | ld.relaxed.gpu r0, x  ;
 bar.cta.sync 0        | bne r0, 1, L0         ;
                       | bar.cta.sync 0        ;
                       | L0:                   ;
exists (1:r0=1)
`,
		nil,
	},
	{
		// Each waits at the barrier that the other reaches only behind its own.
		"crossed barriers", `PTX crossed
{ x=0; }
 P0@cta 0, gpu 0 | P1@cta 0, gpu 0 ;
 bar.cta.sync 0  | bar.cta.sync 1  ;
 bar.cta.sync 1  | bar.cta.sync 0  ;
exists (x=0)
`,
		nil,
	},
	{
		// P2 spins until both have met. obe does not start P0 or P1; hsa guarantees nothing to P1 while P0, the lowest
		// that has not ended, waits for it. Once P2 has taken a step, lobe runs both.
		"a thread waits for two at a barrier", `PTX met
{ x=0; }
 P0@cta 0, gpu 0       | P1@cta 0, gpu 0       | P2@cta 1, gpu 0       ;
 bar.cta.sync 0        | bar.cta.sync 0        | L0:                   ;
 st.relaxed.gpu x, 1   |                       | ld.relaxed.gpu r0, x  ;
                       |                       | bne r0, 1, L0         ;
exists (2:r0=1)
`,
		[]solver.Progress{solver.Fair, solver.LOBE},
	},
	{
		// The loop counts to three, and waits for nobody.
		"counting", `PTX count
{ x=0; 0:r1=0; }
 P0@cta 0, gpu 0       | P1@cta 1, gpu 0     ;
 L0:                   | st.relaxed.gpu x, 1 ;
 st.relaxed.gpu x, 2   |                     ;
 add r1, r1, 1         |                     ;
 bne r1, 3, L0         |                     ;
exists (x=1)
`,
		assumptions,
	},
	{
		// Coherence orders what a thread reads: after 1 it cannot read 0 again, so that it ends once P0 has written.
		"coherence", `Vulkan coherence
{ x=0; }
 P0@sg 0, wg 0, qf 0    | P1@sg 1, wg 0, qf 0  ;
 st.atom.dv.sc0 x, 1    | L0:                  ;
                        | ld.atom.dv.sc0 r0, x ;
                        | bne r0, 1, L0        ;
                        | L1:                  ;
                        | ld.atom.dv.sc0 r0, x ;
                        | bne r0, 1, L1        ;
exists (P1:r0 == 1)
`,
		[]solver.Progress{solver.Fair, solver.HSA, solver.LOBE, solver.HSAOBE},
	},
}

// askProgress answers a test with an assumption on progress.
func askProgress(t testing.TB, source, model string, p solver.Progress, unroll int) *solver.Result {
	task := solver.Task{Path: "a.litmus", Source: source, Model: model, Options: solver.DefaultOptions()}
	task.Options.Progress, task.Options.Unroll, task.Options.States, task.Options.Timeout = p, unroll, 0, 0
	r, err := engines.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestProgress(t *testing.T) {
	for _, c := range progressTests {
		for _, p := range assumptions {
			r := askProgress(t, c.source, "", p, 2)
			if r.Termination == nil || r.Termination.Holds == nil {
				t.Fatalf("%s, %s: no answer: %+v", c.name, p, r)
			}
			want := slices.Contains(c.ends, p)
			if *r.Termination.Holds != want {
				t.Errorf("%s, %s: %s\nwant all executions to end: %v\n%s", c.name, p, r.Termination.Sentence(), want,
					c.source)
			}
			if !want && len(r.Termination.Stuck) == 0 {
				t.Errorf("%s, %s: no thread is stuck", c.name, p)
			}
		}
	}
}

// TestProgressRefusals checks that what has no answer is refused at its place.
func TestProgressRefusals(t *testing.T) {
	const source = `AArch64 retry
{ 0:X1=x; }
 P0             ;
 L0:            ;
 LDXR W2,[X1]   ;
 STXR W3,W2,[X1];
 CBNZ W3,L0     ;
exists (0:X3=0)
`
	r := askProgress(t, source, "", solver.Fair, 2)
	const want = "a.litmus:6:2: a store-conditional in a loop, which may fail for no reason, has no answer about " +
		"progress"
	if r.Status != solver.Failed || !strings.HasPrefix(r.Error, want) {
		t.Errorf("got %s %q, want an error that begins with %q", r.Status, r.Error, want)
	}
}

// TestProgressOfLoops compares answers under SC with an exploration of all states, for random small tests with loops.
func TestProgressOfLoops(t *testing.T) {
	asked, endless, found := 0, 0, 0
	rapid.Check(t, func(r *rapid.T) {
		source := drawLoops(r)
		p := rapid.SampledFrom(assumptions).Draw(r, "assumption")
		got := askProgress(t, source, "sc", p, 4).Termination
		if got == nil || got.Holds == nil {
			r.Fatalf("no answer to\n%s", source)
		}
		task := solver.Task{Path: "a.litmus", Source: source, Model: "sc", Options: solver.DefaultOptions()}
		prog, _, err := engines.Prepared(task)
		if err != nil {
			r.Fatal(err)
		}
		ends := newStates(prog).allEnd(p)
		asked++
		if !ends {
			endless++
		}
		if !*got.Holds {
			found++
		}
		if ends && !*got.Holds || !ends && *got.Holds && got.Complete {
			r.Fatalf("%s: got %s\nall executions end: %v\n%s", p, got.Sentence(), ends, source)
		}
	})
	t.Logf("%d tests, of which %d have an endless execution: %d found", asked, endless, found)
	if 10*found < 9*endless {
		t.Errorf("only %d of %d endless executions found", found, endless)
	}
}

// drawLoops draws a test in PTX: each instruction of a thread loads, stores or exchanges, and may then jump to another
// one or to the end if it has read a number.
func drawLoops(r *rapid.T) string {
	var threads [][]string
	for range rapid.IntRange(2, 3).Draw(r, "threads") {
		var code []string
		n := rapid.IntRange(1, 3).Draw(r, "instructions")
		for i := range n {
			loc := rapid.SampledFrom([]string{"x", "y"}).Draw(r, "location")
			value := rapid.IntRange(0, 1).Draw(r, "value")
			code = append(code, fmt.Sprintf("L%d:", i))
			switch rapid.IntRange(0, 2).Draw(r, "kind") {
			case 0:
				code = append(code, fmt.Sprintf("st.relaxed.gpu %s, %d", loc, value))
				continue
			case 1:
				code = append(code, fmt.Sprintf("ld.relaxed.gpu r%d, %s", i, loc))
			case 2:
				code = append(code, fmt.Sprintf("atom.relaxed.gpu.exch r%d, %s, %d", i, loc, value))
			}
			code = append(code, fmt.Sprintf("bne r%d, %d, L%d", i, rapid.IntRange(0, 1).Draw(r, "other than"),
				rapid.IntRange(0, n).Draw(r, "to")))
		}
		threads = append(threads, append(code, fmt.Sprintf("L%d:", n)))
	}
	longest := 0
	var heads []string
	for t, code := range threads {
		longest = max(longest, len(code))
		heads = append(heads, fmt.Sprintf("P%d@cta %d, gpu 0", t, t))
	}
	lines := []string{strings.Join(heads, " | ") + " ;"}
	for i := range longest {
		row := make([]string, len(threads))
		for t, code := range threads {
			if i < len(code) {
				row[t] = code[i]
			}
		}
		lines = append(lines, strings.Join(row, " | ")+" ;")
	}
	return "PTX random\n{ x=0; y=0; }\n" + strings.Join(lines, "\n") + "\nexists (x=0)\n"
}

// states explores all states of a program under SC: those of the threads, of memory, and which threads have taken a
// step.
type states struct {
	p     *ir.Program
	next  [][]move // by state
	done  [][]bool // by state and thread: it has ended
	steps [][]bool // … it has taken a step
	ids   map[string]int
}

// move is a step of a thread to another state.
type move struct{ thread, to int }

// snapshot is one state.
type snapshot struct {
	threads []*ir.Cursor
	memory  []uint64
	stepped []bool
}

func newStates(p *ir.Program) *states {
	s := &states{p: p, ids: map[string]int{}}
	begin := snapshot{memory: make([]uint64, len(p.Locs)), stepped: make([]bool, len(p.Threads))}
	for i, l := range p.Locs {
		begin.memory[i] = l.Init
	}
	for t := range p.Threads {
		begin.threads = append(begin.threads, ir.NewCursor(p, t, false))
	}
	s.visit(begin)
	return s
}

// visit explores from a state and returns its number.
func (s *states) visit(at snapshot) int {
	actions := make([]ir.Action, len(at.threads))
	key := fmt.Sprint(at.memory, at.stepped)
	for t, c := range at.threads {
		a, err := c.Next()
		if err != nil {
			panic(err)
		}
		actions[t] = a
		key += fmt.Sprint(a.Step, a.Kind, c.Regs)
	}
	if id, ok := s.ids[key]; ok {
		return id
	}
	id := len(s.ids)
	s.ids[key] = id
	done := make([]bool, len(actions))
	s.next, s.done, s.steps = append(s.next, nil), append(s.done, done), append(s.steps, at.stepped)
	for t, a := range actions {
		if done[t] = a.Kind == ir.ActEnd; done[t] {
			continue
		}
		to := snapshot{memory: slices.Clone(at.memory), stepped: slices.Clone(at.stepped)}
		for _, c := range at.threads {
			other := new(ir.Cursor)
			other.Set(c)
			to.threads = append(to.threads, other)
		}
		c := to.threads[t]
		to.stepped[t] = true
		switch a.Kind {
		case ir.ActLoad:
			c.Read(to.memory[a.Loc])
		case ir.ActRMW:
			if v, writes := c.Read(to.memory[a.Loc]); writes {
				to.memory[a.Loc] = v
			}
		case ir.ActStore:
			to.memory[a.Loc] = a.Value
			c.Pass()
		default:
			panic(fmt.Sprint("an action of another kind: ", a.Kind))
		}
		s.next[id] = append(s.next[id], move{t, s.visit(to)})
	}
	return id
}

// allEnd reports whether no cycle of states is a fair execution: in each strongly connected part, some thread that the
// scheduler is certain to run takes no step. Within such a part, the same threads have ended and taken a step.
func (s *states) allEnd(p solver.Progress) bool {
	reach := make([][]bool, len(s.next)) // by pair of states
	for i := range reach {
		reach[i] = make([]bool, len(s.next))
		work := []int{i}
		for len(work) > 0 {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			for _, m := range s.next[at] {
				if !reach[i][m.to] {
					reach[i][m.to] = true
					work = append(work, m.to)
				}
			}
		}
	}
	for i := range s.next {
		if !reach[i][i] {
			continue
		}
		takes := make([]bool, len(s.p.Threads))
		for j := range s.next {
			if !reach[i][j] || !reach[j][i] {
				continue
			}
			for _, m := range s.next[j] {
				takes[m.thread] = takes[m.thread] || reach[m.to][i]
			}
		}
		fair := true
		for t := range takes {
			fair = fair && (takes[t] || s.done[i][t] || !p.Runs(t, s.done[i], s.steps[i]))
		}
		if fair {
			return false
		}
	}
	return true
}

// Options that were stored before there was a question about progress ask none, whatever the engine.
func TestOptionsWithoutProgress(t *testing.T) {
	for _, engine := range []string{"axiomatic", "machine"} {
		o := solver.DefaultOptions()
		o.Progress = ""
		r, err := engines.Run(t.Context(), solver.Task{
			Path: "SB.litmus", Source: "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\nexists (x=1 /\\ y=1)\n",
			Model: "tso", Engine: engine, Options: o,
		})
		if err != nil || r.Status != solver.OK || r.Termination != nil {
			t.Errorf("%s: %+v, %v", engine, r, err)
		}
	}
}
