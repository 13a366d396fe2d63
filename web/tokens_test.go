package web_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// tokens are tokens by themselves.
type tokens map[string]store.Token

func (m tokens) Token(_ context.Context, secret string) (store.Token, error) {
	if t, ok := m[secret]; ok {
		return t, nil
	}
	return store.Token{}, store.ErrNoToken
}

var someTokens = tokens{
	"r": {Name: "reader", Scopes: []store.Scope{store.Read}},
	"s": {Name: "ci", Scopes: []store.Scope{store.Read, store.Submit}},
	"a": {Name: "boss", Scopes: []store.Scope{store.Admin}},
}

// tokenCookie keeps a token in a browser.
const tokenCookie = "litmuscope_token"

func TestTokens(t *testing.T) {
	body := bodyOf(t, map[string]any{"source": webtest.ClassicSource(t, "SB"), "models": []string{"sc"}})
	for _, tt := range []struct {
		name           string
		auth           bool
		method, target string
		header         string
		status         int
	}{
		{"open to all", false, "POST", "/api/v1/explore", "", 200},
		{"open to all, with rubbish", false, "POST", "/api/v1/explore", "Bearer x", 200},
		{"none", true, "POST", "/api/v1/explore", "", 401},
		{"unknown", true, "POST", "/api/v1/explore", "Bearer x", 401},
		{"of another kind", true, "POST", "/api/v1/explore", "Basic czpz", 401},
		{"empty", true, "POST", "/api/v1/explore", "Bearer ", 401},
		{"too weak", true, "POST", "/api/v1/explore", "Bearer r", 403},
		{"right", true, "POST", "/api/v1/explore", "bearer s", 200},
		{"admin", true, "POST", "/api/v1/explore", "Bearer a", 200},
		{"page", true, "GET", "/", "", 200},
		{"page, with rubbish", true, "GET", "/", "Bearer x", 200},
		{"lists", true, "GET", "/api/v1/models", "", 200},
		{"document", true, "GET", "/api/openapi.json", "", 200},
		{"probe", true, "GET", "/readyz", "", 200},
		{"metrics", false, "GET", "/metrics", "", 200},
		{"programs on their page", true, "GET", "/programs", "", 200},
		{"a family as an archive", true, "GET", "/cycles/family.zip?arch=X86&relax=PodWR+Fre&min=4&max=4", "", 200},
		{"metrics without", true, "GET", "/metrics", "", 401},
		{"metrics, too weak", true, "GET", "/metrics", "Bearer s", 403},
		{"metrics, admin", true, "GET", "/metrics", "Bearer a", 200},
	} {
		h := configured(t, func(c *web.Config) { c.Tokens, c.Auth = someTokens, tt.auth })
		r := httptest.NewRequest(tt.method, tt.target, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if tt.header != "" {
			r.Header.Set("Authorization", tt.header)
		}
		w := do(h, r)
		if w.Code != tt.status {
			t.Errorf("%s: status %d, want %d: %.200s", tt.name, w.Code, tt.status, w.Body)
		}
		if got := w.Header().Get("WWW-Authenticate"); (got != "") != (tt.status == 401 || tt.status == 403) {
			t.Errorf("%s: WWW-Authenticate %q", tt.name, got)
		}
	}
}

// Metrics are for this machine without a token, unless a proxy has passed the request on.
func TestMetricsOnThisMachine(t *testing.T) {
	h := configured(t, func(c *web.Config) { c.Tokens, c.Auth = someTokens, true })
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.RemoteAddr = "127.0.0.1:4711"
	w := do(h, r)
	wantStatus(t, w, http.StatusOK)
	w = do(h, r) // which tells of the first
	for _, want := range []string{
		`litmuscope_http_request_seconds_count{class="2xx",method="GET",route="/metrics"} 1`, "go_goroutines ",
		"go_build_info{", "litmuscope_http_requests_running 1",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %s in %.3000s", want, w.Body)
		}
	}
	r.Header.Set("X-Forwarded-For", "203.0.113.7")
	wantStatus(t, do(h, r), http.StatusUnauthorized)
}

