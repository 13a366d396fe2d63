package cycle

import "strings"

// Access is one end of an edge: a read or a write, and how it is made.
type Access struct {
	Write bool
	// Mark is the annotation in the dialect's spelling, "" for a plain access: "A", "Q", "L"
	// and "X" on AArch64; "Aq", "Rl", "AR" and "X" on RISCV. Vocabulary describes them.
	Mark string
	// Part is the accessed part of the location. Either all accesses of a cycle have one, or none has, and all
	// access whole words.
	Part Part
}

func (a Access) letter() string {
	if a.Write {
		return "W"
	}
	return "R"
}

// Kind is the relation that an edge represents.
type Kind int

// The kinds of edges.
const (
	Rf     Kind = iota // from a write to a read that takes its value
	Fr                 // from a read to a write that comes after the one it reads
	Co                 // from a write to the next one of the location; written Ws
	Hat                // between reads of the same write, in two threads: rf backwards, then rf
	Detour             // within a thread, through a write of another: Fr or Co there, Rf back
	Po                 // program order, nothing more
	Dp                 // a dependency: Name is Addr, Data, Ctrl, or Ctrl with a fence
	Fence              // Name is the fence, as in "LwSync", "DMB.SY", "Fence.rw.w"
	Rmw                // the read and the write of one instruction; Name is "Rmw", "Amo.Swp" …
)

// Turn says which thread an edge leads to.
type Turn int

// The turns.
const (
	Inside Turn = iota // stays in the thread: every Po, Dp, Fence, Rmw and Detour; Rfi, Fri, Wsi
	Across             // to the next thread: Rfe, Fre, Wse, Hat
	Leave              // to another thread, from which a later Back returns
	Back               // to the thread that the last open Leave has left
)

var turns = [...]string{Inside: "i", Across: "e", Leave: "Leave", Back: "Back"}

// Edge is a relaxation: one step of a cycle.
type Edge struct {
	Kind     Kind
	Name     string // of a Dp, Fence or Rmw
	Turn     Turn
	Same     bool // both ends access the same location
	From, To Access
	// Within is, in dialects with scopes, the innermost scope that an external edge's two threads share, or the
	// dialect's word for none: "cta", "sys". It is "" for the usual place of threads, in the outermost scope and in no
	// other.
	Within string
}

// Com reports whether an edge is a communication, within a thread or between threads.
func (e Edge) Com() bool { return e.Kind <= Detour }

// External reports whether an edge leads to another thread.
func (e Edge) External() bool { return e.Turn != Inside }

// String returns the edge in diyone7's spelling.
func (e Edge) String() string {
	var b strings.Builder
	switch e.Kind {
	case Rf, Fr, Co:
		b.WriteString([...]string{Rf: "Rf", Fr: "Fr", Co: "Ws"}[e.Kind] + turns[e.Turn] + e.within())
	case Hat:
		b.WriteString("Hat" + e.within())
	case Detour:
		b.WriteString("Detour" + e.From.letter())
	case Rmw:
		b.WriteString(e.Name)
	default:
		switch e.Kind {
		case Po:
			b.WriteString("Po")
		case Dp:
			b.WriteString("Dp" + e.Name)
		default:
			b.WriteString(e.Name)
		}
		if e.Same {
			b.WriteString("s")
		} else {
			b.WriteString("d")
		}
		if e.Kind != Dp {
			b.WriteString(e.From.letter())
		}
		b.WriteString(e.To.letter())
	}
	b.WriteString(e.ends())
	return b.String()
}

// within returns the scope as written: ".cta".
func (e Edge) within() string {
	if e.Within == "" {
		return ""
	}
	return "." + e.Within
}

// how returns an access's mark and part.
func (a Access) how() string { return a.Mark + a.Part.String() }

// ends returns the marks and parts of both ends, "" if neither has any.
func (e Edge) ends() string {
	from, to := e.From.how(), e.To.how()
	switch {
	case from == "" && to == "":
	case from == "":
		from = plains()[e.To.Mark]
	case to == "":
		to = plains()[e.From.Mark]
	}
	return from + to
}

// Cycle is a cyclic sequence of edges: each starts at the access where the previous one ends, the first where the last
// one ends.
type Cycle []Edge

// String returns the edges separated by blanks.
func (c Cycle) String() string {
	words := make([]string, len(c))
	for i, e := range c {
		words[i] = e.String()
	}
	return strings.Join(words, " ")
}
