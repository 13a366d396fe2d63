package machine

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
)

// The oracle decides straight-line programs by another way altogether: it lists
// every reads-from and every coherence order and keeps those that the axioms of
// SC, TSO and PSO accept. It shares nothing with the machines but the notation.

type event struct {
	thread, index  int
	read, write    bool // both: an atomic instruction
	loc            int
	value          int // written
	wr, ww, locked bool
}

func (e event) fence() bool { return !e.read && !e.write }

// events takes a straight-line program apart. Index 0 … 3 are the initial writes.
func events(p *ir.Program) []event {
	var out []event
	for loc := range p.Locs {
		out = append(out, event{thread: -1, write: true, loc: loc})
	}
	for t, th := range p.Threads {
		for i, s := range th.Code {
			e := event{thread: t, index: i}
			switch op := s.Op.(type) {
			case ir.Store:
				e.write, e.loc, e.value = true, op.Addr.(ir.Addr).Loc, int(op.Value.(ir.Const).Value)
			case ir.Load:
				e.read, e.loc = true, op.Addr.(ir.Addr).Loc
			case ir.RMW:
				e.read, e.write, e.locked = true, true, true
				e.loc, e.value = op.Addr.(ir.Addr).Loc, int(op.New.(ir.Const).Value)
			case ir.Fence:
				e.wr, e.ww = op.Tags.Has(ir.TagWR), op.Tags.Has(ir.TagWW)
			}
			out = append(out, e)
		}
	}
	return out
}

// preserved reports whether every thread sees program order from event i to j.
func preserved(k Kind, ev []event, i, j int) bool {
	a, b := ev[i], ev[j]
	if a.fence() || b.fence() {
		return false
	}
	if k == SC || a.read || b.locked || k == TSO && b.write {
		return true
	}
	// The rest begins with a plain write: only something between keeps it.
	for _, f := range ev[i+1 : j] {
		if f.locked || f.wr && b.read || f.ww && b.write {
			return true
		}
	}
	return false
}

// candidate is one choice of rf and co.
type candidate struct {
	ev []event
	rf []int   // for each read, the write
	co [][]int // for each location
}

func (c *candidate) allowed(k Kind) bool {
	n := len(c.ev)
	after := func(w, r int) bool { // in co
		order := c.co[c.ev[w].loc]
		return slices.Index(order, w) < slices.Index(order, r)
	}
	global, local := make([][]bool, n), make([][]bool, n) // ghb and uniproc
	for i := range n {
		global[i], local[i] = make([]bool, n), make([]bool, n)
	}
	both := func(i, j int) { global[i][j], local[i][j] = true, true }
	for i, a := range c.ev {
		for j, b := range c.ev {
			if i == j || a.fence() || b.fence() {
				continue
			}
			if a.thread == b.thread && a.thread >= 0 && i < j {
				local[i][j] = a.loc == b.loc
				global[i][j] = preserved(k, c.ev, i, j)
			}
			if a.loc != b.loc {
				continue
			}
			if a.write && b.write && after(i, j) {
				both(i, j)
			}
			if b.read && c.rf[j] == i {
				local[i][j] = true
				if a.thread != b.thread || k == SC {
					global[i][j] = true
				}
			}
			if a.read && b.write && after(c.rf[i], j) {
				both(i, j)
				// Atomicity: nothing comes between what an RMW reads and its write.
				if a.write && after(j, i) {
					return false
				}
			}
		}
	}
	return acyclic(local) && acyclic(global)
}

func acyclic(r [][]bool) bool {
	n := len(r)
	for k := range n {
		for i := range n {
			for j := range n {
				r[i][j] = r[i][j] || r[i][k] && r[k][j]
			}
		}
	}
	for i := range n {
		if r[i][i] {
			return false
		}
	}
	return true
}

