package cdcl

// restarting is when to begin anew with what has been learnt.
type restarting struct {
	conflicts int64
	ticks     int64 // literals propagated
	since     int64 // conflicts when it began anew last

	fast, slow average // of glue, lately and for long

	modes     int64 // how often the mode has changed
	modeTicks int64 // of the first turn of the first mode, by which all others are measured
	nextMode  int64 // in conflicts at first, then in ticks

	luby        reluctant
	nextPhases  int64 // in conflicts
	phasesTimes int
}

const (
	// A mode that restarts often does so once what is learnt lately is of so many more levels than usual.
	worse        = 1.10
	leastBetween = 2     // conflicts
	firstMode    = 20000 // conflicts: most formulas have no solution, which the first mode is better at
	rephasing    = 1000  // conflicts, times how often it was done
	stablePause  = 1024  // conflicts, times what Luby's sequence says
)

func newRestarting() restarting {
	return restarting{
		fast: average{by: 0.03}, slow: average{by: 1e-5}, nextMode: firstMode, nextPhases: rephasing,
		luby: reluctant{u: 1, v: 1},
	}
}

// learns notes the glue of what was learnt.
func (r *restarting) learns(glue int) {
	r.fast.add(float64(glue))
	r.slow.add(float64(glue))
}

// restarts reports whether it is time.
func (s *Solver) restarts() bool {
	s.changeMode()
	if s.conflicts < s.since+leastBetween {
		return false
	}
	if s.stable {
		if s.conflicts < s.since+s.luby.v*stablePause {
			return false
		}
		s.luby.next()
		return true
	}
	return s.fast.value() > worse*s.slow.value()
}

// restart goes back, but for the decisions that would be made again.
func (s *Solver) restart() {
	s.since = s.conflicts
	s.keepPhases(s.trail)
	if s.conflicts >= s.nextPhases {
		s.phasesTimes++
		s.nextPhases = s.conflicts + rephasing*int64(s.phasesTimes+1)
		s.back(len(s.assume))
		s.rephase(s.phasesTimes)
		return
	}
	s.back(max(len(s.assume), s.reused()))
}

// reused is up to which level decisions would be made again.
func (s *Solver) reused() int {
	v, ok := s.next(s.values)
	if !ok {
		return 0
	}
	level := len(s.assume)
	for level < len(s.control) {
		at := s.control[level]
		if int(at) >= len(s.trail) {
			break
		}
		d := s.trail[at] >> 1
		if s.stable && s.activities[d] <= s.activities[v] || !s.stable && s.times[d] <= s.times[v] {
			break
		}
		level++
	}
	return level
}

// changeMode changes to the other mode once this one has had its turn.
func (s *Solver) changeMode() {
	if s.modes == 0 && s.conflicts < s.nextMode || s.modes > 0 && s.ticks < s.nextMode {
		return
	}
	if s.modes == 0 {
		s.modeTicks = max(s.ticks, 1)
	}
	s.modes++
	turn := (s.modes + 1) / 2
	s.nextMode = s.ticks + s.modeTicks*turn*turn
	s.stable = !s.stable
	s.since = s.conflicts
	s.luby = reluctant{u: 1, v: 1}
	clear(s.target)
	s.targetSize = 0
}

// average is an exponential moving average, of which the first numbers are as good as later ones.
type average struct {
	by, sum, weight float64
}

func (a *average) add(x float64) {
	a.sum += a.by * (x - a.sum)
	a.weight += a.by * (1 - a.weight)
}

func (a *average) value() float64 {
	if a.weight == 0 {
		return 0
	}
	return a.sum / a.weight
}

// reluctant is Luby's sequence, as Knuth computes it: v is its number.
type reluctant struct{ u, v int64 }

func (r *reluctant) next() {
	if r.u&-r.u == r.v {
		r.u, r.v = r.u+1, 1
	} else {
		r.v *= 2
	}
}
