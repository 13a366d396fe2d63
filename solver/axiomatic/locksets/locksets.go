package locksets

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Why two accesses under one lock are in order, in every execution of a model with coherence and atomic updates whose
// races are those of C11 (races in c11-events.cat):
//
// A lock L is 0 at first. Its writes are acquires, updates that read 0 and write 1; failed updates, which read 1 and
// write 1; and releases, stores of 0 by a thread after an acquire of its own, with no other release in between. So each
// release r belongs to one acquire, the last before r in program order, and follows it in co.
//
// Claim: the first write of 0 after an acquire a in co, if there is one, is a's own release. Suppose not, and let a be
// the first such acquire in co, and r the first write of 0 after it; r belongs to another acquire b. No acquire is
// between a and r: an update reads the write just before its own, which is not 0 there. So b is before a in co. The
// first write of 0 after b is r, b's release, by the choice of a. But a reads 0, so a write of 0 is between b and a: a
// contradiction.
//
// Two releases are never next to each other, by the same argument. So acquires and their releases alternate in co, each
// acquire reads from the release before it, and a release synchronises with the acquire that reads from it. If x comes
// after acquire a and before its release in one thread, and y after acquire b in another, and a is before b in co, then
// x happens before a's release, which happens before the next acquire, and so on up to b, which happens before y.
//
// The argument holds for prefixes of executions too, in which a thread stops anywhere. Locksets are from Savage,
// Burrows, Nelson, Sobalvarro and Anderson, “Eraser: A Dynamic Data Race Detector for Multithreaded Programs” (TOCS
// 1997). The analysis of what a thread knows is a small property simulation (Das, Lerner and Seigle, “ESP:
// Path-Sensitive Program Verification in Polynomial Time”, PLDI 2002).

// The largest numbers of locks and threads that an analysis follows.
const (
	maxLocks   = 64
	maxThreads = 128
)

// set is a set of threads.
type set [maxThreads / 64]uint64

func (s set) has(t int) bool { return s[t/64]>>(t%64)&1 == 1 }

func (s *set) add(t int) { s[t/64] |= 1 << (t % 64) }

