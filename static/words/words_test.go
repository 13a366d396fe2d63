package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
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

// rule is a pattern that plain texts do not match, with advice.
type rule struct {
	pattern *regexp.Regexp
	instead string
}

func readRules(t *testing.T) (rules []rule) {
	t.Helper()
	text, err := os.ReadFile("rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		pattern, instead, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("%q: want a pattern, a tab, and what to write", line)
		}
		rules = append(rules, rule{regexp.MustCompile(pattern), instead})
	}
	return rules
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
	} {
		caught := false
		for _, r := range rules {
			caught = caught || r.pattern.MatchString(sentence)
		}
		if !caught {
			t.Errorf("no rule is against %q", sentence)
		}
	}
}

// TestProse checks that no rule matches the program's texts, documents, lessons and package comments.
func TestProse(t *testing.T) {
	rules := readRules(t)
	check := func(place, text string) {
		for _, r := range rules {
			if found := r.pattern.FindString(text); found != "" {
				t.Errorf("%s: %q: %s\n\t%s", place, found, r.instead, text)
			}
		}
	}
	texts, err := collect(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range texts {
		if name := strings.HasPrefix(x.words, ":"); !name && !strings.HasPrefix(x.words, ">") {
			check(fmt.Sprintf("%s:%d", x.path, x.line), x.words)
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
					check(fmt.Sprintf("%s:%d", strings.TrimPrefix(path, root+"/"), n), strings.TrimSpace(line))
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
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err == nil && f.Doc != nil {
			check(strings.TrimPrefix(path, root+"/"), strings.Join(strings.Fields(f.Doc.Text()), " "))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
