package distinguish

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"

	"litmuscope/litmus/cycle"
	"litmuscope/models"
	"litmuscope/models/analysis"
	"litmuscope/models/mutants"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Mutation says what the parts of a model are for: for each part, the smallest test that the model without it allows or
// forbids.
type Mutation struct {
	Model       string `json:"model"`
	Arch        string `json:"arch"`
	Parts       []Part `json:"parts"`
	ExhaustedTo int    `json:"exhausted_to"` // accesses up to which the search has decided all tests
	Tests       int    `json:"tests"`
	Also        int    `json:"also"` // how many of them are none of the cycles
	AlsoOpen    int    `json:"also_open,omitempty"`
	Open        int    `json:"open,omitempty"` // tests of cycles that the model or a mutant has not decided
	// ExecutionsTo is the size up to which the search asked executions about what no test shows; 0 where they were not.
	ExecutionsTo int `json:"executions_to,omitempty"`
}

// Part is an axiom or a term of a model.
type Part struct {
	In   string `json:"in"`             // the axiom, or the definition or axiom that the term is in
	Term string `json:"term,omitempty"` // in the model's own text
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Test tells the model without the part from the model; "" where none of those asked about does.
	Test    string         `json:"test,omitempty"`
	Cycle   string         `json:"cycle,omitempty"`
	Whole   solver.Verdict `json:"whole,omitempty"`   // of the model
	Without solver.Verdict `json:"without,omitempty"` // of the model without the part
	// Execution tells the two apart where no test does: the left one is the whole model's. Open is why there may still
	// be one.
	Execution *Execution `json:"execution,omitempty"`
	Open      string     `json:"undecided,omitempty"`
}

// beyond are larger cycles, for what smaller ones cannot ask: two store-conditionals in each of two threads keep
// program order; and a chain of availability and visibility has three threads.
var beyond = map[string][]string{
	"PPC": {"PodWWXX WseXX PodWWXX WseXX"}, "ARM": {"PodWWXX WseXX PodWWXX WseXX"},
	"VULKAN": {"PodWWNpRelAvWg Rfe.wg PodRWAcqVisWgRelAvDv Rfe PodRRAcqVisDvNp Fre"},
}

// LargerTests are tests of an architecture that some part of a model exists for, and that are larger than the usual
// range.
func LargerTests(arch string) (all []Test) {
	for _, words := range beyond[arch] {
		c, err := cycle.ParseCycle(arch, words)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		t := Test{Name: make(cycle.Names).Of(c)}
		if t.Source, err = cycle.Generate(arch, c, t.Name); err != nil {
			panic("BUG: " + err.Error())
		}
		all = append(all, t)
	}
	return all
}

// Mutate asks about a built-in model, whole and without each of its parts. The survey's first side is the model; Mutate
// makes the others. An answer comes beside an error, too. It calls settled with each part whose answer is final.
func (s Survey) Mutate(ctx context.Context, asked func(), settled func(Part)) (*Mutation, error) {
	origin := s.Sides[0]
	m := &Mutation{Model: origin.Model, Arch: s.Over.Arch, ExhaustedTo: 1, Parts: []Part{}}
	whole, err := models.Named(origin.Model)
	if err != nil {
		return m, err
	}
	s.Sides = s.Sides[:1:1]
	c := &contest{origin: origin, whole: whole, mutants: mutants.Of(origin.Model)}
	c.best = make([]atomic.Pointer[Row], len(c.mutants)+1)
	c.told = make([]atomic.Bool, len(c.mutants)+1)
	for _, mutant := range c.mutants {
		side := origin
		side.Model, side.ModelText, side.ModelFiles = mutant.Name, mutant.Text, mutant.Files
		s.Sides = append(s.Sides, side)
		m.Parts = append(m.Parts, Part{In: mutant.In, Term: mutant.Term, File: mutant.Pos.File, Line: mutant.Pos.Line})
	}
	s.Wanted = c.wanted
	var open []Row
	err = s.Run(ctx, func(row Row) error {
		m.Tests++
		if row.Cycle == nil {
			m.Also++
		}
		asked()
		if slices.Contains(row.Verdicts, solver.Undecided) {
			open = append(open, row)
		}
		for i, v := range row.Verdicts {
			best := c.best[i].Load()
			if i > 0 && decided(row.Verdicts[0]) && decided(v) && v != row.Verdicts[0] && !row.Wild[0] &&
				!row.Wild[i] && (best == nil || compareTests(row.Test, best.Test) < 0) {
				c.best[i].Store(&row)
			}
		}
		return nil
	}, func(size int) bool {
		alike := false
		for i := range m.Parts {
			row := c.best[i+1].Load()
			alike = alike || row == nil
			if row == nil || c.told[i+1].Swap(true) {
				continue
			}
			p := &m.Parts[i]
			p.Test, p.Whole, p.Without = row.Name, row.Verdicts[0], row.Verdicts[i+1]
			if row.Cycle != nil {
				p.Cycle = row.Cycle.String()
			}
			settled(*p)
		}
		if !slices.ContainsFunc(open, func(row Row) bool { return row.Cycle != nil && c.matters(row) }) {
			m.ExhaustedTo = size
		}
		return alike
	})
	for _, row := range open {
		switch {
		case !c.matters(row):
		case row.Cycle == nil:
			m.AlsoOpen++
		default:
			m.Open++
		}
	}
	for _, p := range m.Parts {
		if err == nil && p.Test == "" {
			settled(p)
		}
	}
	return m, err
}

// contest is a model against its mutants.
type contest struct {
	origin  solver.Task
	whole   *models.Model
	mutants []mutants.Mutant
	best    []atomic.Pointer[Row] // by side: the test that tells it from the whole model, so far
	told    []atomic.Bool         // by side: that is settled
	known   sync.Map              // by what tests lack: []comparison
}

