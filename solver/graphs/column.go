package graphs

import "math/bits"

// columns are what is known of each event for good, once it is there: what leads to it by relations that are made of program order,
// reads-from and what threads do alone. All that comes of is before the event in program order and reads-from, where it
// is known, and goes with no revisit that the event stays in. A column is a set of events; initial writes, which nothing leads to, are in none.
type columns struct {
	kept  int // columns of an event
	words int // of a column
	bits  []uint64
	locs  []uint64 // by location, the events that are of it
}

func (c *columns) at(id int32, k int) []uint64 {
	from := (int(id)*c.kept + k) * c.words
	return c.bits[from : from+c.words]
}

// grow makes room for so many events.
func (c *columns) grow(events int) {
	if words := (events + 63) / 64; words > c.words {
		old := *c
		c.words, c.bits, c.locs = words, make([]uint64, events*c.kept*words), nil
		for i := range len(old.bits) / max(old.words, 1) {
			copy(c.bits[i*words:], old.bits[i*old.words:(i+1)*old.words])
		}
		for i := range len(old.locs) / max(old.words, 1) {
			c.locs = append(c.locs, old.locs[i*old.words:(i+1)*old.words]...)
			c.locs = append(c.locs, make([]uint64, words-old.words)...)
		}
		return
	}
	for len(c.bits) < events*c.kept*c.words {
		c.bits = append(c.bits, 0)
	}
}

func (c *columns) set(from *columns) {
	c.kept, c.words, c.bits, c.locs = from.kept, from.words, append(c.bits[:0], from.bits...), append(c.locs[:0], from.locs...)
}

// of are the events of a location.
func (c *columns) of(loc int32) []uint64 { return c.locs[int(loc)*c.words : (int(loc)+1)*c.words] }

// locate notes that an event is of a location.
func (c *columns) locate(id, loc int32) {
	if loc < 0 {
		return
	}
	for len(c.locs) < (int(loc)+1)*c.words {
		c.locs = append(c.locs, 0)
	}
	c.of(loc)[id>>6] |= 1 << (id & 63)
}

// less are the columns of the events that are not gone, by their new numbers.
func (c *columns) less(from *columns, gone []bool, at []int32) {
	c.kept, c.words, c.bits, c.locs = from.kept, from.words, c.bits[:0], c.locs[:0]
	if c.kept == 0 {
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
		for k := range c.kept {
			n := len(c.bits)
			was := from.at(int32(i), k)
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
