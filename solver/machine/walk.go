package machine

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/play"
	"litmuscope/solver"
)

// Walk is a run that may stop anywhere, as frames.
type Walk struct {
	Frames []play.Frame // one more than steps
	// LeavesAt is the first step, from 1, after which the run cannot be that of the execution
	// any more; 0 for none.
	LeavesAt int

	program *ir.Program
	kind    Kind
	end     *state
}

// NewWalk takes the steps in turn. With a graph, frames name the events of it that they
// carry out, for as long as the run can still become that execution. It fails, naming the
// step, when the machine cannot take one.
func NewWalk(p *ir.Program, k Kind, steps []Step, g *models.Graph) (*Walk, error) {
	r := newReplayer(p, k)
	if err := r.before.begin(); err != nil {
		return nil, err
	}
	w := &Walk{program: p, kind: k, end: r.before}
	var x *tracker
	var shown *drawn
	var waiting [][]int // by thread: the execution's writes in its buffer, when the run has left it, too
	if g != nil {
		var err error
		if shown, err = newDrawn(p, g); err != nil {
			return nil, err
		}
		x = newTracker(shown)
	}
	if err := w.add(r, play.Frame{Thread: -1, Source: -1}); err != nil {
		return nil, err
	}
	for i, st := range steps {
		if err := r.take(st); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		did := r.trace[i]
		f := play.Frame{Did: did.Action, Thread: st.Thread, Source: did.Source, Choice: st.Format(p)}
		// After the step, r.after is the state before it.
		if inner, _ := r.after.find(k, r.acts, st); x != nil {
			ids, ok := x.take(k, r.after, inner, r.acts[st.Thread])
			waiting = x.pending
			if f.Events = ids; !ok {
				x, w.LeavesAt, f.Events = nil, i+1, nil
			}
		} else if of := st.Thread; g != nil && inner.flush >= 0 && inner.flush < len(waiting[of]) {
			// The buffer's newer stores follow its older ones.
			waiting[of] = slices.Delete(waiting[of], inner.flush, inner.flush+1)
		}
		for _, list := range waiting {
			for _, e := range list {
				f.Waiting = append(f.Waiting, shown.ids(e, false)...)
			}
		}
		if err := w.add(r, f); err != nil {
			return nil, err
		}
	}
	w.end = r.before
	return w, nil
}

// add completes a frame with the state at hand.
func (w *Walk) add(r *replayer, f play.Frame) error {
	p, s := w.program, r.before
	acts := make([]ir.Action, len(s.threads))
	if err := s.actions(acts); err != nil {
		return err
	}
	var last *play.Frame
	if n := len(w.Frames); n > 0 {
		last = &w.Frames[n-1]
	}
	for loc, v := range s.memory {
		c := play.Cell{Name: p.Locs[loc].Name, Value: p.FormatAt(loc, v)}
		c.New = last != nil && last.Memory[loc].Value != c.Value
		f.Memory = append(f.Memory, c)
	}
	for t := range s.threads {
		f.Threads = append(f.Threads, w.thread(r, t, acts[t], last))
	}
	for _, st := range s.steps(w.kind, acts, nil) {
		f.Choices = append(f.Choices, w.choice(r, st, acts[st.thread]))
	}
	w.Frames = append(w.Frames, f)
	return nil
}

