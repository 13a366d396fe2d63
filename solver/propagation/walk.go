package propagation

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/play"
	"litmuscope/solver/operational"
)

// Machine is the machine of a model step by step, about a program as [ir.Unroll] makes it.
func Machine(ctx context.Context, p *ir.Program, m *models.Model) (operational.Machine[*State], error) {
	if err := Takes(m, p); err != nil {
		return nil, err
	}
	return walker{search: newSearch(ctx, p, m)}, nil
}

// walker implements operational.Machine.
type walker struct {
	*search
	patient bool // it does not look at reads that have not happened
}

// Patient implements operational.Patient.
func (w walker) Patient() operational.Machine[*State] { return walker{w.search, true} }

// step is a step of a reader's run.
type step = operational.Step[*State]

// Start implements operational.Machine.
func (w walker) Start() (*State, error) { return w.start() }

// Steps implements operational.Machine. The text of a step is that of an instruction, such as 0.2 for the second access
// or fence of P0: it reads, or is committed. 0.2>1 commits a write behind event 1 in coherence order, 0 being the
// initial write. 0.2:1 makes a write or fence of P0 reach P1. 0?5 guesses that what the thread waits for is 5. 0+ and
// 0- are the outcomes of a store-conditional, or of a choice. Late steps are those that reach other threads.
func (w walker) Steps(from *State, late bool) ([][]step, error) {
	out := make([][]step, len(from.threads))
	if from.over() {
		return out, nil
	}
	if late {
		for e := range from.events {
			for t := range from.threads {
				if from.propagates(e, t) {
					by := from.events[e].thread
					out[by] = append(out[by], w.propagation(from, e, t))
				}
			}
		}
		return out, nil
	}
	for t, th := range from.threads {
		choices, err := w.choices(from, t)
		if err != nil {
			return nil, err
		}
		out[t] = choices
		committed := w.committed(from, t, th)
		for i := range th.code {
			if th.code[i].kind != reads {
				out[t] = append(out[t], w.commitSteps(from, t, i, committed)...)
				continue
			}
			if st, err := w.readStep(from, t, i, committed); err != nil {
				return nil, err
			} else if st != nil {
				out[t] = append(out[t], *st)
			}
		}
	}
	return out, nil
}

// choices are the guesses of a thread, or the outcomes of its next store-conditional or choice.
func (w walker) choices(from *State, t int) ([]step, error) {
	th := from.threads[t]
	switch th.stop.Kind {
	case ir.ActStoreCond, ir.ActChoose, ir.ActWants:
	default:
		return nil, nil
	}
	ways, err := w.decide(from, t, th)
	if ways == nil || err != nil {
		return nil, err
	}
	code := th.stop.Step
	source := w.program.Threads[t].Code[code].Source
	var out []step
	for n, way := range *ways {
		st := step{After: way, Source: source, Text: fmt.Sprintf("%d%c", w.id(t), "+-"[n%2])}
		switch th.stop.Kind {
		case ir.ActStoreCond:
			st.Did = []string{"will succeed", "fails"}[n]
		case ir.ActChoose:
			st.Did = []string{"takes the second branch", "takes the first branch"}[n]
		default:
			v := th.stop.Guesses[n]
			st.Text = fmt.Sprintf("%d?%d", w.id(t), v)
			st.Note = "The thread does not know yet, and must turn out to be right"
			if _, branches := w.program.Threads[t].Code[code].Op.(ir.Branch); branches {
				st.Did = "guesses that the branch is " + []string{"not taken", "taken"}[min(v, 1)]
			} else if loc, ok := w.program.LocationAt(v); ok {
				st.Did = "guesses that the address is " + w.program.Locs[loc].Name
			}
		}
		st.Choice = w.program.Threads[t].Source[source].Text + " " + st.Did
		if way.threads[t].stop.Kind == ir.ActRefuted || way.threads[t].stop.Kind == ir.ActBlocked {
			continue
		}
		out = append(out, st)
	}
	return out, nil
}

