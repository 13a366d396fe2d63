package engines_test

import (
	"testing"

	"litmuscope/litmus/ir"
)

// A guessed address, before all that threads do is known, does not lead to the rejection of an object shared by several
// threads: the numbers by which these programs find their way have another value in front of what the other thread
// sets.
func TestWidthsOfWrongGuesses(t *testing.T) {
	const head = threads + `#include <stdlib.h>
static atomic_long k = 1;
static char *n;
static void *make(unsigned long size) { return calloc(1, size); }
static void *f(void *p);
int main(void) {
	n = make(24);
	pthread_t t;
`
	for _, c := range []struct{ name, text, want string }{
		{"where main has written a byte", `
			n[8] = 1; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
			((long *)n)[k] = 5; assert(n[8] == 2 && ((long *)n)[2] == 5); }
			static void *f(void *p) { k = 2; n[8]++; return 0; }`, "safe"},
		{"where the other thread writes a byte", `
			pthread_create(&t, 0, f, 0); pthread_join(t, 0);
			((long *)n)[k] = 5; assert(n[8] == 1 && ((long *)n)[2] == 5); }
			static void *f(void *p) { k = 2; n[8]++; return 0; }`, "safe"},
		{"where both write bytes at once", `
			pthread_create(&t, 0, f, 0);
			long i = k; if (i == 2) { ((long *)n)[i] = 5; assert(n[8] == 1); } else n[8] = 7; pthread_join(t, 0); }
			static void *f(void *p) { n[8]++; k = 2; return 0; }`, "safe"},
		{"where the other's byte is not there yet", `
			pthread_create(&t, 0, f, 0);
			long i = k; if (i == 2) { ((long *)n)[i] = 5; assert(n[8] == 1); } pthread_join(t, 0); }
			static void *f(void *p) { k = 2; n[8]++; return 0; }`, "unsafe"},
		{"where it is a word that is a guess, and another one is behind it", `
			n[16] = 1; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
			((short *)n)[k + 7] = 5; assert(n[16] == 1 && ((short *)n)[10] == 5); }
			static void *f(void *p) { k = 3; n[16] |= 1; return 0; }`, "safe"},
	} {
		for _, by := range [][2]string{{"rc11", "axiomatic"}, {"tso", "machine"}, {"sc", "lazy-cseq"}} {
			if got := answer(held(t, head+c.text, by[0], by[1], ir.Assertion, nil)); got != c.want {
				t.Errorf("%s, under %s by %s: %s, want %s", c.name, by[0], by[1], got, c.want)
			}
		}
	}
}

// A copy to, or a comparison with, an address at which an access of its elements would be misaligned goes byte by byte.
func TestCopiesThatAreNotAligned(t *testing.T) {
	const head = threads + `#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned char x[12];
static void *f(void *p) {
	pthread_mutex_lock(&m); memcpy(x + 1, &(short){0x1234}, 2); memcpy((char *)x + 3 + 4, x, 4); pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t t; pthread_create(&t, 0, f, 0);
	pthread_mutex_lock(&m); int v; memcpy(&v, x + 2, 4); pthread_mutex_unlock(&m);
	pthread_join(t, 0);
`
	for _, c := range []struct{ text, want string }{
		{`assert((v == 0 || v == 0x12) && x[1] == 0x34 && x[2] == 0x12 && x[8] == 0x34); }`, "safe"},
		{`assert(memcmp(x + 1, &(short){0x1234}, 2) == 0 && *(int *)(x + 8) == 0x1234); }`, "safe"},
		{`assert(v == 0); }`, "unsafe"},
	} {
		for _, by := range [][2]string{
			{"rc11", "axiomatic"},
			{"rc11", "graphs"},
			{"tso", "machine"},
			{"aarch64", "graphs"},
		} {
			if got := answer(held(t, head+c.text, by[0], by[1], ir.Assertion, nil)); got != c.want {
				t.Errorf("%s, under %s by %s: %s, want %s", c.text, by[0], by[1], got, c.want)
			}
		}
	}
}
