package pool

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// childVariable, set in the environment, makes this program a child of a pool.
const childVariable = "LITMUSCOPE_CHILD"

// reply is one message of a child: what is known so far, or the end of a task.
type reply struct {
	Partial *solver.Result `json:"partial,omitempty"`
	Result  *solver.Result `json:"result,omitempty"`
	// OverMemory: the child is over its memory limit and ends.
	OverMemory bool `json:"over_memory,omitempty"`
}

// MaybeChild makes this process serve tasks, and never returns, if a pool started
// it for that. Call it first in main, and in TestMain of tests that use a Pool.
func MaybeChild() {
	if os.Getenv(childVariable) == "" {
		return
	}
	// Ctrl-C reaches the whole process group, but what becomes of a child is for its
	// parent to say.
	signal.Ignore(os.Interrupt)
	serve(os.Stdin, os.Stdout)
	os.Exit(0)
}

// serve reads tasks, one after another, until there are no more. The tasks are read
// by a goroutine of their own, so that a child whose parent is gone ends at once,
// even in the midst of a solver call.
func serve(in io.Reader, out io.Writer) {
	tasks := make(chan solver.Task)
	go func() {
		d := json.NewDecoder(in)
		for {
			var t solver.Task
			if err := d.Decode(&t); err != nil {
				os.Exit(0)
			}
			tasks <- t
		}
	}()
	c := &child{out: json.NewEncoder(out)}
	go c.watch()
	for t := range tasks {
		c.serveOne(t)
	}
}

type child struct {
	mu      sync.Mutex // held while writing, and for what follows
	out     *json.Encoder
	limit   int64 // bytes; 0 = none
	began   time.Time
	partial *solver.Result // known, and not yet sent
	lazy    bool           // garbage is collected seldom
}

// While the heap is below smallHeap, garbage is collected at lazyGC percent of what is
// live; above, at Go's usual 100.
const (
	lazyGC    = 1600
	smallHeap = 128 << 20
)

// send writes a message; mu is held. A result takes what is known of its task out of
// the way, so that nothing of a task is sent behind its result.
func (c *child) send(r reply) {
	c.partial = nil
	if err := c.out.Encode(r); err != nil {
		os.Exit(0) // the parent is gone
	}
}

func (c *child) serveOne(t solver.Task) {
	c.mu.Lock()
	c.limit, c.began, c.partial = int64(t.Options.Memory)<<20, time.Now(), nil
	if !c.lazy { // most tasks are short, and what they leave behind is garbage
		c.lazy = true
		debug.SetGCPercent(lazyGC)
	}
	c.mu.Unlock()
	defer func() {
		if e := recover(); e != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.send(reply{Result: engines.Failed(t, fmt.Errorf("BUG: %v\n%s", e, debug.Stack()))})
		}
	}()
	r, err := engines.Run(context.Background(), t, c.note)
	if err != nil {
		r = engines.Failed(t, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(reply{Result: r})
}

// note keeps a copy of what is known so far, for watch to send.
func (c *child) note(r *solver.Result) {
	known := *r
	c.mu.Lock()
	defer c.mu.Unlock()
	c.partial = &known
}

// patience is how long a task may take before its parent is told what is known:
// most are done by then.
const patience = 50 * time.Millisecond

// watch tells the parent what is known of a task that takes long, and ends the
// process when its heap is over the task's limit.
func (c *child) watch() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	for range time.Tick(20 * time.Millisecond) {
		c.mu.Lock()
		if c.partial != nil && time.Since(c.began) > patience {
			c.send(reply{Partial: c.partial})
		}
		used := heap()
		if c.lazy && used > smallHeap {
			c.lazy = false
			debug.SetGCPercent(100)
		}
		limit := c.limit
		c.mu.Unlock()
		if limit == 0 || used <= limit {
			continue
		}
		debug.FreeOSMemory() // what is garbage does not count
		if heap() > limit {
			c.mu.Lock()
			c.send(reply{OverMemory: true})
			os.Exit(3)
		}
	}
}
