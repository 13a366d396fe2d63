package synth

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/change"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/recognise"
	"litmuscope/solver/testdiff"
)

// Offering asks which changes a person can make by hand in a test, among those that a repair chooses from, and what the
// test looks like with some of them. Its text has not been parsed.
type Offering struct {
	Path   string        `json:"path"`
	Source string        `json:"source"`
	Kinds  []change.Kind `json:"kinds"` // of changes to offer
	Made   []change.Made `json:"made,omitempty"`
}

// Offered is the answer to an Offering.
type Offered struct {
	BadTest litmus.ErrorList `json:"bad_test,omitempty"`
	Places  []change.Place   `json:"places,omitempty"`
	Tongue  string           `json:"tongue,omitempty"` // as dialect.Tongue returns it
	Threads []Listed         `json:"threads,omitempty"`
	// Source is the test with the changes made; empty if Refused says why the test cannot have them.
	Source  string `json:"source,omitempty"`
	Refused string `json:"refused,omitempty"`
}

// Listed is a thread for display: its statements, one per line.
type Listed struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines"`
}

// kinds are the prices of some kinds of changes; the table excludes all others.
type kinds struct {
	prices
	of []change.Kind
}

// Price implements [change.Prices].
func (k kinds) Price(kind change.Kind, name string) (cost int, ok bool) {
	if kind != change.Scope && !slices.Contains(k.of, kind) {
		return 0, false
	}
	return k.prices.Price(kind, name)
}

// An offering has no question to an engine. It lists the places of the test where changes of the wanted kinds are
// possible, with the words that a page shows for them, and applies the chosen ones. A person can change values, but a
// repair never does: a different value is a different test.

// Offer answers an Offering. It runs in a child process.
func Offer(q Offering) (*Offered, error) {
	costs, err := ReadCosts("", "")
	if err != nil {
		return nil, err
	}
	out := &Offered{}
	source := strings.ReplaceAll(q.Source, "\r\n", "\n")
	t, err := litmus.Parse(q.Path, source)
	if err == nil {
		_, err = dialect.Runnable(t)
	}
	if err != nil {
		out.BadTest = recognise.Errors(q.Path, source)
		return out, nil
	}
	p, err := dialect.Parse(q.Path, source)
	if err != nil {
		return nil, err
	}
	c, err := change.Of(t, p, change.Stronger, kinds{costs[dialect.Tongue(source)], q.Kinds}, testdiff.Adds)
	if err != nil {
		out.BadTest = litmus.Errors(err)
		return out, nil
	}
	out.Places, out.Tongue = c.Places(), dialect.Tongue(source)
	for i := range t.Threads {
		th := Listed{Name: fmt.Sprint("P", t.Threads[i].ID)}
		for _, cell := range t.Threads[i].Cells {
			th.Lines = append(th.Lines, cell.Flat().Text)
		}
		out.Threads = append(out.Threads, th)
	}
	if slices.Contains(q.Kinds, change.Value) {
		out.Places = append(out.Places, change.Values(t)...)
	}
	if out.Source, err = c.Make(q.Made); err != nil {
		out.Refused = err.Error()
	}
	return out, nil
}
