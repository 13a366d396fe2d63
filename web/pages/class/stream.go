package class

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// classPace is the minimum time between two tally events. Other changes are sent at once. Student pages show no tally
// and get no tally events.
const classPace = 100 * time.Millisecond

// countPace is the minimum time between two events that show a student the sum of all devices.
const countPace = time.Second

// lookPace is the maximum time between two checks whether a vote has ended by its time limit.
const lookPace = time.Second

func (s *page) studentEvents(w http.ResponseWriter, r *http.Request, c classRequest) {
	if err := c.Join(r.Context(), c.voter); err != nil {
		s.failClass(w, r, err)
		return
	}
	s.classEvents(w, r, c, asStudent)
}

func (s *page) screenEvents(w http.ResponseWriter, r *http.Request, c classRequest) {
	c.voter = class.Voter{}
	s.classEvents(w, r, c, asScreen)
}

func (s *page) teacherEvents(w http.ResponseWriter, r *http.Request, c classRequest) {
	c.voter = class.Voter{}
	s.classEvents(w, r, c, asTeacherRole)
}

// classEvents streams a class as server-sent events: view, the whole page body, at the start and after each change; and
// tally, the part that votes change. The server makes an event from the current state when it can send it, so that slow
// clients get fewer events but miss nothing.
func (s *page) classEvents(w http.ResponseWriter, r *http.Request, c classRequest, role classRole) {
	over, ok := s.server.Streamed(w, r, s.attending)
	if !ok {
		return
	}
	defer over()
	var replaced <-chan struct{}
	var leave func()
	if role == asStudent {
		if replaced, leave, ok = c.Listen(c.voter); !ok {
			s.server.TurnAway(w, r, http.StatusServiceUnavailable, 10*time.Second, "This class is full.")
			return
		}
	} else {
		replaced, leave = c.Watch(server.Client(r.Context()), role == asTeacherRole)
	}
	defer leave()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // tell proxies not to buffer events
	w.WriteHeader(http.StatusOK)
	rc := http.NewResponseController(w)
	ctx := r.Context()
	// Spread the reconnects of browsers after a restart.
	if _, err := fmt.Fprintf(w, "retry: %d\n\n", 500+time.Now().UnixNano()%1000); err != nil {
		return
	}
	var changed <-chan struct{}
	for whole, counting := true, false; ; {
		// Take the channel before the view, so that no change between the two is missed.
		was := changed
		changed = c.Changed()
		whole = whole || changed != was
		counted := c.Counted()
		v := s.viewClass(r, c, role)
		pace := classPace
		if role == asStudent {
			if pace = countPace; v.Devices == nil {
				counted = nil
			}
		}
		whole = whole || counting && v.Left == 0 // the vote has ended during the wait
		counting = v.Left > 0
		// A vote that ends by its time limit sends no signal, and the clock may be set, so check regularly.
		ended := func() bool { return v.Left > 0 && c.View().Left == 0 }
		if err := sendClass(ctx, w, &v, whole); err != nil || v.Over {
			_ = rc.Flush()
			return
		}
		_ = rc.Flush() // not every writer can flush
		if whole, ok = awaitClass(ctx, changed, counted, replaced, pace, v.Left, ended); !ok {
			return
		}
	}
}

// awaitClass waits for the next event to send. whole reports whether it must be the whole view; ok is false when the
// client is gone or replaced.
func awaitClass(
	ctx context.Context, changed, counted, replaced <-chan struct{}, pace, left time.Duration, ended func() bool,
) (whole, ok bool) {
	var look <-chan time.Time
	if left > 0 {
		t := time.NewTicker(min(left, lookPace))
		defer t.Stop()
		look = t.C
	}
	silent := time.NewTimer(server.Silence)
	defer silent.Stop()
	for waits := true; waits; {
		select {
		case <-changed:
			return true, true
		case <-counted:
			waits = false
		case <-look:
			if ended() {
				return true, true
			}
		case <-silent.C:
			return false, true
		case <-ctx.Done():
			return false, false
		case <-replaced:
			return false, false
		case <-server.Ended(ctx):
			return false, false
		}
	}
	select {
	case <-changed:
		return true, true
	case <-time.After(pace):
		return false, true
	case <-ctx.Done():
		return false, false
	case <-replaced:
		return false, false
	case <-server.Ended(ctx):
		return false, false
	}
}

// classEvent is the data of an event.
type classEvent struct {
	HTML   string `json:"html"`
	Status string `json:"status,omitempty"`
}

// sendClass writes one event: the tally and the counts of devices, the whole view, or end. A student's tally event has
// only the counts, once they have answered whether their device takes part; else it only keeps the connection alive.
func sendClass(ctx context.Context, w http.ResponseWriter, v *classView, whole bool) error {
	var b bytes.Buffer
	e, name := classEvent{}, "tally"
	if whole {
		e.Status, name = v.Status(), "view"
	}
	if v.Over {
		name = "end"
	}
	part := classCounts(*v)
	if whole || v.Over {
		part = classBody(*v)
	} else if v.Role == asStudent && (v.Devices == nil || v.Devices.Mine.Answer == "") {
		_, err := fmt.Fprint(w, "event: beat\ndata:\n\n") // without events the page assumes a lost connection
		return err
	}
	if err := part.Render(ctx, &b); err != nil {
		return err
	}
	e.HTML = b.String()
	text, err := json.Marshal(e)
	if err == nil {
		_, err = fmt.Fprintf(w, "event: %s\nid: %d\ndata: %s\n\n", name, v.Version, text)
	}
	return err
}
