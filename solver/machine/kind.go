package machine

import "litmuscope/models"

// Kind is a machine.
type Kind int

// The machines, from the strongest to the weakest.
const (
	SC Kind = iota
	TSO
	PSO
)

var kindNames = [...]string{SC: "sc", TSO: "tso", PSO: "pso"}

// String is the name of the model that the machine implements.
func (k Kind) String() string { return kindNames[k] }

// For gives the machine of a model. It goes by the model's name alone: whoever
// lets users bring models of their own must see to it that this one is the
// built-in of that name.
func For(m *models.Model) (Kind, bool) {
	for k, name := range kindNames {
		if m.Name == name {
			return Kind(k), true
		}
	}
	return 0, false
}
