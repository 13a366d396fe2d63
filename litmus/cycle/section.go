package cycle

import "litmuscope/litmus/lower"

// Critical sections in threads of instructions. An edge that is a section has both its accesses in it; edges of the
// same kind in a row are in one section.

// enter begins the critical section of the edge behind an access, unless the thread is in one of its kind.
func (t *thread) enter(out Edge) {
	section := t.section(out)
	if section == nil || t.held == section {
		return
	}
	t.leave(Edge{})
	t.held = section
	t.Emit("%s", section.Enter)
}

// leave ends the critical section after an access, unless the edge behind the access is a section too.
func (t *thread) leave(out Edge) {
	if t.held != nil && t.section(out) == nil {
		t.Emit("%s", t.held.Leave)
		t.held = nil
	}
}

// section returns the critical section that an edge is, or nil.
func (t *thread) section(e Edge) *lower.Section {
	if e.Kind != Fence {
		return nil
	}
	return named(t.words.Fences, e.Name).Section
}
