package suites

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// The sizes of jobs. A job is to keep a worker's slot busy for a second: long enough that handing it over costs little,
// short enough that suites take turns, and that what a dead worker leaves is soon done again.
const (
	jobTime   = 1000.0 // milliseconds
	firstJob  = 32     // tests, while the coordinator does not know their cost
	jobTests  = 1000
	jobBytes  = 512 << 10 // of sources
	pageTests = 1024      // read from the ledger at once
	// For each slot so many jobs are with the workers or wait for them.
	jobsPerSlot = 4
)

// dispatch fills the queue, whenever something has changed.
func (c *Coordinator) dispatch(ctx context.Context) error {
	for {
		more, err := c.fill(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			// The ledger or the queue may be away for a moment.
			c.Log.Error("cannot make jobs", "error", err)
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(time.Second):
			}
		case more:
		default:
			select {
			case <-ctx.Done():
				return nil
			case <-c.wake:
			}
		}
	}
}

// fill makes one job, if the queue has room for it, of the suite that has had the least workers' time; more is false if
// the next call would do nothing until something changes.
func (c *Coordinator) fill(ctx context.Context) (more bool, err error) {
	c.mu.Lock()
	room := len(c.jobs) < 2+jobsPerSlot*max(1, c.slots())
	var a *active
	for _, other := range c.active {
		if !other.dispatched() &&
			(a == nil || other.share < a.share || other.share == a.share && other.Number < a.Number) {
			a = other
		}
	}
	if !room || a == nil {
		c.mu.Unlock()
		return false, nil
	}
	if a.next >= a.Tests { // gone through, and yet not done: some rows are missing
		a.next = 0
	}
	from, want := a.next, a.tests(c.slots())
	c.mu.Unlock()
	return true, c.publish(ctx, a, from, want)
}

// dispatched reports whether all of a suite is in jobs that are not over yet.
func (a *active) dispatched() bool { return a.next >= a.Tests && a.out > 0 }

// tests is how many tests make a job: fewer towards the end, so that all slots end
// together, but not so few that handing them over is most of the work.
func (a *active) tests(slots int) int {
	n := firstJob
	if a.cost > 0 {
		n = int(jobTime / a.cost)
	}
	share := (a.Tests - a.next) / (2 * max(1, slots))
	if a.Request.Program != nil { // whose parts may each take as long as they are let
		n = min(n, 4)
	}
	return max(1, min(n, jobTests, max(share, n/20)))
}