// oracle lists the outcomes of p, observed as parse's caller asked.
func oracle(p *ir.Program, k Kind) string {
	c := &candidate{ev: events(p), co: make([][]int, len(p.Locs))}
	c.rf = make([]int, len(c.ev))
	found := map[string]ir.State{}
	accept := func() {
		if c.allowed(k) {
			s := c.final(p)
			found[fmt.Sprint(s)] = s
		}
	}
	var order func(loc int)
	order = func(loc int) {
		if loc == len(p.Locs) {
			accept()
			return
		}
		var writes []int
		for i, e := range c.ev {
			if e.write && e.loc == loc && e.thread >= 0 {
				writes = append(writes, i)
			}
		}
		permute(writes, func() {
			c.co[loc] = append([]int{loc}, writes...)
			order(loc + 1)
		})
	}
	var reads func(i int)
	reads = func(i int) {
		if i == len(c.ev) {
			order(0)
			return
		}
		if !c.ev[i].read {
			reads(i + 1)
			return
		}
		for w, e := range c.ev {
			if e.write && e.loc == c.ev[i].loc && w != i {
				c.rf[i] = w
				reads(i + 1)
			}
		}
	}
	reads(0)
	var states []ir.State
	for _, s := range found {
		states = append(states, s)
	}
	slices.SortFunc(states, p.CompareStates)
	var out []string
	for _, s := range states {
		_, values := p.Format(s)
		out = append(out, strings.Join(values, ","))
	}
	return strings.Join(out, " ")
}

func (c *candidate) final(p *ir.Program) ir.State {
	regs := map[[2]int]int{}
	for i, e := range c.ev {
		if !e.read {
			continue
		}
		dst := 0
		switch op := p.Threads[e.thread].Code[e.index].Op.(type) {
		case ir.Load:
			dst = op.Dst
		case ir.RMW:
			dst = op.Dst
		}
		regs[[2]int{e.thread, dst}] = c.ev[c.rf[i]].value
	}
	s := make(ir.State, len(p.Observed))
	for i, o := range p.Observed {
		if o.Thread >= 0 {
			s[i] = uint64(regs[[2]int{o.Thread, o.Index}])
		} else {
			order := c.co[o.Index]
			s[i] = uint64(c.ev[order[len(order)-1]].value)
		}
	}
	return s
}

func permute(a []int, f func()) {
	if len(a) == 0 {
		f()
		return
	}
	var from func(i int)
	from = func(i int) {
		if i == len(a) {
			f()
			return
		}
		for j := i; j < len(a); j++ {
			a[i], a[j] = a[j], a[i]
			from(i + 1)
			a[i], a[j] = a[j], a[i]
		}
	}
	from(0)
}

// randomProgram writes two or three short threads without loops, each store with a
// value of its own and each read into a register of its own.
func randomProgram(r *rand.Rand) (text, observed string) {
	var threads, obs []string
	value := 0
	size := 2 + r.Intn(2)
	for t := range size {
		var code []string
		regs := 0
		for range 1 + r.Intn(6-size) {
			loc := locNames[1+r.Intn(2)]
			switch kind := r.Intn(20); {
			case kind < 8:
				value++
				code = append(code, fmt.Sprintf("%s=%d", loc, value))
			case kind < 14:
				code = append(code, fmt.Sprintf("%c=%s", regNames[regs], loc))
				regs++
			case kind < 16:
				value++
				code = append(code, fmt.Sprintf("%c=%s<-%d", regNames[regs], loc, value))
				regs++
			default:
				code = append(code, []string{"ww", "wr", "mf", "rw"}[kind-16])
			}
		}
		for i := range regs {
			obs = append(obs, fmt.Sprintf("%d:%c", t, regNames[i]))
		}
		threads = append(threads, strings.Join(code, "; "))
	}
	return strings.Join(threads, " || "), strings.Join(append(obs, "x", "y"), " ")
}

// The machines agree with the axioms, reduced or not, and each weaker machine has
// every outcome of the stronger.
func TestRandomProgramsAgreeWithAxioms(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 600 {
		text, observed := randomProgram(r)
		p := parse(t, text, observed)
		var stronger []string
		for _, k := range []Kind{SC, TSO, PSO} {
			want := oracle(p, k)
			for _, full := range []bool{false, true} {
				if got := outcomes(t, p, k, full); got != want {
					t.Fatalf("%s under %s (full %v), observing %s:\ngot  %s\nwant %s", text, k, full,
						observed, got, want)
				}
			}
			states := strings.Fields(want)
			for _, s := range stronger {
				if !slices.Contains(states, s) {
					t.Fatalf("%s: %s forbids %s, which a stronger model allows", text, k, s)
				}
			}
			stronger = states
		}
	}
}
