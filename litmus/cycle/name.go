package cycle

import (
	"cmp"
	"slices"
	"strings"
)

// shapes are the established names of cycles, by the accesses at which each thread is entered and left: "WW RR" has a
// thread that writes twice, and one that reads twice. This also determines the communications: from a write to a read,
// rf; and so on.
var shapes = map[string]string{
	"WR WR": "SB", "RW RW": "LB", "WW WW": "2+2W",
	"WW RR": "MP", "WW RW": "S", "WW WR": "R",

	"WR WR WR": "3.SB", "RW RW RW": "3.LB", "WW WW WW": "3.2W",
	"WR WR WR WR": "4.SB", "RW RW RW RW": "4.LB", "WW WW WW WW": "4.2W",
	"WR WR WR WR WR": "5.SB", "RW RW RW RW RW": "5.LB", "WW WW WW WW WW": "5.2W",
	"WR WR WR WR WR WR": "6.SB", "RW RW RW RW RW RW": "6.LB", "WW WW WW WW WW WW": "6.2W",

	"W RW RR": "WRC", "W RR WR": "RWC", "W RW RW": "WWC",
	"W RW WR": "WRW+WR", "W RR WW": "WRR+2W", "W RW WW": "WRW+2W",
	"W RR W RR": "IRIW", "W RR W RW": "IRRWIW", "W RW W RW": "IRWIW",

	"WW RW RR": "ISA2", "WW RR WR": "W+RWC",
	"WW RW WR": "Z6.0", "WW WW RW": "Z6.1", "WW RW RW": "Z6.2",
	"WW WW RR": "Z6.3", "WW WR WR": "Z6.4", "WW WW WR": "Z6.5",

	"WW": "CoWW", "WR": "CoWR", "RW": "CoRW1", "W RW": "CoRW2", "W RR": "CoRR",
}

// Name returns the established name of the cycle's test: its shape, then for each thread what orders its accesses.
//
// The shape is the table's name, or else the accesses at which each thread is entered and left, as in WW+RR+WR+WR. The
// name follows the threads of the canonical rotation. A thread with one access contributes nothing. For the others,
// each edge is a word: po and pos (the same location), addr, data, ctrl, ctrlisync …, lwsync, dmb.sy, fence.rw.w …,
// rfi, fri, wsi, rmw; an s follows a word for the same location, and so do the marks of both ends if either has one:
// popl, posprl. A path through another thread is in brackets, [fr-rf]. If all threads have the same words, they appear
// once, with a plural s; if they are all po, not at all. The parts of locations follow the marks or replace them:
// poh0w0. So a test on one location whose thread has only pos has no words. At the end are the marks of threads with
// one access, Na for a plain one, and then the scopes of the edges between threads: one if all have the same, none if
// all have the usual one, for which other stands among others.
func (c Cycle) Name() string {
	threads := c.Canonical().threads()
	var b strings.Builder
	shape := dirs(threads)
	name, known := shapes[shape]
	oneLocation := !slices.ContainsFunc(c, func(e Edge) bool { return !e.Same })
	if !known || strings.HasPrefix(name, "Co") && !oneLocation {
		name = strings.ReplaceAll(shape, " ", "+")
	}
	b.WriteString(name)

	var paths []string
	marks, marked := "", false
	for _, t := range threads {
		if len(t) > 1 {
			paths = append(paths, t.path())
			continue
		}
		mark := t[0].From.how()
		marked = marked || mark != ""
		if mark == "" {
			mark = "Na"
		}
		marks += mark
	}
	same := !slices.ContainsFunc(paths, func(p string) bool { return p != paths[0] })
	switch {
	case len(paths) == 0, same && paths[0] == "po",
		len(paths) == 1 && paths[0] == "pos" && strings.HasPrefix(name, "Co"):
	case same && len(paths) > 1:
		b.WriteString("+" + paths[0] + "s")
	default:
		b.WriteString("+" + strings.Join(paths, "+"))
	}
	if marked {
		b.WriteString("+" + marks)
	}
	return b.String() + scopesName(threads)
}

// scopesName returns the part of a name about the scopes that threads share.
func scopesName(threads []Cycle) string {
	var words []string
	for _, t := range threads {
		if last := t[len(t)-1]; last.Turn == Across {
			words = append(words, cmp.Or(last.Within, "other"))
		}
	}
	if all := slices.Compact(slices.Clone(words)); len(all) < 2 {
		words = slices.DeleteFunc(all, func(w string) bool { return w == "other" })
	}
	if len(words) == 0 {
		return ""
	}
	return "+" + strings.Join(words, "-")
}

// threads cuts the cycle after each edge to another thread; the edges from a Leave to its Back stay together. The first
// thread begins at the first edge.
func (c Cycle) threads() []Cycle {
	var threads []Cycle
	first, away := 0, 0
	for i, e := range c {
		switch e.Turn {
		case Leave:
			away++
		case Back:
			away--
		}
		if e.Turn == Across && away == 0 {
			threads = append(threads, c[first:i+1])
			first = i + 1
		}
	}
	if first < len(c) {
		threads = append(threads, c[first:])
	}
	return threads
}

// dirs returns the accesses at which each thread is entered and left, as in shapes.
func dirs(threads []Cycle) string {
	words := make([]string, len(threads))
	for i, t := range threads {
		words[i] = t[0].From.letter()
		if len(t) > 1 {
			words[i] += t[len(t)-1].From.letter()
		}
	}
	return strings.Join(words, " ")
}

// path returns a thread's part of a name. Its last edge leads to the next thread.
func (c Cycle) path() string {
	var words, away []string
	for _, e := range c[:len(c)-1] {
		switch e.Turn {
		case Leave:
			away = []string{e.word() + e.marks()}
		case Back:
			words = append(words, "["+strings.Join(append(away, e.word()), "-")+"]"+e.marks())
			away = nil
		default:
			w := e.word() + e.marks()
			if e.Turn == Across {
				w = e.word() + "e" + e.marks()
			}
			if away != nil {
				away = append(away, w)
			} else {
				words = append(words, w)
			}
		}
	}
	return strings.Join(words, "-")
}

// word returns an edge's word in a name, without marks.
func (e Edge) word() string {
	switch e.Kind {
	case Rf, Fr, Co:
		word := [...]string{Rf: "rf", Fr: "fr", Co: "ws"}[e.Kind]
		if e.Turn == Inside {
			word += "i"
		}
		return word + e.within()
	case Hat:
		return "hat" + e.within()
	case Detour:
		return "det" + strings.ToLower(e.From.letter())
	case Rmw:
		return strings.ToLower(e.Name)
	}
	word := "po"
	if e.Kind != Po {
		word = strings.ToLower(e.Name)
	}
	if e.Same {
		word += "s"
	}
	return word
}

func (e Edge) marks() string { return strings.ToLower(e.ends()) }
