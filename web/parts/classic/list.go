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
	Title    string   `json:"title"` // its name as people write it
	About    string   `json:"-"`     // other names, for searches
	Families []Family `json:"families"`
}

// Family is what belongs together in a part.
type Family struct {
	Title string `json:"title"`
	Tests []Item `json:"tests"`
}

// Item is a test as the list has it. The fields that JSON leaves out are for searches; see [Index].
type Item struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Note     string `json:"note"`
	About    string `json:"-"` // what its shape and its model are called
	Code     string `json:"-"` // words of its code, its remark and its cycle
	Text     string `json:"-"` // a long text, of which only whole words match
	Shape    string `json:"-"`
	Critical bool   `json:"-"` // the shape is a critical cycle: its name is a word of its own
}

// List lists the classic tests, those for 64-bit Arm before those for 32-bit.
var List = sync.OnceValue(func() []Part {
	var out []Part
	for _, e := range catalogue.All() {
		if n := len(out); n == 0 || out[n-1].Name != e.Arch {
			out = append(out, Part{Name: e.Arch, Title: ArchTitle(e.Arch), About: archNames[e.Arch].also})
		}
		a := &out[len(out)-1]
		if n := len(a.Families); n == 0 || a.Families[n-1].Title != e.Family {
			a.Families = append(a.Families, Family{Title: e.Family})
		}
		f := &a.Families[len(a.Families)-1]
		f.Tests = append(f.Tests, item(e))
	}
	at := func(name string) int { return slices.IndexFunc(out, func(p Part) bool { return p.Name == name }) }
	if arm, wide := at("ARM"), at("AArch64"); arm >= 0 && arm < wide {
		part := out[wide]
		out = slices.Insert(slices.Delete(out, wide, wide+1), arm, part)
	}
	return out
})

// item is a classic test with the words by which a search finds it.
func item(e catalogue.Entry) Item {
	shape, critical := shapeOf(e)
	c := Item{
		ID: e.ID(), Name: e.Name, Note: e.Note, Shape: e.Shape, Critical: critical,
		Code: strings.Join(append(CodeWords(e), e.Remark, e.Cycle, shape.Title, shape.Group), " "),
	}
	about := []string{idioms[e.Shape]}
	if t := ShapeOf(e.Name); t != nil {
		about = append(about, t.Also...)
	}
	own := models.Default(dialect.Tongue(e.Source))
	about = append(about, own, models.Label(own))
	if t, ok := glossary.Find(own); ok {
		about = append(append(about, t.Name), t.Also...)
	}
	c.About = strings.Join(about, " ")
	return c
}

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

// calls finds the names of what C calls, with if, while and their like, and memory orders.
var calls = litmus.Pattern(`([A-Za-z_]\w*)\s*\(|\b(memory_order_\w+|__ATOMIC_\w+)`)

// Calls are the names of what C calls, and its memory orders, as the search has them.
func Calls(text string) []string {
	var out []string
	for _, call := range calls().FindAllStringSubmatch(text, -1) {
		if name := strings.ToLower(call[1] + call[2]); !slices.Contains(out, name) {
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
