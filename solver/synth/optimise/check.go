package optimise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// verdict is the result of all clients for a choice of orders.
type verdict int

const (
	safe verdict = iota
	unsafe
	open // undecided
)

// judged is a client's answer with its verdict.
type judged struct {
	verdict
	answer *solver.Verification
	reason string // why the answer is unknown
}

// judge returns the verdict of an answer. Only a safe verdict without undefined behaviour, and without an open
// question about data races, counts as safe.
func judge(v *solver.Verification) judged {
	switch {
	case v.Status == solver.Failed:
		return judged{open, v, v.Error}
	case v.Race != nil, v.Undefined != nil, v.Status == solver.OK && v.Verdict == solver.Unsafe:
		return judged{unsafe, v, ""}
	case v.Status != solver.OK || v.Verdict != solver.Safe:
		return judged{open, v, cmp.Or(v.Reason, "no verdict")}
	case v.RaceOpen() != "":
		return judged{open, v, v.RaceOpen()}
	}
	return judged{safe, v, ""}
}

// asker asks the clients about choices of orders.
//
// Two observations save most questions. A client's answer depends only on its own places, so that the cache's key is
// the orders of these places (key). And a choice that is no stronger than a failed one fails as well (hopeless),
// because weaker orders allow every execution of stronger ones. The second is an assumption about models. It only
// steers the search: an order is reported as safe only after an answer, and as needed only after a failure.
//
// The next round begins with the pair that failed last: it is the most likely to fail again.
type asker struct {
	Question
	text    editor
	clients []string // paths of the clients
	client  []int    // by pair: its client
	turn    []int    // the order of the pairs; the one that failed last comes first
	known   map[string]judged
	failed  []failure
	asked   int
}

// newAsker returns an asker that has not read the clients yet.
func newAsker(q Question) *asker { return &asker{Question: q, known: map[string]judged{}} }

// programError is the error of a program that does not parse.
type programError struct{ error }

// readText reads the clients and finds the places of orders in their texts.
func (a *asker) readText() error {
	if isModule(a.Pairs[0]) {
		return a.readModule(false)
	}
	texts := map[string]string{}
	var clients []orders.Client
	for i, t := range a.Pairs {
		at := slices.Index(a.clients, t.Path)
		if at < 0 {
			at = len(a.clients)
			a.clients = append(a.clients, t.Path)
			maps.Copy(texts, t.Include)
			for _, f := range t.Files {
				texts[f.Name] = f.Text
			}
			clients = append(clients,
				func(changed map[string]string) ([]string, error) { return engines.Preprocessed(Changed(t, changed)) })
		}
		a.client = append(a.client, at)
		a.turn = append(a.turn, i)
	}
	text, err := orders.Read(texts, clients, a.Options)
	if err != nil {
		return err
	}
	a.text = source{text}
	for at := range a.clients {
		operated, err := engines.Operated(a.Pairs[slices.Index(a.client, at)])
		if err != nil {
			return &programError{err}
		}
		for _, pos := range operated {
			text.Leave(pos, "an operator on an _Atomic object, which is seq_cst")
		}
	}
	return nil
}

// A client is a program that uses the code in question, for instance a test driver of a library. All clients together
// are the specification: an order that no client needs is unnecessary for them. Places in files that several clients
// share have one order for all of them.

// failure is a choice of orders under which a pair failed.
type failure struct {
	pair   int
	orders []c.Order
}

// relevant encodes the orders of the places that a pair's client contains.
func (a *asker) relevant(pair int, choice []c.Order) string {
	var out []byte
	for i, o := range choice {
		if a.text.Has(a.client[pair], i) {
			out = append(out, '0'+byte(o))
		} else {
			out = append(out, '-')
		}
	}
	return string(out)
}

// key identifies a pair's question about a choice. neat only matters if it changes the texts.
func (a *asker) key(pair int, choice []c.Order, neat bool) string {
	if neat && maps.Equal(a.text.With(choice, true), a.text.With(choice, false)) {
		neat = false
	}
	return fmt.Sprint(pair, " ", neat, " ", a.relevant(pair, choice))
}

