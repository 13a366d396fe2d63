package machine

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/models"
)

// Kind is a machine.
type Kind int

// The machines, from the strongest to the weakest, as the table of models has those that they implement.
const (
	SC Kind = iota
	TSO
	PSO
)

// String is the name of the model that the machine implements.
func (k Kind) String() string { return models.Machines()[k] }

// For gives the machine of a model. It goes by the model's name alone: whoever
// lets users bring models of their own must see to it that this one is the
// built-in of that name.
func For(m *models.Model) (Kind, error) {
	k := slices.Index(models.Machines(), m.Name)
	if k < 0 {
		return 0, fmt.Errorf("the machine runs %s, not %s", strings.Join(models.Machines(), ", "), m.Name)
	}
	return Kind(k), nil
}
