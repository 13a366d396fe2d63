package cprog

import (
	"slices"
	"testing"

	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/c/cprog/read"
)

// Addresses go by the names that C has for them; numbers that are none stay numbers, whatever is at such an address.
func TestAddressesHaveNames(t *testing.T) {
	p, err := Lower(t.Context(), read.Source{Files: []read.File{{Name: "t.c", Text: `
#include <pthread.h>
#include <stdlib.h>
struct pair { int key; struct pair *next; };
int x, a[3];
long sum;
struct pair *top, *after;
int *at, *behind;
void (*todo)(void);
void nothing(void) {}
void *left(void *arg) {
	struct pair *n = malloc(sizeof *n);
	n->key = 1;
	top = n;
	after = (struct pair *)&n->next;
	at = &a[1];
	behind = &a[3];
	todo = nothing;
	sum = 1048576;
	return 0;
}
void *right(void *arg) {
	if (top && after && at && behind && todo && sum) x = a[1];
	a[0] = 1;
	return 0;
}
int main(void) {
	pthread_t s, t;
	pthread_create(&s, 0, left, 0);
	pthread_create(&t, 0, right, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
}
`}}}, elaborate.Options{Target: elaborate.Language})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"&x", "&a[0]", "&a[1]", "&a[3]", "&top", "&pair#1", "&pair#1.next", "&pair#1+1",
		"&nothing",
	} {
		v, ok := p.Addresses.Find(name)
		if !ok {
			t.Errorf("nothing is called %s", name)
			continue
		}
		if got := p.FormatValue(v, 64, false); got != name {
			t.Errorf("%s prints as %s", name, got)
		}
		if got := p.FormatValue(v, 32, true); got == name {
			t.Errorf("a number of 32 bits is taken for %s", name)
		}
	}
	for _, name := range []string{"&y", "x", "&a[4]", "&pair#2", "&x+9"} {
		if v, ok := p.Addresses.Find(name); ok {
			t.Errorf("%s is %#x", name, v)
		}
	}
	for i, l := range p.Locs {
		if plain := slices.Contains([]string{"x", "a[0]", "a[1]", "sum"}, l.Name); plain != l.Plain {
			t.Errorf("%s may hold an address: %v", l.Name, !l.Plain)
		} else if got := p.FormatAt(i, 1048576); plain && got != "1048576" {
			t.Errorf("%s holds %s", l.Name, got)
		}
	}
}
