package cmd

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/suite"
	"litmuscope/models"
)

var edits = flag.Int("edits", 400, "how many edited tests of the corpus TestClaimedNames looks at")

// Fences and orders by architecture or language. An edit replaces one with another of the same list.
var (
	fenceWords = func() map[string][]string {
		out := map[string][]string{}
		for _, tongue := range dialect.Tongues() {
			words := dialect.Cycles(tongue)
			if words == nil {
				continue
			}
			for _, f := range words.Fences {
				if f.Code != "" && f.Param == "" {
					out[tongue] = append(out[tongue], f.Code)
				}
			}
		}
		return out
	}()
	orderWords = map[string][][]string{
		"AArch64": {
			{"LDAR ", "LDR ", "LDAPR "},
			{"STLR ", "STR "},
			{"LDXR ", "LDAXR "},
			{"STXR ", "STLXR "},
			{"SWP ", "SWPA ", "SWPL ", "SWPAL "},
			{"LDADD ", "LDADDA ", "LDADDL ", "LDADDAL "},
			{"CAS ", "CASA ", "CASL ", "CASAL "},
			{"LDADD ", "LDCLR ", "LDEOR ", "LDSET ", "LDSMIN ", "LDUMAX "},
		},
		"X86": {{"LOCK ADD ", "LOCK AND ", "LOCK SUB "}},
		"RISCV": {
			{"amoadd", "amoand", "amoor", "amomin", "amomaxu"},
			{".w ", ".w.aq ", ".w.rl ", ".w.aq.rl "},
			{"lw ", "lw.aq "},
			{"sw ", "sw.rl "},
		},
		"C": {{"memory_order_relaxed", "memory_order_acquire", "memory_order_release", "memory_order_seq_cst"}},
		"LKMM": {
			{"smp_load_acquire(", "rcu_dereference("},
			{"smp_store_release(", "rcu_assign_pointer("},
			{"xchg(", "xchg_relaxed(", "xchg_acquire(", "xchg_release("},
		},
	}
)

// places returns the places of words in a test's threads.
func places(source string, words []string) [][]int {
	longest := slices.Clone(words)
	slices.SortFunc(longest, func(a, b string) int { return len(b) - len(a) })
	for i := range longest {
		longest[i] = regexp.QuoteMeta(longest[i])
	}
	return regexp.MustCompile(strings.Join(longest, "|")).FindAllStringIndex(source, -1)
}

// edited removes, weakens or doubles a fence of a test, or changes an order. It returns "" for a test without fences
// and orders.
func edited(r *rand.Rand, tongue, source string) string {
	words, place := fenceWords[tongue], []int(nil)
	pick := r.IntN(4)
	if pick == 3 {
		kinds := orderWords[tongue]
		if kinds == nil {
			return ""
		}
		words = kinds[r.IntN(len(kinds))]
	}
	begin := strings.IndexByte(source, '}') + 1
	if found := places(source[begin:], words); found != nil {
		place = found[r.IntN(len(found))]
	}
	if place == nil {
		return ""
	}
	from, to := begin+place[0], begin+place[1]
	word := source[from:to]
	switch {
	case pick >= 2: // another one
		return source[:from] + words[r.IntN(len(words))] + source[to:]
	case pick == 1:
		return source[:from] + strings.Repeat(" ", len(word)) + source[to:]
	case tongue == "C" || tongue == "LKMM":
		return source[:from] + word + " " + word + source[to:]
	}
	// Doubled, in its own row.
	start, end := strings.LastIndexByte(source[:from], '\n')+1, to+strings.IndexByte(source[to:], '\n')+1
	row := strings.Repeat("|", strings.Count(source[start:from], "|")) + word +
		strings.Repeat("|", strings.Count(source[to:end], "|")) + ";\n"
	return source[:end] + row + source[end:]
}

// claimed returns the test that gen makes from the cycle whose name a test gets, or "" if the test gets no name.
func claimed(source string) (name, made string) {
	test, err := litmus.Parse("claimed", source)
	if err != nil {
		return "", ""
	}
	c, err := cycle.Of(test)
	if err != nil || !c.IsOf(test) {
		return "", ""
	}
	made, err = cycle.Generate(test.Arch, c, "")
	if err != nil {
		return c.Name(), err.Error()
	}
	return c.Name(), made
}

// TestClaimedNames compares each test of the corpus, and edited copies of it, with the test that gen makes from the
// cycle whose name it gets. Both have the same program and condition or, if they are spelled differently, the same
// verdict under every model.
func TestClaimedNames(t *testing.T) {
	var paths []string
	corpus := corpusFolder(t)
	for _, arch := range []string{"x86", "x86_64", "ppc", "arm", "aarch64", "riscv", "mips", "lkmm", "c11"} {
		paths = append(paths, corpus+"/"+arch)
	}
	type origin struct{ path, tongue, source string }
	var all []origin
	counts := map[string][3]int{} // tests, names claimed, of these spelled in another way
	check := func(what, path, source string) {
		n := counts[what]
		n[0]++
		defer func() { counts[what] = n }()
		name, made := claimed(source)
		if name == "" {
			return
		}
		n[1]++
		ours, err := dialect.Parse("made", made)
		if err != nil {
			t.Fatalf("%s is called %s: %v\n%s", path, name, err, made)
		}
		theirs, err := dialect.Parse(path, source)
		if err != nil {
			t.Fatal(err)
		}
		// Comparing shapes of many threads would need all orders of the threads.
		under := []string{models.Default(dialect.Tongue(source))}
		if len(ours.Threads) <= 6 {
			if shapeOf(ours) == shapeOf(theirs) {
				return
			}
			under = models.For(dialect.Tongue(source))
		}
		n[2]++
		for _, model := range under {
			if happens(t, "made", made, model) != happens(t, path, source, model) {
				t.Errorf("%s is called %s, but %s tells it from the test of that name:\n%s\n%s", path, name, model,
					source, made)
				return
			}
		}
	}
	for e := range suite.Collect(t.Context(), paths, nil) {
		if _, err := litmus.Parse(e.Path, e.Source); err != nil {
			continue
		}
		tongue := dialect.Tongue(e.Source)
		all = append(all, origin{e.Path, tongue, e.Source})
		if !testing.Short() || len(all)%3 == 0 {
			check(tongue, e.Path, e.Source)
		}
	}
	r := rand.New(rand.NewPCG(21, 25))
	for tried := 0; counts["edited"][0] < *edits && tried < 100**edits; tried++ {
		o := all[r.IntN(len(all))]
		source := edited(r, o.tongue, o.source)
		if source == "" || source == o.source {
			continue
		}
		if _, err := dialect.Parse(o.path, source); err != nil {
			continue
		}
		check("edited", o.path, source)
	}
	if counts["edited"][0] < *edits {
		t.Errorf("there are %d edited tests, of %d", counts["edited"][0], *edits)
	}
	for _, what := range append(dialect.Tongues(), "edited") {
		n := counts[what]
		t.Logf("%-8s %5d tests, %5d are called by a name; %4d of them are spelled in another way",
			what, n[0], n[1], n[2])
	}
}
