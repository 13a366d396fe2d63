package cycle

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/lower"
)

// Entry is a word of a dialect's vocabulary: an edge with plain ends.
type Entry struct {
	Edge  Edge
	Group string // the heading above it
	Text  string // a description in one sentence
}

// Mark is an annotation of an access in a dialect.
type Mark = lower.Mark

// Words is the vocabulary for cycles of a dialect. An annotated edge is an entry's word followed by a mark for each
// end, or Plain for an end without: RfeLA, PodWRPA.
type Words struct {
	*lower.Cycles
	Entries []Entry
	Plain   string
}

// vocabulary is a dialect's addition to the edges that all dialects have.
type vocabulary struct {
	*lower.Cycles
	arch  string
	words map[string]Edge // by word
}

// The dialects of C. Tests of both have C as their architecture.
const (
	ofC    = "C"            // C11's atomics
	kernel = dialect.Kernel // the Linux kernel's primitives
)

// plains maps each mark to the mark of a plain end next to it.
var plains = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, tongue := range Archs() {
		v := vocabulary{Cycles: dialect.Cycles(tongue)}
		for _, m := range v.Marks {
			out[m.Mark] = v.plain()
		}
	}
	return out
})

// vocabularies are those of all dialects.
var vocabularies = sync.OnceValue(func() (all []vocabulary) {
	for _, tongue := range Archs() {
		v := vocabulary{Cycles: dialect.Cycles(tongue), arch: tongue, words: map[string]Edge{}}
		for _, e := range v.entries() {
			v.words[e.Edge.String()] = e.Edge
		}
		all = append(all, v)
	}
	return all
})

// atomics are the atomic instructions of all dialects by name, and marked their marks: a name in several dialects
// means the same, but for the orders, of which atomics has all. fences are the fences; what is maintained by one with
// such a name is the same in all dialects.
var (
	atomics = sync.OnceValue(func() map[string]lower.Word {
		out := map[string]lower.Word{}
		for _, v := range vocabularies() {
			for _, a := range v.Atomics {
				a.Orders = slices.Concat(out[a.Name].Orders, a.Orders)
				out[a.Name] = a
			}
		}
		return out
	})
	fences = sync.OnceValue(func() map[string]lower.Word {
		out := map[string]lower.Word{}
		for _, v := range vocabularies() {
			for _, f := range v.Fences {
				out[f.Name] = f
			}
		}
		return out
	})
	marked = sync.OnceValue(func() map[string]Mark {
		out := map[string]Mark{}
		for _, v := range vocabularies() {
			for _, m := range v.Marks {
				out[m.Mark] = m
			}
		}
		return out
	})
)

// Archs lists the dialects that have words for cycles.
func Archs() []string {
	return slices.DeleteFunc(dialect.Tongues(), func(t string) bool { return dialect.Cycles(t) == nil })
}

// find gives a dialect's vocabulary, nil for one that is not in the table.
func find(arch string) *vocabulary {
	for i, v := range vocabularies() {
		if v.arch == arch {
			return &vocabularies()[i]
		}
	}
	return nil
}

// Vocabulary returns the words of a dialect; ok is false if it has none.
func Vocabulary(arch string) (words Words, ok bool) {
	v := find(arch)
	if v == nil {
		return words, false
	}
	return Words{v.Cycles, v.entries(), v.plain()}, true
}

var (
	read  = Access{}
	write = Access{Write: true}
	both  = []Access{read, write}
)

var access = map[Access]string{read: "read", write: "write"}

