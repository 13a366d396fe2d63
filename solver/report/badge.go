package report

import (
	"fmt"
	"io"
	"strings"
)

// Badge says in a few words how a run went.
type Badge struct {
	Label     string // on the left; "" for litmuscope
	OK        int    // results that are answers
	Unknown   int
	Failed    int
	Remaining int // results that are still to come
}

// WriteBadge draws a badge as SVG: "litmus | 24,997 ok · 3 errors".
func WriteBadge(w io.Writer, b Badge) error {
	label := Options{Title: b.Label}.title()
	parts := []string{thousands(b.OK) + " ok"}
	colour := "#0b6b45"
	if b.Remaining > 0 {
		parts = append(parts, thousands(b.Remaining)+" pending")
		colour = "#2b4c9b"
	}
	if b.Unknown > 0 {
		parts = append(parts, thousands(b.Unknown)+" unknown")
		colour = "#7a5200"
	}
	if b.Failed > 0 {
		parts = append(parts, several(b.Failed, "error"))
		colour = "#a3262a"
	}
	said := strings.Join(parts, " · ")
	const margin = 7
	left := textWidth(label) + 2*margin
	right := textWidth(said) + 2*margin
	_, err := fmt.Fprintf(w,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" viewBox="0 0 %[1]d 20" role="img" aria-label="%[2]s: %[3]s">
<title>%[2]s: %[3]s</title>
<rect width="%[1]d" height="20" rx="4" fill="%[5]s"/><path fill="#434956" d="M4 0H%[4]dV20H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">
<text x="%[6]d" y="14" textLength="%[7]d">%[2]s</text>
<text x="%[8]d" y="14" textLength="%[9]d">%[3]s</text>
</g>
</svg>
`, left+right, attribute(label), attribute(said), left, colour, margin, left-2*margin, left+margin, right-2*margin)
	return err
}

// textWidth is about how wide a text is in 11 pixels of Verdana; the drawing stretches it
// to just that.
func textWidth(s string) int {
	tenths := 0
	for _, c := range s {
		switch {
		case strings.ContainsRune(" .,:;'|!iIjl·", c):
			tenths += 40
		case strings.ContainsRune("frt-()[]/", c):
			tenths += 50
		case strings.ContainsRune("mwMW@%", c):
			tenths += 105
		case c >= 'A' && c <= 'Z' || c > 0x2000:
			tenths += 80
		default:
			tenths += 70
		}
	}
	return (tenths + 9) / 10
}
