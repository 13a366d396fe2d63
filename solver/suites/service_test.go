package suites_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/queue"
	"litmuscope/solver/suites"
	"litmuscope/store"
)

// house is a server's part in suites, without its workers.
type house struct {
	t      testing.TB
	folder string
	store  *store.Store
	queue  *queue.Queue
	*suites.Coordinator
	halt func() // ends the coordinator
	stop func() // ends it all
}

const version = "v1"

// open starts a house on a folder, as a server that starts does.
func open(t testing.TB, folder, version string) *house {
	t.Helper()
	log := slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := store.Open(t.Context(), filepath.Join(folder, "db"))
	if err != nil {
		t.Fatal(err)
	}
	q, err := queue.Embedded(t.Context(), filepath.Join(folder, "queue"), log)
	if err != nil {
		t.Fatal(err)
	}
	q.AckWait = 2 * time.Second
	c := suites.NewCoordinator(suites.Config{
		Ledger: s, Queue: q.Coordinator("here"), Server: "here", Version: version, Log: log,
	})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := c.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	h := &house{t: t, folder: folder, store: s, queue: q, Coordinator: c}
	h.halt = func() { cancel(); running.Wait() }
	h.stop = sync.OnceFunc(func() {
		h.halt()
		q.Close()
		s.Close()
	})
	t.Cleanup(h.stop)
	return h
}

