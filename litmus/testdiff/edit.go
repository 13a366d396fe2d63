// Package testdiff tells what somebody has done to a litmus test: which fences, dependencies and
// annotations are new, and, in words, whatever else has changed.
//
//	e, err := testdiff.Of(before, after)
//	// e.Fences == 2, e.Other == ["P0 now writes 2 to x where it wrote 1 to x."]
//
// Both programs are run side by side, thread by thread, with the same values for their reads,
// for several choices of values. Where their accesses, what these depend on and what the
// registers of the condition end with are the same each time, nothing has changed that a
// reader of the test would notice; how registers are called and how a statement is written
// makes no difference.
//
// The package may import litmus and litmus/ir.
package testdiff

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Edit is what has been done to a test.
type Edit struct {
	Fences       int      `json:"fences"`       // that are new
	Dependencies int      `json:"dependencies"` // accesses that depend on more reads than before
	Annotations  int      `json:"annotations"`  // accesses with other orders than before
	Condition    bool     `json:"condition"`    // it asks something else
	Other        []string `json:"other,omitempty"`
}

// maxActions bounds how far a thread is run: what loops may never end.
const maxActions = 300

// valuations are what reads return: the n-th of a thread, from 0.
var valuations = []func(n int) uint64{
	func(int) uint64 { return 0 },
	func(int) uint64 { return 1 },
	func(n int) uint64 { return uint64(n) + 1 },
	func(n int) uint64 { return uint64(n % 2) },
	func(n int) uint64 { return 0x9e3779b97f4a7c15 * (uint64(n) + 3) },
}

