package cdcl

// restarting decides when to restart, when to change the mode and when to rephase. The focused mode restarts often: as
// soon as the glue of recent clauses is worse than on average (Glucose). The stable mode restarts rarely, in multiples
// of Luby's sequence. Conflicts measure the first turn of the focused mode; it sets the unit, in propagated literals,
// of all later turns, which grow quadratically.
type restarting struct {
	conflicts int64
	ticks     int64 // literals propagated
	since     int64 // number of conflicts at the last restart

	fast, slow average // of glue: recent and long-term

	modes     int64 // how often the mode changed
	modeTicks int64 // length of the first turn
	nextMode  int64 // number of conflicts at first, of ticks later

	luby        reluctant
	nextPhases  int64 // number of conflicts at the next rephasing
	phasesTimes int
}

const (
	// The focused mode restarts if recent glue exceeds the average by this factor.
	worse        = 1.10
	leastBetween = 2     // conflicts
	firstMode    = 20000 // conflicts: most formulas have no solution, which the focused mode finds out faster
	rephasing    = 1000  // conflicts, times the number of rephasings
	stablePause  = 1024  // conflicts, times the number of Luby's sequence
)

func newRestarting() restarting {
	return restarting{
		fast: average{by: 0.03}, slow: average{by: 1e-5}, nextMode: firstMode, nextPhases: rephasing,
		luby: reluctant{u: 1, v: 1},
	}
}

// learns records the glue of a learnt clause.
func (r *restarting) learns(glue int) {
	r.fast.add(float64(glue))
	r.slow.add(float64(glue))
}

// restarts reports whether to restart now.
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

// restart backtracks, but keeps the decisions that it would make again.
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

// reused returns the level up to which the solver would make the same decisions again (trail reuse): their variables
// have a higher priority than the next decision.
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

// changeMode changes the mode if its turn is over.
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

// average is an exponential moving average without the usual bias towards 0 at the start: it divides by the weight of
// the numbers so far.
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

// reluctant computes Luby's sequence by Knuth's method; v is the current number.
type reluctant struct{ u, v int64 }

func (r *reluctant) next() {
	if r.u&-r.u == r.v {
		r.u, r.v = r.u+1, 1
	} else {
		r.v *= 2
	}
}
