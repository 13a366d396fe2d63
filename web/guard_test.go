package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// requestIDHeader carries a request's id.
const requestIDHeader = "X-Request-Id"

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// behindOne is a server's one proxy.
func behindOne(t *testing.T) server.Proxies {
	t.Helper()
	p, err := server.ParseProxies([]string{"1"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func configured(t *testing.T, change func(*web.Config)) http.Handler {
	t.Helper()
	c := webtest.TestConfig(engines.Local{})
	change(&c)
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHosts(t *testing.T) {
	for _, tt := range []struct {
		addr  string
		names []string
		host  string
		want  bool
	}{
		{"127.0.0.1:8080", nil, "localhost:8080", true},
		{"127.0.0.1:8080", nil, "LOCALHOST.", true},
		{"127.0.0.1:8080", nil, "127.0.0.1", true},
		{"127.0.0.1:8080", nil, "[::1]:8080", true},
		{"127.0.0.1:8080", nil, "[::1]", true},
		{"127.0.0.1:8080", nil, "evil.example:8080", false},
		{"127.0.0.1:8080", nil, "localhost.evil.example", false},
		{"127.0.0.1:8080", nil, "", false},
		{"127.0.0.2:8080", nil, "127.0.0.2:8080", true},
		{"[::1]:0", nil, "evil.example", false},
		{"localhost:8080", nil, "evil.example", false},
		{"127.0.0.1:8080", []string{"litmus.example.org"}, "litmus.example.org", true},
		{"127.0.0.1:8080", []string{"litmus.example.org"}, "other.example.org", false},
		{":8080", nil, "anything.example", true},
		{":8080", []string{"litmus.example.org"}, "litmus.example.org:8080", true},
		{":8080", []string{"litmus.example.org"}, "anything.example", false},
		{"0.0.0.0:8080", []string{"litmus.example.org"}, "localhost", true},
	} {
		h := configured(t, func(c *web.Config) { c.Hosts = server.Hosts(tt.addr, tt.names) })
		r := httptest.NewRequest(http.MethodGet, "/api/v1/engines", nil)
		r.Host = tt.host
		w := do(h, r)
		if got := w.Code == http.StatusOK; got != tt.want || !got && w.Code != http.StatusMisdirectedRequest {
			t.Errorf("on %s with %v, Host %q: status %d", tt.addr, tt.names, tt.host, w.Code)
		}
		r.URL.Path = "/healthz"
		wantStatus(t, do(h, r), http.StatusOK)
	}
}

// Every error is a page for a browser, and a problem document for everything else.
func TestEveryErrorHasItsForm(t *testing.T) {
	sb := bodyOf(t, map[string]any{"source": webtest.ClassicSource(t, "SB"), "models": []string{"sc"}})
	const formType = "application/x-www-form-urlencoded"
	for _, tt := range []struct {
		name, method, target, kind, body string
		status                           int
		more                             func(*http.Request)
	}{
		{"no page", "GET", "/nowhere", "", "", 404, nil},
		{"no operation", "GET", "/api/v1/nowhere", "", "", 404, nil},
		{"no asset", "GET", "/static/nothing.js", "", "", 404, nil},
		{"no classic", "GET", "/classic?test=nothing", "", "", 404, nil},
		{"no link", "GET", "/t/nothing", "", "", 404, nil},
		{"method of a page", "PUT", "/", "", "", 405, nil},
		{"method of an operation", "GET", "/api/v1/explore", "", "", 405, nil},
		{"method of an asset", "POST", "/static/page.js", "", "", 405, nil},
		{"invented method", "BREW", "/", "", "", 405, nil},
		{"bad JSON", "POST", "/api/v1/explore", "application/json", "{", 400, nil},
		{"no body", "POST", "/api/v1/explore", "application/json", "", 400, nil},
		{"other media", "POST", "/api/v1/explore", "text/plain", "x", 415, nil},
		{
			"too long for REST", "POST", "/api/v1/explore", "application/json",
			strings.Repeat(" ", server.MaxBody+1), 413, nil,
		},
		{
			"too long for a form", "POST", "/explore", formType,
			"source=" + strings.Repeat("x", server.MaxBody), 413, nil,
		},
		{"no form", "POST", "/links", formType, "source=%zz", 400, nil},
		{
			"another site", "POST", "/links", formType, "source=x", 403,
			func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		},
		{"another name", "GET", "/", "", "", 421, func(r *http.Request) { r.Host = "evil.example" }},
		{"never arrives", "POST", "/links", formType, "", 408, func(r *http.Request) { r.Body = io.NopCloser(late{}) }},
		{
			"never arrives at REST", "POST", "/api/v1/explore", "application/json", "", 408,
			func(r *http.Request) { r.Body = io.NopCloser(late{}) },
		},
		{"fault", "POST", "/api/v1/explore", "application/json", sb, 500, nil},
		{"fault on a page", "GET", "/t/x", "", "", 500, nil},
	} {
		for _, browser := range []bool{false, true} {
			h := configured(t, func(c *web.Config) {
				c.Runner, c.Hosts = faulty{errors.New("broken")}, []string{"example.com"}
				if tt.status >= 500 {
					c.Links = brokenLinks{}
				}
			})
			r := httptest.NewRequest(tt.method, tt.target, strings.NewReader(tt.body))
			if tt.kind != "" {
				r.Header.Set("Content-Type", tt.kind)
			}
			if browser {
				r.Header.Set("Accept", "text/html,*/*")
			}
			if tt.more != nil {
				tt.more(r)
			}
			w := do(h, r)
			want := "application/problem+json"
			if browser && !strings.HasPrefix(tt.target, "/api/") {
				want = "text/html; charset=utf-8"
			}
			if got := w.Header().Get("Content-Type"); w.Code != tt.status || got != want {
				t.Errorf("%s: status %d as %s, want %d as %s: %.200s", tt.name, w.Code, got, tt.status, want, w.Body)
				continue
			}
			id := w.Header().Get(requestIDHeader)
			if w.Code >= 500 && !strings.Contains(w.Body.String(), id) {
				t.Errorf("%s: no request %s in %s", tt.name, id, w.Body)
			}
			if want == "application/problem+json" {
				var p server.Problem
				if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != tt.status || p.Detail == "" {
					t.Errorf("%s: %v, %+v", tt.name, err, p)
				}
			}
		}
	}
}

// brokenLinks panics.
type brokenLinks struct{ textpage.LinkStore }

// late is a body whose deadline passes, in a connection's own error.
type late struct{}

func (late) Read([]byte) (int, error) {
	return 0, &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}
}

func TestMethods(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, tt := range []struct{ target, allow string }{
		{"/", "GET, HEAD"},
		{"/explore", "POST"},
		{"/classic", "GET, HEAD"},
		{"/healthz", "GET, HEAD"},
		{"/metrics", "GET, HEAD"},
		{"/t/abc", "GET, HEAD"},
		{"/static/page.js", "GET, HEAD"},
		{"/api/docs", "GET, HEAD"},
		{"/api/v1/explore", "POST"},
		{"/api/v1/models", "GET, HEAD"},
		{"/api/openapi.json", "GET, HEAD"},
	} {
		w := do(h, httptest.NewRequest(http.MethodPatch, tt.target, nil))
		wantStatus(t, w, http.StatusMethodNotAllowed)
		if got := w.Header().Get("Allow"); got != tt.allow {
			t.Errorf("%s allows %q, want %q", tt.target, got, tt.allow)
		}
	}
	// HEAD is GET without the body, which a real server leaves out.
	srv := httptest.NewServer(h)
	defer srv.Close()
	for _, target := range []string{
		"/", "/classic?test=SB", "/healthz", "/readyz", "/metrics", "/api/docs",
		"/api/v1/models", "/api/openapi.json", "/favicon.ico", "/nowhere",
	} {
		got, err := http.Get(srv.URL + target)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		head, err := http.Head(srv.URL + target)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(head.Body)
		head.Body.Close()
		if head.StatusCode != got.StatusCode || head.Header.Get("Content-Type") != got.Header.Get("Content-Type") ||
			len(body) > 0 {
			t.Errorf("HEAD %s: status %d as %s with %d bytes, GET has %d as %s", target,
				head.StatusCode, head.Header.Get("Content-Type"), len(body), got.StatusCode,
				got.Header.Get("Content-Type"))
		}
	}
}

func TestRequestsHaveIDs(t *testing.T) {
	var log bytes.Buffer
	h := configured(t, func(c *web.Config) {
		c.Runner, c.Log = faulty{errors.New("disk on fire")}, slog.New(slog.NewJSONHandler(&log, nil))
	})
	body := bodyOf(t, map[string]any{"source": webtest.ClassicSource(t, "SB"), "models": []string{"sc"}})
	ask := func(id string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/api/v1/explore", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(requestIDHeader, id)
		return do(h, r)
	}
	w := ask("from-the-proxy.1")
	var p server.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Request != "from-the-proxy.1" ||
		w.Header().Get(requestIDHeader) != p.Request {
		t.Errorf("%v, %+v, header %q", err, p, w.Header().Get(requestIDHeader))
	}
	lines := 0
	for line := range strings.Lines(log.String()) {
		lines++
		if !strings.Contains(line, `"request":"from-the-proxy.1"`) {
			t.Errorf("a line without the request's id: %s", line)
		}
	}
	if lines != 2 { // what went wrong, and the request
		t.Errorf("%d lines, want 2: %s", lines, log.String())
	}
	for _, bad := range []string{"", "a b", "x\"y", strings.Repeat("x", 65), "ünï"} {
		if id := ask(bad).Header().Get(requestIDHeader); id == bad || !requestID.MatchString(id) {
			t.Errorf("%q in, %q out", bad, id)
		}
	}
}

func TestClientsAreLimited(t *testing.T) {
	var asked []string
	h := configured(t, func(c *web.Config) {
		c.Limits.Rate = 2 // 10 questions at once, 2 links, 100 pages
		c.WithClient = func(ctx context.Context, client, _ string) context.Context {
			if !slices.Contains(asked, client) {
				asked = append(asked, client)
			}
			return ctx
		}
	})
	count := func(from, method, target string) (answered int) {
		for range 200 {
			r := httptest.NewRequest(method, target, strings.NewReader("source=x"))
			r.RemoteAddr = from
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := do(h, r)
			if w.Code != http.StatusTooManyRequests {
				answered++
				continue
			}
			if after := w.Header().Get("Retry-After"); after == "" || after == "0" ||
				w.Header().Get("Content-Type") != "application/problem+json" {
				t.Fatalf("Retry-After %q as %s", after, w.Header().Get("Content-Type"))
			}
			return answered
		}
		return answered
	}
	for range 2 { // the second time, from another place
		from := "192.0.2." + string(rune('1'+len(asked))) + ":1"
		for _, tt := range []struct {
			method, target string
			least, most    int
		}{
			{http.MethodPost, "/check", 10, 15},
			{http.MethodPost, "/links", 2, 3},
			{http.MethodGet, "/classic?test=SB", 100, 150},
			{http.MethodGet, "/healthz", 200, 200},
		} {
			if got := count(from, tt.method, tt.target); got < tt.least || got > tt.most {
				t.Errorf("%s: %d requests of %s answered, want %d", from, got, tt.target, tt.least)
			}
		}
	}
	if len(asked) != 2 {
		t.Errorf("work was done for %q", asked)
	}

	unlimited := configured(t, func(c *web.Config) { c.Limits.Rate = 0 })
	for range 300 {
		wantStatus(t, post(unlimited, "/links", nil, false), http.StatusOK)
	}
}

// What a request costs is what its page says: the budget of questions is spent before that of pages.
func TestWhatRequestsCost(t *testing.T) {
	const reads, asks, keeps = 50, 5, 1
	clock := time.Now()
	h := webtest.NewHouse(t, engines.Local{}, func(c *web.Config) {
		c.Limits.Rate, c.Clock = 1, func() time.Time { return clock }
	})
	for i, tt := range []struct {
		method, target string
		want           int
	}{
		{http.MethodGet, "/none", reads},
		{http.MethodHead, "/learn", reads},
		{http.MethodGet, "/learn/none", asks},
		{http.MethodHead, "/learn/none", asks},
		{http.MethodGet, "/learn/none.png", reads},
		{http.MethodGet, "/learn/none/none.png", reads},
		{http.MethodGet, "/learn/none/version", reads},
		{http.MethodPost, "/learn/none", asks},
		{http.MethodGet, "/embed/none", asks},
		{http.MethodGet, "/embedded", reads},
		{http.MethodGet, "/cycles/none", asks},
		{http.MethodPost, "/cycles/suite", keeps},
		{http.MethodPost, "/links", keeps},
		{http.MethodPost, "/programs/links", keeps},
		{http.MethodPost, "/programs/none", asks},
		{http.MethodPost, "/login", keeps},
		{http.MethodGet, "/suites/none", reads},
		{http.MethodGet, "/compare?a=none", asks},
		{http.MethodPost, "/suites", keeps},
		{http.MethodPost, "/suites/none/cancel", keeps},
		{http.MethodPost, "/api/v1/suites", keeps},
		{http.MethodDelete, "/api/v1/suites/none", keeps},
		{http.MethodPost, "/class/open", keeps},
		{http.MethodPost, "/class/none/vote", server.WrongMost},
		{http.MethodPost, "/class/none/other", asks},
	} {
		answered := 0
		for ; answered <= reads; answered++ {
			r := httptest.NewRequest(tt.method, tt.target, strings.NewReader("x="))
			r.RemoteAddr = fmt.Sprintf("192.0.2.%d:1", i)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if do(h, r).Code == http.StatusTooManyRequests {
				break
			}
		}
		if answered != tt.want {
			t.Errorf("%s %s: %d at once, want %d", tt.method, tt.target, answered, tt.want)
		}
	}
}

// The page's scripts have their limits from the server, as it was started.
func TestPagesKnowTheLimits(t *testing.T) {
	h := configured(t, func(c *web.Config) { c.Limits.Source = 12345 })
	for path, want := range map[string]string{
		"/":         `data-most="12345"`,
		"/?test=SB": fmt.Sprintf(`data-most="%d"`, engines.MaxOwn),
		"/programs": fmt.Sprintf(`data-most="%d"`, server.MaxProgram),
	} {
		if body := get(h, path).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%s: the page has no %s", path, want)
		}
	}
}
