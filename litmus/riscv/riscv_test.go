package riscv_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/riscv"
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
	fmt.Fprintf(&b, "RISCV line%d\n{ %s\n}\nP0;\n", l.number, l.fields[0])
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
	return riscv.Dialect{}.Lower(t)
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

// Tags and dependencies are what models see of an instruction.
func TestActions(t *testing.T) {
	p, err := lower(`RISCV actions
{ 0:x5=x; 0:x6=y; }
P0 ;
lw x7,0(x5) ;
xor x8,x7,x7 ;
add x8,x8,x6 ;
lw.aq x9,0(x8) ;
sw.rl x9,0(x5) ;
fence r,rw ;
fence iorw,ow ;
fence.tso ;
fence.i ;
bne x9,x0,L ;
L: amoswap.w.aq x10,x9,(x5) ;
amoadd.w.rl x11,x7,(x5) ;
amoor.w.aq.rl x12,x9,(x5) ;
amoswap.w.aq.rl x0,x12,(x5) ;
amoswap.w.aq x0,x12,(x5) ;
amoor.w.aq x13,x0,(x5) ;
amoor.w.rl x13,x0,(x5) ;
lr.w.aq x14,(x5) ;
sc.w.rl x15,x14,(x5) ;
sw x15,0(x6) ;
exists true
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	runAlone(t, p, func(a litmus.Action) {
		var tags litmus.Tags
		if op, ok := p.Threads[0].Code[a.Step].Op.(litmus.RMW); ok {
			tags = op.WriteTags
		}
		got = append(got, fmt.Sprint(a.Kind, a.Tags, tags, a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl))
	})
	want := []string{ // kind, tags, the write's tags, address, data and control dependencies on reads 0, 1 …
		"1 [] [] [] [] []",
		"1 [Acq] [] [0] [] []",
		"2 [Rel] [] [] [1] []",
		"4 [Fence.r.rw FRR FRW] [] [] [] []",
		"4 [Fence.rw.w FRW FWW] [] [] [] []",
		"4 [Fence.tso FRR FRW FWW] [] [] [] []",
		"4 [Fence.i] [] [] [] []",
		"3 [Acq AMO LOCKED] [AMO LOCKED] [] [1] [1]",
		"3 [AMO LOCKED] [Rel AMO LOCKED] [] [0] [1]",
		"3 [AcqRel AMO LOCKED] [AcqRel AMO LOCKED] [] [1] [1]",
		"2 [AcqRel] [] [] [4] [1]",
		"2 [] [] [] [4] [1]",
		"1 [Acq] [] [] [] [1]",
		"1 [] [] [] [] [1]",
		"1 [Acq LR] [] [] [] [1]",
		"6 [Rel StCond LOCKED] [] [] [7] [1]",
		"2 [] [] [] [8] [1]", // on the write of the store-conditional
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}
