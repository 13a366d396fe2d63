package cycle

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// found is a cycle of an execution, with criteria for comparison.
type found struct {
	cycle Cycle
	extra int // accesses that it could omit: see close
	away  int // threads that it visits on a path from another thread and back
}

func (a found) compare(b found) int {
	return cmp.Or(
		cmp.Compare(a.extra, b.extra),
		cmp.Compare(len(b.cycle), len(a.cycle)),
		cmp.Compare(a.away, b.away),
		strings.Compare(a.cycle.String(), b.cycle.String()),
	)
}

// tracer finds the cycles of an execution.
//
// The search goes from thread to thread: a leg enters a thread at one node, leaves it at another, and a communication
// leads to the next leg. Each cycle is found once, from the leg of its first thread, since legs in earlier threads are
// not entered. The edges within a thread are filled in when the cycle closes.
type tracer struct {
	*execution
	program *ir.Program
	arch    string
	words   *vocabulary
	units   units
	begins  []int // of locations
	places  *int  // remaining steps of the search
	legs    []leg
	found   []found
}

// leg is a thread's part of a cycle: the nodes at which the cycle enters and leaves it.
type leg struct{ entry, exit int }

// cycles returns the cycles of program order and communications that pass each thread once, and only accesses that no
// other communication skips.
func (t *tracer) cycles() []found {
	for n := range t.nodes {
		if !t.hidden(n) {
			t.enter(n)
		}
	}
	return t.found
}

// hidden reports whether a half of a pair exists only for the other half: a write of the read value, the read of
// RISC-V's atomic store, and accesses to a lock or of a section of SRCU.
func (t *tracer) hidden(n int) bool {
	a := t.nodes[n]
	if t.words.Language != nil &&
		(locks(a.tags) || tries(a.tags) || a.tags.Has("Srcu-lock") || a.tags.Has("Srcu-unlock")) {
		return true
	}
	if a.pair < 0 {
		return false
	}
	other := t.nodes[t.first[a.thread]+a.pair]
	if a.write {
		return a.value == other.value
	}
	return a.one && t.words.Silent != nil && t.words.Silent(t.instruction(n))
}

// instruction returns the text of a node's instruction, without labels.
func (t *tracer) instruction(n int) string {
	a := t.nodes[n]
	text := t.program.Threads[a.thread].Source[a.cell].Text
	return strings.TrimSpace(text[strings.LastIndexByte(text, ':')+1:])
}

// next reports whether a communication has only hidden writes between its ends.
func (t *tracer) next(a, b int) bool {
	return a != b && t.shared(a, b, func(i, j int) bool {
		if !t.connects(a, i, b, j) {
			return false
		}
		for n := range t.nodes {
			if t.nodes[n].write && n != b && !t.hidden(n) && t.shared(n, a, func(k, of int) bool {
				return of == i && t.place[n][k] > t.place[a][i] && t.place[n][k] < t.place[b][j]
			}) {
				return false
			}
		}
		return true
	})
}

// enter continues the search at a node of a thread that is not yet in the cycle.
func (t *tracer) enter(entry int) {
	thread := t.nodes[entry].thread
	if len(t.legs) > 0 && thread < t.nodes[t.legs[0].entry].thread {
		return // the cycle is found from there
	}
	for _, l := range t.legs {
		if t.nodes[l.entry].thread == thread {
			return
		}
	}
	for exit := t.units.first[entry]; exit < len(t.nodes) && t.nodes[exit].thread == thread; exit++ {
		if t.hidden(exit) {
			continue
		}
		if *t.places--; *t.places < 0 {
			return
		}
		t.legs = append(t.legs, leg{entry, exit})
		for to := range t.nodes {
			if t.hidden(to) || !t.leads(exit, to) {
				continue
			}
			if first := t.legs[0].entry; to == first {
				t.close()
			} else if t.nodes[to].thread != thread {
				t.enter(to)
			}
		}
		t.legs = t.legs[:len(t.legs)-1]
	}
}

