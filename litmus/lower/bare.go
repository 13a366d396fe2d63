package lower

import "litmuscope/litmus"

// Bare records a location that an instruction names where a register is also possible. In the format, any word that is
// not a register is a location there, even a misspelt register. There is a remark if a mistake is likely: only one
// thread names the location, and neither the init block nor the condition does.
func (b *Builder) Bare(w litmus.Word) { b.bare = append(b.bare, w) }

func (b *Builder) remarkBare() {
	asked := map[int]bool{}
	for _, o := range b.Program.Observed {
		asked[o.Index] = asked[o.Index] || o.Thread < 0
	}
	for _, w := range b.bare {
		if i := b.locs[w.Text]; i >= b.declared && !asked[i] && b.namers[i] >= 0 {
			b.Remarkf(w.Pos, "%s is not a register, so it names a memory location%s", w.Text,
				didYouMean(w.Text, b.registerNames()))
		}
	}
}

// remarkThreadless remarks on location i, which the test observes, if it has the name of a register and nothing else in
// the test mentions it. It reports whether it did.
func (b *Builder) remarkThreadless(o litmus.Place, i int) bool {
	_, isRegister := b.Register(o.Name)
	_, named := b.namers[i]
	if !isRegister || i < b.declared || named {
		return false
	}
	b.Remarkf(o.Pos, "%s names a memory location: write the register with its thread, as %d:%s", o.Name,
		b.Test.Threads[0].ID, o.Name)
	return true
}
