package cycle

// Place is where the access that an edge starts from is in the cycle's test.
type Place struct {
	Access
	Thread   int
	Location string
	Value    int // what is written, or is to be seen
}

// Places are those of a cycle's accesses, that of edge i being the i-th, in the test of a dialect. The cycle is one
// that Check finds nothing wrong with.
func (c Cycle) Places(arch string) []Place {
	p := planned(arch, c)
	out := make([]Place, len(c))
	at, start := 0, c.start()
	for n := range c {
		i := (start + n) % len(c)
		ev := p.events[at]
		out[i] = Place{ev.access, ev.thread, locName(ev.loc), ev.value}
		at++
		if c[i].Kind == Detour { // which is two edges there
			at++
		}
	}
	return out
}
