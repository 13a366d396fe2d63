package judge_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/question"
	"litmuscope/web/teaching/lesson"
)

// mutant is a test with something in it changed.
type mutant struct{ what, text string }

// parts takes a test apart: what is before its threads, the lines of those, and its condition.
func parts(text string) (head string, code []string, condition string) {
	lines := strings.SplitAfter(text, "\n")
	from, to := 0, len(lines)
	for i, l := range lines {
		if from == 0 && regexp.MustCompile(`^\s*P0\s*(\||\(|;)`).MatchString(l) {
			from = i
		}
		if regexp.MustCompile(`^(exists|forall|~exists)`).MatchString(l) {
			to = i
		}
	}
	return strings.Join(lines[:from], ""), lines[from:to], strings.Join(lines[to:], "")
}

var (
	number    = regexp.MustCompile(`\b\d+\b`)
	immediate = regexp.MustCompile(`(?:[$#]|\b(?:li \w+|cmpwi \w+),|, )\d+\b`)
	beginning = regexp.MustCompile(`=[a-z]\b`)
	accessing = regexp.MustCompile(`\[\w+\]|\(\w+\)$|\(a\d\)|ONCE|_explicit\(\w, |l[dw]\w* |st\w* `)
)

// mutants are all tests that come of one edit to a solution which no exercise in editing threads allows: another value,
// another location, an access less, more or in another place, another condition.
func mutants(x *lesson.Exercise) (out []mutant) {
	head, code, condition := parts(x.Solution)
	free := func(thread int) bool { return slices.Contains(x.Rules.Threads, fmt.Sprintf("P%d", thread)) }
	add := func(what, text string) {
		if text != x.Solution {
			out = append(out, mutant{what, text})
		}
	}
	all := strings.Join(code, "")
	// A value stands in the column of its thread.
	column := func(at int) int { return strings.Count(all[strings.LastIndexByte(all[:at], '\n')+1:at], "|") }
	each := func(re *regexp.Regexp, text, what string, to func(string) string, whole func(string) string) {
		for _, at := range re.FindAllStringIndex(text, -1) {
			if what == "value" && x.Arch != "C" && free(column(at[0])) {
				continue
			}
			was := text[at[0]:at[1]]
			now := to(was)
			add(fmt.Sprintf("%s: %s becomes %s", what, was, now), whole(text[:at[0]]+now+text[at[1]:]))
		}
	}
	more := func(s string) string { return number.ReplaceAllStringFunc(s, func(n string) string { return n + "3" }) }
	first := func(n string) string { return head + n + condition }
	each(immediate, all, "value", func(s string) string { return s[:len(s)-1] + "5" },
		func(s string) string { return head + s + condition })
	each(beginning, head, "start", func(s string) string {
		if s == "=x" {
			return "=y"
		}
		return "=x"
	}, func(s string) string { return s + all + condition })
	each(regexp.MustCompile(`[a-z]=\d+;`), head, "start", more, func(s string) string { return s + all + condition })
	if x.Cycle != "" || !x.Rules.Condition {
		each(regexp.MustCompile(`=\d+`), condition, "condition", more, func(s string) string { return head + all + s })
		each(regexp.MustCompile(`=\d+`), condition, "condition", func(s string) string { return "!" + s },
			func(s string) string { return head + all + s })
		each(regexp.MustCompile(`/\\`), condition, "condition", func(string) string { return `\/` },
			func(s string) string { return head + all + s })
		each(regexp.MustCompile(`/\\ [\w:]+=\d+`), condition, "condition", func(string) string { return "" },
			func(s string) string { return head + all + s })
		add("condition: forall", head+all+strings.Replace(condition, "exists", "forall", 1))
		add("condition: false", head+all+"exists (false)\n")
		add("condition: filter", head+all+"filter (false)\n"+condition)
	}
	for i, line := range code {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), ";"), "|")
		if x.Arch == "C" {
			if accessing.MatchString(line) && strings.Contains(line, "(*") || strings.Contains(line, "_explicit") {
				without := append(append([]string{}, code[:i]...), code[i+1:]...)
				add("without "+strings.TrimSpace(line), first(strings.Join(without, "")))
			}
			continue
		}
		for t, c := range cells {
			if i == 0 || free(t) || !accessing.MatchString(strings.TrimSpace(c)) {
				continue
			}
			with := func(text string) string {
				changed := append([]string{}, cells...)
				changed[t] = text
				return strings.Join(changed, " | ") + " ;\n"
			}
			label := ""
			if m := regexp.MustCompile(`^\s*\w+:`).FindString(c); m != "" {
				label = m
			}
			lines := append([]string{}, code...)
			lines[i] = with(" " + label + " ")
			add(fmt.Sprintf("without %s", strings.TrimSpace(c)), first(strings.Join(lines, "")))
			twice := append([]string{}, code[:i+1]...)
			empty := make([]string, len(cells))
			for k := range empty {
				empty[k] = " "
			}
			empty[t] = strings.TrimPrefix(strings.TrimSpace(c), strings.TrimSpace(label))
			twice = append(append(twice, strings.Join(empty, " | ")+" ;\n"), code[i+1:]...)
			add(fmt.Sprintf("twice %s", strings.TrimSpace(c)), first(strings.Join(twice, "")))
		}
	}
	return out
}

