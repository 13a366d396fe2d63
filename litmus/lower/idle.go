package lower

import (
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// question is a place that the test observes, and the observable it resolves to.
type question struct {
	at litmus.Place
	of ir.Observable
}

// remarkIdle remarks on observed places that no thread affects, because an answer about them says nothing. A location
// counts as accessed if its address can occur at all.
func (b *Builder) remarkIdle() {
	named := b.namedLocations()
	for _, q := range b.asked {
		o := q.of
		if o.Thread >= 0 {
			b.remarkUnwritten(q)
			continue
		}
		array, _, _ := strings.Cut(b.Program.Locs[o.Index].Name, "[")
		if named[array] || b.remarkThreadless(q.at, o.Index) {
			continue
		}
		name := b.Program.Locs[o.Index].Name
		if q.at.Whole > 0 {
			b.Remarkf(q.at.Pos, "no thread accesses %s: it always has its initial values", array)
			continue
		}
		b.Remarkf(q.at.Pos, "no thread accesses %s: it is always %s%s", name,
			b.initially(o, b.Program.Locs[o.Index].Init), didYouMean(name, slices.Sorted(maps.Keys(named))))
	}
}

// remarkUnwritten remarks on an observed register that its thread never sets.
func (b *Builder) remarkUnwritten(q question) {
	th := &b.Program.Threads[q.of.Thread]
	var written []string
	for _, s := range th.Code {
		set, _ := ir.Effect(s.Op)
		if set == q.of.Index {
			return
		}
		if set >= 0 && th.Regs[set].Name != "" {
			written = append(written, th.Regs[set].Name)
		}
	}
	value := b.initially(q.of, th.Regs[q.of.Index].Init)
	if b.given[[2]int{q.of.Thread, q.of.Index}] {
		b.Remarkf(q.at.Pos, "P%d never writes %s: it always has its initial value %s", th.ID, q.at.Name, value)
		return
	}
	var hint litmus.Guess
	if b.Test.HasBodies() {
		hint = didYouMean(q.at.Name, written)
	}
	b.Remarkf(q.at.Pos, "P%d never writes %s: it is always %s%s", th.ID, q.at.Name, value, hint)
}

// initially returns a value as outcomes print it.
func (b *Builder) initially(o ir.Observable, v uint64) string {
	return b.Program.FormatValue(v&ir.Mask(o.Bits), o.Bits, o.Signed)
}

// namedLocations returns the locations whose addresses can occur in instructions or in values they read: arrays by
// name, and objects with their fields.
func (b *Builder) namedLocations() map[string]bool {
	at := map[uint64]string{}
	named := map[string]bool{}
	note := func(name string) {
		array, _, _ := strings.Cut(name, "[")
		named[array] = true
	}
	for _, loc := range b.Program.Locs {
		at[loc.Address] = loc.Name
	}
	value := func(v uint64) {
		if name, ok := at[v]; ok {
			note(name)
		}
	}
	for i, loc := range b.Program.Locs {
		if _, given := b.inits[i]; given {
			value(loc.Init)
		}
	}
	for t := range b.Program.Threads {
		th := &b.Program.Threads[t]
		for _, s := range th.Code {
			_, used := ir.Effect(s.Op)
			for _, x := range used {
				ir.WalkExpr(x, func(e ir.Expr) bool {
					switch e := e.(type) {
					case ir.Addr:
						note(b.Program.Locs[e.Loc].Name)
					case ir.Const:
						value(e.Value)
					case ir.Reg:
						value(th.Regs[e.Index].Init)
					}
					return true
				})
			}
		}
	}
	for _, loc := range b.Program.Locs {
		if object, _, field := strings.Cut(loc.Name, "."); field && named[object] {
			named[loc.Name] = true
		}
	}
	return named
}
