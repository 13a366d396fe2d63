package textpage

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"

	"litmuscope/web/server"
)

// Answers that take longer than firstPart are sent in parts, at most one per nextPart.
const firstPart, nextPart = 150 * time.Millisecond, 250 * time.Millisecond

// coming sends an answer in parts to a script that accepts them: as lines of JSON, each with the whole answer so far.
// The last line is the complete answer. An answer that is ready before the first part is sent without parts.
type coming struct {
	server *server.Server
	w      http.ResponseWriter
	r      *http.Request
	over   chan struct{}
	ended  sync.WaitGroup
	stop   func() // ends the sending

	mu   sync.Mutex
	part func() templ.Component // not sent yet; nil where there is nothing new

	// For the sending goroutine, and whoever has waited for its end.
	begun bool  // something has been sent
	fault error // a bug in making a part
}

// InParts makes an answer and sends it in parts if it takes long enough and the script accepts parts. sent reports
// whether it has sent the answer.
func InParts(
	s *server.Server, w http.ResponseWriter, r *http.Request,
	answer func(told func(func() templ.Component)) (Answer, error),
) (a Answer, sent bool, err error) {
	c := follow(s, w, r)
	defer c.stop() // in a panic too
	a, err = answer(c.set)
	c.stop()
	err = errors.Join(err, c.fault)
	return a, c.end(a, err), err
}

// partView is a line.
type partView struct {
	Part    string `json:"part"`
	Last    bool   `json:"last,omitempty"`
	Problem string `json:"problem,omitempty"` // of the server, instead of a part
}

// follow starts sending parts for a request. It does nothing unless the request is from a script that accepts parts.
func follow(s *server.Server, w http.ResponseWriter, r *http.Request) *coming {
	c := &coming{server: s, w: w, r: r, over: make(chan struct{})}
	c.stop = sync.OnceFunc(func() { close(c.over); c.ended.Wait() })
	if server.IsFragment(r) && strings.Contains(r.Header.Get("Accept"), server.LinesMedia) {
		c.ended.Go(func() { c.fault = server.Guarded(func() error { c.send(); return nil }) })
	}
	return c
}

func (c *coming) set(part func() templ.Component) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.part = part
}

func (c *coming) take() func() templ.Component {
	c.mu.Lock()
	defer c.mu.Unlock()
	part := c.part
	c.part = nil
	return part
}

func (c *coming) send() {
	for wait := firstPart; ; wait = nextPart {
		select {
		case <-c.over:
			return
		case <-time.After(wait):
		}
		if part := c.take(); part != nil {
			c.line(part(), partView{})
		}
	}
}

// end sends the last part, or the error, after the other parts. If no part was sent before, it sends nothing and
// returns false.
func (c *coming) end(a Answer, err error) bool {
	if !c.begun {
		return false
	}
	v := partView{Last: true}
	if err != nil {
		f := c.server.Fault(c.r.Context(), err)
		if a.Part = server.ProblemPart(f.View); f.Ours {
			v.Problem = f.Detail
		}
	}
	c.line(a.Part, v)
	return true
}

func (c *coming) line(part templ.Component, v partView) {
	var html strings.Builder
	if err := c.server.WriteTo(c.r.Context(), &html, part); err != nil {
		return // the client has gone
	}
	if !c.begun {
		h := c.w.Header()
		h.Set("Content-Type", server.LinesMedia)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no") // proxies are to pass parts on at once
		c.begun = true
	}
	v.Part = html.String()
	_ = json.NewEncoder(c.w).Encode(v) // the client may have gone
	_ = http.NewResponseController(c.w).Flush()
}
