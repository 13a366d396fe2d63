package webtest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/queue"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web"
)

// House is a server with suites, and a worker of its own.
type House struct {
	http.Handler
	T     *testing.T
	Store *store.Store
	*suites.Coordinator
}

// NewHouse starts a server with a store, a queue and a worker that runs tests with runner. The functions in change
// modify its configuration. It ends with the test.
func NewHouse(t *testing.T, runner solver.Runner, change ...func(*web.Config)) *House {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	folder := t.TempDir()
	kept, err := store.Open(t.Context(), filepath.Join(folder, "db"))
	if err != nil {
		t.Fatal(err)
	}
	q, err := queue.Embedded(t.Context(), filepath.Join(folder, "queue"), log)
	if err != nil {
		t.Fatal(err)
	}
	const version = "0123456789abcdef"
	c := suites.NewCoordinator(
		suites.Config{Ledger: kept, Queue: q.Coordinator("here"), Server: "here", Version: version, Log: log})
	w := &suites.Worker{Name: "w", Version: version, Feed: q.Feed(version), Runner: runner, Slots: 2, Log: log}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, run := range []func(context.Context) error{c.Run, w.Run} {
		running.Go(func() {
			if err := run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() {
		cancel()
		running.Wait()
		q.Close()
		kept.Close()
	})
	// Once this is refused, what the tests put into the store is nobody's to take up.
	if _, _, err := c.Submit(t.Context(),
		suites.Submission{Request: suites.Request{Options: solver.DefaultOptions()}, Tests: Entries()}); err == nil {
		t.Fatal("a suite without tests is taken")
	}
	config := TestConfig(engines.Local{})
	config.Suites, config.Store, config.Rooms = c, kept, kept
	for _, f := range change {
		f(&config)
	}
	h, err := web.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return &House{h, t, kept, c}
}

// Submit has tests run under models.
func (h *House) Submit(r suites.Request, tests iter.Seq[suite.Entry]) *suites.Suite {
	h.T.Helper()
	if r.Options == (solver.Options{}) {
		r.Options = solver.DefaultOptions()
	}
	s, _, err := h.Coordinator.Submit(h.T.Context(), suites.Submission{Request: r, Tests: tests})
	if err != nil {
		h.T.Fatal(err)
	}
	return s
}

// Done waits for the end of a suite.
func (h *House) Done(id string) *suites.Suite {
	h.T.Helper()
	for {
		changed := h.Changed(id)
		s, err := h.Store.Suite(h.T.Context(), id)
		if err != nil {
			h.T.Fatal(err)
		}
		if s.State != suites.Running {
			return s
		}
		<-changed
	}
}

// Stored is a suite that has its rows already: the code of each test and model.
func (h *House) Stored(tests int, models []string, code func(test, model int) suites.Code) *suites.Suite {
	h.T.Helper()
	ctx := h.T.Context()
	s := &suites.Suite{
		ID: fmt.Sprintf("stored%06d", tests), Version: "0123456789abcdef", State: suites.Receiving,
		Created: time.Now(),
	}
	s.Request = suites.Request{
		Name: fmt.Sprintf("%d stored", tests), Models: BuiltIn(models...),
		Options: solver.DefaultOptions(),
	}
	err := h.Store.CreateSuite(ctx, s)
	for from := 0; from < tests && err == nil; from += 5000 {
		var part []suites.Test
		for n := from; n < min(from+5000, tests); n++ {
			part = append(part,
				suites.Test{
					N: n, Path: fmt.Sprintf("family-%d/t%06d.litmus", n%7, n), Name: fmt.Sprintf("T%06d", n),
					Source: Numbered(n),
				})
		}
		err = h.Store.AddTests(ctx, s.Number, part)
	}
	if err == nil {
		_, err = h.Store.SealSuite(ctx, s.Number, "", nil)
	}
	var rows []suites.Row
	for at := range tests * len(models) {
		n, m := at/len(models), at%len(models)
		row := suites.Row{
			Suite: s.Number, Version: s.Version, Test: n, Model: m, Code: code(n, m),
			MS: 1 + float64(n%100)/10, Body: []byte(`{}`),
		}
		if row.Code == suites.Failed {
			row.Cause = "no such instruction"
		}
		if row.Code != store.Waiting {
			rows = append(rows, row)
		}
		if last := at+1 == tests*len(models); err == nil && (len(rows) == 5000 || last) {
			_, err = h.Store.Record(ctx, rows)
			rows = rows[:0]
		}
	}
	if err == nil {
		s, err = h.Store.Suite(ctx, s.ID)
	}
	if err != nil {
		h.T.Fatal(err)
	}
	return s
}

// BuiltIn returns built-in models for a request.
func BuiltIn(names ...string) []suites.Model {
	var out []suites.Model
	for _, name := range names {
		out = append(out, suites.Model{Name: name})
	}
	return out
}

// Numbered is a test that names itself.
func Numbered(n int) string {
	return fmt.Sprintf("X86 T%06d\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n"+
		" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n", n)
}

// Entries returns a sequence of entries.
func Entries(list ...suite.Entry) iter.Seq[suite.Entry] {
	return func(yield func(suite.Entry) bool) {
		for _, e := range list {
			if !yield(e) {
				return
			}
		}
	}
}

// Call asks the REST interface; headers are name, value.
func (h *House) Call(method, target string, body []byte, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, bytes.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Send posts a form as a browser does; file, unless "", is the field of the file behind it.
func (h *House) Send(target string, fields [][2]string, file, name, content string) *httptest.ResponseRecorder {
	h.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, f := range fields {
		if err := form.WriteField(f[0], f[1]); err != nil {
			h.T.Fatal(err)
		}
	}
	if file != "" {
		w, err := form.CreateFormFile(file, name)
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			h.T.Fatal(err)
		}
	}
	form.Close()
	r := httptest.NewRequest(http.MethodPost, target, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
