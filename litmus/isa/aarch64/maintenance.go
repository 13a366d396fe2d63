package aarch64

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// What keeps order on the system side. After a write of an entry of a page table, DSB, TLBI, DSB make it visible to
// translations, and after a write of an instruction, DC CVAU, DSB, IC IVAU, DSB make it visible to fetches; ISB makes a
// thread fetch again what follows (DDI 0487, B2.2.5, B2.3 and D8.16). An insertion is one instruction of these
// sequences, so that a repair finds out which of them a test needs.

var maintenance = &lower.Maintenance{
	Only: func(name string) bool {
		kind, _, _ := strings.Cut(name, " ")
		return slices.Contains([]string{"DSB", "DC", "IC", "TLBI"}, kind)
	},
	Inserts: insertions, Ways: maintenanceWays, Weaker: weakerMaintenance,
}

var weakerMaintenance = map[string][]string{
	"DMB SY":       {"DMB LD", "DMB ST"},
	"DSB ISHLD":    {"DMB LD"},
	"DSB ISHST":    {"DMB ST"},
	"DSB ISH":      {"DSB ISHLD", "DSB ISHST", "DMB SY", "DMB LD", "DMB ST"},
	"DSB SY":       {"DSB ISH", "DSB ISHLD", "DSB ISHST", "DMB SY", "DMB LD", "DMB ST"},
	"IC IALLUIS":   {"IC IALLU", "IC IVAU"},
	"TLBI VAAE1IS": {"TLBI VAAE1"},
	"TLBI VMALLE1IS": {
		"TLBI VMALLE1", "TLBI VAAE1IS", "TLBI VAAE1",
	},
}

// barrierNames are the names of the barriers, the weakest first.
var barrierNames = []string{"DMB LD", "DMB ST", "DMB SY", "DSB ISHLD", "DSB ISHST", "DSB ISH", "DSB SY"}

// insertions implements lower.Maintenance.Inserts: a barrier, DC, a barrier, IC and TLBI, DSB, and ISB.
func insertions(t *litmus.Test, p *ir.Program, thread, cell int) (rows [][]lower.Insertion) {
	if spans(t, p, thread, cell) {
		return nil
	}
	plain := func(names ...string) {
		var row []lower.Insertion
		for _, n := range names {
			row = append(row, lower.Insertion{Way: lower.Way{Text: n, Name: n}})
		}
		rows = append(rows, row)
	}
	k := keeper{t: t, p: p, thread: thread, cell: cell}
	k.findFree()
	code, entries := k.written()
	plain(barrierNames...)
	for _, at := range code {
		if r, init, ok := k.register(at); ok {
			rows = append(rows, []lower.Insertion{maintenanceOf("DC CVAU", r, init)})
		}
	}
	if len(code) > 0 {
		plain("DMB SY", "DSB ISH", "DSB SY")
	}
	for i, at := range code {
		var row []lower.Insertion
		if r, init, ok := k.register(at); ok {
			row = append(row, maintenanceOf("IC IVAU", r, init))
		}
		if i == 0 {
			row = append(row, lower.Insertion{Way: lower.Way{Text: "IC IALLUIS", Name: "IC IALLUIS"}})
		}
		rows = append(rows, row)
	}
	for i, at := range entries {
		var row []lower.Insertion
		if r, init, ok := k.register(at); ok && len(k.free) > 0 {
			scratch := fmt.Sprint("X", k.free[0])
			for _, name := range []string{"TLBI VAAE1", "TLBI VAAE1IS"} {
				in := maintenanceOf(name, scratch, init)
				in.Before = []string{fmt.Sprintf("LSR %s,%s,#12", scratch, r)}
				row = append(row, in)
			}
		}
		if i == 0 {
			row = append(row, lower.Insertion{Way: lower.Way{Text: "TLBI VMALLE1IS", Name: "TLBI VMALLE1IS"}})
		}
		rows = append(rows, row)
	}
	if len(code)+len(entries) > 0 {
		plain("DSB ISH", "DSB SY")
	}
	plain("ISB")
	return slices.DeleteFunc(rows, func(row []lower.Insertion) bool { return len(row) == 0 })
}

func maintenanceOf(name, register string, init *litmus.Init) lower.Insertion {
	return lower.Insertion{Way: lower.Way{Text: name + "," + register, Name: name}, Init: init}
}

// keeper finds the operands of maintenance in a thread.
type keeper struct {
	t            *litmus.Test
	p            *ir.Program
	thread, cell int
	free         []int    // registers that the test does not name, the first for a page's number
	given        []uint64 // addresses that free registers begin with
}

