package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// An error has the same status, and is worth trying again after the same time, on a page, in a part of
// one and over REST.
func TestErrorsHaveOneAnswer(t *testing.T) {
	for _, tt := range []struct {
		err    error
		status int
		again  string // Retry-After
		says   string // on a page, and over REST
	}{
		{server.Refuse("No."), 422, "", "No."},
		{
			&question.BadTest{
				Source: "X86 t\n",
				Errs:   litmus.ErrorList{litmus.Errorf(litmus.Pos{File: "test", Line: 1, Col: 3}, "got this")},
			}, 422, "",
			"test has errors",
		},
		{
			&question.BadModel{Errs: litmus.ErrorList{litmus.Errorf(litmus.Pos{Line: 1, Col: 3}, "got this")}}, 422, "",
			"model has errors",
		},
		{&solver.Busy{RetryAfter: 7 * time.Second}, 503, "7", "Too many questions"},
		{&solver.Died{How: "signal: killed"}, 503, "1", "stopped the worker"},
		{&solver.Died{Crashed: true, How: "panic"}, 500, "", "log says why"},
		{context.Canceled, 503, "", "cancelled"},
		{&suites.Full{Running: 3}, 503, "30", "try again when a suite is done"},
		{&suites.Refusal{Msg: "more than 3 tests", TooLarge: true}, 413, "", "More than 3 tests."},
		{&suites.Refusal{Msg: "model twice"}, 422, "", "Model twice."},
		{fmt.Errorf("side a: %w", suites.ErrNoSuite), 404, "", "no suite"},
		{store.ErrNoLink, 404, "", "no permalink"},
		{fmt.Errorf("rooms: %w", store.ErrFull), 503, "30", "disk is full"},
		{store.ErrLinkTooLong, 413, "", "too long for a link"},
		{&http.MaxBytesError{Limit: 2 << 20}, 413, "", "2 MiB"},
		{errors.New("the disk is on fire"), 500, "", "log says why"},
	} {
		s, err := server.New(webtest.TestConfig(nil).Config)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/explore", "/api/v1/explore"} {
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, path, nil)
			s.FailOf(w, r, tt.err)
			if w.Code != tt.status || w.Header().Get("Retry-After") != tt.again ||
				!strings.Contains(w.Body.String(), tt.says) || strings.Contains(w.Body.String(), "fire") {
				t.Errorf("%v at %s: %d, Retry-After %q: %s", tt.err, path, w.Code,
					w.Header().Get("Retry-After"), w.Body)
			}
		}
		var p *server.Problem
		if err := s.Problem(t.Context(), tt.err); !errors.As(err, &p) || p.Status != tt.status ||
			p.Title != http.StatusText(tt.status) {
			t.Errorf("%v as an operation's: %v", tt.err, err)
		}
		w := httptest.NewRecorder()
		if status, part := s.ErrorPart(w, httptest.NewRequest(http.MethodPost, "/explore", nil),
			tt.err); status != tt.status || (part == nil) != (tt.status == 500) {
			t.Errorf("%v as a part: %d", tt.err, status)
		}
	}
}

// A body in chunks that are none is the client's fault, wherever it is sent.
func TestBrokenChunks(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	at, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range [][2]string{
		{"/api/v1/explore", "application/json"},
		{"/api/v1/verify", "application/json"},
		{"/api/v1/suites", "application/json"},
		{"/api/v1/suites", "application/zip"},
		{"/api/v1/suites", "application/x-ndjson"},
		{"/api/v1/suites", "multipart/form-data; boundary=x"},
		{"/api/v1/compare", "application/json"},
		{"/explore", "application/x-www-form-urlencoded"},
		{"/suites", "multipart/form-data; boundary=x"},
	} {
		c, err := net.Dial("tcp", at.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n"+
			"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nnonsense\r\n\r\n", tt[0], at.Host, tt[1])
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Errorf("%v: %v", tt, err)
			continue
		}
		if body, _ := io.ReadAll(r.Body); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%v: %d %s", tt, r.StatusCode, body)
		}
	}
}

// panicking is a runner with a bug.
type panicking struct{}

func (panicking) Run(context.Context, solver.Question) (solver.Answer, error) { panic("a bug") }

// A bug in what is asked beside a request's own goroutine is that request's fault alone: the server goes on.
func TestPanicsEndNoServer(t *testing.T) {
	srv := httptest.NewServer(webtest.NewHandler(t, panicking{}))
	defer srv.Close()
	body := bodyOf(t, map[string]any{"source": webtest.ClassicSource(t, "SB"), "models": []string{"sc", "tso"}})
	for range 2 {
		res, err := http.Post(srv.URL+"/api/v1/explore", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusInternalServerError || strings.Contains(string(text), "a bug") {
			t.Errorf("status %d: %s", res.StatusCode, text)
		}
	}
}
