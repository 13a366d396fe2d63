package models

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/models/cat"
)

// Split splits the name of a variant, MODEL~AXIOM~AXIOM, into the model's name and the axioms that the variant leaves
// out. A file name ends in .cat, whatever comes before it.
func Split(name string) (model string, without []string) {
	if strings.HasSuffix(name, ".cat") {
		return name, nil
	}
	if i := strings.LastIndex(name, ".cat~"); i >= 0 {
		i += len(".cat")
		return name[:i], strings.Split(name[i+1:], "~")
	}
	parts := strings.Split(name, "~")
	return parts[0], parts[1:]
}

// IsBuiltIn reports whether name is that of a built-in model, or of a variant of one.
func IsBuiltIn(name string) bool {
	model, _ := Split(name)
	return builtins[strings.ToLower(model)] != nil
}

// Less returns the variant of m without the given axioms and flags. It allows all that m allows. Its name is m's with
// those names, in m's order. Less fails if m has no such axiom or flag.
func (m *Model) Less(names []string) (*Model, error) {
	if len(names) == 0 {
		return m, nil
	}
	var all, without []string // names of m's
	for _, a := range m.said {
		all = append(all, a.Name)
	}
	for _, f := range m.Flags {
		all = append(all, f.Name)
	}
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			i = slices.IndexFunc(all, func(a string) bool { return strings.EqualFold(a, name) })
		}
		if i < 0 {
			return nil, fmt.Errorf("there is no axiom %q in %s: want one of %s", litmus.Shorten(name),
				litmus.Shorten(m.Name), strings.Join(m.Parts(), ", "))
		}
		without = append(without, all[i])
	}
	place := func(name string) int { return slices.Index(all, name) }
	slices.SortFunc(without, func(a, b string) int { return place(a) - place(b) })
	without = slices.Compact(without)
	weaker := *m.Model
	weaker.Axioms = slices.DeleteFunc(slices.Clone(m.said),
		func(a cat.Axiom) bool { return slices.Contains(without, a.Name) })
	weaker.Flags = slices.DeleteFunc(slices.Clone(m.Flags),
		func(f cat.Flag) bool { return slices.Contains(without, f.Name) })
	said := weaker.Axioms
	dropImplied(&weaker) // restores it if its reason is gone
	out := newModel(m.Name+"~"+strings.Join(without, "~"), m.Text, m.Title, &weaker, m.words)
	out.said = said
	out.key = sync.OnceValue(func() string { return VariantKey(m.Key(), without) })
	out.mixed = func() (*Model, error) {
		mixed, err := m.mixed()
		if err != nil {
			return nil, err
		}
		return mixed.Less(without)
	}
	return out, nil
}

// Parts returns the names that a variant can leave out, each once: axioms, then flags.
func (m *Model) Parts() []string {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, a := range m.Axioms {
		add(a.Name)
	}
	for _, f := range m.Flags {
		add(f.Name)
	}
	return out
}

// VariantKey returns the [Model.Key] of a variant, given the key of the model.
func VariantKey(key string, without []string) string {
	if len(without) == 0 {
		return key
	}
	names := slices.Compact(slices.Sorted(slices.Values(without)))
	return hash(append([]string{key, "less"}, names...)...)
}