// id is the number of a thread in the test.
func (w walker) id(t int) int { return w.program.Threads[t].ID }

// of begins the step of an instruction.
func (w walker) of(from *State, t, i int) step {
	in := &from.threads[t].code[i]
	source := w.program.Threads[t].Code[in.Step].Source
	return step{
		Text: fmt.Sprintf("%d.%d", w.id(t), i+1), Source: source, Choice: w.program.Threads[t].Source[source].Text,
	}
}

// commitSteps are the steps that commit a write or a fence.
func (w walker) commitSteps(from *State, t, i int, committed []bool) []step {
	in := &from.threads[t].code[i]
	if in.kind == fences && !in.barrier.storage() || !w.commits(from.threads[t], i, committed) {
		return nil
	}
	early := ""
	for j := range i {
		if !committed[j] {
			early = "Earlier instructions of the thread are not complete"
		}
	}
	if in.kind == fences {
		st := w.of(from, t, i)
		st.After, st.Did = from.commitFence(t, i), "is committed: it follows what has reached P"+strconv.Itoa(w.id(t))
		st.Sure = true
		return []step{st}
	}
	var out []step
	first, last := from.positions(t, in.Loc)
	for at := last; at >= first; at-- {
		after := from.commitWrite(t, i, at)
		if after == nil {
			continue
		}
		st := w.of(from, t, i)
		st.After, st.Note, st.Sure = after, early, true
		behind := 0
		if at > 0 {
			behind = from.order[in.Loc][at-1] + 1
		}
		st.Text += fmt.Sprintf(">%d", behind)
		st.Did = fmt.Sprintf("is committed: %s, #%d", w.event(after, len(after.events)-1), len(after.events))
		if at < last {
			st.Did += fmt.Sprintf(", before #%d in coherence order", from.order[in.Loc][at]+1)
		}
		st.Choice += " " + st.Did
		out = append(out, st)
	}
	return out
}

// readStep is the step of a read; nil if it cannot read.
func (w walker) readStep(from *State, t, i int, committed []bool) (*step, error) {
	th := from.threads[t]
	if th.from[i] != none {
		return nil, nil
	}
	source := w.available(from, t, th, i, committed)
	if source == none {
		return nil, nil
	}
	after, err := w.read(from, t, i, source)
	if err != nil || after == nil || after.threads[t].stop.Kind == ir.ActRefuted ||
		after.threads[t].stop.Kind == ir.ActBlocked {
		return nil, err
	}
	st := w.of(from, t, i)
	loc := th.code[i].Loc
	st.After = after
	st.Did = "reads " + operational.Assignment(w.program, loc, w.value(from, loc, source, t, th))
	switch e := from.find(source); {
	case source == initial:
		st.Did += ", the initial value"
	case e < 0:
		st.Did += ", which its thread has not committed"
	default:
		st.Did += fmt.Sprintf(", #%d", e+1)
	}
	for j := range i {
		if th.code[j].kind == reads && th.from[j] == none {
			st.Note = "It reads before an earlier read of its thread"
		}
	}
	if order := from.order[loc]; st.Note == "" && len(order) > 0 && source != none && from.find(source) >= 0 {
		if last := order[len(order)-1]; from.at[t]&(1<<last) == 0 {
			st.Note = fmt.Sprintf("#%d is newer, but has not reached P%d", last+1, w.id(t))
		}
	} else if st.Note == "" && len(order) > 0 && source == initial {
		st.Note = fmt.Sprintf("#%d has not reached P%d", order[len(order)-1]+1, w.id(t))
	}
	st.Choice += " " + st.Did
	st.Sure = true
	return &st, nil
}

