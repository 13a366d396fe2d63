package dialect_test

import (
	"testing"

	"litmuscope/litmus/dialect"
)

// A test's text determines its language, whatever its comments say.
func TestTongue(t *testing.T) {
	for source, want := range map[string]string{
		"":                                  "",
		"X86 SB\n{}\nP0;\n":                 "X86",
		"(* C *) PPC SB\n{}\n":              "PPC",
		"\ufeffAArch64 SB\n":                "AArch64",
		"C T\n{}\nP0(int *x) { }":           "C",
		"x86-64 SB\n":                       "X86_64",
		"\u00a0arm64\u00a0SB\r{}":           "AArch64",
		"c T\n{}\nP0(int *x) { smp_mb(); }": "LKMM",
		"// a\n/* b */ C T\n{}\nP0(){}":     "C",
		"C T\n{}\nP0(atomic_int *x) { atomic_store(x, 1); }":                            "C",
		"C T\n{}\nP0(int *x) { *x = 1; // as smp_mb() is\n}":                            "C",
		"C smp_mb\nsmp_mb()\n{}\nP0(int *x) { *x = 1; }":                                "C",
		"C T\n{}\nP0(int *x) { smp_mb(); }":                                             "LKMM",
		"(* C11 *) C T\n{}\nP0(int *x) { READ_ONCE (*x); }":                             "LKMM",
		"C T\n{}\nP0(spinlock_t *x) { }":                                                "LKMM",
		"C T\n{}\nP0(int *x) { int r0 = atomic_fetch_add(x, 1); }":                      "C",
		"C T\n{}\nP0(int *x) { int r0 = atomic_fetch_add(1, x); }":                      "LKMM",
		"C T\n{}\nP0(int *x, int *y) { int r0 = *y; int r1 = atomic_fetch_or(r0, x); }": "LKMM",
		"C T\n{ atomic_t x = ATOMIC_INIT(1); }\nP0() { }":                               "LKMM",
		"C T\n{}\nP0(struct srcu_struct *s) { }":                                        "LKMM",
	} {
		if got := dialect.Tongue(source); got != want {
			t.Errorf("%q is %q, want %q", source, got, want)
		}
	}
}

// A header follows any blanks that the parser skips.
func TestTongueBehindBlanks(t *testing.T) {
	for _, blanks := range []string{"", " ", "\t", "\v", "\f\n", "\r\n\v (* a comment *) \f"} {
		source := blanks + "X86\vSB\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n"
		if got := dialect.Tongue(source); got != "X86" {
			t.Errorf("behind %q: got %q, want X86", blanks, got)
		}
		if _, err := dialect.Parse("a.litmus", source); err != nil {
			t.Errorf("behind %q: %v", blanks, err)
		}
	}
}
