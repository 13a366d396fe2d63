package pool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// maxStack bounds a goroutine's stack in a child, in bytes.
const maxStack = 64 << 20

// MaybeChild makes this process do tasks and other kinds of work, and never returns, if a
// pool started it for that. Call it first in main, and in TestMain of tests that use a
// Pool.
func MaybeChild(kinds ...Work) {
	if !becomeChild() {
		return
	}
	// Ctrl-C and a service's end reach the whole process group, but what becomes of a
	// child is for its parent to say.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	debug.SetMaxStack(maxStack)
	in, out := pipes()
	c := &child{out: out, kinds: map[string]Work{}, replies: make(chan bool, 1)}
	for _, k := range kinds {
		c.kinds[k.Name()] = k
	}
	c.serve(in)
	os.Exit(0)
}

type child struct {
	kinds map[string]Work
	fence fence
	// replies are the parent's answers to claims of memory.
	replies chan bool

	mu      sync.Mutex // guards writing and the fields below
	out     io.Writer
	began   time.Time
	partial any   // known, and not yet sent: a [solver.Answer], or JSON
	most    int64 // bytes that an answer may have
}

// crash is the content of a frame of that kind.
type crash struct {
	Message string `json:"message"`
	Stack   string `json:"stack"`
}

// serve does one piece of work after another, until there are no more. A goroutine of its own reads them, so that a
// child whose parent is gone ends at once, even during a solver call.
func (c *child) serve(in io.Reader) {
	todo := make(chan frame)
	go func() {
		for {
			f, err := readFrame(in, func(byte, int64) bool { return true })
			if err != nil {
				os.Exit(0)
			}
			if f.kind == frameWork {
				todo <- f
			} else {
				c.replies <- f.kind == frameGranted
			}
		}
	}()
	go c.watch()
	for f := range todo {
		c.serveOne(f.body)
	}
}

