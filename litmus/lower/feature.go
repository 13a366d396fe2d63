package lower

import (
	"regexp"
	"strings"
	"sync"
)

// Feature is a property of some instructions that tests cannot have, in words for the author of a test.
type Feature struct {
	Why   string
	Names string // regular expressions for mnemonics, separated by spaces
}

// WhyNot returns the reason why an instruction is not supported, by its mnemonic, or "".
func WhyNot(features []Feature, name string) string {
	for _, f := range features {
		if pattern(f.Names).MatchString(name) {
			return f.Why
		}
	}
	return ""
}

// pattern compiles names when they are first needed.
func pattern(names string) *regexp.Regexp {
	if p, ok := patterns.Load(names); ok {
		return p.(*regexp.Regexp)
	}
	p := regexp.MustCompile("^(?:" + strings.Join(strings.Fields(names), "|") + ")$")
	patterns.Store(names, p)
	return p
}

var patterns sync.Map // by names
