// Package dialecttest contains helpers for the tests of dialects: tables of instructions ([Instructions], [Actions],
// [Errors]), golden files ([Golden]), and [Run], which executes a thread.
//
// A line of a table is "init block | instructions | wanted"; semicolons end instructions. If a dialect has several
// architectures, the first field is the architecture. Empty lines and lines that begin with # do not count.
//
// It imports litmus, litmus/ir and litmus/lower.
package dialecttest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// line is one line of a table.
type line struct {
	place  string // for messages
	source string // the test without its condition
	wanted string
}

// table reads a table of testdata. It skips empty lines and comments, and fails the test for a line with too few
// fields.
func table(t *testing.T, d lower.Dialect, file string) []line {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for i, l := range strings.Split(string(text), "\n") {
		if l = strings.TrimSpace(l); l == "" || l[0] == '#' {
			continue
		}
		place := fmt.Sprintf("%s:%d", file, i+1)
		if len(d.Archs()) == 1 {
			l = d.Archs()[0] + "|" + l
		}
		arch, l, _ := strings.Cut(l, "|")
		fields := strings.SplitN(l, "|", 3)
		if len(fields) != 3 {
			t.Fatalf("%s: too few fields", place)
		}
		var b strings.Builder
		arch = strings.TrimSpace(arch)
		fmt.Fprintf(&b, "%s T\n{ %s\n}\nP0%s;\n", arch, strings.TrimSpace(fields[0]), litmus.SomePlace(arch))
		for _, in := range strings.Split(fields[1], ";") {
			fmt.Fprintf(&b, "%s;\n", strings.TrimSpace(in))
		}
		lines = append(lines, line{place, b.String(), strings.TrimSpace(fields[2])})
	}
	return lines
}

// Lower parses and lowers a test of a dialect.
func Lower(d lower.Dialect, source string) (*ir.Program, error) {
	t, err := litmus.Parse("t", source)
	if err != nil {
		return nil, err
	}
	return d.Lower(t)
}

// Instructions runs the lines of testdata/instructions.txt, whose last field is an outcome: equations separated by
// blanks.
func Instructions(t *testing.T, d lower.Dialect) {
	for _, l := range table(t, d, "instructions.txt") {
		source := l.source + "exists (" + strings.Join(strings.Fields(l.wanted), ` /\ `) + ")\n"
		p, err := Lower(d, source)
		if err != nil {
			t.Errorf("%s: %v\n%s", l.place, err, source)
			continue
		}
		ended := false
		for _, choice := range []bool{false, true} {
			s := Run(t, p, choice, nil)
			if ended = ended || s != nil; s != nil && !p.Satisfies(p.Condition.Prop, s) {
				t.Errorf("%s: got %s\n%s", l.place, p.FormatState(s), source)
			}
		}
		if !ended {
			t.Errorf("%s: the thread never ends\n%s", l.place, source)
		}
	}
}

// Errors lowers the lines of testdata/errors.txt, whose last field is "line:column: message". The init block is on line
// 2 after "{ ", instruction number n on line 4+n.
func Errors(t *testing.T, d lower.Dialect) {
	for _, l := range table(t, d, "errors.txt") {
		source := l.source + "exists true\n"
		_, err := Lower(d, source)
		if err == nil {
			t.Errorf("%s: no error\n%s", l.place, source)
		} else if got := strings.TrimPrefix(err.Error(), "t:"); got != l.wanted {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s", l.place, got, l.wanted, source)
		}
	}
}

// Actions runs the lines of testdata/actions.txt, whose last field lists the thread's actions as models see them: kind,
// tags, and the reads that each depends on, numbered from 0 together with store-conditionals. Semicolons separate
// actions ("R X; W data 0 ctrl 0; F SYNC").
func Actions(t *testing.T, d lower.Dialect) {
	for _, l := range table(t, d, "actions.txt") {
		p, err := Lower(d, l.source+"exists true\n")
		if err != nil {
			t.Errorf("%s: %v\n%s", l.place, err, l.source)
			continue
		}
		var got []string
		Run(t, p, false, func(a ir.Action) { got = append(got, Describe(a)) })
		if got := strings.Join(got, "; "); got != l.wanted {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s", l.place, got, l.wanted, l.source)
		}
	}
}

// Describe returns an action in the notation of Actions.
func Describe(a ir.Action) string {
	kinds := map[ir.ActionKind]string{
		ir.ActLoad: "R", ir.ActStore: "W", ir.ActRMW: "RMW", ir.ActStoreCond: "SC", ir.ActFence: "F",
	}
	words := []string{kinds[a.Kind]}
	for _, tag := range a.Tags {
		words = append(words, string(tag))
	}
	for _, d := range []struct {
		name  string
		reads []int
	}{{"addr", a.Deps.Addr}, {"data", a.Deps.Data}, {"ctrl", a.Deps.Ctrl}} {
		if len(d.reads) > 0 {
			words = append(words, d.name)
			for _, r := range d.reads {
				words = append(words, fmt.Sprint(r))
			}
		}
	}
	return strings.Join(words, " ")
}

// Run runs the only thread of p and returns the outcome; nil if an assumption fails. Store-conditionals succeed if they
// can, and all choices take the value choice. Run calls show for each action unless it is nil.
func Run(t *testing.T, p *ir.Program, choice bool, watch func(ir.Action)) ir.State {
	t.Helper()
	memory := make([]uint64, len(p.Locs))
	for i, l := range p.Locs {
		memory[i] = l.Init
	}
	get := func(loc, bits int) (value uint64) {
		pieces, ok := p.Pieces(loc, bits)
		if !ok { // an observable may be a part of a location
			return memory[loc] & ir.Mask(bits)
		}
		for _, q := range pieces {
			value |= memory[q.Loc] << q.Lo
		}
		return value
	}
	put := func(a ir.Action, value [2]uint64) {
		pieces, _ := p.Pieces(a.Loc, a.Bits)
		for _, q := range pieces {
			memory[q.Loc] = q.InBoth(value)
		}
	}
	c := ir.NewCursor(p, 0, true)
	for {
		a, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		switch a.Kind {
		case ir.ActLoad:
			if a.Bits > 64 {
				c.ReadBoth([2]uint64{get(a.Loc, 64), get(p.Locs[a.Loc].Next, 64)})
			} else {
				c.Read(get(a.Loc, a.Bits))
			}
		case ir.ActRMW:
			if v, ok := c.Read(get(a.Loc, a.Bits)); ok {
				put(a, [2]uint64{v})
			}
			a.Deps = c.WriteDeps(a.Deps)
		case ir.ActStoreCond:
			before := ir.NewCursor(p, 0, true)
			before.Set(c)
			c.Conditional(a.Reserved >= 0)
			if next, err := c.Next(); err == nil && next.Kind == ir.ActBlocked {
				// a part of an instruction that does not write
				c.Set(before)
				c.Conditional(false)
			} else if a.Reserved >= 0 {
				put(a, [2]uint64{a.Value, a.Next})
			}
		case ir.ActStore:
			put(a, [2]uint64{a.Value, a.Next})
			c.Pass()
		case ir.ActFence, ir.ActPick:
			c.Pass()
		case ir.ActChoose:
			c.Choose(choice)
		case ir.ActBlocked:
			return nil
		case ir.ActEnd:
			s := make(ir.State, len(p.Observed))
			for i, o := range p.Observed {
				if o.Thread < 0 {
					s[i] = get(o.Index, o.Bits)
				} else {
					s[i] = c.Regs[o.Index] & ir.Mask(o.Bits)
				}
			}
			return s
		}
		if watch != nil {
			watch(a)
		}
	}
}