// serveOne answers one piece of work in the child. work is a header in JSON, a newline and the question. It sends one
// last frame: the answer, an error, or that the answer is larger than the header allows. A panic ends the process,
// after a report.
func (c *child) serveOne(work []byte) {
	head, question, _ := bytes.Cut(work, []byte("\n"))
	var h header
	err := json.Unmarshal(head, &h)
	c.mu.Lock()
	c.began, c.partial, c.most = time.Now(), nil, h.Answer
	c.fence.set(int64(h.Memory)<<20, h.Claim)
	c.mu.Unlock()
	defer func() {
		if e := recover(); e != nil {
			c.crash(e, debug.Stack())
		}
	}()
	var answer any
	kind, known := c.kinds[h.Kind]
	read, asked := questions[h.Kind]
	switch {
	case err != nil:
	case asked:
		var q solver.Question
		if q, err = read(question); err != nil {
			break
		}
		ctx := solver.Following(context.Background(), c.note)
		if h.Claim > 0 {
			ctx = solver.ClaimingMemory(ctx, c.claimMemory)
		}
		var a solver.Answer
		if a, err = (engines.Local{}).Run(ctx, q); err != nil {
			break
		}
		c.reportPeak(a)
		answer = a
		if r, ok := answer.(*solver.Result); ok {
			c.sendResult(r)
			return
		}
	case !known:
		err = fmt.Errorf("BUG: this program's children do not know the work %s", h.Kind)
	default:
		answer, err = kind.Do(question, c.noteJSON)
	}
	var body []byte
	if err == nil {
		body, err = json.Marshal(answer)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var needs *solver.NeedsMemory
	switch {
	case errors.As(err, &needs):
		c.send(withBytes(frameNeeds, needs.Bytes))
	case err != nil:
		c.send(frame{frameFailed, []byte(cut(err.Error(), maxWords))})
	case int64(len(body)) > h.Answer:
		c.send(frame{kind: frameLarge})
	default:
		c.send(frame{frameAnswer, body})
	}
}

// claimMemory asks the parent for the memory that the work needs at its peak. No work needs more than its limit.
func (c *child) claimMemory(bytes int64) error {
	c.mu.Lock()
	if limit := c.fence.limit; limit > 0 {
		bytes = min(bytes, limit)
	}
	bytes = max(bytes, perChild)
	if bytes == c.fence.claim {
		c.mu.Unlock()
		return nil
	}
	if writeFrame(c.out, withBytes(frameClaim, bytes)) != nil {
		os.Exit(0) // the parent has ended
	}
	c.mu.Unlock()
	if !<-c.replies {
		return &solver.NeedsMemory{Bytes: bytes}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fence.claim = bytes
	return nil
}

// reportPeak adds the memory that the work had at its peak to an answer's statistics.
func (c *child) reportPeak(a solver.Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fence.look()
	notePeak(a, c.fence.peak)
}

// notePeak notes a peak, in bytes, in an answer's statistics, if it has any.
func notePeak(a solver.Answer, peak int64) {
	if s := *a.Head().Stats; s != nil {
		s.PeakMiB = math.Round(float64(peak)/(1<<20)*10) / 10
	}
}

// maxWords bounds the text of an error or of a crash, in bytes.
const maxWords = 8 << 10

func cut(s string, n int) string { return s[:min(len(s), n)] }

// send writes a frame; the caller holds mu. It drops the pending partial result, so that nothing of a piece of work
// follows its end.
func (c *child) send(f frame) {
	c.partial = nil
	if err := writeFrame(c.out, f); err != nil {
		os.Exit(0) // the parent has ended
	}
}

// crash tells of a panic, and ends the process: who knows what it has left behind.
func (c *child) crash(panicked any, stack []byte) {
	body, err := json.Marshal(crash{cut(fmt.Sprint(panicked), 200), cut(string(stack), maxWords)})
	if err != nil {
		panic(errors.Join(fmt.Errorf("BUG: %v", panicked), err))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(frame{frameCrash, body})
	os.Exit(2)
}

// chunk is how many states go in one frame.
const chunk = 256

// sendResult writes a result; it leaves out states, with their outcomes, that exceed the room in the frame.
func (c *child) sendResult(r *solver.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	room := c.most
	if len(r.States) <= chunk {
		if body := encode(r); int64(len(body)) <= room {
			c.send(frame{frameAnswer, body})
			return
		}
	}
	rest := *r
	rest.States, rest.Outcomes = []solver.State{}, nil
	// Reserve room for the rest, which includes the remark on omitted states.
	room -= fewer(&rest, room/2) + 64
	if room < 0 {
		c.send(frame{kind: frameLarge})
		return
	}
	for from, n := 0, chunk; from < len(r.States); {
		to := min(from+n, len(r.States))
		some := states{States: r.States[from:to]}
		if len(r.Outcomes) > 0 {
			some.Outcomes = r.Outcomes[from:to]
		}
		body := encode(some)
		if int64(len(body)) <= room {
			room -= int64(len(body))
			c.send(frame{frameStates, body})
			from = to
			continue
		}
		if n /= 2; n == 0 {
			rest.StatesComplete, rest.Satisfying = new(bool), nil
			break
		}
	}
	c.send(frame{frameAnswer, encode(rest)})
}

// fewer takes executions out of the rest of a result until there is room for it, if
// there can be, and says what it takes then.
func fewer(rest *solver.Result, room int64) int64 {
	for {
		n := int64(len(encode(rest)))
		if n+64 <= room || len(rest.Executions) == 0 {
			return n
		}
		rest.Executions, rest.ExecutionsComplete = rest.Executions[:len(rest.Executions)/2], new(bool)
	}
}

func encode(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic("BUG: a result cannot be written as JSON: " + err.Error())
	}
	return body
}

// note copies the partial result, for watch to send.
func (c *child) note(a solver.Answer) {
	known := a.Copy()
	c.mu.Lock()
	c.partial = known
	c.mu.Unlock()
	pass()
}

// noteJSON is note for work that is no question.
func (c *child) noteJSON(soFar any) {
	known := json.RawMessage(encode(soFar))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.partial = known
}

// sendPartial sends the partial result if the frame has room for it; the caller holds mu.
func (c *child) sendPartial() {
	if c.partial == nil {
		return
	}
	body := encode(c.partial)
	if r, ok := c.partial.(*solver.Result); ok && int64(len(body)) > c.most {
		less := *r
		less.States, less.Outcomes, less.Executions, less.Explanation = []solver.State{}, nil, nil, nil
		body = encode(less)
	}
	c.partial = nil
	if int64(len(body)) <= c.most {
		c.send(frame{framePartial, body})
	}
}

// patience is how long work runs before the child sends its parent a partial result: most work ends earlier.
const patience = 50 * time.Millisecond

// watch sends partial results of long work to the parent, tells it when the work has more memory than it claimed, and
// ends the process when it exceeds its memory limit.
func (c *child) watch() {
	for {
		c.mu.Lock()
		if time.Since(c.began) > patience {
			c.sendPartial()
		}
		over, again := c.fence.over()
		if over {
			c.sendPartial()
			c.send(frame{kind: frameMemory})
			os.Exit(3)
		}
		if used, more := c.fence.grown(); more {
			if writeFrame(c.out, withBytes(frameGrown, used)) != nil {
				os.Exit(0)
			}
		}
		c.mu.Unlock()
		time.Sleep(again)
	}
}
