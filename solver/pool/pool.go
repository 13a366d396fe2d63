package pool

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Pool is a solver.Runner over child processes.
type Pool struct {
	exe     string
	idle    chan *process // one entry for each worker; nil where none is running yet
	workers int
	once    sync.Once
}

// New makes a pool of a number of children, each this program, whose main is to call
// MaybeChild. They start when they are first needed.
func New(workers int) (*Pool, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program, to start it as a worker: %w", err)
	}
	p := &Pool{exe: exe, workers: workers, idle: make(chan *process, workers)}
	for range workers {
		p.idle <- nil
	}
	return p, nil
}

// Close ends the children, once those at work are done.
func (p *Pool) Close() {
	p.once.Do(func() {
		for range p.workers {
			if c := <-p.idle; c != nil {
				c.kill()
			}
		}
	})
}

// grace is how long a child may overrun its own time limit before it is killed.
const grace = 300 * time.Millisecond

// Run implements solver.Runner.
func (p *Pool) Run(ctx context.Context, t solver.Task) (*solver.Result, error) {
	var c *process
	select {
	case c = <-p.idle:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { p.idle <- c }()
	if c == nil {
		var err error
		if c, err = start(p.exe); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	if err := c.in.Encode(t); err != nil {
		// The child ended between two tasks, killed from outside perhaps.
		c.kill()
		if c, err = start(p.exe); err != nil {
			return nil, err
		}
		if err := c.in.Encode(t); err != nil {
			return nil, fmt.Errorf("hand a test to a worker: %w", err)
		}
	}
	var limit <-chan time.Time
	if t.Options.Timeout > 0 {
		timer := time.NewTimer(t.Options.Timeout + grace)
		defer timer.Stop()
		limit = timer.C
	}
	var partial *solver.Result
	giveUp := func(reason string) *solver.Result {
		c.kill()
		c = nil
		r := partial
		if r == nil {
			r = engines.Failed(t, errors.New(reason))
			r.Error, r.Verdict = "", solver.Undecided
		}
		no := false
		r.Status, r.Reason, r.StatesComplete = solver.Unknown, reason, &no
		r.MS = float64(time.Since(began)) / float64(time.Millisecond)
		return r
	}
	for {
		select {
		case m, ok := <-c.out:
			switch {
			case !ok:
				err := fmt.Errorf("%s: BUG: the worker ended unexpectedly: %s", t.Path, c.lastWords())
				c.kill()
				c = nil
				return engines.Failed(t, err), nil
			case m.OverMemory:
				return giveUp(fmt.Sprintf("memory limit of %d MiB reached", t.Options.Memory)), nil
			case m.Partial != nil:
				partial = m.Partial
			default:
				return m.Result, nil
			}
		case <-limit:
			return giveUp(fmt.Sprintf("time limit of %v reached", t.Options.Timeout)), nil
		case <-ctx.Done():
			return giveUp("cancelled"), ctx.Err()
		}
	}
}

// process is a child.
type process struct {
	cmd    *exec.Cmd
	in     *json.Encoder
	stdin  io.Closer
	out    chan reply // closed when the child ends
	stderr bytes.Buffer
	ended  chan struct{}
}

func start(exe string) (*process, error) {
	c := &process{cmd: exec.Command(exe), out: make(chan reply, 1), ended: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), childVariable+"=1", "GOMAXPROCS=2")
	c.cmd.Stderr = &limited{buf: &c.stderr}
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	c.in, c.stdin = json.NewEncoder(stdin), stdin
	go c.read(stdout)
	return c, nil
}

func (c *process) read(stdout io.Reader) {
	d := json.NewDecoder(bufio.NewReaderSize(stdout, 1<<16))
	for {
		var r reply
		if err := d.Decode(&r); err != nil {
			break
		}
		c.out <- r
	}
	_ = c.cmd.Wait() // how it ended shows in what it wrote
	close(c.ended)
	close(c.out)
}

// kill ends the child, and waits until it has.
func (c *process) kill() {
	_ = c.stdin.Close()
	_ = c.cmd.Process.Kill()
	for range c.out { // let the reader end
	}
}

// lastWords is what an ended child wrote to its standard error.
func (c *process) lastWords() string {
	<-c.ended
	return fmt.Sprintf("%v: %s", c.cmd.ProcessState, bytes.TrimSpace(c.stderr.Bytes()))
}

// limited keeps the first 4 KiB written to it.
type limited struct{ buf *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := 4096 - l.buf.Len(); room > 0 {
		l.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