// entries lists the edges of a dialect.
func (v *vocabulary) entries() []Entry {
	var out []Entry
	add := func(group, text string, e Edge) { out = append(out, Entry{e, group, text}) }

	for _, turn := range []struct {
		turn        Turn
		group, text string
	}{
		{Across, "Communication between threads", " of another thread"},
		{Inside, "Communication within a thread", " of the same thread"},
		{Leave, "Communication there and back", " of another thread, from which a Back returns"},
		{Back, "Communication there and back", " of the thread that was left"},
	} {
		scopes := []string{""}
		if turn.turn != Inside {
			scopes = append(scopes, v.scopes()...)
		}
		for _, scope := range scopes {
			text := turn.text + v.where(scope)
			add(turn.group, "a write is read by a read"+text,
				Edge{Kind: Rf, Turn: turn.turn, Same: true, From: write, To: read, Within: scope})
			add(turn.group, "a read comes before a write"+text,
				Edge{Kind: Fr, Turn: turn.turn, Same: true, From: read, To: write, Within: scope})
			add(turn.group, "a write comes before a write"+text,
				Edge{Kind: Co, Turn: turn.turn, Same: true, From: write, To: write, Within: scope})
			if turn.turn == Across {
				add(turn.group, "a read takes the same write's value as a read"+text,
					Edge{Kind: Hat, Turn: Across, Same: true, From: read, To: read, Within: scope})
			}
		}
	}
	for _, from := range both {
		add("Communication there and back", "a "+access[from]+", then a write of another thread, then a read of it",
			Edge{Kind: Detour, Same: true, From: from, To: read})
	}
	pairs := func(group string, kind Kind, name, text string) {
		for _, same := range []bool{false, true} {
			for _, from := range both {
				for _, to := range both {
					if kind == Dp && (from.Write || name == "Data" && !to.Write) {
						continue
					}
					add(group, following(from, to, same)+text,
						Edge{Kind: kind, Name: name, Same: same, From: from, To: to})
				}
			}
		}
	}
	pairs("Program order", Po, "", "; nothing else orders them")
	if !v.Bare {
		if v.Apart == "" { // addresses are names of locations in the tests of GPUs
			pairs("Dependency", Dp, "Addr", "; its address is computed from what was read")
		}
		pairs("Dependency", Dp, "Data", "; its value is computed from what was read")
		pairs("Dependency", Dp, "Ctrl", "; a branch on what was read comes between")
		for _, d := range v.Deps {
			pairs("Dependency", Dp, d.Name, "; "+d.Text)
		}
	}
	for _, f := range v.Fences {
		pairs("Fence", Fence, f.Name, "; between them "+f.Text)
	}
	for _, r := range v.Atomics {
		add("Read-modify-write", r.Text, Edge{Kind: Rmw, Name: r.Name, Same: true, From: read, To: write})
	}
	return out
}

// following describes the second access of a pair.
func following(from, to Access, same bool) string {
	where := "another location"
	if same {
		where = "the same location"
	}
	return "a " + access[from] + ", then in program order a " + access[to] + " of " + where
}

// having lists the dialects that have a word.
func having(word string) []string {
	var archs []string
	for _, v := range vocabularies() {
		if _, ok := v.words[word]; ok {
			archs = append(archs, v.arch)
		}
	}
	return archs
}

// spellings returns the words for the edges of the dialect.
func (v *vocabulary) spellings() []string {
	var out []string
	for _, e := range v.entries() {
		out = append(out, e.Edge.String())
	}
	return out
}

// plain returns the mark of an end without a mark.
func (v *vocabulary) plain() string { return cmp.Or(v.Plain, "P") }

// relaxed returns the mark of an access without ordering, in a dialect of C or of GPUs.
func (v *vocabulary) relaxed() string { return Words{Cycles: v.Cycles}.Relaxed() }

// relaxedAt returns the mark of an access without ordering, with a scope if the dialect has scopes.
func (v *vocabulary) relaxedAt(reach int) string {
	for _, m := range v.Marks {
		if m.Reach == reach && strings.HasPrefix(m.Like, lower.Relaxed) {
			return m.Mark
		}
	}
	return v.relaxed()
}

// markOf returns the mark with a name, or the zero value.
func (v *vocabulary) markOf(name string) Mark {
	for _, m := range v.Marks {
		if m.Mark == name {
			return m
		}
	}
	return Mark{}
}

// Relaxed returns the mark of an atomic access without ordering, in a dialect of C or of GPUs; "" in others.
func (v Words) Relaxed() string {
	for _, m := range v.Marks {
		if m.Like == lower.Relaxed {
			return m.Mark
		}
	}
	return ""
}

// orderOf returns the order that gives the halves of an atomic operation their marks; ok is false if there is none.
func orderOf(e Edge, orders []lower.Order) (lower.Order, bool) {
	for _, o := range orders {
		if o.Read == e.From.Mark && o.Write == e.To.Mark {
			return o, true
		}
	}
	return lower.Order{}, false
}

// Arch returns the dialect whose words a cycle has: for tests of C, the kernel's if the cycle uses its words.
func (c Cycle) Arch(arch string) string {
	if arch == ofC && slices.ContainsFunc(c, func(e Edge) bool { return find(ofC).misfit(ofC, e) != "" }) {
		return kernel
	}
	return arch
}
