package solver

import (
	"fmt"
	"time"
)

// Limited is the error of work that reached a limit.
type Limited struct {
	Reason string // "time limit of 3s reached"
	// Peak is the memory that the ended process had at its peak, in bytes; 0: not known.
	Peak int64
}

// Error is the reason.
func (l *Limited) Error() string { return l.Reason }

// Died is the error of work whose process ended early. The process's output is in the pool's log and not shown to
// users.
type Died struct {
	// Crashed: the program has a fault, which the same work would meet again. Otherwise somebody killed the process,
	// and a second one after it, from outside.
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

// Temporary reports whether the same work may succeed later.
func (d *Died) Temporary() bool { return !d.Crashed }

// Busy is the error of rejected work, because too much work of this client, or of all clients, is waiting.
type Busy struct {
	RetryAfter time.Duration // by when there should be room, in whole seconds
}

// Error says when to try again.
func (b *Busy) Error() string {
	return fmt.Sprintf("too many questions are waiting: try again in %v", b.RetryAfter)
}
