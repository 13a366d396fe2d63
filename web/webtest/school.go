package webtest

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web"
)

// School is a server with classes and courses that can be stopped and started again.
type School struct {
	T    *testing.T
	addr string
	path string
	URL  string
	Deaf atomic.Bool // it cuts every request off

	Kept *store.Store
	srv  *http.Server
	with func(*web.Config)
}

// NewSchool starts a server with classes and courses. The functions in change modify its configuration.
func NewSchool(t *testing.T, change ...func(*web.Config)) *School {
	t.Helper()
	s := &School{T: t, path: filepath.Join(t.TempDir(), "school.db")}
	s.with = func(c *web.Config) {
		for _, f := range change {
			f(c)
		}
	}
	s.Start()
	t.Cleanup(s.Stop)
	return s
}

// Start starts the server on its store, as after a restart.
func (s *School) Start() {
	s.T.Helper()
	var err error
	if s.Kept, err = store.Open(context.Background(), s.path); err != nil {
		s.T.Fatal(err)
	}
	config := TestConfig(engines.Local{})
	config.Rooms, config.Links, config.Tries = s.Kept, s.Kept, s.Kept
	s.with(&config)
	h, err := web.New(config)
	if err != nil {
		s.T.Fatal(err)
	}
	var ln net.Listener
	if s.addr == "" {
		ln = listen(s.T)
		s.addr = ln.Addr().String() // and the same one from now on
		s.URL = "http://" + s.addr
	} else if ln, err = net.Listen("tcp", s.addr); err != nil {
		s.T.Fatal(err)
	}
	reached := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Deaf.Load() {
			panic(http.ErrAbortHandler)
		}
		h.ServeHTTP(w, r)
	})
	s.srv = &http.Server{Handler: reached, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	go func() { _ = s.srv.Serve(ln) }()
}

// Stop stops the server and keeps its store.
func (s *School) Stop() {
	_ = s.srv.Close()
	http.DefaultClient.CloseIdleConnections() // else what is asked next may go to the server that is no more
	_ = s.Kept.Close()
}

// Person is a visitor: a client with its own cookies.
type Person struct {
	t *testing.T
	s *School
	*http.Client
}

// Person returns a new visitor with their own cookies.
func (s *School) Person() *Person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.T.Fatal(err)
	}
	return &Person{s.T, s, &http.Client{Jar: jar, Timeout: time.Minute}}
}

// Ask sends a request as a browser does or, of a fragment, as a page's script, and says where it has led.
func (p *Person) Ask(r *http.Request, fragment bool) (status int, body, at string) {
	p.t.Helper()
	if r.Header.Set("Accept", "text/html"); fragment {
		r.Header.Set("X-Page-Nonce", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}
	w, err := p.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer w.Body.Close()
	var b strings.Builder
	if _, err := fmt.Fprint(&b, ReadAll(p.t, w)); err != nil {
		p.t.Fatal(err)
	}
	return w.StatusCode, b.String(), w.Request.URL.Path
}

// ReadAll reads and closes an answer's body.
func ReadAll(t *testing.T, w *http.Response) string {
	t.Helper()
	var b strings.Builder
	buf := make([]byte, 32<<10)
	for {
		n, err := w.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String()
		}
	}
}

// Get requests a page, and returns its status, its body and the address after redirects.
func (p *Person) Get(path string) (status int, body, at string) {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodGet, p.s.URL+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.Ask(r, false)
}

// Post sends a form of names and values. With fragment, it asks as the page's script does.
func (p *Person) Post(path string, fragment bool, fields ...string) (status int, body, at string) {
	p.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	r, err := http.NewRequest(http.MethodPost, p.s.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return p.Ask(r, fragment)
}

// Wants posts and expects a status.
func (p *Person) Wants(status int, path string, fields ...string) string {
	p.t.Helper()
	got, body, _ := p.Post(path, true, fields...)
	if got != status {
		p.t.Fatalf("%s %v: status %d, want %d: %.300s", path, fields, got, status, body)
	}
	return body
}

// Reads gets a page that there is, expects words in its plain text, and gives its HTML.
func (p *Person) Reads(path string, want ...string) string {
	p.t.Helper()
	status, body, _ := p.Get(path)
	if status != http.StatusOK {
		p.t.Fatalf("%s: status %d", path, status)
	}
	text := PlainText(body)
	for _, w := range want {
		if !strings.Contains(text, w) {
			p.t.Errorf("%s has no %q: %.1500s", path, w, text)
		}
	}
	return body
}

// CodeOnPage matches the code of a class on its page.
var CodeOnPage = regexp.MustCompile(`data-code="([A-Z0-9]{6})"`)

// Opens opens a class on a form's questions, and gives where its teacher and its students go.
func (p *Person) Opens(fields ...string) (teach, join string) {
	p.t.Helper()
	status, body, at := p.Post("/class/open", false, fields...)
	if status != http.StatusOK || !strings.HasPrefix(at, "/class/teach/") {
		p.t.Fatalf("open: status %d at %s: %.500s", status, at, body)
	}
	code := CodeOnPage.FindStringSubmatch(body)
	if code == nil {
		p.t.Fatalf("no code in %.500s", body)
	}
	return at, "/class/" + code[1]
}

// SBFields ask whether SC and TSO allow what SB asks about, and where fences forbid it.
func SBFields(t *testing.T) []string {
	return []string{
		"source", ClassicSource(t, "SB"), "model", "sc", "model", "tso", "ask", "sc", "ask", "tso",
		"row", `{"0:EAX":"0","1:EAX":"0"}`, "fences", "tso",
	}
}

// Tags matches the parts of a page that are not text.
var Tags = regexp.MustCompile(`(?s)<(script|style|datalist)\b.*?</(script|style|datalist)>|<[^>]*>`)

// PlainText is what is read on a page, its blanks as one each.
func PlainText(body string) string {
	text := Tags.ReplaceAllString(body, " ")
	text = strings.NewReplacer("&#39;", "'", "&amp;", "&", "&lt;", "<", "&gt;", ">", "&#34;", `"`).Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

// At is the browser of somebody who comes through a proxy from an address.
func (s *School) At(address string) *Person {
	p := s.Person()
	p.Transport = forwardedFor(address)
	return p
}

// forwardedFor is a way to a server through a proxy.
type forwardedFor string

func (f forwardedFor) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("X-Forwarded-For", string(f))
	return http.DefaultTransport.RoundTrip(r)
}
