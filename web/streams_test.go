package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"litmuscope/web"
	classpages "litmuscope/web/pages/class"
	"litmuscope/web/teaching/class"
	"litmuscope/web/webtest"
)

// proxied is a server behind a proxy, with 16 connections, which a test asks as people from several addresses.
type proxied struct {
	t *testing.T
	*httptest.Server
}

func (p *proxied) end() {
	p.CloseClientConnections()
	p.Close()
}

// asks begins to read an answer, and gives what ends that.
func (p *proxied) asks(from, path string) (status int, end func()) {
	p.t.Helper()
	ctx, cancel := context.WithCancel(p.t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", from)
	w, err := p.Client().Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	if w.StatusCode == http.StatusServiceUnavailable {
		body, _ := io.ReadAll(w.Body)
		if w.Header.Get("Retry-After") == "" || !strings.Contains(string(body), "oo many") {
			p.t.Errorf("%s: no Retry-After, or no words: %s", path, body)
		}
	}
	return w.StatusCode, func() { cancel(); w.Body.Close() }
}

// follow begins as many streams as it can from an address.
func (p *proxied) follow(from, path string) (ends []func()) {
	p.t.Helper()
	for {
		status, end := p.asks(from, path)
		if status != http.StatusOK {
			end()
			if status != http.StatusServiceUnavailable {
				p.t.Fatalf("%s: status %d", path, status)
			}
			return ends
		}
		if ends = append(ends, end); len(ends) > 16 {
			p.t.Fatalf("%s: more streams than connections", path)
		}
	}
}

// One client, or many that follow something, leave connections to all others, whatever proxy they come through.
func TestStreamsLeaveConnections(t *testing.T) {
	gate := make(webtest.Gated)
	h := webtest.NewHouse(t, gate, func(c *web.Config) {
		c.Proxies = behindOne(t)
		c.Limits.Connections, c.Limits.Rate = 16, 0
	})
	suite := webtest.Running(h)
	hall := class.NewHall(h.Store, time.Now)
	room, secret, err := hall.Open(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxied{t, httptest.NewServer(h)}
	defer p.end()
	events := "/api/v1/suites/" + suite.ID + "/events"
	results := "/api/v1/suites/" + suite.ID + "/results?follow=true"
	screen := "/class/" + room.Code + "/screen/events"
	drive := classpages.TeachPath + secret + "/events"

	one := p.follow("192.0.2.1", screen)
	if len(one) != 6 {
		t.Errorf("one address follows a class %d times, want 6 of 8", len(one))
	}
	other := p.follow("192.0.2.2", drive)
	if len(other) != 2 {
		t.Errorf("another does %d times, want the other 2", len(other))
	}
	suites := p.follow("192.0.2.1", events)
	if more := p.follow("192.0.2.2", results); len(suites)+len(more) != 4 {
		t.Errorf("suites are followed %d times, want 4", len(suites)+len(more))
	}
	for _, path := range []string{
		"/healthz", "/readyz", "/learn", "/class/" + room.Code,
		"/api/v1/suites/" + suite.ID + "/results", "/classic?test=SB",
	} {
		status, end := p.asks("192.0.2.1", path)
		if end(); status != http.StatusOK {
			t.Errorf("beside that, %s: status %d", path, status)
		}
	}
	// Who leaves makes room, once that is noticed.
	one[0]()
	for {
		status, end := p.asks("192.0.2.3", screen)
		if end(); status == http.StatusOK {
			break
		}
	}
	for _, end := range append(append(one[1:], other...), suites...) {
		end()
	}
}
