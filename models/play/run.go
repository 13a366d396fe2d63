package play

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// runner performs the nodes of a player one after another.
type runner struct {
	*player
	before []int   // by node: how many earlier nodes have not been performed
	taken  []bool  // by node
	done   []bool  // by event
	seen   [][]int // by thread and location: the write that it sees
	shared []int   // by location: the write in memory
	frames []Frame
	split  bool // some write has reached the threads one by one
}

// run returns the frames for an order of the nodes. A thread continues in program order as long as it can; then a
// waiting write reaches other threads; an event overtakes an earlier one only if nothing else is left.
func (p *player) run() []Frame {
	r := &runner{
		player: p, before: make([]int, p.nodes), taken: make([]bool, p.nodes), done: make([]bool, len(p.events)),
		seen: make([][]int, len(p.threads)),
	}
	for _, next := range p.after {
		for _, n := range next {
			r.before[n]++
		}
	}
	for _, order := range p.order {
		r.shared = append(r.shared, order[0])
	}
	for t := range r.seen {
		r.seen[t] = slices.Clone(r.shared)
	}
	r.frame(Frame{Thread: -1, Source: -1})
	at := 0
	for {
		e, ok := r.next(at)
		if ok {
			at = p.events[e].Thread
			r.performEvent(e)
			continue
		}
		w, ok := r.deliverable()
		if !ok {
			break
		}
		r.deliver(w)
	}
	if !r.split {
		for i := range r.frames {
			for t := range r.frames[i].Threads {
				r.frames[i].Threads[t].View = nil
			}
		}
	} else {
		for i := range r.frames {
			r.frames[i].Memory = nil
		}
	}
	return r.frames
}

func (r *runner) ready(n int) bool { return !r.taken[n] && r.before[n] == 0 }

// next returns the event to perform: the next of the current thread, or else of another. It returns an event out of
// order only if no write can reach a thread first.
func (r *runner) next(at int) (int, bool) {
	early := -1
	for k := range r.threads {
		t := (at + k) % len(r.threads)
		first := true
		for _, e := range r.threads[t] {
			if r.done[e] {
				continue
			}
			if r.ready(r.does[e]) && first {
				return e, true
			}
			if r.ready(r.does[e]) && early < 0 {
				early = e
			}
			first = false
		}
	}
	if _, ok := r.deliverable(); early >= 0 && !ok {
		return early, true
	}
	return 0, false
}

// deliverable returns a performed write that can reach some thread now.
func (r *runner) deliverable() (int, bool) {
	for _, order := range r.order {
		for _, w := range order {
			if r.node[w] != nil && r.done[w] && slices.ContainsFunc(r.node[w], r.ready) {
				return w, true
			}
		}
	}
	return 0, false
}

func (r *runner) perform(n int) {
	r.taken[n] = true
	for _, m := range r.after[n] {
		r.before[m]--
	}
}

// performEvent performs the step of event e, with all events of the same node.
func (r *runner) performEvent(e int) {
	node := r.does[e]
	ev := r.events[e]
	f := Frame{Thread: ev.Thread, Source: ev.Source, Note: r.overtakes(e)}
	r.perform(node)
	var did []string
	deed := ""
	for i := range r.events {
		if r.does[i] != node {
			continue
		}
		r.done[i] = true
		f.Events = append(f.Events, r.events[i].ID)
		if r.isLaterPiece(i) {
			r.propagate(i)
			continue
		}
		text := r.words(i)
		if does := r.events[i].Does; does != "" && does == deed {
			text = strings.TrimPrefix(text, does+": ") // once is enough
		} else {
			deed = does
		}
		if r.node[i] != nil {
			r.propagate(i)
			if missing := r.unseenBy(i); len(missing) > 0 {
				text += ", not yet seen by " + r.threadNames(missing)
			}
		}
		did = append(did, text)
	}
	f.Did = strings.Join(did, ", ")
	if len(did) > 1 {
		f.Did += " in one step"
	}
	r.frame(f)
}

// isLaterPiece reports whether an event is a piece that is shown with the first of its access.
func (r *runner) isLaterPiece(i int) bool { return r.events[i].Piece > 0 && !r.piecesApart }

// event returns an event as it is shown: the whole access, unless its pieces take effect separately.
func (r *runner) event(i int) models.GraphEvent {
	if r.whole[i] != nil && !r.piecesApart {
		return *r.whole[i]
	}
	return r.events[i]
}

func (r *runner) words(i int) string {
	e := r.event(i)
	if e.Does != "" && e.Kind == "F" {
		return strings.TrimSpace(e.Does + " " + e.Loc)
	}
	if does := e.Does; does != "" {
		return does + ": " + words(e)
	}
	return words(e)
}

