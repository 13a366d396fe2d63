package lower_test

import (
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/ir"
)

func TestLowerErrors(t *testing.T) {
	dialecttest.Golden(t, "lower.txtar", func(t *testing.T, file, source string) string {
		_, err := dialect.Parse(file, source)
		if err == nil {
			t.Fatal("no error")
		}
		archs := strings.Join(dialect.Archs(), ", ") // a list that grows
		return strings.Replace(err.Error(), archs, "…", 1) + "\n"
	})
}

func TestStates(t *testing.T) {
	dialecttest.Golden(t, "states.txtar", func(t *testing.T, file, source string) string {
		p, err := dialect.Parse(file, source)
		if err != nil {
			t.Fatal(err)
		}
		s := make(ir.State, len(p.Observed))
		for i, o := range p.Observed {
			if o.Thread < 0 {
				s[i] = p.Locs[o.Index].Init
			} else {
				s[i] = p.Threads[o.Thread].Regs[o.Index].Init & ir.Mask(o.Bits)
			}
		}
		if !p.Satisfies(p.Condition.Prop, s) {
			t.Errorf("the condition does not hold in %s", p.FormatState(s))
		}
		text := p.FormatState(p.Visible(s)) + "\n"
		for _, r := range p.Remarks {
			text += r.String() + "\n"
		}
		return text
	})
}

// A location without an access gets a remark; a register that is an address has to have one.
func TestIdle(t *testing.T) {
	dialecttest.Golden(t, "idle.txtar", func(t *testing.T, file, source string) string {
		test, err := litmus.Parse(file, source)
		if err != nil {
			t.Fatal(err)
		}
		p, err := dialect.Lower(test)
		if err != nil {
			t.Fatal(err)
		}
		_, err = dialect.Runnable(test)
		if (err == nil) != (len(p.Unset) == 0) {
			t.Errorf("it is said to be runnable: %v", err)
		}
		text := ""
		for _, r := range p.Remarks {
			text += r.String() + "\n"
		}
		if err != nil {
			text += "refused:\n" + err.Error() + "\n"
		}
		return text
	})
}

func TestSatisfies(t *testing.T) {
	p, err := dialect.Parse("", "X86 T\n{}\nP0;\nNOP;\nlocations [x;y;] exists true")
	if err != nil {
		t.Fatal(err)
	}
	x, y := litmus.Compare{Obs: 0, Value: 1, Other: -1}, litmus.Compare{Obs: 1, Value: 1, Other: -1}
	for _, c := range []struct {
		prop litmus.Prop
		want [4]bool // for x=0 y=0, x=1 y=0, x=0 y=1, x=1 y=1
	}{
		{nil, [4]bool{true, true, true, true}},
		{litmus.Bool(false), [4]bool{}},
		{x, [4]bool{false, true, false, true}},
		{litmus.Not{Arg: x}, [4]bool{true, false, true, false}},
		{litmus.And{Args: []litmus.Prop{x, y}}, [4]bool{false, false, false, true}},
		{litmus.Or{Args: []litmus.Prop{x, y}}, [4]bool{false, true, true, true}},
		{litmus.Implies{If: x, Then: y}, [4]bool{true, false, true, true}},
		{litmus.Compare{Obs: 0, Other: 1}, [4]bool{true, false, false, true}},
		{litmus.Compare{Obs: 0, Other: 1, NotEqual: true}, [4]bool{false, true, true, false}},
		{litmus.And{}, [4]bool{true, true, true, true}},
		{litmus.Or{}, [4]bool{}},
	} {
		for i, want := range c.want {
			if s := (ir.State{uint64(i & 1), uint64(i >> 1)}); p.Satisfies(c.prop, s) != want {
				t.Errorf("%#v in %v: want %v", c.prop, s, want)
			}
		}
	}
}

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		q             litmus.Quantifier
		some, someNot bool
		want          bool
	}{
		{litmus.Exists, true, true, true},
		{litmus.Exists, false, true, false},
		{litmus.NotExists, true, true, false},
		{litmus.NotExists, false, true, true},
		{litmus.Forall, true, true, false},
		{litmus.Forall, true, false, true},
	} {
		if got := c.q.Holds(c.some, c.someNot); got != c.want {
			t.Errorf("%s with %v, %v: %v", c.q, c.some, c.someNot, got)
		}
	}
}
