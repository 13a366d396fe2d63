package catalogue_test

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
)

// Every exhibit has all that its page shows, and its programs are those in the folder.
func TestMuseum(t *testing.T) {
	var files []string
	for _, pattern := range []string{"programs/museum/*.c", "cpp/museum/*.cpp", "rust/museum/*.rs"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	all := catalogue.WholeMuseum()
	if c, m := len(catalogue.Museum()), len(catalogue.MuseumModels()); c != 14 || m != 11 {
		t.Errorf("%d exhibits in C under %d models", c, m)
	}
	in := map[catalogue.Language]int{}
	var mistakes []string
	var kinds []string
	for _, k := range catalogue.Mistakes() {
		kinds = append(kinds, k.Name)
	}
	for _, e := range all {
		if !slices.Contains(mistakes, e.Mistake) {
			mistakes = append(mistakes, e.Mistake)
		}
		for what, text := range map[string]string{
			"title": e.Title, "project": e.Project, "part": e.Part,
			"years": e.Years, "summary": e.Summary, "sure": e.Sure,
		} {
			if text == "" {
				t.Errorf("%s has no %s", e.Name, what)
			}
		}
		if len(e.Story) < 2 || len(e.Sources) == 0 {
			t.Errorf("%s: %d paragraphs, %d sources", e.Name, len(e.Story), len(e.Sources))
		}
		for _, s := range e.Sources {
			if u, err := url.Parse(s.URL); err != nil || u.Scheme != "https" || u.Host == "" {
				t.Errorf("%s: %q leads nowhere", e.Name, s.URL)
			}
		}
		if found, ok := catalogue.FindExhibit(e.Name); !ok || found.Title != e.Title {
			t.Errorf("%s cannot be found", e.Name)
		}
		in[e.Language]++
		asked := catalogue.CompiledModels()
		if !e.IsCompiled() {
			asked = catalogue.MuseumModels()
			if _, b, ok := e.Find(e.Drawn.Build); !ok || b.Under(e.Drawn.Model).Verdict != "unsafe" {
				t.Errorf("%s: what is drawn does not fail", e.Name)
			}
		}
		agreesWithC(t, e)
		for _, m := range asked {
			if e.Before().Under(m).Verdict == "" || e.After().Under(m).Verdict == "" {
				t.Errorf("%s: nothing is said of it under %s", e.Name, m)
			}
		}
		if !slices.ContainsFunc(e.Before().Known, func(k catalogue.Known) bool {
			return k.Verdict == "unsafe" && e.After().Under(k.Model).Verdict == "safe"
		}) {
			t.Errorf("%s: the fix mends nothing", e.Name)
		}
		for _, p := range e.Programs {
			files = slices.DeleteFunc(files, func(f string) bool { return f == p.Path })
			if !strings.HasSuffix(p.Note, ".") || !strings.HasSuffix(p.Shows, ".") {
				t.Errorf("%s: its note is %q, and it shows %q", p.Name, p.Note, p.Shows)
			}
			for _, b := range p.Builds {
				for _, d := range b.Defines {
					if !strings.Contains(p.Source, d) {
						t.Errorf("%s knows no %s", p.Name, d)
					}
				}
			}
		}
	}
	if !slices.Equal(mistakes, kinds) {
		t.Errorf("exhibits are of %q, and kinds of mistakes are %q", mistakes, kinds)
	}
	if len(files) > 0 {
		t.Errorf("neither in museum.txt nor in museum-compiled.txt: %v", files)
	}
	if in[catalogue.LanguageCPlusPlus] < 7 || in[catalogue.LanguageRust] < 4 {
		t.Errorf("exhibits by language: %v", in)
	}
}

// agreesWithC compares the verdicts on an exhibit in C++ or Rust with those on the same bug in C.
func agreesWithC(t *testing.T, e catalogue.Exhibit) {
	t.Helper()
	if e.Twin == "" {
		return
	}
	twin, ok := catalogue.FindExhibit(e.Twin)
	if !ok || twin.IsCompiled() {
		t.Errorf("%s: no exhibit %s in C", e.Name, e.Twin)
		return
	}
	for _, p := range e.Programs {
		for _, b := range p.Builds {
			_, c, ok := twin.Find(b.ID)
			if !ok {
				t.Errorf("%s: %s has no build %s", e.Name, e.Twin, b.ID)
			}
			for _, k := range b.Known {
				if in := c.Under(k.Model); in.Verdict != k.Verdict {
					t.Errorf("%s, %s under %s: %s, and in C %s", e.Name, b.ID, k.Model, k.Verdict, in.Verdict)
				}
			}
		}
	}
}

// modelWords are what a sentence says that speaks of a model, or of all of them.
var modelWords = regexp.MustCompile(
	`\b(SC|TSO|PSO|x86|RC11|C11|IMM|AArch64|Arm|RISC-V|Power|every model|everywhere|every machine|all models)\b|\bin C\b`)

// The table decides claims of a story about a model: no sentence names one that has no claim in it.
func TestStoriesAreHeld(t *testing.T) {
	// Sentences that name a machine and say nothing of verdicts.
	spoken := []string{
		"processes hung on Arm servers", "On Power a regression test hung",
	}
	for _, e := range catalogue.WholeMuseum() {
		for _, p := range e.Story {
			said, claims := "", false
			flush := func() {
				if modelWords.MatchString(said) && !claims &&
					!slices.ContainsFunc(spoken, func(s string) bool { return strings.Contains(said, s) }) {
					t.Errorf("%s says without a claim: %q", e.Name, strings.TrimSpace(said))
				}
				said, claims = "", false
			}
			for _, s := range p {
				if s.Claims != nil || s.Code {
					said, claims = said+s.Text, claims || s.Claims != nil
					continue
				}
				for i, part := range regexp.MustCompile(`[.?] `).Split(s.Text, -1) {
					if i > 0 {
						flush()
					}
					said += part
				}
			}
			flush()
		}
	}
}

// What a page shows of a build is a program of its own: nothing in it asks for the builds' macros, and a compiler takes
// it without a warning.
func TestBuildsOfTheMuseum(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no C compiler found")
	}
	dir := t.TempDir()
	kernel := "#define smp_wmb() __asm__ volatile(\"\" ::: \"memory\")\n"
	if err := os.WriteFile(filepath.Join(dir, "lkmm.h"), []byte(kernel), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, e := range catalogue.Museum() {
		if testing.Short() && i%4 != 0 {
			continue // each build starts a compiler
		}
		for _, p := range e.Programs {
			for _, b := range p.Builds {
				text := p.Resolved(b)
				if strings.Contains(text, "#if") || strings.Contains(text, "#e") || strings.Contains(text, "FIXED") {
					t.Errorf("%s, %s:\n%s", p.Name, b.ID, text)
				}
				cmd := exec.Command(gcc, "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter",
					"-Wno-unused-function", "-Werror", "-pthread", "-fsyntax-only", "-I", dir, "-x", "c", "-")
				cmd.Stdin = strings.NewReader(text)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s, %s: %v\n%s", p.Name, b.ID, err, out)
				}
				var whole []string
				for _, d := range b.Defines {
					whole = append(whole, "-D"+d)
				}
				if a, b := preprocessed(t, gcc, dir, p.Source, whole...), preprocessed(t, gcc, dir, text); a != b {
					t.Errorf("%s is another program than what is shown of it:\n%s\n%s", p.Name, a, b)
				}
				if strings.Contains(text, "lkmm.h") != strings.Contains(text, "smp_") {
					t.Errorf("%s, %s: it includes lkmm.h, or has something of it, and not both", p.Name, b.ID)
				}
			}
		}
	}
}

