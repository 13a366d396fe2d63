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
	debug.SetGCPercent(400) // tasks are short, and what they leave behind is garbage
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
	go c.watchMemory()
	for t := range tasks {
		c.serveOne(t)
	}
}

type child struct {
	mu    sync.Mutex // held while writing
	out   *json.Encoder
	limit int64 // bytes; 0 = none
}

func (c *child) send(r reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.out.Encode(r); err != nil {
		os.Exit(0) // the parent is gone
	}
}

func (c *child) serveOne(t solver.Task) {
	c.mu.Lock()
	c.limit = int64(t.Options.Memory) << 20
	c.mu.Unlock()
	defer func() {
		if e := recover(); e != nil {
			c.send(reply{Result: failed(t, fmt.Errorf("BUG: %v\n%s", e, debug.Stack()))})
		}
	}()
	r, err := run(context.Background(), t, func(r *solver.Result) { c.send(reply{Partial: r}) })
	if err != nil {
		r = failed(t, err)
	}
	c.send(reply{Result: r})
}

// watchMemory ends the process when its heap is over the task's limit.
func (c *child) watchMemory() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		metrics.Read(sample)
		c.mu.Lock()
		over := c.limit > 0 && int64(sample[0].Value.Uint64()) > c.limit
		c.mu.Unlock()
		if over {
			debug.FreeOSMemory() // what is garbage does not count
			metrics.Read(sample)
			if int64(sample[0].Value.Uint64()) > c.limit {
				c.send(reply{OverMemory: true})
				os.Exit(3)
			}
		}
	}
}
