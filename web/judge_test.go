package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/glossary"
	"litmuscope/web/lesson"
	"litmuscope/web/webtest"
)

// judged has the server judge a try.
func judged(t *testing.T, h http.Handler, slug, exercise, text string) (met bool, body string) {
	t.Helper()
	body = post(h, "/learn/check", tryAt(slug, exercise, text), false).Body.String()
	return strings.Contains(body, "data-met"), body
}

var (
	faultsOf = regexp.MustCompile(`(?s)<ul class="faults">(.*?)</ul>`)
	faultOf  = regexp.MustCompile(`(?s)<li>(.*?)</li>`)
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

// mutants are all tests that come of one edit to a solution which no exercise in editing threads allows: another value, another
// location, an access less, more or in another place, another condition.
func mutants(x *lesson.Exercise) (out []mutant) {
	head, code, condition := parts(x.Solution)
	add := func(what, text string) {
		if text != x.Solution {
			out = append(out, mutant{what, text})
		}
	}
	all := strings.Join(code, "")
	each := func(re *regexp.Regexp, text, what string, to func(string) string, whole func(string) string) {
		for _, at := range re.FindAllStringIndex(text, -1) {
			was := text[at[0]:at[1]]
			now := to(was)
			add(fmt.Sprintf("%s: %s becomes %s", what, was, now), whole(text[:at[0]]+now+text[at[1]:]))
		}
	}
	more := func(s string) string { return number.ReplaceAllStringFunc(s, func(n string) string { return n + "3" }) }
	first := func(n string) string { return head + n + condition }
	each(immediate, all, "value", func(s string) string { return s[:len(s)-1] + "5" }, func(s string) string { return head + s + condition })
	each(beginning, head, "start", func(s string) string {
		if s == "=x" {
			return "=y"
		}
		return "=x"
	}, func(s string) string { return s + all + condition })
	each(regexp.MustCompile(`[a-z]=\d+;`), head, "start", more, func(s string) string { return s + all + condition })
	if x.Cycle != "" || !x.Rules.Condition {
		each(regexp.MustCompile(`=\d+`), condition, "condition", more, func(s string) string { return head + all + s })
		each(regexp.MustCompile(`=\d+`), condition, "condition", func(s string) string { return "!" + s }, func(s string) string { return head + all + s })
		each(regexp.MustCompile(`/\\`), condition, "condition", func(string) string { return `\/` }, func(s string) string { return head + all + s })
		each(regexp.MustCompile(`/\\ [\w:]+=\d+`), condition, "condition", func(string) string { return "" }, func(s string) string { return head + all + s })
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
			if i == 0 || !accessing.MatchString(strings.TrimSpace(c)) {
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

// No exercise in editing a test is done by an edit of anything that it does not give into the reader's hands, and who tries is told why
// in a sentence.
func TestJudgeOfEdits(t *testing.T) {
	config := webtest.TestConfig(engines.Local{})
	config.Limits.Rate = 0
	h, err := web.New(config)
	if err != nil {
		t.Fatal(err)
	}
	library, err := lesson.NewLibrary("", glossary.LessonTerms())
	if err != nil {
		t.Fatal(err)
	}
	lessons, _ := library.All()
	tried := 0
	for _, l := range lessons {
		for _, b := range l.Blocks {
			x, ok := b.(*lesson.Exercise)
			if !ok || x.Rules.Model || x.Rules.Anything || len(x.Rules.Threads) > 0 {
				continue
			}
			t.Run(l.Slug+"/"+x.ID, func(t *testing.T) {
				if met, body := judged(t, h, l.Slug, x.ID, x.Solution); !met {
					t.Fatalf("the solution is not taken: %s", body)
				}
				for _, m := range mutants(x) {
					tried++
					met, body := judged(t, h, l.Slug, x.ID, m.text)
					if met {
						t.Errorf("%s passes:\n%s", m.what, m.text)
					}
					for _, list := range faultsOf.FindAllStringSubmatch(body, -1) {
						for _, f := range faultOf.FindAllStringSubmatch(list[1], -1) {
							if !strings.HasSuffix(f[1], ".") || strings.Count(f[1], ". ") > 0 {
								t.Errorf("%s: %q is no sentence", m.what, f[1])
							}
						}
					}
				}
			})
		}
	}
	t.Logf("%d edits", tried)
}