// thread is a thread's part of a frame: its next line, why it cannot take it now, its registers, with those marked that
// the last step changed, and its store buffer, oldest store first.
func (w *Walk) thread(r *replayer, t int, a ir.Action, last *play.Frame) play.Thread {
	th := &r.before.threads[t]
	out := play.Thread{Next: -1}
	switch a.Kind {
	case ir.ActEnd, ir.ActUnwound:
	case ir.ActBlocked:
		out.Next = th.Thread.Code[a.Step].Source
		out.Blocked = fmt.Sprintf("P%d cannot continue", w.program.Threads[t].ID)
	default:
		out.Next = th.Thread.Code[a.Step].Source
		if !enabled(w.kind, &th.buffer, a) {
			out.Blocked = w.waits(t, th, a)
		} else if th.Assumes && a.Kind != ir.ActChoose && r.before.fails(w.kind, step{t, issue}, a) {
			out.Blocked = w.awaits(t, a)
		}
	}
	out.Regs = play.Registers(w.program, t, th.Regs)
	for i := range out.Regs {
		out.Regs[i].New = last != nil && last.Threads[t].Regs[i].Value != out.Regs[i].Value
	}
	for _, e := range th.buffer.stores {
		out.Buffer = append(out.Buffer,
			play.Cell{Name: w.program.Locs[e.loc].Name, Value: value(w.program, e.loc, e.bits, e.value)})
	}
	return out
}

// waits says why a thread's instruction cannot execute.
func (w *Walk) waits(t int, th *thread, a ir.Action) string {
	var stores []string
	for _, e := range th.buffer.stores {
		stores = append(stores, w.program.Locs[e.loc].Name+"="+value(w.program, e.loc, e.bits, e.value))
	}
	what := "its store buffer to empty"
	if a.Kind == ir.ActLoad {
		what = "earlier stores to be flushed"
	}
	return fmt.Sprintf("P%d waits for %s: %s", w.program.Threads[t].ID, what, strings.Join(stores, ", "))
}

// awaits says what must change before a thread's instruction can execute.
func (w *Walk) awaits(t int, a ir.Action) string {
	what := "another thread"
	if a.Loc >= 0 {
		what = "another value of " + w.program.Locs[a.Loc].Name
		if display.SyncStep(w.program, a.Tags) == "lock" {
			what = "lock " + w.program.Locs[a.Loc].Name
		}
	}
	return fmt.Sprintf("P%d waits for %s", w.program.Threads[t].ID, what)
}

func (w *Walk) choice(r *replayer, st step, a ir.Action) play.Choice {
	th := &w.program.Threads[st.thread]
	out := play.Choice{Step: r.before.exported(st).Format(w.program), Thread: st.thread, Flush: st.flush >= 0}
	if out.Flush {
		e := r.before.threads[st.thread].buffer.stores[st.flush]
		out.Text = "flush " + w.program.Locs[e.loc].Name + "=" + value(w.program, e.loc, e.bits, e.value)
		return out
	}
	out.Text = th.Source[th.Code[a.Step].Source].Text
	switch {
	case a.Kind == ir.ActStoreCond && st.flush == succeed:
		out.Text += " succeeds"
	case a.Kind == ir.ActStoreCond:
		out.Text += " fails"
	case a.Kind == ir.ActChoose && st.flush == succeed:
		out.Text += " takes the second branch"
	case a.Kind == ir.ActChoose:
		out.Text += " takes the first branch"
	}
	return out
}

// Retrace gives the steps of a run that a replay has described.
func Retrace(p *ir.Program, k Kind, trace []solver.TraceStep) ([]Step, error) {
	r := newReplayer(p, k)
	if err := r.before.begin(); err != nil {
		return nil, err
	}
	var out []Step
	for i, want := range trace {
		if err := r.before.actions(r.acts); err != nil {
			return nil, err
		}
		st, ok := r.described(want)
		if !ok {
			return nil, fmt.Errorf("step %d: the machine cannot do %q", i+1, want.Action)
		}
		out = append(out, st)
		if err := r.take(st); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// described is the step that the text want describes.
func (r *replayer) described(want solver.TraceStep) (Step, bool) {
	for _, st := range r.before.steps(r.kind, r.acts, nil) {
		a := r.acts[st.thread]
		r.after.set(r.before)
		if r.program.Threads[st.thread].ID != want.Thread || r.after.take(r.kind, st, a) != nil {
			continue
		}
		if got := r.describe(st, a); got.Source == want.Source && got.Action == want.Action {
			return r.before.exported(st), true
		}
	}
	return Step{}, false
}
