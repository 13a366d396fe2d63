package pool

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/hugepages"
	"litmuscope/solver/sat"
)

// AtOnce answers small questions in this process, which takes less than to ask another, let alone to start one. What
// takes longer than a moment, or goes wrong, is the other runner's to answer; and so is all else while this process is
// still busy with such a question, or where too many have been such.
type AtOnce struct {
	solver.Runner
	Tests     int           // so many at most, by engines but the first
	TimeLimit time.Duration // for each

	mu     sync.Mutex
	quick  int // questions that took no longer than a moment, here or elsewhere
	failed int // questions that this process tried and answered in time
	late   int // … and still do
	others int // asked of engines but the first
	idle   []chan<- atOnce
}

// atOnce is a question that this process may answer itself.
type atOnce struct {
	ctx      context.Context
	question solver.Question
	answer   chan<- solver.Answer // nil for none
}

// NewAtOnce puts it in front of a runner.
func NewAtOnce(other solver.Runner) *AtOnce {
	return &AtOnce{Runner: other, Tests: 16, TimeLimit: 100 * time.Millisecond}
}

// perFailure is how many quick questions there have to be for each that was not: what they save pays for its moment.
const perFailure = 64

// What a small question is: the text of a test, and that of a program with all that it includes, in bytes, the memory
// that it may take, in MiB, which nothing takes in a moment, and how often it repeats loops.
const (
	smallSource  = 4 << 10
	smallProgram = 16 << 10
	leastMemory  = 512
	fewRounds    = 4
)

// small gives a question with no time limit of its own, if it is small.
func (r *AtOnce) small(q solver.Question) (solver.Question, bool) {
	o := q.Params().Options
	if o.Memory != 0 && o.Memory < leastMemory || o.Timeout != 0 && o.Timeout < r.TimeLimit || o.Unroll > fewRounds ||
		sat.Outside(o.Solver) {
		return nil, false
	}
	switch t := q.(type) {
	case solver.Task:
		t.Options.Timeout = 0
		return t, len(t.Source) <= smallSource
	case solver.VerifyTask:
		size := 0
		for _, f := range t.Files {
			size += len(f.Text)
		}
		for _, text := range t.Include {
			size += len(text)
		}
		if size > smallProgram || t.Part != nil {
			return nil, false
		}
		if _, races := engines.Races(t); races {
			t = engines.Quickest(t)
		}
		t.Options.Timeout = 0
		return t, true
	}
	return nil, false
}

// Run implements [solver.Runner].
func (r *AtOnce) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	small, is := r.small(q)
	if !is {
		return r.Runner.Run(ctx, q)
	}
	if a := r.run(ctx, small); a != nil && decides(q, a) {
		return a, nil
	}
	a, err := r.Runner.Run(ctx, q)
	if err == nil && *a.Head().MS*float64(time.Millisecond) < float64(r.TimeLimit) {
		r.mu.Lock()
		r.quick++
		r.mu.Unlock()
	}
	return a, err
}

// decides reports whether nobody else can say more.
func decides(q solver.Question, a solver.Answer) bool {
	t, races := engines.Races(q)
	return !races || engines.Decides(t, a.(*solver.Verification))
}

// run gives nothing where it takes too long.
func (r *AtOnce) run(ctx context.Context, q solver.Question) solver.Answer {
	by, ok := r.begin(q)
	if !ok {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, r.TimeLimit)
	defer cancel()
	answer := make(chan solver.Answer, 1)
	var (
		a     solver.Answer
		ended bool
	)
	by <- atOnce{within, q, answer}
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
	hugepages.Follow()
	return a
}

// begin gives somebody who is to answer a question here, if one may.
func (r *AtOnce) begin(q solver.Question) (by chan<- atOnce, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.late > 0 || r.failed > r.quick/perFailure {
		return nil, false
	}
	if t, test := q.(solver.Task); test && t.Engine != "" && t.Engine != engines.Names()[0] {
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
			slog.Error("asking a question again in its own process", "of", t.question.Params().Path, "panic",
				fmt.Sprint(p))
		}
	}()
	if a, err := (engines.Local{}).Run(t.ctx, t.question); err == nil && t.ctx.Err() == nil {
		return a
	}
	return nil
}