func words(e models.GraphEvent) string {
	switch {
	case e.Kind == "R":
		return fmt.Sprintf("reads %s=%s", e.Loc, e.Value)
	case e.Kind == "W":
		return fmt.Sprintf("%s:=%s", e.Loc, e.Value)
	case e.Tags.Has(ir.TagPick):
		return "chooses a value"
	}
	return "fence"
}

// overtakes says which earlier event of its thread e overtakes; "" for none.
func (r *runner) overtakes(e int) string {
	for _, other := range r.threads[r.events[e].Thread] {
		if other == e {
			return ""
		}
		if !r.done[other] && r.does[other] != r.does[e] && r.loc[other] >= 0 {
			return fmt.Sprintf("%s's %s overtakes its earlier %s", r.g.Threads[r.events[e].Thread].Name, r.noun(e),
				r.noun(other))
		}
	}
	return ""
}

func (r *runner) noun(i int) string {
	e := r.events[i]
	switch e.Kind {
	case "R":
		return "load of " + e.Loc
	case "W":
		return "store to " + e.Loc
	}
	return "fence"
}

// propagate makes a write visible to all threads that it can reach now.
func (r *runner) propagate(w int) []int {
	var to []int
	for more := true; more; {
		more = false
		for _, n := range r.node[w] {
			if r.ready(n) {
				r.perform(n)
				more = true
			}
		}
	}
	loc := r.loc[w]
	for t, n := range r.node[w] {
		if r.taken[n] && r.place[r.seen[t][loc]] < r.place[w] {
			r.seen[t][loc] = w
			to = append(to, t)
		}
	}
	if len(r.unseenBy(w)) == 0 && r.place[r.shared[loc]] < r.place[w] {
		r.shared[loc] = w
	}
	return to
}

// unseenBy returns the threads that a write has yet to reach. If each thread has its own view, those that see a later
// write do not count.
func (r *runner) unseenBy(w int) []int {
	var out []int
	for t, n := range r.node[w] {
		hidden := r.level >= perThread && r.place[r.seen[t][r.loc[w]]] > r.place[w]
		if !r.taken[n] && !hidden {
			out = append(out, t)
		}
	}
	return out
}

func (r *runner) threadNames(threads []int) string {
	names := make([]string, len(threads))
	for i, t := range threads {
		names[i] = r.g.Threads[t].Name
	}
	return strings.Join(names, ", ")
}

// deliver makes a write visible to further threads.
func (r *runner) deliver(w int) {
	to, ids := r.propagate(w), []int{r.events[w].ID}
	for k := w + 1; k < len(r.events) && r.isLaterPiece(k); k++ {
		ids = append(ids, r.events[k].ID)
		for _, t := range r.propagate(k) {
			if !slices.Contains(to, t) {
				to = append(to, t)
			}
		}
	}
	missing := r.unseenBy(w)
	if len(to) == 0 {
		return // a later write hides it in every thread
	}
	e := r.event(w)
	f := Frame{
		Thread: e.Thread, Source: -1, Events: ids,
		Did: fmt.Sprintf("%s=%s reaches %s", e.Loc, e.Value, r.threadNames(to)),
	}
	switch {
	case r.level == ownFirst:
		f.Did = fmt.Sprintf("%s=%s reaches memory", e.Loc, e.Value)
	case len(missing) > 0:
		f.Did += ", not yet " + r.threadNames(missing)
	}
	r.frame(f)
}

// frame adds a frame of the current state.
func (r *runner) frame(f Frame) {
	for _, order := range r.order {
		for _, w := range order {
			if r.done[w] && len(r.unseenBy(w)) > 0 {
				f.Waiting = append(f.Waiting, r.events[w].ID)
				r.split = r.split || r.level >= perThread
			}
		}
	}
	var last *Frame
	if n := len(r.frames); n > 0 {
		last = &r.frames[n-1]
	}
	for l, w := range r.shared {
		c := Cell{Name: r.names[l], Value: r.events[w].Value}
		c.New = last != nil && slices.Contains(f.Events, r.events[w].ID) && last.Memory[l].Value != c.Value
		f.Memory = append(f.Memory, c)
	}
	for t, events := range r.threads {
		th := Thread{Next: -1}
		for _, e := range events {
			if !r.done[e] {
				th.Next = r.events[e].Source
				break
			}
		}
		for _, e := range events {
			if r.level == ownFirst && r.done[e] && len(r.unseenBy(e)) > 0 && !r.isLaterPiece(e) {
				th.Buffer = append(th.Buffer, Cell{Name: r.event(e).Loc, Value: r.event(e).Value})
			}
		}
		for l, w := range r.seen[t] {
			c := Cell{Name: r.names[l], Value: r.events[w].Value}
			c.New = last != nil && last.Threads[t].View[l].Value != c.Value
			th.View = append(th.View, c)
		}
		f.Threads = append(f.Threads, th)
	}
	r.frames = append(r.frames, f)
}
