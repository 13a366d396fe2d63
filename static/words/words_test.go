package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the path of the repository, relative to the folder of this package.
const root = "../.."

func TestWords(t *testing.T) {
	texts, err := collect(root)
	if err != nil {
		t.Fatal(err)
	}
	got := list(texts)
	want, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	before, after := bytes.Split(want, []byte("\n")), strings.Split(got, "\n")
	for i := range min(len(before), len(after)) {
		if string(before[i]) != after[i] {
			t.Fatalf("words.txt:%d has\n%s\nand the program\n%s\nrun: ./task words", i+1, before[i], after[i])
		}
	}
	t.Fatalf("words.txt has %d lines, the program %d: run ./task words", len(before), len(after))
}

// rule is a pattern that plain texts do not match, with advice. An occurrence inside a match of allow is right. The
// rule does not apply to files whose paths begin with one of skip.
type rule struct {
	pattern *regexp.Regexp
	instead string
	allow   []*regexp.Regexp
	skip    []string
}

// readRules reads rules.txt, whose first lines explain its form.
func readRules(t *testing.T) (rules []rule) {
	t.Helper()
	text, err := os.ReadFile("rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		first, rest, ok := strings.Cut(strings.TrimPrefix(line, "\t"), "\t")
		last := len(rules) - 1
		switch {
		case !ok:
			t.Fatalf("%q: want two fields with a tab between them", line)
		case line[0] != '\t':
			rules = append(rules, rule{pattern: regexp.MustCompile(first), instead: rest})
		case last >= 0 && first == "allow":
			rules[last].allow = append(rules[last].allow, regexp.MustCompile(rest))
		case last >= 0 && first == "skip":
			rules[last].skip = append(rules[last].skip, strings.Fields(rest)...)
		default:
			t.Fatalf("%q: want allow or skip below a rule", line)
		}
	}
	return rules
}

// breach returns the first part of a text that breaks the rule, or "".
func (r rule) breach(path, text string) string {
	for _, prefix := range r.skip {
		if strings.HasPrefix(path, prefix) {
			return ""
		}
	}
	var right [][]int
	for _, a := range r.allow {
		right = append(right, a.FindAllStringIndex(text, -1)...)
	}
	for _, at := range r.pattern.FindAllStringIndex(text, -1) {
		if !slices.ContainsFunc(right, func(x []int) bool { return x[0] <= at[0] && at[1] <= x[1] }) {
			return text[at[0]:at[1]]
		}
	}
	return ""
}

// TestRulesCatch checks that the rules match sentences that the program once contained.
func TestRulesCatch(t *testing.T) {
	rules := readRules(t)
	for _, sentence := range []string{
		"What is done with what visitors send in other processes than the server's.",
		"there is none weaker",
		"Were these steps kept, it would be against observation.",
		"Hold it against itself without one of its axioms",
		"May a small concurrent program end like that?",
		"Take away",
		"How a picture is come to",
		"nothing is needed",
		"Terms are what questions of both kinds have to be had.",
		"The final state is allowed under TSO.",
		"TSO gives the result allowed for SB.",
		"Every allowed run has this outcome.",
		"Each memory operation is an event.",
		"The picture shows two nodes of the execution graph.",
		"Remove the arrow from a to b.",
		"There is a relationship between the two events.",
		"The outcome breaks a constraint of the model.",
		"The engine returns a counterexample.",
		"Choose a consistency model.",
		"The backend answers the question.",
		"Raise the limit on loops.",
		"The store waits in the write buffer.",
		"The write order of x decides.",
		"Both loads are in instruction order.",
		"The runner is told what to do.",
	} {
		caught := false
		for _, r := range rules {
			caught = caught || r.breach("", sentence) != ""
		}
		if !caught {
			t.Errorf("no rule is against %q", sentence)
		}
	}
}

// TestAllowed checks that allowed phrases and skipped files excuse an occurrence, and that they excuse no other one.
func TestAllowed(t *testing.T) {
	r := rule{
		pattern: regexp.MustCompile(`\barrows?\b`),
		allow:   []*regexp.Regexp{regexp.MustCompile(`\barrow keys?\b`)},
		skip:    []string{"web/lessons/"},
	}
	for _, test := range []struct{ path, text, want string }{
		{"a.go", "The arrow keys move the picture.", ""},
		{"a.go", "The arrow keys move along the arrows.", "arrows"},
		{"web/lessons/1.md", "The arrows form a cycle.", ""},
		{"web/lesson.go", "The arrows form a cycle.", "arrows"},
	} {
		if got := r.breach(test.path, test.text); got != test.want {
			t.Errorf("%s: %q: found %q, want %q", test.path, test.text, got, test.want)
		}
	}
}

// TestProse checks that no rule matches the program's texts, documents, lessons and the comments of Go code that a
// person writes.
func TestProse(t *testing.T) {
	rules := readRules(t)
	check := func(path string, line int, text string) {
		for _, r := range rules {
			if found := r.breach(path, text); found != "" {
				t.Errorf("%s:%d: %q: %s\n\t%s", path, line, found, r.instead, text)
			}
		}
	}
	texts, err := collect(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range texts {
		if name := strings.HasPrefix(x.words, ":"); !name && !strings.HasPrefix(x.words, ">") {
			check(x.path, x.line, x.words)
		}
	}
	for _, pattern := range []string{
		"*.md", "static/docs/*.md", "static/docs/results/*.md", "web/teaching/lesson/lessons/*.md",
	} {
		documents, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range documents {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			code, n := false, 0
			for line := range strings.Lines(string(text)) {
				n++
				if strings.HasPrefix(strings.TrimSpace(line), "```") {
					code = !code
				} else if !code {
					check(strings.TrimPrefix(path, root+"/"), n, strings.TrimSpace(line))
				}
			}
		}
	}
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil || ast.IsGenerated(f) {
			return err
		}
		for _, c := range f.Comments {
			text := strings.Join(strings.Fields(c.Text()), " ")
			check(strings.TrimPrefix(path, root+"/"), files.Position(c.Pos()).Line, text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
