package litmus

import (
	"regexp"
	"sync"
)

// Pattern returns a function that compiles a regular expression on its first call: a single command uses few of the
// program's patterns.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
