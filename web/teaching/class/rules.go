package class

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Phase is the progress of an item:
//
//	waiting ──open──▶ open ──close──▶ closed ──reveal──▶ revealed
//	                   ▲ ◀──open──────┘  │ ▲               │
//	                   │                 │ └────cover──────┘
//	                   └─open── discussing ◀─discuss
//
// Opening an item after a discussion begins another round. Each round has its own votes, and the votes of earlier
// rounds stay. A voter's last vote in a round counts; for edits, which are judged at once, the last one that reaches
// the goal.
type Phase string

// The phases of an item.
const (
	Waiting    Phase = "waiting"
	Opened     Phase = "open"
	Closed     Phase = "closed"
	Discussing Phase = "discussing" // with one's neighbours, before another round
	Revealed   Phase = "revealed"
)

// Progress is the phase of an item, and which part of its answer is shown.
type Progress struct {
	Phase  Phase `json:"phase"`
	Round  int   `json:"round"`            // the last that was opened, from 1; 0 before any
	Closed int64 `json:"closed,omitempty"` // when, in milliseconds since 1970
	Ends   int64 `json:"ends,omitempty"`   // when an open vote ends by itself, likewise; 0: not
	Part   int   `json:"part,omitempty"`   // the part whose evidence is on show; see Show
	Step   int   `json:"step"`             // … and at which of its steps; -1: at the end
	// Hidden lists written answers, folded, that only the teacher sees.
	Hidden []string `json:"hidden,omitempty"`
	// Runs is how often the class's devices have been asked to run the test. Asking says that they are asked now, and
	// Stopped when that ended, in milliseconds since 1970. About is data of the pages about the last run.
	Runs    int             `json:"runs,omitempty"`
	Asking  bool            `json:"asking,omitempty"`
	Stopped int64           `json:"stopped,omitempty"`
	About   json.RawMessage `json:"about,omitempty"`
}

// State is the state of a lecture.
type State struct {
	Current int  `json:"current"` // the item that is on
	Live    bool `json:"live"`    // the tally is seen by all while votes come in
	// Wide allows as many voters from one address as the room may have.
	Wide bool `json:"wide,omitempty"`
	// Board gives voters names and points. Leaders shows the players with the most points instead of the revealed
	// answer.
	Board   bool `json:"board,omitempty"`
	Leaders bool `json:"leaders,omitempty"`
	// Counts shows what the class's devices have counted instead of the question and its answer.
	Counts bool `json:"counts,omitempty"`
}

// Verb names a teacher's action.
type Verb string

// The teacher's actions.
const (
	Open    Verb = "open"    // the item, for another round where it was discussed
	Close   Verb = "close"   // … which goes on being counted for Grace
	Timer   Verb = "timer"   // have it end in N seconds, and open it if it is not; 0: not by itself
	More    Verb = "more"    // … N seconds later than it was to
	Discuss Verb = "discuss" // close it, and have neighbours talk
	Reveal  Verb = "reveal"  // close it, and show what is right
	Cover   Verb = "cover"   // take that back
	Goto    Verb = "goto"    // go to item N; what is open here closes
	Show    Verb = "show"    // of what is revealed, the evidence of part N, or of the Nth edit
	Step    Verb = "step"    // … at step N; -1 for the end
	Live    Verb = "live"    // show the tally while votes come in, unless N is 0
	Wide    Verb = "wide"    // let many join from one address, unless N is 0
	Board   Verb = "board"   // give names and points, unless N is 0
	Leaders Verb = "leaders" // show who has most points once something is revealed, unless N is 0
	Hide    Verb = "hide"    // keep what was written, Text, from all others, revealed or not
	Unhide  Verb = "unhide"  // … no more
	Devices Verb = "devices" // ask the class's devices no more, with N 0; AskDevices asks them
	Counts  Verb = "counts"  // show what they have counted, unless N is 0
)

// Action is a teacher's action on the current item.
type Action struct {
	Do   Verb
	N    int
	Text string
}

// MaxTimer limits the time of a vote, in seconds.
const MaxTimer = 3600

// Grace is how long after the end of a round a vote still counts. It may have been under way, from a phone out of reach
// or during a restart of the server.
const Grace = 5 * time.Second

// ErrNotNow is the error for an action that is not possible in the current phase.
var ErrNotNow = errors.New("not possible now")

