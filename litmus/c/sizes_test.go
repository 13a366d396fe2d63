package c_test

import (
	"strings"
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/ir"
)

// Accesses of several widths to one object have the values they have in C on a little-endian machine.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		params, init, body, want string
		split                    bool
	}{
		{
			"uint32_t *x", "x = 0x01020384;",
			"uint8_t r = *(uint8_t *)x; char q = *(char *)x; int h = ((uint8_t *)x)[3];",
			"0:r=0x84 0:q=-124 0:h=1 x=0x01020384", true,
		},
		{
			"int *x", "", "*((uint8_t *)x + 1) = 0x1ff; ((uint16_t *)x)[1] = 0x8000; int r = *x;",
			"0:r=-2147418368 x=0x8000ff00", true,
		},
		{"int *x", "int x = -2;", "*(uint16_t *)x = 5; int r = *x;", "0:r=-65531 x=-65531", true},
		{
			"uint16_t *x", "uint64_t x = 0x0011223344556677;", "x[1]++; x[3] += 0x100; uint16_t r = x[2];",
			"0:r=0x2233 x=0x0111223344566677", true,
		},
		{
			"uint16_t *x, uint16_t *y", "uint16_t x[3] = {1,2,3};",
			"uint32_t *p = (uint32_t *)x; *p = 0x50004; uint16_t *q = x + 2; int r = q - x; *y = *q;",
			"x[0]=4 x[1]=5 x[2]=3 0:r=2 y=3", true,
		},
		{
			"uint32_t *x", "", "*(uint8_t *)(void *)((void *)x + 2) = 7; int r = (char *)(x + 1) - (char *)x;",
			"x=0x70000 0:r=4", true,
		},
		{
			"uint32_t *x", "",
			"uint8_t e = 1; uint8_t *p = (uint8_t *)x; p += 3; int q = *--p; p[1] = 9; uint32_t r = *x;",
			"0:r=0x9000000 0:q=0", true,
		},

		{
			"uint32_t *x", "x = 0x1ff;", "int r = atomic_fetch_add_explicit((_Atomic(uint8_t) *)x, 1, " +
				"memory_order_relaxed); int q = atomic_exchange((atomic_ushort *)x, 0x203);",
			"0:r=0xff 0:q=0x100 x=0x203", true,
		},
		{
			"uint32_t *x", "x = 0x1ff;",
			"uint8_t e = 0xff; int r = atomic_compare_exchange_strong((_Atomic uint8_t *)x, &e, 0x155);",
			"0:r=1 0:e=0xff x=0x155", true,
		},
		{
			"uint32_t *x", "x = 0x1ff;",
			"uint8_t f = 0; int q = atomic_compare_exchange_strong((_Atomic uint8_t *)x + 1, &f, 7);",
			"0:q=0 0:f=1 x=0x1ff", true,
		},
		{
			"uint32_t *x", "x = 0x180;", "int r = atomic_fetch_sub((atomic_char *)x, 1); (*((atomic_uchar *)x + 1))--;",
			"0:r=-128 x=0x7f", true,
		},
		{"atomic_int *x", "x = 1;", "atomic_store_explicit(x, -1, memory_order_relaxed); unsigned r = *(unsigned " +
			"*)x; long q = *(uint16_t *)x;", "0:r=0xffffffff 0:q=0xffff x=-1", true},
		{"u64 *x, int *y", "", "spin_lock((spinlock_t *)x); WRITE_ONCE(((u32 *)x)[1], 3); *y = READ_ONCE(*x) == " +
			"0x300000001; spin_unlock((spinlock_t *)x);", "x=0x300000000 y=1", true},
		{
			"atomic_t *k", "k = 0x1ff;", "u8 r = xchg((u8 *)k, 2); int q = atomic_add_return(1, k); int h = " +
				"cmpxchg((u16 *)k, 0x103, 0x18001); int e = smp_load_acquire((u8 *)k);",
			"0:r=0xff 0:q=0x103 0:h=0x103 0:e=1 k=0x8001", true,
		},
		{
			"struct node *n", "n.val = 0x102;",
			"int r = *((uint8_t *)&n->val + 1); *(uint8_t *)&n->val = 3; long q = n->val;", "0:r=1 0:q=0x103", true,
		},
		{
			"uint32_t *x", "",
			"int r = (_Bool)*x; *(bool *)x = 6; int q = (int)(uint32_t)-1 < 0; int h = (int)4294967295 + 0;",
			"0:r=0 x=1 0:q=1 0:h=-1", true,
		},

		{
			"int32_t *x", "uint32_t x = 0;", "*x -= 1; unsigned r = *(unsigned *)x;",
			"x=0xffffffff 0:r=0xffffffff", false,
		},
		// A location that is declared with two widths and accessed with one has the width of its accesses.
		{"uint8_t *x", "uint32_t x = 7;", "*x = 300;", "x=44", false},
		{"int8_t *x", "uint32_t x = 7;", "*x = -1; int r = *x;", "x=255 0:r=-1", false},
		{"uint8_t *x, int *y", "uint32_t x = 7;", "uint8_t *p = x; if (*y) p = x; *p = 9;", "x=9", false},
		{
			"uint8_t *x", "uint32_t x = 0x30201;", "int r = 0; for (int i = 0; i < 3; i++) r += x[i];",
			"0:r=6 x=0x30201", true,
		},
		// All other tests use cells, whatever their types are.
		{
			"uint32_t *x, uint8_t *y, int *z", "", "*x = 0x10001; *y = *x; *z = 2147483647; ++*z;",
			"x=0x10001 y=1 z=2147483648", false,
		},
	} {
		source := "C T\n{ " + c.init + " }\nP0(" + c.params + ") {\n" + c.body + "\n}\nexists (" +
			strings.Join(strings.Fields(c.want), ` /\ `) + ")\n"
		p, err := dialecttest.Lower(dialect, source)
		if err != nil {
			t.Errorf("%s\n%v", source, err)
			continue
		}
		if p.Split != c.split {
			t.Errorf("%s\nsplit: %v", source, p.Split)
		}
		var s ir.State
		for _, choice := range []bool{true, false} {
			if s == nil || !p.Satisfies(p.Condition.Prop, s) {
				s = dialecttest.Run(t, p, choice, func(ir.Action) {})
			}
		}
		if s == nil || !p.Satisfies(p.Condition.Prop, s) {
			t.Errorf("%s\ngot  %s\nwant %s", c.body, p.FormatState(s), c.want)
		}
	}
}

