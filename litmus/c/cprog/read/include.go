package read

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// headers contains the built-in headers.
//
//go:embed headers
var headers embed.FS

// prelude comes before every file.
//
//go:embed prelude.h
var prelude string

// strange lists headers that programs include but that are not built in, with advice.
var strange = map[string]string{
	"tgmath.h": "floating point is not supported", "complex.h": "floating point is not supported",
	"fenv.h": "floating point is not supported", "float.h": "floating point is not supported",
	"setjmp.h": "jumps out of functions are not supported: use return", "ucontext.h": "use threads by pthread_create",

	"linux/membarrier.h": "use a fence in each thread",
	"omp.h":              "OpenMP is not supported: use pthread_create", "windows.h": "use <pthread.h>",
	"stdafx.h": "use the headers of C and <pthread.h>",
	"atomic":   "use C and <stdatomic.h>", "thread": "use C and <pthread.h>", "iostream": "use C",
	"mutex":       "use C and <pthread.h>",
	"dat3m.h":     "-I DIR adds the folder that it is in",
	"urcu.h":      "-I DIR adds the folder that it is in; or use <linux/rcupdate.h>",
	"urcu-qsbr.h": "-I DIR adds the folder that it is in; or use <linux/rcupdate.h>",
}

// EachHeader calls f on each built-in header, and last on the prelude, with the name "".
func EachHeader(f func(name, text string)) {
	for _, name := range BuiltInHeaders() {
		text, err := headers.ReadFile("headers/" + name)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		f(name, string(text))
	}
	f("", prelude)
}

// HeadersKey is a hash of all built-in headers.
var HeadersKey = sync.OnceValue(func() string {
	h := sha256.New()
	EachHeader(func(name, text string) { fmt.Fprintf(h, "%d:%s%d:%s", len(name), name, len(text), text) })
	return hex.EncodeToString(h.Sum(nil))
})

// IsKernels reports whether a header belongs to the Linux kernel.
func IsKernels(header string) bool {
	return header == "lkmm.h" || strings.HasPrefix(header, "linux/") && !isUsers(header) ||
		strings.HasPrefix(header, "asm/")
}

// BuiltInHeaders returns the names of the built-in headers, as programs include them.
func BuiltInHeaders() []string {
	var names []string
	err := fs.WalkDir(headers, "headers", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(name, "headers/"))
		}
		return err
	})
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return names
}

// BuiltIn is the pretended folder of the built-in headers.
const BuiltIn = "<built-in>"

// inclusion is one reading of a translation unit. It implements fs.FS with the files that the C parser can open: the
// program's and the built-in headers.
//
// An inclusion is used for one run of the preprocessor or the parser, since it counts what that run opens. Another
// reading of the same unit gets a new one (again), with the edits so far.
type inclusion struct {
	source    reading
	size      int
	opened    int
	once      map[string]bool
	refused   litmus.ErrorList    // errors that the C parser would not pass on
	dismissed litmus.ErrorList    // errors of lines that the parser skips
	last      litmus.Pos          // end of the file
	edits     []map[string][]edit // each applies to the result of those before it
	mended    map[string]string   // texts that replace the files' texts
	hidden    map[string]bool     // names of headers that the program declares itself
	// directives: the C parser gets only the lines with directives.
	directives bool
	kernel     bool     // a kernel header was opened
	names      []string // names of the files that were opened
	texts      map[string]string
}

// again returns an inclusion for another reading of the same unit, with some texts replaced.
func (in *inclusion) again(mended map[string]string) *inclusion {
	return &inclusion{source: in.source, last: in.last, edits: in.edits, mended: mended, hidden: in.hidden}
}

// shown returns the text of a file that the C parser gets.
//
// The order matters: markers are hidden first, because later steps look at lines; edits come before rewriting of
// notation, because their positions are those of the text that the parser has seen before.
func (in *inclusion) shown(name, text string) string {
	if in.texts == nil {
		in.texts = map[string]string{}
	}
	in.names = append(in.names, name)
	in.texts[name] = text
	if m, ok := in.mended[name]; ok {
		text = m
	}
	if in.directives {
		return directed(name, directivesOf(text))
	}
	n := 0
	text, _ = hideMarkers(name, text)
	text = floatType().ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	return asyncLabel().ReplaceAllStringFunc(directed(name, spelled(in.edited(name, text))), func(string) string {
		n++ // labels in one function must differ
		return fmt.Sprintf("%s%d:", Async, n)
	})
}

// edited returns the text of a file with all edits.
func (in *inclusion) edited(name, text string) string {
	for _, e := range in.edits {
		text = edited(text, e[name])
	}
	return text
}