// hopeless reports whether a choice is no stronger than one under which some pair failed, at all places of that
// pair's client.
func (a *asker) hopeless(choice []c.Order) bool {
	return slices.ContainsFunc(a.failed, func(f failure) bool {
		for i, o := range choice {
			if a.text.Has(a.client[f.pair], i) && o != f.orders[i] && !orders.Weaker(o, f.orders[i]) {
				return false
			}
		}
		return true
	})
}

// task returns a pair's question about changed texts.
func (a *asker) task(pair int, changed map[string]string) solver.VerifyTask {
	return Changed(a.Pairs[pair], changed)
}

// Changed returns a question with the texts of some files replaced.
func Changed(t solver.VerifyTask, texts map[string]string) solver.VerifyTask {
	t.Files = slices.Clone(t.Files)
	for i, f := range t.Files {
		if text, ok := texts[f.Name]; ok {
			t.Files[i].Text = text
		}
	}
	include := maps.Clone(t.Include)
	for name := range include {
		if text, ok := texts[name]; ok {
			include[name] = text
		}
	}
	t.Include = include
	return t
}

// errDecided stops the questions about a choice.
var errDecided = errors.New("decided")

// check asks all pairs about a choice of orders, until one fails or has no verdict. The result is that of the first
// such pair in the order of a.turn, so that it does not depend on the number of workers. neat is as for
// [orders.Text.With].
func (a *asker) check(ctx context.Context, choice []c.Order, neat bool) (judged, error) {
	changed := a.text.With(choice, neat)
	last := judged{verdict: safe}
	key := func(pair int) string { return a.key(pair, choice, neat) }
	for _, pair := range a.turn { // cached answers first
		if j, known := a.known[key(pair)]; known && j.verdict != safe {
			return j, nil
		}
	}
	var unknown []int // before the first answer changes the order
	for _, pair := range a.turn {
		if _, known := a.known[key(pair)]; !known {
			unknown = append(unknown, pair)
		}
	}
	type answer struct {
		pair int
		judged
		err error
	}
	err := batch.InOrder(ctx, a.Workers, slices.Values(unknown), func(ctx context.Context, pair int) answer {
		v, err := batch.Ask(ctx, a.Runner, a.task(pair, changed))
		if err != nil {
			return answer{pair, judged{}, err}
		}
		return answer{pair, judge(v), nil}
	}, func(got answer) error {
		if got.err != nil {
			return got.err
		}
		a.count()
		a.known[key(got.pair)] = got.judged
		if got.verdict == safe {
			return nil
		}
		last = got.judged
		if got.verdict == unsafe {
			a.failed = append(a.failed, failure{got.pair, slices.Clone(choice)})
		}
		at := slices.Index(a.turn, got.pair)
		a.turn = slices.Insert(slices.Delete(a.turn, at, at+1), 0, got.pair)
		return errDecided
	})
	if errors.Is(err, errDecided) {
		err = nil
	}
	return last, cmp.Or(ctx.Err(), err)
}

// count counts a question to the engine and reports the number.
func (a *asker) count() {
	if a.asked++; a.Question.Asked != nil {
		a.Question.Asked(a.asked)
	}
}

// reached reports whether some client executes a place: it inserts an assertion that fails there. reason says why the
// answer is unknown.
func (a *asker) reached(ctx context.Context, place int, now []c.Order) (yes bool, reason string, err error) {
	changed := a.text.Reaching(place, now)
	asked := map[string]bool{}
	for pair, t := range a.Pairs {
		if !a.text.Has(a.client[pair], place) || asked[t.Path+"\n"+t.Model] {
			continue
		}
		asked[t.Path+"\n"+t.Model] = true
		task := a.task(pair, changed)
		task.Properties, task.Options.Witnesses = []ir.Property{ir.Assertion}, false
		v, err := batch.Ask(ctx, a.Runner, task)
		if err != nil {
			return false, "", err
		}
		a.count()
		switch j := judge(v); {
		case v.Status == solver.OK && v.Verdict == solver.Unsafe &&
			(isModule(t) || strings.HasPrefix(v.Failure.Text, orders.Reached)):
			return true, "", nil
		case j.verdict != safe:
			reason = cmp.Or(reason, j.reason, "it fails before")
		}
	}
	return false, reason, nil
}
