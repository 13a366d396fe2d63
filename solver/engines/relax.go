package engines

import (
	"litmuscope/models"
	"litmuscope/models/relaxed"
	"litmuscope/solver"
)

// Comparison asks how a model comes to allow an execution that it allows, compared with SC.
type Comparison struct {
	Task  solver.Task   `json:"task"`  // which names the model; the comparison does not parse its test
	Label string        `json:"label"` // the title of the model
	Graph *models.Graph `json:"graph"`
}

// Relax answers a comparison. Its error is that of a model that does not parse, or of a graph without an execution.
func Relax(c Comparison) (*relaxed.Relaxed, error) {
	m, err := findModel(c.Task.Params(), c.Task.Model)
	if err != nil {
		return nil, err
	}
	return relaxed.Relax(m, c.Label, c.Graph)
}
