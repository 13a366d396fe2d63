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

// Sorted gives a literal that leaves one execution, at least, of those that come from
// each other by exchanging threads; 0 where no threads can be exchanged.
//
// Threads are interchangeable when they have the same code and start alike, and the
// proposition and the filter mean the same with their registers exchanged. A model sees
// of a thread only which events are its own, so exchanging two of them takes an
// execution that it allows to another, with the same answer to the condition. Repeated
// exchanges sort the threads by any key that goes along with a thread when it is
// exchanged, so that to ask for sorted executions alone hides no answer. Keys may be
// equal, and then either order will do.
//
// The key is the place of one write in the coherence order of its location, the same
// step's in each thread, or else the place of the write that a read takes its value
// from; a thread that does not get to that step comes last.
//
// Of a program that is held to properties, they also have to begin and end together. See together.
func (e *Encoding) Sorted() (l sat.Lit) {
	for _, threads := range e.alike() {
		l = e.sort(l, e.keys(threads, e.worth))
	}
	return l
}

// OneOfEach is such a literal that leaves just one of those complete executions that come from each other by exchanging
// some threads, of which there are always so many orders, no more than most; 0 and 1 where there is none. The keys are
// writes that every complete execution has.
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

// sort has the keys in order where l is true, which is made where there is none yet.
func (e *Encoding) sort(l sat.Lit, keys []int) sat.Lit {
	if l == 0 && keys != nil {
		l = e.Var()
		e.Define(l)
	}
	for j, b := range keys {
		for i, a := range keys[:j] {
			if i == j-1 || e.Events[b].Kind == models.Write { // all pairs of writes, so that little is left to find out
				e.inOrder(l, a, b)
			}
		}
	}
	return l
}

// inOrder asserts that, where l is true, one thread's key event comes no later than
// another's.
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

// keys are the events to sort threads of the same code by, one of each, that are worth most; nil where none
// is worth anything.
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

// worth rates an event as a key; 0 is for one whose location is not known. A write that is
// always executed is best: no two keys are equal. One whose value is computed settles the most.
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

// alike are the classes of threads that can be exchanged. That the order of spawns does not matter
// is known of the built-in models alone.
func (e *Encoding) alike() [][]int {
	if slices.ContainsFunc(e.Program.Threads, func(t ir.Thread) bool { return t.Spawned }) && !e.model.IsBuiltIn() {
		return nil
	}
	return interchangeable(e.Program)
}

// interchangeable lists the classes of threads that can be exchanged, of two or more.
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

func sameCode(a, b *ir.Thread) bool {
	same := func(x, y ir.Register) bool { return x.Bits == y.Bits && x.Init == y.Init }
	op := func(x, y ir.Step) bool { return reflect.DeepEqual(x.Op, y.Op) }
	return slices.EqualFunc(a.Regs, b.Regs, same) && slices.EqualFunc(a.Code, b.Code, op)
}

// unmoved reports whether the proposition and the filter stay the same, up to the order
// of what commutes, when the registers of two threads are exchanged.
func unmoved(p *ir.Program, a, b int) bool {
	exchange := map[int]int{a: b, b: a}
	for _, prop := range []litmus.Prop{p.Condition.Prop, p.Filter} {
		if canonical(p, prop, nil) != canonical(p, prop, exchange) {
			return false
		}
	}
	return true
}

// canonical writes a proposition, its threads renamed, with what commutes in the order
// of its text.
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
