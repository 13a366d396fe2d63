package pool

import (
	"context"
	"slices"
	"sync"
)

// Memory is the memory that the children of some pools may have together, so that questions wait rather than that the
// system kills processes. Each child may always have a small amount. A question that needs more claims it:
//
//   - An engine forecasts the peak of a question and claims it ([solver.ClaimMemory]). If there is no room, the child
//     ends the work at once, and the pool does it again when the claim's turn comes. Claims take turns in the order in
//     which questions arrived; a later one never passes an earlier one that waits. A waiting question occupies neither
//     a child nor memory.
//   - A child that uses more than it claimed raises its claim. If all claims together are too large then, the question
//     that arrived last makes room: the pool ends its child, and the question waits again, with the larger claim.
//
// Claims cannot deadlock, because a question that waits holds nothing, and each question gets its turn, because none
// that arrived later takes its memory. The oldest question has all the memory if it needs it.
type Memory struct {
	total int64 // bytes

	mu      sync.Mutex
	fixed   int64 // what children have without a claim
	arrived int64
	running []*claim // that have more than a child's small amount
	waiting []*claim // in the order of arrival
}

// perChild is what a child may have without a claim, in bytes: more than small questions need, before the child
// collects garbage more often ([smallHeap]).
const perChild = smallHeap

// NewMemory is so many bytes for children.
func NewMemory(bytes int64) *Memory { return &Memory{total: bytes} }

// add reserves the small amount for more children. All small amounts take at most half of the memory.
func (m *Memory) add(children int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fixed = min(m.fixed+int64(children)*perChild, m.total/2)
}

// MemoryStats describes a [Memory] at one moment.
type MemoryStats struct {
	Total, Claimed int64 // bytes
	Waiting        int   // questions
}

// Stats says how much is claimed, and how many questions wait.
func (m *Memory) Stats() MemoryStats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return MemoryStats{m.total, m.fixed + m.claimed(nil), len(m.waiting)}
}

// claim is what a question has of a memory, and its place in the order of arrival.
type claim struct {
	of      *Memory
	arrival int64
	bytes   int64         // claimed, or waited for; 0: no more than each child may have
	turn    chan struct{} // closed when the claim's turn has come
	leave   chan struct{} // closed when the question must make room
	leaving bool
}

// arrive gives a question its place in the order.
func (m *Memory) arrive() *claim {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.arrived++
	return &claim{of: m, arrival: m.arrived, leave: make(chan struct{})}
}

// claimed is what all questions have, except one; the caller holds mu.
func (m *Memory) claimed(except *claim) (all int64) {
	for _, c := range m.running {
		if c != except && !c.leaving {
			all += c.bytes
		}
	}
	return all
}

// fits reports whether a claim has room beside the others; the caller holds mu. Without others, every claim has: it is
// then the child's limit that bounds it.
func (m *Memory) fits(c *claim, bytes int64) bool {
	others := m.claimed(c)
	return others == 0 || others+bytes <= m.total-m.fixed
}

// has makes a claim one of those that have memory; the caller holds mu.
func (m *Memory) has(c *claim, bytes int64) {
	c.bytes = bytes
	if !slices.Contains(m.running, c) {
		m.running = append(m.running, c)
	}
}

// ask claims memory for a question at work, and reports whether it gets that. It does not pass those that wait.
func (c *claim) ask(bytes int64) bool {
	m := c.of
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case c.leaving:
		return false
	case bytes <= perChild:
		m.drop(c)
		m.next()
		return true
	case bytes > c.bytes && len(m.waiting) > 0 && m.waiting[0].arrival < c.arrival, !m.fits(c, bytes):
		return false
	}
	m.has(c, bytes)
	m.next()
	return true
}

// grow notes that a question has more memory than it claimed. It has that already, so others may have to make room:
// those that arrived last first.
func (c *claim) grow(used int64) {
	m := c.of
	m.mu.Lock()
	defer m.mu.Unlock()
	m.has(c, claimFor(used))
	for m.claimed(nil) > m.total-m.fixed {
		last, holders := c, 0
		for _, o := range m.running {
			if o.leaving {
				continue
			}
			holders++
			if last.leaving || o.arrival > last.arrival {
				last = o
			}
		}
		if holders < 2 {
			break
		}
		last.leaving = true
		close(last.leave)
	}
}

// claimFor is the claim of a child that has so many bytes, and may soon have more.
func claimFor(used int64) int64 { return used + used/4 }

// wait waits until there is room for the memory that a question needs.
func (c *claim) wait(ctx context.Context, bytes int64) error {
	m := c.of
	m.mu.Lock()
	c.line(bytes)
	m.mu.Unlock()
	select {
	case <-c.turn:
		return nil
	case <-ctx.Done():
		c.end()
		return ctx.Err()
	}
}

// line gives a claim's memory back and puts it among those that wait; the caller holds mu.
func (c *claim) line(bytes int64) {
	m := c.of
	m.drop(c)
	c.bytes, c.turn = bytes, make(chan struct{})
	c.leave, c.leaving = make(chan struct{}), false
	place, _ := slices.BinarySearchFunc(m.waiting, c, func(a, b *claim) int { return int(a.arrival - b.arrival) })
	m.waiting = slices.Insert(m.waiting, place, c)
	m.next()
}

// end gives all memory back.
func (c *claim) end() {
	m := c.of
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(c)
	m.next()
}

// drop takes a claim out of both lists; the caller holds mu.
func (m *Memory) drop(c *claim) {
	is := func(o *claim) bool { return o == c }
	m.running = slices.DeleteFunc(m.running, is)
	m.waiting = slices.DeleteFunc(m.waiting, is)
}

// next lets those go on whose turn has come; the caller holds mu.
func (m *Memory) next() {
	for len(m.waiting) > 0 && m.fits(m.waiting[0], m.waiting[0].bytes) {
		c := m.waiting[0]
		m.waiting = m.waiting[1:]
		m.has(c, c.bytes)
		close(c.turn)
	}
}
