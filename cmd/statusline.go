package cmd

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// statusLine is a line at the end of a terminal that says how far things are, and goes when there is something to
// print; without a terminal, it is nothing.
type statusLine struct {
	w     io.Writer // nil where there is none
	width int
	mu    sync.Mutex
	shown bool
}

// newStatusLine is on standard error.
func newStatusLine() *statusLine {
	width, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil {
		return &statusLine{}
	}
	return &statusLine{w: os.Stderr, width: width}
}

// clearLine goes to the beginning of a terminal's line, and leaves nothing of it.
const clearLine = "\r\x1b[K"

// Say has the line say something else.
func (s *statusLine) Say(words string) {
	if s.w == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if line := []rune(words); len(line) >= s.width {
		words = string(line[:max(s.width-2, 0)]) + "…"
	}
	fmt.Fprint(s.w, clearLine+words)
	s.shown = true
}

// Clear takes the line away.
func (s *statusLine) Clear() {
	if s.w == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown {
		fmt.Fprint(s.w, clearLine)
	}
	s.shown = false
}
