package pool

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/sat"
)

// AtOnce answers small tests in this process, which takes less than to ask another, let alone to start one. What takes longer than
// a moment, or goes wrong, is the other runner's to answer; and so is all else while this process is still busy with such a test, or
// where too many have been such.
type AtOnce struct {
	solver.Runner
	Tests  int           // so many at most, by engines but the first
	Moment time.Duration // for each

	mu     sync.Mutex
	quick  int // tests that took no longer than a moment, here or elsewhere
	failed int // tests that were tried here, and did
	late   int // … and still do
	others int // asked of engines but the first
	idle   []chan<- atOnce
}

// atOnce is a test to be answered here.
type atOnce struct {
	ctx    context.Context
	task   solver.Task
	answer chan<- solver.Answer // nil for none
}

// NewAtOnce puts it in front of a runner.
func NewAtOnce(other solver.Runner) *AtOnce {
	return &AtOnce{Runner: other, Tests: 16, Moment: 100 * time.Millisecond}
}

// perFailure is how many quick tests there have to be for each that was not: what they save pays for its moment.
const perFailure = 64

// What a small test is: its text, in bytes, the memory that it may take, in MiB, which nothing takes in a moment, and how
// often it goes round loops.
const (
	smallSource = 4 << 10
	leastMemory = 512
	fewRounds   = 4
)

func (r *AtOnce) small(t solver.Task) bool {
	o := t.Options
	return len(t.Source) <= smallSource && (o.Memory == 0 || o.Memory >= leastMemory) && (o.Timeout == 0 || o.Timeout >= r.Moment) &&
		o.Unroll <= fewRounds && !sat.Outside(o.Solver)
}

// Run implements [solver.Runner].
func (r *AtOnce) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t, is := q.(solver.Task)
	if !is || !r.small(t) {
		return r.Runner.Run(ctx, q)
	}
	if a := r.run(ctx, t); a != nil {
		return a, nil
	}
	a, err := r.Runner.Run(ctx, q)
	if err == nil && *a.Head().MS*float64(time.Millisecond) < float64(r.Moment) {
		r.mu.Lock()
		r.quick++
		r.mu.Unlock()
	}
	return a, err
}

// run gives nothing where it takes too long.
func (r *AtOnce) run(ctx context.Context, t solver.Task) solver.Answer {
	by, ok := r.begin(t)
	if !ok {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, r.Moment)
	defer cancel()
	t.Options.Timeout = 0
	answer := make(chan solver.Answer, 1)
	var (
		a     solver.Answer
		ended bool
	)
	by <- atOnce{within, t, answer}
	select {
	case a = <-answer:
		ended = true
	case <-within.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if ended {
		r.idle = append(r.idle, by)
	} else {
		r.late++
		go func() {
			<-answer
			r.mu.Lock()
			defer r.mu.Unlock()
			r.late--
			r.idle = append(r.idle, by)
		}()
	}
	if a == nil || within.Err() != nil {
		r.failed++
		return nil
	}
	r.quick++
	return a
}

// begin gives somebody who is to answer a test here, if one may.
func (r *AtOnce) begin(t solver.Task) (by chan<- atOnce, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.late > 0 || r.failed > r.quick/perFailure {
		return nil, false
	}
	if t.Engine != "" && t.Engine != engines.Names()[0] {
		if r.others++; r.others > r.Tests {
			return nil, false
		}
	}
	if n := len(r.idle); n > 0 {
		by, r.idle = r.idle[n-1], r.idle[:n-1]
		return by, true
	}
	todo := make(chan atOnce)
	go func() {
		for t := range todo {
			t.answer <- t.do()
		}
	}()
	return todo, true
}

// do gives the answer, or nil.
func (t atOnce) do() (answer solver.Answer) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("a test is asked again, in a process of its own", "test", t.task.Path, "panic", fmt.Sprint(p))
		}
	}()
	if a, err := (engines.Local{}).Run(t.ctx, t.task); err == nil && t.ctx.Err() == nil {
		return a
	}
	return nil
}
