package programs

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/question"
)

// exampleProgram is a program of the catalogue in one of its builds.
type exampleProgram struct {
	ID      string   `json:"id"` // the name, followed by the macros
	Title   string   `json:"name"`
	Family  string   `json:"-"`
	Note    string   `json:"note"`
	Source  string   `json:"source"`
	Defines []string `json:"defines"`
	Unroll  int      `json:"unroll,omitempty"` // 0: default
	// Properties are the ones of the known verdicts; nil for the default.
	Properties []ir.Property `json:"properties,omitempty"`
}

// examples returns the programs that visitors can start with.
var examples = sync.OnceValue(func() []exampleProgram {
	var out []exampleProgram
	for _, p := range catalogue.Programs() {
		for _, b := range p.Builds {
			e := exampleProgram{
				Title: p.Name, Family: p.Family, Note: p.Note + " (" + p.Published + ")",
				Source: p.Source, Defines: b.Defines, Unroll: b.Unroll,
			}
			e.ID = strings.Join(append([]string{p.Name}, b.Defines...), "+")
			if len(b.Defines) > 0 {
				e.Title += ", with " + strings.Join(b.Defines, " and ")
			}
			out = append(out, e)
		}
	}
	out = append(out, compiledExamples("Programs in C++", "cpp/", catalogue.CPlusPlus())...)
	return append(out, compiledExamples("Programs in Rust", "rust/", catalogue.Rust())...)
})

// compiledExamples returns the programs of the catalogue in one of the languages that the server's compilers turn into
// LLVM IR. Their notes have the known verdicts, because not every server can verify them.
func compiledExamples(family, prefix string, builds []catalogue.CompiledBuild) (out []exampleProgram) {
	for _, b := range builds {
		e := exampleProgram{
			Title: b.File, Family: family, Note: strings.TrimSuffix(b.Note(), ".") + ". " + knownVerdicts(b),
			Source: b.Source, Defines: b.Defines, Unroll: b.Unroll,
		}
		e.ID = strings.Join(append([]string{prefix + b.Program}, b.Defines...), "+")
		if len(b.Defines) > 0 {
			e.Title += ", with " + strings.Join(b.Defines, " and ")
		}
		if b.Property != "" {
			for p := range strings.SplitSeq(b.Property, "+") {
				e.Properties = append(e.Properties, ir.Property(p))
			}
		}
		out = append(out, e)
	}
	return out
}

// knownVerdicts returns the known verdicts of a program as a sentence: "Known verdicts: safe under SC, TSO; unsafe
// under RC11."
func knownVerdicts(b catalogue.CompiledBuild) string {
	under := map[string][]string{}
	for _, k := range b.Known {
		under[k.Verdict] = append(under[k.Verdict], question.Label(k.Model))
	}
	var parts []string
	for _, verdict := range []string{"safe", "unsafe"} {
		if labels := under[verdict]; labels != nil {
			parts = append(parts, verdict+" under "+strings.Join(labels, ", "))
		}
	}
	text := "Known verdicts"
	if b.Property != "" {
		text += " for " + strings.ReplaceAll(b.Property, "+", " and ")
	}
	return text + ": " + strings.Join(parts, "; ") + "."
}

// exampleList groups the examples by kind.
var exampleList = sync.OnceValue(func() []classic.Part {
	var out []classic.Part
	for _, e := range examples() {
		if len(out) == 0 || out[len(out)-1].Name != e.Family {
			out = append(out, classic.Part{Name: e.Family, Title: e.Family, Families: make([]classic.Family, 1)})
		}
		f := &out[len(out)-1].Families[0]
		f.Tests = append(f.Tests,
			classic.Item{ID: e.ID, Name: e.Title, Note: e.Note, Code: strings.Join(classic.Calls(e.Source), " ")})
	}
	return out
})

// exampleIndex searches the examples.
var exampleIndex = sync.OnceValue(func() *classic.Index { return classic.NewIndex(exampleList()) })

// getExampleList answers with the examples or, with ?q=WORDS, with what the words find.
func (s *page) getExampleList(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	switch {
	case !q.Has("q"):
		s.server.WriteJSON(w, exampleList())
	case len(q.Get("q")) > maxQuery:
		s.server.Fail(w, r, http.StatusBadRequest, fmt.Sprintf("The search text has %d bytes. The limit is %d.",
			len(q.Get("q")), maxQuery))
	default:
		s.server.WriteJSON(w, classic.Results{Found: exampleIndex().Find(q.Get("q"), q.Get("here"), q.Get("only"))})
	}
}

// maxQuery is the maximum length of a query, in bytes.
const maxQuery = 500

// scriptExample is an example in the data for the page's script.
type scriptExample struct {
	exampleProgram
	Models []string `json:"models"` // the models to tick
}

// picked returns the content of the page's picker.
func picked() classic.Picked {
	return classic.Picked{
		List: "/programs/list", Page: "/programs?program=", Kind: "Kind", Kinds: "all kinds",
		What: "program", Whats: "programs", Sought: "Name or words: dekker, queue, compare_exchange",
	}
}

// firstExample is the program on a new visitor's page.
const firstExample = "store-buffering"

func findExample(id string) (exampleProgram, bool) {
	return exampleWhere(func(e exampleProgram) bool { return e.ID == id })
}

// exampleOf returns the example with the claim's program and macros; false if there is none.
func exampleOf(c *claim) (exampleProgram, bool) {
	return exampleWhere(func(e exampleProgram) bool {
		return len(c.Others) == 0 && e.Source == c.Source && slices.Equal(e.Defines, c.Defines)
	})
}

func exampleWhere(is func(exampleProgram) bool) (exampleProgram, bool) {
	if i := slices.IndexFunc(examples(), is); i >= 0 {
		return examples()[i], true
	}
	return exampleProgram{}, false
}
