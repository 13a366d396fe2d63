package testdiff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/solver/sat"
)

// Bounds on the comparison: beyond them, it does not report the changes.
const (
	maxSteps = 100_000 // of a thread, from one access to the next
	maxPaths = 256     // of a thread

	// Rounds of a loop, backward jumps on a path that is: if threads are alike, the second round has shown everything.
	roundsAlike, rounds = 2, 4

	// Work of the solver on all questions. Exercises of the lessons take a thousandth of it: a count does not depend on
	// how busy the machine is.
	maxConflicts = 4_000
	maxClauses   = 10_000_000 // handed to it, with each question anew

	// Paths and clauses for a question that is one of many, about a test with a system side: each access may fault
	// there, so that a thread has many paths.
	fewPaths   = 128
	fewClauses = 2_000_000
)

// comparison compares two programs.
type comparison struct {
	ctx           context.Context
	before, after *ir.Program
	circuit       *sat.Circuit
	holds         [][]uint64 // see holds
	choices       map[[2]int]sat.Vec
	possible      map[sat.Lit]bool // asked already
	ways          [][]way          // by thread; nil where it does something else
	conflicts     int64            // conflicts of the solver so far
	clauses       int              // … and clauses so far
	brief         bool             // the question is one of many, about a system side

	// Of the thread in question.
	found              *Thread
	paths, jumps       int          // … and how many there may be on one
	fences             map[int]bool // statements with new ones
	depends, annotated map[int]bool // accesses, by statement
	unwound            bool
}

// way is a path of a thread to its end, and the registers there in both programs.
type way struct {
	path     []sat.Lit
	was, now []sat.Vec
}

// seen is what a read on the path has given.
type seen struct {
	loc   int
	value sat.Vec
}

func newComparison(ctx context.Context, before, after *ir.Program) *comparison {
	return &comparison{
		ctx: ctx, before: before, after: after, circuit: sat.NewCircuit(), holds: holds(before, after),
		choices: map[[2]int]sat.Vec{}, possible: map[sat.Lit]bool{}, ways: make([][]way, len(before.Threads)),
	}
}

// compare compares the programs thread by thread, then their conditions (question), and writes what it finds into e. If
// the comparison of a thread gives up, the thread may end with any values.
func (c *comparison) compare(e *Edit) error {
	for t := range c.before.Threads {
		was, now := c.before.Threads[t], c.after.Threads[t]
		if (loops(was) || c.brief) && identical(was, now) {
			continue
		}
		c.found, c.paths, c.jumps, c.unwound = &e.Threads[t], 0, rounds, false
		if alike(was, now) {
			c.jumps = roundsAlike
		}
		c.fences, c.depends, c.annotated = map[int]bool{}, map[int]bool{}, map[int]bool{}
		err := c.run(newThread(c.before, t), newThread(c.after, t), nil, nil, false)
		switch {
		case errors.Is(err, errDiffers):
			c.ways[t] = nil
		case err != nil:
			return err
		default:
			c.found.Unsettled = c.unwound && !alike(was, now)
			c.found.Fences = max(len(c.fences), fenced(now)-fenced(was))
		}
		if c.unwound {
			c.ways[t] = nil
		}
		c.found.Dependencies, c.found.Annotations = len(c.depends), len(c.annotated)
	}
	return c.question(e)
}

// fenced counts a thread's statements with fences.
func fenced(th ir.Thread) int {
	at := map[int]bool{}
	for _, s := range th.Code {
		if _, is := s.Op.(ir.Fence); is {
			at[s.Source] = true
		}
	}
	return len(at)
}

// errDiffers ends a thread's comparison: the comparison has already reported the difference.
var errDiffers = errors.New("BUG: an unreported difference")

func (c *comparison) differs(format string, args ...any) error {
	c.found.other(format, args...)
	return errDiffers
}