// comparison says which of a model and a mutant visibly allows all that the other does.
type comparison struct{ weaker, stronger bool }

func decided(v solver.Verdict) bool { return v == solver.Allowed || v == solver.Forbidden }

// matters reports whether a row still matters for some part that no test needs so far.
func (c *contest) matters(row Row) bool {
	for i, v := range row.Verdicts {
		if v == solver.Undecided && (i == 0 || c.best[i].Load() == nil) {
			return true
		}
	}
	return false
}

// wanted leaves out mutants with an answer: those that an earlier test distinguishes, and those whose verdict follows
// from the whole model's, because the cycle's test has nothing that the part is about, or the model allows it already.
func (c *contest) wanted(t Test) func(side int, so Row) bool {
	var follows []comparison
	if t.Cycle != nil {
		follows = c.compare(t)
	}
	return func(side int, so Row) bool {
		if side == 0 {
			return true
		}
		if c.told[side].Load() {
			return false
		}
		if best := c.best[side].Load(); best != nil && compareTests(best.Test, t) < 0 {
			return false
		}
		if so.Wild[0] || !decided(so.Verdicts[0]) {
			return false
		}
		if follows == nil {
			return true
		}
		f := follows[side-1]
		return !(f.weaker && (f.stronger || so.Verdicts[0] == solver.Allowed) || f.stronger &&
			so.Verdicts[0] == solver.Forbidden)
	}
}

// compare says in advance what is known of all mutants' verdicts; nil where nothing is.
func (c *contest) compare(t Test) []comparison {
	task := c.origin
	task.Path, task.Source = t.Name, t.Source
	p, _, err := engines.Prepared(task)
	if err != nil || p.Split { // accesses of mixed size are another model's
		return nil
	}
	missing := analysis.MissingFrom(p)
	key := missing.Key(c.whole.Bases())
	if known, ok := c.known.Load(key); ok {
		return known.([]comparison)
	}
	out := make([]comparison, len(c.mutants))
	for i, mutant := range c.mutants {
		out[i] = comparison{
			weaker:   c.whole.Includes(mutant.Model, missing),
			stronger: mutant.Model.Includes(c.whole, missing),
		}
	}
	c.known.Store(key, out)
	return out
}

// Idle says which parts neither a test nor an execution of the search needs, in a sentence for the model's own text; ""
// if there are none, or if the search covered executions of too few events.
func (m *Mutation) Idle() string {
	const enough = 5
	if m.ExecutionsTo < enough {
		return ""
	}
	idle := slices.DeleteFunc(slices.Clone(m.Parts),
		func(p Part) bool { return p.Test != "" || p.Execution != nil || p.Open != "" })
	var in []string
	terms := map[string][]string{}
	for _, p := range idle {
		if slices.ContainsFunc(idle, func(all Part) bool {
			return all.In == p.In && all.Line == p.Line && all.Term != p.Term &&
				strings.Contains(all.Term, p.Term) && p.Term != ""
		}) {
			continue // a part of one that is
		}
		name := p.In
		if p.Term == "" {
			name = "the axiom " + p.In
		}
		if _, ok := terms[name]; !ok {
			in = append(in, name)
			terms[name] = nil
		}
		if p.Term != "" && !slices.Contains(terms[name], p.Term) {
			terms[name] = append(terms[name], p.Term)
		}
	}
	if len(in) == 0 {
		return ""
	}
	for i, name := range in {
		if of := terms[name]; len(of) > 0 {
			in[i] = name + " has " + strings.Join(of, ", ")
		}
	}
	return fmt.Sprintf("Removing one of these parts changes no test of a cycle of up to %d accesses and no execution "+
		"of up to %d events without mixed-size accesses: %s.",
		m.ExhaustedTo, m.ExecutionsTo, strings.Join(in, "; "))
}

// Text is a table: what each part of the model is for.
func (m *Mutation) Text() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "part of %s\twithout it\ttest\n", m.Model)
	alike, out := 0, 0
	for _, p := range m.Parts {
		part := "axiom " + p.In
		if p.Term != "" {
			part = fmt.Sprintf("%d: %s has %s", p.Line, p.In, p.Term)
		}
		switch x := p.Execution; {
		case p.Test != "":
			fmt.Fprintf(w, "%s\t%s\t%s\n", part, p.Without, p.Test)
		case x != nil:
			out++
			fmt.Fprintf(w, "%s\t%s\t%s\n", part, x.Right,
				strings.Join(strings.Fields("execution "+x.Arch), " ")+": "+x.Text)
		case p.Open != "":
			alike++
			fmt.Fprintf(w, "%s\talike\t- (executions: %s)\n", part, p.Open)
		default:
			alike++
			fmt.Fprintf(w, "%s\talike\t-\n", part)
		}
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%s in %s, of up to %s", solver.Count(m.Tests-m.Also, "test"), m.Arch,
		solver.Count(m.ExhaustedTo, "event"))
	if m.Also > 0 {
		fmt.Fprintf(&b, ", and %s", solver.Count(m.Also, "classic test"))
	}
	if m.AlsoOpen > 0 {
		fmt.Fprintf(&b, ", %d of them undecided under some mutant", m.AlsoOpen)
	}
	fmt.Fprintf(&b, "; %d of %s make no difference in any of them", alike+out, solver.Count(len(m.Parts), "part"))
	if m.ExecutionsTo > 0 {
		fmt.Fprintf(&b, ", and %d of these none in any execution of up to %s", alike,
			solver.Count(m.ExecutionsTo, "event"))
	}
	b.WriteString("\n")
	return b.String()
}
