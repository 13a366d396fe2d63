package catalogue

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Program is a small C program from the literature, with its known verdicts.
type Program struct {
	Name      string  `json:"name"`
	Family    string  `json:"family" doc:"the kind of program, such as a lock"`
	Note      string  `json:"note" doc:"a description in one line"`
	Source    string  `json:"source" doc:"the text of the program"`
	Published string  `json:"published" doc:"where"`
	Builds    []Build `json:"builds" doc:"the ways to build it, with the known verdicts"`
}

// Build is a program with some macros defined, and the verdicts for it.
type Build struct {
	ID      string   `json:"id,omitempty" doc:"its name in the museum"`
	Label   string   `json:"label,omitempty" doc:"its description"`
	Target  string   `json:"target,omitempty" doc:"the target of its atomics, if not the default"`
	Defines []string `json:"defines" doc:"defined macros, such as FENCES"`
	Unroll  int      `json:"unroll,omitempty" doc:"the bound on loop iterations of the verdicts; 0: any bound"`
	Large   bool     `json:"large,omitempty" doc:"engines may take minutes"`
	Known   []Known  `json:"known"`
}

// Known is the verdict for a program's assertions under a model.
type Known struct {
	Model   string `json:"model"`
	Verdict string `json:"verdict" enum:"safe,unsafe"`
	Bounded bool   `json:"bounded,omitempty" doc:"safe within the bound; no engine gives an unbounded verdict"`
}

// File is the name of the program's file.
func (p Program) File() string { return p.Name + ".c" }

// programFiles are the programs, and programs.txt, which lists the models under which each is safe.
//
//go:embed programs/*.c programs.txt
var programFiles embed.FS

// Programs returns the programs by family. The caller must not change them.
func Programs() []Program { return programs() }

// FindProgram returns the program with a name.
func FindProgram(name string) (Program, bool) {
	i := slices.IndexFunc(Programs(), func(p Program) bool { return p.Name == name })
	if i < 0 {
		return Program{}, false
	}
	return Programs()[i], true
}

var programs = sync.OnceValue(func() (all []Program) {
	var models []string
	var family string
	for n, line := range numberedIn(programFiles, "programs.txt") {
		fail := func(what string) { panic(fmt.Sprintf("BUG: programs.txt:%d: %s", n, what)) }
		if title, ok := strings.CutPrefix(line, "= "); ok {
			family = title
			continue
		}
		if head, ok := strings.CutPrefix(line, ": "); ok {
			name, published, ok := strings.Cut(head, " | ")
			text, err := programFiles.ReadFile("programs/" + name + ".c")
			if err != nil || !ok {
				fail("want NAME | PUBLISHED of a program")
			}
			all = append(all, Program{
				Name: name, Family: family, Note: note(string(text)), Source: string(text), Published: published,
			})
			continue
		}
		f := strings.Fields(line)
		if f[0] == "models" {
			models = f[1:]
			continue
		}
		if len(f) < len(models) || len(all) == 0 {
			fail(fmt.Sprintf("want a verdict for each of %d models", len(models)))
		}
		p := &all[len(all)-1]
		b, err := build(f[:len(f)-len(models)], models, f[len(f)-len(models):])
		if err != nil {
			fail(err.Error())
		}
		p.Builds = append(p.Builds, b)
	}
	return all
})

// build reads a build from a line of programs.txt. how has macros and the words unroll=N, target=T and large. letters
// has, for each model: S for safe, s for safe within the bound, U for unsafe, - for unknown.
func build(how, models, letters []string) (Build, error) {
	b := Build{Defines: []string{}}
	for _, word := range how {
		if unroll, ok := strings.CutPrefix(word, "unroll="); ok {
			n, err := strconv.Atoi(unroll)
			if err != nil {
				return b, err
			}
			b.Unroll = n
		} else if target, ok := strings.CutPrefix(word, "target="); ok {
			b.Target = target
		} else if word == "large" {
			b.Large = true
		} else {
			b.Defines = append(b.Defines, word)
		}
	}
	for i, m := range models {
		switch letters[i] {
		case "S":
			b.Known = append(b.Known, Known{Model: m, Verdict: "safe"})
		case "s":
			b.Known = append(b.Known, Known{Model: m, Verdict: "safe", Bounded: true})
		case "U":
			b.Known = append(b.Known, Known{Model: m, Verdict: "unsafe"})
		case "-":
		default:
			return b, fmt.Errorf("got %q, want S, s, U or -", letters[i])
		}
	}
	return b, nil
}

// note returns the first paragraph of the comment at the beginning of a program.
func note(source string) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(source, "/*\n * "), "\n */")
	text, _, _ = strings.Cut(text, "\n *\n")
	return strings.ReplaceAll(text, "\n * ", " ")
}
