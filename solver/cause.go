package solver

import (
	"strings"

	"litmuscope/litmus"
)

// maxCause bounds a cause, in bytes.
const maxCause = 200

// place is the "file:line:col: " in front of an error; numbers differ from test to test, but
// not those in names, as of architectures.
var (
	place  = litmus.Pattern(`^[^\n]*?:\d+:\d+: `)
	number = litmus.Pattern(`\b\d+`)
)

// Cause is a short text that groups results without an answer: the first line of what was wrong, without its place and
// numbers. It is "" for an answer.
func (r *Result) Cause() string {
	text := r.Reason
	if r.Status == Failed {
		text = strings.TrimPrefix(place().ReplaceAllString(r.Error, ""), r.Path+": ")
	} else if r.Status == OK {
		return ""
	}
	text, _, _ = strings.Cut(text, "\n")
	text = number().ReplaceAllString(text, "N")
	if len(text) > maxCause {
		text = strings.ToValidUTF8(text[:maxCause], "") + "…"
	}
	return text
}
