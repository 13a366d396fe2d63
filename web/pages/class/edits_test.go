package class

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/change"
	"litmuscope/solver"
	"litmuscope/store"
	"litmuscope/web/teaching/class"
)

// Questions stored when fences were the only edits are shown and checked like new ones.
func TestQuestionsOfFences(t *testing.T) {
	s := newTestPage(t)
	sb, _ := catalogue.Find("SB")
	answers := []class.Answer{{Text: "no fence"}, {Text: "MFENCE"}}
	item := &class.Item{
		Kind: class.Edits, Source: sb.Source,
		Parts: []class.Part{
			{Label: "in P0", Choices: answers, Right: -1},
			{Label: "in P1", Choices: answers, Right: -1},
		},
	}
	item.Asks = classAsk{
		Asks: store.Link{Source: sb.Source, Models: []string{"tso"}, Options: solver.DefaultOptions()},
		Gaps: []change.Gap{
			{Thread: 0, Name: "P0", After: 0, Before: "MOV [x],$1", Behind: "MOV EAX,[y]"},
			{Thread: 1, Name: "P1", After: 0, Before: "MOV [y],$1", Behind: "MOV EAX,[x]"},
		},
		Fences: []string{"MFENCE"},
	}.json()
	for ballot, want := range map[string]class.Judged{
		"1 1": {Is: class.Done},
		"1 0": {Is: class.Missed, Hint: "Not yet: TSO allows it."},
	} {
		b, err := class.ParseBallot(ballot)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.judgeEdit(t.Context(), item, b); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", ballot, got, err, want)
		}
	}
	var rows []string
	for _, th := range (&classView{Item: item}).Threads() {
		for _, r := range th.Rows {
			text := r.Text
			if r.Place != nil {
				text = r.Place.Legend()
			}
			rows = append(rows, th.Name+": "+text)
		}
	}
	if want := "[P0: MOV [x],$1 P0: Fence in P0 before MOV EAX,[y] P0: MOV EAX,[y] P1: MOV [y],$1 P1: Fence in P1 " +
		"before MOV EAX,[x] P1: MOV EAX,[x]]"; fmt.Sprint(rows) != want {
		t.Errorf("%s, want %s", fmt.Sprint(rows), want)
	}
}

// An edit that many students try is checked once. The check continues when a client disconnects, and a failed check is
// repeated.
func TestAttemptsAreJudgedOnce(t *testing.T) {
	a := newAttempts()
	key := trialKey{1, 2, "0 1"}
	var asked atomic.Int32
	begun, goes := make(chan struct{}), make(chan struct{})
	judge := func(ctx context.Context) (class.Judged, error) {
		if asked.Add(1) == 1 {
			close(begun)
			<-goes
		}
		return class.Judged{Is: class.Done}, ctx.Err()
	}
	first, leave := context.WithCancel(t.Context())
	trial := a.join(first, key, judge)
	<-begun
	leave()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if other := a.join(t.Context(), key, judge); other != trial {
				t.Error("an edit is judged twice at once")
			}
		})
	}
	all.Wait()
	close(goes)
	<-trial.done
	if trial.err != nil || trial.judged.Is != class.Done || asked.Load() != 1 {
		t.Errorf("%+v, %v, asked %d times", trial.judged, trial.err, asked.Load())
	}
	failed := errors.New("it failed")
	fails := a.join(t.Context(), key, func(context.Context) (class.Judged, error) { return class.Judged{}, failed })
	<-fails.done
	again := a.join(t.Context(), key, judge)
	<-again.done
	if !errors.Is(fails.err, failed) || again.err != nil || asked.Load() != 2 {
		t.Errorf("%v, then %v, asked %d times", fails.err, again.err, asked.Load())
	}
	// A panic is an error for its clients only.
	<-a.join(t.Context(), key, func(context.Context) (class.Judged, error) { panic("no") }).done
}

// The server checks one try per student at a time.
func TestOneTryAtATime(t *testing.T) {
	a := newAttempts()
	ann, bob := class.VoterOf("ann"), class.VoterOf("bob")
	if !a.begin(ann) || a.begin(ann) || !a.begin(bob) {
		t.Error("who may have a try judged?")
	}
	a.end(ann)
	if !a.begin(ann) {
		t.Error("a student has to wait for nothing")
	}
}
