package classic

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/web/parts/glossary"
)

// Part is a part of a list to pick from: the classic tests of one architecture.
type Part struct {
	Name     string   `json:"name"`
	About    string   `json:"about"` // other names that it goes by
	Families []Family `json:"families"`
}

// Family is what belongs together in a part.
type Family struct {
	Title string `json:"title"`
	Tests []Item `json:"tests"`
}

// Item is a test as the list has it. About and Code are for the search
// alone: what its shape is called, and what is in its program.
type Item struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Note  string `json:"note"`
	About string `json:"about,omitempty"`
	Code  string `json:"code,omitempty"`
}

// List lists the classic tests.
var List = sync.OnceValue(func() []Part {
	var out []Part
	for _, e := range catalogue.All() {
		if n := len(out); n == 0 || out[n-1].Name != e.Arch {
			a := Part{Name: e.Arch}
			if t, ok := glossary.Find(models.Default(e.Arch)); ok {
				a.About = strings.Join(append([]string{t.Name}, t.Also...), ", ")
			}
			out = append(out, a)
		}
		a := &out[len(out)-1]
		if n := len(a.Families); n == 0 || a.Families[n-1].Title != e.Family {
			a.Families = append(a.Families, Family{Title: e.Family})
		}
		f := &a.Families[len(a.Families)-1]
		c := Item{ID: e.ID(), Name: e.Name, Note: e.Note, Code: strings.Join(CodeWords(e), " ")}
		if t := ShapeOf(e.Name); t != nil {
			c.About = strings.Join(t.Also, ", ")
		}
		f.Tests = append(f.Tests, c)
	}
	return out
})

// ArchNames lists the architectures that have classic tests.
func ArchNames() []string {
	return Names(List())
}

// Names are those of a list's parts.
func Names(list []Part) []string {
	var out []string
	for _, a := range list {
		out = append(out, a.Name)
	}
	return out
}

// ShapeOf is the term of a test's shape, which its name begins with: of MP+lwsync+addr MP, and
// of 3.SB SB. It is nil where the glossary has none.
func ShapeOf(name string) *glossary.Term {
	if n, rest, ok := strings.Cut(name, "."); ok && strings.Trim(n, "0123456789") == "" {
		name = rest
	}
	var out *glossary.Term
	for _, g := range glossary.Table().Groups {
		if g.Title != "Shapes of tests" {
			continue
		}
		for _, t := range g.Terms {
			rest, ok := strings.CutPrefix(name, t.Name)
			if ok && strings.IndexFunc(rest, isOfName) != 0 && (out == nil || len(t.Name) > len(out.Name)) {
				out = t
			}
		}
	}
	return out
}

func isOfName(r rune) bool { return unicode.IsLetter(r) || r == '-' }

// calls finds the names of what C calls, with if, while and their like.
var calls = litmus.Pattern(`([A-Za-z_]\w*)\s*\(`)

// Calls are the names of what C calls, as the search has them.
func Calls(text string) []string {
	var out []string
	for _, call := range calls().FindAllStringSubmatch(text, -1) {
		if name := strings.ToLower(call[1]); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// CodeWords are what one may look for in a program: its mnemonics, and what the accesses are for
// every architecture.
func CodeWords(e catalogue.Entry) []string {
	var out []string
	add := func(w string) {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	t, err := litmus.Parse(e.Name, e.Source)
	if err != nil {
		panic("BUG: classic test: " + err.Error())
	}
	for _, thread := range t.Threads {
		for _, cell := range thread.Cells {
			if t.HasBodies() {
				for _, call := range Calls(cell.Text) {
					add(call)
				}
				continue
			}
			for _, w := range strings.Fields(cell.Text) {
				if strings.HasSuffix(w, ":") { // a label
					continue
				}
				add(strings.ToLower(w))
				if !strings.EqualFold(w, "LOCK") {
					break
				}
			}
		}
	}
	p, err := dialect.Lower(t)
	if err != nil {
		panic("BUG: classic test: " + err.Error())
	}
	for _, thread := range p.Threads {
		for _, step := range thread.Code {
			for _, w := range kinds(step.Op) {
				add(w)
			}
		}
	}
	return out
}

// kinds says in general words what an operation is.
func kinds(op ir.Op) []string {
	var out []string
	var tags ir.Tags
	switch op := op.(type) {
	case ir.Load:
		tags = op.Tags
		if op.Reserve {
			out = append(out, "exclusive")
		}
	case ir.Store:
		tags = op.Tags
	case ir.RMW:
		tags = slices.Concat(op.Tags, op.WriteTags)
		out = append(out, "atomic")
	case ir.StoreCond:
		tags = op.Tags
		out = append(out, "atomic")
	case ir.Fence:
		tags = op.Tags
		out = append(out, "fence", "barrier")
	}
	if tags.Has(ir.TagAcquire) {
		out = append(out, "acquire")
	}
	if tags.Has(ir.TagRelease) {
		out = append(out, "release")
	}
	return out
}
