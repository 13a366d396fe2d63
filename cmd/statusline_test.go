package cmd

import (
	"strings"
	"testing"
)

// The status line fits the terminal, and Clear removes it completely.
func TestStatus(t *testing.T) {
	var out strings.Builder
	s := &statusLine{w: &out, width: 20}
	s.Clear()
	s.Say("p.c: 12 of about 90 executions")
	s.Say("p.c: 80")
	s.Clear()
	s.Clear()
	if want := "\r\x1b[Kp.c: 12 of about 9…\r\x1b[Kp.c: 80\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	(&statusLine{}).Say("to nobody")
}
