package litmus

import "testing"

func TestDidYouMean(t *testing.T) {
	known := []string{"MOV", "LDR", "LDAR", "memory_order_release", "memory_order_relaxed", "PodWR", "Fre", "y"}
	for word, want := range map[string]string{
		"LDRR":                 "LDR",
		"ldrr":                 "ldr",
		"LRD":                  "LDR",
		"MOVE":                 "MOV",
		"fre":                  "Fre",
		"memory_order_relase":  "memory_order_release",
		"memory_order_relxaed": "memory_order_relaxed",
		"PodRW":                "PodWR",
		"ADD":                  "",
		"x":                    "",
		"Y":                    "y",
		"":                     "",
		"atomic_thread_fence":  "",
	} {
		if want != "" {
			want = ": did you mean " + want + "?"
		}
		if got := DidYouMean(word, known).String(); got != want {
			t.Errorf("DidYouMean(%q) is %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "ab", 2},
		{"ab", "ba", 1},
		{"abc", "abd", 1},
		{"abc", "ac", 1},
		{"abcd", "badc", 2},
		{"kitten", "sitting", 3},
	} {
		if got, back := distance(c.a, c.b), distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("from %q to %q it is %d, and back %d: want %d", c.a, c.b, got, back, c.want)
		}
	}
}
