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

// Pairing asks how two models differ on an execution.
type Pairing struct {
	Tasks  [2]solver.Task `json:"tasks"` // which name the models; their tests are not read
	Labels [2]string      `json:"labels"`
	Graph  *models.Graph  `json:"graph"`
}

// Compare answers a pairing. Its errors are those of [Relax].
func Compare(p Pairing) (*relaxed.Comparison, error) {
	var two [2]*models.Model
	for i, t := range p.Tasks {
		m, err := findModel(t.Params(), t.Model)
		if err != nil {
			return nil, err
		}
		two[i] = m
	}
	return relaxed.Compare(two, p.Labels, p.Graph)
}
