package symbolic

import (
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/solver/sat"
)

// What is before what, and surely there, in one thread and across them.
func TestOrder(t *testing.T) {
	p := irtest.Parse(
		"x=1; spawn 1; y=1; choose a; if a=0 E; join 1; u=1; E: ; w=1 || x=2; choose a; if a=0 F; x=3; F: ; z=1")
	s := Observe(p, true, Quick)
	c := sat.NewCircuit()
	guards := map[int]sat.Lit{}
	certain, err := NewOrder(s, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	open, err := NewOrder(s, c, func(e int) sat.Lit {
		if guards[e] == 0 {
			guards[e] = c.Var()
		}
		return guards[e]
	})
	if err != nil {
		t.Fatal(err)
	}
	// The test finds writes by location and value, and joins and spawns by kind.
	find := func(name string) int {
		for i, e := range s.Events {
			if e.Thread == models.InitThread {
				continue
			}
			switch op := p.Threads[e.Thread].Code[e.Step].Op.(type) {
			case ir.Store:
				if p.Locs[op.At[0]].Name+"="+string('0'+rune(op.Value.(ir.Const).Value)) == name {
					return i
				}
			case ir.Spawn:
				if name == "spawn" {
					return i
				}
			case ir.Join:
				if name == "join" {
					return i
				}
			}
		}
		t.Fatalf("no event %s", name)
		return 0
	}
	for _, test := range []struct {
		a, b         string
		before, sure bool
		open         bool // it depends on the join
	}{
		{"x=1", "y=1", true, true, false},
		{"y=1", "x=1", false, false, false},
		{"x=1", "x=2", true, true, false},
		{"spawn", "z=1", true, true, false},
		{"y=1", "x=2", false, false, false},
		{"x=2", "x=3", true, true, false},
		{"x=3", "z=1", true, false, false},
		{"u=1", "w=1", true, false, false},
		{"x=2", "join", true, true, false},
		{"x=2", "u=1", true, true, false},
		{"x=3", "u=1", true, false, false},
		{"x=2", "w=1", false, false, true},
		{"u=1", "z=1", false, false, false},
	} {
		a, b := find(test.a), find(test.b)
		if got := certain.Before(a, b) == sat.True; got != test.before {
			t.Errorf("%s before %s: %v", test.a, test.b, got)
		}
		if got := certain.Surely(a, b); got != test.sure {
			t.Errorf("%s surely before %s: %v", test.a, test.b, got)
		}
		if l := open.Before(a, b); test.open != (l == guards[find("join")]) || !test.open &&
			l != sat.Const(test.before) {
			t.Errorf("%s before %s where %v", test.a, test.b, l)
		}
	}
}
