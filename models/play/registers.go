package play

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Registers returns the named registers of thread t that its code sets, with their values in regs.
func Registers(p *ir.Program, t int, regs []uint64) []Cell {
	th := &p.Threads[t]
	var set []int
	for _, s := range th.Code {
		if r, _ := ir.Effect(s.Op); r >= 0 && th.Regs[r].Name != "" && !slices.Contains(set, r) {
			set = append(set, r)
		}
	}
	slices.Sort(set)
	var out []Cell
	for _, r := range set {
		bits, signed := th.Regs[r].Bits, true
		for _, o := range p.Observed {
			if o.Thread == t && o.Index == r {
				bits, signed = o.Bits, o.Signed
			}
		}
		out = append(out, Cell{Name: th.Regs[r].Name, Value: p.FormatValue(regs[r]&ir.Mask(bits), bits, signed)})
	}
	return out
}

// Fill adds registers to the frames of a graph's events. p must be the program of the graph. Each event sets the
// registers that its thread computes between the event and the next one.
func Fill(p *ir.Program, g *models.Graph, frames []Frame) error {
	if w := g.Whole(); w != nil {
		g = w.Graph
	}
	index := map[int]int{} // of an event, by ID, within its thread
	threads := make([][]models.GraphEvent, len(g.Threads))
	for _, e := range g.Events {
		if e.Thread >= 0 {
			index[e.ID] = len(threads[e.Thread])
			threads[e.Thread] = append(threads[e.Thread], e)
		}
	}
	if len(threads) != len(p.Threads) {
		return fmt.Errorf("the execution has %d threads, the test %d", len(threads), len(p.Threads))
	}
	for t, events := range threads {
		after, ok := retrace(p, t, events)
		if !ok {
			return fmt.Errorf("P%d cannot run as in this execution", p.Threads[t].ID)
		}
		fillThread(t, after, events, index, frames)
	}
	return nil
}

// fillThread sets in each frame the registers of one thread. after has them for the start and for each of the thread's
// events.
func fillThread(t int, after [][]Cell, events []models.GraphEvent, index map[int]int, frames []Frame) {
	now := slices.Clone(after[0])
	setBy := make([]int, len(now)) // how many events into the thread the value is from
	for i := range frames {
		f := &frames[i]
		for c := range now {
			now[c].New = false
		}
		for _, id := range f.Events {
			n, mine := index[id]
			if !mine || n >= len(events) || events[n].ID != id || f.Source < 0 {
				continue
			}
			for c := range now {
				if after[n+1][c].Value != after[n][c].Value && n+1 >= setBy[c] {
					setBy[c] = n + 1
					now[c].Value, now[c].New = after[n+1][c].Value, true
				}
			}
		}
		f.Threads[t].Regs = slices.Clone(now)
	}
}

// retrace runs thread t with the values of its events, and returns the registers before the first event and after each
// event. It tries the choices that the thread makes, because no event records them.
func retrace(p *ir.Program, t int, events []models.GraphEvent) ([][]Cell, bool) {
	for bits := range 1 << min(choices(p, t), 10) { // choices leave no event
		if out, ok := rerun(p, t, events, bits); ok {
			return out, true
		}
	}
	return nil, false
}

func choices(p *ir.Program, t int) int {
	n := 0
	for _, s := range p.Threads[t].Code {
		if _, ok := s.Op.(ir.Choose); ok {
			n++
		}
	}
	return n
}

// rerun is retrace for one sequence of choices, the bits of bits. ok is false if the thread does not perform exactly
// the given events.
func rerun(p *ir.Program, t int, events []models.GraphEvent, bits int) ([][]Cell, bool) {
	c := ir.NewCursor(p, t, true)
	out := [][]Cell{}
	next := func(kind string) (models.GraphEvent, bool) {
		if len(events) == 0 || events[0].Kind != kind {
			return models.GraphEvent{}, false
		}
		e := events[0]
		events = events[1:]
		return e, true
	}
	for pending := 1; ; { // number of events whose registers are known when the thread next stops
		a, err := c.Next()
		if err != nil {
			return nil, false
		}
		source := -1
		if a.Kind == ir.ActStoreCond {
			source = c.Thread.Code[a.Step].Source
		}
		succeeds := source >= 0 && len(events) > 0 && events[0].Kind == "W" && events[0].Source == source
		// A choice, or a store-conditional that fails, has no event: the registers that it sets belong to the previous
		// event.
		if a.Kind != ir.ActChoose && (source < 0 || succeeds) {
			for ; pending > 0; pending-- {
				out = append(out, Registers(p, t, c.Regs))
			}
		}
		ok := true
		switch a.Kind {
		case ir.ActEnd:
			return out, len(events) == 0
		case ir.ActStore, ir.ActFence, ir.ActPick:
			kind := "F"
			if a.Kind == ir.ActStore {
				kind = "W"
			}
			_, ok = next(kind)
			c.Pass()
			pending = 1
		case ir.ActLoad, ir.ActRMW:
			var e models.GraphEvent
			if e, ok = next("R"); !ok {
				break
			}
			if low, high, both := strings.Cut(e.Value, ","); both {
				v, known := p.ParseValue(low, 64)
				behind, well := p.ParseValue(high, 64)
				if !known || !well {
					return nil, false
				}
				c.ReadBoth([2]uint64{v, behind})
				pending = 1
				break
			}
			v, known := p.ParseAt(a.Loc, e.Value)
			if 8*e.Bytes > p.Locs[a.Loc].Bits {
				v, known = p.ParseValue(e.Value, 8*e.Bytes)
			}
			if !known {
				return nil, false
			}
			pending = 1
			if _, writes := c.Read(v); writes {
				_, ok = next("W")
				pending = 2
			}
		case ir.ActStoreCond:
			if succeeds {
				events, pending = events[1:], 1
			}
			c.Conditional(succeeds)
		case ir.ActChoose:
			c.Choose(bits&1 == 1)
			bits >>= 1
		default:
			return nil, false
		}
		if !ok {
			return nil, false
		}
	}
}