// propagation is the step with which an event reaches a thread.
func (w walker) propagation(from *State, e, t int) step {
	ev := &from.events[e]
	text := fmt.Sprintf("%s, #%d, reaches P%d", w.event(from, e), e+1, w.id(t))
	return step{
		After: from.propagate(e, t), Text: fmt.Sprintf("%d.%d:%d", w.id(ev.thread), ev.number+1, w.id(t)), Source: -1,
		Did: text, Choice: text, Apart: true, Idle: !from.needed(e, t),
	}
}

// event is "x=1" of a write, and the instruction of a fence.
func (w walker) event(s *State, e int) string {
	ev := &s.events[e]
	in := &s.threads[ev.thread].code[ev.number]
	if ev.kind == writes {
		return operational.Assignment(w.program, in.Loc, in.Value&ir.Mask(in.Bits))
	}
	th := &w.program.Threads[ev.thread]
	return th.Source[th.Code[in.Step].Source].Text
}

// Show implements operational.Machine. The messages are the events of the storage subsystem.
func (w walker) Show(s *State, before **State) (play.Frame, error) {
	f := play.Frame{Messages: []play.Message{}, Propagates: true}
	for e, ev := range s.events {
		f.Messages = append(f.Messages, play.Message{
			Thread: ev.thread, Text: w.event(s, e), New: before != nil && e >= len((*before).events),
		})
	}
	for loc, order := range s.order {
		values := []string{w.program.FormatAt(loc, operational.Initial(w.program, loc))}
		for _, e := range order {
			in := s.events[e].write
			code := &s.threads[in.thread].code[in.number]
			values = append(values, fmt.Sprintf("%s #%d", w.program.FormatAt(loc, code.Value&ir.Mask(code.Bits)), e+1))
		}
		f.Memory = append(f.Memory, play.Cell{Name: w.program.Locs[loc].Name, Value: strings.Join(values, ", ")})
	}
	for t, th := range s.threads {
		out := play.Thread{Next: -1, Regs: play.Registers(w.program, t, th.regs)}
		committed := w.committed(s, t, th)
		var flying []string
		for i := range th.code {
			if committed[i] || th.code[i].kind == fences && !th.code[i].barrier.storage() {
				continue
			}
			if out.Next < 0 {
				out.Next = w.program.Threads[t].Code[th.code[i].Step].Source
			}
			flying = append(flying, w.inFlight(s, t, i))
		}
		if out.Next < 0 && !th.ended() {
			out.Next = w.program.Threads[t].Code[th.stop.Step].Source
		}
		for loc := range s.order {
			from := s.newest(t, loc)
			cell := play.Cell{
				Name: w.program.Locs[loc].Name, Value: w.program.FormatAt(loc, w.value(s, loc, from, -1, nil)),
			}
			out.View = append(out.View, cell)
		}
		var reached []string
		for at := s.at[t]; at != 0; at &= at - 1 {
			reached = append(reached, fmt.Sprintf("#%d", bits.TrailingZeros64(at)+1))
		}
		out.Bounds = []play.Cell{
			{Name: "in flight", Value: listed(flying, ", ")},
			{Name: "reached by", Value: listed(reached, " ")},
		}
		f.Threads = append(f.Threads, out)
	}
	return f, nil
}

// listed joins words; "–" if there are none.
func listed(words []string, between string) string {
	if len(words) == 0 {
		return "–"
	}
	return strings.Join(words, between)
}

// inFlight names an instruction that is not complete: a read with its value, if it has one.
func (w walker) inFlight(s *State, t, i int) string {
	th := s.threads[t]
	in := &th.code[i]
	if in.kind == fences {
		code := &w.program.Threads[t]
		return code.Source[code.Code[in.Step].Source].Text
	}
	value := "?"
	if in.kind == writes && in.known {
		value = w.program.FormatAt(in.Loc, in.Value&ir.Mask(in.Bits))
	} else if in.kind == reads && th.from[i] != none {
		value = w.program.FormatAt(in.Loc, w.value(s, in.Loc, th.from[i], t, th))
	}
	name := w.program.Locs[in.Loc].Name
	if !th.has(in.Deps.Addr) {
		name = "?"
	}
	return fmt.Sprintf("%c %s=%s", in.kind, name, value)
}