// leads reports whether the cycle may go from a to b without program order: by a communication, or between two reads of
// a write if the second belongs to an atomic instruction, whose write comes after the first read.
func (t *tracer) leads(a, b int) bool {
	na, nb := t.nodes[a], t.nodes[b]
	if !na.write && !nb.write {
		return na.thread != nb.thread && nb.one &&
			t.shared(a, b, func(i, j int) bool { return t.source[a][i] == t.source[b][j] })
	}
	return t.isConnected(a, b)
}

// close makes the cycle of the legs. It counts as extra the load of an exclusive pair whose store writes a new value,
// and a thread's last read if it reads what another thread has written to where the thread has just been: tests use
// both to determine what happens, as they require store-conditionals to succeed.
func (t *tracer) close() {
	var c Cycle
	extra := 0
	away := make(map[int]bool)
	for _, l := range t.legs {
		away[t.nodes[l.entry].thread] = true
	}
	for _, w := range t.walks {
		extra += w.failed
	}
	for i, l := range t.legs {
		before := t.legs[(i+len(t.legs)-1)%len(t.legs)].exit
		after := t.legs[(i+1)%len(t.legs)].entry
		if l.entry == l.exit &&
			(!t.nodes[l.entry].write || t.nodes[after].write || t.communication(before, l.entry, Across).Kind == Rf) {
			return // the two communications are one step
		}
		last := t.units.main[l.exit]
		path := t.path(t.units.main[l.entry], last)
		for j, n := range path {
			a := t.nodes[n]
			if !a.write && a.pair >= 0 && !a.one && !t.hidden(t.first[a.thread]+a.pair) {
				extra++
			}
			if j == 0 {
				continue
			}
			way := t.step(path[j-1], n, away)
			if j > 1 && n == last && len(way) == 1 && !a.write && t.seesOthers(path[j-1], n) {
				extra++
			}
			c = append(c, way...)
		}
		c = append(c, t.communication(l.exit, after, Across))
	}
	if !c.unnamed() && (len(t.legs) == 1 || c.Check() == nil) {
		t.found = append(t.found, found{c.Canonical(), extra, len(away) - len(t.legs)})
	}
}

// seesOthers reports whether a read sees another write than the previous access of its location.
func (t *tracer) seesOthers(before, read int) bool {
	return t.shared(before, read, func(i, j int) bool {
		seen := before
		if !t.nodes[before].write {
			seen = t.source[before][i]
		}
		return t.source[read][j] != seen
	})
}

func (t *tracer) access(n int) Access {
	n = t.units.main[n]
	a := Access{Write: t.writes(n)}
	mark, system, ok := t.systemMark(n)
	switch a.Mark = mark; {
	case !ok:
		a.Mark = noMark
	case !system:
		a.Mark = t.words.mark(t.nodes[n].point, t.instruction(n))
	}
	if t.program.Split {
		locs, at := t.program.Locs, t.nodes[n].loc
		a.Part = Part{Bytes: t.nodes[n].bits / 8, At: int(locs[at].Address - locs[t.begins[at]].Address)}
	}
	return a
}

// noMark is the mark of an access that cycles have no word for.
const noMark = "?"

// unnamed reports whether some access of a cycle has no word.
func (c Cycle) unnamed() bool {
	return slices.ContainsFunc(c, func(e Edge) bool { return e.From.Mark == noMark || e.To.Mark == noMark })
}

// begins returns for each location the first one of those that it is a piece of, or itself.
func begins(p *ir.Program) []int {
	out := make([]int, len(p.Locs))
	for i := range out {
		out[i] = i
	}
	for i := range p.Locs {
		if !slices.ContainsFunc(p.Locs, func(l ir.Location) bool { return l.Next == i && i > 0 }) {
			for k := p.Locs[i].Next; k != 0; k = p.Locs[k].Next {
				out[k] = i
			}
		}
	}
	return out
}

// communication returns the edge from one node to another of their location.
func (t *tracer) communication(a, b int, turn Turn) Edge {
	kind := Fr
	switch from, to := t.writes(a), t.writes(b); {
	case !from && !to:
		kind = Hat
	case from && to:
		kind = Co
	case from:
		kind = Rf
	}
	e := Edge{Kind: kind, Turn: turn, Same: true, From: t.access(a), To: t.access(b)}
	if turn != Inside {
		e.Within = t.within(t.nodes[a].thread, t.nodes[b].thread)
	}
	return e
}

