package encode

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/sat"
)

// Programs with n threads of the same code have up to n! executions that differ only in which thread does what. A
// solver that has to refute all of them does the same work again for each. A clause that sorts the threads leaves about
// one of them. The clauses apply only if a literal is true, so that the engine can ask the solver with and without
// them: proofs and lists of executions need all.

// Sorted returns a literal that leaves at least one of the executions that differ only by exchanging threads; 0 if no
// two threads are interchangeable.
//
// Threads are interchangeable if they have the same code and initial registers, and if the proposition and the filter
// mean the same after exchanging their registers. A model does not know threads by name, so that exchanging two of them
// turns an allowed execution into another allowed one, with the same answer to the condition. Repeated exchanges sort
// the threads by any key that moves with a thread. So it suffices to ask for sorted executions. Equal keys may be in
// either order.
//
// The key is the place of one write in the coherence order of its location, by the same step of each thread; or the
// place of the write that a read reads from. A thread that does not reach the step comes last.
//
// Threads of programs with properties must also begin and end together. See meeting.
func (e *Encoding) Sorted() (l sat.Lit) {
	for _, threads := range e.alike() {
		l = e.sort(l, e.keys(threads, e.worth))
	}
	return l
}

// OneOfEach returns a literal that leaves exactly one of the complete executions that differ only by exchanging some
// threads, and the number of orders of these threads, which is the same for all executions and at most most. Without
// such threads it returns 0 and 1. The keys are writes that every complete execution has.
func (e *Encoding) OneOfEach(most int) (l sat.Lit, orders int) {
	always := func(n int) int {
		if n < 0 || e.Events[n].Kind != models.Write || !e.order.Passed(n) {
			return 0
		}
		return e.worth(n)
	}
	orders = 1
	for _, threads := range e.alike() {
		keys, of := e.keys(threads, always), orders
		for i := range keys {
			of *= i + 1
			if of > most {
				return l, orders
			}
		}
		l, orders = e.sort(l, keys), of
	}
	return l, orders
}

// sort asserts that the keys are in order if l is true. It makes l if it is 0.
func (e *Encoding) sort(l sat.Lit, keys []int) sat.Lit {
	if l == 0 && keys != nil {
		l = e.Var()
		e.Define(l)
	}
	for j, b := range keys {
		for i, a := range keys[:j] {
			if i == j-1 || e.Events[b].Kind == models.Write { // all pairs of writes spare derivations
				e.inOrder(l, a, b)
			}
		}
	}
	return l
}

// inOrder asserts that, if l is true, key event a does not come later than b.
func (e *Encoding) inOrder(l sat.Lit, a, b int) {
	x, y := &e.Events[a], &e.Events[b]
	e.Assert(l.Not(), y.Guard.Not(), x.Guard)
	both := []sat.Lit{l.Not(), x.Guard.Not(), y.Guard.Not()}
	if x.Kind == models.Write {
		e.Assert(append(both, e.co[a][b])...)
		return
	}
	from, to := e.reads[e.readIndex(a)], e.reads[e.readIndex(b)]
	for i, late := range from.writes {
		for k, early := range to.writes {
			if early != late {
				e.Assert(
					append(slices.Clip(both), from.choice[i].Not(), to.choice[k].Not(), e.co[early][late].Not())...)
			}
		}
	}
}

// keys returns the events by which to sort threads of the same code, one per thread: those of the step with the
// highest rating; nil if every rating is 0.
func (e *Encoding) keys(threads []int, rate func(event int) int) []int {
	var best []int
	most := 0
	for step := range e.Program.Threads[threads[0]].Code {
		events, worth := make([]int, len(threads)), math.MaxInt
		for i, t := range threads {
			ev := e.first[t][step]
			if ev >= 0 && e.Events[ev].Partner > ev {
				ev = e.Events[ev].Partner
			}
			events[i], worth = ev, min(worth, rate(ev))
		}
		if worth > most {
			best, most = events, worth
		}
	}
	return best
}