// publish puts the next tests of a suite that lack rows into a job, or records them
// where the cache has their answers.
func (c *Coordinator) publish(ctx context.Context, a *active, from, want int) error {
	tests, err := c.Ledger.Pending(ctx, a.Suite, from, min(want, pageTests))
	if err != nil {
		return err
	}
	if from == 0 && len(tests) == 0 {
		return fmt.Errorf("suite %s has all its rows but is not done", a.ID) // soon it is, or somebody should look
	}
	j := &Job{
		ID: rand.Text(), Server: c.Server, Suite: a.ID, Number: a.Number, Version: a.Version, Request: a.Request,
	}
	next := a.Tests // unless there is more, the rest of the suite has its rows
	if len(tests) == min(want, pageTests) {
		next = tests[len(tests)-1].N + 1
	}
	bytes := 0
	for i, t := range tests {
		if bytes += len(t.Source); i > 0 && bytes > jobBytes {
			tests, next = tests[:i], t.N
			break
		}
	}
	rows, err := c.answered(ctx, a.Suite, tests)
	if err != nil {
		return err
	}
	if err := c.record(ctx, rows); err != nil {
		return err
	}
	for _, t := range tests {
		if len(t.Models) > 0 {
			j.Tests = append(j.Tests, t)
		}
	}
	if len(j.Tests) > 0 {
		c.send(j)
		if err := c.Queue.Publish(ctx, j); err != nil {
			c.mu.Lock()
			c.over(j.ID)
			c.mu.Unlock()
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a.next = next
	a.share += max(a.cost, 1) * float64(len(j.Tests))
	return nil
}

// send notes a job as not over, before a report of it can come.
func (c *Coordinator) send(j *Job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.jobs[j.ID] = &sent{j, time.Now()}
	c.stats.Jobs++
	if a := c.active[j.Number]; a != nil {
		a.out++
	}
}

// answered finds the rows that need no worker: the cache's answers, and those of tests that do not parse. It removes
// the models of these rows from the tests.
func (c *Coordinator) answered(ctx context.Context, s *Suite, tests []JobTest) (had []Row, err error) {
	type place struct{ test, model int }
	keys, wanted := map[place]solver.Key{}, []solver.Key{}
	for i, t := range tests {
		if t.Err != "" {
			continue
		}
		for _, m := range t.Models {
			if key, err := engines.Key(s.Request.Task(m, t.Path, t.Source)); err == nil {
				keys[place{i, m}] = key
				wanted = append(wanted, key)
			}
		}
	}
	began := time.Now()
	witnesses := s.Request.Options.Witnesses
	kept, err := c.Ledger.Answers(ctx, wanted, witnesses)
	if err != nil {
		return nil, err
	}
	took := float64(time.Since(began).Microseconds()) / 1000 / float64(max(1, len(wanted)))
	for i := range tests {
		t := &tests[i]
		missing := t.Models[:0:0]
		for _, m := range t.Models {
			task := s.Request.Task(m, t.Path, t.Source)
			var r *solver.Result
			if t.Err != "" {
				r = engines.Failed(task, errors.New(t.Err))
			} else if k := kept[keys[place{i, m}]]; k != nil {
				copied := *k // two tests may have one text
				r = &copied
				engines.Readdress(r, task)
				r.MS = took
			} else {
				missing = append(missing, m)
				continue
			}
			row, err := NewRow(t.N, m, r, witnesses)
			if err != nil {
				return nil, err
			}
			row.Suite, row.Version = s.Number, s.Version
			had = append(had, row)
		}
		t.Models = missing
	}
	return had, nil
}

// learn takes what tests have cost.
func (a *active) learn(rows []Row) {
	if len(rows) == 0 {
		return
	}
	total := 0.0
	for i := range rows {
		total += rows[i].MS
	}
	cost := max(total/float64(len(rows))*float64(len(a.Request.Models)), 0.01)
	if a.cost == 0 {
		a.cost = cost
		return
	}
	a.cost += (cost - a.cost) * min(1, float64(len(rows))/200)
}

// giveUp deals with a job over which workers have vanished: the coordinator then tries its tests one by one, and sets
// aside a single test with a row that says so.
func (c *Coordinator) giveUp(r *Report) ([]Row, error) {
	c.mu.Lock()
	j := c.jobs[r.Job]
	c.mu.Unlock()
	if j == nil {
		return nil, nil // of an earlier life: its tests are in other jobs by now
	}
	if len(j.Tests) > 1 {
		c.Log.Warn("workers stopped while running a job: running its tests one by one", "suite", j.Suite, "job",
			j.ID, "tests",
			len(j.Tests))
		for _, t := range j.Tests {
			one := *j.Job
			one.ID, one.Tests = rand.Text(), []JobTest{t}
			c.send(&one)
			if err := c.Queue.Publish(context.Background(), &one); err != nil {
				c.mu.Lock()
				c.over(one.ID)
				c.mu.Unlock()
				return nil, err
			}
		}
		return nil, nil
	}
	var rows []Row
	for _, t := range j.Tests {
		c.Log.Error("setting a test aside: its workers stopped while running it", "suite", j.Suite, "test", t.Path,
			"workers", r.LostWorkers)
		for _, m := range t.Models {
			failed := engines.Failed(j.Request.Task(m, t.Path, ""), // this process must not parse it
				fmt.Errorf("%s: set aside: %s stopped while running it, perhaps for lack of memory", t.Path,
					solver.Count(r.LostWorkers, "worker")))
			row, err := NewRow(t.N, m, failed, false)
			if err != nil {
				return nil, err
			}
			row.Suite, row.Version, row.SetAside = j.Number, j.Version, true
			rows = append(rows, row)
		}
	}
	return rows, nil
}