// Happened implements operational.Machine.
func (w walker) Happened(s *State, x *operational.Execution) (events, waiting []int, ok bool) {
	own := make([][]int, len(s.threads))
	for t, th := range s.threads {
		kinds := make([]operational.Kind, len(th.code))
		for i := range th.code {
			kinds[i] = th.code[i].kind
		}
		var all []int
		if own[t], all, ok = x.Match(t, kinds); !ok {
			return nil, nil, false
		}
		committed, complete := w.committed(s, t, th), true
		for i, e := range own[t] {
			in := &th.code[i]
			if in.kind != fences {
				if g := x.Graph.Events[e]; g.Loc != w.program.Locs[in.Loc].Name ||
					in.kind == writes && in.known && !x.HasValue(e, in.Loc, in.Value&ir.Mask(in.Bits)) {
					return nil, nil, false
				}
			}
			happened := th.done[i]
			if in.kind == reads {
				happened = th.from[i] != none
			} else if in.kind == fences && !in.barrier.storage() {
				happened = committed[i]
			}
			complete = complete && happened
			if happened && e >= 0 {
				events = append(events, e)
			}
		}
		if th.ended() && complete {
			for _, e := range all {
				if !slices.Contains(events, e) {
					events = append(events, e)
				}
			}
		}
	}
	for t, th := range s.threads {
		for i := range th.code {
			if th.code[i].kind == reads && !w.wants(s, x, own, t, i) {
				return nil, nil, false
			}
		}
	}
	for loc, order := range s.order {
		last := 0
		for _, e := range order {
			ev := s.events[e]
			place := slices.Index(x.Orders[loc], own[ev.thread][ev.number])
			if place <= last {
				return nil, nil, false
			}
			last = place
			if slices.ContainsFunc(s.at, func(at uint64) bool { return at&(1<<e) == 0 }) {
				waiting = append(waiting, own[ev.thread][ev.number])
			}
		}
	}
	return events, waiting, true
}

// wants reports whether a read has the write of the execution, or can still take it: no later one has reached its
// thread.
func (w walker) wants(s *State, x *operational.Execution, own [][]int, t, i int) bool {
	th, loc := s.threads[t], s.threads[t].code[i].Loc
	event := func(from write) int {
		if from == initial {
			return x.Initial(loc)
		}
		return own[from.thread][from.number]
	}
	want := x.From[own[t][i]]
	if th.from[i] != none {
		return event(th.from[i]) == want
	}
	if w.patient {
		return true
	}
	has := slices.Index(x.Orders[loc], event(s.newest(t, loc)))
	return has <= slices.Index(x.Orders[loc], want)
}

// Key implements operational.Machine.
func (w walker) Key(s *State) string { return s.key() }

// Search implements operational.Machine.
func (w walker) Search(ctx context.Context, s *State, limits operational.Limits) (operational.Found, error) {
	from := &search{
		rules: w.rules, ctx: ctx, program: w.program, limits: limits, early: w.early, visited: map[string]bool{},
	}
	return from.explore(s)
}

// needed reports whether an event has to reach a thread for something to happen there: a read of its location, another
// event that follows it, or the end of a barrier that waits for all threads.
func (s *State) needed(e, t int) bool {
	if s.at[t]&(1<<e) != 0 {
		return false
	}
	ev := &s.events[e]
	th := s.threads[t]
	if ev.kind == fences && s.threads[ev.thread].code[ev.number].barrier.strong {
		return true
	}
	if ev.kind == writes {
		if s.overtaken(e, t) {
			return false
		}
		for i := range th.code {
			if th.code[i].kind == reads && th.from[i] == none && th.code[i].Loc == ev.loc {
				return true
			}
		}
	}
	for later := e + 1; later < len(s.events); later++ {
		if s.events[later].before&(1<<e) != 0 && s.needed(later, t) {
			return true
		}
	}
	return false
}
