package read

import (
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// Several syntax errors at once. The parser stops at the first syntax error. To find others, the error is recorded and
// repaired in the text: by inserting the token that the parser expects, or by removing the statement with the error.
// The parser then reads the repaired text, until there are no more errors or a repair fails.
//
// A repaired text is only used to find more errors, so a wrong repair does no harm except for errors that it causes.
// Those are suppressed as far as they can be recognised: errors on a line that already has one, and undefined names
// that a removed statement may have declared. An undeclared type is repaired by declaring it, since the statements that
// use it are otherwise all wrong.

// maxMended is the maximum number of errors that are repaired.
const maxMended = 15

// lexeme is the range of a token in a text.
type lexeme struct{ from, to int }

// lexemes returns a text's lexemes except those of directives.
func lexemes(text string) []lexeme {
	var out []lexeme
	fresh := true // at the beginning of a line
	for i := 0; i < len(text); {
		rest := text[i:]
		c := text[i]
		from := i
		switch {
		case c == '\n':
			fresh = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || strings.HasPrefix(rest, "\\\n"):
			i++
			continue
		case strings.HasPrefix(rest, "//"):
			i += strings.IndexByte(rest+"\n", '\n')
			continue
		case strings.HasPrefix(rest, "/*"):
			i += 2 + strings.Index(rest[2:]+"*/", "*/") + 2
			continue
		case c == '#' && fresh:
			for i < len(text) && text[i] != '\n' {
				if text[i] == '\\' {
					i++
				}
				i++
			}
			continue
		case c == '"' || c == '\'':
			i += literal(rest) + 1
		case isWord(c):
			for i < len(text) && isWord(text[i]) {
				i++
			}
		default:
			i++
		}
		fresh = false
		out = append(out, lexeme{from, min(i, len(text))})
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// mending is a file's text while its errors are repaired.
type mending struct {
	texts    map[string]string // changed texts by file name
	inserted []litmus.Pos
	gone     map[string]bool // names in removed statements
}

// offset returns the byte offset of a position in a text, or -1.
func offset(text string, pos litmus.Pos) int {
	at := 0
	for range pos.Line - 1 {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			return -1
		}
		at += end + 1
	}
	if at += pos.Col - 1; pos.Line < 1 || pos.Col < 1 || at > len(text) {
		return -1
	}
	return at
}

// placeOf returns the position of a byte offset.
func placeOf(name, text string, at int) litmus.Pos {
	return litmus.Pos{
		File: name, Line: 1 + strings.Count(text[:at], "\n"),
		Col: at - strings.LastIndexByte(text[:at], '\n'),
	}
}

// original returns the position in the original text of a position in the repaired text.
func (m *mending) original(pos litmus.Pos) litmus.Pos {
	out := pos
	for _, i := range m.inserted {
		if i.File == pos.File && i.Line == pos.Line && i.Col < pos.Col {
			out.Col--
		}
	}
	return out
}

// mend repairs the text of the file with an error. It returns the error with a better position, and whether the repair
// succeeded.
func (m *mending) mend(bad *litmus.Error, text string) (*litmus.Error, bool) {
	at := offset(text, bad.Pos)
	if at < 0 {
		return bad, false
	}
	all := lexemes(text)
	here := slices.IndexFunc(all, func(l lexeme) bool { return l.to > at })
	if here < 0 {
		here = len(all)
	}
	want, ok := wanted(bad.Msg)
	if strings.HasSuffix(bad.Msg, ", expected external declaration") && here > 0 && isWord(text[all[here-1].to-1]) {
		want, ok = ";", true
	}
	if ok && here > 0 && here < len(all) {
		end := all[here-1].to
		pos := placeOf(bad.Pos.File, text, end)
		m.texts[bad.Pos.File] = text[:end] + want + text[end:]
		told := litmus.Errorf(m.original(pos), "got %s, want '%s' before it",
			quoted(text[all[here].from:all[here].to]), want).WithFix(m.original(pos), "", want)
		m.inserted = append(m.inserted, pos)
		return told, true
	}
	// Remove the statement.
	first, last := here, here
	for first > 0 && !strings.ContainsAny(text[all[first-1].from:all[first-1].to], ";{}") {
		first--
	}
	for last < len(all) && !strings.ContainsAny(text[all[last].from:all[last].to], ";{}") {
		last++
	}
	if first == last {
		return bad, false
	}
	blanked := []byte(text)
	for i := all[first].from; i < all[last-1].to; i++ {
		if blanked[i] != '\n' && blanked[i] != '\r' {
			blanked[i] = ' '
		}
	}
	for _, l := range all[first:last] {
		m.gone[text[l.from:l.to]] = true
	}
	m.texts[bad.Pos.File] = string(blanked)
	return bad, true
}

// undeclaredType returns the name and position of an undeclared type that causes an error.
func (m *mending) undeclaredType(bad *litmus.Error, text string) (string, litmus.Pos, bool) {
	at := offset(text, bad.Pos)
	if at < 0 {
		return "", bad.Pos, false
	}
	all := lexemes(text)
	here := slices.IndexFunc(all, func(l lexeme) bool { return l.to > at })
	if here < 0 {
		return "", bad.Pos, false
	}
	l, ok := undeclared(text, all, here)
	if !ok {
		return "", bad.Pos, false
	}
	return text[l.from:l.to], placeOf(bad.Pos.File, text, l.from), true
}

// wanted returns the separator that a message of the parser says is missing.
func wanted(msg string) (string, bool) {
	_, want, ok := strings.Cut(msg, ", expected '")
	if !ok {
		return "", false
	}
	want = strings.TrimSuffix(want, "'")
	return want, want == ";" || want == ")" || want == "]"
}

func quoted(token string) string {
	if isWord(token[0]) || len(token) > 3 {
		return token
	}
	return "'" + token + "'"
}

// mistakes returns all errors that can be found in a file, of which err is the parser's first.
func (in *inclusion) mistakes(f File, defines string, err error, at litmus.Pos) (all error) {
	m := &mending{texts: map[string]string{}, gone: map[string]bool{}}
	var told litmus.ErrorList
	defer func() {
		if r := recover(); r != nil { // of the parser, on a repaired text
			all = err
		}
	}()
	var ast *cc.AST
	lines := map[litmus.Pos]bool{} // lines with a reported error
	types := map[string]bool{}     // undeclared types that are reported
	for range maxMended {
		next := in.again(m.texts)
		var bad error
		ast, bad = cc.Parse(next.config(), next.sources(f, defines))
		if bad == nil {
			break
		}
		list := litmus.Errors(next.positioned(bad, at))
		if len(list) == 0 || list[0].Pos == in.last && len(told) > 0 {
			break
		}
		text, known := next.texts[list[0].Pos.File]
		if mended, ok := m.texts[list[0].Pos.File]; ok {
			text = mended
		}
		if !known {
			break
		}
		if name, at, ok := m.undeclaredType(list[0], text); ok && !types[name] {
			types[name] = true
			told = append(told, notDeclared(m.original(at), name))
			lines[litmus.Pos{File: at.File, Line: at.Line}] = true
			defines += "typedef long " + name + ";\n"
			continue
		}
		one, ok := m.mend(list[0], text)
		if !ok {
			told = append(told, one)
			break
		}
		if one == list[0] {
			one.Pos = m.original(one.Pos)
		}
		if line := (litmus.Pos{File: one.Pos.File, Line: one.Pos.Line}); !lines[line] {
			// otherwise the previous error causes it
			told = append(told, one)
			lines[line] = true
		}
		ast = nil
	}
	if ast == nil {
		if len(told) == 0 {
			return err
		}
		return told.Sorted()
	}
	next := in.again(m.texts)
	_, bad := cc.Translate(next.config(), next.sources(f, defines))
	names := append(in.misspelt(ast, m), twice(ast)...)
	for _, e := range names {
		e.Pos = m.original(e.Pos)
		lines[litmus.Pos{File: e.Pos.File, Line: e.Pos.Line}] = true
	}
	told = append(told, names...)
	if bad != nil {
		for _, e := range litmus.Errors(next.positioned(bad, at)) {
			e.Pos = m.original(e.Pos)
			name, undefined := strings.CutPrefix(e.Msg, "undefined: ")
			if lines[litmus.Pos{File: e.Pos.File, Line: e.Pos.Line}] || strings.Contains(e.Msg, "<invalid type>") ||
				undefined && m.gone[name] || e.Pos == at && len(told) > 0 {
				continue
			}
			told = append(told, e)
		}
	}
	if len(told) == 0 {
		return err
	}
	return told.Sorted()
}

// misspelt returns errors for the names in expressions that nothing declares.
func (in *inclusion) misspelt(ast *cc.AST, m *mending) litmus.ErrorList {
	var out litmus.ErrorList
	called := map[cc.Node]bool{}
	seen := map[litmus.Pos]bool{}
	EachTree(ast, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.AttributeSpecifier:
			return false
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionCall {
				called[n.PostfixExpression] = true
			}
		case *cc.PrimaryExpression:
			name := n.Token.SrcStr()
			if n.Case != cc.PrimaryExpressionIdent || m.gone[name] || declaredIn(n.LexicalScope(), name) ||
				seen[Place(n)] || len(out) >= MaxErrors || strings.HasPrefix(Place(n).File, BuiltIn) {
				return true
			}
			if called[n] && in.source.knows(name) || strings.HasPrefix(name, "__builtin_") ||
				strings.HasPrefix(name, "__func") {
				return true
			}
			seen[Place(n)] = true
			if declares()[name] != "" {
				out = append(out, notDeclared(Place(n), name))
				return true
			}
			out = append(out,
				litmus.Errorf(Place(n), "undefined: %s%s", name,
					litmus.DidYouMean(name, in.candidates(ast, n.LexicalScope()))))
		}
		return true
	})
	return out
}

