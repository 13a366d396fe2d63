package cycle

// Place is the place in the cycle's test of the access from which an edge starts.
type Place struct {
	Access
	Thread   int
	Location string
	Value    int // the written or expected value
}

// Places returns the places of a cycle's accesses in the test of a dialect, by edge. The cycle must pass Check.
func (c Cycle) Places(arch string) []Place {
	p := planned(arch, c)
	out := make([]Place, len(c))
	at, start := 0, c.start()
	for n := range c {
		i := (start + n) % len(c)
		ev := p.events[at]
		out[i] = Place{ev.access, ev.thread, locName(ev.loc), ev.value}
		at++
		if c[i].Kind == Detour { // a Detour is two edges there
			at++
		}
	}
	return out
}
