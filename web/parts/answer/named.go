package answer

import (
	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/question"
)

// namedView is the conventional name of a test, or the cycle that it contains.
type namedView struct {
	Name  string // "" where the test has that name itself, or none
	Of    bool   // it is the test of the cycle, and no other with the same cycle in it
	Cycle string
	URL   string // of the cycle's page
	Known string // … and of the classic test of that name in the catalogue; "" where there is none
}

// viewNamed returns the view of a test's cycle; nil if it has none. title is the test's name.
func viewNamed(read *cyclediagram.Reading, title, source string) *namedView {
	if read == nil {
		return nil
	}
	v := &namedView{Name: read.Name, Of: read.Name != "", Cycle: read.Cycle.String()}
	v.URL = question.CycleURL(read.Arch, v.Cycle)
	if e, ok := classic.Named(read.Arch, read.Name); v.Of && ok && e.Source != source {
		v.Known = question.CatalogueAddress(e.Shape, e.Arch, e.ID())
	}
	if read.Name == title {
		v.Name = ""
	}
	return v
}
