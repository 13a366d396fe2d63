package cat

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// absent are the sets of events that published models name and no test has: patterns of their names, and what they
// would contain.
var absent = []struct {
	names func() *regexp.Regexp
	what  string
}{
	{litmus.Pattern(`^TLBI[A-Za-z0-9]*(\.[A-Z0-9]+)*$`), "invalidations of translations"},
	{litmus.Pattern(`^(DC|CMO|Po[CDPU])(\.[A-Z0-9]+)*$`), "maintenance of data caches"},
	{litmus.Pattern(`^(IC(\.[A-Z0-9]+)*|Instr|IF|Restricted-CMODX)$`), "fetches of instructions"},
	{
		litmus.Pattern(`^(MMU|AT(\.[A-Z0-9]+)+|PT|PTE[A-Z0-9]*|TTD[A-Z0-9]*|HU|Translation|AccessFlag|Permission)$`),
		"accesses of page tables",
	},
	{litmus.Pattern(`^(T|Tag|TagCheck)$`), "memory tags"},
	{litmus.Pattern(`^(Rreg|Wreg|ADDR|DATA|NDATA|B|BCC|PRED)$`), "accesses of registers, and branches"},
	{litmus.Pattern(`^(FAULT|EXC|EXC-ENTRY|EXC-RET|SVC|ERET|DATABORT|GIC[A-Z0-9]*)$`), "exceptions"},
}

// Absent is a place where a model names a set of events that no test has.
type Absent struct {
	Pos  litmus.Pos
	Name string
	What string // what it would contain
}

// emptySet returns the empty set for the name of such a set, and records the place unless a try handles undefined
// names.
func (r *resolver) emptySet(n Name) (value, bool) {
	for _, a := range absent {
		if !a.names().MatchString(n.Name) {
			continue
		}
		if at := (Absent{n.Pos, n.Name, a.what}); r.trying == 0 && r.guessing == 0 &&
			!slices.Contains(r.model.Absent, at) {
			r.spend(1)
			r.model.Absent = append(r.model.Absent, at)
		}
		return value{expr: Nothing{n.Pos}, kind: Set, size: 1}, true
	}
	return value{}, false
}

// AbsentRemark returns a remark at the first of the places that lists the empty sets; none if there are no places.
func AbsentRemark(at []Absent) []litmus.Remark {
	if len(at) == 0 {
		return nil
	}
	var kinds []string
	names := map[string][]string{}
	for _, a := range at {
		if names[a.What] == nil {
			kinds = append(kinds, a.What)
		}
		if !slices.Contains(names[a.What], a.Name) {
			names[a.What] = append(names[a.What], a.Name)
		}
	}
	for i, what := range kinds {
		kinds[i] = fmt.Sprintf("%s (%s)", strings.Join(names[what], ", "), what)
	}
	return []litmus.Remark{
		litmus.Remarkf(at[0].Pos, "no test has such events, so these sets of the model are empty: %s",
			strings.Join(kinds, "; ")),
	}
}
