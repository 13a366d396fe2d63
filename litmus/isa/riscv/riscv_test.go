package riscv_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/riscv"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, riscv.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, riscv.Dialect{}) }

func lower(source string) (*ir.Program, error) { return dialecttest.Lower(riscv.Dialect{}, source) }

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
	dialecttest.Run(t, p, false, func(a ir.Action) {
		var tags ir.Tags
		if op, ok := p.Threads[0].Code[a.Step].Op.(ir.RMW); ok {
			tags = op.WriteTags
		}
		got = append(got, fmt.Sprint(a.Kind, a.Tags, tags, a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl))
	})
	want := []string{ // kind, tags, the write's tags, address, data and control dependencies on reads 0, 1 …
		"1 [] [] [] [] []",
		"1 [Acq ACQUIRE RCSC] [] [0] [] []",
		"2 [Rel RELEASE RCSC] [] [] [1] []",
		"4 [Fence.r.rw FRR FRW] [] [] [] []",
		"4 [Fence.rw.w FRW FWW] [] [] [] []",
		"4 [Fence.tso FRR FRW FWW] [] [] [] []",
		"4 [Fence.i] [] [] [] []",
		"3 [Acq AMO LOCKED ACQUIRE RCSC] [AMO LOCKED ACQUIRE RCSC] [] [1] [1]",
		"3 [AMO LOCKED] [Rel AMO LOCKED RELEASE RCSC] [] [0] [1]",
		"3 [AcqRel AMO LOCKED ACQUIRE RELEASE RCSC] [AcqRel AMO LOCKED ACQUIRE RELEASE RCSC] [] [1] [1]",
		// both halves, with x0 too
		"3 [AcqRel AMO LOCKED ACQUIRE RELEASE RCSC] [AcqRel AMO LOCKED ACQUIRE RELEASE RCSC] [] [4] [1]",
		"3 [Acq AMO LOCKED ACQUIRE RCSC] [AMO LOCKED ACQUIRE RCSC] [] [4] [1]",
		"3 [Acq AMO LOCKED ACQUIRE RCSC] [AMO LOCKED ACQUIRE RCSC] [] [] [1]",
		"3 [AMO LOCKED] [Rel AMO LOCKED RELEASE RCSC] [] [] [1]",
		"1 [Acq LR ACQUIRE RCSC] [] [] [] [1]",
		"6 [Rel StCond LOCKED RELEASE RCSC] [] [] [9] [1]",
		"2 [] [] [] [10] [1]", // on the write of the store-conditional
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// A compare-and-swap is a release where it succeeds, and only there; its write depends on the old value and on the new
// one, and its result on memory alone.
func TestCompareAndSwap(t *testing.T) {
	for _, c := range []struct {
		order          string
		x              int
		choice         bool
		read, write    string
		data, dataNext string
	}{
		{"", 0, false, "AMO LOCKED", "AMO LOCKED", "[0 1]", "[2]"},
		{"", 1, false, "AMO LOCKED", "AMO LOCKED", "[]", "[2]"},
		{"", 1, true, "AMO LOCKED", "AMO LOCKED", "[0 1]", "[2]"}, // writes back
		{".aq", 0, false, "Acq AMO LOCKED ACQUIRE RCSC", "AMO LOCKED ACQUIRE RCSC", "[0 1]", "[2]"},
		{".rl", 0, true, "AMO LOCKED", "Rel AMO LOCKED RELEASE RCSC", "[0 1]", "[2]"},
		{".rl", 1, false, "AMO LOCKED", "AMO LOCKED", "[]", "[2]"},
		{
			".aqrl", 0, true, "AcqRel AMO LOCKED ACQUIRE RELEASE RCSC",
			"AcqRel AMO LOCKED ACQUIRE RELEASE RCSC", "[0 1]", "[2]",
		},
		{".aqrl", 1, false, "Acq AMO LOCKED ACQUIRE RCSC", "AMO LOCKED ACQUIRE RCSC", "[]", "[2]"},
	} {
		p, err := lower(fmt.Sprintf(`RISCV cas
{ 0:x5=x; 0:x6=y; x=%d; }
P0 ;
lw x7,0(x6) ;
lw x8,0(x6) ;
amocas.w%s x7,x8,(x5) ;
sw x7,0(x6) ;
exists true
`, c.x, c.order))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		dialecttest.Run(t, p, c.choice, func(a ir.Action) {
			switch op := p.Threads[0].Code[a.Step].Op.(type) {
			case ir.RMW:
				got = append(got, fmt.Sprint(a.Tags, op.WriteTags, a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl))
			case ir.Store:
				got = append(got, fmt.Sprint(a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl))
			}
		})
		want := []string{fmt.Sprintf("[%s] [%s] [] %s []", c.read, c.write, c.data), "[] " + c.dataNext + " []"}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s, x=%d, %t: got\n%s\nwant\n%s", c.order, c.x, c.choice, strings.Join(got, "\n"),
				strings.Join(want, "\n"))
		}
	}
}
