package mappingcheck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus/compile"
	"litmuscope/models"
	"litmuscope/solver"
)

// Verdict says what a test tells of a mapping.
type Verdict string

// The verdicts.
const (
	Right     Verdict = "right"     // the language allows all that the architecture does
	Wrong     Verdict = "wrong"     // the architecture allows what the language does not
	Undefined Verdict = "undefined" // the test's behaviour is undefined: any translation is correct
	Unknown   Verdict = "unknown"
)

// Question is a test, and its translation.
type Question struct {
	Source   solver.Task   // the test in C or OpenCL, with the model to hold the mapping to, or none for its own
	Compiled *compile.Test // by litmus/compile
	Model    string        // the architecture's; "" for its own
	// Language is what the language's model has said of the source already; nil without one.
	Language *solver.Result
}

// Checked is the answer.
type Checked struct {
	Verdict Verdict `json:"verdict" enum:"right,wrong,undefined,unknown" doc:"right: the language allows every outcome that the architecture allows; wrong: it does not; undefined: the test has undefined behaviour"`
	// Language and Architecture are the two results.
	Language     *solver.Result `json:"language" doc:"the result of the source"`
	Architecture *solver.Result `json:"architecture" doc:"the result of the compiled test"`
	// Unsound is what the architecture allows, and the language does not, in the source's words.
	Unsound []solver.
		State `json:"more,omitempty" doc:"states that the architecture allows and the language forbids, with the names of the source's local variables"`
	// Undefined: the architecture gives the compiled test no meaning, and the language gives the source one.
	Undefined bool `json:"undefined,omitempty" doc:"the compiled test has undefined behaviour, and the source has none"`
	// OutOfThinAir: there would be no undefined behaviour if the architecture forbade values out of thin air.
	OutOfThinAir bool `json:"out_of_thin_air,omitempty" doc:"the compiled test's behaviour is undefined only because of values out of thin air, which the architecture's model does not forbid"`
	// Axiom is one without which the language's model allows all of it; "" where there is
	// none, or nothing to allow.
	Axiom  string `json:"axiom,omitempty" doc:"the only axiom of the language's model that forbids these states"`
	Reason string `json:"reason,omitempty" doc:"why the verdict is unknown"`
}

// Check answers a question. The error is the runner's.
func Check(ctx context.Context, r solver.Runner, q Question) (*Checked, error) {
	c := &Checked{Language: q.Language}
	target := solver.Task{
		Path: q.Source.Path, Source: q.Compiled.Text, Model: q.Model, Engine: q.Source.Engine,
		Options: q.Source.Options,
	}
	var err error
	if c.Language == nil {
		if c.Language, err = solver.Ask(ctx, r, q.Source); err != nil {
			return nil, err
		}
	}
	if c.Architecture, err = solver.Ask(ctx, r, target); err != nil {
		return nil, err
	}
	for _, side := range []*solver.Result{c.Language, c.Architecture} {
		if side.Status == solver.Failed {
			c.Verdict, c.Reason = Unknown, side.Error
			return c, nil
		}
	}
	if undefined(c.Language) == solver.Yes {
		c.Verdict = Undefined
		return c, nil
	}
	allowed := stateSet(c.Language)
	for _, s := range c.Architecture.States {
		if s = translated(s, q.Compiled.Names); !allowed[key(s)] {
			c.Unsound = append(c.Unsound, s)
		}
	}
	switch racy := undefined(c.Architecture); {
	case racy == solver.Yes && undefined(c.Language) == solver.No:
		c.Verdict, c.Unsound, c.Undefined = Wrong, nil, true
		c.OutOfThinAir, err = c.onlyOutOfThinAir(ctx, r, target, q.Compiled.Names)
		return c, err
	case len(c.Unsound) > 0 && whole(c.Language):
		c.Verdict = Wrong
		c.Axiom, err = c.without(ctx, r, q.Source)
		return c, err
	case len(c.Unsound) > 0:
		c.Unsound = nil
		c.Verdict, c.Reason = Unknown, unfinished(c.Language)
	case !whole(c.Architecture):
		c.Verdict, c.Reason = Unknown, unfinished(c.Architecture)
	case undefined(c.Language) == solver.Open:
		c.Verdict, c.Reason = Unknown, "the test may have undefined behaviour"
	case racy != solver.No:
		c.Verdict, c.Reason = Unknown, "the compiled test may have undefined behaviour"
	default:
		c.Verdict = Right
	}
	return c, nil
}

// undefined reports whether some allowed execution has undefined behaviour. In OpenCL and Vulkan a data race is, whose
// models flag it, and give values to the reads even so.
func undefined(r *solver.Result) solver.Truth {
	out := r.Undefined()
	if r.Arch != "OPENCL" && r.Arch != "VULKAN" {
		return out
	}
	for _, f := range r.Flags {
		switch {
		case f.Raised == nil:
			out = solver.Open
		case *f.Raised:
			return solver.Yes
		}
	}
	return out
}

