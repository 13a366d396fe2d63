package cycle

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// In the tests of GPUs, threads are in scopes. An edge between two threads says how close they are: Rfe leads to
// another CTA of the same GPU, Rfe.cta to a thread of the same CTA, Rfe.sys to another GPU. The usual closeness, which
// is not written, is that of two threads in the outermost scope of the dialect and in no other: in different work
// groups of one device.
//
// Closeness is a number: 0 is the usual one, -1 is one scope further in, 1 is apart. A word means the same number in
// every dialect that has it. A cycle's edges must agree: two threads of one CTA are equally far from every other
// thread (settle, enterPlaces).

// scopes returns the words for the closeness of threads other than the usual one, the closest first.
func (v *vocabulary) scopes() []string {
	all := litmus.Scopes(v.arch)
	if len(all) == 0 {
		return nil
	}
	return append(slices.Clone(all[:len(all)-1]), v.Apart)
}

// scoped returns the mark of an access without order of a scope that is written .cta, "" if there is none.
func (v *vocabulary) scoped(text string) string {
	scope, ok := strings.CutPrefix(text, ".")
	if !ok || v.Apart == "" {
		return ""
	}
	for _, m := range v.Marks {
		if strings.HasPrefix(m.Like, lower.Relaxed) && strings.EqualFold(strings.TrimPrefix(m.Mark, "Rlx"), scope) {
			return m.Mark
		}
	}
	return ""
}

// where describes the closeness of threads.
func (v *vocabulary) where(scope string) string {
	all := litmus.Scopes(v.arch)
	switch {
	case len(all) == 0:
		return ""
	case scope == "":
		return fmt.Sprintf(", in the same %s but in another %s", all[len(all)-1], all[len(all)-2])
	case scope == v.Apart:
		return fmt.Sprintf(", in another %s", all[len(all)-1])
	}
	return fmt.Sprintf(", in the same %s", scope)
}

// closeness has the number of each word of each dialect.
var closeness = sync.OnceValue(func() map[string]int {
	out := map[string]int{"": 0}
	for _, v := range vocabularies() {
		words := v.scopes()
		for i, word := range words {
			out[word] = i - len(words) + 1
			if word == v.Apart {
				out[word] = 1
			}
		}
	}
	return out
})

// together returns for each thread the first thread that edges of at most a closeness join it to, directly or through
// others.
func (p *plan) together(most int) []int {
	group := make([]int, len(p.threads))
	for i := range group {
		group[i] = i
	}
	for changed := true; changed; {
		changed = false
		for i, e := range p.cycle {
			if !e.External() || closeness()[e.Within] > most {
				continue
			}
			a, b := p.events[i].thread, p.events[(i+1)%len(p.cycle)].thread
			if least := min(group[a], group[b]); group[a] != group[b] {
				group[a], group[b], changed = least, least, true
			}
		}
	}
	return group
}

// scattered returns the first edge whose threads other edges put closer together than it says, -1 if there is none.
func (p *plan) scattered() int {
	for i, e := range p.cycle {
		a, b := p.events[i].thread, p.events[(i+1)%len(p.cycle)].thread
		if !e.External() || a == b {
			continue
		}
		if group := p.together(closeness()[e.Within] - 1); group[a] == group[b] {
			return i
		}
	}
	return -1
}

// usual returns the cycle without scopes of edges between threads.
func (c Cycle) usual() Cycle {
	out := slices.Clone(c)
	for i := range out {
		out[i].Within = ""
	}
	return out
}

// settle gives the edges between threads that name no scope one that agrees with the others: the usual one if that
// does, or else the same other one for all of them. Without one that agrees, it leaves the cycle as it is.
func (v *vocabulary) settle(c Cycle) {
	words := v.scopes()
	if len(words) == 0 {
		return
	}
	slices.Reverse(words)
	for _, word := range slices.Concat([]string{""}, words) {
		tried := slices.Clone(c)
		for i, e := range tried {
			if e.External() && e.Within == "" {
				tried[i].Within = word
			}
		}
		if planned("", tried).scattered() < 0 {
			copy(c, tried)
			return
		}
	}
}

// Settled returns the cycle with scopes for the usual edges between threads that agree with the others, if such scopes
// exist.
func (c Cycle) Settled(arch string) Cycle {
	out := slices.Clone(c)
	if v := find(arch); v != nil && len(v.scopes()) > 0 && c.usual().Check() == nil {
		v.settle(out)
	}
	return out
}

// Agreed returns the cycle with edges between threads that agree with edge i about who shares a scope: as they are if
// they do, or else with the scope of edge i. It leaves a cycle as it is that no test can have for another reason.
func (c Cycle) Agreed(i int) Cycle {
	if c.usual().Check() != nil || planned("", c).scattered() < 0 {
		return c
	}
	out := slices.Clone(c)
	for n, e := range out {
		if e.External() {
			out[n].Within = c[i].Within
		}
	}
	return out
}

// Rescoped returns the cycle with another dialect's words for the closeness of threads. ok is false if the dialect does
// not have all of them; the threads are then in their usual places.
func (c Cycle) Rescoped(to string) (out Cycle, ok bool) {
	words := map[int]string{0: ""}
	if v := find(to); v != nil {
		for _, word := range v.scopes() {
			words[closeness()[word]] = word
		}
	}
	out = slices.Clone(c)
	for i, e := range out {
		word, known := words[closeness()[e.Within]]
		if !known {
			return c.usual(), false
		}
		out[i].Within = word
	}
	return out, true
}

// places returns the place of each thread in the scopes of the dialect, the innermost first. Scopes are numbered within
// the one around them. Observers are beside the first thread.
func (p *plan) places() [][]int {
	n := len(litmus.Scopes(p.arch))
	all := make([][]int, len(p.threads)+len(p.observers))
	around := make([]int, len(p.threads)) // by thread, the first thread of the scope around
	for i := range all {
		all[i] = make([]int, n)
	}
	for scope := n - 1; scope >= 0; scope-- {
		group, used := p.together(scope-n+1), map[int]int{}
		number := map[int]int{} // by group
		for t, g := range group {
			if _, known := number[g]; !known {
				number[g] = used[around[t]]
				used[around[t]]++
			}
			all[t][scope] = number[g]
		}
		around = group
	}
	for o := len(p.threads); o < len(all); o++ {
		copy(all[o], all[0])
	}
	return all
}
