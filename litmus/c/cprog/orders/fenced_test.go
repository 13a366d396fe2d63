package orders_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/c/cprog/orders"
)

// The edit puts a fence before each statement with an effect, and at a function's end, where it is a statement of its
// own; and nowhere else.
func TestFenced(t *testing.T) {
	const text = `#include "stdatomic.h"
#define full() atomic_thread_fence(memory_order_seq_cst)
static void lock(void)
{
	int seen;
>	struct pair p = {
		1,
	};

>	x = 1;
>	if (atomic_load(&y))
		x = 2;
	else
		x = 3;
>	x = 4;
	full();
	x = 5;
>	while (atomic_load(&y)) {
>		x = 6;
	}
#ifdef A
	if (x)
#endif
		x = 7;
again:
	x = 8;
>	do
		x = 9;
	while (atomic_load(&y));
>	atomic_store(&y, 1);
>}
static int plain(void)
{
	x = 1;
	return 0;
}
`
	given := strings.ReplaceAll(text, ">", "")
	fenced, lines := orders.Fenced(given, func(string) bool { return true })
	var want []string
	var at []int
	for line := range strings.Lines(text) {
		rest, fence := strings.CutPrefix(line, ">")
		if fence {
			at = append(at, len(want)+1)
			want = append(want, "fence")
		}
		want = append(want, strings.TrimSpace(rest))
	}
	var got []string
	for i, line := range strings.Split(strings.TrimSuffix(fenced, "\n"), "\n") {
		line = strings.TrimSpace(line)
		if slices.Contains(lines, i+1) {
			if line != "atomic_thread_fence(memory_order_seq_cst);" {
				t.Errorf("line %d is %q", i+1, line)
			}
			line = "fence"
		}
		got = append(got, line)
	}
	if !slices.Equal(got, want) || !slices.Equal(lines, at) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