// within returns the word for the closeness of two threads.
func (t *tracer) within(a, b int) string {
	all := litmus.Scopes(t.arch)
	if a == b || len(all) == 0 {
		return ""
	}
	for i, scope := range all {
		if t.program.Share(scope, a, b) {
			return append(all[:len(all)-1:len(all)-1], "")[i]
		}
	}
	return t.words.Apart
}

// path returns the nodes of a thread between two nodes that show what orders the two: all between them, except those
// that a dependency skips, and the load of an exclusive pair whose store is there.
func (t *tracer) path(entry, exit int) []int {
	path := []int{entry}
	first := t.first[t.nodes[entry].thread]
	for at := entry; at != exit; {
		to := -1
		for n := at + 1; n <= exit; n++ {
			a := t.nodes[n]
			if n != exit &&
				(t.units.main[n] != n || t.hidden(n) || !a.write && a.pair >= 0 && !a.one && first+a.pair <= exit &&
					!t.hidden(first+a.pair)) {
				continue
			}
			if slices.Contains(a.addr, t.nodes[at].at) || slices.Contains(a.data, t.nodes[at].at) {
				to = n
				break
			}
			if to < 0 {
				to = n
			}
		}
		path = append(path, to)
		at = to
	}
	return path
}

// step returns the edges from a node to the next on the path through its thread: one edge, or a path through a thread
// that the cycle does not use otherwise.
func (t *tracer) step(a, b int, away map[int]bool) []Edge {
	e := t.inside(a, b)
	if e.Kind != Po && !e.Com() {
		return []Edge{e}
	}
	for thread, first := range t.first {
		last := first + len(t.walks[thread].points) - 1
		if away[thread] || last < first || t.hidden(first) || t.hidden(last) || !t.next(a, first) || !t.next(last, b) {
			continue
		}
		path := t.path(first, last)
		if len(path) > 2 {
			continue
		}
		way := []Edge{t.communication(a, first, Leave)}
		if first != last {
			way = append(way, t.inside(first, last))
		}
		away[thread] = true
		return append(way, t.communication(last, b, Back))
	}
	return []Edge{e}
}

// inside returns the edge between two nodes of a thread: the strongest that orders them.
//
// If several things order the two accesses, the one counts that tests are named for: an atomic update, then a
// dependency of the address or the value, then a branch with a fence behind it, a branch without a stronger fence, a
// fence, a critical section, and communication within the thread. Program order is what remains.
func (t *tracer) inside(a, b int) Edge {
	na, nb := t.nodes[a], t.nodes[b]
	e := Edge{Same: t.begins[na.loc] == t.begins[nb.loc], From: t.access(a), To: t.access(b)}
	if t.words.System != nil {
		e.Same = t.home(a) == t.home(b)
	}
	if na.pair == nb.at {
		if name := t.words.rmw(na.one, t.instruction(a)); name != "" {
			e.Kind, e.Name = Rmw, name
			return e
		}
	}
	// A branch on the success of a pair that writes back what it has read has no meaning.
	branches := !t.words.Retries || na.write || na.pair < 0 || !t.hidden(t.first[na.thread]+na.pair)
	if t.words.System != nil {
		if m, implicit := t.words.System.Kind(na.tags); m == lower.OfCode && implicit {
			branches = false // what was fetched is a decision that no cycle has a word for
		}
	}
	fence, weak, ctrl := "", false, branches && slices.Contains(nb.ctrl, na.at)
	var between []ir.Tags
	for _, f := range t.walks[na.thread].barriers {
		if f.behind <= na.at || f.behind > nb.at {
			continue
		}
		between = append(between, f.tags)
		name, branch := t.words.fence(f.tags), t.words.behindBranch(f.tags)
		if branch != "" && branches && slices.Contains(f.ctrl, na.at) {
			e.Kind, e.Name = Dp, branch
		}
		if name == "" {
			continue
		}
		if fence == "" || weak && branch == "" || nameRank(name) < nameRank(fence) && weak == (branch != "") {
			fence, weak = name, branch != ""
		}
	}
	if name := t.words.sequence(between); name != "" {
		fence, weak = name, false
	} else if t.program.System && slices.ContainsFunc(between, t.unworded) {
		e.Kind, e.From.Mark = Po, noMark // the fences alone would be another test
		return e
	}
	section := t.words.section(&t.walks[na.thread], na.at, nb.at)
	dep := func(name string) Edge {
		e.Kind, e.Name = Dp, name
		return e
	}
	switch {
	case slices.Contains(nb.addr, na.at):
		return dep("Addr")
	case slices.Contains(nb.data, na.at):
		return dep("Data")
	case e.Kind == Dp:
		return e
	case ctrl && (fence == "" || weak):
		return dep("Ctrl")
	case fence != "":
		e.Kind, e.Name = Fence, fence
		return e
	case section != "":
		e.Kind, e.Name = Fence, section
		return e
	case e.Same && t.unitNext(a, b):
		return t.communication(a, b, Inside)
	}
	e.Kind = Po
	return e
}

