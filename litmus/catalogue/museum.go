package catalogue

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// Exhibit is an exhibit of the bug museum: a bug in published code, with its programs and verdicts.
type Exhibit struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Project  string   `json:"project"`
	Part     string   `json:"part"`
	Years    string   `json:"years"`
	Mistake  string   `json:"mistake" doc:"the kind of mistake"`
	Summary  string   `json:"summary"`
	Sure     string   `json:"sure" doc:"what we changed or assumed, and what we could not verify"`
	Language Language `json:"language" doc:"the language of the programs"`
	Twin     string   `json:"twin,omitempty" doc:"the exhibit with the same bug in C, if the programs are in another language"`

	Sources  []Source    `json:"sources"`
	Story    []Paragraph `json:"story"`
	Programs []Piece     `json:"programs" doc:"the exhibit's program, and perhaps a second one"`
	Drawn    Drawn       `json:"drawn" doc:"none if the programs need a compiler"`
}

// Language is a programming language of the museum.
type Language string

// The languages of the museum.
const (
	LanguageC         Language = "C"
	LanguageCPlusPlus Language = "C++"
	LanguageRust      Language = "Rust"
)

// IsCompiled reports whether verify needs a compiler for the exhibit's programs.
func (e *Exhibit) IsCompiled() bool { return e.Language != LanguageC }

// languageOf returns the language of a file, and the folder of the museum's programs in it.
func languageOf(file string) (language Language, folder string) {
	switch path.Ext(file) {
	case ".cpp":
		return LanguageCPlusPlus, "cpp/" + MuseumFolder
	case ".rs":
		return LanguageRust, "rust/" + MuseumFolder
	}
	return LanguageC, "programs/" + MuseumFolder
}

// Source is a publication or a report of a bug.
type Source struct {
	URL   string `json:"url"`
	Words string `json:"words"`
}

// Piece is a program of an exhibit. The first of its builds has the bug.
type Piece struct {
	Program
	Path     string `json:"path" doc:"its file in litmus/catalogue"`
	Property string `json:"property"`
	Shows    string `json:"shows" doc:"what the program must guarantee"`
}

// Drawn names an execution for the picture: one in which a build fails under a model.
type Drawn struct {
	Build string `json:"build"`
	Model string `json:"model"`
}

// Paragraph is a paragraph of an exhibit's story.
type Paragraph []Span

// Span is a part of a paragraph: words, code, or words that make the claim in Claims about verdicts.
type Span struct {
	Text   string
	Code   bool
	Claims []Claimed
}

// Claimed is what a story claims about a build.
type Claimed struct {
	Build, Verdict string
	Models         []string
}

// fixed is the build of an exhibit with the project's fix.
const fixed = "fixed"

// MuseumFolder is the folder of the museum's programs, and the prefix of their names.
const MuseumFolder = "museum/"

//go:embed museum.txt museum-compiled.txt programs/museum/*.c cpp/museum/*.cpp rust/museum/*.rs
var museumFiles embed.FS

// Museum returns the exhibits in C, by kind of mistake. The caller must not change them.
func Museum() []Exhibit { return museum().exhibits }

// CompiledMuseum returns the exhibits in C++ and Rust, by kind of mistake. They have verdicts under some of
// [MuseumModels]. The caller must not change them.
func CompiledMuseum() []Exhibit { return compiledMuseum().exhibits }

// CompiledModels returns the models for which every exhibit of [CompiledMuseum] has verdicts.
func CompiledModels() []string { return compiledMuseum().models }

// WholeMuseum returns all exhibits, by kind of mistake; of each kind, those in C first.
func WholeMuseum() []Exhibit { return wholeMuseum() }

var wholeMuseum = sync.OnceValue(func() []Exhibit {
	return museum().byMistake(slices.Concat(Museum(), CompiledMuseum()))
})

// MuseumModels returns the models for which every exhibit has verdicts, in the order of the tables.
func MuseumModels() []string { return museum().models }

// MuseumGroups returns the same models in groups: memory models in general, languages, machines, Linux.
func MuseumGroups() [][]string { return museum().groups }

// Mistake is a kind of mistake.
type Mistake struct {
	Name string `json:"name"`
	Says string `json:"says" doc:"what goes wrong, in one sentence"`
}

// Mistakes returns the kinds of mistakes, in the order of the exhibits.
func Mistakes() []Mistake { return museum().mistakes }

