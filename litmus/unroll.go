package litmus

// Unroll gives the program with every loop cut: along any run of a thread at most
// bound backward jumps are taken, and the next one leads to an Unwound step. All
// jumps of the result go forward. loops tells whether there was anything to cut.
//
// With spins, a branch back that only spins leads to an Unwound step of its own
// kind at once: no outcome is lost by it, if the model lets reads be left out.
//
// Each thread is laid out in layers, copies of its code: a backward jump leaves
// layer k for layer k+1, everything else stays in its layer.
func Unroll(p *Program, bound int, spins bool) (unrolled *Program, loops bool) {
	out := *p
	out.Threads = make([]Thread, len(p.Threads))
	for i, t := range p.Threads {
		if hasLoop(t.Code) {
			var spinning map[int]bool
			if spins {
				spinning = p.spinning(i)
			}
			t.Code = unrollThread(t.Code, bound, spinning)
			loops = true
		}
		out.Threads[i] = t
	}
	if !loops {
		return p, false
	}
	return &out, true
}

func hasLoop(code []Step) bool {
	for pc, s := range code {
		if b, ok := s.Op.(Branch); ok && b.Target <= pc {
			return true
		}
	}
	return false
}

func unrollThread(code []Step, bound int, spinning map[int]bool) []Step {
	n := len(code)
	reach := reachable(code, bound, spinning)
	// place[layer*(n+1)+pc] is where that copy of a step lands; pc n is the
	// layer's end.
	place := make([]int, (bound+1)*(n+1))
	size := 0
	for i := range place {
		place[i] = size
		if reach[i] {
			size++ // a step, or the layer end's jump to the end of all
		}
	}
	unwound, spin := size, size+1 // shared, and passed over by every other path
	out := make([]Step, 0, size+2)
	for i := range place {
		layer, pc := i/(n+1), i%(n+1)
		switch {
		case !reach[i]:
		case pc == n:
			out = append(out, Step{Op: Branch{Target: size + 2}, Source: code[n-1].Source})
		default:
			s := code[pc]
			if b, ok := s.Op.(Branch); ok {
				switch {
				case spinning[pc]:
					b.Target = spin
				case b.Target > pc:
					b.Target = place[layer*(n+1)+b.Target]
				case layer < bound:
					b.Target = place[(layer+1)*(n+1)+b.Target]
				default:
					b.Target = unwound
				}
				s.Op = b
			}
			out = append(out, s)
		}
	}
	last := code[n-1].Source
	return append(out, Step{Op: Unwound{}, Source: last}, Step{Op: Unwound{Spin: true}, Source: last})
}

// reachable marks the copies of steps that control can reach from the first.
func reachable(code []Step, bound int, spinning map[int]bool) []bool {
	n := len(code)
	seen := make([]bool, (bound+1)*(n+1))
	work := []int{0}
	visit := func(layer, pc int) {
		if layer <= bound && !seen[layer*(n+1)+pc] {
			seen[layer*(n+1)+pc] = true
			work = append(work, layer*(n+1)+pc)
		}
	}
	seen[0] = true
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		layer, pc := i/(n+1), i%(n+1)
		if pc == n {
			continue
		}
		b, isBranch := code[pc].Op.(Branch)
		if !isBranch || b.Cond != nil {
			visit(layer, pc+1)
		}
		if isBranch {
			switch {
			case spinning[pc]:
			case b.Target > pc:
				visit(layer, b.Target)
			default:
				visit(layer+1, b.Target)
			}
		}
	}
	return seen
}
