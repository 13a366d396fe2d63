package cprog_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
)

// mutilate changes a program in a few places: it omits, doubles, exchanges or replaces words, or cuts off the rest.
func mutilate(r *rand.Rand, text string) string {
	if r.IntN(4) == 0 {
		return text[:r.IntN(len(text))]
	}
	words := tokens(text)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(words))
		switch r.IntN(6) {
		case 0:
			words[i] = ""
		case 1:
			words[i] += words[i]
		case 2:
			j := r.IntN(len(words))
			words[i], words[j] = words[j], words[i]
		case 3:
			words[i] = []string{
				"(", ")", "{", "}", ";", "*", "&", "0", "-1", "99999999999999999999", "int", "struct", "void", "while",
				"goto", "\"", "'",
				"/*", "#", "#if 1\n", "\x00", "\xff", "sizeof", "return", "->", "[", "]", "==", "1.5", "static", "case",
			}[r.IntN(31)]
		case 4:
			words[i] = words[r.IntN(len(words))]
		case 5:
			words[i] = strings.Repeat(words[i], 50)
		}
	}
	return strings.Join(words, "")
}

// tokens splits a text into words, and what is between them.
func tokens(text string) []string {
	var out []string
	letter := func(c byte) bool { return c == '_' || c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'z' }
	for i := 0; i < len(text); {
		j := i + 1
		for letter(text[i]) && j < len(text) && letter(text[j]) {
			j++
		}
		out = append(out, text[i:j])
		i = j
	}
	return out
}

// survives holds what becomes of a text to what every text deserves: a program, or an error with a place; it ends after
// a cancellation.
func survives(t *testing.T, name, text string, s cprog.Source) (failed bool) {
	t.Helper()
	s.Files = []cprog.File{{Name: name, Text: text}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	p, err := func() (p *ir.Program, err error) {
		defer func() {
			if r := recover(); r != nil {
				t.Errorf("%s: panic: %v\n%s", name, r, text)
			}
		}()
		return cprog.Lower(ctx, s,
			cprog.Options{Unroll: 1, Properties: []ir.Property{ir.Assertion, ir.Memory}, Target: cprog.Generic})
	}()
	var one *litmus.Error
	var all litmus.ErrorList
	switch {
	case err == nil && p != nil:
		return false
	case err == nil, t.Failed():
	case errors.Is(err, context.DeadlineExceeded): // some loop in it has no end
	case errors.As(err, &one) && one.Pos.Line > 0 && one.Pos.File != "" && one.Msg != "":
	case errors.As(err, &all) && len(all) > 0 && all[0].Pos.Line > 0 && all[0].Pos.File != "" && all[0].Msg != "":
	default:
		t.Errorf("%s: an error without a place: %v\n%s", name, err, text)
	}
	return true
}

// Mutilated programs are an error at their place, or parse; none is a crash or takes long.
func TestMutilatedPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 300))
	programs, refused, all := catalogue.Programs(), 0, 300
	if testing.Short() {
		all = 60
	}
	for i := range all {
		p := programs[i%len(programs)]
		var defines []string
		if len(p.Builds) > 0 {
			defines = p.Builds[r.IntN(len(p.Builds))].Defines
		}
		if survives(t, p.File(), mutilate(r, p.Source), cprog.Source{Defines: defines}) {
			refused++
		}
	}
	if refused < all/2 {
		t.Errorf("only %d of %d mutilated programs are refused", refused, all)
	}
}

// The same of every program of the corpus, each cut at a random place.
func TestCutCorpus(t *testing.T) {
	corpus := os.Getenv("LITMUSCOPE_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	root := filepath.Join(corpus, "programs")
	if _, err := os.Stat(root); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no corpus of programs: LITMUSCOPE_CORPUS says where it is")
		}
		t.Skip("there is no corpus of programs: LITMUSCOPE_CORPUS says where it is")
	}
	r := rand.New(rand.NewPCG(13, 1))
	suites, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, suite := range suites {
		folder := os.DirFS(filepath.Join(root, suite.Name()))
		err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(name) != ".c" {
				return err
			}
			if seen++; testing.Short() && seen%12 != 0 {
				return nil
			}
			text, err := fs.ReadFile(folder, name)
			if err == nil && len(text) > 0 {
				survives(t, name, string(text[:r.IntN(len(text))]),
					cprog.Source{Include: folder, Dirs: []string{"include"}})
			}
			return err
		})
		if err != nil && suite.IsDir() {
			t.Error(err)
		}
	}
}

// A file that ends too early gets an error there.
func TestEndsTooSoon(t *testing.T) {
	for _, text := range []string{
		"int *", "int x;\nvoid *f(void *", "int a[static const", "struct s {\n\tint *",
		"int main(void)\n{", "int f(", "/* open", "#if 1\nint x;",
	} {
		if !survives(t, "short.c", text, cprog.Source{}) {
			t.Errorf("%q is taken for a program", text)
		}
	}
	_, err := cprog.Lower(t.Context(),
		cprog.Source{Files: []cprog.File{{Name: "short.c", Text: "int x;\nvoid *f(void *"}}},
		cprog.Options{Target: cprog.Generic})
	if err == nil || !strings.HasPrefix(err.Error(), "short.c:2:15: the file ends unexpectedly") {
		t.Errorf("got %v, want the end of the file", err)
	}
}
