package ir

import (
	"slices"
	"testing"
)

// What an if decides is over at its end; what an enclosing or earlier if has decided is not.
func TestScopesTakeControlDependenciesBack(t *testing.T) {
	read := func(r int) Op { return Load{Dst: r, Addr: Addr{0, 64}, Bits: 32} }
	skip := func(r, target int) Op { return Branch{Eq.Of(Reg{r, 32}, Number(0, 32)), target} }
	fence := Fence{}
	p := &Program{
		Locs:    []Location{{Bits: 32, Address: 0x1000}},
		Threads: []Thread{{Regs: []Register{{Bits: 32}, {Bits: 32}}}},
	}
	for _, op := range []Op{
		read(0),
		Scope{Slot: 0},
		skip(0, 10),
		fence, read(1),
		Scope{Slot: 1},
		skip(1, 8), fence,
		Scope{Slot: 1, End: true},
		fence,
		Scope{Slot: 0, End: true},
		fence,
	} {
		p.Threads[0].Code = append(p.Threads[0].Code, Step{Op: op})
	}
	c := NewCursor(p, 0, true)
	var got [][]int
	for {
		a, err := c.Next()
		switch {
		case err != nil:
			t.Fatal(err)
		case a.Kind == ActLoad:
			c.Read(1)
		case a.Kind == ActFence:
			got = append(got, a.Deps.Ctrl)
			c.Pass()
		}
		if a.Kind == ActEnd {
			break
		}
	}
	if want := [][]int{{0}, {0, 1}, {0}, nil}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("control dependencies of the fences: %v, want %v", got, want)
	}
}

func TestDivision(t *testing.T) {
	for _, c := range []struct {
		op         BinaryOp
		x, y, want uint64
	}{
		{UDiv, 7, 2, 3},
		{URem, 7, 2, 1},
		{UDiv, 7, 0, 0xff},
		{URem, 7, 0, 7},
		{SDiv, 0xf9, 2, 0xfd},
		{SRem, 0xf9, 2, 0xff},
		{SDiv, 7, 0xfe, 0xfd},
		{SRem, 7, 0xfe, 1},
		{SDiv, 0xf9, 0, 0xff},
		{SRem, 0xf9, 0, 0xf9},
		{SDiv, 0x80, 0xff, 0x80},
		{SRem, 0x80, 0xff, 0},
	} {
		if got := EvalBinary(c.op, c.x, c.y, 8); got != c.want {
			t.Errorf("operator %d of %#x and %#x: %#x, want %#x", c.op, c.x, c.y, got, c.want)
		}
	}
}
