package suites

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Worker runs jobs. It runs Slots tests at once, of one job or of several, so that a slow test keeps one slot busy and
// delays nothing else.
type Worker struct {
	Name    string
	Version string // engines.Fingerprint
	Feed    Feed
	Runner  solver.Runner
	Slots   int
	// Started, unless nil, counts the child processes that the runner has started.
	Started func() int64
	Log     *slog.Logger

	busy, rows atomic.Int64

	mu     sync.Mutex
	inHand map[string]*inHand   // by suite
	over   map[string]time.Time // recently cancelled suites
}

// inHand is the jobs of one suite that a worker has.
type inHand struct {
	jobs int
	ctx  context.Context // ends when somebody cancels the suite
	end  context.CancelFunc
}

// Timings and sizes of a worker.
const (
	// A job without a report for AckWait goes to another worker.
	AckWait = 6 * time.Second
	// Attempts is how many workers begin a job: after that, the coordinator assumes that the job kills them.
	Attempts = 3

	reportEvery = 250 * time.Millisecond
	reportBytes = 512 << 10
	// handover is how long reports and acknowledgements may take once the worker is to end.
	handover = 5 * time.Second
)

// unit is a test under one model, and where its row is to go.
type unit struct {
	ctx  context.Context
	task solver.Task
	done func(*solver.Result, error)
}

