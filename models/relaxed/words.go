package relaxed

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/models/evaluation"
)

// describer describes why a model allows what SC forbids.
type describer struct {
	*relaxer
	g     *models.Graph
	label string // the model's
}

// describe sets the sentences of a comparison.
func (t *describer) describe(out *Relaxed) {
	relaxed := 0
	for _, s := range out.Cycle {
		if s.Relaxed {
			relaxed++
		}
	}
	switch {
	case len(out.Cycle) == 0:
		out.Sentence = "SC allows this execution, too."
		return
	case out.Cycle[len(out.Cycle)-1].Relation == "rmw^-1":
		s := out.Cycle[0]
		out.Sentence = fmt.Sprintf(
			"%s comes between the load and the store of %s's atomic update, and no axiom of %s forbids that.",
			upper(t.event(s.To)), t.thread(s.From), t.label)
		return
	case relaxed == 0 && mixed(t.x):
		out.Sentence = "SC forbids this cycle. " + t.label +
			" preserves each of its steps for some bytes, but not for the bytes of one piece of each access:"
		return
	case out.Axiom == "":
		out.Sentence = "SC forbids this cycle. " + t.label + " has no axiom that puts all its steps into one order."
		return
	case relaxed == 1:
		out.Sentence = "SC forbids this cycle. " + t.label + " does not preserve one of its steps:"
	default:
		out.Sentence = fmt.Sprintf(
			"SC forbids this cycle. %s does not preserve %s of its steps, and at least one of them is out of order:",
			t.label, number(relaxed))
	}
	for i := range out.Cycle {
		if s := &out.Cycle[i]; s.Relaxed {
			if t.needed != nil {
				s.Words = t.describeNeeded(*s)
			} else {
				s.Words = t.step(out.Cycle, i, relaxed > 1)
			}
		}
	}
	if t.needed != nil {
		out.Remedy = t.strengthened(out)
		return
	}
	t.remedy(out)
}

// step says how a step can happen that the model does not preserve. With perhaps, another step of the cycle may be the
// reason instead.
func (t *describer) step(cycle []RelaxedStep, i int, perhaps bool) string {
	s := cycle[i]
	say := func(is, may string) string {
		if perhaps {
			return may
		}
		return is
	}
	x, y := t.event(s.From), t.event(s.To)
	switch {
	case t.internal(s) && s.Relation != "rf" && t.keepers(s) != "":
		return "Only " + t.keepers(s) + " keeps " + y + " behind " + t.earlier(s.From) + "."
	case t.internal(s) && s.Relation == "rf":
		if t.model.HasMachine() {
			return upper(y) + say(" reads", " may read") + " its thread's own " + t.withoutThread(s.From) +
				" from the buffer, before it reaches memory."
		}
		return upper(y) + say(" reads", " may read") + " its thread's own " + t.withoutThread(s.From) +
			" before other threads can see it."
	case t.internal(s):
		return t.within(s, say)
	case s.Relation == "co":
		return "That " + y + " overwrites " + x + " orders nothing else."
	}
	// A write that has reached one thread and not another.
	late, store := s.From, s.To
	early := -1
	if s.Relation == "rf" {
		before := cycle[(i+len(cycle)-1)%len(cycle)]
		store, early = s.From, s.To
		if late = -1; before.Relation == "fr" {
			late = before.From
		}
	} else if after := cycle[(i+1)%len(cycle)]; after.Relation == "rf" {
		early = after.To
	}
	w := upper(t.event(store))
	switch {
	case early >= 0 && late >= 0 && t.x.Events[early].Thread != t.x.Events[late].Thread:
		return w + say(" reaches ", " may reach ") + t.thread(early) + " before it reaches " + t.thread(late) + "."
	case late < 0:
		return upper(t.event(early)) + say(" reads ", " may read ") + t.event(store) +
			" before that store has reached every thread."
	}
	return w + say(" reaches ", " may reach ") + t.thread(late) + " only after " + t.event(late) +
		", although the other steps of the cycle lead from it to that load."
}