// mark returns the mark of an access, "" if cycles have no word for it. The halves of an atomic operation of C have the
// operation's order, of which each half uses its part: a read is never a release, and a write never an acquire. A half
// that is not plain is at least relaxed.
func (v *vocabulary) mark(p *point, instruction string) string {
	mark := ""
	for _, m := range v.Marks {
		tagged := p.tags.Has(ir.Tag(m.Mark)) && m.Mark != lower.Exclusive || slices.ContainsFunc(m.Tags, p.tags.Has)
		if tagged && hasAll(p.tags, m.All) && strings.Contains(instruction, m.Code) &&
			(v.Language == nil || (p.write && m.Writes || !p.write && m.Reads)) {
			mark = m.Mark
		}
	}
	switch {
	case mark == "" && v.Language != nil && v.Apart == "" && !p.tags.Has("NA"):
		return v.relaxed()
	case mark == "" && p.pair >= 0 && !p.one:
		mark = lower.Exclusive
	}
	if !slices.ContainsFunc(v.Marks,
		func(m Mark) bool { return m.Mark == mark && (p.write && m.Writes || !p.write && m.Reads) }) {
		return ""
	}
	return mark
}

// hasAll reports whether tags contain all others.
func hasAll(tags, others ir.Tags) bool {
	return !slices.ContainsFunc(others, func(tag ir.Tag) bool { return !tags.Has(tag) })
}

// fence returns the word for a fence, "" if there is none.
func (v *vocabulary) fence(tags ir.Tags) string {
	for _, f := range v.Fences {
		if f.All != nil && hasAll(tags, f.All) {
			return f.Name
		}
		for _, tag := range tags {
			if f.All == nil && strings.EqualFold(cmp.Or(string(f.Tag), f.Name), string(tag)) {
				return f.Name
			}
		}
	}
	return ""
}

// behindBranch returns the word for a dependency through a branch and the fence.
func (v *vocabulary) behindBranch(tags ir.Tags) string {
	for _, d := range v.Deps {
		for _, tag := range tags {
			if strings.EqualFold(d.Name, "Ctrl"+strings.ReplaceAll(string(tag), ".", "")) {
				return d.Name
			}
		}
	}
	return ""
}

// rmw returns the word for a pair of accesses: of one instruction, or an exclusive pair.
func (v *vocabulary) rmw(one bool, instruction string) string {
	if v.Update != nil {
		return v.Update(instruction)
	}
	instruction = strings.ToUpper(instruction)
	for _, a := range v.Atomics {
		code := strings.ToUpper(a.Code)
		switch {
		case one != (a.Name != pairName):
		case v.Anywhere && strings.Contains(instruction, code), a.Also != "" &&
			strings.Contains(instruction, strings.ToUpper(a.Also)), strings.HasPrefix(instruction, code),
			strings.HasPrefix(strings.TrimPrefix(instruction, "LOCK "), code): // XCHG needs no LOCK
			return a.Name
		}
	}
	return ""
}
