package frontend

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c/llvm"
	"litmuscope/litmus/toolchain"
)

// Language is a language whose programs a compiler turns into LLVM IR.
type Language string

// The languages, and LLVM IR itself.
const (
	CPlusPlus Language = "c++"
	Rust      Language = "rust"
	Module    Language = "llvm-ir"
)

// Title returns the language's name as readers know it.
func (l Language) Title() string {
	return map[Language]string{CPlusPlus: "C++", Rust: "Rust", Module: "LLVM IR"}[l]
}

// LanguageOf returns the language of a file by the ending of its name; "" for C and for files of other kinds.
func LanguageOf(name string) Language {
	switch {
	case IsRust(name):
		return Rust
	case extensions[path.Ext(name)]:
		return CPlusPlus
	case path.Ext(name) == ".ll":
		return Module
	}
	return ""
}

// CompilerFor returns the language that a compiler turns into LLVM IR, by the name of its program; "" for other
// compilers.
func CompilerFor(program string) Language {
	switch base := path.Base(program); {
	case strings.Contains(base, Compiler):
		return CPlusPlus
	case strings.HasPrefix(base, RustCompiler):
		return Rust
	}
	return ""
}

// Levels are the levels of optimisation, and DefaultLevel the one for programs without a choice.
var Levels = []string{"O0", "O1", "O2"}

// DefaultLevel makes short code that still has every atomic access of the program.
const DefaultLevel = "O1"

// Program is a program in one language whose files lie in memory.
type Program struct {
	Language Language
	Level    string            // of [Levels]; "" is DefaultLevel
	Main     string            // the name of the file to compile
	Files    map[string]string // the file, and those that it includes
	Dirs     []string          // folders to search for included files
	Defines  []string          // NAME, NAME=VALUE, or -UNAME; for Rust: those of --cfg
}

// Defaults returns a compiler's arguments that come before the user's.
func (l Language) Defaults() []string {
	if l == Rust {
		return rustDefaults
	}
	return defaults
}

// output is the name of the module that a job writes.
const output = "program.ll"

// Job returns the compiler's job for a program. The compiler's own arguments must begin with those of
// [Language.Defaults]. The error says what the program has that the language lacks.
func (p *Program) Job() (toolchain.Job, error) {
	level := cmp.Or(p.Level, DefaultLevel)
	if !slices.Contains(Levels, level) {
		return toolchain.Job{}, fmt.Errorf("unknown level of optimisation %q: want one of %s", level,
			strings.Join(Levels, ", "))
	}
	job := toolchain.Job{Files: map[string][]byte{}, Outputs: []string{output}}
	for name, text := range p.Files {
		if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "@") || name == output {
			return job, fmt.Errorf("rename the file %q: the compiler gives such names a meaning of their own", name)
		}
		job.Files[name] = []byte(text)
	}
	if LanguageOf(p.Main) != p.Language {
		return job, fmt.Errorf("the file %q of a program in %s has the ending of another language", p.Main,
			p.Language.Title())
	}
	if p.Language == Rust {
		flags, err := p.rustFlags()
		job.Arguments = slices.Concat([]string{"-C", "opt-level=" + level[1:]}, flags, rustForced, []string{
			// With a path, rustc starts the linker without sockets, which a sandbox forbids.
			"-C", "linker=/bin/true",
			"--emit=llvm-ir,link", "--crate-name=program", "--error-format=short", p.Main,
		})
		return job, err
	}
	flags := []string{"-" + level}
	for _, dir := range p.Dirs {
		flags = append(flags, "-I"+dir)
	}
	for _, d := range p.Defines {
		if name, undefines := strings.CutPrefix(d, "-U"); undefines {
			flags = append(flags, "-U"+name)
		} else {
			flags = append(flags, "-D"+d)
		}
	}
	job.Arguments = slices.Concat(flags, Faithful(), []string{
		"-fdebug-compilation-dir=.", "-fno-color-diagnostics", "-o", output, p.Main,
	})
	return job, nil
}

