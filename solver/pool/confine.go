package pool

import (
	"log/slog"
	"runtime"
	"strings"
	"sync"
)

// confinement is a means by which the system restricts a process to computing.
type confinement struct {
	name string
	// there is an error where the system has no such thing.
	there   func() error
	confine func(program string) error
}

// Unconfined are the means of keeping children to computing that this system does not have.
func Unconfined() (missing []string) {
	for _, c := range confinements {
		if err := c.there(); err != nil {
			missing = append(missing, c.name)
		}
	}
	if len(confinements) == 0 {
		missing = []string{"any means of " + runtime.GOOS}
	}
	return missing
}

var warnOnce sync.Once

// WarnUnconfined says once in the log which of them are missing.
func WarnUnconfined(log *slog.Logger) {
	warnOnce.Do(func() {
		if missing := Unconfined(); missing != nil {
			log.Warn("child processes that read tests lack the protection of "+strings.Join(missing, ", ")+
				", which this system does not provide",
				"goos", runtime.GOOS)
		}
	})
}
