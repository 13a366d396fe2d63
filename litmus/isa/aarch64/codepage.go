package aarch64

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Pages of code. The code of a thread is in pages: the directive .pagealign begins a new one. PTE(P0:L) is the entry of
// the page with the instruction at label L of P0. If a test names it, the fetch of each instruction of the page reads
// the entry, and faults if the entry is not valid or does not permit the execution. Pages of code stay where they are:
// a fetch through an entry with the output address of another page is an error of the execution.

// codePages are the pages of a test's code.
type codePages struct {
	starts  map[int][]int     // by index of the thread: the numbers of the first instructions of its pages
	names   map[uint64]string // by address: a label in the page, such as P0:L
	entries map[uint64]int    // by address: the location with the entry, of pages whose entries the test names
}

// maxPages is the largest number of pages of a thread's code, and maxPagedThreads that of threads with such pages, so
// that no address of code is that of an entry or a tag.
const (
	maxPages        = 32
	maxPagedThreads = 8
)

// isPageAlign reports whether a cell, without its labels, is the directive .pagealign.
func isPageAlign(c litmus.Cell) bool {
	return strings.EqualFold(strings.TrimSpace(c.Text), ".pagealign")
}

// withoutDirectives returns the test without .pagealign, which are no instructions.
func withoutDirectives(t *litmus.Test) *litmus.Test {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	for i, th := range t.Threads {
		cells := slices.Clone(th.Cells)
		for k, c := range cells {
			if _, rest := c.Labels(); isPageAlign(rest) {
				cells[k].Text = strings.TrimSuffix(c.Text, rest.Text)
			}
		}
		out.Threads[i].Cells = cells
	}
	return &out
}

// findPages finds the pages of a test's code.
func findPages(t *litmus.Test) codePages {
	p := codePages{map[int][]int{}, map[uint64]string{}, map[uint64]int{}}
	for i, th := range t.Threads {
		n := 0
		p.starts[i] = []int{0}
		for _, c := range th.Cells {
			_, rest := c.Labels()
			if isPageAlign(rest) {
				if last := p.starts[i]; last[len(last)-1] != n {
					p.starts[i] = append(last, n)
				}
			} else if rest.Text != "" {
				n++
			}
		}
	}
	return p
}

// place gives each page of code an address that is a multiple of a page's length.
func (p codePages) place(b *lower.Builder) {
	for i, starts := range p.starts {
		if len(starts) > maxPages {
			b.Failf(b.Test.Threads[i].Pos, "%s: the code of P%d has more than %d pages", b.Test.Arch,
				b.Test.Threads[i].ID, maxPages)
			return
		}
	}
	b.InstructionOffset = func(t, at int) int {
		page, start := p.pageOf(t, at)
		return page*pageBytes + (at-start)*b.InstructionBytes
	}
}

// pageOf returns the number of the page of an instruction, and of the page's first instruction.
func (p codePages) pageOf(t, at int) (page, start int) {
	for i, first := range p.starts[t] {
		if first <= at {
			page, start = i, first
		}
	}
	return page, start
}

// baseOf returns the address of the page of an instruction.
func (p codePages) baseOf(b *lower.Builder, t, at int) uint64 {
	_, start := p.pageOf(t, at)
	return b.CodeAddress(t, start) &^ (pageBytes - 1)
}

// labelled returns the address of the page with a label such as P0:L.
func (p codePages) labelled(b *lower.Builder, text string, pos litmus.Pos) (uint64, bool) {
	thread, name, _ := strings.Cut(text, ":")
	for k, th := range b.Test.Threads {
		if th.Title() != thread {
			continue
		}
		_, at, ok := b.LabelAt(th.ID, litmus.Word{Pos: pos, Text: name})
		if !ok {
			return 0, false
		}
		if k >= maxPagedThreads {
			b.Failf(pos, "%s: entries for the code of P%d are not supported: only the first %d threads may have some",
				b.Test.Arch, th.ID, maxPagedThreads)
			return 0, false
		}
		base := p.baseOf(b, k, at)
		if p.names[base] == "" {
			p.names[base] = text
		}
		return base, true
	}
	b.Failf(pos, "there is no thread %s", thread)
	return 0, false
}

// name returns a label in the page at an address, and find the address of the page with that name, or 0.
func (p codePages) name(base uint64) (string, bool) { n, ok := p.names[base]; return n, ok }

func (p codePages) find(name string) uint64 {
	for base, n := range p.names {
		if n == name {
			return base
		}
	}
	return 0
}

// codeEntry returns the location PTE(P0:L), which all labels of a page share.
func (s *system) codeEntry(b *lower.Builder, name, label string, pos litmus.Pos) (int, bool) {
	base, ok := s.pages.labelled(b, label, pos)
	if !ok {
		return b.LocationOf("x", pos), true
	}
	if loc, again := s.pages.entries[base]; again {
		return loc, true
	}
	loc := b.AddLocation(pos, name, 64, base|entryOffset, defaultEntry(base))
	s.pages.entries[base] = loc
	return loc, true
}

// declareCodeEntries declares entries for pages with instructions that are accessed as data.
func (s *system) declareCodeEntries(x *instr) {
	for _, l := range slices.Clone(x.Program.Locs) {
		base := l.Address &^ (pageBytes - 1)
		if strings.Contains(l.Name, "(") || !strings.Contains(l.Name, ":") || x.hasAddress(base|entryOffset) {
			continue
		}
		if _, ok := s.pages.labelled(x.Builder, l.Name, litmus.Pos{File: x.Test.File}); ok {
			x.AddLocation(litmus.Pos{File: x.Test.File}, "PTE("+l.Name+")", 64, base|entryOffset, defaultEntry(base))
		}
	}
}

// physicalOf returns the physical address of a location, or of a page of code.
func (s *system) physicalOf(b *lower.Builder, name string, pos litmus.Pos) uint64 {
	if strings.Contains(name, ":") {
		base, _ := s.pages.labelled(b, name, pos)
		return base
	}
	return b.Program.Locs[b.LocationOf(name, pos)].Address
}

// walkForFetch emits the translation of the current instruction's address, if the test names the entry of its page.
func (x *instr) walkForFetch() {
	if !x.sys.translates {
		return
	}
	base := x.sys.pages.baseOf(x.Builder, x.codeThread(), x.here())
	loc, ok := x.sys.pages.entries[base]
	if !ok {
		return
	}
	denied := func(v ir.Expr) ir.Expr { return ir.BitOr.Of(bitOf(v, entryNX), entryDenies(v, false, x.atEL0())) }
	tags := ir.Tags{tagImplicit, tagEntry, tagForFetch}
	v := x.readEntry(ir.Addr{Loc: loc, Bits: 64}, tags, false, denied)
	x.entryFaults("I-MMU", v, x.addressHere(), denied(v), func(more ...ir.Tag) ir.Tags {
		return append(ir.Tags{tagForFetch}, more...)
	})
	here := ir.Eq.Of(ir.BitAnd.Of(v, ir.Number(entryOutput, 64)), ir.Number(base, 64))
	x.When(ir.Not(here), func() {
		x.lost("fetches through an entry with another output address: pages of code that move are not supported")
	})
}
