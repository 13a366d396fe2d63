package classic

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"litmuscope/litmus/catalogue"
)

// Index finds the items of a list that a query matches. The picker, the catalogue and the programs page all search
// with it: every word of a query must match, and the best matches come first.
type Index struct {
	parts  []indexedPart
	shapes map[string]bool // the shapes that are words of their own, in lower case
}

type indexedPart struct {
	name    string
	aliases []string
	items   []indexedItem
}

// indexedItem is an item with the words that a search matches, in lower case.
type indexedItem struct {
	*Item
	name  string
	parts []string // of the name
	about []string // names of its part, its family and its shape
	rest  []string // words of its description and of its code
	text  []string // words that match only as a whole
}

// Found is what a query matches in one part of a list, best first.
type Found struct {
	Part string   `json:"part"`
	IDs  []string `json:"ids"`
}

// Results is what a picker shows for a query: what it finds in the picker's list, and items elsewhere, whose IDs are
// their addresses.
type Results struct {
	Found []Found `json:"found"`
	Also  []Part  `json:"also,omitempty"`
}

// NewIndex indexes a list, which must not change.
func NewIndex(list []Part) *Index {
	x := &Index{shapes: map[string]bool{}}
	for i := range list {
		p := &list[i]
		part := indexedPart{p.Name, strings.Fields(strings.ToLower(p.Name + " " + p.About)), nil}
		for j := range p.Families {
			f := &p.Families[j]
			for k := range f.Tests {
				it := &f.Tests[k]
				name := strings.ToLower(it.Name)
				part.items = append(part.items, indexedItem{
					Item: it, name: name,
					parts: strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("+.-_ ", r) }),
					about: words(f.Title + " " + it.About), rest: words(it.Note + " " + it.Code), text: words(it.Text),
				})
				if it.Critical {
					x.shapes[strings.ToLower(it.Shape)] = true
				}
			}
		}
		x.parts = append(x.parts, part)
	}
	return x
}

// words splits a text for a search: its words, and what hyphens, dots and underscores join in them.
func words(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",:;?!()[]{}“”\"'/*`", r)
	}) {
		if w = strings.TrimRight(w, "."); w == "" {
			continue
		}
		out = append(out, w)
		if pieces := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("-._", r) }); len(
			pieces,
		) > 1 {
			out = append(out, pieces...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// atHand is the bonus for items of the part at hand: more than one step of score.
const atHand = 1.5

// Find returns what a query matches in the list, or in one part of it (only, "" for all), by parts, the part with the
// best match first and equal ones in the order of the list. Items of the part at hand (here) come before others that
// match about as well, unless the query names a part: "c mp" finds C tests first.
func (x *Index) Find(query, here, only string) []Found {
	asked := strings.Fields(strings.ToLower(query))
	if slices.ContainsFunc(asked, x.namesPart) {
		here = ""
	}
	type scored struct {
		Found
		best float64
	}
	var all []scored
	for _, p := range x.parts {
		if only != "" && p.name != only {
			continue
		}
		g := scored{Found{Part: p.name}, math.Inf(1)}
		type match struct {
			id    string
			score float64
		}
		var matches []match
		for i := range p.items {
			sum := 0.
			for _, w := range asked {
				sum += x.score(p.aliases, &p.items[i], w)
			}
			if !math.IsInf(sum, 1) {
				matches = append(matches, match{p.items[i].ID, sum})
				g.best = min(g.best, sum)
			}
		}
		if len(matches) == 0 {
			continue
		}
		slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(a.score, b.score) })
		for _, m := range matches {
			g.IDs = append(g.IDs, m.id)
		}
		if p.name == here {
			g.best -= atHand
		}
		all = append(all, g)
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.best, b.best) })
	out := make([]Found, len(all))
	for i, g := range all {
		out[i] = g.Found
	}
	return out
}

