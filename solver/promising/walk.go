package promising

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/play"
	"litmuscope/solver/operational"
)

// Machine is the machine of a model step by step, about a program as [ir.Unroll] makes it.
func Machine(ctx context.Context, p *ir.Program, m *models.Model) (operational.Machine[State], error) {
	if err := Takes(m, p); err != nil {
		return nil, err
	}
	return walker{newSearch(ctx, p, m)}, nil
}

// walker implements operational.Machine.
type walker struct{ *search }

// Start implements operational.Machine.
func (w walker) Start() (State, error) { return State{nil, slices.Clone(w.starts)}, nil }

// Steps implements operational.Machine. Promises are late.
func (w walker) Steps(from State, late bool) ([][]operational.Step[State], error) {
	out := make([][]operational.Step[State], len(from.threads))
	for t := range from.threads {
		steps, err := w.acts(from, t)
		if err == nil && late {
			steps, err = w.promises(from, t, steps)
		}
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			out[t] = append(out[t], w.offer(from, st))
		}
	}
	return out, nil
}

// offer puts a step in words.
func (w walker) offer(from State, st step) operational.Step[State] {
	out := operational.Step[State]{After: st.after, Text: st.format(w.program), Source: -1}
	out.Did, out.Note = w.describe(from, st)
	if st.promise != nil {
		out.Apart, out.Choice = true, "promise "+w.assignment(*st.promise)
		return out
	}
	th := &w.program.Threads[st.thread]
	out.Source = th.Code[st.act.Step].Source
	out.Choice = th.Source[out.Source].Text
	if st.act.Kind != ir.ActFence {
		out.Choice += " " + out.Did
	}
	return out
}

// Show implements operational.Machine.
func (w walker) Show(s State, before *State) (f play.Frame, err error) {
	p := w.program
	newest := make([]uint64, len(p.Locs))
	for l := range p.Locs {
		newest[l] = operational.Initial(p, l)
	}
	f.Messages = []play.Message{}
	for i, m := range s.memory {
		newest[m.loc] = m.value
		f.Messages = append(f.Messages, play.Message{
			Thread: m.thread, Text: w.assignment(m), New: before != nil && i >= len(before.memory),
			Promised: s.threads[m.thread].open&(1<<(i+1)) != 0,
		})
	}
	for l, v := range newest {
		f.Memory = append(f.Memory, play.Cell{Name: p.Locs[l].Name, Value: p.FormatAt(l, v)})
	}
	for t := range s.threads {
		out, err := w.thread(s, t)
		if err != nil {
			return f, err
		}
		f.Threads = append(f.Threads, out)
	}
	return f, nil
}

// thread is a thread's part of a frame: its next instruction, its registers, and what its next accesses come after. The
// view has the values of each location that a read without dependencies may still return, the oldest first.
func (w walker) thread(s State, t int) (play.Thread, error) {
	p, th := w.program, s.threads[t].clone()
	a, err := w.run(t, s.memory).action(th)
	if err != nil {
		return play.Thread{}, err
	}
	out := operational.NextThread(p, t, a, th.cur.Regs)
	for l := range p.Locs {
		least := max(th.newReads.order, th.coh[l].order)
		values := []string{p.FormatAt(l, operational.Initial(p, l))}
		for i, m := range s.memory {
			if m.loc != l {
				continue
			}
			if i+1 <= least {
				values = nil
			}
			values = append(values, p.FormatAt(l, m.value))
		}
		out.View = append(out.View, play.Cell{Name: p.Locs[l].Name, Value: strings.Join(values, ", ")})
	}
	out.Bounds = []play.Cell{
		{Name: "reads after", Value: number(th.newReads.order)},
		{Name: "writes after", Value: number(th.newWrites.join(th.addresses).write())},
	}
	return out, nil
}

// number names a timestamp.
func number(t int) string {
	if t == 0 {
		return "start"
	}
	return fmt.Sprintf("#%d", t)
}

// assignment is "x=1".
func (w walker) assignment(m message) string {
	return operational.Assignment(w.program, m.loc, m.value)
}

// reads is what a step reads.
func (w walker) reads(st step) string {
	if st.read == 0 {
		loc := st.act.Loc
		return "reads " + w.assignment(message{loc: loc, value: operational.Initial(w.program, loc)}) +
			", the initial value"
	}
	return fmt.Sprintf("reads %s, message #%d", w.assignment(st.after.memory[st.read-1]), st.read)
}

