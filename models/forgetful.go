package models

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// An exchange that waits for a lock writes back what it has read, so that its loop writes. Four models are known to
// allow an execution without such an exchange as well, in which all reads from the exchange read from the write w that
// it has read from ([Facts.Exchanges]). For the machines' models: the exchange leaves memory as it is, and empties a
// buffer that can be emptied without it. For RC11: each relation of its axioms is then a subset of what it was, or
// replaces a path through the exchange's read x and write y. No write comes between w and y, so coherence and
// from-reads only lose y; an edge w -rf-> r was w -rf-> x -rmw-> y -rf-> r. That path is within (rf ; rmw)* ; rf, which
// continues release sequences, so nothing new synchronises or happens before; it is within co ; rf, for coherence and
// eco; it is within rf ; sb ; rf, for no-thin-air; and scb and psc contain rf in no other place. IMM, C11 and the
// architectures distinguish rf within a thread from rf between threads, or SC writes from others, and there such a path
// may be missing.

// Waits returns which waiting loops can be cut without loss under the model.
func (m *Model) Waits() ir.Waits {
	return ir.Waits{Reads: m.ForgetsReads(), Locks: m.facts().Exchanges, Kept: m.forgets.Kept, Once: len(m.Flags) > 0}
}

// ForgetsReads reports whether every execution that the model allows remains allowed without some of its reads, and
// without fences other than those that [Model.Waits] names.
func (m *Model) ForgetsReads() bool { return len(m.forgets.Rest) == 0 }

// Forgetful returns a weaker model that forgets reads. The axioms that need what a removed read may have provided
// become its flags. C11's models have one, because a plain read takes its value from a write that happens before it,
// perhaps through what a failing round has acquired. If no execution without failing rounds raises a flag of the weaker
// model, the loops of the program can be cut under m as well. Forgetful returns nil if m forgets reads itself, or if
// such an axiom cannot be a flag.
func (m *Model) Forgetful() *Model { return m.forgetful() }

func (m *Model) makeForgetful() *Model {
	if m.ForgetsReads() || slices.ContainsFunc(m.forgets.Rest, func(a cat.Axiom) bool { return a.Negated }) {
		return nil
	}
	weaker := m.Without(axiomNames(m.forgets.Rest))
	if !weaker.ForgetsReads() {
		return nil
	}
	model := *weaker.Model
	for _, a := range m.forgets.Rest {
		a.Negated = true
		model.Flags = append(model.Flags, cat.Flag{Name: a.Name, Role: cat.UndefinedUnless, Checks: []cat.Axiom{a}})
	}
	out := newModel(m.Name, m.Text, m.Title, &model, m.words)
	out.key = weaker.key
	out.mixed = func() (*Model, error) {
		mixed, err := m.mixed()
		if err != nil {
			return nil, err
		}
		return mixed.Forgetful(), nil
	}
	return out
}

func axiomNames(axioms []cat.Axiom) (out []string) {
	for _, a := range axioms {
		out = append(out, a.Name)
	}
	return out
}

// Persists reports whether an execution that raises a flag, by its index in Flags, also raises it with one failing
// round of each waiting loop.
func (m *Model) Persists(flag int) bool { return m.forgets.Persists[flag] }
