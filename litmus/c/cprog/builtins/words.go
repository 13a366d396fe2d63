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

// Word is a function or function-like macro that programs can call without defining it.
type Word struct {
	Name   string
	Takes  string // its parameters: "(pthread_t, void **)"
	Header string // the header that declares it; "" if it needs none
	Help   string // its effect; "" if it is only a header's macro
	Asks   bool   // programs state properties or assumptions with it
}

var (
	declared = litmus.Pattern(`(?m)^[A-Za-z_][\w \t*]*?\b(\w+)(\([^;{]*\))[^;{]*;`)
	defined  = litmus.Pattern(`(?m)^#[ \t]*define[ \t]+(\w+)(\([^)]*\))`)
	typedefs = litmus.Pattern(`(?m)^typedef\b.*?(\w+);$`)
	spaces   = litmus.Pattern(`\s+`)
)

// Words returns all functions and macros: first those of headers, in the headers' order, then those that need no
// header.
func Words() []Word {
	var out []Word
	seen := map[string]bool{}
	take := func(name, takes, header string) {
		w := Word{Name: name, Takes: spaces().ReplaceAllString(takes, " "), Header: header}
		if b := All()[name]; b != nil {
			w.Takes, w.Help = c.AsWritten(b.written()), b.help
			w.Asks = b.asks
		}
		if f, ok := c.Callees()[c.Kernel][name]; ok && read.IsKernels(header) { // C11 may have one with the same name
			w.Takes, w.Help = c.AsWritten(f.Params), f.Help
		}
		if !ownWord(name) && !seen[name] {
			out, seen[name] = append(out, w), true
		}
	}
	read.EachHeader(func(header, text string) {
		for _, form := range []*regexp.Regexp{defined(), declared()} {
			for _, m := range form.FindAllStringSubmatch(text, -1) {
				if form == defined() || All()[m[1]] != nil { // other functions are only declared
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

// Types returns the words that types consist of: C's, and the types that headers define.
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

// ownWord reports whether a name is internal to the headers or the compiler, and not for programs.
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