// onlyOutOfThinAir reports whether the compiled test has a meaning, and no outcome that the language forbids, if no
// value depends on itself. Vulkan's model has no axiom against that.
func (c *Checked) onlyOutOfThinAir(
	ctx context.Context, r solver.Runner, target solver.Task, names map[string]compile.Local,
) (bool, error) {
	if m := c.Architecture.Model; !models.IsBuiltIn(m) || target.ModelText != "" {
		return false, nil
	}
	target.ModelText = fmt.Sprintf("include %q\nacyclic rf | addr | data | ctrl as no-thin-air\n",
		c.Architecture.Model+".cat")
	target.Model = c.Architecture.Model + "+no-thin-air"
	again, err := solver.Ask(ctx, r, target)
	if err != nil {
		return false, err
	}
	allowed := stateSet(c.Language)
	more := func(s solver.State) bool { return !allowed[key(translated(s, names))] }
	return whole(again) && undefined(again) == solver.No && !slices.ContainsFunc(again.States, more), nil
}

// whole reports whether a result has all states that there are.
func whole(r *solver.Result) bool {
	return r.Status == solver.OK && (r.StatesComplete == nil || *r.StatesComplete) && (r.Complete || r.SettledBy != "")
}

func unfinished(r *solver.Result) string {
	switch {
	case r.Reason != "":
		return r.Model + ": " + r.Reason
	case !r.Complete && r.SettledBy == "":
		return r.Model + ": a bound may hide outcomes"
	}
	return r.Model + ": not all states are listed"
}

// translated is a state of the compiled test in the words of its source.
func translated(s solver.State, names map[string]compile.Local) solver.State {
	var out solver.State
	for _, b := range s {
		if l, ok := names[b.Name]; ok {
			b = solver.Binding{Name: l.Name, Value: l.Value(b.Value)}
		}
		out = append(out, b)
	}
	return out
}

func stateSet(r *solver.Result) map[string]bool {
	out := map[string]bool{}
	for _, s := range r.States {
		out[key(s)] = true
	}
	return out
}

// key is a state, whatever the order of its parts.
func key(s solver.State) string {
	all := map[string]string{}
	for _, b := range s {
		all[b.Name] = b.Value
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		words = append(words, name+"="+all[name]+";")
	}
	return strings.Join(words, " ")
}

// without finds the axiom that alone has the language forbid what is more.
func (c *Checked) without(ctx context.Context, r solver.Runner, source solver.Task) (string, error) {
	m, err := models.Named(c.Language.Model)
	if err != nil {
		return "", nil //nolint:nilerr // a model of the user's own: the check says nothing of its axioms
	}
	for _, a := range m.Axioms {
		source.Model = c.Language.Model + "~" + a.Name
		weaker, err := solver.Ask(ctx, r, source)
		if err != nil {
			return "", err
		}
		allowed := stateSet(weaker)
		if weaker.Status == solver.OK &&
			!slices.ContainsFunc(c.Unsound, func(s solver.State) bool { return !allowed[key(s)] }) {
			return a.Name, nil
		}
	}
	return "", nil
}

// Text is the verdict in words.
func (c *Checked) Text() string { return c.Words(asNamed) }

func asNamed(model string) string { return model }

// Words is Text, with models called as label has it.
func (c *Checked) Words(label func(model string) string) string {
	return c.WordsOn("the mapping", label)
}

// WordsOn is Words about another subject than the mapping, such as "the compiled code".
func (c *Checked) WordsOn(subject string, label func(model string) string) string {
	language, architecture := label(c.Language.Model), label(c.Architecture.Model)
	switch c.Verdict {
	case Wrong:
		if c.Undefined {
			text := fmt.Sprintf("undefined behaviour under %s, none under %s: %s is wrong", architecture, language,
				subject)
			if c.OutOfThinAir {
				text += fmt.Sprintf(" (only by values out of thin air, which %s does not forbid)", architecture)
			}
			return text
		}
		text := fmt.Sprintf("allowed by %s, not by %s: %s is wrong", architecture, language, subject)
		if c.Axiom != "" {
			text += fmt.Sprintf(" (only the axiom %[2]s of %[1]s forbids it)", language, c.Axiom)
		}
		return text
	case Undefined:
		return fmt.Sprintf("the test's behaviour is undefined under %s: any compilation is right", language)
	case Unknown:
		return "unknown: " + c.Reason
	}
	if len(c.Architecture.States) < len(c.Language.States) {
		return fmt.Sprintf("right for this test: %s allows every outcome that %s allows, and more", language,
			architecture)
	}
	return fmt.Sprintf("right for this test: %s allows every outcome that %s allows", language, architecture)
}

// Hint says which variant of the architecture's mapping helps where one does; "" otherwise.
func (c *Checked) Hint(made *compile.Test) string { return c.HintWords(made, asNamed) }

// HintWords is Hint, with models called as label has it.
func (c *Checked) HintWords(made *compile.Test, label func(model string) string) string {
	a, err := compile.Find(made.Arch)
	if err != nil || c.Axiom != "no-thin-air" || slices.Contains(strings.Split(made.Variant, "+"), compile.Branches) ||
		!slices.ContainsFunc(a.Variants, func(v compile.Variant) bool { return v.Name == compile.Branches }) {
		return ""
	}
	return fmt.Sprintf(
		"compilers move a relaxed load after a later store, which %s forbids; the variant %s prevents that",
		label(c.Language.Model), compile.Branches)
}
