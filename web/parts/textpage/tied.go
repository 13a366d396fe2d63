package textpage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"litmuscope/litmus/compile"
)

// Tied shows a test in C and its compiled threads. Each instruction has the tint and the number of its line of C.
type Tied struct {
	Source  []CodeLine
	Threads []TiedThread
	Untied  bool // no instruction has a line of C
}

// TiedThread is the compiled code of a thread, in its order.
type TiedThread struct {
	ID     int
	Groups []TiedGroup
}

// Name returns the thread's name.
func (t TiedThread) Name() string { return fmt.Sprintf("P%d", t.ID) }

// TiedGroup is a run of instructions that come from one line of C. The line is 0 if it is unknown. A group without Code
// is a line of C that has no instructions.
type TiedGroup struct {
	CodeLine
	Code []compile.Line
}

// Tie ties compiled threads to the lines of their source. Lines within a thread that have no instruction become groups
// without code, in front of the first group of a later line.
func Tie(source string, threads []compile.Listing) Tied {
	comes := map[int]bool{}
	for _, th := range threads {
		for _, l := range th.Lines {
			comes[l.From] = true
		}
	}
	t := Tied{Source: Numbered(source, func(line int) bool { return comes[line] })}
	t.Untied = !slices.ContainsFunc(t.Source, func(l CodeLine) bool { return l.Tint > 0 })
	for _, th := range threads {
		t.Threads = append(t.Threads, t.thread(th))
	}
	return t
}

// thread groups a thread's instructions, in their order, by the lines that they come from. Before the first group of a
// later line, it adds the lines of the thread in between that have no instruction in any thread.
func (t *Tied) thread(th compile.Listing) TiedThread {
	out := TiedThread{ID: th.ID}
	line := func(n int) CodeLine {
		if n < 1 || n > len(t.Source) {
			return CodeLine{}
		}
		return t.Source[n-1]
	}
	next := 0 // the line after the last one that has a group
	for _, l := range th.Lines {
		from := line(l.From)
		if n := len(out.Groups); n > 0 && out.Groups[n-1].Line == from.Line && len(out.Groups[n-1].Code) > 0 {
			out.Groups[n-1].Code = append(out.Groups[n-1].Code, l)
			continue
		}
		for ; next > 0 && next < from.Line; next++ {
			silent := line(next)
			if header.MatchString(silent.Text) { // the thread has ended
				next = len(t.Source) + 1
				break
			}
			if silent.Tint == 0 && says(silent.Text) {
				out.Groups = append(out.Groups, TiedGroup{CodeLine: silent})
			}
		}
		if from.Line > 0 {
			next = max(next, from.Line+1)
		}
		out.Groups = append(out.Groups, TiedGroup{from, []compile.Line{l}})
	}
	return out
}

// header is the line that begins a thread: P0 (int *x), or P0@wg 0, dev 0 (global int *x).
var header = regexp.MustCompile(`^\s*P[0-9]+\s*[(@]`)

// says reports whether a line of C is more than punctuation or a comment.
func says(text string) bool {
	text = strings.TrimSpace(text)
	return strings.Trim(text, "{}(); ") != "" && !strings.HasPrefix(text, "//")
}

// first returns the ID of the first group that comes from a line.
func (t *Tied) first(line int) string {
	for _, th := range t.Threads {
		for i, g := range th.Groups {
			if g.Line == line && len(g.Code) > 0 {
				return groupID(th.ID, i)
			}
		}
	}
	return ""
}

// without reports whether a line of a thread has no instruction.
func (t *Tied) without(line int) bool {
	return slices.ContainsFunc(t.Threads, func(th TiedThread) bool {
		return slices.ContainsFunc(th.Groups, func(g TiedGroup) bool { return g.Line == line && len(g.Code) == 0 })
	})
}

func groupID(thread, group int) string { return fmt.Sprintf("c-p%d-%d", thread, group) }
