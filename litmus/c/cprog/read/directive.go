package read

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// directives lists directives that the C parser's preprocessor does not know and ignores. The value "" means that the
// directive has no effect; other directives are rejected with the value as advice, and so are unknown ones.
var directives = map[string]string{
	"ident": "", "sccs": "", "warning": "",
	"import":   "use #include, and #pragma once in the file",
	"assert":   "use #define",
	"unassert": "use #undef",
	"embed":    "write the bytes as an array",
}

// ownDirectives lists the directives that the C parser's preprocessor implements.
var ownDirectives = strings.Fields(
	"if ifdef ifndef elif else endif include include_next define undef line error pragma")

var (
	directive = litmus.Pattern(`^([ \t]*#(?:[ \t]|/\*.*?\*/)*)(\w*)(.*)$`)
	firstName = litmus.Pattern(`^(?:[ \t]|/\*.*?\*/)*(\w+)`)
	// hasAttribute matches a test for an attribute, which the C parser cannot evaluate.
	hasAttribute = litmus.Pattern(`\b__has_attribute[ \t]*\([ \t]*(\w+)[ \t]*\)`)
	packArgs     = litmus.Pattern(`^[ \t]*pack[ \t]*\(([^()]*)\)[ \t]*(?://.*|/\*.*\*/[ \t]*)?$`)
)

// refuses and protects are pragmas that the front end inserts in place of a directive: it is unknown, or it defines a
// protected macro.
const refuses, protects = "refuse", "protect"

// directed rewrites the directives that the C parser's preprocessor does not know: those of C23 as older ones, and
// others as pragmas that reject them if they are reached. It does not change line numbers.
//
// Whether a directive is reached depends on conditions, which only the preprocessor evaluates. So an unsupported
// directive is not rejected here: it becomes a pragma, and the preprocessor calls the pragma handler (pragma) if it
// gets there. An unknown directive in a skipped part is no error, as for compilers.
func directed(name, text string) string {
	if !strings.Contains(text, "#") {
		return text
	}
	lines := strings.Split(text, "\n")
	packs := 0
	comment, continued := false, false
	refuse := func(i int, how, what string, continued bool) {
		tail := ""
		if continued {
			tail = " \\"
		}
		lines[i] = fmt.Sprintf("#pragma %s %s %d %s", own, how, strings.IndexByte(lines[i], '#')+1, what) + tail
	}
	for i, line := range lines {
		m := directive().FindStringSubmatch(line)
		if m == nil || comment || continued {
			comment, continued = endsInComment(line, comment), strings.HasSuffix(strings.TrimSuffix(line, "\r"), "\\")
			continue
		}
		comment, continued = endsInComment(line, false), strings.HasSuffix(strings.TrimSuffix(line, "\r"), "\\")
		word, rest := m[2], m[3]
		what, known := directives[word]
		switch {
		case word == "elifdef" || word == "elifndef":
			if of := firstName().FindStringSubmatchIndex(rest); of != nil {
				not := map[string]string{"elifdef": "", "elifndef": "!"}[word]
				lines[i] = m[1] + "elif " + not + "defined(" + rest[of[2]:of[3]] + ")" + rest[of[1]:]
			} else {
				lines[i] = m[1] + "elif" // #elifdef and #elifndef
			}
		case word == "define" || word == "undef":
			if of := firstName().FindStringSubmatch(rest); of != nil && slices.Contains(protected, of[1]) {
				refuse(i, protects, word+" "+of[1], continued)
			}
		case word == "if" || word == "elif":
			lines[i] = hasAttribute().ReplaceAllStringFunc(line, func(s string) string {
				_, known := attributes[bare(hasAttribute().FindStringSubmatch(s)[1])]
				return map[bool]string{true: " 1 ", false: " 0 "}[known]
			})
		case word == "pragma":
			if to, ok := packing(rest, &packs); ok {
				if to != "" {
					to += fmt.Sprintf("\n#line %d %q", i+2, name)
				}
				lines[i] = to
			}
		case word == "" || known && what == "" || word[0] >= '0' && word[0] <= '9':
			// the last are line markers
		case !known && slices.Contains(ownDirectives, word):
		default:
			refuse(i, refuses, word, continued)
		}
	}
	return strings.Join(lines, "\n")
}

// endsInComment reports whether a comment is open at the end of a line.
func endsInComment(line string, comment bool) bool {
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch {
		case comment:
			end := strings.Index(rest, "*/")
			if end < 0 {
				return true
			}
			i += end + 1
			comment = false
		case strings.HasPrefix(rest, "/*"):
			comment = true
			i++
		case strings.HasPrefix(rest, "//"):
			return false
		case rest[0] == '"' || rest[0] == '\'':
			i += literal(rest)
		}
	}
	return comment
}

