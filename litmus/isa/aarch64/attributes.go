package aarch64

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Memory attributes (DDI 0487, chapters B2.10 and D8.6). An entry has the index of a set of attributes, as in hardware,
// where the register MAIR_EL1 has the sets. Index 0 is for entries that name none: Normal memory that all caches and
// all threads share, with tags in a test with memory tags. Only Normal memory is supported: Device memory and memory
// that is not shared have an order of their own. Its cacheability orders nothing.

// attributeWords are the attributes that an entry may name, in the order in which outcomes print them.
var attributeWords = []string{"Normal", "TaggedNormal", "ISH", "OSH", "iWB", "iWT", "iNC", "oWB", "oWT", "oNC"}

// isTagless reports whether a set of attributes is for memory without tags.
func isTagless(set string) bool { return set != "" && !strings.Contains(set, "TaggedNormal") }

// defaultAttributes names the memory of entries that name no attributes.
func (s *system) defaultAttributes() string {
	if s.memtag {
		return "TaggedNormal"
	}
	return "Normal"
}

// attributesValue returns the bits of an entry for attributes such as (Normal,iNC,oNC).
func (s *system) attributesValue(b *lower.Builder, pos litmus.Pos, text string) uint64 {
	inside, open := strings.CutPrefix(text, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	words := strings.Split(inside, ",")
	for _, w := range words {
		if open && closed && !slices.Contains(attributeWords, w) {
			b.Failf(pos, "%s: the memory attribute %s is not supported: want one of %s", b.Test.Arch, w,
				strings.Join(attributeWords, ", "))
			return 0
		}
	}
	if !open || !closed {
		b.Failf(pos, "%s: got memory attributes %s, want them in parentheses, as in attrs:(Normal,iWB,oWB)",
			b.Test.Arch, text)
		return 0
	}
	slices.SortFunc(words, func(a, b string) int {
		return slices.Index(attributeWords, a) - slices.Index(attributeWords, b)
	})
	set := strings.Join(slices.Compact(words), ", ")
	i := slices.Index(s.attributes, set)
	if i < 0 {
		i = len(s.attributes)
		s.attributes = append(s.attributes, set)
	}
	if i > entryAttr>>entryAttrAt {
		b.Failf(pos, "%s: the test has more than %d sets of memory attributes", b.Test.Arch, entryAttr>>entryAttrAt)
		return 0
	}
	return uint64(i) << entryAttrAt
}

// memoryKinds returns, by the index of a set of attributes, the first index of one with the same type of memory and
// cacheability. Tagged memory is Normal memory: for a change of an entry, tags are like a permission.
func (s *system) memoryKinds() (kinds []int) {
	seen := map[string]int{}
	for i, set := range s.attributes {
		kind := ""
		for _, cache := range []string{"i", "o"} {
			policy := "WB"
			for _, w := range strings.Split(set, ", ") {
				if p, ok := strings.CutPrefix(w, cache); ok {
					policy = p
				}
			}
			kind += policy
		}
		if _, again := seen[kind]; !again {
			seen[kind] = i
		}
		kinds = append(kinds, seen[kind])
	}
	return kinds
}

// isTagged returns whether an entry is for memory with tags, or nil if all entries of the test are.
func (s *system) isTagged(v ir.Expr) ir.Expr {
	var tagless ir.Expr
	for i, set := range s.attributes {
		if s.memtag && isTagless(set) {
			is := ir.Eq.Of(ir.BitAnd.Of(v, ir.Number(entryAttr, 64)), ir.Number(uint64(i)<<entryAttrAt, 64))
			if tagless == nil {
				tagless = is
			} else {
				tagless = ir.BitOr.Of(tagless, is)
			}
		}
	}
	if tagless == nil {
		return nil
	}
	return ir.Not(tagless)
}
