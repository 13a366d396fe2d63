package paged

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Copies are independent, whatever a program sets in which, and Differing reports every difference between two.
func TestCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const length = 3*pageSize + 5
		arrays, plain := []*Array[int]{{}}, [][]int{make([]int, length)}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, len(arrays)-1).Draw(t, "array")
			if len(arrays) < 6 && rapid.Bool().Draw(t, "copy") {
				c := arrays[i].Shared()
				arrays, plain = append(arrays, &c), append(plain, slices.Clone(plain[i]))
				continue
			}
			at, v := rapid.IntRange(0, length-1).Draw(t, "at"), rapid.IntRange(0, 3).Draw(t, "value")
			arrays[i].Set(at, v)
			plain[i][at] = v
		}
		for i, a := range arrays {
			for at, want := range plain[i] {
				if got := a.At(at); got != want {
					t.Fatalf("array %d has %d at %d, want %d", i, got, at, want)
				}
			}
		}
		differing := slices.Collect(Differing(arrays...))
		for at := range length {
			for i := range plain {
				if plain[i][at] != plain[0][at] && !slices.Contains(differing, at) {
					t.Fatalf("arrays 0 and %d differ at %d, which is not said", i, at)
				}
			}
		}
	})
}
