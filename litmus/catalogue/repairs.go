package catalogue

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// MuseumRepair is the result of repair for an exhibit: the cheapest changes of the program with the bug that make it
// safe under some models at once.
type MuseumRepair struct {
	Exhibit string   `json:"exhibit"`
	Models  []string `json:"models"`
	Already bool     `json:"already,omitempty"` // the program is safe without changes
	// Impossible says why no available change helps.
	Impossible string         `json:"impossible,omitempty"`
	Cost       int            `json:"cost,omitempty"`
	Others     int            `json:"others,omitempty"` // number of other repairs of the same cost
	Changes    []MuseumChange `json:"changes,omitempty"`
	Diff       string         `json:"diff,omitempty"` // unified diff of the displayed program
}

// MuseumChange is one change of a program.
type MuseumChange struct {
	Function string `json:"function"`
	Line     int    `json:"line"`
	Says     string `json:"says"`
	Fails    string `json:"fails"` // what fails without the change
}

//go:embed museum-repairs.json
var repairsFile []byte

// MuseumRepairs returns the repairs of an exhibit: in C, under RC11, and under all models with a verdict for it. Tests
// compare them with the search that finds them.
func MuseumRepairs(exhibit string) []MuseumRepair { return museumRepairs()[exhibit] }

var museumRepairs = sync.OnceValue(func() map[string][]MuseumRepair {
	var all []MuseumRepair
	if err := json.Unmarshal(repairsFile, &all); err != nil {
		panic("BUG: museum-repairs.json: " + err.Error())
	}
	out := map[string][]MuseumRepair{}
	for _, r := range all {
		out[r.Exhibit] = append(out[r.Exhibit], r)
	}
	return out
})
