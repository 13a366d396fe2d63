package lesson

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/testdiff"
)

// exercise reads an exercise's sections: task, test or model, goal, rules, hint, solution, why.
func (in *reading) exercise(f fence) {
	opts := in.options(f, "test")
	e := &Exercise{ID: in.name("exercise"), Pos: f.at, Classic: opts["test"]}
	in.more(f, e.ID, opts)
	in.lesson.Blocks = append(in.lesson.Blocks, e)
	files, _ := sections(f, "")
	if strings.TrimSpace(files[0].text) != "" {
		in.errorAt(f.line, 1, "got text before the first section: want -- task --")
	}
	seen := map[string]part{}
	for _, s := range files[1:] {
		if _, twice := seen[s.name]; twice && s.name != "hint" && s.name != "goal" {
			in.errorAt(s.line, 1, "there are two sections %s", s.name)
			continue
		}
		seen[s.name] = s
		switch s.name {
		case "task":
			e.Task = in.prose(s.text, s.line+1)
		case "test":
			e.Test = s.text
		case "model":
			e.Model = s.text
		case "hint":
			e.Hints = append(e.Hints, in.prose(s.text, s.line+1))
		case "solution":
			e.Solution = s.text
		case "why":
			e.Why = in.prose(s.text, s.line+1)
		case "rules":
			in.rules(&e.Rules, s)
		case "goal":
		default:
			in.errorAt(s.line, 1, "got a section %q, want one of task, test, model, goal, rules, hint, solution, why",
				litmus.Shorten(s.name))
		}
	}
	for _, name := range []string{"task", "goal", "rules", "solution"} {
		if _, ok := seen[name]; !ok {
			in.fail(f.at, "the exercise has no section -- %s --", name)
			return
		}
	}
	for _, s := range files[1:] {
		if s.name == "goal" {
			for i, line := range strings.Split(s.text, "\n") {
				pos := litmus.Pos{File: in.lesson.File, Line: s.line + 1 + i, Col: 1}
				if words, is := strings.CutPrefix(strings.TrimSpace(line), "cycle "); is && !e.Rules.Model {
					e.Cycle = strings.TrimSpace(words)
					continue
				}
				e.Goals = append(e.Goals, in.claims(pos, line, e.Rules.Model, true)...)
			}
		}
	}
	if len(e.Goals) == 0 && len(in.errs) == 0 {
		in.fail(f.at, "the exercise has no goal: tso forbidden")
	}
	in.start(e, f, seen)
}

// start checks the test or model that the reader begins with, and the solution.
func (in *reading) start(e *Exercise, f fence, seen map[string]part) {
	solution := seen["solution"]
	_, tested := seen["test"]
	if tested || e.Classic != "" || !e.Rules.Model {
		p := in.program(&e.Test, &e.Classic, f, seen["test"].line+1)
		if p == nil {
			return
		}
		e.Title, e.Arch = p.Name, p.Arch
		if !e.Rules.Model {
			after, err := dialect.Parse(in.lesson.File, e.Solution)
			if err != nil {
				in.shift(dialect.Errors(in.lesson.File, e.Solution), solution.line+1)
				return
			}
			did, err := testdiff.Of(context.Background(), p, after)
			if err != nil {
				in.shift(err, solution.line+1)
				return
			}
			for _, fault := range e.Rules.Faults(did) {
				in.errorAt(solution.line, 1, "the solution breaks the rules: %s", fault)
			}
			for _, name := range e.Rules.Threads {
				if !slices.ContainsFunc(p.Threads, func(t ir.Thread) bool { return fmt.Sprintf("P%d", t.ID) == name }) {
					in.fail(f.at, "the rules name %s, but the test has no such thread", name)
				}
			}
			if e.Cycle != "" {
				in.cycle(e, f, solution.line)
			}
		}
	}
	in.mapped(e)
	_, modelled := seen["model"]
	if modelled != e.Rules.Model {
		in.fail(f.at, "a section -- model -- and the rule “edit the model” go together")
		return
	}
	if e.Rules.Model {
		for _, g := range e.Goals {
			if g.Classic == "" && e.Test == "" {
				in.fail(g.Pos, "the goal names no test, and the exercise has no test")
			}
		}
		if !slices.ContainsFunc(e.Goals, func(g Claim) bool { return g.Model == Own }) {
			in.fail(f.at, "no goal is about the reader's model: want a goal that begins with %s", Own)
		}
		for _, fault := range e.Rules.ModelFaults(e.Solution) {
			in.errorAt(solution.line, 1, "the solution breaks the rules: %s", fault)
		}
		if _, err := models.Parse(in.lesson.File, e.Solution, dialect.Vocabulary()); err != nil {
			in.shift(err, solution.line+1)
		}
	} else if slices.ContainsFunc(e.Goals, func(g Claim) bool { return g.Classic != "" }) {
		in.fail(f.at, "goals are about the reader's test: only goals about a model name another test")
	}
}

// mapped checks that goals about a mapping have a test that the mapping can translate, at the start and in the
// solution.
func (in *reading) mapped(e *Exercise) {
	for _, g := range e.Goals {
		switch {
		case g.Property == Costs:
			in.fail(g.Pos, "the cost of a repair cannot be a goal: want a rule, insert at most 1 "+
				"fence, and a verdict")
		case g.Compiled == "":
		case g.Classic == "" && e.Rules.Model:
			in.compiled(g.Pos, e.Test, g.Compiled)
		case g.Classic != "":
			in.compiled(g.Pos, g.original(""), g.Compiled)
		default:
			for _, text := range []string{e.Test, e.Solution} {
				in.compiled(g.Pos, text, g.Compiled)
			}
		}
	}
}