// run takes both threads along all ways that a path leads to.
func (c *comparison) run(was, now *thread, path []sat.Lit, read []seen, forked bool) error {
	for {
		a, err := c.come(was, path)
		var b *event
		if err == nil {
			b, err = c.come(now, path)
		}
		if f := (fork{}); errors.As(err, &f) {
			most := maxPaths
			if c.brief {
				most = fewPaths
			}
			if c.paths++; c.paths > most {
				return now.fault("has more than %d paths: too many to compare", most)
			}
			for _, on := range []sat.Lit{f.on, f.on.Not()} {
				if err := c.run(was.clone(), now.clone(), append(slices.Clip(path), on), read, true); err != nil {
					return err
				}
			}
			return nil
		} else if err != nil {
			return err
		}
		if a.kind == unwinds && b.kind == unwinds {
			c.unwound = true
			return nil
		}
		if err := c.same(was, now, a, b, path, read, forked); err != nil {
			return err
		}
		var given, behind sat.Vec
		switch a.kind {
		case ends:
			t := was.t
			c.ways[t] = append(c.ways[t], way{path, was.regs, now.regs})
			return nil
		case stops, fails, leaves:
			return nil
		case loads, updates:
			given = c.vector(min(a.bits, 64))
			if a.bits > 64 {
				behind = c.vector(a.bits - 64)
			}
			if has := c.among(a.loc, given); has != sat.True && behind == nil {
				path = append(slices.Clip(path), has)
			}
			read = append(slices.Clip(read), seen{a.loc, given})
		case storesIf:
			given = sat.Vec{sat.False}
			if a.pair >= 0 {
				given = c.vector(1)
			}
		}
		was.pass(a, given, behind, c)
		now.pass(b, given, behind, c)
	}
}

func (c *comparison) vector(bits int) sat.Vec {
	out := make(sat.Vec, bits)
	for i := range out {
		out[i] = c.circuit.Var()
	}
	return out
}

// among is true where a value is one that the location may hold.
func (c *comparison) among(loc int, v sat.Vec) sat.Lit {
	if c.holds[loc] == nil || c.before.Locs[loc].Bits != len(v) {
		return sat.True
	}
	var is []sat.Lit
	for _, n := range c.holds[loc] {
		is = append(is, c.circuit.EqualVec(v, sat.ConstVec(n, len(v))))
	}
	return c.circuit.Or(is...)
}

// choice is the n-th free choice of a thread, the same in both programs.
func (c *comparison) choice(t, n int) sat.Vec {
	at := [2]int{t, n}
	if c.choices[at] == nil {
		c.choices[at] = c.vector(1)
	}
	return c.choices[at]
}

// decide reports whether l is true on a path; a fork where it may be either.
func (c *comparison) decide(path []sat.Lit, l sat.Lit) (bool, error) {
	if l == sat.True || l == sat.False {
		return l == sat.True, nil
	}
	yes, err := c.may(path, l)
	if err != nil {
		return false, err
	}
	no, err := c.may(path, l.Not())
	if err == nil && yes && no {
		err = fork{l}
	}
	return yes, err
}

func (c *comparison) may(path []sat.Lit, l sat.Lit) (bool, error) {
	all := c.circuit.And(append(slices.Clip(path), l)...)
	if known, ok := c.possible[all]; ok {
		return known, nil
	}
	a, err := c.solve(all)
	if err == nil {
		c.possible[all] = a != nil
	}
	return a != nil, err
}

// solve gives an assignment that makes l true; nil if there is none.
func (c *comparison) solve(l sat.Lit) (*sat.Assignment, error) {
	if l == sat.False {
		return nil, nil
	}
	var assume []sat.Lit
	if l != sat.True {
		c.circuit.Define(l)
		assume = []sat.Lit{l}
	}
	most := maxClauses
	if c.brief {
		most = fewClauses
	}
	if c.clauses += c.circuit.Clauses(); c.clauses > most {
		return nil, c.tooMuch("%d clauses", most)
	}
	s := c.circuit.Solver(sat.Options{Backend: "cdcl", Conflicts: maxConflicts - c.conflicts})
	status, err := s.Solve(c.ctx, assume...)
	c.conflicts += s.Conflicts()
	switch {
	case errors.Is(err, sat.ErrConflicts) || c.conflicts >= maxConflicts:
		return nil, c.tooMuch("%d conflicts", maxConflicts)
	case err != nil:
		return nil, err
	case status != sat.Sat:
		return nil, nil
	}
	return c.circuit.Assignment(s), nil
}

// tooMuch says that the comparison reached the bound on work.
func (c *comparison) tooMuch(bound string, most int) error {
	return litmus.Errorf(litmus.Pos{File: c.after.File, Line: 1, Col: 1},
		"comparing the tests needs more than "+bound+" of the SAT solver: make the threads' computations simpler",
		most)
}

