package engines

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// admitScopes rejects tests of GPUs that the engine or the model does not cover: it says nothing of scopes, of several
// names of a location, or of control barriers. A model for GPUs has no meaning for other tests.
func (e *Engine) admitScopes(p *ir.Program, m *models.Model) error {
	facts := models.FactsOf(m.Name)
	if err := m.Knows(p.Annotated); err != nil {
		return err
	}
	switch {
	case p.Scopes == nil:
		return unscoped(m, "this test has")
	case !e.scoped:
		return fmt.Errorf("the engine %s does not support scopes: use the engine axiomatic", e.Name)
	case facts.Scoped && m.IsBuiltIn() && !slices.Contains(facts.Languages, p.Arch):
		return fmt.Errorf("%s is a model for tests in %s: choose one for %s tests, such as %s", facts.Label,
			facts.Languages[0], p.Arch, models.Default(p.Arch))
	case p.Named && !m.Mentions("vloc"):
		return fmt.Errorf("%s does not define accesses by several names of a location, because it does not use vloc: "+
			"choose another model", m.Name)
	case p.Barriers && !m.Mentions("syncbar"):
		return fmt.Errorf("%s does not define control barriers, because it does not use syncbar: choose another model",
			m.Name)
	case m.HasPartialCoherence() && mostWrites(p) > maxPartial:
		return fmt.Errorf("%s has a partial coherence order (co), which is supported for at most %d writes of a "+
			"location: use the model ptx or ptx-v6.0", m.Name, maxPartial)
	}
	return nil
}

// unscoped rejects a model that uses the scopes of threads, because what it is asked about has none.
func unscoped(m *models.Model, what string) error {
	if name, uses := m.UsesScopes(); uses {
		return fmt.Errorf("%s uses the scopes of threads (%s), and %s none: choose another model", models.Label(m.Name),
			name, what)
	}
	return nil
}

// maxPartial bounds the writes of one location if co is partial: it is then what two total orders have in common, as
// each partial order of so few elements is.
const maxPartial = 5

// mostWrites returns the largest number of writes that may be to one location, if each loop is left at once.
func mostWrites(p *ir.Program) int {
	count, anywhere := map[int]int{}, 0
	for t := range p.Threads {
		code := p.Threads[t].Code
		for pc, s := range code {
			var addr ir.Expr
			switch op := s.Op.(type) {
			case ir.Store:
				addr = op.Addr
			case ir.RMW:
				addr = op.Addr
			case ir.StoreCond:
				addr = op.Addr
			default:
				continue
			}
			times := 1
			if slices.ContainsFunc(code[pc:], func(later ir.Step) bool {
				b, ok := later.Op.(ir.Branch)
				return ok && b.Target <= pc
			}) {
				times = maxPartial + 1 // in a loop
			}
			if a, ok := addr.(ir.Addr); ok {
				count[a.Loc] += times
			} else {
				anywhere += times
			}
		}
	}
	most := 0
	for _, n := range count {
		most = max(most, n)
	}
	return most + anywhere
}