// Run takes jobs until the context ends; then it lets go of what it has: it reports the rows that it has, and leaves
// the others to other workers.
func (w *Worker) Run(ctx context.Context) error {
	if w.Log == nil {
		w.Log = slog.Default()
	}
	w.inHand, w.over = map[string]*inHand{}, map[string]time.Time{}
	units := make(chan unit)
	var slots, jobs sync.WaitGroup
	for range w.Slots {
		slots.Go(func() {
			for u := range units {
				w.busy.Add(1)
				u.done(w.ask(u))
				w.busy.Add(-1)
			}
		})
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var others sync.WaitGroup
	others.Go(func() { w.beats(background) })
	others.Go(func() {
		if err := w.Feed.Cancelled(background, w.cancel); err != nil && background.Err() == nil {
			w.Log.Warn("cannot receive cancellations", "error", err)
		}
	})
	// More jobs than slots, so that the next is ready while the worker fetches others and reports.
	room := make(chan struct{}, 2*w.Slots+1)
	for ctx.Err() == nil {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		d, err := w.Feed.Next(ctx)
		if err != nil {
			<-room
			if ctx.Err() == nil {
				w.Log.Warn("cannot get a job", "error", err)
				wait(ctx, time.Second)
			}
			continue
		}
		jobs.Go(func() {
			defer func() { <-room }()
			w.job(ctx, d, units)
		})
	}
	jobs.Wait()
	close(units)
	slots.Wait()
	stop()
	others.Wait()
	return nil
}

// ask has a test run, or a part of a program's executions explored.
func (w *Worker) ask(u unit) (*solver.Result, error) {
	if u.task.Program == nil {
		return solver.Ask(u.ctx, w.Runner, u.task)
	}
	v, err := solver.Ask(u.ctx, w.Runner, *u.task.Program)
	if err != nil {
		return nil, err
	}
	r := &solver.Result{
		Path: u.task.Path, Name: v.Name, Arch: "C", Model: v.Model, Engine: v.Engine, Version: v.Version,
		Status: v.Status, Error: v.Error, Reason: v.Reason,
		States: []solver.State{}, MS: v.MS, Part: v,
	}
	switch v.Verdict {
	case solver.Unsafe:
		r.Verdict = solver.Allowed
	case solver.Safe:
		r.Verdict = solver.Forbidden
	default:
		r.Verdict = v.Verdict
	}
	return r, nil
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// beats sends signs of life.
func (w *Worker) beats(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		b := Beat{
			Worker: w.Name, Version: w.Version, Slots: w.Slots, Busy: int(w.busy.Load()), Rows: w.rows.Load(),
			Leaving: ctx.Err() != nil,
		}
		if w.Started != nil {
			b.Started = w.Started()
		}
		if err := w.Feed.Beat(b); err != nil {
			w.Log.Debug("cannot send a heartbeat", "error", err)
		}
		if b.Leaving {
			return
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// cancel ends the jobs of a suite, and those that are on their way.
func (w *Worker) cancel(suite string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, at := range w.over {
		if time.Since(at) > time.Hour {
			delete(w.over, id)
		}
	}
	w.over[suite] = time.Now()
	if h := w.inHand[suite]; h != nil {
		h.end()
	}
}

// take notes that a job of a suite is in hand, until it is let go. The context ends with the worker's or when somebody
// cancels the suite.
func (w *Worker) take(ctx context.Context, suite string) (_ context.Context, letGo func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.inHand[suite]
	if h == nil {
		h = new(inHand)
		h.ctx, h.end = context.WithCancel(ctx)
		w.inHand[suite] = h
	}
	if _, over := w.over[suite]; over {
		h.end()
	}
	h.jobs++
	return h.ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if h.jobs--; h.jobs == 0 {
			h.end()
			delete(w.inHand, suite)
		}
	}
}

// job runs a job, and reports on it as rows come.
func (w *Worker) job(ctx context.Context, d Delivery, units chan<- unit) {
	j := d.Job()
	final := Report{Job: j.ID, Suite: j.Suite, Number: j.Number, Version: j.Version, Worker: w.Name, Finished: true}
	if d.Attempt() > Attempts {
		final.LostWorkers = d.Attempt() - 1
		w.close(ctx, d, &final)
		return
	}
	running, letGo := w.take(ctx, j.Suite)
	defer letGo()
	out := &reporter{w: w, d: d, head: final}
	out.head.Finished = false
	ended := make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() { out.tick(running, ended) })

	var rows sync.WaitGroup
	for _, t := range j.Tests {
		for _, m := range t.Models {
			task := j.Request.Task(m, t.Path, t.Source)
			rows.Add(1)
			u := unit{running, task, func(r *solver.Result, err error) {
				defer rows.Done()
				if running.Err() == nil { // or else it may say no more than that
					out.add(w.row(t.N, m, task, r, err))
				}
			}}
			select {
			case units <- u:
			case <-running.Done():
				rows.Done()
			}
		}
	}
	rows.Wait()
	close(ended)
	ticking.Wait()
	final.Rows = out.rest()
	if w.close(ctx, d, &final) {
		w.rows.Add(int64(j.size()))
	}
}

// close sends the last report on a job. Only then does the queue remove the job. If that fails, the queue gives the job
// to another worker.
func (w *Worker) close(ctx context.Context, d Delivery, final *Report) bool {
	patience := handover
	if ctx.Err() == nil { // the queue may be choosing a leader
		patience *= 6
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := w.Feed.Report(ctx, d.Job().Server, final)
	if err == nil {
		err = d.Finish(ctx)
	}
	if err != nil {
		w.Log.Warn("cannot acknowledge a finished job", "job", final.Job, "error", err)
	}
	return err == nil
}

// row makes a row of what became of a task. If it fails, the job continues without that row.
func (w *Worker) row(test, model int, t solver.Task, r *solver.Result, err error) Row {
	setAside := false
	if err != nil {
		w.Log.Error("a test is set aside", "test", t.Path, "error", err)
		setAside = true
		r = &solver.Result{
			Path: t.Path, Model: t.Model, Engine: cmp.Or(t.Engine, engines.Names()[0]), Status: solver.Failed,
			Error: fmt.Sprintf("%s: set aside: %v", t.Path, err), States: []solver.State{},
		}
	}
	row, err := NewRow(test, model, r, t.Options.Witnesses)
	size := len(row.Body)
	for _, path := range row.RestPaths {
		size += len(path) + 4
	}
	if err == nil && size > w.Feed.MaxReport()/2 {
		err = fmt.Errorf("%s: the answer has %d bytes, too many for the queue: lower the number of "+
			"states", t.Path, size)
	}
	if err != nil {
		failed := solver.Result{
			Path: t.Path, Name: r.Name, Arch: r.Arch, Model: r.Model, Engine: r.Engine, Status: solver.Failed,
			Error: err.Error(), States: []solver.State{}, MS: r.MS,
		}
		if row, err = NewRow(test, model, &failed, false); err != nil {
			panic("BUG: " + err.Error())
		}
	}
	row.SetAside = setAside
	row.ForCache = r.Keepable(t.Options) && row.Code != Failed
	return row
}

// reporter gathers the rows of a job and reports them in batches.
type reporter struct {
	w    *Worker
	d    Delivery
	head Report

	mu   sync.Mutex
	rows []Row
	size int
}

func (o *reporter) add(r Row) {
	o.mu.Lock()
	o.rows = append(o.rows, r)
	o.size += len(r.Body)
	for _, path := range r.RestPaths {
		o.size += len(path)
	}
	o.mu.Unlock()
}

// rest returns the unreported rows.
func (o *reporter) rest() []Row {
	o.mu.Lock()
	defer o.mu.Unlock()
	rows := o.rows
	o.rows, o.size = nil, 0
	return rows
}

// tick reports on a job that takes long, and tells the queue that the worker is still at it.
func (o *reporter) tick(ctx context.Context, ended <-chan struct{}) {
	working := time.Now()
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
		}
		if time.Since(working) > AckWait/4 {
			working = time.Now()
			if err := o.d.Working(); err != nil {
				o.w.Log.Debug("cannot extend a job's deadline", "error", err)
			}
		}
		rows := o.rest()
		if len(rows) == 0 {
			continue
		}
		r := o.head
		r.Rows = rows
		if err := o.w.Feed.Report(ctx, o.d.Job().Server, &r); err != nil && !errors.Is(err, context.Canceled) {
			o.w.Log.Warn("cannot report rows", "job", r.Job, "error", err)
		} else if err == nil {
			continue
		}
		o.mu.Lock() // they go with the next report
		o.rows = append(rows, o.rows...)
		o.mu.Unlock()
	}
}
