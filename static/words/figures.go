package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A figure measures how easily one kind of text reads. A sentence here has at least four words.
type figure struct {
	sentences, words int
	long             int // sentences of more than 25 words
	passive          int // sentences with a form of "be" before a past participle
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?:;]["')]*(\s+|$)`)
	participle  = regexp.MustCompile(`(?i)\b(is|are|was|were|be|been|being)\s+(not\s+|never\s+|[a-z]+ly\s+)?` +
		`([a-z]+ed|[a-z]+wn|[a-z]+ken|[a-z]+tten|made|said|told|held|kept|had|left|put|set|read|done|gone|come|found|` +
		`sent|built|bound|run|cut|lost|met|seen|drawn|given|begun|meant|thought|brought|sought)\b`)
)

// add counts the sentences of a text. Semicolons and colons end a sentence, as a reader pauses there.
func (f *figure) add(text string) {
	for _, s := range sentenceEnd.Split(strings.ReplaceAll(text, "\n", " "), -1) {
		n := len(strings.Fields(s))
		if n < 4 {
			continue
		}
		f.sentences++
		f.words += n
		if n > 25 {
			f.long++
		}
		if participle.MatchString(s) {
			f.passive++
		}
	}
}

// String returns the figure as a row of the table.
func (f *figure) String() string {
	n := float64(max(f.sentences, 1))
	return fmt.Sprintf("%7d %6.1f %6.1f %% %6.1f %%",
		f.sentences, float64(f.words)/n, 100*float64(f.long)/n, 100*float64(f.passive)/n)
}

// figures returns a table of the sentences below root: how many there are, how long they are, and how many are in the
// passive voice. The texts of the program, documents and lessons, and comments of Go code have rows of their own.
func figures(root string) (string, error) {
	var program, documents, packages, comments figure
	texts, err := collect(root)
	if err != nil {
		return "", err
	}
	for _, t := range texts {
		program.add(t.words)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && path != root
			if hidden || slices.Contains(noTexts, d.Name()) && d.Name() != "words" {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case strings.HasSuffix(path, ".md"):
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, p := range paragraphs(string(source)) {
				documents.add(p)
			}
		case strings.HasSuffix(path, "_templ.go"), strings.HasSuffix(path, "_test.go"):
		case strings.HasSuffix(path, ".go"):
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			for _, c := range f.Comments {
				if c == f.Doc {
					packages.add(c.Text())
				} else if !ast.IsGenerated(f) {
					comments.add(c.Text())
				}
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`                        sentences  words   > 25    passive
texts of the program    %v
documents and lessons   %v
package comments        %v
other comments          %v
`, &program, &documents, &packages, &comments), nil
}

// paragraphs returns the prose of a Markdown document, without code, tables and headings.
func paragraphs(source string) (all []string) {
	code, paragraph := false, ""
	for line := range strings.Lines(source + "\n\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#"):
		case line == "" || strings.HasPrefix(line, "- "):
			all = append(all, paragraph)
			paragraph = strings.TrimPrefix(line, "- ")
		default:
			paragraph += " " + line
		}
	}
	return append(all, paragraph)
}