// floatType matches declarations of types that are keywords here, as headers contain for clang.
var floatType = litmus.Pattern(`\btypedef (?:float|double|long double) _Float\d+x?;`)

// Async is the prefix of the labels with which CBMC starts a thread for a statement.
const Async = "__CPROVER_ASYNC_"

var asyncLabel = litmus.Pattern(`\b` + Async + `\w*\s*:`)

// config returns the parser's configuration: the target's layout of types, the files of this package only, and a bound
// for macros. Folders are searched in the order that compilers use: the includer's own, those of the source, the
// built-in headers.
func (in *inclusion) config() *cc.Config {
	dirs := append(append([]string{}, in.source.Dirs...), BuiltIn)
	return &cc.Config{
		ABI: in.source.ABI.layout(), FS: in, FSOnly: true, ExpansionLimit: maxExpansion,
		IncludePaths: append([]string{""}, dirs...), SysIncludePaths: dirs,
		PragmaHandler: in.pragma,
		HasBuiltin:    in.source.knows,
	}
}

// sources returns the texts of one translation unit in order: predefined macros, the prelude, the definitions of the
// command line, the file, and a trailer at which the parser stops after a syntax error.
func (in *inclusion) sources(f File, defines string) []cc.Source {
	return []cc.Source{
		{Name: predefined, Value: in.predefined()},
		{Name: BuiltIn + "/prelude.h", Value: in.without(prelude)},
		{Name: BuiltIn + "/defines", Value: defines},
		{Name: f.Name, Value: entered + in.shown(f.Name, f.Text) + blank},
		{Name: end, Value: trailer()},
	}
}

// entered precedes every file of the program, including the first. The C parser does not bound inclusion and reads each
// file once, but it calls the pragma handler for each inclusion.
const entered = "#pragma " + own + " entered\n#line 1\n"

// predefined is the name of the text in which the C parser allows definitions of [protected] macros.
const predefined = "<predefined>"

// predefined returns directives that define the compiler's predefined macros.
func (in *inclusion) predefined() string {
	lines, err := in.source.Macros()
	if err != nil {
		panic("BUG: " + err.Error()) // definitions has already parsed them
	}
	return strings.Join(slices.Concat(fixedTime, computedMacros, lines), "\n") + "\n"
}

// end is the name of the text after every file: functions with everything that the C parser may search for after a
// syntax error. At the end of input, it would search for ever.
const end = BuiltIn + "/end"

var trailer = sync.OnceValue(func() string {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "static int __litmus_end%d(int a[1], int b) { switch (b) { case 0: default: break; } while "+
			"(b) ; c: return (a[0] ? 1 : 2, 3) + 0; }\n", i)
	}
	return b.String()
})

// Open implements fs.FS.
func (in *inclusion) Open(name string) (fs.File, error) {
	if rest, ok := strings.CutPrefix(name, BuiltIn+"/"); ok {
		return in.header(rest)
	}
	within := path.Clean(name)
	text, err := in.text(name, within)
	if err != nil {
		return nil, err
	}
	in.kernel = in.kernel || isKernels(name)
	in.note(name, text)
	if in.refused != nil {
		return nil, in.refused.Err()
	}
	return &openFile{Reader: strings.NewReader(entered + in.shown(name, text) + blank), name: path.Base(within)}, nil
}

// header opens a built-in header.
func (in *inclusion) header(name string) (fs.File, error) {
	name = path.Join("headers", path.Clean("/"+name))
	text, err := headers.ReadFile(name)
	in.kernel = in.kernel || err == nil && IsKernels(strings.TrimPrefix(name, "headers/"))
	if err != nil || len(in.hidden) == 0 {
		return headers.Open(name)
	}
	return &openFile{Reader: strings.NewReader(in.without(string(text))), name: path.Base(name)}, nil
}

// without returns a built-in text without the names that the program declares itself.
func (in *inclusion) without(text string) string {
	for own := range in.hidden {
		text = regexp.MustCompile(`\b`+own+`\(`).ReplaceAllString(text, "__litmus_"+own+"(")
	}
	return text
}

// text returns the text of a file of the program.
func (in *inclusion) text(name, within string) (string, error) {
	for _, f := range in.source.Files {
		if path.Clean(f.Name) == path.Clean(name) {
			return f.Text, nil
		}
	}
	if in.source.Include == nil {
		return "", fs.ErrNotExist
	}
	f, err := in.source.Include.Open(within)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fs.ErrNotExist
	}
	text, err := io.ReadAll(io.LimitReader(f, maxText+1))
	return string(text), err
}

