package lower

import "litmuscope/litmus"

// Bare notes a location that an instruction names where it may name a register. By the
// format's rule, any word that is no register is a location there, a mistyped register
// too. It gets a remark where a mistake is likely: one thread alone names it, and neither
// the init block nor the condition does.
func (b *Builder) Bare(w litmus.Word) { b.bare = append(b.bare, w) }

func (b *Builder) remarkBare() {
	asked := map[int]bool{}
	for _, o := range b.Program.Observed {
		asked[o.Index] = asked[o.Index] || o.Thread < 0
	}
	for _, w := range b.bare {
		if i := b.locs[w.Text]; i >= b.declared && !asked[i] && b.namers[i] >= 0 {
			b.Remarkf(w.Pos, "%s is no register: it is taken for a memory location%s", w.Text,
				didYouMean(w.Text, b.registerNames()))
		}
	}
}

// remarkThreadless remarks on location i, which the test asks about, if it is called as a
// register, and nothing else in the test speaks of it; it tells whether it has.
func (b *Builder) remarkThreadless(o litmus.Place, i int) bool {
	_, isRegister := b.Register(o.Name)
	_, named := b.namers[i]
	if !isRegister || i < b.declared || named {
		return false
	}
	b.Remarkf(o.Pos, "%s is taken for a memory location: a register is named with its thread, as %d:%s", o.Name,
		b.Test.Threads[0].ID, o.Name)
	return true
}
