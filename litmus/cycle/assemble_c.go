package cycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// function is a thread of a C test.
type function struct {
	*vocabulary
	lines     []string
	asked     []string // "r1=0"
	params    []param
	more      []string // parameters that the fences need
	depth     int      // number of open blocks
	held      *lower.Section
	index     string // the index of that section
	sections  int    // so far
	reads     int    // so far, each into its own variable
	read      string // the variable of the last one
	condition string // true if the last read has the expected value
}

type param struct {
	loc   int
	plain bool // some access of the thread is plain
}

func (f *function) emit(format string, args ...any) {
	f.lines = append(f.lines, strings.Repeat("    ", f.depth+1)+fmt.Sprintf(format, args...))
}

// functions returns the threads of the plan with its observers, and the atoms of the condition for each.
func (p *plan) functions(v *vocabulary) (text string, asked [][]string) {
	var all []*function
	for _, events := range p.threads {
		f := &function{vocabulary: v}
		for n, i := range events {
			if p.events[i].after.Kind == Rmw {
				continue // written with its read
			}
			var rmw *event
			last := i
			if n+1 < len(events) && p.cycle[i].Kind == Rmw {
				last = events[n+1]
				rmw = &p.events[last]
			}
			f.access(p.events[i], rmw, p.cycle[last])
		}
		all = append(all, f)
	}
	for _, o := range p.observers {
		f := &function{vocabulary: v}
		for n, value := range o.values {
			after := Edge{Kind: Po}
			if n > 0 {
				after = Edge{Kind: Fence, Name: v.Language.Full}
			}
			f.access(event{loc: o.loc, access: Access{Mark: v.Language.Seen}, value: value, asked: true, after: after},
				nil, Edge{})
		}
		all = append(all, f)
	}
	var b strings.Builder
	places := p.places()
	for i, f := range all {
		b.WriteString(f.text(i, litmus.PlaceText(p.arch, places[i])))
		asked = append(asked, f.asked)
	}
	return b.String() + "\n", asked
}

// place returns an expression that points to a location. It depends on the last read if the edge is an address
// dependency.
func (f *function) place(ev event) string {
	i := slices.IndexFunc(f.params, func(p param) bool { return p.loc == ev.loc })
	if i < 0 {
		i = len(f.params)
		f.params = append(f.params, param{loc: ev.loc})
	}
	if ev.access.Mark == "" {
		f.params[i].plain = true
	}
	if ev.after.Kind == Dp && ev.after.Name == "Addr" {
		return fmt.Sprintf("(%s + (%s ^ %[2]s))", locName(ev.loc), f.read)
	}
	return locName(ev.loc)
}

// access writes an event, after the fence or the branch that precedes it. rmw is the write of the same operation, or
// nil. out is the edge that follows.
func (f *function) access(ev event, rmw *event, out Edge) {
	if fence := f.word(ev.after); fence.Code != "" {
		f.emit("%s", fence.Code)
	}
	section := f.word(out).Section
	if section != nil && f.held != section {
		f.leave()
		f.held, f.index = section, fmt.Sprintf("i%d", f.sections)
		f.sections++
		f.emit("%s", strings.ReplaceAll(section.Enter, "INDEX", f.index))
	}
	at, target := f.place(ev), fmt.Sprintf("int r%d", f.reads)
	branch := ev.after.Kind == Dp && ev.after.Name == "Ctrl"
	if branch {
		if !ev.access.Write && (rmw == nil || !unseen(rmw.after.Name)) { // the variable must be visible after the block
			f.emit("%s = 0;", target)
			target = fmt.Sprintf("r%d", f.reads)
		}
		f.emit("if (%s) {", f.condition)
		f.depth++
	}
	switch {
	case rmw != nil:
		word := named(f.Atomics, rmw.after.Name)
		o, _ := orderOf(rmw.after, word.Orders)
		expected := fmt.Sprint(ev.value)
		if word.Compares {
			variable := fmt.Sprintf("e%d", f.reads)
			f.emit("int %s = %s;", variable, expected)
			expected, ev.value = variable, 1
		}
		call := fmt.Sprintf(word.Call, o.Text, at, rmw.step, expected)
		if unseen(rmw.after.Name) {
			f.emit("%s;", call)
		} else {
			f.emit("%s = %s;", target, call)
		}
	case ev.access.Write:
		value := fmt.Sprint(ev.value)
		if ev.after.Kind == Dp && ev.after.Name == "Data" {
			value = fmt.Sprintf("%d + (%s ^ %[2]s)", ev.value, f.read)
		}
		f.emit(cmp.Or(f.markOf(ev.access.Mark).Store, "*%s = %s")+";", at, value)
	default:
		f.emit("%s = "+cmp.Or(f.markOf(ev.access.Mark).Load, "*%s")+";", target, at)
	}
	if branch {
		f.depth--
		f.emit("}")
	}
	if !ev.access.Write && (rmw == nil || !unseen(rmw.after.Name)) {
		f.recordRead(ev)
	}
	if section == nil {
		f.leave()
	}
}

// leave ends the current critical section.
func (f *function) leave() {
	if f.held != nil {
		f.emit("%s", strings.ReplaceAll(f.held.Leave, "INDEX", f.index))
		f.held = nil
	}
}

// word returns the fence of an edge, or the zero value.
func (f *function) word(e Edge) lower.Word {
	w := lower.Word{}
	if e.Kind == Fence {
		w = named(f.Fences, e.Name)
	}
	if w.Param != "" && !slices.Contains(f.more, w.Param) {
		f.more = append(f.more, w.Param)
	}
	return w
}

// recordRead records the variable of a read, and its expected value.
func (f *function) recordRead(ev event) {
	f.read = fmt.Sprintf("r%d", f.reads)
	f.reads++
	f.condition = fmt.Sprintf("%s == %[1]s", f.read)
	if ev.asked {
		f.condition = fmt.Sprintf("%s == %d", f.read, ev.value)
		f.asked = append(f.asked, fmt.Sprintf("%s=%d", f.read, ev.value))
	}
}

// text returns the function of a thread at a place in the scopes of its dialect.
func (f *function) text(thread int, place string) string {
	var params []string
	for _, p := range f.params {
		kind := f.Language.Atomic
		if p.plain {
			kind = f.Language.Plain
		}
		params = append(params, kind+locName(p.loc))
	}
	if place != "" {
		place += " "
	}
	return fmt.Sprintf("\nP%d%s(%s)\n{\n%s\n}\n", thread, place, strings.Join(append(params, f.more...), ", "),
		strings.Join(f.lines, "\n"))
}