// rustFlags returns the options of rustc that the macros stand for: --cfg NAME, or --cfg NAME="VALUE".
func (p *Program) rustFlags() (flags []string, err error) {
	if len(p.Dirs) > 0 {
		return nil, errors.New("folders to search are for C and C++: Rust finds its modules by their names")
	}
	for _, d := range p.Defines {
		if name, undefines := strings.CutPrefix(d, "-U"); undefines {
			return nil, fmt.Errorf("-U %s is for C and C++: Rust has no macros to undefine", name)
		}
		if key, value, ok := strings.Cut(d, "="); ok {
			d = key + "=" + strconv.Quote(value)
		}
		flags = append(flags, "--cfg", d)
	}
	return flags, nil
}

// folder matches the folder of a job in debug information. Its name differs from job to job.
var folder = regexp.MustCompile(`directory: "(?:[^"]*/)?litmuscope-(?:job|compile)-[^"]*"`)

// mostModule is the largest module that Module returns, in bytes.
const mostModule = 8 << 20

// ModuleOf returns the module that a job of a program has written, without what the program does not need, and without
// the name of the job's folder: the same program gives the same text.
func (p *Program) ModuleOf(outputs map[string][]byte) (string, error) {
	text := string(outputs[output])
	if p.Language == Rust {
		text = prune(text, "main", llvm.IsReplaced)
	}
	if len(text) > mostModule {
		return "", fmt.Errorf("the compiled program has %d MiB of LLVM IR, and the limit is %d MiB", len(text)>>20,
			mostModule>>20)
	}
	return folder.ReplaceAllString(text, `directory: "."`), nil
}

// ByHand returns the command that verifies a program on the user's own machine, or makes a module of it. A module of
// Rust has the code of std and is too large to paste.
func (l Language) ByHand() string {
	if l == Rust {
		return "litmuscope verify program.rs"
	}
	return "clang++ -std=c++20 -O1 -g -S -emit-llvm -D_GLIBCXX_TSAN=1 -fno-vectorize -fno-slp-vectorize " +
		"-fno-unroll-loops -o program.ll program.cpp"
}

// said matches a line of a message of clang++ or rustc (--error-format=short): file, line, column, kind and text.
var said = regexp.MustCompile(`^([^:\n]+):(\d+):(\d+): (fatal error|error|note)(?:\[\w+\])?: (.*)$`)

// mostMessages bounds the errors that Messages returns, and mostMessage the bytes of one.
const (
	mostMessages = 20
	mostMessage  = 2000
)

// Messages returns the errors of a compiler at their places in the program. An error in a header of a library is at the
// place of the program that a note behind it names; without one, at the beginning of the main file.
func (p *Program) Messages(f *toolchain.Failure) (out litmus.ErrorList) {
	var open *litmus.Error // an error outside of the program, which a note may place
	add := func(e *litmus.Error) {
		if len(e.Msg) > mostMessage {
			e.Msg = strings.ToValidUTF8(e.Msg[:mostMessage], "") + " …"
		}
		if len(out) < mostMessages {
			out = append(out, e)
		}
	}
	begin := litmus.Pos{File: p.Main, Line: 1, Col: 1}
	for line := range strings.Lines(f.Message) {
		m := said.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		pos := litmus.Pos{File: path.Clean(m[1])}
		pos.Line, _ = strconv.Atoi(m[2]) // of digits
		pos.Col, _ = strconv.Atoi(m[3])
		_, own := p.Files[pos.File]
		switch {
		case m[4] == "note" && open != nil && own:
			open.Pos = pos
			add(open)
			open = nil
		case m[4] == "note":
		default:
			if open != nil {
				add(open)
			}
			open = nil
			if e := (&litmus.Error{Pos: pos, Msg: m[5]}); own {
				add(e)
			} else {
				e.Pos, e.Msg = begin, fmt.Sprintf("%s:%s: %s", m[1], m[2], m[5])
				open = e
			}
		}
	}
	if open != nil {
		add(open)
	}
	if out == nil {
		add(&litmus.Error{Pos: begin, Msg: f.Error()})
	}
	return out
}
