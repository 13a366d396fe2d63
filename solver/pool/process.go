package pool

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// process is a child.
type process struct {
	cmd     *command
	program string // that of a solver, which it may start; "": none
	stdin   io.WriteCloser
	out     chan frame    // closed when the child ends, or has written too much
	room    atomic.Int64  // bytes that it may still answer with
	overrun bool          // it has written more; final once out is closed
	stderr  stderr        //
	last    lastWords     // final once ended is closed
	ended   chan struct{} //
	memory  int           // MiB: the limit that its work had; -1 for no limit
}

func (p *Pool) start(program string) (*process, error) {
	c := &process{program: program, out: make(chan frame, 1), ended: make(chan struct{})}
	stdout, err := p.launch(c)
	if err != nil {
		return nil, fmt.Errorf("cannot start a worker: %w", err)
	}
	go c.read(stdout)
	return c, nil
}

// begin makes the child ready for another piece of work.
func (c *process) begin(answer int64, memory int) {
	c.room.Store(answer)
	c.stderr.reset()
	switch {
	case memory == 0:
		c.memory = -1
	case c.memory >= 0:
		c.memory = max(c.memory, memory)
	}
}

// outgrown reports whether the child holds more memory, from work with a larger limit, than the next piece of work may
// use.
func (c *process) outgrown(memory int) bool {
	if memory == 0 || c.memory >= 0 && c.memory <= memory {
		return false
	}
	return dataSize(c.pid()) > overhead*int64(memory)<<20
}

// read passes on what the child writes, up to its limit.
func (c *process) read(stdout io.Reader) {
	in := bufio.NewReaderSize(stdout, 1<<16)
	for {
		f, err := readFrame(in, func(kind byte, length int64) bool {
			if kind == framePartial || kind == frameCrash || kind == frameClaim || kind == frameGrown {
				return length <= max(c.room.Load(), 1<<16)
			}
			return c.room.Add(-length) >= 0
		})
		if err != nil {
			c.overrun = errors.Is(err, errTooLong)
			break
		}
		c.out <- f
	}
	if c.overrun {
		c.end()
	}
	c.last = c.wait()
	close(c.ended)
	close(c.out)
}

// kill ends the child, and waits until it has.
func (c *process) kill() {
	_ = c.stdin.Close()
	c.end()
	for range c.out { // let the reader end
	}
}

// lastWords say how a child ended, what it wrote to its standard error, and its peak memory, in bytes.
type lastWords struct {
	status, said string
	peak         int64
}

// crashed tells a fault of the program, of which Go's runtime says what it was, from a
// signal of others.
func (l lastWords) crashed() bool { return !strings.HasPrefix(l.status, "signal: ") }

// how is the first line of what the child said, or else its status.
func (l lastWords) how() string {
	if l.crashed() {
		for line := range strings.Lines(l.said) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") ||
				strings.HasPrefix(line, "SIG") {
				return line[:min(len(line), 200)]
			}
		}
	}
	return l.status
}

// outOfMemory reports whether the child has ended for want of memory: the system refused it more, as the child had
// asked, near a limit in bytes. Go's runtime mostly says so; in the midst of collecting garbage, it may take what it
// did not get for a place in memory.
func (l lastWords) outOfMemory(limit int64) bool {
	if strings.HasPrefix(l.said, "SIGSEGV") && strings.Contains(l.said, "addr=0x0\n\ngoroutine 0 ") &&
		l.peak > limit/4*3 {
		return true
	}
	for _, sign := range []string{
		"out of memory", "cannot allocate memory", "failed to create new OS thread", "pthread_create failed",
		"cannot map pages",
		"ThreadSanitizer failed to allocate",
	} {
		if strings.Contains(l.said, sign) {
			return true
		}
	}
	return false
}

// stderr keeps the first 8 KiB written to it.
type stderr struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write keeps the beginning of what a child writes, for the log.
func (s *stderr) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if room := 8192 - s.buf.Len(); room > 0 {
		s.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (s *stderr) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf.Reset()
}

func (s *stderr) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.TrimSpace(s.buf.String())
}
