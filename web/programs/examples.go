package programs

import (
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/catalogue"
)

// exampleProgram is a program of the catalogue in one of the ways to build it.
type exampleProgram struct {
	ID      string   `json:"id"` // its name, and the macros behind it
	Title   string   `json:"name"`
	Family  string   `json:"-"`
	Note    string   `json:"note"`
	Source  string   `json:"source"`
	Defines []string `json:"defines"`
	Unroll  int      `json:"unroll,omitempty"` // 0: as usual
}

// exampleFamily is what belongs together.
type exampleFamily struct {
	Title    string
	Examples []exampleProgram
}

// examples are the programs that visitors may begin with.
var examples = sync.OnceValue(func() []exampleProgram {
	var out []exampleProgram
	for _, p := range catalogue.Programs() {
		for _, b := range p.Builds {
			e := exampleProgram{Title: p.Name, Family: p.Family, Note: p.Note + " (" + p.Published + ")", Source: p.Source, Defines: b.Defines, Unroll: b.Unroll}
			e.ID = strings.Join(append([]string{p.Name}, b.Defines...), "+")
			if len(b.Defines) > 0 {
				e.Title += ", with " + strings.Join(b.Defines, " and ")
			}
			out = append(out, e)
		}
	}
	return out
})

func exampleFamilies() []exampleFamily {
	var out []exampleFamily
	for _, e := range examples() {
		if len(out) == 0 || out[len(out)-1].Title != e.Family {
			out = append(out, exampleFamily{Title: e.Family})
		}
		f := &out[len(out)-1]
		f.Examples = append(f.Examples, e)
	}
	return out
}

// firstExample is what a visitor finds in the editor.
const firstExample = "store-buffering"

func findExample(id string) (exampleProgram, bool) {
	return exampleWhere(func(e exampleProgram) bool { return e.ID == id })
}

// exampleOf is the example whose program and macros these are.
func exampleOf(c *claim) (exampleProgram, bool) {
	return exampleWhere(func(e exampleProgram) bool {
		return e.Source == c.Source && slices.Equal(e.Defines, c.Defines)
	})
}

func exampleWhere(is func(exampleProgram) bool) (exampleProgram, bool) {
	if i := slices.IndexFunc(examples(), is); i >= 0 {
		return examples()[i], true
	}
	return exampleProgram{}, false
}
