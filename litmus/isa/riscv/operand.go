package riscv

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// views maps every register name to the register's view.
var views = sync.OnceValue(func() map[string]lower.RegisterView {
	m := map[string]lower.RegisterView{}
	add := func(n int, names ...string) {
		whole := "x" + strconv.Itoa(n)
		for _, name := range append(names, whole) {
			m[name] = lower.RegisterView{Whole: whole, Print: whole, Bits: xlen}
		}
	}
	add(0, "zero")
	add(1, "ra")
	add(2, "sp")
	add(3, "gp")
	add(4, "tp")
	add(8, "s0", "fp")
	add(9, "s1")
	for i := range 3 {
		add(5+i, "t"+strconv.Itoa(i))
	}
	for i := range 8 {
		add(10+i, "a"+strconv.Itoa(i))
	}
	for i := 2; i < 12; i++ {
		add(16+i, "s"+strconv.Itoa(i))
	}
	for i := 3; i < 7; i++ {
		add(25+i, "t"+strconv.Itoa(i))
	}
	return m
})

// register parses a register's name: x10 or a0, in either case.
func register(name string) (lower.RegisterView, bool) {
	v, ok := views()[name]
	if !ok {
		v, ok = views()[strings.ToLower(name)]
	}
	return v, ok
}

// x0 is the register that is always 0.
const x0 = "x0"

// kinds are the kinds of operands, by the letters of an instruction's shape.
var kinds = map[byte]lower.Kind{
	'r': lower.ARegister,
	'i': {Want: "a number", Read: lower.ANumber(math.MinInt64, math.MaxInt64).Read},
	'c': lower.ANumber(0, xlen-1), // a number of bits to shift by
	'w': lower.ANumber(0, wordBits-1),
	'm': lower.AnAddress("an address such as 0(x5)", math.MinInt64, math.MaxInt64),
	'p': lower.AnAddress("an address such as (x5), without an offset,", 0, 0),
	'l': lower.ALabel,
	'v': {Want: "a location", Read: func(b *lower.Builder, o *lower.Operand) bool {
		return litmus.IsLabel(o.Text) && !lower.ARegister.Read(b, o)
	}},
	's': {Want: "some of the letters i, o, r and w", Read: func(_ *lower.Builder, o *lower.Operand) bool {
		return o.Text != "" && strings.Trim(strings.ToLower(o.Text), "iorw") == ""
	}},
}
