package views

import (
	"context"
	"encoding/binary"
	"fmt"
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
	w := walker{newSearch(ctx, p, m)}
	w.ordered = sequentiallyConsistent(p) > 1
	return w, nil
}

// walker implements operational.Machine.
type walker struct{ *search }

// Start implements operational.Machine.
func (w walker) Start() (*State, error) { return w.start() }

// Steps implements operational.Machine. The text of a step is the number of its thread; 0@2 reads message 2, and writes
// right behind it if it is an update; 0>2 writes right behind message 2. A message 0 is the initial one. 0+ is a
// store-conditional that succeeds, or a choice of the second of two ways.
func (w walker) Steps(from *State, late bool) ([][]operational.Step[*State], error) {
	out := make([][]operational.Step[*State], len(from.threads))
	if late {
		return out, nil
	}
	for t, th := range from.threads {
		add := func(after *State, err error, text, did, note string) error {
			if err != nil || after == nil {
				return err
			}
			if w.ordered {
				if ok, err := w.consistent(after); !ok || err != nil {
					return err
				}
			}
			code := th.cur.Thread
			st := operational.Step[*State]{
				After: after, Text: strconv.Itoa(code.ID) + text, Source: code.Code[th.next.Step].Source,
				Did: did + w.raises(from, after), Note: note,
			}
			st.Choice = code.Source[st.Source].Text
			if th.next.Kind != ir.ActFence {
				st.Choice += " " + did
			}
			out[t] = append(out[t], st)
			return nil
		}
		if err := w.offer(from, t, add); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// offer calls add for each step of a thread: with the state after it, the end of its text and its words.
func (w walker) offer(from *State, t int, add func(after *State, err error, text, did, note string) error) error {
	th := from.threads[t]
	loc := th.next.Loc
	switch th.next.Kind {
	case ir.ActLoad, ir.ActRMW:
		for _, m := range w.readable(from, t) {
			after, err := w.read(from, t, m)
			did := "reads " + w.named(from, m)
			if after != nil && len(after.messages) > len(from.messages) {
				did += ", writes " + w.named(after, len(from.messages))
			}
			if err := add(after, err, fmt.Sprintf("@%d", w.number(m)), did, w.older(from, t, m)); err != nil {
				return err
			}
		}
	case ir.ActStore:
		for _, m := range w.writable(from, t) {
			after, err := w.store(from, t, m)
			did, note := "", ""
			if err == nil {
				did = "writes " + w.named(after, len(from.messages))
			}
			if order := from.order[loc]; m != order[len(order)-1] {
				note = fmt.Sprintf("It comes right behind %s in coherence order, before newer messages",
					w.numbered(m))
			}
			if err := add(after, err, fmt.Sprintf(">%d", w.number(m)), did, note); err != nil {
				return err
			}
		}
	case ir.ActFence:
		after, err := w.fence(from, t)
		return add(after, err, "", "orders what comes before and after it", "")
	case ir.ActChoose:
		for i, text := range []string{"", "+"} {
			after, err := w.choose(from, t, i == 1)
			did := []string{"takes the first branch", "takes the second branch"}[i]
			if err := add(after, err, text, did, ""); err != nil {
				return err
			}
		}
	case ir.ActStoreCond:
		for i, text := range []string{"", "+"} {
			after, err := w.conditional(from, t, i == 1)
			did := "fails"
			if after != nil && i == 1 {
				did = "writes " + w.named(after, len(from.messages))
			}
			if err := add(after, err, text, did, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// raises says that a step has raised a flag.
func (w walker) raises(before, after *State) string {
	switch {
	case after.racy && !before.racy:
		return ", in a data race: behaviour is undefined"
	case after.badUnlock && !before.badUnlock:
		return ", unlocks what it does not hold: behaviour is undefined"
	}
	return ""
}

// number is the number of a message for readers, who count those of threads from 1.
func (w walker) number(m int) int { return max(m-len(w.program.Locs)+1, 0) }

// numbered is "message #1" or "the initial value".
func (w walker) numbered(m int) string {
	if n := w.number(m); n > 0 {
		return fmt.Sprintf("message #%d", n)
	}
	return "the initial value"
}

// short is "#1" or "start".
func (w walker) short(m int) string {
	if n := w.number(m); n > 0 {
		return fmt.Sprintf("#%d", n)
	}
	return "start"
}

// named is "x=1, message #1".
func (w walker) named(s *State, m int) string {
	return operational.Assignment(w.program, s.messages[m].loc, s.messages[m].value) + ", " + w.numbered(m)
}

// older says that a read returns an older message than the newest.
func (w walker) older(s *State, t, m int) string {
	order := s.order[s.messages[m].loc]
	if last := order[len(order)-1]; last != m {
		return fmt.Sprintf("Message #%d is newer, but nothing makes P%d see it yet", w.number(last),
			w.program.Threads[t].ID)
	}
	return ""
}

// Show implements operational.Machine. Memory lists the messages of each location in coherence order.
func (w walker) Show(s *State, before **State) (play.Frame, error) {
	p := w.program
	f := play.Frame{Messages: []play.Message{}, Orders: true}
	by := make([]int, len(s.messages))
	for t, th := range s.threads {
		i := 0
		for _, k := range th.kinds {
			if k == fences {
				continue
			}
			if k == writes {
				by[th.messages[i]] = t
			}
			i++
		}
	}
	for m := len(p.Locs); m < len(s.messages); m++ {
		text := operational.Assignment(p, s.messages[m].loc, s.messages[m].value)
		if carries := w.view(s, s.messages[m].view); carries != "" {
			text += " carries " + carries
		}
		f.Messages = append(f.Messages, play.Message{
			Thread: by[m], Text: text, New: before != nil && m >= len((*before).messages),
		})
	}
	for loc, order := range s.order {
		f.Memory = append(f.Memory, play.Cell{Name: p.Locs[loc].Name, Value: w.list(s, order)})
	}
	for t, th := range s.threads {
		out := operational.NextThread(p, t, th.next, th.cur.Regs)
		for loc, order := range s.order {
			readable := order[s.place(th.view.earliest(loc)):]
			out.View = append(out.View, play.Cell{Name: p.Locs[loc].Name, Value: w.list(s, readable)})
		}
		bound := func(name, value string) {
			if value == "" {
				value = "start"
			}
			out.Bounds = append(out.Bounds, play.Cell{Name: name, Value: value})
		}
		bound("view", w.view(s, th.view))
		if w.ahead.threads[t].fences >= 0 {
			bound("acquire fences add", w.view(s, th.acquire))
		}
		for loc := range p.Locs {
			if w.ahead.threads[t].writes[loc] >= 0 && !w.plain[loc] {
				bound("writes to "+p.Locs[loc].Name+" carry", w.view(s, th.release[loc]))
			}
		}
		f.Threads = append(f.Threads, out)
	}
	return f, nil
}

// list lists messages with their values: "0, 1 #2".
func (w walker) list(s *State, messages []int) string {
	var out []string
	for _, m := range messages {
		value := w.program.FormatAt(s.messages[m].loc, s.messages[m].value)
		if n := w.number(m); n > 0 {
			value += fmt.Sprintf(" #%d", n)
		}
		out = append(out, value)
	}
	return strings.Join(out, ", ")
}

// view lists the locations of which a view excludes messages, each with the earliest that it includes; "" for none.
func (w walker) view(s *State, v view) string {
	var out []string
	for loc := range s.order {
		if m := v.earliest(loc); m != loc {
			out = append(out, w.program.Locs[loc].Name+w.short(m))
		}
	}
	return strings.Join(out, " ")
}

// Happened implements operational.Machine.
func (w walker) Happened(s *State, x *operational.Execution) (events, waiting []int, ok bool) {
	at := make([]int, len(s.messages))
	for loc := range s.order {
		at[loc] = x.Initial(loc)
	}
	type access struct {
		event, message int
	}
	var from []access
	for t, th := range s.threads {
		own, all, ok := x.Match(t, th.kinds)
		if !ok {
			return nil, nil, false
		}
		events = append(events, all...)
		i := 0
		for n, k := range th.kinds {
			if k == fences {
				continue
			}
			m := th.messages[i]
			i++
			if k == reads {
				from = append(from, access{own[n], m})
				continue
			}
			at[m] = own[n]
			if g := x.Graph.Events[own[n]]; g.Loc != w.program.Locs[s.messages[m].loc].Name ||
				!x.HasValue(own[n], s.messages[m].loc, s.messages[m].value) {
				return nil, nil, false
			}
		}
	}
	for _, a := range from {
		if x.From[a.event] != at[a.message] {
			return nil, nil, false
		}
	}
	for loc, order := range s.order {
		last := -1
		for _, m := range order {
			place := slices.Index(x.Orders[loc], at[m])
			if place <= last && len(x.Orders[loc]) > 0 {
				return nil, nil, false
			}
			last = place
		}
	}
	return events, nil, true
}

// Key implements operational.Machine. A state that can still come to an execution is determined by how far its threads
// are, and by their choices.
func (w walker) Key(s *State) string {
	var key []byte
	for _, th := range s.threads {
		key = binary.AppendUvarint(key, uint64(th.next.Step))
		key = binary.AppendUvarint(key, uint64(len(th.kinds)))
		key = binary.AppendUvarint(key, uint64(len(th.inputs)))
		for _, v := range th.inputs {
			key = binary.AppendUvarint(key, v)
		}
	}
	return string(key)
}

// Search implements operational.Machine.
func (w walker) Search(ctx context.Context, s *State, limits operational.Limits) (operational.Found, error) {
	from := newSearch(ctx, w.program, w.model)
	from.limits, from.ordered, from.merges = limits, w.ordered, !w.ordered
	return from.explore(s)
}
