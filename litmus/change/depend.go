package change

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// The names of dependencies. One on a branch and a fence after it has the name that the dialect gives it.
const (
	address = "addr"
	data    = "data"
	control = "ctrl"
)

// dependency makes an access depend on an earlier read of its thread: it adds a zero that is computed from the read
// value to the address or to the written value, or inserts a branch on that zero, to the next line, before the access.
type dependency struct {
	name     string
	from     int    // the statement of the read
	register int    // the register of the read, by the assembler's number
	fence    string // after the branch
	token    string // the register of the address or the value, as written
}

func (d *dependency) words(c *Changes, s *Slot) string {
	read := c.Test.Threads[s.Thread].Cells[d.from]
	return fmt.Sprintf("%s from %s (line %d)", d.name, plain(read.Flat()), read.Pos.Line)
}

// scratch are registers that a thread does not use: for a zero, an address and a value.
type scratch struct {
	ok                   bool
	zero, address, value int
}

// dependencies adds slots for the dependencies of each access on each earlier read of its thread.
func (c *Changes) dependencies(prices Prices) {
	cycles := dialect.Cycles(c.tongue)
	if cycles == nil || cycles.Assembler == nil || cycles.Assembler.Sum == nil {
		return
	}
	a := cycles.Assembler
	c.scratch = make([]scratch, len(c.Program.Threads))
	for t := range c.ownThreads() {
		th := &c.Program.Threads[t]
		c.scratch[t] = c.unused(a, t)
		all := c.ownAccesses(t)
		for n, cell := range all {
			if labels, _ := th.Source[cell].Labels(); n == 0 || len(labels) > 0 {
				continue
			}
			for _, from := range all[:n] {
				r, ok := readInto(a, th, from)
				if !ok {
					continue
				}
				for _, d := range c.kinds(cycles, th, cell) {
					cost, ok := prices.Price(Dependency, d.name)
					if !ok || d.token != "" && !c.scratch[t].ok {
						continue
					}
					d.from, d.register = from, r
					s := Slot{
						Kind: Dependency, Thread: t, Cell: cell, dep: &d,
						Options: []Option{
							{Below: []int{0}},
							{Name: d.name, Text: d.name, Cost: cost, Below: []int{0, 1}},
						},
					}
					if c.depends(s) {
						c.Slots = append(c.Slots, s)
					}
				}
			}
		}
	}
}

// depends reports whether a slot adds a new dependency and changes nothing else.
func (c *Changes) depends(s Slot) bool {
	p, err := c.with(s, 1)
	return err == nil && c.adds(c.Program, p, s.dep.fence != "")
}

// kinds returns the kinds of dependencies that an access can have.
func (c *Changes) kinds(cycles *lower.Cycles, th *ir.Thread, cell int) (out []dependency) {
	out = append(out, dependency{name: control})
	for _, w := range cycles.Deps {
		out = append(out, dependency{name: w.Name, fence: w.Code})
	}
	for _, s := range th.Code {
		if s.Source != cell {
			continue
		}
		var addr, value ir.Expr
		switch op := s.Op.(type) {
		case ir.Load:
			addr = op.Addr
		case ir.Store:
			addr, value = op.Addr, op.Value
		case ir.StoreCond:
			addr, value = op.Addr, op.Value
		case ir.RMW:
			addr = op.Addr
		}
		text := plain(th.Source[cell])
		for _, of := range []struct {
			name string
			x    ir.Expr
			in   string // how an access has it
		}{{address, addr, `[\[(]\s*%s\s*[\])]`}, {data, value, `(?:^|[\s,])%s\b`}} {
			if of.x == nil {
				continue
			}
			for _, token := range tokens(th, of.x) {
				if m := regexp.MustCompile(fmt.Sprintf(of.in, regexp.QuoteMeta(token))).FindAllString(text,
					2); len(m) == 1 {
					out = append(out, dependency{name: of.name, token: token})
					break
				}
			}
		}
	}
	return out
}

// tokens returns the spellings of the register in an expression, if the expression is one register.
func tokens(th *ir.Thread, x ir.Expr) []string {
	var name string
	n := 0
	ir.Sources(x, func(x ir.Expr) {
		if r, is := x.(ir.Reg); is {
			name, n = th.Regs[r.Index].Name, n+1
		}
	})
	if n != 1 || name == "" {
		return nil
	}
	if rest, ok := strings.CutPrefix(name, "X"); ok { // Arm's, of 64 bits; values go through those of 32
		return []string{"W" + rest, name}
	}
	return []string{name}
}