// Items returns at most so many items that a query matches, the best first.
func (x *Index) Items(query string, most int) []Item {
	var out []Item
	for _, found := range x.Find(query, "", "") {
		for _, id := range found.IDs {
			if len(out) < most {
				out = append(out, x.item(id))
			}
		}
	}
	return out
}

func (x *Index) item(id string) Item {
	for _, p := range x.parts {
		for _, it := range p.items {
			if it.ID == id {
				return *it.Item
			}
		}
	}
	return Item{}
}

// namesPart reports whether a word is a name of a part, such as "arm" of the tests for AArch64 and for ARM.
func (x *Index) namesPart(word string) bool {
	return slices.ContainsFunc(x.parts, func(p indexedPart) bool { return slices.Contains(p.aliases, word) })
}

// score rates how well a word of a query matches an item: 0 is its name or its part's, infinity no match. The name of a
// critical shape matches only tests of that shape. A single letter matches whole words and names that begin with it.
func (x *Index) score(aliases []string, it *indexedItem, word string) float64 {
	begins := func(w string) bool { return strings.HasPrefix(w, word) }
	long := len(word) > 1
	switch {
	case slices.Contains(aliases, word):
		return 0
	case x.shapes[word] && it.Shape != "":
		if !strings.EqualFold(it.Shape, word) {
			return math.Inf(1)
		}
		if it.name == word {
			return 0
		}
		return 1
	case it.name == word:
		return 0
	case begins(it.name), slices.ContainsFunc(it.parts, begins):
		return 1
	case slices.Contains(it.about, word):
		return 2
	case long && (slices.ContainsFunc(aliases, begins) || slices.ContainsFunc(it.about, begins)):
		return 2.5
	case slices.Contains(it.rest, word), long && slices.ContainsFunc(it.rest, begins):
		return 3
	case long && strings.Contains(it.name, word):
		return 3.5
	case slices.Contains(it.text, word):
		return 4
	}
	return math.Inf(1)
}

// Search finds classic tests; see [Index.Find].
func Search(query, here, only string) []Found { return tests().Find(query, here, only) }

var tests = sync.OnceValue(func() *Index { return NewIndex(List()) })

// archNames has the names of the architectures of classic tests as people write them, and other names for a search.
var archNames = map[string]struct{ title, also string }{
	"X86":     {"x86 (32-bit)", "x86 i386 ia32 x86-32 intel amd"},
	"X86_64":  {"x86-64", "x86 x86-64 x64 amd64 intel amd"},
	"PPC":     {"Power", "power powerpc ppc64 ibm"},
	"ARM":     {"ARM (32-bit Arm)", "arm arm32 armv7 aarch32"},
	"AArch64": {"AArch64 (64-bit Arm)", "arm arm64 armv8"},
	"RISCV":   {"RISC-V", "risc-v riscv64"},
	"MIPS":    {"MIPS", ""},
	"BPF":     {"BPF (Linux)", "ebpf"},
	"C":       {"C", "c11 c++ cpp"},
	"PTX":     {"PTX (NVIDIA GPUs)", "gpu nvidia cuda"},
	"VULKAN":  {"Vulkan (GPUs)", "gpu spir-v spirv khronos"},
	"OPENCL":  {"OpenCL (GPUs)", "gpu khronos"},
	"LISA":    {"LISA (bell models)", "bell"},
}

// ArchTitle returns the name of an architecture of classic tests as people write it: "AArch64 (64-bit Arm)".
func ArchTitle(arch string) string { return cmp.Or(archNames[arch].title, arch) }

// idioms are what programmers call uses of a shape.
var idioms = map[string]string{
	"MP": "double-checked locking publication lazy initialization flag",
	"SB": "Dekker mutual exclusion",
}

// shapeOf returns the shape of a classic test, and whether it is one with a cycle.
func shapeOf(e catalogue.Entry) (catalogue.Shape, bool) {
	s, _ := catalogue.FindShape(e.Shape)
	return s, s.Cycle != ""
}
