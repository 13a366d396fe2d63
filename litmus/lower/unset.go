package lower

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// findUnset records each register that is used as an address and has no value, because neither the init block nor its
// thread sets it. Otherwise engines would report at every such access, for each model, that 0 is not a location.
func (b *Builder) findUnset() {
	for t := range b.Program.Threads {
		th := &b.Program.Threads[t]
		sets := map[int]int{}
		by := map[int]ir.Expr{}
		for _, s := range th.Code {
			if r, _ := ir.Effect(s.Op); r >= 0 {
				sets[r]++
				a, _ := s.Op.(ir.Assign)
				by[r] = a.Value
			}
		}
		told := map[int]bool{}
		for _, s := range th.Code {
			addr, _ := ir.Access(s.Op)
			if addr == nil || b.isAdded(t, s.Source) {
				continue
			}
			for _, r := range b.unset(t, addr, sets, by) {
				if !told[r] {
					told[r] = true
					b.failUnset(t, r, th.Source[s.Source])
				}
				break
			}
		}
	}
}

// unset returns the registers that an address consists of if it consists of nothing else and none of them has a value.
func (b *Builder) unset(t int, addr ir.Expr, sets map[int]int, by map[int]ir.Expr) []int {
	th := &b.Program.Threads[t]
	var roots []int
	settled := false // a part of it has a value
	var visit func(x ir.Expr, depth int)
	visit = func(x ir.Expr, depth int) {
		ir.WalkExpr(x, func(e ir.Expr) bool {
			switch e := e.(type) {
			case ir.Addr, ir.Old, ir.Cond, ir.Select:
				settled = true
			case ir.Reg:
				switch given := b.given[[2]int{t, e.Index}] || th.Regs[e.Index].Init != 0; {
				case !given && sets[e.Index] == 1 && by[e.Index] != nil && depth < 8:
					visit(by[e.Index], depth+1)
				case given || sets[e.Index] > 0 || th.Regs[e.Index].Name == "":
					settled = true
				case !slices.Contains(roots, e.Index):
					roots = append(roots, e.Index)
				}
			}
			return !settled
		})
	}
	visit(addr, 0)
	if settled {
		return nil
	}
	return roots
}

// failUnset reports, where the instruction names a register, what it needs to be an address.
func (b *Builder) failUnset(t, reg int, cell litmus.Cell) {
	th := &b.Program.Threads[t]
	whole := th.Regs[reg].Name
	pos, name := cell.Pos, whole
	_, rest := cell.Labels()
	_, operands := rest.Split()
	if b.Test.HasBodies() {
		operands = nil
	}
search:
	for _, o := range operands {
		for at := 0; at < len(o.Text); at++ {
			end := at
			for end < len(o.Text) && !betweenNames(rune(o.Text[end])) {
				end++
			}
			if v, ok := b.FindRegister(o.Text[at:end]); ok && v.Whole == whole {
				pos, name = o.Pos, o.Text[at:end]
				pos.Col += at
				break search
			}
			at = end
		}
	}
	what := fmt.Sprintf("add %d:%s=%s to the init block", th.ID, name, b.free(t))
	if b.Test.HasBodies() {
		what = fmt.Sprintf("assign the address of a location, as in %s = %s", name, b.free(t))
	}
	e := litmus.Errorf(pos, "%s: %s is used as an address here but has no value: %s", b.Test.Arch, name, what)
	if !b.Test.HasBodies() {
		e = e.WithFix(b.Test.InitPos, "", fmt.Sprintf(" %d:%s=%s;", th.ID, name, b.free(t)))
	}
	b.Program.Unset = append(b.Program.Unset, e)
}

// free returns a location, for an example, that no register of the thread has: preferably one that the test mentions.
func (b *Builder) free(t int) string {
	if len(b.Program.Locs) == 0 {
		return "x"
	}
	held := map[uint64]bool{}
	for _, r := range b.Program.Threads[t].Regs {
		held[r.Init] = true
	}
	i := max(0, slices.IndexFunc(b.Program.Locs, func(l ir.Location) bool { return !held[l.Address] }))
	name, _, _ := strings.Cut(b.Program.Locs[i].Name, "[")
	return name
}