// preprocessed is a program after the preprocessor, line by line, without included files.
func preprocessed(t *testing.T, gcc, headers, text string, args ...string) string {
	t.Helper()
	cmd := exec.Command(gcc, append(args, "-E", "-P", "-nostdinc", "-I", headers, "-x", "c", "-")...)
	cmd.Stdin = strings.NewReader(regexp.MustCompile(`(?m)^#include.*`).ReplaceAllString(text, ""))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// Of every exhibit, what a fix takes away stands before what it puts there, and the numbers are those of the lines in
// either build.
func TestBesideIsInOrder(t *testing.T) {
	for _, e := range catalogue.WholeMuseum() {
		p := e.Programs[0]
		from, to := e.Before(), e.After()
		texts := [2][]string{}
		mark := ""
		for _, l := range p.SideBySide(from, to) {
			if l.Mark == "-" && mark == "+" {
				t.Errorf("%s: %q is taken away behind what is put there", e.Name, l.Text)
			}
			mark = l.Mark
			for side, n := range l.Numbers {
				if n > 0 {
					if texts[side] = append(texts[side], l.Text); len(texts[side]) != n {
						t.Errorf("%s: %q has the number %d, want %d", e.Name, l.Text, n, len(texts[side]))
					}
				}
			}
		}
		for side, b := range []catalogue.Build{from, to} {
			if text := p.Resolved(b); strings.Contains(text, "#if") || strings.Contains(text, "cfg(") {
				t.Errorf("%s, %s:\n%s", e.Name, b.ID, text)
			}
			if got, want := strings.Join(texts[side], "\n")+"\n", p.Resolved(b); got != want {
				t.Errorf("%s: side %d is\n%s\nwant\n%s", e.Name, side, got, want)
			}
		}
	}
}

// Beside marks what a fix adds and takes away, and nothing else.
func TestBeside(t *testing.T) {
	e, _ := catalogue.FindExhibit("dpdk-mcslock")
	var got []string
	for _, l := range e.Programs[0].SideBySide(e.Before(), e.After()) {
		if l.Mark != "" {
			got = append(got, l.Mark+strings.TrimSpace(l.Text))
		}
	}
	want := []string{
		"-atomic_store_explicit(&before->next, &newcomer, memory_order_relaxed);",
		"+atomic_store_explicit(&before->next, &newcomer, memory_order_release);",
		"-struct node *next = atomic_load_explicit(&holder.next, memory_order_relaxed);",
		"+struct node *next = atomic_load_explicit(&holder.next, memory_order_acquire);",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
