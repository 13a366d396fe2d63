// Package client submits suites of tests to a litmuscope server, watches them, fetches their results and cancels them,
// as the command line does.
//
//	c, err := client.New("http://localhost:8080", token)
//	suite, err := c.Submit(ctx, client.Submission{Models: []string{"tso"}}, tests)
//	suite, err = c.Watch(ctx, suite.ID, func(s *client.Suite) { … })
//	err = c.Results(ctx, suite.ID, true, func(line []byte) error { … })
//
// A [Client] asks again if a server is busy or cannot be reached, after the time that the server names, and continues
// where it was: a submission is made once however often it is sent, and no event and no result is delivered twice. If a
// server rejects a request, the error is an [Error].
//
// [Parts] explores one program on the workers of a server.
//
// It imports litmus/suite, solver, solver/engines, solver/suites and web/api/rest.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"litmuscope/solver/suites"
	"litmuscope/web/api/rest"
)

// Client sends requests to one server. It is safe for concurrent use.
type Client struct {
	// Warn, unless nil, receives a message before each retry.
	Warn func(string)

	server *url.URL
	token  string
	http   *http.Client
	sleep  func(context.Context, time.Duration) error
}

// New returns a client of the server at an address such as http://localhost:8080. Without a token, its requests are
// anonymous.
func New(server, token string) (*Client, error) {
	if !strings.Contains(server, "://") {
		server = "http://" + server
	}
	u, err := url.Parse(server)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("server %q: want an address such as http://localhost:8080", server)
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = 5 * time.Minute // a large submission is read before it is answered
	return &Client{server: u, token: token, http: &http.Client{Transport: t}, sleep: sleep}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Error is a server's rejection of a request, as its problem document describes it.
type Error struct {
	rest.Problem
	after time.Duration // how long to wait according to Retry-After; 0: unknown
}

func (e *Error) Error() string {
	text := fmt.Sprintf("the server answered %d", e.Status)
	if words := e.Words(); words != "" {
		text += ": " + words
	}
	return text
}

// Suite describes a suite of the server.
type Suite = rest.Suite[json.RawMessage]

// Running and Cancelled are states of a suite.
const (
	Running   = suites.Running
	Cancelled = suites.Cancelled
)

// Suite fetches the description of a suite.
func (c *Client) Suite(ctx context.Context, id string) (*Suite, error) {
	return c.suite(ctx, http.MethodGet, id)
}

// Cancel cancels a suite. Results so far remain.
func (c *Client) Cancel(ctx context.Context, id string) (*Suite, error) {
	return c.suite(ctx, http.MethodDelete, id)
}

func (c *Client) suite(ctx context.Context, method, id string) (s *Suite, err error) {
	err = c.retry(ctx, func() (bool, error) {
		r, err := c.do(ctx, request{method: method, path: path(id)})
		if err != nil {
			return false, err
		}
		defer r.Body.Close()
		s, err = readSuite(r.Body)
		return false, err
	})
	return s, err
}

func path(id string) string { return "api/v1/suites/" + url.PathEscape(id) }

// maxAnswer bounds an answer that is one value.
const maxAnswer = 16 << 20

func readSuite(r io.Reader) (*Suite, error) {
	var s Suite
	text, err := io.ReadAll(io.LimitReader(r, maxAnswer))
	if err != nil {
		return nil, &brokenError{err}
	}
	if err := json.Unmarshal(text, &s); err != nil || s.ID == "" {
		return nil, errors.New("the answer is not a suite: is this the address of a litmuscope server?")
	}
	return &s, nil
}

// RoundTrip implements [http.RoundTripper]: it sends a request once, to the client's server regardless of the host in
// the request.
func (c *Client) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	u := c.server.JoinPath(r.URL.Path)
	u.RawQuery = r.URL.RawQuery
	r.URL, r.Host = u, ""
	c.sign(r)
	return c.http.Transport.RoundTrip(r)
}

// sign adds the token.
func (c *Client) sign(r *http.Request) {
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	r.Header.Set("User-Agent", "litmuscope")
}

// request describes one request. body returns a fresh reader for each try.
type request struct {
	method, path string
	query        url.Values
	header       map[string]string
	body         func() (io.Reader, int64)
}

// do sends a request once. Any status outside 2xx is an error.
func (c *Client) do(ctx context.Context, r request) (*http.Response, error) {
	u := c.server.JoinPath(r.path)
	u.RawQuery = r.query.Encode()
	var body io.Reader
	var length int64
	if r.body != nil {
		body, length = r.body()
	}
	q, err := http.NewRequestWithContext(ctx, r.method, u.String(), body)
	if err != nil {
		return nil, err
	}
	q.ContentLength = length
	for k, v := range r.header {
		q.Header.Set(k, v)
	}
	c.sign(q)
	answer, err := c.http.Do(q)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 == 2 {
		return answer, nil
	}
	defer answer.Body.Close()
	e := &Error{
		Problem: rest.Problem{Title: http.StatusText(answer.StatusCode)},
		after:   retryAfter(answer.Header.Get("Retry-After")),
	}
	// Without a problem document, the error has only the status.
	_ = json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(e)
	e.Status = answer.StatusCode
	return nil, e
}

// retryAfter reads seconds, or a date.
func retryAfter(text string) time.Duration {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return time.Duration(min(n, 24*60*60)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// brokenError is a connection that broke in the middle of an answer.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "the connection broke: " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

const (
	maxTries  = 10 // without any progress
	firstWait = 500 * time.Millisecond
	maxWait   = 30 * time.Second // unless the server says otherwise
	longest   = 10 * time.Minute // longest wait that a server can ask for
)

// retry calls f until it succeeds, fails permanently, or fails maxTries times in a row without progress. f reports
// progress as further.
func (c *Client) retry(ctx context.Context, f func() (further bool, err error)) error {
	for n := 0; ; n++ {
		further, err := f()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case further:
			n = 0
		}
		wait, again := pause(err, n)
		if !again || n+1 >= maxTries {
			return err
		}
		if c.Warn != nil {
			c.Warn(fmt.Sprintf("%v; trying again in %v", err, wait.Round(100*time.Millisecond)))
		}
		if err := c.sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// pause reports whether to try again after an error, and how long to wait first.
func pause(err error, n int) (time.Duration, bool) {
	wait := min(maxWait, firstWait<<n)
	wait += time.Duration(rand.Int64N(int64(wait / 4)))
	var refused *Error
	var broken *brokenError
	var timeout net.Error
	switch {
	case errors.As(err, &refused):
		switch refused.Status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
			http.StatusGatewayTimeout:
			return max(wait, refused.after), refused.after <= longest
		}
		return 0, false
	case errors.As(err, &broken), errors.As(err, &timeout) && timeout.Timeout():
		return wait, true
	}
	for _, passing := range []error{
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF,
	} {
		if errors.Is(err, passing) {
			return wait, true
		}
	}
	return 0, false
}
