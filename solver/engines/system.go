package engines

import (
	"errors"
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// systemModel returns what a model says of a program with a system's side. Only some built-in models define that, and
// only the axiomatic engine supports it.
func (e *Engine) systemModel(p *ir.Program, m *models.Model) (*models.Model, error) {
	switch {
	case e.Name != table[0].Name:
		return nil, fmt.Errorf("the engine %s does not support memory tags, exceptions, modified instructions and "+
			"page tables: choose the engine %s", e.Name, table[0].Name)
	case p.Split:
		return nil, errors.New("mixed-size accesses are not supported in tests with memory tags, exceptions, " +
			"modified instructions or page tables")
	}
	return m.System()
}