// apply computes the state after an action. It reports which item has changed, if any.
func apply(s *State, items []Item, progress []Progress, a Action, now time.Time) (changed []int, err error) {
	switch a.Do {
	case Live:
		s.Live = a.N != 0
		return nil, nil
	case Wide:
		s.Wide = a.N != 0
		return nil, nil
	case Board:
		s.Board, s.Leaders = a.N != 0, false
		return nil, nil
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%w: the class has no question yet", ErrNotNow)
	}
	p := &progress[s.Current]
	p.closeExpired(now)
	refuse := func() error {
		return fmt.Errorf("%w: action %s, while the question is %s", ErrNotNow, a.Do, p.Phase)
	}
	end := func(phase Phase) {
		if p.Phase == Opened {
			p.Closed = now.UnixMilli()
		}
		p.Phase, p.Ends = phase, 0
	}
	opens := func() error {
		p.stop(now)
		s.Counts = false
		return p.open()
	}
	changed = []int{s.Current}
	switch a.Do {
	case Open:
		if p.Phase == Opened || p.Phase == Revealed {
			return nil, refuse()
		}
		if err := opens(); err != nil {
			return nil, err
		}
	case Timer, More:
		from := now.UnixMilli()
		switch {
		case a.N < 0 || a.N > MaxTimer || p.Phase == Revealed:
			return nil, refuse()
		case a.Do == More && p.Ends == 0:
			return nil, fmt.Errorf("%w: the vote has no time limit", ErrNotNow)
		case a.Do == More:
			from = p.Ends
		case p.Phase != Opened && a.N == 0:
			return nil, refuse()
		case p.Phase != Opened:
			if err := opens(); err != nil {
				return nil, err
			}
		}
		if p.Ends = 0; a.N > 0 {
			p.Ends = min(from+int64(a.N)*1000, now.UnixMilli()+MaxTimer*1000)
		}
	case Close:
		if p.Phase != Opened {
			return nil, refuse()
		}
		end(Closed)
	case Discuss:
		if p.Phase != Opened && p.Phase != Closed {
			return nil, refuse()
		}
		end(Discussing)
	case Reveal:
		if p.Phase == Revealed {
			return nil, refuse()
		}
		end(Revealed)
		p.Part, p.Step, s.Counts = 0, -1, false
	case Cover:
		if p.Phase != Revealed {
			return nil, refuse()
		}
		s.Leaders = false
		if p.Phase = Closed; p.Round == 0 {
			p.Phase = Waiting
			p.stop(now)
			s.Counts = false
		}
	case Goto:
		if a.N < 0 || a.N >= len(items) {
			return nil, fmt.Errorf("%w: there is no question %d", ErrNotNow, a.N+1)
		}
		stopped := p.stop(now)
		if p.Phase == Opened {
			end(Closed)
		} else if !stopped {
			changed = nil
		}
		s.Current, s.Leaders, s.Counts = a.N, false, false
	case Leaders:
		if p.Phase != Revealed || !s.Board {
			return nil, refuse()
		}
		s.Leaders, s.Counts, changed = a.N != 0, false, nil
	case Devices:
		if a.N != 0 || !p.stop(now) {
			return nil, refuse()
		}
	case Counts:
		if p.Runs == 0 || p.Phase == Opened || p.Phase == Waiting {
			return nil, refuse()
		}
		s.Counts, s.Leaders, changed = a.N != 0, false, nil
	case Show:
		shown := len(items[s.Current].Parts)
		if items[s.Current].Kind == Edits {
			shown = MaxVoters // and the cheapest
		}
		if p.Phase != Revealed || a.N < 0 || a.N >= shown {
			return nil, refuse()
		}
		p.Part, p.Step = a.N, -1
	case Step:
		if p.Phase != Revealed || a.N < -1 || a.N > MaxStep {
			return nil, refuse()
		}
		p.Step = a.N
	case Hide, Unhide:
		text, err := ReadText(a.Text)
		if err != nil || items[s.Current].Kind != Text {
			return nil, fmt.Errorf("%w: there is no such answer", ErrNotNow)
		}
		// Others may have the list: it is made anew.
		hidden := slices.DeleteFunc(slices.Clone(p.Hidden), func(other string) bool { return other == Fold(text) })
		if a.Do == Hide {
			hidden = append(hidden, Fold(text))
		}
		if len(hidden) > MaxHidden {
			return nil, fmt.Errorf("%w: %d answers are already hidden, which is the limit", ErrNotNow, MaxHidden)
		}
		if p.Hidden = hidden; len(hidden) == 0 {
			p.Hidden = nil // as it is read from the store
		}
	default:
		return nil, fmt.Errorf("%w: %q", ErrNotNow, string(a.Do))
	}
	return changed, nil
}

// open opens the vote. It begins another round unless the item was only closed.
func (p *Progress) open() error {
	if p.Phase != Closed {
		if p.Round == MaxRounds {
			return fmt.Errorf("%w: a question has at most %d rounds", ErrNotNow, MaxRounds)
		}
		p.Round++
	}
	p.Phase, p.Closed, p.Ends = Opened, 0, 0
	return nil
}

// closeExpired closes a vote whose time is over, as of the time at which it ended. No timer runs: the result is the
// same whenever somebody looks, also after a restart.
func (p *Progress) closeExpired(now time.Time) {
	if p.Phase == Opened && p.Ends != 0 && now.UnixMilli() >= p.Ends {
		p.Phase, p.Closed, p.Ends = Closed, p.Ends, 0
	}
}

// left returns how long a vote is still open; 0 if it has no end.
func (p *Progress) left(now time.Time) time.Duration {
	if p.Phase != Opened || p.Ends == 0 {
		return 0
	}
	return time.Duration(p.Ends-now.UnixMilli()) * time.Millisecond
}

// takes reports whether votes that arrive now count in a round.
func (p Progress) takes(round int, now time.Time) bool {
	p.closeExpired(now)
	switch {
	case round != p.Round || round == 0:
		return false
	case p.Phase == Opened:
		return true
	}
	late := now.Sub(time.UnixMilli(p.Closed))
	return p.Phase != Revealed && p.Phase != Waiting && late < Grace
}