// worth rates an event as a key; 0 if its location is unknown. A write that is always executed is best, because no two
// keys are equal. A computed value decides most.
func (e *Encoding) worth(n int) int {
	if n < 0 || e.Events[n].Kind == models.Fence || len(e.Events[n].Locs) != 1 || e.Events[n].at[0] != sat.True {
		return 0
	}
	ev, rate := &e.Events[n], 1
	if ev.Kind == models.Write {
		rate += 4
	}
	if ev.Guard == sat.True {
		rate += 2
	}
	if !ev.Known.Constant() {
		rate++
	}
	return rate
}

// alike returns the classes of interchangeable threads. Spawned threads are interchangeable under built-in models only,
// for which the order of spawns does not matter.
func (e *Encoding) alike() [][]int {
	if slices.ContainsFunc(e.Program.Threads, func(t ir.Thread) bool { return t.Spawned }) && !e.model.IsBuiltIn() {
		return nil
	}
	return interchangeable(e.Program)
}

// interchangeable returns the classes of at least two interchangeable threads.
func interchangeable(p *ir.Program) (classes [][]int) {
	observed := make([]bool, len(p.Threads))
	for _, o := range p.Observed {
		if o.Thread >= 0 {
			observed[o.Thread] = true
		}
	}
	met := meetings(p)
	alike := func(a, b int) bool {
		return p.Threads[a].Spawned == p.Threads[b].Spawned && sameCode(&p.Threads[a], &p.Threads[b]) &&
			met[a].together(met[b]) &&
			(!observed[a] && !observed[b] || unmoved(p, a, b))
	}
next:
	for t := range p.Threads {
		for i, c := range classes {
			if alike(c[0], t) {
				classes[i] = append(c, t)
				continue next
			}
		}
		classes = append(classes, []int{t})
	}
	return slices.DeleteFunc(classes, func(c []int) bool { return len(c) < 2 })
}

// sameCode reports whether two threads have equal steps and equal registers with equal initial values.
func sameCode(a, b *ir.Thread) bool {
	same := func(x, y ir.Register) bool { return x.Bits == y.Bits && x.Init == y.Init }
	op := func(x, y ir.Step) bool { return reflect.DeepEqual(x.Op, y.Op) }
	return slices.EqualFunc(a.Regs, b.Regs, same) && slices.EqualFunc(a.Code, b.Code, op)
}

// unmoved reports whether exchanging the registers of two threads leaves the proposition and the filter the same, up to
// the order of commutative arguments.
func unmoved(p *ir.Program, a, b int) bool {
	exchange := map[int]int{a: b, b: a}
	for _, prop := range []litmus.Prop{p.Condition.Prop, p.Filter} {
		if canonical(p, prop, nil) != canonical(p, prop, exchange) {
			return false
		}
	}
	return true
}

// canonical prints a proposition with renamed threads and with commutative arguments sorted.
func canonical(p *ir.Program, prop litmus.Prop, rename map[int]int) string {
	all := func(op string, args []litmus.Prop) string {
		texts := make([]string, len(args))
		for i, a := range args {
			texts[i] = canonical(p, a, rename)
		}
		slices.Sort(texts)
		return op + "(" + strings.Join(texts, ",") + ")"
	}
	observable := func(i int) string {
		o := p.Observed[i]
		if t, ok := rename[o.Thread]; ok {
			o.Thread = t
		}
		return fmt.Sprint(o.Thread, o.Index, o.Bits)
	}
	switch prop := prop.(type) {
	case litmus.And:
		return all("and", prop.Args)
	case litmus.Or:
		return all("or", prop.Args)
	case litmus.Not:
		return all("not", []litmus.Prop{prop.Arg})
	case litmus.Implies:
		return all("or", []litmus.Prop{litmus.Not{Arg: prop.If}, prop.Then})
	case litmus.Compare:
		sides := []string{observable(prop.Obs), fmt.Sprint("=", prop.Value)}
		if prop.Other >= 0 {
			sides[1] = observable(prop.Other)
		}
		slices.Sort(sides)
		return fmt.Sprint(sides, prop.NotEqual)
	}
	return fmt.Sprint(prop)
}
