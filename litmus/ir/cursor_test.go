package ir

import (
	"reflect"
	"testing"
)

// A spawned thread begins with its arguments, and stops if an assertion fails.
func TestCursorSpawns(t *testing.T) {
	p := &Program{
		Locs: []Location{{Name: "x", Bits: 8, Address: 8}, {Name: "y", Bits: 8, Address: 16}},
		Threads: []Thread{
			{
				Regs: []Register{{Name: "r", Bits: 8, Init: 3}},
				Code: []Step{
					{Op: Spawn{Thread: 1, Args: []Arg{{Reg: 0, Value: Add.Of(Reg{0, 8}, Const{1, 8})}}}},
					{Op: Atomic{}},
					{Op: Atomic{End: true}},
					{Op: Join{Thread: 1}},
				},
			},
			{
				Spawned: true,
				Regs:    []Register{{Name: "arg", Bits: 8, Init: 9}, {Name: "own", Bits: 8, Init: 5}},
				Code: []Step{
					{Op: Store{Addr: Const{16, 8}, Value: Reg{0, 8}, At: Locs{1}}},
					{Op: Assert{Cond: Eq.Of(Reg{1, 8}, Const{5, 8})}},
					{Op: Assert{Cond: Eq.Of(Reg{0, 8}, Const{5, 8})}},
				},
			},
		},
	}
	parent, child := NewCursor(p, 0, false), NewCursor(p, 1, false)
	kinds := func(c *Cursor) (out []ActionKind) {
		for {
			a, err := c.Next()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, a.Kind)
			switch a.Kind {
			case ActSpawn:
				child.Start(c.Arguments())
			case ActStore:
				if a.Loc != 1 || a.Value != 4 {
					t.Errorf("the spawned thread stores %d at location %d", a.Value, a.Loc)
				}
			case ActEnd, ActFailed, ActUnspawned:
				return out
			}
			c.Pass()
		}
	}
	for _, step := range []struct {
		of   *Cursor
		want []ActionKind
	}{
		{child, []ActionKind{ActUnspawned}},
		{parent, []ActionKind{ActSpawn, ActEnter, ActLeave, ActJoin, ActEnd}},
		{child, []ActionKind{ActStore, ActFailed}},
	} {
		if got := kinds(step.of); !reflect.DeepEqual(got, step.want) {
			t.Errorf("actions %v, want %v", got, step.want)
		}
	}
	if want := []uint64{4, 5}; !reflect.DeepEqual(child.Regs, want) {
		t.Errorf("registers %v, want %v", child.Regs, want)
	}
}