var registerNames = litmus.Pattern(`\b[XWxw]([0-9]+)\b`)

func (k *keeper) findFree() {
	used := map[string]bool{}
	for _, m := range registerNames().FindAllStringSubmatch(litmus.Print(k.t), -1) {
		used[m[1]] = true
	}
	for n := 28; n >= 0; n-- {
		if !used[strconv.Itoa(n)] {
			k.free = append(k.free, n)
		}
	}
}

// written returns the addresses of instructions that the test may modify, and of the locations whose entries it may
// change: those with an entry whose address some register or location has.
func (k *keeper) written() (code, pages []uint64) {
	fetched, walked := map[int]bool{}, false
	for _, th := range k.p.Threads {
		for _, s := range th.Code {
			op, is := s.Op.(ir.Load)
			if is && op.Tags.Has(tagFetch) {
				for _, l := range op.At {
					fetched[l] = true
				}
			}
			walked = walked || ir.AccessTags(s.Op).Has(tagEntry)
		}
	}
	named := map[string]bool{}
	for _, item := range k.t.Init {
		for _, v := range item.Values {
			named[v.Name] = true
		}
	}
	for i, l := range k.p.Locs {
		if fetched[i] {
			code = append(code, l.Address)
		}
		inner, isEntry := strings.CutPrefix(l.Name, "PTE(")
		inner = strings.TrimSuffix(inner, ")")
		if at, ok := k.location(inner); walked && isEntry && named[l.Name] && ok {
			pages = append(pages, at)
		}
	}
	return code, pages
}

// location returns the address of a location.
func (k *keeper) location(name string) (uint64, bool) {
	for _, l := range k.p.Locs {
		if strings.TrimSuffix(l.Name, "[0]") == name {
			return l.Address, true
		}
	}
	return 0, false
}

// register returns a register that has an address before the statement: one that begins with it, one that an earlier
// instruction sets to it, or a free one with the initial value that it needs.
func (k *keeper) register(address uint64) (name string, init *litmus.Init, ok bool) {
	th := &k.p.Threads[k.thread]
	sets := map[int][]ir.Step{}
	for _, s := range th.Code {
		if r, _ := ir.Effect(s.Op); r >= 0 {
			sets[r] = append(sets[r], s)
		}
	}
	for i, r := range th.Regs {
		if n, err := strconv.Atoi(strings.TrimPrefix(r.Name, "X")); err != nil || r.Name == "" || n > 30 {
			continue
		}
		if len(sets[i]) == 0 && r.Init == address {
			return r.Name, nil, true
		}
		if len(sets[i]) == 1 && sets[i][0].Source < k.cell {
			set, is := sets[i][0].Op.(ir.Assign)
			if c, constant := set.Value.(ir.Const); is && constant && c.Value == address {
				return r.Name, nil, true
			}
		}
	}
	at := slices.Index(k.given, address)
	if at < 0 {
		at = len(k.given)
		k.given = append(k.given, address)
	}
	value, named := k.literal(address)
	if at+1 >= len(k.free) || !named {
		return "", nil, false
	}
	name = fmt.Sprint("X", k.free[at+1])
	return name, &litmus.Init{
		Target: litmus.Place{Thread: k.t.Threads[k.thread].ID, Name: name, Index: -1}, Values: []litmus.Literal{value},
	}, true
}

// literal returns an address as the init block writes it.
func (k *keeper) literal(address uint64) (litmus.Literal, bool) {
	for _, l := range k.p.Locs {
		if l.Address != address {
			continue
		}
		name := strings.TrimSuffix(l.Name, "[0]")
		thread, label, isLabel := strings.Cut(name, ":")
		if !isLabel {
			return litmus.Literal{Name: name}, true
		}
		id, err := strconv.Atoi(strings.TrimPrefix(thread, "P"))
		return litmus.Literal{Name: label, Label: true, Thread: id}, err == nil
	}
	return litmus.Literal{}, false
}