// Of a model: what a name can be mistaken for, and what an axiom can.
var (
	named = regexp.MustCompile(
		`\b(?:po-loc|po|rfe|rf|fre|fr|coe|co|com|rmw|ppo|fence|fences|locked|sync|lwsync|addr|data|ctrl|hb|prop|prop-base|strong)\b`)
	joined  = regexp.MustCompile(` (?:[|&;]|\\) `)
	claimed = regexp.MustCompile(`(?m)^(?:acyclic|irreflexive|empty)`)
)

// modelMutants are all models that come of one edit to a solution: a name, an operator or an axiom is another one, or
// is gone.
func modelMutants(text string) (out []mutant) {
	each := func(re *regexp.Regexp, to ...string) {
		for _, at := range re.FindAllStringIndex(text, -1) {
			for _, now := range to {
				if was := text[at[0]:at[1]]; was != now {
					out = append(out,
						mutant{fmt.Sprintf("%s at %d becomes %s", was, at[0], now), text[:at[0]] + now + text[at[1]:]})
				}
			}
		}
	}
	each(named, "0", "po", "rf")
	each(joined, " | ", " & ", " ; ")
	each(claimed, "acyclic", "irreflexive", "empty", "flag ~empty")
	for i, line := range strings.SplitAfter(text, "\n") {
		if i > 0 && line != "" {
			out = append(out, mutant{"without " + strings.TrimSpace(line), strings.Replace(text, line, "", 1)})
		}
	}
	return out
}

// asked are the models that are to be written in exercises, by lesson and exercise.
var asked = map[string]string{
	"writing-a-cat-model/exercise-1": "sc", "writing-a-cat-model/exercise-2": "tso",
	"writing-a-cat-model/exercise-3": "pso",
}

// No exercise is done by an edit of anything that it does not give into the reader's hands, and a sentence says why.
// Where all is in these hands, what an edit makes of the solution is taken only if every engine says that it is one,
// too; of a model that is to be a built-in one, what that says of all classic tests has to be so, too.
func TestJudgeOfEdits(t *testing.T) {
	asker := newAsker(t)
	tried, taken := 0, 0
	exercises(t, func(t *testing.T, x *lesson.Exercise) {
		free := x.Rules.Model || x.Rules.Anything
		edits := mutants
		if x.Rules.Model {
			edits = func(x *lesson.Exercise) []mutant { return modelMutants(x.Solution) }
		}
		for i, m := range edits(x) {
			if testing.Short() && i%10 > 0 {
				continue
			}
			tried++
			v, err := judge.Judge(t.Context(), asker, x, m.text)
			var badTest *question.BadTest
			var badModel *question.BadModel
			switch {
			case errors.As(err, &badTest), errors.As(err, &badModel): // which say where
			case err != nil:
				t.Errorf("%s: %v", m.what, err)
			case v.Met && !free:
				t.Errorf("%s passes:\n%s", m.what, m.text)
			case v.Met:
				taken++
				isSolution(t, x, m)
			case !strings.HasSuffix(v.Hint, ".") || strings.Contains(v.Hint, ". "):
				t.Errorf("%s: %q is no sentence", m.what, v.Hint)
			}
		}
	})
	t.Logf("%d edits, of which %d are solutions", tried, taken)
}

// isSolution holds that a text that was taken does an exercise.
func isSolution(t *testing.T, x *lesson.Exercise, m mutant) {
	t.Helper()
	solved := *x
	solved.Solution = m.text
	l := &lesson.Lesson{Blocks: []lesson.Block{&solved}}
	faults, err := lesson.CheckClaims(t.Context(), engines.Local{}, l, true)
	if err != nil || len(faults) > 0 {
		t.Errorf("%s passes, and %v, %v:\n%s", m.what, faults, err, m.text)
	}
	name, isAsked := asked[strings.TrimPrefix(t.Name(), "TestJudgeOfEdits/")]
	if !isAsked {
		return
	}
	for _, e := range catalogue.All() {
		if e.Arch != "X86" {
			continue
		}
		verdict := func(task solver.Task) solver.Verdict {
			task.Path, task.Source, task.Options = e.ID(), e.Source, solver.DefaultOptions()
			r, err := solver.Ask(t.Context(), engines.Local{}, task)
			if err != nil {
				t.Fatal(err)
			}
			return r.Verdict
		}
		if own, is := verdict(solver.Task{Model: lesson.Own, ModelText: m.text}),
			verdict(solver.Task{Model: name}); own != is && own != solver.Undecided {
			// of loops without end, a user's model has no verdict at times
			t.Errorf("%s passes, and says that %s is %s, where %s says that it is %s:\n%s", m.what, e.ID(),
				own, name, is, m.text)
		}
	}
}
