package web_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// sight maps linear RGB to what somebody sees who lacks a kind of cones (Machado, Oliveira and Fernandes 2009).
var sight = map[string][3][3]float64{
	"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"no long cones": {
		{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998},
	},
	"no medium cones": {
		{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881},
	},
	"no short cones": {
		{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900},
	},
}

// lab converts a colour, as #rrggbb, to CIELAB as a reader sees it.
func lab(t *testing.T, hex string, of [3][3]float64) (out [3]float64) {
	t.Helper()
	var linear, seen [3]float64
	for i := range linear {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if v := float64(n) / 255; v <= 0.04045 {
			linear[i] = v / 12.92
		} else {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i, row := range of {
		seen[i] = min(1, max(0, row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2]))
	}
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x := f((0.4124*seen[0] + 0.3576*seen[1] + 0.1805*seen[2]) / 0.95047)
	y := f(0.2126*seen[0] + 0.7152*seen[1] + 0.0722*seen[2])
	z := f((0.0193*seen[0] + 0.1192*seen[1] + 0.9505*seen[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Lines of C that follow each other have colours that colour-blind readers tell apart, in both themes. A distance of 10
// in CIELAB is seen at a glance.
func TestTintsAreToldApart(t *testing.T) {
	text, err := os.ReadFile("../static/src/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`--thread-\d: light-dark\((#\w{6}), (#\w{6})\)`).FindAllStringSubmatch(string(text), -1)
	if len(found) != 6 {
		t.Fatalf("tokens.css has %d colours of threads, want 6", len(found))
	}
	for who, of := range sight {
		for theme := range 2 {
			for i := range found {
				a, b := found[i][1+theme], found[(i+1)%len(found)][1+theme]
				x, y := lab(t, a, of), lab(t, b, of)
				if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < 10 {
					t.Errorf("with %s, %s and %s are %.0f apart, want 10", who, a, b, d)
				}
			}
		}
	}
}
