package graph

import "math/bits"

// Columns store, for each event, predecessors that no later event changes: those by relations made of program order,
// reads-from and static relations only. All such predecessors come before the event in program order and reads-from,
// when these are known, and a revisit that keeps the event keeps them. A column is a set of events; initial writes,
// which nothing leads to, are in none. The model's checker decides which columns there are.
type Columns struct {
	Kept  int // columns of an event
	Words int // of a column
	bits  []uint64
	locs  []uint64 // by location, the events that are of it
}

// At is a column of an event: k is less than Kept.
func (c *Columns) At(id int32, k int) []uint64 {
	from := (int(id)*c.Kept + k) * c.Words
	return c.bits[from : from+c.Words]
}

// grow makes room for n events.
func (c *Columns) grow(events int) {
	if words := (events + 63) / 64; words > c.Words {
		old := *c
		c.Words, c.bits, c.locs = words, make([]uint64, events*c.Kept*words), nil
		for i := range len(old.bits) / max(old.Words, 1) {
			copy(c.bits[i*words:], old.bits[i*old.Words:(i+1)*old.Words])
		}
		for i := range len(old.locs) / max(old.Words, 1) {
			c.locs = append(c.locs, old.locs[i*old.Words:(i+1)*old.Words]...)
			c.locs = append(c.locs, make([]uint64, words-old.Words)...)
		}
		return
	}
	for len(c.bits) < events*c.Kept*c.Words {
		c.bits = append(c.bits, 0)
	}
}

func (c *Columns) set(from *Columns) {
	c.Kept, c.Words, c.bits, c.locs = from.Kept, from.Words, append(c.bits[:0], from.bits...),
		append(c.locs[:0], from.locs...)
}

// Of are the events of a location.
func (c *Columns) Of(loc int32) []uint64 { return c.locs[int(loc)*c.Words : (int(loc)+1)*c.Words] }

// locate records the location of an event.
func (c *Columns) locate(id, loc int32) {
	if loc < 0 {
		return
	}
	for len(c.locs) < (int(loc)+1)*c.Words {
		c.locs = append(c.locs, 0)
	}
	c.Of(loc)[id>>6] |= 1 << (id & 63)
}

// less are the columns of the remaining events, by their new numbers.
func (c *Columns) less(from *Columns, gone []bool, at []int32) {
	c.Kept, c.Words, c.bits, c.locs = from.Kept, from.Words, c.bits[:0], c.locs[:0]
	if c.Kept == 0 {
		return
	}
	first := 0 // up to here, nothing changes
	for first < len(gone) && !gone[first] {
		first++
	}
	for i := range gone {
		if gone[i] {
			continue
		}
		for k := range c.Kept {
			n := len(c.bits)
			was := from.At(int32(i), k)
			c.bits = append(c.bits, was...)
			is := c.bits[n:]
			for w := first >> 6; w < len(was); w++ {
				rest := was[w]
				is[w] = 0
				if w == first>>6 {
					same := rest & (1<<(first&63) - 1)
					is[w], rest = same, rest&^same
				}
				for ; rest != 0; rest &= rest - 1 {
					to := at[w<<6+bits.TrailingZeros64(rest)]
					is[to>>6] |= 1 << (to & 63)
				}
			}
		}
	}
}