// note rejects a file whose text makes the program too large, or whose brackets nest too deep: the preprocessor uses
// recursion for them, too.
func (in *inclusion) note(name, text string) {
	pos := litmus.Pos{File: name, Line: 1, Col: 1}
	if in.size += len(text); in.size > maxText {
		in.refuse(pos,
			"the program's files have more than %d bytes together: remove what the question does not need", maxText)
		return
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		pos.Line, pos.Col = 1+strings.Count(text[:i], "\n"), i-strings.LastIndexByte(text[:i], '\n')
		in.refuse(pos, "the file contains a zero byte: it is not C source")
		return
	}
	if line, col, why := tooDeep(text); why != "" {
		pos.Line, pos.Col = line, col
		in.refuse(pos, "%s", why)
	}
}

// tooDeep finds the position where brackets or conditions of a text nest deeper than the preprocessor may recurse.
func tooDeep(text string) (line, col int, why string) {
	var depths []int // outside each #if
	depth, outside := 0, 0
	directive, comment := false, false
	line = 1
	start := 0
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		c := text[i]
		switch {
		case c == '\n':
			if directive && !strings.HasSuffix(strings.TrimSuffix(text[:i], "\r"), "\\") {
				depth, directive = outside, false
			}
			line, start = line+1, i+1
		case comment:
			if strings.HasPrefix(rest, "*/") {
				comment = false
				i++
			}
		case strings.HasPrefix(rest, "/*"):
			comment = true
			i++
		case strings.HasPrefix(rest, "//"):
			i += max(strings.IndexByte(rest, '\n'), 1) - 1
		case c == '"' || c == '\'':
			i += literal(rest)
		case c == '#' && strings.TrimSpace(text[start:i]) == "":
			directive = true
			outside, depth = depth, 0
			word := strings.TrimLeft(rest[1:], " \t")
			switch {
			case strings.HasPrefix(word, "if"):
				depths = append(depths, outside)
			case strings.HasPrefix(word, "el") && len(depths) > 0:
				outside = depths[len(depths)-1]
			case strings.HasPrefix(word, "endif") && len(depths) > 0:
				depths = depths[:len(depths)-1]
			}
			if strings.HasPrefix(word, "if") || strings.HasPrefix(word, "elif") {
				if end := strings.IndexByte(rest, '\n'); end > maxCondition || end < 0 && len(rest) > maxCondition {
					return line, i - start + 1, fmt.Sprintf("a condition of more than %d bytes", maxCondition)
				}
			}
			if len(depths) > maxNesting {
				return line, i - start + 1, fmt.Sprintf("#if nests more than %d deep", maxNesting)
			}
		case c == '(' || c == '[' || c == '{':
			if depth++; depth > maxNesting {
				return line, i - start + 1, fmt.Sprintf("brackets nest more than %d deep", maxNesting)
			}
		case c == ')' || c == ']' || c == '}':
			depth = max(depth-1, 0)
		}
	}
	return 0, 0, ""
}

const maxCondition = 4_000

// literal returns the number of bytes after the quote of a string or a character on its line.
func literal(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i
		case '\n':
			return i - 1
		}
	}
	return len(text) - 1
}

// refuse records an error after which no more files are opened, up to MaxErrors.
func (in *inclusion) refuse(pos litmus.Pos, format string, args ...any) {
	if len(in.refused) < MaxErrors {
		in.refused = append(in.refused, litmus.Errorf(pos, format, args...))
	}
}

// dismiss records an error for a line that the parser skips, so that later errors are reported, too.
func (in *inclusion) dismiss(pos litmus.Pos, format string, args ...any) {
	if len(in.dismissed) < MaxErrors {
		in.dismissed = append(in.dismissed, litmus.Errorf(pos, format, args...))
	}
}

// blank follows each text, because the C parser's scanner fails on a backslash at the end of a file.
const blank = "\n\n"

// own is the first word of pragmas that the front end inserts.
const own = "litmuscope"

// openFile is the text of an opened file. It implements fs.File and fs.FileInfo.
type openFile struct {
	*strings.Reader
	name string
}

// Close implements fs.File.
func (f *openFile) Close() error { return nil }

// Stat implements fs.File.
func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }

// Name implements fs.FileInfo, as do the following methods.
func (f *openFile) Name() string { return f.name }

// Mode implements fs.FileInfo.
func (f *openFile) Mode() fs.FileMode { return 0o444 }

// ModTime implements fs.FileInfo.
func (f *openFile) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (f *openFile) IsDir() bool { return false }

// Sys implements fs.FileInfo.
func (f *openFile) Sys() any { return nil }
