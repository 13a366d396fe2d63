package pool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
)

// Work for the tests' children.
var (
	echo = Kind[string, string]{Title: "echo", Answer: func(s string) (string, error) {
		if s == "" {
			return "", errors.New("nothing to say")
		}
		return s, nil
	}, Limits: Limits{Time: time.Minute, Memory: 256}}

	// hog fills memory as fast as it goes, in pieces of a size in bytes.
	hog = Kind[int, int]{Title: "hog", Answer: func(size int) (int, error) {
		var all [][]byte
		for {
			b := make([]byte, size)
			for i := 0; i < size; i += 4096 {
				b[i] = 1
			}
			all = append(all, b)
			if size < 0 {
				return len(all), nil
			}
		}
	}, Limits: Limits{Time: time.Minute, Memory: 100}}

	// teller reports its answer as it grows, and takes longer over each part than a pool delays a partial answer.
	teller = Kind[int, []int]{Title: "tell", AnswerInParts: func(n int, tell func([]int)) (all []int, err error) {
		for i := range n {
			all = append(all, i)
			tell(all)
			time.Sleep(3 * patience)
		}
		return all, nil
	}}

	crasher  = Kind[string, int]{Title: "crash", Answer: func(s string) (int, error) { panic(s) }}
	overflow = Kind[int, int]{Title: "overflow", Answer: func(n int) (int, error) { return deeper(n), nil }}
	sleeper  = Kind[int, int]{
		Title: "sleep", Answer: func(int) (int, error) { time.Sleep(time.Hour); return 0, nil },
		Limits: Limits{Time: 200 * time.Millisecond},
	}
	// flood writes more than its limit, as a faulty child would.
	flood = Kind[int, int]{Title: "flood", Answer: func(n int) (int, error) {
		err := writeFrame(os.Stdout, frame{frameAnswer, bytes.Repeat([]byte(" "), n)})
		time.Sleep(time.Hour)
		return 0, err
	}}
)

//go:noinline
func deeper(n int) int {
	if n < 0 {
		return n
	}
	return deeper(n+1) + 1
}

func TestKinds(t *testing.T) {
	var log bytes.Buffer
	p, err := New(Options{Workers: 1, MaxAnswer: 1000, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	limit := func(reason string) error { return &solver.Limited{Reason: reason} }
	for _, c := range []struct {
		what   string
		call   func() (any, error)
		answer any
		err    error
		logged string
	}{
		{what: "an answer", call: func() (any, error) { return echo.Call(t.Context(), p, "so") }, answer: "so"},
		{
			what: "an error", call: func() (any, error) { return echo.Call(t.Context(), p, "") },
			err: errors.New("nothing to say"),
		},
		{
			what: "too large", call: func() (any, error) { return echo.Call(t.Context(), p, strings.Repeat("x", 999)) },
			err: limit("the answer is larger than 1000 bytes"),
		},
		{
			what: "too large, unasked", call: func() (any, error) { return flood.Call(t.Context(), p, 1<<30) },
			err: limit("the answer is larger than 1000 bytes"),
		},
		{
			what: "too long", call: func() (any, error) { return sleeper.Call(t.Context(), p, 1) },
			err: limit("time limit of 200ms reached"),
		},
		{what: "cancelled", call: func() (any, error) { return hog.Call(soon, p, 0) }, err: context.DeadlineExceeded},
		{
			what: "a panic", call: func() (any, error) { return crasher.Call(t.Context(), p, "out of cheese") },
			err: &solver.Died{Crashed: true, How: "out of cheese"}, logged: "goroutine",
		},
		{
			what: "no stack left", call: func() (any, error) { return overflow.Call(t.Context(), p, 0) },
			err: &solver.Died{Crashed: true, How: "fatal error: stack overflow"}, logged: "goroutine",
		},
		{
			what: "unknown work",
			call: func() (any, error) { return Kind[int, int]{Title: "none"}.Call(t.Context(), p, 0) },
			err:  errors.New("BUG: this program's children do not know the work none"),
		},
	} {
		log.Reset()
		answer, err := c.call()
		if fmt.Sprint(err) != fmt.Sprint(c.err) || err == nil && answer != c.answer {
			t.Errorf("%s: got %v, %v, want %v, %v", c.what, answer, err, c.answer, c.err)
		}
		if !strings.Contains(log.String(), c.logged) || c.logged == "" && log.Len() > 0 {
			t.Errorf("%s: logged %q", c.what, log.String())
		}
	}
}

// A follower of work receives the parts of its answer, and all of it in the end.
func TestFollow(t *testing.T) {
	p, err := New(Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var heard [][]int
	all, err := teller.Follow(t.Context(), p, 4, func(soFar []int) { heard = append(heard, soFar) })
	if want := []int{0, 1, 2, 3}; err != nil || !slices.Equal(all, want) {
		t.Fatalf("got %v, %v, want %v", all, err, want)
	}
	if len(heard) == 0 {
		t.Error("nothing was heard on the way")
	}
	for i, h := range heard {
		if !slices.Equal(h, all[:len(h)]) || i > 0 && len(h) <= len(heard[i-1]) {
			t.Errorf("heard %v", heard)
		}
	}
}