// cycle checks that the solution has the exercise's cycle, and that the test at the start does not.
func (in *reading) cycle(e *Exercise, f fence, solution int) {
	wanted, err := cycle.ParseCycle(e.Arch, e.Cycle)
	if err != nil {
		in.fail(f.at, "the goal's cycle: %v", litmus.Errors(err)[0].Msg)
		return
	}
	of := func(text string) bool {
		t, err := litmus.Parse(in.lesson.File, text)
		return err == nil && wanted.IsOf(t)
	}
	if !of(e.Solution) {
		in.errorAt(solution, 1, "the solution's cycle is not %s", e.Cycle)
	}
	if of(e.Test) {
		in.fail(f.at, "the exercise already begins with the cycle %s", e.Cycle)
	}
}

var threadRule = litmus.Pattern(`^change (P[0-9]+)$`)

var rule = litmus.Pattern(
	`^(?:(insert) (?:at most ([0-9]+) )?(fences?|dependenc(?:y|ies))|(annotate) (?:at most ([0-9]+) )?access(?:es)?)$`)

// rules reads the lines of a section with rules. A line that is not a rule is a fault.
func (in *reading) rules(r *Rules, s part) {
	for i, line := range strings.Split(s.text, "\n") {
		line = strings.TrimSpace(line)
		m := rule().FindStringSubmatch(line)
		limit := func(text string) int {
			if n, err := strconv.Atoi(text); err == nil {
				return n
			}
			return -1
		}
		switch {
		case line == "":
			continue
		case line == "write a test":
			r.Anything = true
		case line == "edit the model":
			r.Model = true
		case line == "without includes":
			r.NoIncludes = true
		case line == "like the solution":
			r.Like = true
		case line == "change the condition":
			r.Condition = true
		case threadRule().MatchString(line):
			r.Threads = append(r.Threads, threadRule().FindStringSubmatch(line)[1])
		case m != nil && m[4] != "":
			r.Annotations = limit(m[5])
		case m != nil && strings.HasPrefix(m[3], "fence"):
			r.Fences = limit(m[2])
		case m != nil:
			r.Dependencies = limit(m[2])
		default:
			in.errorAt(s.line+1+i, 1, "got %q, want a rule: insert fences, insert at most 1 dependency, annotate "+
				"accesses, change the condition, change P1, write a test, edit the model, without includes, like "+
				"the solution", litmus.Shorten(line))
			continue
		}
		r.Text = append(r.Text, line)
	}
	if r.NoIncludes && !r.Model {
		in.errorAt(s.line, 1, "the rule “without includes” needs the rule “edit the model”")
	}
	if r.Like && !r.Model {
		in.errorAt(s.line, 1, "the rule “like the solution” needs the rule “edit the model”")
	}
	if len(r.Text) == 0 {
		in.errorAt(s.line, 1, "the exercise has no rule: want one, such as insert fences")
	}
}

// Faults returns what the rules forbid in an edit, one sentence each for the reader.
func (r *Rules) Faults(e *testdiff.Edit) []string {
	if r.Anything || r.Condition {
		if e.Quantifier != "" {
			return []string{
				fmt.Sprintf(
					"The condition now begins with %s: keep the word that it began with.",
					e.Quantifier),
			}
		}
	}
	if r.Anything {
		return nil
	}
	out := slices.Clone(e.Other)
	var fences, dependencies, annotations int
	for _, t := range e.Threads {
		if slices.Contains(r.Threads, t.Name) {
			continue
		}
		out = append(out, t.Other...)
		if t.Unsettled {
			out = append(out, fmt.Sprintf("%s has a loop, and you changed more there than fences and memory orders: "+
				"litmuscope cannot check that the loop still does the same.", t.Name))
		}
		fences, dependencies, annotations = fences+t.Fences, dependencies+t.Dependencies, annotations+t.Annotations
	}
	switch {
	case e.Condition && !r.Condition && e.Shows != "":
		out = append(out,
			fmt.Sprintf("The condition asks for a different outcome now: for %s it gives another answer.",
				strings.TrimSuffix(e.Shows, ";")))
	case e.Condition && !r.Condition:
		out = append(out, "The condition asks for a different outcome now.")
	case e.Condition && e.Never:
		out = append(out, "This condition can never be true: the test does not have its values.")
	case e.Condition && e.Always:
		out = append(out, "This condition is true for every outcome.")
	}
	for _, one := range []struct {
		did, most  int
		some, what string
	}{
		{fences, r.Fences, "A fence", "fence"},
		{dependencies, r.Dependencies, "A dependency", "dependency"},
		{annotations, r.Annotations, "The order of an access", "annotated access"},
	} {
		switch {
		case one.most < 0 || one.did <= one.most:
		case one.most == 0:
			verb := "is new"
			if one.what == "annotated access" {
				verb = "has changed"
			}
			out = append(out, fmt.Sprintf("%s %s, which this exercise does not ask for.", one.some, verb))
		default:
			out = append(out,
				fmt.Sprintf("You used %s; this exercise needs at most %d.", many(one.did, one.what), one.most))
		}
	}
	return out
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if base, ok := strings.CutSuffix(what, "y"); ok {
		return fmt.Sprintf("%d %sies", n, base)
	}
	if strings.HasSuffix(what, "ss") {
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
