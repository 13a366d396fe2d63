package ir

import "slices"

// GoesRoundForEver tells whether thread t, which stands at step, an Unwound with Again, comes
// back to it with memory as it is when it goes round once more while no other thread does anything: so
// that it may for ever. regs and memory, by location, are what there is.
func (p *Program) GoesRoundForEver(t, step int, regs, memory []uint64) bool {
	c := NewCursor(p, t, false)
	c.PC = c.Thread.Code[step].Op.(Unwound).Since
	copy(c.Regs, regs)
	goes := step // the choice that leads here, not to rounds of a loop within
	for goes > 0 {
		if op, ok := c.Thread.Code[goes].Op.(Choose); ok && op.Stop {
			break
		}
		goes--
	}
	return c.comesBack(step, goes, slices.Clone(memory), memory)
}

// comesBack tells whether a thread comes to a step with memory as it was, from now on. Of what is chosen on the way,
// some way does: a choice stands for what is decided otherwise, such as whether an exchange is one that fails.
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
