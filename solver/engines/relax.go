package engines

import (
	"litmuscope/models"
	"litmuscope/models/relaxed"
	"litmuscope/solver"
)

// Comparison asks how a model comes to allow an execution that it allows, compared with SC.
type Comparison struct {
	Task  solver.Task   `json:"task"`  // which names the model; its test is not read
	Label string        `json:"label"` // what the model is called in words
	Graph *models.Graph `json:"graph"`
}

// Relax answers a comparison. Its error is a model's that cannot be read, or a graph's that is
// of no execution.
func Relax(c Comparison) (*relaxed.Relaxed, error) {
	m, err := findModel(c.Task.Params(), c.Task.Model)
	if err != nil {
		return nil, err
	}
	return relaxed.Relax(m, c.Label, c.Graph)
}
