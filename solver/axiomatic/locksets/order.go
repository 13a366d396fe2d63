package locksets

// startsAfter reports whether a thread starts after a step, whenever both execute: each of its spawns, or that of the
// thread with the spawn, and so on, follows the step in program order. Jumps go forward, so that program order is the
// order of steps.
func (a *Analysis) startsAfter(thread int, x site) bool {
	spawns := a.spawns[thread]
	for _, s := range spawns {
		if s.thread == x.thread {
			if s.step <= x.step {
				return false
			}
		} else if s.thread >= thread || !a.startsAfter(s.thread, x) {
			return false // a spawn is in a thread with a smaller index
		}
	}
	return len(spawns) > 0
}

// ended reports whether a thread has ended before a step, whenever the step executes: its thread, or one that this has
// joined, or the spawning thread before, has joined it.
func (a *Analysis) ended(thread int, x site) bool {
	var seen set
	return a.endedBefore(thread, x, &seen)
}

func (a *Analysis) endedBefore(thread int, x site, seen *set) bool {
	at := &a.points[x.thread][x.step]
	if at.joined.has(thread) {
		return true
	}
	for t := range a.p.Threads {
		if !at.joined.has(t) || seen.has(t) {
			continue
		}
		seen.add(t)
		end := site{t, len(a.p.Threads[t].Code)}
		if a.points[t][end.step].reached && a.endedBefore(thread, end, seen) {
			return true
		}
	}
	spawns := a.spawns[x.thread]
	for _, s := range spawns {
		if s.thread >= x.thread || !a.endedBefore(thread, s, seen) {
			return false
		}
	}
	return len(spawns) > 0
}
