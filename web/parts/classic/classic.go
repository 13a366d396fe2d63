// Package classic lists the classic tests as pages offer them. [List] and [PickerDialog] give the list to choose from
// with words to search, [Find] and [Chosen] the test that a request names, and [InTongue] those of a dialect by size.
//
// It imports litmus/catalogue, litmus/dialect, web/parts/glossary and web/server: no page and no engine.
package classic

import (
	"net/http"
	"slices"
	"strings"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/web/server"
)

// Named is the classic test of a name.
func Named(arch, name string) (catalogue.Entry, bool) {
	if arch == dialect.Kernel {
		arch = "C"
	}
	all := catalogue.All()
	if at := slices.IndexFunc(all, func(e catalogue.Entry) bool { return e.Arch == arch && e.Name == name }); at >= 0 {
		return all[at], true
	}
	return catalogue.Entry{}, false
}

// First is what a visitor finds in the editor.
const First = "SB"

// Of is the ID of the classic test of a text; "" where it is none.
func Of(source string) string {
	for _, e := range catalogue.All() {
		if e.Source == source {
			return e.ID()
		}
	}
	return ""
}

// Missing says that there is no test of a name.
const Missing = "There is no classic test named %q."

// Chosen is the classic test that ?test=ID asks for, otherwise the one named.
// If there is none, it answers so.
func Chosen(s *server.Server, w http.ResponseWriter, r *http.Request, otherwise string) (catalogue.Entry, bool) {
	return server.Chosen(s, w, r, "test", otherwise, Missing, Find)
}

// Find finds a classic test by its name. Names have plus signs, which turn into blanks where one types an
// address.
func Find(id string) (catalogue.Entry, bool) {
	return catalogue.Find(strings.ReplaceAll(id, " ", "+"))
}
