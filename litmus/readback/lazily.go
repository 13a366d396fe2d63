package readback

import (
	"regexp"
	"sync"
)

// lazily returns a regular expression that is compiled when it is first used. Compiling all of this package's
// expressions takes a millisecond, which no command should spend that reads no listing.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
