package language

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/parts/question"
)

// verdicts are what models say of a test or a program, found in the background when they are first asked for.
type verdicts struct {
	s      *server
	d      *document
	models []string
	ctx    context.Context
	cancel context.CancelFunc
	begin  sync.Once

	lock    sync.Mutex
	results map[string]finding // by model, as far as they have come
	missed  bool               // a message lists fewer than all
	done    chan struct{}      // closed when all are there
}

// finding is what a model says: in short, and in words.
type finding struct{ sign, sentence string }

// newVerdicts are those of a test, or of a program; of a header there are none.
func newVerdicts(s *server, d *document) *verdicts {
	v := &verdicts{s: s, d: d, results: map[string]finding{}, done: make(chan struct{})}
	switch {
	case d.tongue == ofTests:
		v.models = question.FirstModels(dialect.Tongue(d.text))
	case d.tongue == ofPrograms && !d.isHeader():
		v.models = question.FirstProgramModels(
			solver.VerifyTask{Files: []solver.SourceFile{{Name: d.name(), Text: d.text}}})
	default:
		return nil
	}
	v.ctx, v.cancel = context.WithCancel(s.ctx)
	return v
}

// stop ends the search for what nobody wants to know any more.
func (v *verdicts) stop() {
	if v != nil {
		v.cancel()
	}
}

// start begins the search, once; it notifies an editor that shows too little when there is more.
func (v *verdicts) start() {
	v.begin.Do(func() {
		v.s.begin(func() {
			defer v.s.survive("search for verdicts", nil)
			var all sync.WaitGroup
			for _, m := range v.models {
				all.Go(func() {
					defer v.s.survive("a search for a verdict", nil)
					v.find(m)
				})
			}
			all.Wait()
			v.lock.Lock()
			close(v.done)
			missed := v.missed
			v.lock.Unlock()
			v.s.lock.Lock()
			refresh := missed && v.s.refreshes && v.ctx.Err() == nil
			v.s.lock.Unlock()
			if refresh {
				if err := v.s.conn.Call(v.ctx, "workspace/codeLens/refresh", nil, nil); err != nil &&
					v.ctx.Err() == nil {
					v.s.Log.Warn("cannot ask the editor to refresh lenses", "error", err)
				}
			}
		})
	})
}

// find asks the engines as run does, or as verify does.
func (v *verdicts) find(model string) {
	o := solver.DefaultOptions()
	o.Timeout = v.s.Limit
	var found finding
	var err error
	if v.d.tongue == ofPrograms {
		found, err = v.verify(model, o)
	} else {
		var r *solver.Result
		if r, err = solver.Ask(v.ctx, v.s.Runner,
			solver.Task{Path: v.d.name(), Source: v.d.text, Model: model, Options: o}); err == nil {
			found = finding{sign(r), sentence(r)}
		}
	}
	if err != nil {
		found = finding{"!", err.Error()}
	}
	v.lock.Lock()
	v.results[model] = found
	v.lock.Unlock()
}

// verify asks whether an assertion of a program can fail.
func (v *verdicts) verify(model string, o solver.Options) (finding, error) {
	v.s.lock.Lock()
	open := v.s.view
	v.s.lock.Unlock()
	t, err := v.d.program(open)
	if err != nil {
		return finding{}, err
	}
	t.Model, t.Options = model, o
	r, err := solver.Ask(v.ctx, v.s.Runner, t)
	if err != nil {
		return finding{}, err
	}
	failure := r.Failure
	if failure == nil {
		failure = r.Race // after which anything may happen
	}
	switch {
	case r.Status == solver.Failed:
		return finding{"!", r.Error}, nil
	case failure != nil:
		return finding{
				"unsafe",
				fmt.Sprintf("unsafe: %s:%d:%d: %s", path.Base(failure.File), failure.Line, failure.Column,
					failure.Text),
			},
			nil
	case r.Status == solver.Unknown:
		return finding{"?", "unknown, " + r.Reason}, nil
	case r.Verdict == solver.Safe && r.Complete:
		return finding{"safe", "safe"}, nil
	case r.Verdict == solver.Safe:
		return finding{"safe", "safe, within bounds"}, nil
	}
	return finding{"?", "undecided"}, nil
}

