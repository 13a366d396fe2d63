package ir

import "slices"

// CanRepeatForever reports whether thread t, which is at step, an Unwound with Again, can return to the step with
// unchanged memory in another round while no other thread does anything, so that it can repeat for ever. regs has the
// registers' values, and memory those of locations.
func (p *Program) CanRepeatForever(t, step int, regs, memory []uint64) bool {
	c := NewCursor(p, t, false)
	c.PC = c.Thread.Code[step].Op.(Unwound).Since
	copy(c.Regs, regs)
	goes := step // the choice that leads here, and not to rounds of an inner loop
	for goes > 0 {
		if op, ok := c.Thread.Code[goes].Op.(Choose); ok && op.Stop {
			break
		}
		goes--
	}
	return c.comesBack(step, goes, slices.Clone(memory), memory)
}

// comesBack reports whether a thread returns to a step with the memory in was. For a choice, one of the two ways must
// return: a choice represents a decision made elsewhere, such as whether an exchange fails.
func (c *Cursor) comesBack(step, goes int, now, was []uint64) bool {
	for {
		a, err := c.Next()
		if err != nil {
			return false
		}
		switch a.Kind {
		case ActLoad:
			c.Read(now[a.Loc])
		case ActRMW:
			if v, writes := c.Read(now[a.Loc]); writes {
				now[a.Loc] = v
			}
		case ActStore:
			now[a.Loc] = a.Value
			c.Pass()
		case ActStoreCond:
			succeeds := c.Reserved == a.Loc
			if succeeds {
				now[a.Loc] = a.Value
			}
			c.Conditional(succeeds)
		case ActChoose:
			op := c.Thread.Code[a.Step].Op.(Choose)
			if !op.Stop && !op.Weak {
				other := new(Cursor)
				other.Set(c)
				other.Choose(true)
				if other.comesBack(step, goes, slices.Clone(now), was) {
					return true
				}
			}
			c.Choose(a.Step == goes || op.Weak)
		case ActFence, ActPick:
			c.Pass()
		case ActUnwound:
			return a.Step == step && slices.Equal(now, was)
		default:
			return false
		}
	}
}
