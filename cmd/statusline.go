package cmd

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// statusLine shows progress in the last line of a terminal. Clear removes it before something is printed. Without a
// terminal, its methods do nothing.
type statusLine struct {
	w     io.Writer // nil without a terminal
	width int
	mu    sync.Mutex
	shown bool
}

// newStatusLine returns a status line on standard error.
func newStatusLine() *statusLine {
	width, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil {
		return &statusLine{}
	}
	return &statusLine{w: os.Stderr, width: width}
}

// clearLine moves the cursor to the beginning of the line and erases the line.
const clearLine = "\r\x1b[K"

// Say replaces the line, cut to the terminal's width.
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

// Clear removes the line.
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