// work starts a worker; it ends in good order with the function returned, or the test.
func (h *house) work(name, version string, slots int, r solver.Runner) (stop func()) {
	h.t.Helper()
	w := &suites.Worker{
		Name: name, Version: version, Feed: h.queue.Feed(version), Runner: r, Slots: slots,
		Log: slog.New(slog.DiscardHandler),
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.Run(ctx); err != nil {
			h.t.Error(err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	h.t.Cleanup(stop)
	return stop
}

// finish waits for a suite to end.
func (h *house) finish(id string) *suites.Suite {
	h.t.Helper()
	for {
		changed := h.Changed(id)
		s, err := h.store.Suite(h.t.Context(), id)
		if err != nil {
			h.t.Fatal(err)
		}
		if s.State != suites.Running {
			return s
		}
		<-changed
	}
}

func (h *house) submit(sub suites.Submission) *suites.Suite {
	h.t.Helper()
	s, _, err := h.Submit(h.t.Context(), sub)
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

type testLog struct{ t testing.TB }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// numbered are n tests, each of which names itself.
func numbered(n int) iter.Seq[suite.Entry] {
	return func(yield func(suite.Entry) bool) {
		for i := range n {
			if !yield(
				suite.Entry{
					Path:   fmt.Sprintf("t%05d.litmus", i),
					Source: fmt.Sprintf("X86 T%05d\n{}\n P0 ;\n MOV [x],$%d ;\nexists (x=%d)\n", i, i, i),
				}) {
				return
			}
		}
	}
}

func request(models ...string) suites.Request {
	r := suites.Request{Options: solver.DefaultOptions()}
	for _, m := range models {
		r.Models = append(r.Models, suites.Model{Name: m})
	}
	return r
}

// runner answers as a function says.
type runner func(context.Context, solver.Task) (*solver.Result, error)

func (r runner) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	return r(ctx, t)
}

// answer is an answer that tells its task.
func answer(t solver.Task) *solver.Result {
	yes := true
	name := strings.Fields(t.Source)[1]
	return &solver.Result{
		Path: t.Path, Name: name, Arch: "X86", Model: t.Model, Engine: "axiomatic", Status: solver.OK,
		Verdict:        solver.Allowed,
		ConditionHolds: &yes, States: []solver.State{{{Name: "x", Value: name}}}, MS: 1, Complete: true,
	}
}

func at(delay time.Duration) runner {
	return func(ctx context.Context, t solver.Task) (*solver.Result, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(delay):
			return answer(t), nil
		}
	}
}

// wantRows checks that each test has its own answer under each model, once and in order.
func (h *house) wantRows(s *suites.Suite) {
	h.t.Helper()
	next, models := 0, len(s.Request.Models)
	err := h.store.Rows(h.t.Context(), s, 0, 1<<30, func(position int, r *solver.Result) (bool, error) {
		want := fmt.Sprintf("T%05d", position/models)
		if position != next || r.Name != want || r.Path != fmt.Sprintf("t%05d.litmus", position/models) ||
			r.Model != s.Request.Models[position%models].Name {
			return false, fmt.Errorf("row %d: position %d has test %s (%s) under %s", next, position,
				r.Name, r.Path, r.Model)
		}
		next++
		return true, nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if next != s.Rows() || s.Done != next {
		h.t.Fatalf("%d rows, %d counted, want %d", next, s.Done, s.Rows())
	}
	sum := 0
	for _, t := range s.Totals {
		sum += t.Allowed + t.Forbidden + t.Undecided + t.Failed
	}
	if sum != next {
		h.t.Errorf("totals add up to %d, want %d", sum, next)
	}
}

func TestSuite(t *testing.T) {
	h := open(t, t.TempDir(), version)
	h.work("w1", version, 4, at(time.Millisecond))
	s := h.submit(suites.Submission{Request: request("sc", "tso"), Tests: numbered(500)})
	s = h.finish(s.ID)
	if s.State != suites.Done {
		t.Errorf("state %s", s.State)
	}
	h.wantRows(s)

	t.Run("again from the cache", func(t *testing.T) {
		again := h.submit(suites.Submission{Request: request("tso"), Tests: numbered(500)})
		again = h.finish(again.ID)
		if again.Cached != 500 {
			t.Errorf("%d rows are from the cache, want 500", again.Cached)
		}
		h.wantRows(again)
	})
	t.Run("a test that cannot be read", func(t *testing.T) {
		bad := errors.New("b.litmus: permission denied")
		s := h.submit(suites.Submission{Request: request("tso"), Tests: func(yield func(suite.Entry) bool) {
			_ = yield(suite.Entry{Path: "b.litmus", Err: bad})
		}})
		if s = h.finish(s.ID); s.Failed != 1 {
			t.Errorf("%d failed", s.Failed)
		}
		_ = h.store.Rows(t.Context(), s, 0, 1, func(_ int, r *solver.Result) (bool, error) {
			if r.Error != bad.Error() {
				t.Errorf("error %q", r.Error)
			}
			return true, nil
		})
	})
}

func TestSubmitAgain(t *testing.T) {
	h := open(t, t.TempDir(), version)
	sub := suites.Submission{Request: request("tso"), Tests: numbered(3), Key: "nightly-7"}
	first := h.submit(sub)
	second, again, err := h.Submit(t.Context(), sub)
	if err != nil || !again || second.ID != first.ID {
		t.Errorf("the same again: %v, %v, %v", second, again, err)
	}
	sub.Tests = numbered(4)
	if _, _, err := h.Submit(t.Context(), sub); !errors.Is(err, suites.ErrKeyReused) {
		t.Errorf("another under its key: %v", err)
	}
	sub.Owner = "somebody"
	if other, again, err := h.Submit(t.Context(), sub); err != nil || again || other.ID == first.ID {
		t.Errorf("somebody else's: %v, %v, %v", other, again, err)
	}
	all, err := h.store.Suites(t.Context(), 0, "", "", 10)
	if err != nil || len(all) != 2 {
		t.Errorf("%d suites, %v", len(all), err)
	}
}

func TestSubmitRefused(t *testing.T) {
	h := open(t, t.TempDir(), version)
	h.MaxTests = 10
	for _, test := range []struct {
		sub  suites.Submission
		want string
	}{
		{suites.Submission{Request: request("tso"), Tests: numbered(0)}, "no tests"},
		{suites.Submission{Request: request("tso"), Tests: numbered(11)}, "more than 10 tests"},
		{suites.Submission{Request: request("tso", "tso"), Tests: numbered(1)}, "twice"},
		{suites.Submission{Request: request("nonsense"), Tests: numbered(1)}, `unknown model "nonsense"`},
		{suites.Submission{
			Request: suites.Request{Name: strings.Repeat("x", 300), Options: solver.DefaultOptions()},
			Tests:   numbered(1),
		}, "name"},
	} {
		if _, _, err := h.Submit(t.Context(), test.sub); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	if all, err := h.store.Suites(t.Context(), 0, "", "", 10); err != nil || len(all) > 0 {
		t.Errorf("%d suites are left, %v", len(all), err)
	}
}

// TestVanish has workers vanish in the midst of their jobs, whose tests others take over.
func TestVanish(t *testing.T) {
	h := open(t, t.TempDir(), version)
	var hung atomic.Int64
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	h.vanishing("doomed", func() bool { return hung.Add(1) == 5 }, release)
	s := h.submit(suites.Submission{Request: request("tso"), Tests: numbered(200)})
	for hung.Load() < 5 {
		time.Sleep(10 * time.Millisecond)
	}
	h.work("heir", version, 2, at(0))
	s = h.finish(s.ID)
	h.wantRows(s)
}

// vanishing starts a worker that stops in mid-job, without a sign, when a function says so.
func (h *house) vanishing(name string, when func() bool, release chan struct{}) {
	f := &lostFeed{Feed: h.queue.Feed(version)}
	w := &suites.Worker{
		Name: name, Version: version, Feed: f, Slots: 2, Log: slog.New(slog.DiscardHandler),
		Runner: runner(func(_ context.Context, t solver.Task) (*solver.Result, error) {
			if when() {
				f.lost.Store(true)
			}
			if f.lost.Load() {
				<-release
			}
			return answer(t), nil
		}),
	}
	ctx, cancel := context.WithCancel(context.Background())
	go w.Run(ctx) //nolint:errcheck // it is gone
	h.t.Cleanup(cancel)
}

// lostFeed is a feed with a connection that the test can cut.
type lostFeed struct {
	suites.Feed
	lost atomic.Bool
}

var errLost = errors.New("cut")

func (f *lostFeed) Next(ctx context.Context) (suites.Delivery, error) {
	if f.lost.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	d, err := f.Feed.Next(ctx)
	if err != nil {
		return nil, err
	}
	return &lostDelivery{d, f}, nil
}

func (f *lostFeed) Report(ctx context.Context, server string, r *suites.Report) error {
	if f.lost.Load() {
		return errLost
	}
	return f.Feed.Report(ctx, server, r)
}

type lostDelivery struct {
	suites.Delivery
	f *lostFeed
}

func (d *lostDelivery) Working() error {
	if d.f.lost.Load() {
		return errLost
	}
	return d.Delivery.Working()
}

// TestRestart ends the server while a suite runs; the next server continues where it was.
func TestRestart(t *testing.T) {
	folder := t.TempDir()
	h := open(t, folder, version)
	stop := h.work("w1", version, 2, at(3*time.Millisecond))
	id := h.submit(suites.Submission{Request: request("tso", "sc"), Tests: numbered(400)}).ID
	for {
		s, err := h.store.Suite(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Done > 50 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	h.stop()

	h = open(t, folder, version)
	before, err := h.store.Suite(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if before.Done < 50 || before.Done == before.Rows() {
		t.Fatalf("%d of %d rows after the restart", before.Done, before.Rows())
	}
	h.work("w2", version, 4, at(0))
	h.wantRows(h.finish(id))
}

// TestOtherVersion gives a suite no worker of another version, and starts a suite anew if other engines began it.
func TestOtherVersion(t *testing.T) {
	folder := t.TempDir()
	h := open(t, folder, version)
	var old atomic.Int64
	stop := h.work("w1", version, 2, runner(func(_ context.Context, t solver.Task) (*solver.Result, error) {
		time.Sleep(2 * time.Millisecond)
		old.Add(1)
		r := answer(t)
		r.Version = 1
		return r, nil
	}))
	id := h.submit(suites.Submission{Request: request("tso"), Tests: numbered(500)}).ID
	for old.Load() < 20 {
		time.Sleep(5 * time.Millisecond)
	}
	h.halt()
	stop() // its last reports wait in the queue
	h.stop()

	h = open(t, folder, "v2")
	h.work("old", version, 2, runner(func(_ context.Context, t solver.Task) (*solver.Result, error) {
		r := answer(t)
		r.Version = 1 // of a job from before; it comes too late
		return r, nil
	}))
	h.work("new", "v2", 4, runner(func(_ context.Context, t solver.Task) (*solver.Result, error) {
		r := answer(t)
		r.Version = 2
		return r, nil
	}))
	s := h.finish(id)
	h.wantRows(s)
	_ = h.store.Rows(t.Context(), s, 0, 1<<30, func(_ int, r *solver.Result) (bool, error) {
		if r.Version != 2 && !r.Cached {
			t.Errorf("%s is from version %d", r.Path, r.Version)
		}
		return true, nil
	})
}

// TestDeadly has a test that kills every worker: the coordinator sets aside it alone.
func TestDeadly(t *testing.T) {
	h := open(t, t.TempDir(), version)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	deadly := func(name string) {
		f := &lostFeed{Feed: h.queue.Feed(version)}
		w := &suites.Worker{
			Name: name, Version: version, Feed: f, Slots: 1, Log: slog.New(slog.DiscardHandler),
			Runner: runner(func(_ context.Context, t solver.Task) (*solver.Result, error) {
				if strings.Contains(t.Source, "T00003") {
					f.lost.Store(true)
				}
				if f.lost.Load() {
					<-release
				}
				return answer(t), nil
			}),
		}
		ctx, cancel := context.WithCancel(context.Background())
		go w.Run(ctx) //nolint:errcheck // it dies
		t.Cleanup(cancel)
	}
	for i := range 2*suites.Attempts + 2 {
		deadly(fmt.Sprint("w", i))
	}
	s := h.submit(suites.Submission{Request: request("tso"), Tests: numbered(8)})
	s = h.finish(s.ID)
	if s.SetAside != 1 || s.Failed != 1 {
		t.Errorf("%d set aside, %d failed, want 1 and 1", s.SetAside, s.Failed)
	}
	_ = h.store.Rows(t.Context(), s, 3, 1, func(_ int, r *solver.Result) (bool, error) {
		if !strings.HasPrefix(r.Error, "t00003.litmus: set aside: ") || !strings.Contains(r.Error, "workers stopped") {
			t.Errorf("error %q", r.Error)
		}
		return true, nil
	})
}

// Somebody with the queue's password reports what nobody asked for, and names the keys that the cache is to have it
// under: suites continue, and the cache keeps none of it.
func TestRogueReports(t *testing.T) {
	h := open(t, t.TempDir(), version)
	s := h.submit(suites.Submission{Request: request("tso", "sc"), Tests: numbered(20)})
	task := s.Request.Task(0, "t00099.litmus", "X86 T00099 \n")
	forged, err := engines.Key(task)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(answer(task))
	if err != nil {
		t.Fatal(err)
	}
	rogue := h.queue.Feed(version)
	report := func(rows ...suites.Row) {
		t.Helper()
		for i := range rows {
			rows[i].ForCache, rows[i].Key = true, &forged
			if rows[i].Body == nil {
				rows[i].Body = body
			}
		}
		err := rogue.Report(t.Context(), "here",
			&suites.Report{
				Job: "made up", Suite: s.ID, Number: s.Number, Version: version,
				Worker: "rogue", Rows: rows,
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	bad := []suites.Row{
		{Test: 20, Code: suites.Allowed},
		{Test: -1, Code: suites.Allowed},
		{Test: 1 << 40, Code: suites.Allowed},
		{Model: 2, Code: suites.Allowed},
		{Model: -1, Code: suites.Allowed},
		{Code: 'x'},
		{},
		{Code: suites.Allowed, MS: -1},
		{Code: suites.Allowed, MS: 1e300},
		{Code: suites.Allowed, Body: []byte("{")},
	}
	for _, row := range bad {
		report(row)
	}
	report(suites.Row{Test: 3, Code: suites.Allowed}) // which may have come from an earlier life's job
	recorded := func() suites.Stats { stats, _, _ := h.Stats(); return stats }
	for recorded().Rows == 0 {
		time.Sleep(time.Millisecond)
	}
	h.work("w1", version, 2, at(time.Millisecond))
	s = h.finish(s.ID)
	if s.State != suites.Done || s.Done != 40 {
		t.Errorf("%s with %d rows, want it done with 40", s.State, s.Done)
	}
	if n := recorded().Dropped; n != int64(len(bad)) {
		t.Errorf("%d rows are dropped, want %d", n, len(bad))
	}
	answers, err := h.store.Answers(t.Context(), []solver.Key{forged}, false)
	if err != nil || len(answers) > 0 {
		t.Errorf("the cache has what the report wanted it to: %v, %v", answers, err)
	}
}

// An exploration that comes in more parts than a suite may have tests fails where it does, and ends.
func TestPartsHaveALimit(t *testing.T) {
	h := open(t, t.TempDir(), version)
	h.MaxTests = 10
	of := request("sc")
	of.Engine, of.Program = "graphs",
		&solver.VerifyTask{
			Path: "a.c", Files: []solver.SourceFile{{Name: "a.c", Text: "int main(void) { return 0; }"}},
			Options: of.Options,
		}
	s := h.submit(
		suites.Submission{Request: of, Tests: slices.Values([]suite.Entry{{Path: "a.c", Source: suites.PartSource}})})
	feed := h.queue.Feed(version)
	row := suites.Row{Code: suites.Forbidden, Body: []byte("{}"), RestPaths: make([]string, 10)}
	if err := feed.Report(t.Context(), "here",
		&suites.Report{
			Job: "first", Suite: s.ID, Number: s.Number, Version: version, Worker: "w",
			Rows: []suites.Row{row},
		}); err != nil {
		t.Fatal(err)
	}
	s = h.finish(s.ID)
	if s.State != suites.Done || s.Tests != 1 || s.Done != 1 {
		t.Errorf("%s with %d rows of %d tests, want it done with the one that fails", s.State, s.Done, s.Tests)
	}
	var why string
	if err := h.store.Rows(t.Context(), s, 0, 10,
		func(_ int, r *solver.Result) (bool, error) { why = r.Error; return true, nil }); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(why, "a.c: the executions need more than 10 parts, the limit for a suite") {
		t.Errorf("the row says %q", why)
	}
}

func TestCancel(t *testing.T) {
	h := open(t, t.TempDir(), version)
	var begun, ended atomic.Int64
	h.work("w1", version, 2, runner(func(ctx context.Context, t solver.Task) (*solver.Result, error) {
		begun.Add(1)
		defer ended.Add(1)
		<-ctx.Done() // it would take for ever
		return nil, ctx.Err()
	}))
	s := h.submit(suites.Submission{Request: request("tso"), Tests: numbered(50)})
	for begun.Load() < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	s, err := h.Cancel(t.Context(), s.ID)
	if err != nil || s.State != suites.Cancelled {
		t.Fatalf("%v, %v", s, err)
	}
	for ended.Load() < begun.Load() { // or the test times out
		time.Sleep(5 * time.Millisecond)
	}
	if err := h.Delete(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := h.store.Suite(t.Context(), s.ID); !errors.Is(err, suites.ErrNoSuite) {
		t.Error(err)
	}
}

// TestShares has a small suite overtake a large one that came before it.
func TestShares(t *testing.T) {
	h := open(t, t.TempDir(), version)
	h.work("w1", version, 2, at(2*time.Millisecond))
	large := h.submit(suites.Submission{Request: request("tso"), Tests: numbered(5000)})
	for {
		s, err := h.store.Suite(t.Context(), large.ID)
		if err != nil {
			t.Fatal(err)
		}
		if s.Done > 100 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	small := h.submit(suites.Submission{Request: request("sc"), Tests: numbered(20)})
	h.finish(small.ID)
	s, err := h.store.Suite(t.Context(), large.ID)
	if err != nil || s.State != suites.Running {
		t.Errorf("the large suite is %s with %d rows when the small one ends, %v", s.State, s.Done, err)
	}
}
