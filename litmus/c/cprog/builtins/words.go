package builtins

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/read"
)

// Word is a function, or a macro like one, that programs can call without having defined it.
type Word struct {
	Name   string
	Takes  string // its parameters: "(pthread_t, void **)"
	Header string // to be included; "" where it is known without
	Help   string // what it does, of what is more than a header's macro; else ""
	Asks   bool   // by it, a program says what is asked of it
}

var (
	declared = litmus.Pattern(`(?m)^[A-Za-z_][\w \t*]*?\b(\w+)(\([^;{]*\))[^;{]*;`)
	defined  = litmus.Pattern(`(?m)^#[ \t]*define[ \t]+(\w+)(\([^)]*\))`)
	typedefs = litmus.Pattern(`(?m)^typedef\b.*?(\w+);$`)
	spaces   = litmus.Pattern(`\s+`)
)

// Words are all of them, by header and in its order, and behind them those that are known without.
func Words() []Word {
	var out []Word
	seen := map[string]bool{}
	take := func(name, takes, header string) {
		w := Word{Name: name, Takes: spaces().ReplaceAllString(takes, " "), Header: header}
		if b := All()[name]; b != nil {
			w.Takes, w.Help = c.AsWritten(b.written()), b.help
			w.Asks = b.asks
		}
		if f, ok := c.Callees()[c.Kernel][name]; ok && read.IsKernels(header) { // C11 may have one of the name
			w.Takes, w.Help = c.AsWritten(f.Params), f.Help
		}
		if !ownWord(name) && !seen[name] {
			out, seen[name] = append(out, w), true
		}
	}
	read.EachHeader(func(header, text string) {
		for _, form := range []*regexp.Regexp{defined(), declared()} {
			for _, m := range form.FindAllStringSubmatch(text, -1) {
				if form == defined() || All()[m[1]] != nil { // else it is declared, and refused where it is called
					take(m[1], m[2], header)
				}
			}
		}
	})
	for _, name := range slices.Sorted(maps.Keys(All())) {
		take(name, "", "")
	}
	return out
}

// Types are the words that types are made of: C's, and those that headers declare.
func Types() []string {
	out := append(c.Types(), strings.Fields("double enum float sizeof thread_local typedef _Noreturn _Thread_local")...)
	read.EachHeader(func(_, text string) {
		for _, m := range typedefs().FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(m[1], "_") {
				out = append(out, m[1])
			}
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// ownWord tells names of the headers' own, and of the compiler's, from those for programs.
func ownWord(name string) bool {
	if !strings.HasPrefix(name, "_") {
		return false
	}
	for _, p := range []string{"__VERIFIER_", "__CPROVER_", "__goblint_", "__ESBMC_", "__atomic_", "__sync_"} {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return true
}
