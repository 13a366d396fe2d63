package lower

import (
	"regexp"
	"strings"
	"sync"
)

// Feature is what some instructions need and tests cannot have, in words for who has written one.
type Feature struct {
	Why   string
	Names string // mnemonics with blanks between them, regular expressions
}

// WhyNot gives the feature that an instruction needs, by its mnemonic, or "".
func WhyNot(features []Feature, name string) string {
	for _, f := range features {
		if pattern(f.Names).MatchString(name) {
			return f.Why
		}
	}
	return ""
}

// pattern compiles names when they are first asked for.
func pattern(names string) *regexp.Regexp {
	if p, ok := patterns.Load(names); ok {
		return p.(*regexp.Regexp)
	}
	p := regexp.MustCompile("^(?:" + strings.Join(strings.Fields(names), "|") + ")$")
	patterns.Store(names, p)
	return p
}

var patterns sync.Map // by names