// Of holds a program against another one. Its error is that of a thread which cannot be run.
func Of(before, after *ir.Program) (*Edit, error) {
	e := &Edit{Condition: question(before) != question(after)}
	switch {
	case before.Arch != after.Arch:
		e.other("The test is written for %s now; it was for %s.", after.Arch, before.Arch)
		return e, nil
	case len(before.Threads) != len(after.Threads):
		e.other("The test has %s now; it had %d.", count(len(after.Threads), "thread"), len(before.Threads))
		return e, nil
	}
	e.locations(before, after)
	if len(e.Other) > 0 {
		return e, nil
	}
	for t := range before.Threads {
		if err := e.thread(before, after, t); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func (e *Edit) other(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.Other, text) {
		e.Other = append(e.Other, text)
	}
}

// question is what a test asks, however it is spaced.
func question(p *ir.Program) string {
	names := make([]string, len(p.Observed))
	for i, o := range p.Observed {
		names[i] = o.Name
	}
	filter := ""
	if p.Filter != nil {
		filter = litmus.PropString(p.Filter)
	}
	return strings.Join(append(strings.Fields(p.Question), filter), "")
}

// locations holds what memory begins with.
func (e *Edit) locations(before, after *ir.Program) {
	was := map[string]string{}
	for _, l := range before.Locs {
		was[l.Name] = value(before, l.Init)
	}
	for _, l := range after.Locs {
		init, ok := was[l.Name]
		delete(was, l.Name)
		if now := value(after, l.Init); !ok {
			e.other("There is a new location, %s.", l.Name)
		} else if now != init {
			e.other("%s begins as %s now; it began as %s.", l.Name, now, init)
		}
	}
	for _, l := range before.Locs {
		if _, gone := was[l.Name]; gone {
			e.other("The location %s is gone.", l.Name)
		}
	}
}

// value is a number, or the name of the location that it is the address of.
func value(p *ir.Program, v uint64) string {
	if i, ok := p.LocationAt(v); ok {
		return "&" + p.Locs[i].Name
	}
	return fmt.Sprint(int64(v))
}

// access is an access to memory, and the fences before it; the last of a thread's is none, and
// has those at the end.
type access struct {
	what   string // "reads y"
	tags   string
	deps   [3][]int
	fences []string
}

// thread holds a thread of both against each other.
func (e *Edit) thread(before, after *ir.Program, t int) error {
	var most Edit
	for _, reads := range valuations {
		was, wasEnd, err := run(before, t, reads)
		if err != nil {
			return err
		}
		now, nowEnd, err := run(after, t, reads)
		if err != nil {
			return err
		}
		one := Edit{}
		one.accesses(fmt.Sprintf("P%d", before.Threads[t].ID), was, now)
		if len(one.Other) == 0 && !e.Condition {
			for name, v := range wasEnd {
				if nowEnd[name] != v {
					one.other("%s does not end with what it did: the condition asks for it.", name)
				}
			}
		}
		for _, text := range one.Other {
			e.other("%s", text)
		}
		most.Fences = max(most.Fences, one.Fences)
		most.Dependencies = max(most.Dependencies, one.Dependencies)
		most.Annotations = max(most.Annotations, one.Annotations)
	}
	e.Fences += most.Fences
	e.Dependencies += most.Dependencies
	e.Annotations += most.Annotations
	return nil
}

// accesses compares what a thread does, step by step.
func (e *Edit) accesses(thread string, was, now []access) {
	for i := range max(len(was), len(now)) {
		switch {
		case i >= len(was)-1 && i < len(now)-1:
			e.other("%s %s, which is new.", thread, now[i].what)
			return
		case i >= len(now)-1 && i < len(was)-1:
			e.other("%s no longer %s.", thread, was[i].what)
			return
		case was[i].what != now[i].what:
			e.other("%s %s where it should be: %s %s.", thread, now[i].what, thread, was[i].what)
			return
		}
		kept := 0
		for _, f := range now[i].fences {
			if kept < len(was[i].fences) && f == was[i].fences[kept] {
				kept++
			}
		}
		if kept < len(was[i].fences) {
			e.other("A fence of %s is gone, or is another one.", thread)
			return
		}
		e.Fences += len(now[i].fences) - kept
		for k := range now[i].deps {
			for _, d := range was[i].deps[k] {
				if !slices.Contains(now[i].deps[k], d) {
					e.other("A dependency of %s is gone.", thread)
					return
				}
			}
		}
		if !slices.EqualFunc(was[i].deps[:], now[i].deps[:], slices.Equal) {
			e.Dependencies++
		}
		if was[i].tags != now[i].tags {
			e.Annotations++
		}
	}
}

// run is what a thread does when its reads return those values, and what the registers that
// are asked about end with.
func run(p *ir.Program, t int, reads func(n int) uint64) ([]access, map[string]string, error) {
	c := ir.NewCursor(p, t, true)
	var out []access
	next := access{}
	read := 0
	for range maxActions {
		a, err := c.Next()
		if err != nil {
			return nil, nil, err
		}
		name := ""
		if a.Loc >= 0 && a.Loc < len(p.Locs) {
			name = p.Locs[a.Loc].Name
		}
		next.tags, next.deps = tags(a.Tags), [3][]int{a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl}
		switch a.Kind {
		case ir.ActEnd, ir.ActUnwound, ir.ActBlocked:
			return append(out, access{what: "ends", fences: next.fences}), finals(p, t, c), nil
		case ir.ActFence:
			next.fences = append(next.fences, tags(a.Tags))
			c.Pass()
			continue
		case ir.ActPick:
			c.Pass()
			continue
		case ir.ActChoose:
			c.Choose(reads(read)%2 == 1)
			continue
		case ir.ActLoad:
			next.what = "reads " + name
			c.Read(given(p.Locs[a.Loc], p, reads(read)))
			read++
		case ir.ActStore:
			next.what = fmt.Sprintf("writes %s to %s", value(p, a.Value), name)
			c.Pass()
		case ir.ActRMW:
			next.what = "reads " + name + " and writes it, atomically,"
			if w, ok := c.Read(given(p.Locs[a.Loc], p, reads(read))); ok {
				next.what += " with " + value(p, w)
			}
			next.deps[1] = c.Data
			read++
		case ir.ActStoreCond:
			next.what = fmt.Sprintf("writes %s to %s, if nobody else has meanwhile", value(p, a.Value), name)
			c.Conditional(a.Reserved >= 0)
		}
		out = append(out, next)
		next = access{}
	}
	return append(out, access{what: "goes on"}), map[string]string{}, nil
}

// given is what a read of a location returns where v was thought of: of a pointer, what it
// leads to from the start, for it is followed.
func given(l ir.Location, p *ir.Program, v uint64) uint64 {
	if _, pointer := p.LocationAt(l.Init); pointer {
		return l.Init
	}
	return v & ir.Mask(l.Bits)
}

func tags(list ir.Tags) string {
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = fmt.Sprint(t)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// finals are the thread's registers that the condition is about.
func finals(p *ir.Program, t int, c *ir.Cursor) map[string]string {
	out := map[string]string{}
	for _, o := range p.Observed {
		if o.Thread == t {
			out[o.Name] = value(p, c.Regs[o.Index]&ir.Mask(o.Bits))
		}
	}
	return out
}

func count(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
