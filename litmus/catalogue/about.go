package catalogue

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// ask sets the cycles of the tests, from cycles.txt.
func ask(all []Entry) {
	at := index(all)
	for n, line := range numbered("cycles.txt") {
		id, cycle, _ := strings.Cut(line, " | ")
		i, ok := at[id]
		if !ok || cycle == "" {
			panic(fmt.Sprintf("BUG: cycles.txt:%d: want ID | CYCLE of a classic test, got %q", n, line))
		}
		all[i].Cycle = cycle
	}
}

// remark sets the remarks of tests, from remarks.txt: ": ID ID …" and then the text that these tests share.
func remark(all []Entry) {
	at := index(all)
	var of []int
	for n, line := range numbered("remarks.txt") {
		ids, isHead := strings.CutPrefix(line, ": ")
		if !isHead {
			for _, i := range of {
				all[i].Remark = strings.TrimSpace(all[i].Remark + " " + line)
			}
			continue
		}
		of = nil
		for id := range strings.FieldsSeq(ids) {
			i, ok := at[id]
			if !ok || all[i].Remark != "" {
				panic(fmt.Sprintf("BUG: remarks.txt:%d: no classic test %s, or a second remark on it", n, id))
			}
			of = append(of, i)
		}
	}
}

// index returns the position of entries by architecture and name: X86/SB.
func index(all []Entry) map[string]int {
	out := map[string]int{}
	for i, e := range all {
		out[e.Arch+"/"+e.Name] = i
	}
	return out
}

// cite sets the sources of verdicts, from sources.txt. ": KEY | WORK" names a work, and
//
//	ID ID … | MODEL … | allowed | KEY, place
//
// says that the work reports that verdict for these tests under these models. An ID may have * for any characters but
// /. One that begins with * leaves out tests of a system's side, which only one model decides. The verdict must be the
// one in the table. If there are several sources, the first counts.
func cite(all []Entry) {
	works := map[string]string{}
	for n, line := range numbered("sources.txt") {
		fail := func(format string, args ...any) {
			panic(fmt.Sprintf("BUG: sources.txt:%d: %s", n, fmt.Sprintf(format, args...)))
		}
		f := strings.Split(line, " | ")
		if work, ok := strings.CutPrefix(line, ": "); ok {
			key, title, ok := strings.Cut(work, " | ")
			if !ok || works[key] != "" {
				fail("want a new KEY | WORK, got %q", work)
			}
			works[key] = title
			continue
		}
		if len(f) != 4 {
			fail("want TESTS | MODELS | VERDICT | KEY, PLACE")
		}
		key, place, _ := strings.Cut(f[3], ", ")
		work := works[key]
		if work == "" {
			fail("no work %q", key)
		}
		if place != "" {
			work += ", " + place
		}
		if f[2] != allowed && f[2] != forbidden {
			fail("want allowed or forbidden, got %q", f[2])
		}
		models := strings.Fields(f[1])
		for pattern := range strings.FieldsSeq(f[0]) {
			found := false
			for i := range all {
				id := all[i].Arch + "/" + all[i].Name
				if ok, err := path.Match(pattern, id); err != nil {
					fail("%v", err)
				} else if !ok || all[i].system && strings.HasPrefix(pattern, "*") {
					continue
				}
				found = true
				for _, m := range models {
					j := slices.IndexFunc(all[i].Verdicts, func(v Verdict) bool { return v.Model == m })
					if j < 0 {
						fail("no model %q", m)
					}
					switch v := &all[i].Verdicts[j]; {
					case v.Verdict != f[2]:
						fail("%s under %s is %s in the table", id, m, v.Verdict)
					case v.Source == "":
						v.Source = work
					}
				}
			}
			if !found {
				fail("there is no classic test %s", pattern)
			}
		}
	}
}
