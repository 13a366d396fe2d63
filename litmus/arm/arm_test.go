package arm_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/arm"
)

// line is one line of a table in testdata.
type line struct {
	number int
	fields []string // init block, instructions, what is wanted
}

func table(t *testing.T, file string) []line {
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for i, l := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(l) == "" || l[0] == '#' {
			continue
		}
		fields := strings.SplitN(l, "|", 3)
		if len(fields) != 3 {
			t.Fatalf("%s:%d: want three fields", file, i+1)
		}
		for k := range fields {
			fields[k] = strings.TrimSpace(fields[k])
		}
		lines = append(lines, line{i + 1, fields})
	}
	return lines
}

// source is the test of a table's line with the given condition.
func (l line) source(condition string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ARM line%d\n{ %s\n}\nP0;\n", l.number, l.fields[0])
	for _, in := range strings.Split(l.fields[1], ";") {
		fmt.Fprintf(&b, "%s;\n", strings.TrimSpace(in))
	}
	return b.String() + condition + "\n"
}

func lower(source string) (*litmus.Program, error) {
	t, err := litmus.Parse("t", source)
	if err != nil {
		return nil, err
	}
	return arm.Dialect{}.Lower(t)
}

func TestInstructions(t *testing.T) {
	for _, l := range table(t, "instructions.txt") {
		source := l.source("exists (" + strings.Join(strings.Fields(l.fields[2]), ` /\ `) + ")")
		p, err := lower(source)
		if err != nil {
			t.Errorf("%v\n%s", err, source)
			continue
		}
		if s := runAlone(t, p, nil); !p.Satisfies(p.Condition.Prop, s) {
			t.Errorf("instructions.txt:%d: got %s\n%s", l.number, p.FormatState(s), source)
		}
	}
}

// runAlone runs the only thread of p, whose store-conditionals succeed where they can,
// and gives the final state. It shows watch each action.
func runAlone(t *testing.T, p *litmus.Program, watch func(litmus.Action)) litmus.State {
	memory := make([]uint64, len(p.Locs))
	for i, l := range p.Locs {
		memory[i] = l.Init
	}
	c := litmus.NewCursor(p, 0, true)
	for {
		a, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		switch a.Kind {
		case litmus.ActLoad:
			c.Read(memory[a.Loc])
		case litmus.ActRMW:
			if v, ok := c.Read(memory[a.Loc]); ok {
				memory[a.Loc] = v
			}
			a.Deps.Data = c.Data
		case litmus.ActStore:
			memory[a.Loc] = a.Value
			c.Pass()
		case litmus.ActStoreCond:
			if a.Reserved >= 0 {
				memory[a.Loc] = a.Value
			}
			c.Conditional(a.Reserved >= 0)
		case litmus.ActFence:
			c.Pass()
		case litmus.ActEnd:
			s := make(litmus.State, len(p.Observed))
			for i, o := range p.Observed {
				from := memory
				if o.Thread >= 0 {
					from = c.Regs
				}
				s[i] = from[o.Index] & litmus.Mask(o.Bits)
			}
			return s
		}
		if watch != nil {
			watch(a)
		}
	}
}

var place = regexp.MustCompile(`^\d+:\d+: `)

func TestErrors(t *testing.T) {
	for _, l := range table(t, "errors.txt") {
		source := l.source("exists true")
		_, err := lower(source)
		if err == nil {
			t.Errorf("errors.txt:%d: no error\n%s", l.number, source)
			continue
		}
		got := strings.TrimPrefix(err.Error(), "t:")
		if want := l.fields[2]; got != want || !place.MatchString(got) {
			t.Errorf("errors.txt:%d: got\n%s\nwant\n%s\n%s", l.number, got, want, source)
		}
	}
}