// FindExhibit returns the exhibit with a name.
func FindExhibit(name string) (Exhibit, bool) {
	i := slices.IndexFunc(WholeMuseum(), func(e Exhibit) bool { return e.Name == name })
	if i < 0 {
		return Exhibit{}, false
	}
	return WholeMuseum()[i], true
}

// Find returns a build with its program.
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

// Before returns the build with the bug.
func (e *Exhibit) Before() Build { return e.Programs[0].Builds[0] }

// After returns the build with the project's fix.
func (e *Exhibit) After() Build {
	_, b, _ := e.Find(fixed)
	return b
}

// Under returns the known verdict of a build under a model; "" if nobody knows it.
func (b Build) Under(model string) Known {
	for _, k := range b.Known {
		if k.Model == model {
			return k
		}
	}
	return Known{Model: model}
}

type museumRoom struct {
	file     string
	exhibits []Exhibit
	groups   [][]string
	models   []string
	mistakes []Mistake
}

func (m *museumRoom) place(mistake string) int {
	return slices.IndexFunc(m.mistakes, func(k Mistake) bool { return k.Name == mistake })
}

// byMistake sorts exhibits by kind of mistake.
func (m *museumRoom) byMistake(all []Exhibit) []Exhibit {
	slices.SortStableFunc(all, func(a, b Exhibit) int { return cmp.Compare(m.place(a.Mistake), m.place(b.Mistake)) })
	return all
}

var museum = sync.OnceValue(func() *museumRoom { return readMuseum("museum.txt", nil) })

var compiledMuseum = sync.OnceValue(func() *museumRoom {
	return readMuseum("museum-compiled.txt", museum().mistakes)
})

// readMuseum reads the exhibits of a file; museum.txt describes the format. mistakes are the kinds of mistakes that
// another file lists.
func readMuseum(file string, mistakes []Mistake) *museumRoom {
	m := &museumRoom{file: file, mistakes: mistakes}
	var e *Exhibit
	var story []string // the current paragraph
	done := func() {
		if e != nil && len(story) > 0 {
			e.Story = append(e.Story, m.paragraph(e, strings.Join(story, " ")))
			story = nil
		}
	}
	for n, line := range numberedIn(museumFiles, file) {
		fail := func(what string) { panic(fmt.Sprintf("BUG: %s:%d: %s", file, n, what)) }
		word, rest, _ := strings.Cut(line, " ")
		if e == nil && word != "=" && word != "models" && word != "kind" {
			fail("want an exhibit before this line")
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
				fail("unknown kind of mistake:  " + rest)
			}
		case "summary":
			e.Summary = rest
		case "sure":
			e.Sure = rest
		case "twin":
			e.Twin = rest
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
			p, err := piece(f[0], f[1], f[2])
			if err != nil {
				fail(err.Error())
			}
			e.Language, _ = languageOf(p.Path)
			p.Published = e.Project
			e.Programs = append(e.Programs, p)
		case ">":
			story = append(story, rest)
		default:
			if len(e.Programs) == 0 {
				fail("want a program before this line")
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
				fail("duplicate build " + word)
			}
			b.ID, b.Label = word, f[1]
			p.Builds = append(p.Builds, b)
		}
	}
	done()
	m.byMistake(m.exhibits)
	return m
}

// piece reads a program of the museum. A name without extension is of a program in C.
func piece(name, property, shows string) (Piece, error) {
	language, folder := languageOf(name)
	file := folder + name
	if language == LanguageC {
		file += ".c"
	}
	text, err := museumFiles.ReadFile(file)
	if err != nil {
		return Piece{}, err
	}
	about := note(string(text))
	if language != LanguageC {
		about = lineNote(string(text))
	}
	return Piece{
		Program: Program{
			Name: MuseumFolder + strings.TrimSuffix(name, path.Ext(name)), Family: "The bug museum", Note: about,
			Source: string(text),
		},
		Path: file, Property: property, Shows: shows,
	}, nil
}

// lineNote returns the comment of whole lines at the beginning of a program.
func lineNote(source string) string {
	var out []string
	for line := range strings.Lines(source) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
		if !ok {
			break
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// parts splits a line at its bars.
func (m *museumRoom) parts(text string, n int, fail func(string)) []string {
	f := strings.Split(text, " | ")
	if len(f) != n {
		fail(fmt.Sprintf("got %d parts, want %d separated by bars", len(f), n))
	}
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	return f
}

// Text is a file with its name.
type Text struct{ File, Text string }

// Task returns the text of a build and its name.
func (p *Piece) Task(b Build) Text {
	return Text{path.Base(p.Path), p.Resolved(b)}
}
