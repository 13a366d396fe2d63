package code

// HasLoops reports whether the program has a loop, or may call a function again before that has returned. A program
// that does neither is executed to its end, whatever the bound on loops is.
func (u *Unit) HasLoops() bool {
	s := loopSearch{state: map[*Function]visit{}}
	for _, f := range u.Functions {
		s.find(f)
	}
	for i := 0; i < len(s.taken); i++ { // what is called by its address
		s.find(s.taken[i])
	}
	return s.loops
}

// loopSearch walks functions depth first, along calls and spawns.
type loopSearch struct {
	state map[*Function]visit
	taken []*Function // whose addresses are taken
	loops bool
}

type visit int

const (
	active visit = iota + 1 // its calls are being walked
	left
)

// find walks the functions that f calls or starts. A backward branch, a call of a function whose calls are being
// walked, and a call by an address all count as loops; the last one because it may lead back to the caller.
func (s *loopSearch) find(f *Function) {
	if f == nil || s.loops || s.state[f] == left {
		return
	}
	if s.state[f] == active {
		s.loops = true // recursion
		return
	}
	s.state[f] = active
	for pc, step := range f.Code {
		switch op := step.Op.(type) {
		case Branch:
			s.loops = s.loops || op.Target <= pc
		case Locate:
			if op.Fn != nil {
				s.taken = append(s.taken, op.Fn)
			}
		case Call:
			s.find(op.Fn)
			// A function that calls another by its address may call itself that way.
			s.loops = s.loops || op.Fn == nil
		case Spawn:
			s.find(op.Fn)
		}
	}
	s.state[f] = left
}