// packing returns directives that have the effect of a #pragma pack on the structures that follow, or "" if it has no
// effect.
//
// The parser ignores #pragma pack. Its effect is that of an attribute on each structure that follows, so struct and
// union become macros that add the attribute. Push and pop are those of macros.
func packing(rest string, pushed *int) (string, bool) {
	m := packArgs().FindStringSubmatch(strings.TrimSuffix(rest, "\r"))
	if m == nil {
		return "", false
	}
	push, pop, width := false, false, 0
	for a := range strings.SplitSeq(m[1], ",") {
		a = strings.TrimSpace(a)
		n, err := strconv.Atoi(a)
		switch {
		case a == "push":
			push = true
		case a == "pop":
			pop = true
		case err == nil:
			width = n
		case a != "":
			return "", false
		}
	}
	var out []string
	if push {
		*pushed++
		out = append(out, `#pragma push_macro("struct")`, `#pragma push_macro("union")`)
	}
	if pop && *pushed > 0 {
		*pushed--
		out = append(out, "#undef struct", "#undef union", `#pragma pop_macro("struct")`, `#pragma pop_macro("union")`)
	}
	if width > 0 || !push && !pop {
		out = append(out, "#undef struct", "#undef union")
	}
	if width > 0 {
		for _, word := range []string{"struct", "union"} {
			out = append(out, fmt.Sprintf("#define %s %s __attribute__((%s(%d)))", word, word, packed, width))
		}
	}
	return strings.Join(out, "\n"), true
}

// pragmas are those that compilers know, by their first words: with "", they change nothing here; else they are
// refused.
var pragmas = map[string]string{
	"STDC": "", "message": "", "region": "", "endregion": "", "mark": "", "ident": "", "unroll": "", "nounroll": "",
	"ivdep": "", "inline": "", "noinline": "",
	"GCC diagnostic": "", "GCC optimize": "", "GCC push_options": "", "GCC pop_options": "", "GCC target": "",
	"GCC system_header": "",
	"GCC visibility":    "", "GCC ivdep": "", "GCC unroll": "", "GCC poison": "", "GCC dependency": "",
	"GCC warning":      "",
	"GCC novector":     "",
	"clang diagnostic": "", "clang loop": "", "clang optimize": "", "clang system_header": "",
	"clang assume_nonnull": "", "clang fp": "",
	"omp":                   "OpenMP is not supported: start threads with pthread_create",
	"pack":                  "write pack(push, 1), pack(pop) and the like on separate lines",
	"weak":                  "define each name once",
	"redefine_extname":      "use one name for each function",
	"scalar_storage_order":  "use the byte order of the architecture",
	"CPROVER check":         "choose the checked property with --property",
	"GCC error":             "",
	"clang attribute":       "write __attribute__ where it applies",
	"clang force_cuda_host": "write C",
}

// pragma heeds those that concern the reading, and refuses those that may change what the program means.
func (in *inclusion) pragma(tokens []cc.Token) error {
	if len(tokens) == 0 {
		return nil
	}
	at := tokens[0].Position()
	pos := litmus.Pos{File: at.Filename, Line: at.Line, Col: at.Column}
	if pos.File == "_Pragma_" { // cc keeps no place of the operator
		pos = in.operator(tokens[0].SrcStr())
	}
	word := func(i int) string {
		if i < len(tokens) {
			return tokens[i].SrcStr()
		}
		return ""
	}
	switch {
	case word(0) == "once":
		if in.once[pos.File] {
			return cc.SkipSource
		}
		if in.once == nil {
			in.once = map[string]bool{}
		}
		in.once[pos.File] = true
		return nil
	case word(0) == own && word(1) == "entered":
		if in.opened++; in.opened > maxIncludes {
			in.refuse(litmus.Pos{File: pos.File, Line: 1, Col: 1},
				"more than %d files are included: this file seems to include itself", maxIncludes)
			return cc.SkipSource
		}
		return nil
	case word(0) == own && word(1) == protects:
		pos.Col, _ = strconv.Atoi(word(2))
		in.dismiss(pos, "#%s %s: C does not let programs define or undefine this macro; use -D or -U", word(3), word(4))
		return nil
	case word(0) == own && word(1) == refuses:
		pos.Col, _ = strconv.Atoi(word(2))
		what := directives[word(3)]
		if what == "" {
			what = "use a directive of C or a known one of GCC"
			if near := litmus.Nearest(word(3),
				append([]string{"elifdef", "elifndef", "warning"}, ownDirectives...)); near != "" {
				what = "did you mean #" + near + "?"
			}
		}
		in.dismiss(pos, "#%s is not supported: %s", word(3), what)
		return nil
	}
	name := word(0)
	what, known := pragmas[name]
	if !known {
		name += " " + word(1)
		what, known = pragmas[name]
	}
	switch {
	case name == "GCC error":
		in.dismiss(pos, "#pragma GCC error %s", word(2))
	case !known:
		in.dismiss(pos, "#pragma %s is unknown: remove it if it has no effect", strings.TrimSpace(name))
	case what != "":
		in.dismiss(pos, "#pragma %s is not supported: %s", name, what)
	}
	return nil
}

// operator is where a text says _Pragma of what begins with a word.
func (in *inclusion) operator(word string) litmus.Pos {
	form := regexp.MustCompile(`_Pragma\s*\(\s*L?"\s*` + regexp.QuoteMeta(word))
	for _, name := range in.names {
		if i := form.FindStringIndex(in.texts[name]); i != nil {
			before := in.texts[name][:i[0]]
			return litmus.Pos{
				File: name, Line: 1 + strings.Count(before, "\n"),
				Col: i[0] - strings.LastIndexByte(before, '\n'),
			}
		}
	}
	return litmus.Pos{File: in.source.Files[0].Name, Line: 1, Col: 1}
}
