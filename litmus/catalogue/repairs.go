package catalogue

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// MuseumRepair is what repair finds for an exhibit: the cheapest changes of its program as it was, after which it holds
// under some models at once.
type MuseumRepair struct {
	Exhibit string   `json:"exhibit"`
	Models  []string `json:"models"`
	Already bool     `json:"already,omitempty"` // it holds under them as it was
	// Impossible says why no change on offer helps.
	Impossible string         `json:"impossible,omitempty"`
	Cost       int            `json:"cost,omitempty"`
	Others     int            `json:"others,omitempty"` // there are that cost as much
	Changes    []MuseumChange `json:"changes,omitempty"`
	Diff       string         `json:"diff,omitempty"` // unified, of the program as it is shown
}

// MuseumChange is one change of a program.
type MuseumChange struct {
	Function string `json:"function"`
	Line     int    `json:"line"`
	Says     string `json:"says"`
	Fails    string `json:"fails"` // without it
}

//go:embed museum-repairs.json
var repairsFile []byte

// MuseumRepairs are what repair finds for an exhibit: in C, by RC11, and under all models of which something is said of
// it. They are held to the search that finds them.
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
