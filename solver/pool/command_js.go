package pool

import (
	"errors"
	"io"
	"runtime"
	"sync/atomic"
	"syscall/js"
)

// In a browser a child is a worker, which runs this program too and ends as a process does. What starts one, in
// static/src/engine.js, is the global object engine:
//
//	engine.start(hear): a worker; hear(bytes) is given what it writes, and hear(null, status, said) its end
//	engine.tell(bytes): in a child, writes to its parent
//	engine.hear: in a child, a function that the child sets, and that is given what its parent writes

// command is such a worker.
type command struct {
	worker js.Value
	hear   js.Func
	number int
	pipe   *mailbox
	last   lastWords
}

var launched atomic.Int64

func engine() js.Value { return js.Global().Get("engine") }

func (p *Pool) launch(c *process) (io.Reader, error) {
	cmd := &command{pipe: newMailbox(), number: int(launched.Add(1))}
	cmd.hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
		if args[0].IsNull() {
			cmd.last = lastWords{status: args[1].String(), said: args[2].String()}
			cmd.pipe.close()
		} else {
			cmd.pipe.put(bytesOf(args[0]))
		}
		return nil
	})
	cmd.worker = engine().Call("start", cmd.hear)
	c.cmd, c.stdin = cmd, toWorker{cmd}
	return cmd.pipe, nil
}

func (c *process) pid() int { return c.cmd.number }

func (c *process) end() {
	c.cmd.worker.Call("terminate")
	if c.cmd.last.status == "" {
		c.cmd.last.status = "signal: killed"
	}
	c.cmd.pipe.close()
}

func (c *process) wait() lastWords {
	c.cmd.pipe.wait()
	c.cmd.hear.Release()
	return c.cmd.last
}

func thisProgram() (string, error) { return "litmuscope", nil }

// becomeChild reports whether this is a worker that another has started.
func becomeChild() bool { return engine().Get("child").Truthy() }

// pipes are those of a child to its parent.
func pipes() (io.Reader, io.Writer) {
	in := newMailbox()
	engine().Set("hear", js.FuncOf(func(_ js.Value, args []js.Value) any {
		in.put(bytesOf(args[0]))
		return nil
	}))
	return in, toParent{}
}

// pass has other goroutines run: nothing interrupts this one.
func pass() { runtime.Gosched() }

// toWorker is what a child reads.
type toWorker struct{ *command }

// Write posts p to the worker.
func (w toWorker) Write(p []byte) (int, error) {
	if w.pipe.ended() {
		return 0, errors.New("the worker has ended")
	}
	w.worker.Call("postMessage", valueOf(p))
	return len(p), nil
}

// Close does nothing: terminating a worker ends it.
func (toWorker) Close() error { return nil }

// toParent is what a child writes.
type toParent struct{}

// Write posts p to the page.
func (toParent) Write(p []byte) (int, error) {
	engine().Call("tell", valueOf(p))
	return len(p), nil
}

func bytesOf(v js.Value) []byte {
	b := make([]byte, v.Get("length").Int())
	js.CopyBytesToGo(b, v)
	return b
}

func valueOf(p []byte) js.Value {
	v := js.Global().Get("Uint8Array").New(len(p))
	js.CopyBytesToJS(v, p)
	return v
}

// mailbox is a pipe whose writer never waits: it is the browser's event loop.
type mailbox struct {
	come chan struct{} // there is something new, perhaps
	over chan struct{}
	left []byte
	done bool
}

func newMailbox() *mailbox {
	return &mailbox{come: make(chan struct{}, 1), over: make(chan struct{})}
}

func (m *mailbox) put(p []byte) {
	m.left = append(m.left, p...)
	select {
	case m.come <- struct{}{}:
	default:
	}
}

func (m *mailbox) close() {
	if !m.done {
		m.done = true
		close(m.over)
	}
}

func (m *mailbox) ended() bool { return m.done }

func (m *mailbox) wait() { <-m.over }

// Read implements [io.Reader]. One goroutine runs at a time here, and nothing interrupts it.
func (m *mailbox) Read(p []byte) (int, error) {
	for len(m.left) == 0 {
		if m.done {
			return 0, io.EOF
		}
		select {
		case <-m.come:
		case <-m.over:
		}
	}
	n := copy(p, m.left)
	if m.left = m.left[n:]; len(m.left) == 0 {
		m.left = nil
	}
	return n, nil
}