// same holds what both threads come to against each other.
func (c *comparison) same(was, now *thread, a, b *event, path []sat.Lit, read []seen, forked bool) error {
	name := c.found.Name
	if a.kind == b.kind && (a.loc != b.loc || a.bits != b.bits || a.how != b.how || a.pair != b.pair) ||
		a.kind != b.kind {
		any, err := c.solve(c.circuit.And(path...))
		if err != nil {
			return err
		}
		when := ""
		if forked {
			when = c.when(any, read)
		}
		did, does := c.words(a, any), c.words(b, any)
		switch {
		case a.kind == ends:
			return c.differs("%s %s, which is new%s.", name, does, when)
		case b.kind == ends && a.kind >= loads:
			return c.differs("%s no longer %s%s.", name, did, when)
		case did == does:
			return c.differs("%s %s in another way than before%s.", name, does, when)
		}
		return c.differs("%s %s where it should be: %s %s%s.", name, does, name, did, when)
	}
	for _, pair := range [][2]sat.Vec{{a.value, b.value}, {a.next, b.next}} {
		if pair[0] == nil {
			continue
		}
		if len(pair[0]) != len(pair[1]) {
			return c.differs("%s %s with another number of bits.", name, c.words(a, nil))
		}
		other, err := c.solve(c.circuit.And(append(slices.Clip(path), c.circuit.EqualVec(pair[0], pair[1]).Not())...))
		if err != nil {
			return err
		}
		if other != nil {
			when := ""
			_, was := pair[0].Constant()
			_, now := pair[1].Constant()
			if !was || !now || forked {
				when = c.when(other, read)
			}
			return c.differs("%s %s where it should be: %s %s%s.", name, c.words(b, other), name,
				c.words(a, other), when)
		}
	}
	if plain := isPlain(b.tags); plain != isPlain(a.tags) {
		is, should := "an atomic or marked", "a plain"
		if plain {
			is, should = should, is
		}
		return c.differs("%s %s in %s access where it should be %s one.", name, c.words(a, nil), is, should)
	}
	kept := 0
	for _, f := range now.fences {
		if kept < len(was.fences) && f.what == was.fences[kept].what && within(was.fences[kept].ctrl, f.ctrl) {
			kept++
		} else {
			c.fences[f.source] = true
		}
	}
	if kept < len(was.fences) {
		return c.differs("A fence of %s was removed or replaced.", name)
	}
	more := false
	for k := range a.deps {
		if !within(a.deps[k], b.deps[k]) {
			return c.differs("A dependency of %s was removed.", name)
		}
		more = more || len(a.deps[k]) != len(b.deps[k])
	}
	if more {
		c.depends[b.source] = true
	}
	if a.tags != b.tags {
		c.annotated[b.source] = true
	}
	return nil
}

// isPlain reports whether an access is one of C's that are neither atomic nor marked.
func isPlain(tags string) bool { return slices.Contains(strings.Fields(tags), "NA") }

// within reports whether one sorted set is part of another.
func within(part, of []int) bool { return len(union(of, part)) == len(of) }

// words say what a thread does.
func (c *comparison) words(e *event, values *sat.Assignment) string {
	loc, written := "", "a value"
	if e.kind >= loads {
		loc = c.before.Locs[e.loc].Name
	}
	if e.value != nil && values != nil {
		written = value(c.before, c.before.Locs[e.loc], values.Number(e.value))
	}
	switch e.kind {
	case ends:
		return "ends"
	case stops:
		return "stops"
	case fails:
		return "fails an assertion"
	case unwinds:
		return "loops forever"
	case leaves:
		return "accesses an address outside of all locations"
	case loads:
		return "reads " + loc
	case stores:
		return fmt.Sprintf("writes %s to %s", written, loc)
	case updates:
		return fmt.Sprintf("reads %s to update it atomically", loc)
	case replaces:
		return fmt.Sprintf("updates %s to %s", loc, written)
	case keeps:
		return fmt.Sprintf("leaves %s as it is", loc)
	}
	return fmt.Sprintf("writes %s to %s if no other thread wrote in between", written, loc)
}

// when lists the values that the reads return where two threads differ.
func (c *comparison) when(values *sat.Assignment, read []seen) string {
	var parts []string
	for _, r := range read {
		l := c.before.Locs[r.loc]
		parts = append(parts, fmt.Sprintf("%s from %s", value(c.before, l, values.Number(r.value)), l.Name))
	}
	if len(parts) == 0 {
		return ""
	}
	return ", having read " + strings.Join(parts, " and ")
}
