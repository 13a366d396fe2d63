package code

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/c"
	"litmuscope/litmus/cprog/read"
	"litmuscope/litmus/lower"
)

// Word is a function, or a macro like one, that programs can call without having defined it.
type Word struct {
	Name   string
	Takes  string // its parameters: "(pthread_t, void **)"
	Header string // to be included; "" where it is known without
	Help   string // what it does, of what tests in C can call as well; else ""
}

var (
	declared = regexp.MustCompile(`(?m)^[A-Za-z_][\w \t*]*?\b(\w+)(\([^;{]*\))[^;{]*;`)
	defined  = regexp.MustCompile(`(?m)^#[ \t]*define[ \t]+(\w+)(\([^)]*\))`)
	spaces   = regexp.MustCompile(`\s+`)
)

// Words are all of them, by header and in its order.
func Words() []Word {
	var out []Word
	take := func(header, text string) {
		for _, form := range []*regexp.Regexp{defined, declared} {
			for _, m := range form.FindAllStringSubmatch(text, -1) {
				w := inTests(Word{Name: m[1], Takes: spaces.ReplaceAllString(m[2], " "), Header: header})
				if !ownWord(w.Name) && !slices.ContainsFunc(out, func(o Word) bool { return o.Name == w.Name }) {
					out = append(out, w)
				}
			}
		}
	}
	read.EachHeader(take)
	return out
}

// inTests adds what is known of a word in tests in C, of the kernel's where its header is: that takes objects of
// any type, so that nothing is declared of what it takes.
func inTests(w Word) Word {
	tongue := 0
	if w.Header == "lkmm.h" || strings.HasPrefix(w.Header, "linux/") || strings.HasPrefix(w.Header, "asm/") {
		tongue = 1
	}
	f, ok := testWords()[tongue][w.Name]
	if ok && w.Takes == "()" {
		w.Takes = f.Operands
	}
	w.Help = f.Help
	return w
}

// testWords are what tests of C11's and of the kernel's can call, by name.
var testWords = sync.OnceValue(func() (out [2]map[string]lower.Form) {
	for i, tongue := range []string{"C", "LKMM"} {
		out[i] = map[string]lower.Form{}
		for _, f := range (c.Dialect{}).Words(tongue).Forms {
			if _, again := out[i][f.Mnemonic]; !again {
				out[i][f.Mnemonic] = f
			}
		}
	}
	return out
})

// ownWord tells names of the headers' own, and of the compiler's, from those for programs.
func ownWord(name string) bool {
	if !strings.HasPrefix(name, "_") {
		return false
	}
	for _, p := range []string{"__VERIFIER_", "__CPROVER_", "__atomic_", "__sync_"} {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return true
}
