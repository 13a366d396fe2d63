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

// headers are what programs may include without bringing it.
//
//go:embed headers
var headers embed.FS

// prelude comes before every file.
//
//go:embed prelude.h
var prelude string

// strange are headers that programs include and that are not built in, with what to do.
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

// EachHeader calls f on all that is built in, and last on what is known without a header, which has no name.
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

// HeadersKey is a hash of all that is built in.
var HeadersKey = sync.OnceValue(func() string {
	h := sha256.New()
	EachHeader(func(name, text string) { fmt.Fprintf(h, "%d:%s%d:%s", len(name), name, len(text), text) })
	return hex.EncodeToString(h.Sum(nil))
})

// IsKernels tells headers of the Linux kernel's from others.
func IsKernels(header string) bool {
	return header == "lkmm.h" || strings.HasPrefix(header, "linux/") && !isUsers(header) ||
		strings.HasPrefix(header, "asm/")
}

// BuiltInHeaders are their names, as programs include them.
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

// BuiltIn is the folder that the headers seem to be in.
const BuiltIn = "<built-in>"

// inclusion is one reading of a translation unit: the files that cc may open, which are the
// program's and the headers. It implements fs.FS.
type inclusion struct {
	source    reading
	size      int
	opened    int
	once      map[string]bool
	refused   litmus.ErrorList    // what cc would not pass on
	dismissed litmus.ErrorList    // lines that it has passed over, and that are refused
	last      litmus.Pos          // where the file ends
	edits     []map[string][]edit // each to what those before it make of the files
	mended    map[string]string   // texts in place of the files' own
	hidden    map[string]bool     // names of headers that the program has for itself
	// directives: cc is shown the lines of the preprocessor alone.
	directives bool
	kernel     bool     // a header of the kernel's was opened
	names      []string // of the files that were opened
	texts      map[string]string
}

// again is for another reading of the same, with texts in place of some files' own.
func (in *inclusion) again(mended map[string]string) *inclusion {
	return &inclusion{source: in.source, last: in.last, edits: in.edits, mended: mended, hidden: in.hidden}
}

// shown is what cc sees of a file.
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
		n++ // of one function, labels are different
		return fmt.Sprintf("%s%d:", Async, n)
	})
}

// edited is the text of a file with all edits.
func (in *inclusion) edited(name, text string) string {
	for _, e := range in.edits {
		text = edited(text, e[name])
	}
	return text
}

// floatType declares what is a keyword here and not in C, as headers do for clang.
var floatType = litmus.Pattern(`\btypedef (?:float|double|long double) _Float\d+x?;`)

// Async begins the labels by which CBMC starts a thread that does a statement.
const Async = "__CPROVER_ASYNC_"

var asyncLabel = litmus.Pattern(`\b` + Async + `\w*\s*:`)

func (in *inclusion) config() *cc.Config {
	dirs := append(append([]string{}, in.source.Dirs...), BuiltIn)
	return &cc.Config{
		ABI: in.source.ABI.layout(), FS: in, FSOnly: true, ExpansionLimit: maxExpansion,
		IncludePaths: append([]string{""}, dirs...), SysIncludePaths: dirs,
		PragmaHandler: in.pragma,
		HasBuiltin:    in.source.knows,
	}
}

func (in *inclusion) sources(f File, defines string) []cc.Source {
	return []cc.Source{
		{Name: predefined, Value: in.predefined()},
		{Name: BuiltIn + "/prelude.h", Value: in.without(prelude)},
		{Name: BuiltIn + "/defines", Value: defines},
		{Name: f.Name, Value: entered + in.shown(f.Name, f.Text) + blank},
		{Name: end, Value: trailer()},
	}
}

// entered begins every file of the program, the first one too: cc bounds no inclusion, reads each file once, and calls
// the pragma's handler each time that the file is included.
const entered = "#pragma " + own + " entered\n#line 1\n"

// predefined names the text in which cc lets a macro of [protected] be defined: it goes by this name.
const predefined = "<predefined>"

// predefined are the directives that define what the machine's compiler predefines.
func (in *inclusion) predefined() string {
	lines, err := in.source.Macros()
	if err != nil {
		panic("BUG: " + err.Error()) // definitions has read them
	}
	return strings.Join(slices.Concat(fixedTime, computedMacros, lines), "\n") + "\n"
}

// end names what comes behind every file: functions in which there is all that cc's parser may look for when
// it has lost its way. At the end of all it would look for ever.
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

// header opens one that is built in.
func (in *inclusion) header(name string) (fs.File, error) {
	name = path.Join("headers", path.Clean("/"+name))
	text, err := headers.ReadFile(name)
	in.kernel = in.kernel || err == nil && IsKernels(strings.TrimPrefix(name, "headers/"))
	if err != nil || len(in.hidden) == 0 {
		return headers.Open(name)
	}
	return &openFile{Reader: strings.NewReader(in.without(string(text))), name: path.Base(name)}, nil
}

// without is a text of the front end's own without what the program has for itself.
func (in *inclusion) without(text string) string {
	for own := range in.hidden {
		text = regexp.MustCompile(`\b`+own+`\(`).ReplaceAllString(text, "__litmus_"+own+"(")
	}
	return text
}

// text is that of a file of the program.
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
	defer func() { _ = f.Close() }() // it was read only
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fs.ErrNotExist
	}
	text, err := io.ReadAll(io.LimitReader(f, maxText+1))
	return string(text), err
}

// note refuses a file by its text: what it adds to the size, and how deep its brackets nest,
// for the preprocessor descends into them, too.
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

// tooDeep finds where brackets or conditions of a text nest deeper than the preprocessor
// is let descend.
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

// literal is how many bytes follow the quote of a string or a character on its line.
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

func (in *inclusion) refuse(pos litmus.Pos, format string, args ...any) {
	if len(in.refused) < MaxErrors {
		in.refused = append(in.refused, litmus.Errorf(pos, format, args...))
	}
}

// dismiss passes over a line that is refused: what is wrong behind it is told, too.
func (in *inclusion) dismiss(pos litmus.Pos, format string, args ...any) {
	if len(in.dismissed) < MaxErrors {
		in.dismissed = append(in.dismissed, litmus.Errorf(pos, format, args...))
	}
}

// blank comes behind each text: cc's scanner does not survive a backslash at the end of a file.
const blank = "\n\n"

// own begins the pragmas that the front end itself puts into a text.
const own = "litmuscope"

// openFile is the text of a file that was opened.
type openFile struct {
	*strings.Reader
	name string
}

func (f *openFile) Close() error               { return nil }
func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openFile) Name() string               { return f.name }
func (f *openFile) Mode() fs.FileMode          { return 0o444 }
func (f *openFile) ModTime() time.Time         { return time.Time{} }
func (f *openFile) IsDir() bool                { return false }
func (f *openFile) Sys() any                   { return nil }