// Locations as wide as their types do not support everything.
func TestSizesRefused(t *testing.T) {
	for _, c := range []struct{ params, init, body, want string }{
		{
			"uint32_t *x", "", "*(uint16_t *)((uint8_t *)x + 1) = 1;",
			"t:4:1: access of 16 bits to x+1: misaligned accesses are not supported",
		},
		{"uint8_t *x", "uint8_t x = 1;", "int r = *(int *)x;", "t:4:1: access of 32 bits to x, which has 8"},
		{
			"uint32_t *x, int *y", "", "*(uint8_t *)x = 1; *y = x;",
			"t:4:21: C: an address does not fit in the 32 bits of int: use a pointer, as in int *p",
		},
		{
			"uint32_t *x", "uint32_t x = y;", "*(uint8_t *)x = 1;",
			"t:2:16: x has 32 bits, but the address of y needs 64",
		},
		{
			"union u *x", "", "x->a = 1;",
			"t:4:2: C: a test does not declare the types of a union's members: cast its address, as in *(uint8_t *)x",
		},
		{
			"__int128 *x", "", "*(uint8_t *)x = 1;",
			"t:3:14: C: x: 128-bit accesses are not supported in a test with accesses of several widths",
		},
	} {
		_, err := dialecttest.Lower(dialect, "C T\n{ "+c.init+" }\nP0("+c.params+") {\n"+c.body+"\n}\nexists true\n")
		if err == nil {
			t.Errorf("%s: no error", c.body)
		} else if got, _, _ := strings.Cut(err.Error(), "\n"); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.body, got, c.want)
		}
	}
}
