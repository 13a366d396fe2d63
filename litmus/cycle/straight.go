package cycle

import (
	"fmt"
	"strings"
)

// Step is an access of a straight program.
type Step struct {
	Access
	Loc int
	// After says how it follows the previous access of its thread: in program order, by a fence, or by a dependency.
	After Edge
}

// Straight writes the test of a program of plain loads and stores without branches, in the dialect of an instruction
// set. Its condition names all that distinguishes its executions: the value of each load, and the final value of each
// location with several stores.
func Straight(arch, name string, threads [][]Step) (string, error) {
	v := find(arch)
	if v == nil || v.Language != nil || v.Apart != "" {
		return "", fmt.Errorf("there are no straight programs for architecture %q", arch)
	}
	p := &plan{arch: arch}
	stores := map[int]int{}
	labels, locs := 0, 0
	var written []*thread
	var init strings.Builder
	var atoms []string
	for i, steps := range threads {
		t := p.thread(v, &labels)
		for n, s := range steps {
			out := Edge{}
			if n+1 < len(steps) {
				out = steps[n+1].After
			}
			ev := event{loc: s.Loc, access: s.Access, after: s.After, asked: !s.Write}
			if s.Write {
				stores[s.Loc]++
				ev.value = stores[s.Loc]
			}
			locs = max(locs, s.Loc+1)
			t.access(ev, nil, out)
		}
		t.Close()
		if most := v.Assembler.Registers; most > 0 && t.Next > most {
			return "", fmt.Errorf("thread %d needs %d registers, and %s has only %d", i, t.Next, arch, most)
		}
		for _, r := range t.Init {
			init.WriteString(strings.TrimPrefix(fmt.Sprintf("%s %d:%s;\n", r.Type, i, r.Text), " "))
		}
		for _, a := range t.Observed {
			atoms = append(atoms, fmt.Sprintf("%d:%s", i, a))
		}
		written = append(written, t)
	}
	for loc := range locs {
		if stores[loc] > 1 {
			atoms = append(atoms, fmt.Sprintf("%s=%d", locName(loc), stores[loc]))
		}
	}
	if len(atoms) == 0 {
		atoms = []string{"true"}
	}
	return fmt.Sprintf("%s %s\n{\n%s}\n%sexists\n(%s)\n", arch, name, init.String(), columns(arch, written, nil),
		strings.Join(atoms, ` /\ `)), nil
}

// Paired reports whether an access needs a second one, as exclusive accesses do. Straight programs have none.
func (a Access) Paired() bool { return a.Mark == exclusive }
