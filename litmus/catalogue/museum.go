package catalogue

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Exhibit is a bug of published code: a piece of the museum, with what it has to show.
type Exhibit struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Project string `json:"project"`
	Part    string `json:"part"`
	Years   string `json:"years"`
	Mistake string `json:"mistake" doc:"the kind of mistake, one of a few"`
	Summary string `json:"summary"`
	Sure    string `json:"sure" doc:"what is ours in it, and what could not be seen"`

	Sources  []Source    `json:"sources"`
	Story    []Paragraph `json:"story"`
	Programs []Piece     `json:"programs" doc:"its own, and perhaps a second one"`
	Drawn    Drawn       `json:"drawn"`
}

// Source is where a bug is told of.
type Source struct {
	URL   string `json:"url"`
	Words string `json:"words"`
}

// Piece is a program of an exhibit. The first of its builds is as it was found.
type Piece struct {
	Program
	Property string `json:"property"`
	Shows    string `json:"shows" doc:"what it is held to, in words"`
}

// Drawn names an execution: the one by which a build fails under a model.
type Drawn struct {
	Build string `json:"build"`
	Model string `json:"model"`
}

// Paragraph is one of a story.
type Paragraph []Span

// Span is a part of a paragraph: words, code, or words that say of verdicts what Claims has.
type Span struct {
	Text   string
	Code   bool
	Claims []Claimed
}

// Claimed is what a story says of a build.
type Claimed struct {
	Build, Verdict string
	Models         []string
}

// fixed is the build of an exhibit as its project mended it.
const fixed = "fixed"

// MuseumFolder is where the programs of the museum are, in the folder of programs and in their names.
const MuseumFolder = "museum/"

//go:embed museum.txt programs/museum/*.c
var museumFiles embed.FS

// Museum gives the exhibits, by kinds of mistakes. The caller must not change them.
func Museum() []Exhibit { return museum().exhibits }

// MuseumModels are the models that every exhibit has verdicts of, in the order of the tables.
func MuseumModels() []string { return museum().models }

// MuseumGroups are the same models by what they are of: memory as such, languages, machines, Linux.
func MuseumGroups() [][]string { return museum().groups }

// Mistake is a kind of mistakes.
type Mistake struct {
	Name string `json:"name"`
	Says string `json:"says" doc:"what goes wrong, in a sentence"`
}

// Mistakes are the kinds of mistakes, in the order of the exhibits.
func Mistakes() []Mistake { return museum().mistakes }

// FindExhibit gives the exhibit of a name.
func FindExhibit(name string) (Exhibit, bool) {
	i := slices.IndexFunc(Museum(), func(e Exhibit) bool { return e.Name == name })
	if i < 0 {
		return Exhibit{}, false
	}
	return Museum()[i], true
}

// Find gives a build with its program.
func (e *Exhibit) Find(build string) (Piece, Build, bool) {
	for _, p := range e.Programs {
		for _, b := range p.Builds {
			if b.ID == build {
				return p, b, true
			}
		}
	}
	return Piece{}, Build{}, false
}

// Before and After are its program as it was found and as the project mended it.
func (e *Exhibit) Before() Build { return e.Programs[0].Builds[0] }

// After is the fix that the project made.
func (e *Exhibit) After() Build {
	_, b, _ := e.Find(fixed)
	return b
}

// Under is what is known of a build under a model; "" where nothing is said.
func (b Build) Under(model string) Known {
	for _, k := range b.Known {
		if k.Model == model {
			return k
		}
	}
	return Known{Model: model}
}

type museumRoom struct {
	exhibits []Exhibit
	groups   [][]string
	models   []string
	mistakes []Mistake
}

func (m *museumRoom) place(mistake string) int {
	return slices.IndexFunc(m.mistakes, func(k Mistake) bool { return k.Name == mistake })
}

var museum = sync.OnceValue(func() *museumRoom {
	m := &museumRoom{}
	var e *Exhibit
	var story []string // the paragraph that is being read
	done := func() {
		if e != nil && len(story) > 0 {
			e.Story = append(e.Story, m.paragraph(e, strings.Join(story, " ")))
			story = nil
		}
	}
	for n, line := range numberedIn(museumFiles, "museum.txt") {
		fail := func(what string) { panic(fmt.Sprintf("BUG: museum.txt:%d: %s", n, what)) }
		word, rest, _ := strings.Cut(line, " ")
		if e == nil && word != "=" && word != "models" && word != "kind" {
			fail("want an exhibit first")
		}
		done()
		switch word {
		case "models":
			for g := range strings.SplitSeq(rest, "|") {
				m.groups = append(m.groups, strings.Fields(g))
			}
			m.models = slices.Concat(m.groups...)
		case "kind":
			f := m.parts(rest, 2, fail)
			m.mistakes = append(m.mistakes, Mistake{f[0], f[1]})
		case "=":
			f := m.parts(rest, 2, fail)
			m.exhibits = append(m.exhibits, Exhibit{Name: f[0], Title: f[1]})
			e = &m.exhibits[len(m.exhibits)-1]
		case "project":
			f := m.parts(rest, 2, fail)
			e.Project, e.Part = f[0], f[1]
		case "years":
			e.Years = rest
		case "mistake":
			if e.Mistake = rest; m.place(rest) < 0 {
				fail("there is no such kind: " + rest)
			}
		case "summary":
			e.Summary = rest
		case "sure":
			e.Sure = rest
		case "source":
			f := m.parts(rest, 2, fail)
			e.Sources = append(e.Sources, Source{f[0], f[1]})
		case "drawn":
			f := strings.Fields(rest)
			if len(f) != 2 {
				fail("want a build and a model")
			}
			e.Drawn = Drawn{f[0], f[1]}
		case ":":
			f := m.parts(rest, 3, fail)
			text, err := museumFiles.ReadFile("programs/" + MuseumFolder + f[0] + ".c")
			if err != nil {
				fail(err.Error())
			}
			e.Programs = append(e.Programs, Piece{
				Program{
					Name: MuseumFolder + f[0], Family: "The bug museum", Note: note(string(text)),
					Source: string(text), Published: e.Project,
				},
				f[1], f[2],
			})
		case ">":
			story = append(story, rest)
		default:
			if len(e.Programs) == 0 {
				fail("want a program first")
			}
			f := m.parts(line, 2, fail)
			p := &e.Programs[len(e.Programs)-1]
			words := strings.Fields(f[0])
			at := len(words) - len(m.models)
			if at < 1 {
				fail(fmt.Sprintf("want a verdict for each of %d models", len(m.models)))
			}
			b, err := build(words[1:at], m.models, words[at:])
			if err != nil {
				fail(err.Error())
			}
			if _, _, taken := e.Find(word); taken {
				fail("there are two builds " + word)
			}
			b.ID, b.Label = word, f[1]
			p.Builds = append(p.Builds, b)
		}
	}
	done()
	slices.SortStableFunc(m.exhibits, func(a, b Exhibit) int {
		return cmp.Compare(m.place(a.Mistake), m.place(b.Mistake))
	})
	return m
})

// parts parts a line at its bars.
func (m *museumRoom) parts(text string, n int, fail func(string)) []string {
	f := strings.Split(text, " | ")
	if len(f) != n {
		fail(fmt.Sprintf("got %d parts, want %d with bars between them", len(f), n))
	}
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	return f
}

// Text is a file.
type Text struct{ File, Text string }

// Task is the text of a build, and what it is called.
func (p *Piece) Task(b Build) Text {
	return Text{strings.TrimPrefix(p.File(), MuseumFolder), p.Resolved(b)}
}