func (s set) common(o set) set {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

// point is what holds whenever a thread executes a step.
type point struct {
	reached bool
	held    uint64 // the locks that the thread holds
	joined  set    // the threads that it has joined
	spawned int    // the number of its spawns before the step
}

// Analysis has the locks that threads hold at their accesses.
type Analysis struct {
	p       *ir.Program
	writes  bool        // an update whose write acquires is an acquire
	locks   map[int]int // by location: the lock's number
	protect uint64      // the locks whose accesses all obey the rules
	points  [][]point   // by thread and step, the last one for the end
	spawns  [][]site    // by thread: the steps that start it
}

// site is a step of a thread.
type site struct{ thread, step int }

// Of analyses an unrolled program. writesAcquire: an update whose write acquires synchronises, although its read does
// not. The result is nil if the program has something that the analysis does not follow: an access to unknown locations
// or to several adjacent ones, a backward jump, or a jump to an address.
func Of(p *ir.Program, writesAcquire bool) *Analysis {
	if p.Split || p.Wide || len(p.Threads) > maxThreads {
		return nil
	}
	a := &Analysis{
		p: p, writes: writesAcquire, locks: map[int]int{}, points: make([][]point, len(p.Threads)),
		spawns: make([][]site, len(p.Threads)),
	}
	for t := range p.Threads {
		for pc, s := range p.Threads[t].Code {
			if !a.follows(pc, s.Op) {
				return nil
			}
			if op, ok := s.Op.(ir.Spawn); ok {
				a.spawns[op.Thread] = append(a.spawns[op.Thread], site{t, pc})
			}
		}
	}
	a.findLocks()
	a.protect = 1<<len(a.locks) - 1
	for t := range p.Threads {
		a.run(t)
	}
	return a
}

// follows reports whether the analysis knows what a step does.
func (a *Analysis) follows(pc int, op ir.Op) bool {
	switch op := op.(type) {
	case ir.Lost, ir.Take:
		return false
	case ir.Branch:
		return op.Target > pc
	}
	if addr, _ := ir.Access(op); addr != nil {
		at := ir.At(op)
		return at != nil && !slices.ContainsFunc(at, func(l int) bool { return a.p.Locs[l].Next > 0 })
	}
	return true
}

// The tags by which accesses synchronise in C11.
var acquires, releases = ir.Tags{"ACQ", "ACQ_REL", "SC"}, ir.Tags{"REL", "ACQ_REL", "SC"}

func hasAny(tags, of ir.Tags) bool { return slices.ContainsFunc(of, tags.Has) }

// findLocks numbers the locations that may be locks: some update writes them, and every write has the form of an
// acquire or of a release. Whether releases are by the holder is up to run.
func (a *Analysis) findLocks() {
	updated, other := map[int]bool{}, map[int]bool{}
	for t := range a.p.Threads {
		for _, s := range a.p.Threads[t].Code {
			lock := true
			switch op := s.Op.(type) {
			case ir.Store:
				lock = len(op.At) == 1 && op.Next == nil && isNumber(op.Value, 0) && hasAny(op.Tags, releases)
			case ir.RMW:
				acquire := hasAny(op.Tags, acquires) || a.writes && hasAny(op.WriteTags, acquires)
				lock = len(op.At) == 1 && isNumber(op.New, 1) && acquire
			case ir.StoreCond:
				lock = len(op.At) == 1 && op.Next == nil && isNumber(op.Value, 1)
			case ir.Load:
				lock = !op.Reserve || len(op.At) == 1 && hasAny(op.Tags, acquires)
			}
			for _, l := range ir.At(s.Op) {
				if _, bits := ir.Access(s.Op); !lock || bits != a.p.Locs[l].Bits {
					other[l] = true
				}
				switch s.Op.(type) {
				case ir.RMW, ir.StoreCond:
					updated[l] = true
				}
			}
		}
	}
	for l := range a.p.Locs {
		loc := &a.p.Locs[l]
		if updated[l] && !other[l] && loc.Init == 0 && !loc.Any && len(a.locks) < maxLocks {
			a.locks[l] = len(a.locks)
		}
	}
}

func isNumber(e ir.Expr, n uint64) bool {
	c, ok := e.(ir.Const)
	return ok && c.Value == n
}

// access is what the analysis knows of accesses of a thread to a location, apart from where they are.
type access struct {
	thread       int
	write, plain bool
	at           point
}

// RaceFree reports whether, of any two accesses of different threads to one location, one of them a write and one
// plain, one happens before the other.
func (a *Analysis) RaceFree() bool {
	accesses := make([]map[access]int, len(a.p.Locs)) // by location: the last step of such accesses
	for t := range a.p.Threads {
		for pc, s := range a.p.Threads[t].Code {
			at := a.points[t][pc]
			if !at.reached {
				continue
			}
			for _, l := range ir.At(s.Op) {
				if accesses[l] == nil {
					accesses[l] = map[access]int{}
				}
				for _, x := range kinds(s.Op) {
					x.thread, x.at = t, at
					accesses[l][x] = pc
				}
			}
		}
	}
	for _, all := range accesses {
		for x, xs := range all {
			for y, ys := range all {
				if x.thread < y.thread && (x.write || y.write) && (x.plain || y.plain) &&
					!a.ordered(site{x.thread, xs}, site{y.thread, ys}) {
					return false
				}
			}
		}
	}
	return true
}

// kinds returns the accesses of a step: an update reads and writes.
func kinds(op ir.Op) []access {
	const plain = ir.Tag("NA")
	switch op := op.(type) {
	case ir.Load:
		return []access{{plain: op.Tags.Has(plain)}}
	case ir.Store:
		return []access{{write: true, plain: op.Tags.Has(plain)}}
	case ir.RMW:
		return []access{{plain: op.Tags.Has(plain)}, {write: true, plain: op.WriteTags.Has(plain)}}
	case ir.StoreCond:
		return []access{{write: true, plain: op.Tags.Has(plain)}}
	}
	return nil
}

// Ordered reports whether, of two accesses of different threads, one happens before the other in every execution that
// has both.
func (a *Analysis) Ordered(thread, step, otherThread, otherStep int) bool {
	return a.ordered(site{thread, step}, site{otherThread, otherStep})
}

func (a *Analysis) ordered(x, y site) bool {
	if x.thread < 0 || y.thread < 0 || x.thread == y.thread {
		return false
	}
	at, other := &a.points[x.thread][x.step], &a.points[y.thread][y.step]
	return !at.reached || !other.reached || at.held&other.held&a.protect != 0 || a.startsAfter(y.thread, x) ||
		a.startsAfter(x.thread, y) || a.ended(x.thread, y) || a.ended(y.thread, x)
}

// Supports reports whether a model that defines data races is one of those for which the argument holds.
func Supports(m *models.Model) bool {
	return slices.Contains([]string{"rc11", "c11", "c11-psc", "c11-races"}, m.Name)
}
