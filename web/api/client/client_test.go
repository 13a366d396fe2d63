package client

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/web/api/rest"
)

// fake is a server that speaks the contract, and fails on demand.
type fake struct {
	*testing.T
	suite    Suite
	rows     int                           // of its results there are
	fail     []func(w http.ResponseWriter) // what becomes of the next requests for anything but the suite
	requests []*http.Request
	bodies   []string
	short    bool // results end in good order before their end
}

// serve gives a client of the fake, and what it slept.
func serve(f *fake) (*Client, *[]time.Duration) {
	s := httptest.NewServer(f)
	f.Cleanup(s.Close)
	c, err := New(s.URL+"/below", "secret")
	if err != nil {
		f.Fatal(err)
	}
	var slept []time.Duration
	c.sleep = func(_ context.Context, d time.Duration) error {
		slept = append(slept, d)
		return nil
	}
	return c, &slept
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if got := r.Header.Get("Authorization"); got != "Bearer secret" {
		f.Errorf("authorization %q", got)
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/below/api/v1/suites")
	if !ok {
		f.Errorf("path %s", r.URL.Path)
	}
	tell := func(status int) {
		w.WriteHeader(status)
		if err := json.NewEncoder(w).Encode(f.suite); err != nil {
			f.Error(err)
		}
	}
	if path == "/id" && r.Method == http.MethodGet {
		tell(http.StatusOK)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.Error(err)
	}
	f.requests, f.bodies = append(f.requests, r), append(f.bodies, string(body))
	var fail func(http.ResponseWriter)
	if len(f.fail) > 0 {
		fail, f.fail = f.fail[0], f.fail[1:]
	}
	switch {
	case path == "" && r.Method == http.MethodPost, path == "/id" && r.Method == http.MethodDelete:
		if fail != nil {
			fail(w)
			return
		}
		tell(http.StatusAccepted)
	case path == "/id/events":
		w.Header().Set("Content-Type", "text/event-stream")
		last, _ := strconv.Atoi(r.Header.Get("Last-Event-ID"))
		fmt.Fprint(w, ": hello\n\n")
		for n := last + 1; n <= f.suite.Rows; n++ {
			s := f.suite
			s.Done = n
			text, _ := json.Marshal(s)
			fmt.Fprintf(w, "event: progress\nid: %d\ndata: %s\n\n", n, text)
			if n == f.suite.Rows/2 && fail != nil {
				fail(w)
			}
		}
		fmt.Fprintf(w, "event: end\nid: %d\ndata: {}\n\n", f.suite.Rows)
	case path == "/id/results":
		w.Header().Set("Trailer", "Next-Position")
		after, _ := strconv.Atoi(r.URL.Query().Get("after"))
		for n := after; n < f.rows; n++ {
			if n == after+3 && fail != nil {
				fmt.Fprint(w, `{"row":`) // and no more
				fail(w)
			}
			if n == after+3 && f.short {
				f.short = false
				break
			}
			fmt.Fprintf(w, "{\"row\":%d}\n", n)
		}
		w.Header().Set("Next-Position", strconv.Itoa(f.rows))
	default:
		http.NotFound(w, r)
	}
}

// Ways to fail.
func drop(w http.ResponseWriter) {
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func busy(after string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", after)
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"title":"Service Unavailable","status":503,"detail":"Too much to do."}`)
	}
}

func refuse(w http.ResponseWriter) {
	w.WriteHeader(http.StatusUnprocessableEntity)
	fmt.Fprint(w,
		`{"detail":"The model cannot be read.","errors":[{"message":"got x","file":"my.cat","line":3,"column":4}]}`)
}

var tests = slices.Values([]suite.Entry{
	{Path: "a/SB.litmus", Source: "X86 SB\n<&>\n"},
	{Path: "none.litmus", Err: errors.New("none.litmus: no such file")},
	{Path: "b.litmus", Source: "X86 B\n"},
})

func TestSubmit(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := &fake{T: t, suite: Suite{ID: "id"}, fail: []func(http.ResponseWriter){busy("7"), drop}}
	c, slept := serve(f)
	s, err := c.Submit(t.Context(), Submission{
		Name: "n", Labels: map[string]string{"k": "v"}, Models: []string{"sc", "my.cat"},
		Own:     []solver.OwnModel{{Name: "my.cat", Text: "empty po", Files: map[string]string{"inc.cat": ""}}},
		Options: map[string]any{"timeout": "1m0s", "unroll": 3},
	}, tests)
	if err != nil || s.ID != "id" {
		t.Fatal(s, err)
	}
	if len(f.requests) != 3 || len(*slept) != 2 || (*slept)[0] != 7*time.Second {
		t.Errorf("%d requests, slept %v", len(f.requests), *slept)
	}
	// It is one submission, however often it is sent.
	key := f.requests[0].Header.Get("Idempotency-Key")
	for i, r := range f.requests {
		if r.Header.Get("Idempotency-Key") != key || key == "" || f.bodies[i] != f.bodies[0] ||
			r.ContentLength != int64(len(f.bodies[0])) {
			t.Errorf("request %d differs", i)
		}
	}
	if _, err := c.Submit(t.Context(), Submission{}, tests); err != nil ||
		f.requests[3].Header.Get("Idempotency-Key") == key {
		t.Error("another submission has the same key", err)
	}

	r := &http.Request{
		Method: http.MethodPost, Header: f.requests[0].Header,
		Body: io.NopCloser(strings.NewReader(f.bodies[0])),
	}
	form, err := r.MultipartReader()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"suite",
		`{"name":"n","labels":{"k":"v"},"models":["sc","my.cat"],"own_models":[{"name":"my.cat","text":"empty po","files":{"inc.cat":""}}],"options":{"timeout":"1m0s","unroll":3}}` + "\n",
		"tests",
		`{"path":"a/SB.litmus","source":"X86 SB\n<&>\n"}` + "\n" +
			`{"path":"none.litmus","error":"none.litmus: no such file"}` + "\n" +
			`{"path":"b.litmus","source":"X86 B\n"}` + "\n",
	}
	var got []string
	for part, err := form.NextPart(); err == nil; part, err = form.NextPart() {
		var in io.Reader = part
		if part.FormName() == "tests" {
			if in, err = gzip.NewReader(part); err != nil {
				t.Fatal(err)
			}
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, part.FormName(), string(text))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); err != nil || len(left) > 0 {
		t.Error("left behind: ", left, err)
	}
}

func TestRefused(t *testing.T) {
	f := &fake{T: t, fail: []func(http.ResponseWriter){refuse}}
	c, slept := serve(f)
	_, err := c.Submit(t.Context(), Submission{}, tests)
	want := "the server answered 422: The model cannot be read.\n  my.cat:3:4: got x"
	if err == nil || err.Error() != want || len(f.requests) != 1 || len(*slept) != 0 {
		t.Errorf("after %d requests: %v", len(f.requests), err)
	}
	// The fake's suite has no id.
	if _, err := c.Cancel(t.Context(), "id"); err == nil || !strings.Contains(err.Error(), "not a suite") {
		t.Error(err)
	}
	if _, err := c.Submit(t.Context(), Submission{}, func(func(suite.Entry) bool) {}); !errors.Is(err, ErrNoTests) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Submit(ctx, Submission{}, tests); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var refused *Error
	if _, err := c.Suite(t.Context(), "no/such?id"); !errors.As(err, &refused) ||
		refused.Status != http.StatusNotFound {
		t.Error(err)
	}
}

// A server that is never there is asked ten times, in growing intervals.
func TestGivesUp(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	c, err := New(s.Listener.Addr().String(), "")
	if err != nil {
		t.Fatal(err)
	}
	warned, slept := 0, time.Duration(0)
	c.Warn = func(text string) {
		warned++
		if !strings.Contains(text, "connection refused; trying again in ") {
			t.Error(text)
		}
	}
	c.sleep = func(_ context.Context, d time.Duration) error { slept += d; return nil }
	if _, err := c.Suite(t.Context(), "id"); !errors.Is(err, syscall.ECONNREFUSED) || warned != maxTries-1 {
		t.Errorf("%v after %d warnings", err, warned)
	}
	if slept < time.Minute || slept > 5*time.Minute {
		t.Errorf("slept %v", slept)
	}

	for _, address := range []string{"", "ftp://host", "http://", "http://%zz"} {
		if _, err := New(address, ""); err == nil {
			t.Errorf("%q is an address", address)
		}
	}
	for header, want := range map[string]time.Duration{
		"3": 3 * time.Second, "-1": 0, "": 0, "soon": 0, "99999999": 24 * time.Hour,
		time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat): 0,
	} {
		if got := retryAfter(header); got != want {
			t.Errorf("Retry-After %s: %v", header, got)
		}
	}
	if _, again := pause(&Error{Problem: rest.Problem{Status: http.StatusServiceUnavailable}, after: time.Hour},
		0); again {
		t.Error("a server is waited for for an hour")
	}
}

func TestWatch(t *testing.T) {
	f := &fake{T: t, suite: Suite{ID: "id", State: Running, Rows: 6, Done: 6}, fail: []func(http.ResponseWriter){drop}}
	c, slept := serve(f)
	var seen []int
	s, err := c.Watch(t.Context(), "id", func(s *Suite) { seen = append(seen, s.Done) })
	if err != nil || s.ID != "id" || !slices.Equal(seen, []int{1, 2, 3, 4, 5, 6}) {
		t.Errorf("%+v, %v, saw %v", s, err, seen)
	}
	if len(f.requests) != 2 || len(*slept) != 1 || f.requests[1].Header.Get("Last-Event-ID") != "3" {
		t.Errorf("%d requests, slept %v", len(f.requests), *slept)
	}
}

// lines are what Results gives.
func lines(c *Client, follow bool) (got []string, err error) {
	err = c.Results(context.Background(), "id", follow, func(line []byte) error {
		got = append(got, string(line))
		return nil
	})
	return got, err
}

func numbered(from, to int) (out []string) {
	for n := from; n < to; n++ {
		out = append(out, fmt.Sprintf(`{"row":%d}`, n))
	}
	return out
}

// However often the connection breaks, each result comes once.
func TestResults(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, test := range []struct {
		name   string
		suite  Suite
		follow bool
		fail   int
		short  bool
		after  []string // where requests begin
	}{
		{name: "done", suite: Suite{State: "done", Rows: 10, Done: 10}, fail: 2, after: []string{"", "3", "6"}},
		{
			name: "followed", suite: Suite{State: Running, Rows: 10, Done: 4}, follow: true, fail: 1,
			after: []string{"", "3"},
		},
		{
			name: "cut by a proxy", suite: Suite{State: "done", Rows: 10, Done: 10}, short: true,
			after: []string{"", "3"},
		},
		// Rows may be missing between those there are: only the whole will do.
		{name: "so far", suite: Suite{State: Running, Rows: 20, Done: 10}, fail: 2, after: []string{"", "", ""}},
		{
			name: "cancelled", suite: Suite{State: Cancelled, Rows: 20, Done: 10}, follow: true, fail: 1,
			after: []string{"", ""},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{T: t, suite: test.suite, rows: 10, short: test.short}
			f.suite.ID = "id"
			for range test.fail {
				f.fail = append(f.fail, drop)
			}
			c, _ := serve(f)
			got, err := lines(c, test.follow)
			if err != nil || !slices.Equal(got, numbered(0, 10)) {
				t.Errorf("%v, %v", got, err)
			}
			var after []string
			for _, r := range f.requests {
				after = append(after, r.URL.Query().Get("after"))
			}
			if !slices.Equal(after, test.after) {
				t.Errorf("asked from %q, want %q", after, test.after)
			}
		})
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); err != nil || len(left) > 0 {
		t.Error("left behind: ", left, err)
	}
}

func TestResultsEnd(t *testing.T) {
	// A suite that is cancelled while it is followed, when the connection breaks as well.
	f := &fake{T: t, suite: Suite{ID: "id", State: Running, Rows: 20, Done: 10}, rows: 10}
	f.fail = []func(http.ResponseWriter){func(w http.ResponseWriter) {
		f.suite.State = Cancelled
		drop(w)
	}}
	c, _ := serve(f)
	if got, err := lines(c, true); err == nil || !strings.Contains(err.Error(), "cancelled") || len(got) != 3 {
		t.Error(got, err)
	}

	// What takes the results has the last word: a pipe that nobody reads is no broken connection.
	f = &fake{T: t, suite: Suite{ID: "id", State: "done", Rows: 10, Done: 10}, rows: 10}
	c, slept := serve(f)
	n := 0
	err := c.Results(t.Context(), "id", false, func([]byte) error { n++; return syscall.EPIPE })
	if !errors.Is(err, syscall.EPIPE) || n != 1 || len(*slept) != 0 {
		t.Error(err, n, *slept)
	}

	var b strings.Builder
	f.fail = []func(http.ResponseWriter){drop}
	if err := c.Download(t.Context(), "id", "herd", true, &b); err != nil || strings.Count(b.String(), "\n") != 10 {
		t.Error(b.String(), err)
	}
	if q := f.requests[len(f.requests)-1].URL.Query(); q.Get("format") != "herd" || q.Get("follow") != "true" {
		t.Error(q)
	}
}
