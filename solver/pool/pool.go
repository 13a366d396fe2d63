package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"litmuscope/solver"
)

// Options shape a pool.
type Options struct {
	Workers int // how many children it has at most
	// Nice adds to the children's priority, as nice(1) does: 0 to 19, where the system has it.
	Nice int
	// MaxAnswer bounds the bytes that a child answers with; 0 = DefaultMaxAnswer. A Result leaves out the states beyond
	// it.
	MaxAnswer int64
	// Part, unless 0, lets all free workers explore a question that can be explored in parts, each part for so long.
	Part time.Duration
	// Memory, unless nil, is what the children of this pool and of others may have together.
	Memory *Memory
	Log    *slog.Logger // of what becomes of children; nil: the default logger
}

// DefaultMaxAnswer is for those who wait for answers of their own.
const DefaultMaxAnswer = 256 << 20

// Pool is a solver.Runner over child processes, which do [Kind]s of other work too.
type Pool struct {
	Options
	exe     string
	starter *starter
	idle    chan *process // one entry for each worker; nil where none is running yet
	beside  chan *process // the same, for children of another engine that answers at the same time
	once    sync.Once

	started, limited, died, moved atomic.Int64
}

// Stats counts what a pool did.
type Stats struct {
	Workers, Busy int
	Started       int64 // children, those that took another's place included
	Limited       int64 // children that the pool killed at a limit
	Died          int64 // children that crashed, or that somebody else killed
	Moved         int64 // questions that had to wait for memory, or had to make room for others
}