// readInto returns the assembler's number of the register that a statement loads into.
func readInto(a *lower.Assembler, th *ir.Thread, cell int) (r int, ok bool) {
	from := map[int]bool{}
	for _, s := range th.Code {
		if s.Source != cell {
			continue
		}
		switch op := s.Op.(type) {
		case ir.Load:
			from[op.Dst] = true
			if n, named := number(a, th.Regs[op.Dst].Name); named {
				return n, true
			}
		case ir.RMW:
			from[op.Dst] = true
			if n, named := number(a, th.Regs[op.Dst].Name); named {
				return n, true
			}
		case ir.Assign:
			uses := false
			ir.Sources(op.Value, func(x ir.Expr) {
				if r, is := x.(ir.Reg); is && from[r.Index] {
					uses = true
				}
			})
			if !uses {
				continue
			}
			if n, named := number(a, th.Regs[op.Dst].Name); named {
				return n, true
			}
			from[op.Dst] = true
		}
	}
	return 0, false
}

// number returns the assembler's number of a register.
func number(a *lower.Assembler, name string) (int, bool) {
	prefix, first := split(a.Shown(0))
	p, n := split(name)
	return n - first, name != "" && p == prefix && n >= 0
}

// split splits a register's name into its prefix and its number, -1 if it has none.
func split(name string) (prefix string, n int) {
	end := strings.IndexAny(name, "0123456789")
	if end < 0 {
		return name, -1
	}
	n, err := strconv.Atoi(name[end:])
	if err != nil {
		return name, -1
	}
	return name[:end], n
}

// unused finds three registers that the test does not name for a thread, preferably after those that it names.
func (c *Changes) unused(a *lower.Assembler, t int) scratch {
	used := map[int]bool{}
	note := func(text string) {
		for _, m := range registers().FindAllStringSubmatch(text, -1) {
			if n, err := strconv.Atoi(m[1]); err == nil {
				used[n] = true
			}
		}
	}
	for _, cell := range c.Test.Threads[t].Cells {
		note(cell.Text)
	}
	for _, r := range c.Program.Threads[t].Regs {
		note(r.Name)
	}
	_, first := split(a.Shown(0))
	var free []int
	for n := range a.Registers {
		if used[n+first] {
			free = nil // those behind
		} else {
			free = append(free, n)
		}
	}
	for n := 0; len(free) < 3 && n < a.Registers; n++ {
		if !used[n+first] && !slices.Contains(free, n) {
			free = append(free, n)
		}
	}
	if len(free) < 3 {
		return scratch{}
	}
	return scratch{true, free[0], free[1], free[2]}
}

var registers = litmus.Pattern(`[A-Za-z$]([0-9]+)\b`)

// depended returns the instructions that the dependencies of an access insert before it, and the changed text of the
// access.
func (c *Changes) depended(thread int, deps []*dependency, text string) (before []string, after string) {
	a := dialect.Cycles(c.tongue).Assembler
	offset := a.Offset
	if offset == nil {
		offset = a.Sum
	}
	w := &lower.Writer{Assembler: a, Labels: &c.labels}
	used := c.scratch[thread]
	for _, d := range deps {
		if d.name != address && d.name != data {
			label := c.label(w)
			a.Branch(w, d.register, label)
			w.Emit("%s:", label)
			if d.fence != "" {
				w.Emit("%s", d.fence)
			}
		}
	}
	for _, of := range []struct {
		name string
		sum  func(w *lower.Writer, dst, a, b int)
		dst  int
	}{{address, offset, used.address}, {data, a.Sum, used.value}} {
		first := true
		for _, d := range deps {
			if d.name != of.name {
				continue
			}
			a.Zero(w, used.zero, d.register)
			base := of.dst
			prefix, n := split(d.token)
			_, from := split(a.Shown(0))
			if first {
				base = n - from
			}
			of.sum(w, of.dst, base, used.zero)
			if first {
				text = replaced(text, d, prefix+strconv.Itoa(of.dst+from))
			}
			first = false
		}
	}
	return w.Lines, text
}

// replaced returns an access with another register for its address or its value.
func replaced(text string, d *dependency, by string) string {
	pattern := `([\[(]\s*)` + regexp.QuoteMeta(d.token) + `(\s*[\])])`
	if d.name == data {
		pattern = `((?:^|[\s,]))` + regexp.QuoteMeta(d.token) + `(\b)`
	}
	at := regexp.MustCompile(pattern).FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	return text[:at[3]] + by + text[at[4]:]
}

// label returns a label that the test does not have.
func (c *Changes) label(w *lower.Writer) string {
	for {
		if l := w.Label(); !strings.Contains(c.Test.Source, l) {
			return l
		}
	}
}
