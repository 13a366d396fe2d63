package solver

import (
	"cmp"
	"fmt"
	"strings"
)

// BoundsText says within which bounds an answer is valid, and the least that show the condition if the engine minimised
// them:
//
//	complete: 3 rounds, 3 timestamps, 2 nodes per location; needs 1 round, 2 timestamps and 2 nodes per location
//	under-approximation (raise rounds to 3): 1 round, 3 timestamps, 2 nodes per location
//
// It is "" for an engine that has no bounds of its own.
func (r *Result) BoundsText() string {
	var used, least []string
	for _, b := range r.Bounds {
		used = append(used, b.Amount(b.Value))
		if b.Least != nil {
			least = append(least, b.Amount(*b.Least))
		}
	}
	if len(used) == 0 {
		return ""
	}
	text := "complete"
	if !r.Complete {
		// Where no bound is too low, only the one on loops can have cut it short.
		text = "under-approximation (" + cmp.Or(Raise(r.Bounds, ""), "raise unroll") + ")"
	}
	text += ": " + strings.Join(used, ", ")
	if len(least) == len(used) {
		text += "; needs " + and(least)
	}
	return text
}

// Raise says what to raise of bounds that may hide executions: "raise rounds to 3 and
// nodes to 2", with sign before each name, as -- before flags. It is "" if they hide none.
func Raise(bounds []Bound, sign string) string {
	var low []string
	for _, b := range bounds {
		if b.Value < b.Enough {
			low = append(low, fmt.Sprintf("%s%s to %d", sign, b.Name, b.Enough))
		}
	}
	if len(low) == 0 {
		return ""
	}
	return "raise " + and(low)
}

// Amount is n of what the bound counts: "2 rounds", "1 node per location", "k = 1".
func (b Bound) Amount(n int) string {
	for _, opt := range OptionTable {
		if opt.Name != b.Name || opt.Counts == "" {
			continue
		}
		unit, of, _ := strings.Cut(opt.Counts, " ")
		if n != 1 {
			unit += "s"
		}
		return strings.TrimSpace(fmt.Sprintf("%d %s %s", n, unit, of))
	}
	return fmt.Sprintf("%s = %d", b.Name, n)
}

// and joins words as one speaks.
func and(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
