package play

import (
	"fmt"
	"strings"
)

// MaxPath bounds the steps of a path.
const MaxPath = 2000

// ParsePath reads a path: steps in the notation of a machine, separated by commas. "" is the path without steps. An
// error names the step, from 1.
func ParsePath[Step any](text string, parse func(string) (Step, error)) ([]Step, error) {
	var out []Step
	if text == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		if len(out) == MaxPath {
			return nil, fmt.Errorf("the path has more than %d steps", MaxPath)
		}
		st, err := parse(part)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", len(out)+1, err)
		}
		out = append(out, st)
	}
	return out, nil
}