// twice returns errors for labels that a function has more than once.
func twice(ast *cc.AST) litmus.ErrorList {
	var out litmus.ErrorList
	for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		before := map[string]litmus.Pos{}
		Walk(u.ExternalDeclaration, func(n cc.Node) bool {
			l, ok := n.(*cc.LabeledStatement)
			if !ok || l.Case != cc.LabeledStatementLabel || len(out) >= MaxErrors ||
				strings.HasPrefix(Place(l).File, BuiltIn) {
				return true
			}
			if at, ok := before[l.Token.SrcStr()]; ok {
				out = append(out, litmus.Errorf(Place(l), "label %s is already defined at %s", l.Token.SrcStr(), at))
			}
			before[l.Token.SrcStr()] = Place(l)
			return true
		})
	}
	return out
}

// declaredIn reports whether a scope, or one around it, declares a name.
func declaredIn(s *cc.Scope, name string) bool {
	for ; s != nil; s = s.Parent {
		if len(s.Nodes[name]) > 0 {
			return true
		}
	}
	return false
}

// candidates returns the names that a misspelt name may stand for.
func (in *inclusion) candidates(ast *cc.AST, s *cc.Scope) []string {
	names := maps.Clone(in.source.calls)
	if names == nil {
		names = map[string]bool{}
	}
	for name := range ast.Macros {
		names[name] = true
	}
	for ; s != nil; s = s.Parent {
		for name := range s.Nodes {
			names[name] = true
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)),
		func(name string) bool { return strings.HasPrefix(name, "__litmus") })
}
