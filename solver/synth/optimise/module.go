package optimise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/litmus/c/llvm/edits"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/synth"
)

// editor is the text of a program with the places of its orders: that of a C program, or a module with its sources.
type editor interface {
	places() []orders.Place
	leftOut() []orders.Left
	Orders() []c.Order
	// With returns the files that change with some orders; neat is as for [orders.Text.With].
	With(is []c.Order, neat bool) map[string]string
	Reaching(place int, is []c.Order) map[string]string
	Has(client, place int) bool
	AddAtomic(name string, at []litmus.Pos) (why string)
	// isNew reports whether a place is a fence that the program does not have, and of which the search knows only from
	// the editor.
	isNew(place int) bool
}

// source is the text of a C program.
type source struct{ *orders.Text }

func (s source) places() []orders.Place { return s.Places }
func (s source) leftOut() []orders.Left { return s.Left }
func (source) isNew(int) bool           { return false }

// module is a module of LLVM IR with the sources in C++ or Rust that it was compiled from.
type module struct{ *edits.Text }

func (m module) places() []orders.Place                           { return m.Places }
func (m module) leftOut() []orders.Left                           { return m.Left }
func (m module) isNew(place int) bool                             { return m.IsNew(place) }
func (m module) With(is []c.Order, _ bool) map[string]string      { return m.Text.With(is) }
func (module) AddAtomic(name string, _ []litmus.Pos) (why string) { return name + " is not in C" }

// isModule reports whether a program is a module of LLVM IR.
func isModule(t solver.VerifyTask) bool {
	return len(t.Files) == 1 && strings.HasSuffix(t.Files[0].Name, ".ll")
}

// readModule reads the only client, a module, with its sources. fences: also the fences that could be inserted are
// places.
func (a *asker) readModule(fences bool) error {
	t := a.Pairs[0]
	if len(t.Include) == 0 {
		return &programError{fmt.Errorf("%s: its debug information names no source file that is here, and a module is "+
			"not changed by itself: ask about the program in C++ or Rust, or compile it with -g", t.Files[0].Name)}
	}
	for _, other := range a.Pairs {
		if other.Path != t.Path || !isModule(other) {
			return errors.New("several programs at once are supported in C only: ask about one program in C++ or Rust")
		}
		a.client, a.turn = append(a.client, 0), append(a.turn, len(a.turn))
	}
	a.clients = []string{t.Path}
	only := slices.DeleteFunc(slices.Clone(a.Only), func(name string) bool { return name == t.Files[0].Name })
	text, err := edits.Read(t.Files[0].Name, t.Files[0].Text, t.Include, edits.Options{Only: only, Fences: fences})
	if err != nil {
		return &programError{err}
	}
	a.text = module{text}
	return nil
}

// shown returns the changed files that readers see: not the module of a program in another language.
func (a *asker) shown(files map[string]string) map[string]string {
	if !isModule(a.Pairs[0]) {
		return files
	}
	out := maps.Clone(files)
	delete(out, a.Pairs[0].Files[0].Name)
	return out
}

// refusePlain lists the plain objects in data races, which the search does not change in C++ and Rust.
func (r *repairer) refusePlain(ctx context.Context) error {
	most := make([]c.Order, len(r.orders))
	for i, options := range r.orders {
		most[i] = options[len(options)-1]
	}
	names, err := r.racing(ctx, r.text.With(most, false))
	for _, n := range names {
		why := fmt.Sprintf("the plain object %s is in a data race even with all changes: make it atomic, or guard it",
			n.name)
		if !slices.Contains(r.refused, why) {
			r.refused = append(r.refused, why)
		}
	}
	r.failed = nil
	return err
}

// A module that the search has changed is what the compiler would make of the changed source, as far as debug
// information says. The compiler may make something else of it: another order lets it merge other accesses. So each
// answer is confirmed by the compiler.

// Rebuild compiles a program again with changed sources, and returns its module.
type Rebuild func(ctx context.Context, sources map[string]string) (string, error)

// confirmed asks again about a program with changed files, and returns why it is not confirmed, or "".
func confirmed(ctx context.Context, q Question, files map[string]string, rebuild Rebuild) (why string, err error) {
	sources := maps.Clone(q.Pairs[0].Include)
	maps.Copy(sources, files)
	text, err := rebuild(ctx, sources)
	if err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "the compiler refuses the changed program: " + err.Error(), nil
	}
	for _, t := range q.Pairs {
		t.Files = []solver.SourceFile{{Name: t.Files[0].Name, Text: text}}
		t.Include, t.Options.Witnesses = sources, false
		v, err := batch.Ask(ctx, q.Runner, t)
		if err != nil {
			return "", err
		}
		switch j := judge(v); j.verdict {
		case unsafe:
			return "the changed program, compiled again, fails under " + models.Label(v.Model) + fails(v), nil
		case open:
			return fmt.Sprintf("the changed program, compiled again, has no verdict under %s: %s",
				models.Label(v.Model), j.reason), nil
		}
	}
	return "", nil
}

// ConfirmRepairs compiles the program of each repair again and asks about it. Repairs that are not confirmed leave the
// reply, and a remark says why. Programs in C need no confirmation.
func ConfirmRepairs(ctx context.Context, q Question, r *synth.Reply, rebuild Rebuild) error {
	if len(q.Pairs) == 0 || !isModule(q.Pairs[0]) {
		return nil
	}
	var kept []synth.Repair
	last := ""
	for _, a := range r.Repairs {
		files := map[string]string{}
		for _, f := range a.Files {
			files[f.Name] = f.Text
		}
		why, err := confirmed(ctx, q, files, rebuild)
		if err != nil {
			return err
		}
		if why == "" {
			kept = append(kept, a)
			continue
		}
		last = why
		r.Remarks = append(r.Remarks, "One repair is left out: "+why)
	}
	if len(r.Repairs) > 0 && len(kept) == 0 {
		r.Status, r.Reason, r.Minimal = solver.Unknown, last, false
	}
	if r.Repairs = kept; kept == nil {
		r.Repairs = []synth.Repair{}
	}
	return nil
}

// ConfirmAnswer compiles the program with the new orders again and asks about it. If it is not confirmed, the answer is
// unknown and changes nothing.
func ConfirmAnswer(ctx context.Context, q Question, a *Answer, rebuild Rebuild) error {
	if !isModule(q.Pairs[0]) || a.Status != solver.OK || len(a.Files) == 0 {
		return nil
	}
	why, err := confirmed(ctx, q, a.Files, rebuild)
	if err == nil && why != "" {
		a.Status, a.Reason, a.Files, a.Diff = solver.Unknown, why, nil, ""
	}
	return err
}
