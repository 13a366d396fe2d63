package models_test

import (
	"fmt"
	"io/fs"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/replay"
)

// The loader reads the bell file beside a model first. Sets of tags that it spells in its own way hold the events of
// those instructions that it gives them to, and of updates that succeed.
func TestBell(t *testing.T) {
	const bell = `enum Accesses = 'once || 'acquire || 'release || 'MB
instructions R[{'once, 'acquire, 'MB}]
instructions W[{'once, 'release}]
instructions RMW[Accesses]
enum Barriers = 'wmb || 'MB || 'rcu-lock || 'strange
instructions F[Barriers]
enum SRCU = 'srcu-lock
instructions SRCU[SRCU]
let Both = Once | Acquire`
	source := `C test
{}
P0(int *x, int *y) {
	int r0 = xchg_acquire(x, 1);
	int r1 = cmpxchg_acquire(x, 5, 7);
	int r2 = READ_ONCE(*y);
	smp_wmb();
	WRITE_ONCE(*y, 2);
	smp_mb();
	int r3 = xchg(y, 3);
}
exists (x=1)`
	p, err := dialect.Parse("test.litmus", source)
	if err != nil {
		t.Fatal(err)
	}
	// xchg_acquire reads 0, cmpxchg_acquire 1, READ_ONCE 0, xchg 2.
	x, err := replay.Replay(p, [][]uint64{{0, 1, 0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]int{
		"Once": 3, "Acquire": 1, "Both": 4, "Release": 0, "MB": 3, "Wmb": 1, "Strange": 0, "Rcu-lock": 0,
		"Srcu-lock": 0,
		"Once & W":  2, "tag2events 'once": 3,
	} {
		m, err := models.ParseWith("folder/k.cat", "empty 0\nshow "+"([_];["+set+"]) as members",
			map[string]string{"k.bell": bell}, dialect.Vocabulary())
		if err != nil {
			t.Errorf("%s: %v", set, err)
			continue
		}
		got := 0
		for _, r := range display.Graph(x, m).Relations {
			if r.Name == "members" {
				got = len(r.Edges)
			}
		}
		if got != want {
			t.Errorf("%s has %d events, want %d", set, got, want)
		}
	}
	files, err := models.Includes("folder/k.cat", `include "other.cat"`, func(name string) (string, error) {
		switch name {
		case "k.bell":
			return `include "tags.cat"`, nil
		case "tags.cat", "other.cat":
			return "let a = 0", nil
		}
		return "", fs.ErrNotExist
	})
	if err != nil || len(files) != 3 {
		t.Errorf("got %v %v, want the bell file and what is included", fmt.Sprint(files), err)
	}
}

// A model that names C11's memory orders means C11's events by names that AArch64 and the
// kernel have too.
func TestNamesOfC11(t *testing.T) {
	p, err := dialect.Parse("test.litmus", `C test
{}
P0(atomic_int *x, int *y, mtx_t *m) {
	*y = 1;
	int r0 = atomic_exchange_explicit(x, 1, memory_order_release);
	mtx_lock(m);
	mtx_unlock(m);
}
exists (x=1)`)
	if err != nil {
		t.Fatal(err)
	}
	x, err := replay.Replay(p, [][]uint64{{0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set    string
		c, not int
	}{
		{"A", 5, 0}, {"R & W", 4, 0}, {"UL", 1, 0}, {"NAL", 1, -1}, {"LK & W", 1, -1}, {"I", 3, 3},
	} {
		for first, want := range map[string]int{"let orders = SC | REL\n": c.c, "": c.not} {
			m, err := models.Parse("m.cat", first+"empty 0\nshow ([_];["+c.set+"]) as members", dialect.Vocabulary())
			if err != nil {
				if want >= 0 {
					t.Errorf("%s: %v", c.set, err)
				}
				continue
			}
			got := 0
			for _, r := range display.Graph(x, m).Relations {
				if r.Name == "members" {
					got = len(r.Edges)
				}
			}
			if got != want {
				t.Errorf("%s%s has %d events, want %d", first, c.set, got, want)
			}
		}
	}
}
