package litmus

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first asked for: any one command wants few of the
// program's.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