// fulfils reports whether a step writes a message that its thread has promised.
func (from State) fulfils(st step) bool { return st.write >= 0 && st.write <= len(from.memory) }

// does says what a step does, without its instruction.
func (w walker) does(from State, st step) string {
	var parts []string
	if st.read >= 0 {
		parts = append(parts, w.reads(st))
	}
	if st.write >= 0 {
		m := w.assignment(st.after.memory[st.write-1])
		if from.fulfils(st) {
			parts = append(parts, fmt.Sprintf("writes %s, its promise #%d", m, st.write))
		} else {
			parts = append(parts, fmt.Sprintf("writes %s, message #%d", m, st.write))
		}
	}
	switch {
	case st.promise != nil:
		return fmt.Sprintf("promises %s, message #%d", w.assignment(*st.promise), len(st.after.memory))
	case st.act.Kind == ir.ActStoreCond && st.write < 0:
		return "fails"
	case st.act.Kind == ir.ActChoose && st.yes:
		return "takes the second branch"
	case st.act.Kind == ir.ActChoose:
		return "takes the first branch"
	case st.act.Kind == ir.ActFence:
		return "orders what comes before and after it"
	}
	return strings.Join(parts, ", ")
}

// describe says what a step does, and what is unusual about it: a read of an old value, a promise, its fulfilment.
func (w walker) describe(from State, st step) (did, note string) {
	did = w.does(from, st)
	switch {
	case st.promise != nil:
		return did, "The write is in memory before its instruction executes"
	case from.fulfils(st):
		return did, "The promised write is executed"
	case st.read >= 0:
		for n := len(from.memory); n > st.read; n-- {
			if m := from.memory[n-1]; m.loc == st.act.Loc {
				return did, fmt.Sprintf("Message #%d is newer, but nothing makes P%d see it yet", n,
					w.program.Threads[st.thread].ID)
			}
		}
	}
	return did, ""
}

// Happened implements operational.Machine. Messages are in coherence order, so that those of a location are its first
// writes of the execution.
func (w walker) Happened(s State, x *operational.Execution) (events, waiting []int, ok bool) {
	at, count := []int{-1}, make([]int, len(x.Orders))
	for _, m := range s.memory {
		count[m.loc]++
		if count[m.loc] >= len(x.Orders[m.loc]) {
			return nil, nil, false
		}
		e := x.Orders[m.loc][count[m.loc]]
		if x.Graph.Events[e].Thread != m.thread || !x.HasValue(e, m.loc, m.value) {
			return nil, nil, false
		}
		at = append(at, e)
	}
	for t, th := range s.threads {
		kinds := make([]operational.Kind, len(th.did))
		for i, d := range th.did {
			kinds[i] = d.kind
		}
		own, all, ok := x.Match(t, kinds)
		if !ok {
			return nil, nil, false
		}
		for i, d := range th.did {
			from := at[d.message]
			if d.kind != operational.Fence && d.message == 0 {
				from = x.Initial(d.loc)
			}
			if d.kind == operational.Read && x.From[own[i]] != from || d.kind == operational.Write && own[i] != from {
				return nil, nil, false
			}
		}
		events = append(events, all...)
	}
	for n := range s.memory {
		for _, th := range s.threads {
			if th.open&(1<<(n+1)) != 0 {
				events, waiting = append(events, at[n+1]), append(waiting, at[n+1])
			}
		}
	}
	return events, waiting, true
}

// Key implements operational.Machine.
func (w walker) Key(s State) string {
	key := []byte(encode(s.memory))
	for _, th := range s.threads {
		key = binary.AppendUvarint(key, uint64(len(th.did)))
		key = binary.AppendUvarint(key, th.open)
		key = binary.AppendUvarint(key, uint64(len(th.inputs)))
		for _, v := range th.inputs {
			key = binary.AppendUvarint(key, v)
		}
	}
	return string(key)
}

// Search implements operational.Machine.
func (w walker) Search(
	ctx context.Context, s State, limits operational.Limits,
) (operational.Found, error) {
	from := &search{
		rules: w.rules, ctx: ctx, program: w.program, limits: limits, starts: s.threads, first: len(s.memory),
		visited: map[string]bool{},
	}
	return from.explore(s.memory)
}
