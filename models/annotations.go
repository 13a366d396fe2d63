package models

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Knows reports what of a test in LISA the model does not know, each at its place: annotations, scopes and regions that
// its bell file does not declare. A model without a bell file knows the annotations of the Linux kernel. To SC, no
// annotation means anything.
func (m *Model) Knows(a *ir.Annotated) error {
	switch {
	case a == nil || m.Bell == nil && m.HasMachine() && !m.facts().Buffers:
		return nil
	case m.Bell == nil:
		return a.Foreign.Sorted().Most(litmus.MaxErrors).Err()
	}
	var errs litmus.ErrorList
	fail := func(w litmus.Word, format string, args ...any) {
		errs = append(errs, litmus.Errorf(w.Pos, format, args...))
	}
	for _, use := range a.Uses {
		if at := m.unknown(use); at >= 0 {
			tag := use.Tags[at]
			fail(tag, "the model's bell file has no annotation '%s here for %s: %s", litmus.Shorten(tag.Text),
				instructionNames[use.Kind], m.annotations(use.Kind))
		}
	}
	for _, s := range a.Scopes {
		if !slices.Contains(m.Bell.Scopes, s.Text) {
			fail(s, "unknown scope %s: %s", litmus.Shorten(s.Text), listed("enum scopes", m.Bell.Scopes))
		}
	}
	for _, n := range a.Nested {
		if m.Bell.Narrower != nil && slices.Contains(m.Bell.Scopes, n[1].Text) &&
			!slices.Contains(m.Bell.Narrower[n[0].Text], n[1].Text) {
			fail(n[1], "the scope %s cannot be within a %s: %s", litmus.Shorten(n[1].Text), litmus.Shorten(n[0].Text),
				listed("narrower('"+litmus.Shorten(n[0].Text)+")", m.Bell.Narrower[n[0].Text]))
		}
	}
	for _, r := range a.Regions {
		if !hasFold(m.Bell.Regions, r.Text) {
			fail(r, "unknown region %s: %s", litmus.Shorten(r.Text), listed("enum regions", m.Bell.Regions))
		}
	}
	return errs.Sorted().Most(litmus.MaxErrors).Err()
}

// instructionNames describes the kinds of instructions of bell files.
var instructionNames = map[string]string{"R": "reads", "W": "writes", "RMW": "atomic updates", "F": "fences"}

// unknown returns the index of the first annotation of an instruction that no declaration of its kind allows; -1 if one
// allows them all. A declaration with several positions allows an annotation at each of them, or none.
func (m *Model) unknown(use ir.Annotation) int {
	if len(use.Tags) == 0 {
		return -1
	}
	furthest := 0
	for _, positions := range m.Bell.Kinds[use.Kind] {
		at, next := 0, 0
		for ; at < len(use.Tags); at++ {
			i := slices.IndexFunc(positions[min(next, len(positions)):], func(tags []string) bool {
				return hasFold(tags, use.Tags[at].Text)
			})
			if i < 0 {
				break
			}
			next += i + 1
		}
		if at == len(use.Tags) {
			return -1
		}
		furthest = max(furthest, at)
	}
	return furthest
}

// annotations lists the annotations that a kind of instruction may have.
func (m *Model) annotations(kind string) string {
	var all []string
	for _, positions := range m.Bell.Kinds[kind] {
		for _, tags := range positions {
			for _, t := range tags {
				if !hasFold(all, t) {
					all = append(all, t)
				}
			}
		}
	}
	return listed("instructions "+kind, all)
}

// listed says what a declaration has.
func listed(declaration string, tags []string) string {
	if len(tags) == 0 {
		return declaration + " has none"
	}
	return declaration + " has '" + strings.Join(tags, ", '")
}

func hasFold(tags []string, text string) bool {
	return slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, text) })
}
