package promising

import (
	"fmt"
	"slices"
	"strconv"

	"litmuscope/litmus/ir"
)

// State is a state of the machine between two steps.
type State struct {
	memory  []message
	threads []*thread
}

// step is a step that a state offers, with the state after it: the next action of a thread, or a promise.
type step struct {
	thread int
	// promise, unless nil, is the message that the thread promises.
	promise *message
	// read and write are the messages that an access reads and writes; 0 is the initial value, -1 none.
	read, write int
	// yes: a choice between two ways goes the second way.
	yes bool

	after State
	act   ir.Action // of the thread; of a promise the zero value
}

// format writes a step as part of a path: 0 is the next instruction of P0, 0+ the same where it takes the second of two
// branches. 0@2 reads or writes message 2, 0@1>2 reads message 1 and writes message 2. 0!x=1 promises a write, with the
// value as an unsigned number.
func (st step) format(p *ir.Program) string {
	out := strconv.Itoa(p.Threads[st.thread].ID)
	switch {
	case st.promise != nil:
		return fmt.Sprintf("%s!%s=%d", out, p.Locs[st.promise.loc].Name, st.promise.value)
	case st.read >= 0 && st.write >= 0:
		return fmt.Sprintf("%s@%d>%d", out, st.read, st.write)
	case st.read >= 0 || st.write >= 0:
		return fmt.Sprintf("%s@%d", out, max(st.read, st.write))
	case st.yes:
		return out + "+"
	}
	return out
}

// acts returns the steps with which a thread executes its next instruction. After each, the thread can still fulfil its
// promises by itself.
func (s *search) acts(from State, t int) ([]step, error) {
	th, r := from.threads[t].clone(), s.run(t, from.memory)
	a, err := r.action(th)
	if err != nil || ends(a) {
		return nil, err
	}
	before := len(th.did)
	var out []step
	r.stop = func(next *thread) error {
		st := step{
			thread: t, read: -1, write: -1, act: a, after: State{slices.Clone(r.memory), from.with(t, next)},
		}
		if did := next.did[before:]; a.Kind != ir.ActFence {
			for _, d := range did {
				if d.kind == reads {
					st.read = d.message
				} else {
					st.write = d.message
				}
			}
		}
		st.yes = a.Kind == ir.ActChoose && next.inputs[len(next.inputs)-1] == 1
		able, err := s.certified(st.after, t)
		if able {
			out = append(out, st)
		}
		return err
	}
	if a.Kind == ir.ActFence {
		r.fence(th, a)
		th.cur.Pass()
		err = r.next(th)
	} else {
		err = r.take(th, a)
	}
	return out, err
}

// action returns the next action of a thread, other than a choice among values.
func (r *run) action(th *thread) (ir.Action, error) {
	for {
		a, err := th.cur.Next()
		if err != nil || a.Kind != ir.ActPick {
			return a, err
		}
		r.pick(th, a)
	}
}

// ends reports whether a thread takes no further step.
func ends(a ir.Action) bool {
	return a.Kind == ir.ActEnd || a.Kind == ir.ActUnwound || a.Kind == ir.ActBlocked
}

// with returns the threads of a state, with another state of thread t.
func (from State) with(t int, th *thread) []*thread {
	out := slices.Clone(from.threads)
	out[t] = th
	return out
}

// certified reports whether a thread can fulfil its promises by itself.
func (s *search) certified(at State, t int) (bool, error) {
	if at.threads[t].open == 0 {
		return true, nil
	}
	r := s.run(t, at.memory)
	err := r.execute(at.threads[t].clone())
	return r.certified, err
}

// promises returns the promises that a thread can make, without the writes of its next instruction, which are in acts.
func (s *search) promises(from State, t int, acts []step) ([]step, error) {
	r := s.run(t, from.memory)
	if err := r.execute(from.threads[t].clone()); err != nil || !r.certified {
		return nil, err
	}
	n := len(from.memory) + 1
	var out []step
	for _, m := range r.candidates {
		if slices.ContainsFunc(acts, func(st step) bool { return st.write == n && st.after.memory[n-1] == m }) {
			continue
		}
		th := from.threads[t].clone()
		th.open |= 1 << n
		after := State{append(slices.Clip(from.memory), m), from.with(t, th)}
		able, err := s.certified(after, t)
		if err != nil {
			return nil, err
		}
		if able {
			out = append(out, step{thread: t, promise: &m, read: -1, write: -1, after: after})
		}
	}
	return out, nil
}
