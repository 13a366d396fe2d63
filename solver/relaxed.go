package solver

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// How plain accesses count: as themselves, or as relaxed atomics. Code from before C11 needs the latter.
const (
	CountPlain   = "plain"
	CountRelaxed = "relaxed"
)

// RelaxedAccesses reports which plain accesses of a task's program count as relaxed atomics: those of volatile objects,
// and those of variables and fields of some names. Its error is the user's.
func (t *VerifyTask) RelaxedAccesses() (volatile bool, names []string, err error) {
	switch t.Volatile {
	case "", CountPlain:
	case CountRelaxed:
		volatile = true
	default:
		return false, nil, fmt.Errorf("--volatile: unknown value %q: want %s or %s", litmus.Shorten(t.Volatile),
			CountPlain, CountRelaxed)
	}
	if t.Plain == "" {
		return volatile, nil, nil
	}
	how, list, ok := strings.Cut(t.Plain, ":")
	if !ok || how != CountRelaxed {
		return false, nil, fmt.Errorf("--plain: unknown value %q: want %s:NAME, or names with commas between them",
			litmus.Shorten(t.Plain), CountRelaxed)
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !isCName(name) {
			return false, nil, fmt.Errorf("--plain: %q is no name: want the name of a variable or of a field",
				litmus.Shorten(name))
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return volatile, names, nil
}

// isCName reports whether s is an identifier of C.
func isCName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// RelaxedRemarks say which plain accesses count as relaxed atomics, of a task that admits.
func (t *VerifyTask) RelaxedRemarks() (out []Remark) {
	volatile, names, _ := t.RelaxedAccesses()
	if volatile {
		out = append(out, Remark{
			Line: 1, Column: 1,
			Message: "volatile accesses count as relaxed atomics (--volatile=relaxed)",
		})
	}
	if len(names) > 0 {
		out = append(out, Remark{Line: 1, Column: 1, Message: "plain accesses of " + strings.Join(names, ", ") +
			" count as relaxed atomics (--plain=relaxed:" + strings.Join(names, ",") + ")"})
	}
	return out
}
