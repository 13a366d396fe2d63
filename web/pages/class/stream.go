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

// How often those who watch a tally hear of it, at most; what else changes they hear of at
// once. A student's page shows no tally, and hears of none.
const classPace = 100 * time.Millisecond

// lookPace is how often it is looked up whether a vote has ended by itself, at least.
const lookPace = time.Second

func (s *page) studentEvents(w http.ResponseWriter, r *http.Request, c theClass) {
	if err := c.Join(r.Context(), c.voter); err != nil {
		s.failClass(w, r, err)
		return
	}
	s.classEvents(w, r, c, asStudent)
}

func (s *page) screenEvents(w http.ResponseWriter, r *http.Request, c theClass) {
	c.voter = class.Voter{}
	s.classEvents(w, r, c, asScreen)
}

func (s *page) teacherEvents(w http.ResponseWriter, r *http.Request, c theClass) {
	c.voter = class.Voter{}
	s.classEvents(w, r, c, asTeacherRole)
}

// classEvents tells how a class looks as server-sent events: view, all of it, to begin with
// and whenever anything changes, and tally, its part that votes change. Each is made when it
// can be sent, from what is the case then: who reads slowly hears of less, and misses nothing.
func (s *page) classEvents(w http.ResponseWriter, r *http.Request, c theClass, role classRole) {
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
	h.Set("X-Accel-Buffering", "no") // proxies are to pass events on at once
	w.WriteHeader(http.StatusOK)
	rc := http.NewResponseController(w)
	ctx := r.Context()
	// Browsers come again soon after the server has, and not all at the same moment.
	if _, err := fmt.Fprintf(w, "retry: %d\n\n", 500+time.Now().UnixNano()%1000); err != nil {
		return
	}
	var changed <-chan struct{}
	for whole, counting := true, false; ; {
		// What has changed since the last look, while a tally was due perhaps, is not to be missed.
		was := changed
		changed = c.Changed()
		whole = whole || changed != was
		counted := c.Counted()
		if role == asStudent {
			counted = nil
		}
		v := s.viewClass(r, c, role)
		whole = whole || counting && v.Left == 0 // it has ended while a tally was due
		counting = v.Left > 0
		// A vote that ends by itself does so without a word. The clock may be set meanwhile, so that is looked up every
		// now and then.
		ended := func() bool { return v.Left > 0 && c.View().Left == 0 }
		if err := sendClass(ctx, w, &v, whole); err != nil || v.Over {
			_ = rc.Flush()
			return
		}
		_ = rc.Flush() // not every writer can
		if whole, ok = awaitClass(ctx, changed, counted, replaced, v.Left, ended); !ok {
			return
		}
	}
}

// awaitClass waits until there is something to tell, and says whether that is more than the
// tally; false when there is nobody left to tell it to.
func awaitClass(
	ctx context.Context, changed, counted, replaced <-chan struct{}, left time.Duration, ended func() bool,
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
	case <-time.After(classPace):
		return false, true
	case <-ctx.Done():
		return false, false
	case <-replaced:
		return false, false
	case <-server.Ended(ctx):
		return false, false
	}
}

// classEvent is what a page is told.
type classEvent struct {
	HTML   string `json:"html"`
	Status string `json:"status,omitempty"`
}

func sendClass(ctx context.Context, w http.ResponseWriter, v *classView, whole bool) error {
	var b bytes.Buffer
	e, name := classEvent{}, "tally"
	if whole {
		e.Status, name = v.Status(), "view"
	}
	if v.Over {
		name = "end"
	}
	part := classTally(*v)
	if whole || v.Over {
		part = classBody(*v)
	} else if v.Role == asStudent {
		_, err := fmt.Fprint(w, "event: beat\ndata:\n\n") // a page that hears nothing takes the connection for dead
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