// wait waits until all are there, or patience is at its end.
func (v *verdicts) wait(ctx context.Context, patience time.Duration) error {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-v.done:
	case <-t.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// title is what there is to say so far: "sc ✗ · tso ✓".
func (v *verdicts) title() string {
	v.lock.Lock()
	defer v.lock.Unlock()
	parts := make([]string, len(v.models))
	for i, m := range v.models {
		found, known := v.results[m]
		if !known {
			found.sign, v.missed = "…", true
		}
		parts[i] = m + " " + found.sign
	}
	return strings.Join(parts, " · ")
}

// sign is ✓ for what is allowed and ✗ for what is forbidden.
func sign(r *solver.Result) string {
	switch {
	case r.Status == solver.Failed:
		return "!"
	case r.Verdict == solver.Allowed:
		return "✓"
	case r.Verdict == solver.Forbidden:
		return "✗"
	}
	return "?"
}

// text is all of it in words, a line for each model.
func (v *verdicts) text() string {
	v.lock.Lock()
	defer v.lock.Unlock()
	var b strings.Builder
	for _, m := range v.models {
		found, known := v.results[m]
		if !known {
			found.sentence = "not decided yet"
		}
		fmt.Fprintf(&b, "%s: %s\n", models.Label(m), found.sentence)
	}
	return b.String()
}

// maxStates bounds the outcomes that a message lists.
const maxStates = 32

func sentence(r *solver.Result) string {
	switch {
	case r.Status == solver.Failed:
		return r.Error
	case r.Status == solver.Unknown:
		return "unknown, " + r.Reason
	}
	states := make([]string, 0, len(r.States))
	for i, s := range r.States {
		if i == maxStates {
			states = append(states, "…")
			break
		}
		states = append(states, stateText(s))
	}
	return fmt.Sprintf("%s %s; outcomes: %s", r.Verdict, r.Condition, strings.Join(states, ", "))
}

func stateText(s solver.State) string {
	parts := make([]string, len(s))
	for i, b := range s {
		parts[i] = b.Name + "=" + b.Value
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// lensData is what a lens is of, until its title is known.
type lensData struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

// outcomes is the command behind a lens. It shows the verdicts in words.
const outcomes = "litmuscope.outcomes"

// codeLens returns one lens: at a test's condition, or at a program's main function.
func (r *request) codeLens(p named) (any, error) {
	d, err := r.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if d.verdicts == nil || len(d.verdicts.models) == 0 {
		return []codeLens{}, nil
	}
	for _, t := range d.marks() {
		word := d.text[t.from:t.to]
		if t.part == final && (word == "exists" || word == "forall" || word == "~" || word == "final") ||
			t.of == (symbol{programNames, fileScope, "main"}) && t.defines {
			d.verdicts.start()
			return []codeLens{{Range: d.span(t.from, t.to), Data: &lensData{d.uri, d.version}}}, nil
		}
	}
	return []codeLens{}, nil
}

// resolveLens fills in a lens's title. It waits for verdicts at most Config.Patience.
func (r *request) resolveLens(l codeLens) (any, error) {
	if l.Data == nil {
		return l, nil
	}
	d, err := r.document(l.Data.URI)
	if err != nil {
		return nil, err
	}
	if d.version != l.Data.Version || d.verdicts == nil {
		return nil, fail(codeModified, "the text has changed")
	}
	d.verdicts.start()
	if err := d.verdicts.wait(r.ctx, r.Patience); err != nil {
		return nil, err
	}
	l.Command = &command{Title: d.verdicts.title(), Command: outcomes, Arguments: []any{d.uri}}
	return l, nil
}

// executeCommand runs the command of a lens: it shows a document's verdicts.
func (r *request) executeCommand(p struct {
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
},
) (any, error) {
	if p.Command != outcomes || len(p.Arguments) != 1 {
		return nil, fail(jsonrpc2.CodeInvalidParams, "unknown command %s with %d arguments", p.Command,
			len(p.Arguments))
	}
	d, err := r.document(p.Arguments[0])
	if err != nil {
		return nil, err
	}
	if d.verdicts == nil {
		return nil, fail(jsonrpc2.CodeInvalidParams, "%s is not a litmus test or a program", d.uri)
	}
	d.verdicts.start()
	if err := d.verdicts.wait(r.ctx, r.Limit); err != nil {
		return nil, err
	}
	text := strings.TrimSuffix(d.verdicts.text(), "\n")
	r.notify("window/showMessage", map[string]any{"type": messageInfo, "message": text})
	return text, nil
}