func TestRequire(t *testing.T) {
	c := webtest.TestConfig(engines.Local{})
	c.Tokens, c.Auth = someTokens, true
	s, err := server.New(c.Config)
	if err != nil {
		t.Fatal(err)
	}
	h := s.Handler(server.Page{Mount: func(r chi.Router) {
		r.With(s.Require(store.Read)).Get("/suites/1", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(server.Client(r.Context())))
		})
	}})
	r := httptest.NewRequest(http.MethodGet, "/suites/1?q=a&b=c", nil)
	r.Header.Set("Accept", "text/html")
	w := do(h, r)
	wantStatus(t, w, http.StatusSeeOther)
	if to := w.Header().Get("Location"); to != "/login?next=%2Fsuites%2F1%3Fq%3Da%26b%3Dc" {
		t.Errorf("led to %s", to)
	}
	r.AddCookie(&http.Cookie{Name: tokenCookie, Value: "r"})
	w = do(h, r)
	wantStatus(t, w, http.StatusOK)
	if w.Body.String() != "token reader" {
		t.Errorf("client %s", w.Body)
	}
}

func TestLogin(t *testing.T) {
	h := configured(t, func(c *web.Config) {
		c.Tokens, c.Auth = someTokens, true
		c.Proxies, _ = server.ParseProxies([]string{"192.0.2.0/24"})
	})
	w := get(h, "/login?next=/suites/1")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("input[type=hidden][name=next]", hasAttr("value", "^/suites/1$")),
		in("input[type=password][name=token]"))

	w = post(h, "/login", url.Values{"token": {"x"}, "next": {"/suites"}}, true)
	wantStatus(t, w, http.StatusUnauthorized)
	checkHTML(t, w.Body, in("[role=alert]", hasText("no such token")),
		in("input[name=next]", hasAttr("value", "^/suites$")))

	for next, want := range map[string]string{
		"/suites/1?q=1": "/suites/1?q=1", "": "/", "//evil.example": "/", "https://evil.example/": "/",
		`/\evil.example`: "/", "/\t/evil.example": "/", "suites": "/",
	} {
		for _, proto := range []string{"", "https"} {
			r := httptest.NewRequest(http.MethodPost, "/login",
				strings.NewReader(url.Values{"token": {" s\n"}, "next": {next}}.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("X-Forwarded-Proto", proto)
			w = do(h, r)
			wantStatus(t, w, http.StatusSeeOther)
			if got := w.Header().Get("Location"); got != want {
				t.Errorf("next %q leads to %q, want %q", next, got, want)
			}
			c := w.Result().Cookies()[0]
			if c.Value != "s" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode ||
				c.Secure != (proto == "https") || c.Path != "/" {
				t.Errorf("cookie %v", c)
			}
		}
	}
	w = post(h, "/logout", nil, true)
	wantStatus(t, w, http.StatusSeeOther)
	if c := w.Result().Cookies()[0]; c.Value != "" || c.Expires.Year() > 1971 {
		t.Errorf("cookie %v", c)
	}
	wantStatus(t, get(webtest.NewHandler(t, engines.Local{}), "/login"), http.StatusNotFound)
}

// A stream ends when the token that it was asked for with is revoked, before it tells of anything more.
func TestRevokedTokensStreamsEnd(t *testing.T) {
	gate := make(webtest.Gated)
	h := webtest.NewHouse(t, gate, func(c *web.Config) { c.Auth, c.Tokens = true, c.Store })
	s := webtest.Running(h)
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	secret, err := h.Store.AddToken(t.Context(), store.Token{Name: "reader", Scopes: []store.Scope{store.Read}})
	if err != nil {
		t.Fatal(err)
	}
	var streams []*bufio.Reader
	for _, path := range []string{"/events", "/results?follow=true"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/api/v1/suites/"+s.ID+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		if w.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, w.Status)
		}
		streams = append(streams, bufio.NewReader(w.Body))
	}
	if line, err := streams[0].ReadString('\n'); err != nil || line != "event: progress\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := h.Store.RevokeToken(t.Context(), "reader"); err != nil {
		t.Fatal(err)
	}
	gate.Pass(40)
	h.Done(s.ID)
	for i, stream := range streams {
		if rest, _ := io.ReadAll(stream); strings.Contains(string(rest), "event: end") ||
			strings.Contains(string(rest), `"verdict"`) {
			t.Errorf("stream %d goes on: %s", i, rest)
		}
	}
}
