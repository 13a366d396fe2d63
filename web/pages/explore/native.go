package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"litmuscope/solver"
	"litmuscope/store"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// NativeRunner runs tests on the processor of the server. It runs only code that the program generates from a test's
// instructions.
type NativeRunner interface {
	// Machine describes the server's machine.
	Machine() solver.Computer
	// Refuses says why the machine cannot run a test with this architecture in its header; "" where it can.
	Refuses(arch string) string
	// Run compiles and runs a test until its context ends or it has enough runs. It returns what it has seen, without a
	// session. An error of type NativeRefusal is for the visitor.
	Run(ctx context.Context, source string) (store.Observation, error)
}

// NativeRefusal says why a test cannot run on the server's machine, for the visitor.
type NativeRefusal struct{ Msg string }

// Error is the reason.
func (n *NativeRefusal) Error() string { return n.Msg }

// ObservationStore keeps what machines have shown.
type ObservationStore interface {
	PutObservations(ctx context.Context, list []store.Observation) error
}

// Bounds on runs on the server's own machine. A run has the processors for itself: of two at once, each would disturb
// the other.
const (
	NativeTime    = 10 * time.Second // of a run, with its compilation
	NativeWaiting = 8                // runs that wait
	NativeEach    = 1                // runs of one client, waiting or running
	nativeWait    = NativeTime * (NativeWaiting + 1)
)

// NativeLimits lists these limits.
var NativeLimits = []server.Limit{
	{
		Name: "native-time", What: "time of a test on the server's own machine, with --hw", Value: NativeTime,
		Beyond: "the server stores the runs until then; one test runs at once",
	},
	{
		Name: "native-waiting", What: "tests that wait for the server's own machine", Value: NativeWaiting,
		Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("a single client may have %d", NativeEach),
	},
}

// visitorSession is the session of all runs that visitors start on the server's machine.
const visitorSession = "the server's explorer"

// Native runs tests on the server's machine for visitors.
type Native struct {
	Runner NativeRunner
	Store  ObservationStore

	queue *server.Turns // the run and those that wait
	runs  *server.Turns // the run
}

// NewNative returns the service of a runner that stores its observations.
func NewNative(r NativeRunner, s ObservationStore) *Native {
	const busy = "The server's machine has too many tests to run. Try again soon, or wait for your other run."
	return &Native{
		Runner: r, Store: s, queue: server.NewTurns(NativeWaiting+1, NativeEach, 0, busy),
		runs: server.NewTurns(1, 0, nativeWait, busy),
	}
}

// Offers reports whether visitors can run tests of an architecture here.
func (n *Native) Offers(arch string) bool { return n != nil && n.Runner.Refuses(arch) == "" }

// run runs a test when it is its turn, and stores what it has shown.
func (n *Native) run(ctx context.Context, source string, program []byte, name string) (store.Observation, error) {
	var none store.Observation
	over, err := n.queue.Take(ctx)
	if err != nil {
		return none, err
	}
	defer over()
	end, err := n.runs.Take(ctx)
	if err != nil {
		return none, err
	}
	defer end()
	within, cancel := context.WithTimeout(ctx, NativeTime)
	defer cancel()
	o, err := n.Runner.Run(within, source)
	if err != nil {
		return none, err
	}
	o.Program, o.Test, o.Session, o.Add, o.Machine = program, name, visitorSession, true, n.Runner.Machine()
	return o, n.Store.PutObservations(ctx, []store.Observation{o})
}

// nativeReply says what a run has shown.
type nativeReply struct {
	Machine string `json:"machine"`
	Runs    int64  `json:"runs"`
	Seen    int    `json:"seen"` // different outcomes
}

// errNoNative is the answer of a server that runs no tests itself.
const errNoNative = "This server does not run native tests. Whoever runs it can allow them with litmuscope serve --hw."

// postNative runs the form's test on the server's machine, and stores what that has shown. The explorer's next answer
// about the test has it.
func (s *page) postNative(w http.ResponseWriter, r *http.Request) {
	if s.native == nil {
		s.server.Fail(w, r, http.StatusForbidden, errNoNative)
		return
	}
	if !s.server.ParseForm(w, r) {
		return
	}
	q, err := question.FromForm(r.PostForm)
	if err == nil {
		q.Models, q.Own = nil, nil // the test alone
		var reply *nativeReply
		if reply, err = s.runNative(r.Context(), q); err == nil {
			s.server.WriteJSON(w, reply)
			return
		}
	}
	s.server.FailOf(w, r, err)
}

func (s *page) runNative(ctx context.Context, q question.Question) (*nativeReply, error) {
	asked := q.Unread()
	test, err := s.questions.Inspect(ctx, asked)
	if err != nil {
		return nil, err
	}
	if why := s.native.Runner.Refuses(test.Arch); why != "" {
		return nil, server.Refuse("The server's machine cannot run this test: %s.", why)
	}
	o, err := s.native.run(ctx, asked.Source, test.Program, test.Name)
	var no *NativeRefusal
	var bad *store.BadObservation
	switch {
	case errors.As(err, &no):
		return nil, server.Refuse("The server's machine cannot run this test: %s.", no.Msg)
	case errors.As(err, &bad):
		return nil, server.Refuse("The database does not store the runs: %s.", bad.Msg)
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return nil, server.Refuse("The test did not end within %v on the server's machine.", NativeTime)
	case err != nil:
		return nil, err
	}
	return &nativeReply{o.Machine.Name, o.Runs, len(o.Outcomes)}, nil
}
