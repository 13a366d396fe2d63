package wasm

import (
	"fmt"
	"math/bits"

	"litmuscope/litmus/ir"
)

// line is the number of bytes of a cache line, and more than those of most processors.
const line = 128

// mostCell is the largest memory of a test, in bytes.
const mostCell = 1 << 16

// layout maps the addresses of a test to offsets in a cell. The addresses of a test's variables are far apart: an
// address has the number of its variable in its high bits, from shift on, and an offset in the variable in its low
// bits.
type layout struct {
	low    uint64 // the smallest address, rounded down
	shift  int
	object int // bytes of the largest variable, a power of two, at least a cache line
	count  int // variables, rounded up to a power of two
}

// newLayout finds the layout of a program's locations.
func newLayout(locs []ir.Location) (l layout, err error) {
	if len(locs) == 0 {
		return layout{shift: 16, object: line, count: 1}, nil
	}
	low, high := locs[0].Address, uint64(0)
	for _, loc := range locs {
		low, high = min(low, loc.Address), max(high, loc.Address+uint64(loc.Bits/8)-1)
	}
	for l.shift = 22; l.shift >= 16; l.shift -= 6 { // the distances of variables with 64-bit and with 32-bit addresses
		l.low = low >> l.shift << l.shift
		extent := uint64(line)
		for _, loc := range locs {
			extent = max(extent, (loc.Address-l.low)&(1<<l.shift-1)+uint64(loc.Bits/8))
		}
		l.object = 1 << bits.Len64(extent-1)
		l.count = 1 << bits.Len64((high-l.low)>>l.shift)
		if l.cell() <= mostCell {
			return l, nil
		}
	}
	return l, fmt.Errorf("the test's variables take more than %d bytes", mostCell)
}

// cell is the number of bytes of a cell.
func (l layout) cell() int { return l.object * l.count }

// offset is the offset of an address in a cell.
func (l layout) offset(address uint64) int {
	at := address - l.low
	return int(at>>l.shift)*l.object + int(at&(1<<l.shift-1))
}

// Var is an initial value: a number of some bits at an offset in a cell.
type Var struct {
	Offset int    `json:"offset"`
	Bits   int    `json:"bits"`
	Value  string `json:"value"` // the initial value, in decimal
}

// initial lists the locations whose initial value is not 0.
func (l layout) initial(locs []ir.Location) []Var {
	vars := []Var{}
	for _, loc := range locs {
		if loc.Init != 0 {
			vars = append(vars, Var{l.offset(loc.Address), loc.Bits, fmt.Sprint(loc.Init)})
		}
	}
	return vars
}