// maintenanceWays implements lower.Maintenance.Ways.
func maintenanceWays(t *litmus.Test, p *ir.Program, thread, cell int) []lower.Way {
	labels, rest := t.Threads[thread].Cells[cell].Labels()
	name, ops := rest.Split()
	if spans(t, p, thread, cell) || spans(t, p, thread, cell+1) || len(labels) > 0 && fetches(p) || len(ops) > 2 {
		return nil
	}
	words := []string{strings.ToUpper(name.Text)}
	for _, o := range ops {
		words = append(words, strings.ToUpper(o.Text))
	}
	is := lower.Way{Text: rest.Text}
	switch {
	case words[0] == "ISB":
		is.Name = "ISB"
		return []lower.Way{is}
	case (words[0] == "DMB" || words[0] == "DSB") && len(words) == 2:
		return barrierWays(is, words[0], words[1])
	case (words[0] == "DC" || words[0] == "IC") && len(words) > 1:
		is.Name = words[0] + " " + words[1]
		return []lower.Way{is}
	case words[0] == "TLBI" && len(words) > 1:
		// The price of the other spellings that do the same here.
		kind := map[string]string{"VAE1": "VAAE1", "VALE1": "VAAE1", "VAALE1": "VAAE1"}
		short := strings.TrimSuffix(strings.TrimSuffix(words[1], "IS"), "OS")
		priced := short
		if other, ok := kind[short]; ok {
			priced = other
		}
		if short == words[1] {
			is.Name = "TLBI " + priced
			return []lower.Way{is}
		}
		is.Name = "TLBI " + priced + "IS"
		own := "TLBI " + strings.Join(append([]string{short}, words[2:]...), ",")
		return []lower.Way{{Text: own, Name: "TLBI " + priced}, is}
	}
	return nil
}

// barrierWays returns the barriers that order no more or no less than one, of its own shareability domain.
func barrierWays(is lower.Way, name, option string) (ways []lower.Way) {
	domain, kind := option, ""
	for _, k := range []string{"LD", "ST"} {
		if short, ok := strings.CutSuffix(option, k); ok {
			domain, kind = short, k
		}
	}
	if domain == "" {
		domain = "SY"
	}
	if domain == "NSH" {
		return nil
	}
	is.Name = strings.TrimSpace("DMB " + kind)
	if kind == "" {
		is.Name = "DMB SY"
	}
	if name == "DSB" {
		if is.Name = "DSB ISH" + kind; domain == "SY" && kind == "" {
			is.Name = "DSB SY"
		}
	}
	for _, w := range barrierNames {
		switch barrier, of, _ := strings.Cut(w, " "); {
		case w == is.Name:
			ways = append(ways, is)
		case w == "DSB SY" && domain != "SY":
		case barrier == "DSB" && domain == "OSH":
			ways = append(ways, lower.Way{Text: "DSB OSH" + strings.TrimPrefix(of, "ISH"), Name: w})
		default:
			ways = append(ways, lower.Way{Text: w, Name: w})
		}
	}
	return ways
}

// fetches reports whether a program fetches instructions that may be modified.
func fetches(p *ir.Program) bool {
	for _, th := range p.Threads {
		for _, s := range th.Code {
			if ir.AccessTags(s.Op).Has(tagFetch) {
				return true
			}
		}
	}
	return false
}

// spans reports whether a branch over a distance in bytes may pass the beginning of a statement: one that the test
// contains, or an instruction that it writes as a number.
func spans(t *litmus.Test, p *ir.Program, thread, cell int) bool {
	from := map[int][]int{} // by distance in instructions: the cells that a branch over it may be in
	count := func(text string, cells []int) {
		for _, m := range distances().FindAllStringSubmatch(text, -1) {
			bytes, err := strconv.Atoi(m[1])
			if err == nil {
				from[bytes/4] = append(from[bytes/4], cells...)
			}
		}
	}
	var sites []int // the cells of the thread that may be modified
	for _, s := range p.Threads[thread].Code {
		if ir.AccessTags(s.Op).Has(tagFetch) {
			sites = append(sites, s.Source)
		}
	}
	eachPlace(t, func(litmus.Place) {}, func(l litmus.Literal) {
		count(l.Code, sites)
		if text, ok := decode(l.Bits); ok && l.Name == "" {
			count(text, sites)
		}
	})
	for i, c := range t.Threads[thread].Cells {
		count(c.Text, []int{i})
	}
	for distance, cells := range from {
		for _, at := range cells {
			if at < len(t.Threads[thread].Cells) &&
				passes(t.Threads[thread].Cells, at, distance, cell) {
				return true
			}
		}
	}
	return false
}

var distances = litmus.Pattern(`(?:^|[\s,])\.([+-][0-9]+)`)

// passes reports whether a jump over a number of instructions, from a cell, passes the beginning of another one.
func passes(cells []litmus.Cell, from, instructions, cell int) bool {
	var of []int // the cells with instructions
	here := 0
	for i, c := range cells {
		if i == from {
			here = len(of)
		}
		if _, rest := c.Labels(); rest.Text != "" {
			of = append(of, i)
		}
	}
	target := len(cells)
	if at := here + instructions; at < len(of) {
		target = of[max(at, 0)]
	}
	return cell > min(from, target) && cell <= max(from, target)
}
