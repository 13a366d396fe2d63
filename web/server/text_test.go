package server

import (
	"testing"
	"time"
)

func TestShortTime(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"40s": 40 * time.Second, "1m": time.Minute, "1m30s": 90 * time.Second,
		"2h": 2 * time.Hour, "10s": 10 * time.Second,
	} {
		if got := ShortTime(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}
