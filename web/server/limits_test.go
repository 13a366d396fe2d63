package server

import (
	"strings"
	"testing"
	"time"
)

// A limit that would stop a server is refused by its flag.
func TestLimitsAreChecked(t *testing.T) {
	for want, change := range map[string]func(*Limits){
		"":                                       func(*Limits) {},
		"--rate: -1 is out of range (0 or":       func(l *Limits) { l.Rate = -1 },
		"--keep: -1s is out of range (0 or":      func(l *Limits) { l.Keep = -time.Second },
		"--connections: 0 is out of range (1 or": func(l *Limits) { l.Connections = 0 },
		"--max-timeout: 0s is out of range (more than": func(l *Limits) { l.Options.Timeout = 0 },
		"--max-memory: -2048 is out of range (1 or":    func(l *Limits) { l.Options.Memory = -2048 },
	} {
		l := DefaultLimits()
		change(l)
		if err := l.Check(); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