// within is step for a pair in program order.
func (t *describer) within(s RelaxedStep, say func(is, may string) string) string {
	a, b := &t.x.Events[s.From], &t.x.Events[s.To]
	x, y := t.event(s.From), t.event(s.To)
	machine := t.model.HasMachine()
	switch {
	case machine && a.Kind == models.Write && b.Kind == models.Read:
		text := upper(x) + say(" waits", " may wait") + " in its buffer while its " + t.reads(s.To)
		for _, f := range t.x.Events { // forwarded to a load between the two
			w := t.x.RF[f.ID]
			if f.ID > a.ID && f.ID < b.ID && w >= 0 && t.x.Events[w].FirstPiece() == a.ID && !partOf(t.x, f.ID) {
				return text + "; " + "its " + t.withoutThread(f.FirstPiece()) + " takes its value from the buffer."
			}
		}
		return text + "."
	case machine && a.Kind == models.Write && b.Kind == models.Write:
		return upper(y) + say(" reaches", " may reach") + " memory before " + t.earlier(s.From) +
			", which waits in a buffer."
	}
	verb := [2]string{" takes effect", " may take effect"}
	if b.Kind == models.Read {
		verb = [2]string{" takes place", " may take place"}
	}
	text := upper(y) + say(verb[0], verb[1]) + " before " + t.earlier(s.From)
	for _, d := range []struct {
		pairs []models.Pair
		what  string
	}{
		{t.x.Addr, ", which its address depends on"},
		{t.x.Data, ", which its value depends on"},
		{t.x.Ctrl, ", which the branch between them depends on"},
	} {
		if slices.Contains(d.pairs, models.Pair{a.ID, b.ID}) {
			return text + d.what + "."
		}
	}
	return text + "."
}

// remedy looks for fences that would forbid the execution, and checks them with the model.
func (t *describer) remedy(out *Relaxed) {
	var loose, all []fenceAfter
	for _, s := range out.Cycle {
		if !t.internal(s) || slices.Contains(t.x.RMW, models.Pair{s.From, s.To}) {
			continue
		}
		f := fenceAfter{lastPiece(t.x, s.From), fullFence()}
		for _, u := range t.x.RMW { // not within an update
			if u[0] == s.From && u[1] < s.To {
				f.behind = u[1]
			}
		}
		all = append(all, f)
		if s.Relaxed {
			loose = append(loose, f)
		}
	}
	forbid := func(fences []fenceAfter) bool {
		x, _ := withFences(t.x, fences)
		tried := relaxer{model: t.model, x: x, e: evaluation.NewEvaluator(x)}
		return len(fences) > 0 && tried.forbids()
	}
	switch {
	case forbid(loose) && len(loose) == 1:
		out.Remedy = "A full fence between the two would forbid this execution."
	case forbid(loose):
		out.Remedy = "Full fences in these places would forbid this execution."
	case forbid(all):
		out.Remedy = "Full fences between the accesses of each thread would forbid this execution."
	}
}

// partOf reports whether an event belongs to an atomic update.
func partOf(x *models.Execution, event int) bool {
	return slices.ContainsFunc(x.RMW, func(u models.Pair) bool { return u[0] == event || u[1] == event })
}

// event names an event by its thread: "P0's store to x".
func (t *describer) event(id int) string {
	if t.x.Events[id].Thread == models.InitThread {
		return "the initial store to " + t.g.Events[id].Loc
	}
	return t.thread(id) + "'s " + t.withoutThread(id)
}

// withoutThread describes an event without its thread, distinct from the thread's other events.
func (t *describer) withoutThread(id int) string {
	e, v := &t.x.Events[id], t.g.Events[id]
	alike := 0
	for _, o := range t.x.Events {
		if o.Thread == e.Thread && o.Kind == e.Kind && o.Loc == e.Loc {
			alike++
		}
	}
	kind, to := "load", " of "
	if e.Kind == models.Write {
		kind, to = "store", " to "
	}
	if partOf(t.x, id) {
		kind = "atomic " + kind
	}
	if alike > 1 {
		if e.Kind == models.Write {
			return kind + " of " + v.Value + to + v.Loc
		}
		return kind + " " + v.Name + to + v.Loc
	}
	return kind + to + v.Loc
}

func (t *describer) earlier(id int) string { return "its earlier " + t.withoutThread(id) }

// reads says what a load reads: "load reads x=0".
func (t *describer) reads(id int) string {
	v := t.g.Events[id]
	if what := t.withoutThread(id); what != "load of "+v.Loc {
		return what + " reads " + v.Value
	}
	return "load reads " + v.Loc + "=" + v.Value
}

// keepers returns the axioms that preserve a step, without those of a language that preserve all of program order, such
// as C's happens-before: they explain nothing.
func (t *describer) keepers(s RelaxedStep) string {
	var names []string
	for _, o := range t.orders {
		whole := models.FactsOf(t.model.Name).IsLanguage() && len(t.po.Minus(o.kept).List()) == 0
		if o.kept.Has(s.From, s.To) && !whole {
			names = append(names, o.axiom.Name)
		}
	}
	return strings.Join(names, " and ")
}

func (t *describer) thread(id int) string {
	if th := t.g.Events[id].Thread; th >= 0 {
		return t.g.Threads[th].Name
	}
	return "the start"
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func number(n int) string {
	if words := []string{"no", "one", "two", "three", "four", "five", "six"}; n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}
