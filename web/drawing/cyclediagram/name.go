package cyclediagram

import (
	"slices"
	"strings"
)

// Text is a line in the middle of a ring.
type Text struct {
	Text string
	Size float64
	Y    float64
}

// Inside sets a test's name in the middle of its ring: the shape, and below it what keeps
// the threads in order, as far as there is room for it.
func (d Drawing) Inside(name string) []Text {
	const (
		ratio          = 0.6 // of a letter, width to size
		largest, small = 36.0, 13.0
		thread         = 66.0 // from the ring to the inner side of its threads' labels
	)
	room := 2 * (d.RX - thread)
	shape, rest := name, ""
	// The + of 2+2W and of W+RWC belongs to the shape: what follows it is in capitals.
	for i := range name {
		if name[i] == '+' && i+1 < len(name) &&
			(name[i+1] >= 'a' && name[i+1] <= 'z' || name[i+1] == '[' || strings.HasPrefix(name[i+1:], "Na")) {
			shape, rest = name[:i], name[i+1:]
			break
		}
	}
	var words []string
	if rest != "" {
		words = strings.Split(rest, "+")
	}
	if len(words) > 4 ||
		slices.ContainsFunc(words, func(w string) bool { return ratio*small*float64(len(w)+1) > room }) {
		words = nil
	}
	for _, words := range [][]string{words, nil} {
		for size := min(largest, room/(ratio*float64(len(shape)))); size >= small; size-- {
			out := []Text{{Text: shape, Size: size}}
			for _, w := range words {
				out = append(out, Text{Text: "+" + w, Size: small})
			}
			y := -(size + 1.3*small*float64(len(out)-1)) / 2
			under := false // something of the ring
			for i := range out {
				y += out[i].Size / 2
				out[i].Y = y
				y += out[i].Size/2 + 0.3*small
				under = under ||
					slices.ContainsFunc(d.boxes(),
						box{y: out[i].Y, w: ratio * out[i].Size * float64(len(out[i].Text)), h: out[i].Size}.over)
			}
			if !under {
				return out
			}
		}
	}
	return nil
}
