package run

import (
	"testing"

	"litmuscope/litmus/ir"
)

// The engine finds a thread that loops for ever without an effect that others see, however many rounds one period
// takes; who comes to an end, after however many rounds, is not.
func TestGoesRoundForEver(t *testing.T) {
	for _, c := range []struct {
		name, body string
		endless    bool
	}{
		{"a counter that wraps around", `unsigned char i = 0; while (i != 256) i++;`, true},
		{"a wider one", `unsigned short i = 0; while (i != 65536) i += 3;`, true},
		{"after a while", `int n = 100000, b = 0; for (;;) if (n) n--; else b = !b;`, true},
		{"in memory", `for (g[7] = 3;; g[g[7] & 7] ^= 9) g[7] = (g[7] * 5 + 1) & 255;`, true},
		{"a loop within it", `for (unsigned char i = 0; i < 256; i++) for (int j = 0; j < 9; j++) g[j] ^= i;`, true},
		{
			"a jump back",
			`unsigned char i = 0; again: i += 7; for (int j = 0; j < 3; j++) g[j] = i; if (i < 256) goto again;`, true,
		},
		{"a call", `unsigned short i = 0; while (half(i++) < 40000) ;`, true},
		{"far below", `return deep(200);`, true},
		{"who counts rounds", `unsigned long n = 0; for (;;) n += 3;`, true},
		{
			"who counts in memory, by way of a call",
			`unsigned char i = 0; for (;;) { g[2] = twice(g[2]) + 1; g[3] = g[2] ^ g[1]; g[1]++; for (int j = 0; j < 3; j++) i += j; }`, true,
		},
		{
			"who counts rounds of a loop within it",
			`unsigned long n = 0; for (unsigned char i = 0; i < 256; i++) for (int j = 0; j < 50; j++) n += j;`, true,
		},
		{
			"who has something begin anew", `for (;;) { int k = g[0]; unsigned m[2] = {k | 1, 3}; g[0] += m[g[1]]; }`,
			true,
		},
		{
			"a counter of few bits that is less than it can be",
			`for (unsigned short i = 0; i >= -25; i -= 6) g[i & 7] = i;`, true,
		},
		{
			"a counter that decides what it does, and not whether it ends",
			`unsigned n = 0, m = 0; for (;;) { if (++n % 3) m ^= n; else for (unsigned j = 0; j < (n & 7); j++) g[j] = m; }`, true,
		},
		{
			"one of whose addresses is counted",
			`unsigned n = 0; int *p = g; for (unsigned char i = 1; i; i += 2) { *p = n; p = n++ % 5 ? g + 3 : &g[n % 16]; }`, true,
		},
		{
			"one that calls itself as often as it has counted", `unsigned n = 0; for (;;) { down(n & 15); n += 3; }`,
			true,
		},
		{
			"one that ends by where it writes last",
			`for (unsigned n = 0;; n++) { g[n & 7] = 5; g[(n + 1) & 7] = 0; if (n == 100000 && g[n & 7] == 5) break; }`,
			false,
		},
		{
			"one that ends by a part of what it counts", `for (unsigned n = 0; ((unsigned char *)&n)[2] != 2; n++) ;`,
			false,
		},
		{"one that counts to its end in memory", `for (g[1] = 5; g[0] < 100000; g[0]++) g[1] += g[0] & 1;`, false},
		{
			"one that counts to its end, by way of what it has counted",
			`unsigned n = 0, m = 0; for (;;) { n++; m = n / 2; if (m == 60000) break; }`, false,
		},
		{"one that ends where an address comes to", `unsigned n = 0; for (g[15] = 1; !g[n / 10000]; n++) ;`, false},
		{
			"one that ends by a function that a counter picks",
			`unsigned n = 0; unsigned (*fs[2])(unsigned) = {half, twice}; while (fs[n >= 100000](2) != 4) n++;`, false,
		},
		{
			"one that ends by what comes of a counter only later",
			`unsigned n = 0, a = 0, b = 0, c = 0; while (c < 50000) { c = b; b = a; a = n++; }`, false,
		},
		{"one that ends", `int n = 0; for (unsigned i = 0; i < 150000; i++) n += i & 1; return n != 75000;`, false},
		{"one whose registers are as they were, and memory is not", `for (g[0] = 200000; g[0]; ) g[0]--;`, false},
		{"one that is as it was but far below", `return count(0) != 199;`, false},
	} {
		text := "int g[16];\nvoid down(int n) { if (n) down(n - 1); }\n" +
			"unsigned half(unsigned n) { return n / 2; }\nunsigned twice(unsigned n) { return n * 2; }\n" +
			"int deep(int n) { for (unsigned char i = n; !n && i < 256; i++) ; return n ? deep(n - 1) : 0; }\n" +
			"int count(int n) { for (int i = 0; i < 400; i++) ; return n < 199 ? count(n + 1) : n; }\n" +
			"int main(void) { " + c.body + " return 0; }\n"
		a, main := end(t, program(t, text, ""))
		if !c.endless && (a.Kind != ir.ActEnd || main.Result() != 0) || c.endless &&
			(a.Kind != ir.ActBlocked || !a.Endless) {
			t.Errorf("%s: %+v, %d, want it to go round for ever: %v", c.name, a, main.Result(), c.endless)
		}
	}
}
