package solver

import (
	"fmt"
	"time"
)

// Limited is the error of work that has reached a limit before its end.
type Limited struct{ Reason string } // "time limit of 3s reached"

// Error is the reason.
func (l *Limited) Error() string { return l.Reason }

// Died is the error of work whose process came to an end before it. What the process said
// is in the pool's log, and not for those who asked.
type Died struct {
	// Crashed: by a fault of the program, which the same work meets again. Otherwise
	// somebody has killed the process, and another one after it.
	Crashed bool
	How     string // the first line of what a crash said, for the log alone, or "signal: killed"
}

// Error is for whoever asked; How stays in the log after a crash.
func (d *Died) Error() string {
	if d.Crashed {
		return "BUG: the worker process crashed on this question: the server's log has the reason"
	}
	return "two worker processes were killed from outside while they worked on this question: " + d.How
}

// Temporary reports whether the same work may go well at another time.
func (d *Died) Temporary() bool { return !d.Crashed }

// Busy is the error of work that was not begun because too much is waiting already, of
// this client or of all.
type Busy struct {
	RetryAfter time.Duration // by when there should be room, in whole seconds
}

// Error says when to try again.
func (b *Busy) Error() string {
	return fmt.Sprintf("too many questions are waiting: try again in %v", b.RetryAfter)
}
