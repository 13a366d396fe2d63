package programs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/recognise"
	"litmuscope/solver"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// languageC is the name of C in forms and in REST. The other names are those of package frontend.
const languageC = "c"

// languages has the names of all languages with their endings and titles.
var languages = []struct{ name, ending, title string }{
	{languageC, ".c", "C"},
	{string(frontend.CPlusPlus), ".cpp", "C++"},
	{string(frontend.Rust), ".rs", "Rust"},
	{string(frontend.Module), ".ll", "LLVM IR"},
}

// programFile is the name of a program in C that nobody has named.
const programFile = "program.c"

// isUsual reports whether a file has the name of a program that nobody has named.
func isUsual(name string) bool {
	return slices.ContainsFunc(languages, func(l struct{ name, ending, title string }) bool {
		return name == "program"+l.ending
	})
}

// fileName returns the name of a program that nobody has named. Its ending is that of the language, or, for "", of the
// language that the text certainly has.
func fileName(source, language string) string {
	if language == "" {
		language = languageOf(source)
	}
	for _, l := range languages {
		if l.name == language {
			return "program" + l.ending
		}
	}
	return programFile
}

// languageOf returns the language of a text; C if the text has no sign of another one.
func languageOf(source string) string {
	if r, ok := recognise.Of(source); ok {
		switch r.Kind {
		case recognise.LLVM:
			return string(frontend.Module)
		case recognise.CPP:
			return string(frontend.CPlusPlus)
		case recognise.Rust:
			return string(frontend.Rust)
		}
	}
	return languageC
}

// languageNamed checks the name of a language; "" is the language of the file's name or text.
func languageNamed(name string) (string, error) {
	var names []string
	for _, l := range languages {
		if name == l.name || name == "" {
			return name, nil
		}
		names = append(names, l.name)
	}
	return "", server.Refuse("Unknown language %q: want one of %s.", server.Shortened(name), strings.Join(names, ", "))
}

// language returns the question's language; "" for C.
func (q *verifyQuestion) language() frontend.Language {
	switch {
	case q.Language == languageC:
		return ""
	case q.Language != "":
		return frontend.Language(q.Language)
	case len(q.Files) > 0:
		return frontend.LanguageOf(q.Files[0].Name)
	}
	return ""
}

// compile replaces the program of a question in C++ or Rust by the module that the server's compiler makes of it.
// Answers still show the program's files, because the module's debug information names them. Programs in C and modules
// stay as they are. The error is a refusal, a badProgram, or an error of the compiler.
func (s *page) compile(ctx context.Context, q *verifyQuestion) error {
	language := q.language()
	if language != frontend.CPlusPlus && language != frontend.Rust {
		return nil
	}
	if len(q.Files) > 1 {
		return server.Refuse("Here a program in %s has one file that is compiled, and files that it includes: %s is "+
			"another one to compile. The command litmuscope verify --link verifies programs of several files.",
			language.Title(), server.Shortened(q.Files[1].Name))
	}
	main := q.Files[0]
	p := &frontend.Program{
		Language: language, Level: q.Level, Main: main.Name, Files: map[string]string{main.Name: main.Text},
		Dirs: q.Dirs, Defines: q.Defines,
	}
	maps.Copy(p.Files, q.Include)
	text, err := s.questions.Module(ctx, q.Compiler, p)
	var bad *question.BadProgram
	switch {
	case errors.As(err, &bad):
		out := &badProgram{detail: bad.Error(), task: q.VerifyTask, own: map[string]bool{}}
		for _, e := range bad.Errs {
			out.faults = append(out.faults,
				solver.Fault{File: e.Pos.File, Line: e.Pos.Line, Column: e.Pos.Col, Message: e.Msg})
		}
		return out
	case err != nil:
		return err
	}
	q.Files = []solver.SourceFile{{Name: main.Name + ".ll", Text: text}}
	q.Include, q.Dirs, q.Defines = p.Files, nil, nil
	return nil
}

// readCompiled returns what is wrong with a program in a language before it is compiled: that the server has no
// compiler. The compiler does not run while the visitor types.
func (s *page) readCompiled(language frontend.Language) []server.Mark {
	for _, f := range s.questions.FrontEnds() {
		if f.Language == language {
			return []server.Mark{}
		}
	}
	none := &question.NoCompiler{Language: language, Static: s.server.Static != nil}
	return []server.Mark{{Line: 1, Col: 1, Message: none.Error()}}
}

// languageField is the choice of a language, and levelField that of the compiler's level of optimisation.
func languageField(c claim) formfields.OptionView {
	v := formfields.OptionView{
		Field: optionform.Field("language"), Name: "language", Value: c.Language, Choices: []string{""},
		Help: "C++ and Rust are compiled to LLVM IR first; default: the language of the text",
	}
	for _, l := range languages {
		v.Choices = append(v.Choices, l.name)
	}
	return v
}

func levelField(c claim) formfields.OptionView {
	return formfields.OptionView{
		Field: optionform.Field("level"), Name: "optimisation", Value: c.Level,
		Choices: append([]string{""}, frontend.Levels...),
		Help: "of the compiler, for C++ and Rust; default: " + frontend.DefaultLevel +
			", which has every atomic access of the program",
	}
}

// titleOf returns the title of a choice of languageField.
func titleOf(name string) string {
	for _, l := range languages {
		if l.name == name {
			return l.title
		}
	}
	return "as the text"
}

// compiledFor returns words for an answer: the compiler's level, for a language that is compiled first.
func compiledFor(c *claim) string {
	if language := c.language(); language == frontend.CPlusPlus || language == frontend.Rust {
		level := c.Level
		if level == "" {
			level = frontend.DefaultLevel
		}
		return language.Title() + ", compiled with -" + level
	}
	return ""
}

// verifiesFiles reports whether a shell command for the claim needs files: other languages than C have no standard
// input.
func (c *claim) verifiesFiles() bool { return len(c.Others) > 0 || c.language() != "" }

// compilerFlags returns the flags of a command that choose the compiler's level.
func (c *claim) compilerFlags() []string {
	switch language := c.language(); {
	case c.Level == "" || c.Level == frontend.DefaultLevel:
	case language == frontend.CPlusPlus:
		return []string{"--", "-" + c.Level}
	case language == frontend.Rust:
		return []string{"--", "-C", "opt-level=" + c.Level[1:]}
	}
	return nil
}