// New makes a pool of children, each this program, whose main is to call MaybeChild. They
// start when they are first needed.
func New(o Options) (*Pool, error) {
	exe, err := thisProgram()
	if err != nil {
		return nil, fmt.Errorf("cannot find this program's file to start a worker: %w", err)
	}
	if o.Workers < 1 {
		return nil, fmt.Errorf("a pool with %d workers: want 1 or more", o.Workers)
	}
	if o.MaxAnswer == 0 {
		o.MaxAnswer = DefaultMaxAnswer
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	p := &Pool{
		Options: o, exe: exe, starter: newStarter(o.Nice), idle: make(chan *process, o.Workers),
		beside: make(chan *process, o.Workers),
	}
	for range o.Workers {
		p.idle <- nil
		p.beside <- nil
	}
	if o.Memory != nil {
		o.Memory.add(2 * o.Workers) // with those beside
	}
	return p, nil
}

// Close ends the children when those at work have finished.
func (p *Pool) Close() {
	p.once.Do(func() {
		for range p.Workers {
			for _, c := range []*process{<-p.idle, <-p.beside} {
				if c != nil {
					c.kill()
				}
			}
		}
		p.starter.close()
	})
}

// Stats says what became of children so far.
func (p *Pool) Stats() Stats {
	return Stats{
		Workers: p.Workers, Busy: p.Workers - len(p.idle),
		Started: p.started.Load(), Limited: p.limited.Load(), Died: p.died.Load(),
		Moved: p.moved.Load(),
	}
}

// header goes before a question.
type header struct {
	Kind   string `json:"kind"`
	Memory int    `json:"memory,omitempty"` // MiB
	Answer int64  `json:"answer"`           // bytes
	// Claim is how much of a [Memory] the child may have before it asks for more, in bytes; 0: there is no such memory.
	Claim int64 `json:"claim,omitempty"`

	program string // the solver's that it is to start; "": none
}

// call has one of some children work, and gives the frame that ends it: an answer, one that is too large, or the work's
// own error. part receives the frames before it, with an empty frame first. A child that others have killed has a
// second one take its place. Work that needs memory which others have waits for it without a child; waits, unless nil,
// hears how many bytes it needs.
func (p *Pool) call(
	ctx context.Context, from chan *process, h header, question []byte, limit time.Duration, part func(frame),
	waits func(int64),
) (frame, error) {
	h.Answer = p.MaxAnswer
	if p.Memory == nil {
		return p.callOnce(ctx, from, h, question, limit, part, nil)
	}
	if all := int(p.Memory.total >> 20); h.Memory == 0 || h.Memory > all {
		h.Memory = all
	}
	c := p.Memory.arrive()
	defer c.end()
	for {
		h.Claim = max(c.bytes, perChild)
		end, err := p.callOnce(ctx, from, h, question, limit, part, c)
		var needs *solver.NeedsMemory
		if !errors.As(err, &needs) {
			return end, err
		}
		p.moved.Add(1)
		if waits != nil {
			waits(needs.Bytes)
		}
		if err := c.wait(ctx, needs.Bytes); err != nil {
			return frame{}, err
		}
	}
}

// callOnce is call without waiting for memory. Its error is a [*solver.NeedsMemory] if the work must wait for that.
func (p *Pool) callOnce(
	ctx context.Context, from chan *process, h header, question []byte, limit time.Duration, part func(frame),
	has *claim,
) (frame, error) {
	var c *process
	select {
	case c = <-from:
	case <-ctx.Done():
		return frame{}, ctx.Err()
	}
	defer func() { from <- c }()
	if c != nil && (c.outgrown(h.Memory) || c.program != h.program) {
		c.kill()
		c = nil
	}
	head, err := json.Marshal(h)
	if err != nil {
		return frame{}, err
	}
	work := frame{frameWork, append(append(head, '\n'), question...)}
	for attempt := 1; ; attempt++ {
		if part != nil {
			part(frame{})
		}
		if c, err = p.hand(c, work, h); err != nil {
			return frame{}, err
		}
		end, err := p.await(ctx, c, limit, part, has)
		if err == nil && end.kind == frameNeeds {
			return frame{}, &solver.NeedsMemory{Bytes: bytesIn(end)}
		}
		if err == nil && end.kind != frameMemory && end.kind != frameCrash {
			return end, nil
		}
		c.kill()
		pid, ended := c.pid(), c.last
		c = nil
		switch {
		case errors.Is(err, errMakeRoom):
			return frame{}, &solver.NeedsMemory{Bytes: has.bytes}
		case err == nil && end.kind == frameMemory, errors.Is(err, errEnded) && h.Memory > 0 &&
			ended.outOfMemory(int64(h.Memory)<<20):
			p.limited.Add(1)
			return frame{}, &solver.Limited{
				Reason: fmt.Sprintf("memory limit of %d MiB reached", h.Memory), Peak: ended.peak,
			}
		case err == nil: // a panic
			var crash crash
			_ = json.Unmarshal(end.body, &crash) // of its own making
			p.died.Add(1)
			p.Log.Error("a worker crashed", "work", h.Kind, "pid", pid, "panic", crash.Message, "stack", crash.Stack)
			return frame{}, &solver.Died{Crashed: true, How: crash.Message}
		case errors.Is(err, errTooLong):
			p.limited.Add(1)
			return frame{kind: frameLarge}, nil
		case !errors.Is(err, errEnded):
			p.limited.Add(1)
			if limited := new(solver.Limited); errors.As(err, &limited) {
				limited.Peak = ended.peak
			}
			return frame{}, err
		}
		p.died.Add(1)
		died := &solver.Died{Crashed: ended.crashed(), How: ended.how()}
		p.Log.Error("a worker ended unexpectedly", "work", h.Kind, "pid", pid, "status", ended.status,
			"said", ended.said)
		if died.Crashed || attempt == 2 {
			return frame{}, died
		}
	}
}

// hand gives work to a child, or to a new one where there is none, or where it has ended
// between two pieces of work.
func (p *Pool) hand(c *process, work frame, h header) (*process, error) {
	if c != nil {
		c.begin(p.MaxAnswer, h.Memory)
		if writeFrame(c.stdin, work) == nil {
			return c, nil
		}
		c.kill()
	}
	c, err := p.start(h.program)
	if err != nil {
		return nil, err
	}
	p.started.Add(1)
	c.begin(p.MaxAnswer, h.Memory)
	// If a child ends before it has read everything, its last words say why.
	_ = writeFrame(c.stdin, work)
	return c, nil
}

// await waits for the end of a child's work, and manages what the work has of a memory, if has is not nil.
func (p *Pool) await(
	ctx context.Context, c *process, limit time.Duration, part func(frame), has *claim,
) (frame, error) {
	var over <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		over = timer.C
	}
	var leave <-chan struct{}
	if has != nil {
		leave = has.leave
	}
	for {
		select {
		case m, ok := <-c.out:
			switch {
			case !ok && c.overrun:
				return frame{}, errTooLong
			case !ok:
				return frame{}, errEnded
			case m.kind == frameClaim:
				reply := frame{kind: frameRefused}
				if has.ask(bytesIn(m)) {
					reply.kind = frameGranted
				}
				_ = writeFrame(c.stdin, reply) // if the child has ended, the next frame says so
			case m.kind == frameGrown:
				has.grow(bytesIn(m))
			case m.kind != framePartial && m.kind != frameStates:
				return m, nil
			case part != nil:
				part(m)
			}
		case <-leave:
			return frame{}, errMakeRoom
		case <-over:
			return frame{}, &solver.Limited{Reason: timeReached(limit)}
		case <-ctx.Done():
			return frame{}, ctx.Err()
		}
	}
}

// errEnded is await's where the child has ended, errMakeRoom where an earlier question needs its memory.
var (
	errEnded    = errors.New("the worker has ended")
	errMakeRoom = errors.New("an earlier question needs the memory")
)

func timeReached(limit time.Duration) string { return fmt.Sprintf("time limit of %v reached", limit) }

func (p *Pool) tooLarge() string {
	const mib = 1 << 20
	if p.MaxAnswer%mib == 0 {
		return fmt.Sprintf("the answer is larger than %d MiB", p.MaxAnswer/mib)
	}
	return fmt.Sprintf("the answer is larger than %d bytes", p.MaxAnswer)
}
