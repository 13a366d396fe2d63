package language

import (
	"slices"
	"strings"
)

// scopes finds what each name of a C program means, from the tokens alone: a program is half written most of the time,
// so that its parser would often say nothing. A name is looked up in the blocks around it, as C does; a declaration
// begins a statement with a type, a qualifier or a name that typedef has made one. Names are of four kinds, which C
// keeps apart: ordinary ones, tags of structs, members, and labels. A member is known by its name alone, so that
// members of one name in two structs count as one.
type scopes struct {
	text   string
	tokens []token // what stands there, without comments, as the document's own
	at     int

	blocks   []block
	last     int // the number of the block that was opened last
	function int // the number of the function's block, for labels
	typedefs map[string]bool
	macros   map[string]bool
}

// block is a scope: names declared in it, so far.
type block struct {
	number int
	names  map[string]bool
}

// fileScope is the number of the file's block. A name of block 0 is declared nowhere in the file.
const fileScope = 1

var specifiers = setOf(
	strings.Fields(
		`typedef extern static auto register inline _Noreturn _Thread_local thread_local const volatile restrict
	_Atomic struct union enum signed unsigned long short int char void float double _Bool bool`), false)

// resolveProgram gives the names among a program's tokens their meanings.
func resolveProgram(text string, tokens []token) {
	s := &scopes{text: text, typedefs: map[string]bool{}, macros: map[string]bool{}}
	var where []int
	for i, t := range tokens {
		if t.kind != comment {
			s.tokens, where = append(s.tokens, t), append(where, i)
		}
	}
	s.open()
	for s.at < len(s.tokens) {
		s.statement()
	}
	atFile := s.blocks[0].names
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.of.space == programNames && t.of.thread == 0 && (atFile[t.of.name] || s.macros[t.of.name]) {
			t.of.thread = fileScope // it is declared further down
		}
		tokens[where[i]] = *t
	}
}

func (s *scopes) open() {
	s.last++
	s.blocks = append(s.blocks, block{s.last, map[string]bool{}})
}

func (s *scopes) close() {
	if len(s.blocks) > 1 {
		s.blocks = s.blocks[:len(s.blocks)-1]
	}
}

func (s *scopes) word(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.text[s.tokens[i].from:s.tokens[i].to]
}

func (s *scopes) is(text string) bool { return s.word(s.at) == text }

// isName tells a name that somebody may have given.
func (s *scopes) isName(i int) bool {
	return i >= 0 && i < len(s.tokens) && (s.tokens[i].of.space == programNames || s.tokens[i].kind == typeName &&
		!specifiers[s.word(i)])
}

func (s *scopes) declare(i int) {
	name := s.word(i)
	b := s.blocks[len(s.blocks)-1]
	b.names[name] = true
	s.tokens[i].of, s.tokens[i].defines = symbol{programNames, b.number, name}, true
}

// use looks a name up.
func (s *scopes) use(i int) {
	if !s.isName(i) {
		return
	}
	name := s.word(i)
	switch before := s.word(i - 1); {
	case before == "." || before == ">" && s.word(i-2) == "-" || before == "->":
		s.tokens[i].of = symbol{members, 0, name}
		return
	case before == "struct" || before == "union" || before == "enum":
		s.tokens[i].of = symbol{structTags, 0, name}
		return
	case before == "goto":
		s.tokens[i].of = symbol{labels, s.function, name}
		return
	}
	of := symbol{programNames, 0, name}
	for _, b := range slices.Backward(s.blocks) {
		if b.names[name] {
			of.thread = b.number
			break
		}
	}
	if of.thread == 0 && s.tokens[i].kind == typeName && !s.typedefs[name] {
		return // the language's, or a header's
	}
	s.tokens[i].of = of
}

// statement passes a declaration, or whatever is up to the next place where one may begin.
func (s *scopes) statement() {
	switch {
	case s.tokens[s.at].kind == keyword && strings.HasPrefix(s.word(s.at), "#"):
		s.directive()
	case s.is("{"):
		s.at++
		s.open()
	case s.is("}"):
		s.at++
		s.close()
	case s.is(";"):
		s.at++
	case s.is("for") && s.word(s.at+1) == "(":
		s.forLoop()
	case s.isName(s.at) && s.word(s.at+1) == ":" && s.function > 0:
		s.tokens[s.at].of, s.tokens[s.at].defines = symbol{labels, s.function, s.word(s.at)}, true
		s.at += 2
	case s.beginsDeclaration():
		s.declaration()
	default:
		s.expression()
	}
}

// forLoop opens a block for what its head declares, which ends with its body.
func (s *scopes) forLoop() {
	s.at += 2
	s.open()
	if s.at < len(s.tokens) && s.beginsDeclaration() {
		s.declaration()
	}
	for depth := 1; s.at < len(s.tokens) && depth > 0; s.at++ {
		switch {
		case s.is("("):
			depth++
		case s.is(")"):
			depth--
		case s.isName(s.at):
			s.use(s.at)
		}
	}
	s.body()
	s.close()
}

// body passes one statement, a block being one.
func (s *scopes) body() {
	if s.at >= len(s.tokens) {
		return
	}
	if !s.is("{") {
		s.statement()
		return
	}
	for depth := len(s.blocks); s.at < len(s.tokens); {
		s.statement()
		if len(s.blocks) <= depth {
			return
		}
	}
}

// directive passes a preprocessor's line: what #define gives a name is the file's, and names in its text are whatever
// they are where it is used.
func (s *scopes) directive() {
	end := strings.IndexByte(s.text[s.tokens[s.at].from:], '\n')
	if end < 0 {
		end = len(s.text)
	} else {
		end += s.tokens[s.at].from
	}
	for end < len(s.text) && strings.HasSuffix(strings.TrimRight(s.text[:end], "\r"), "\\") {
		n := strings.IndexByte(s.text[end+1:], '\n')
		if n < 0 {
			end = len(s.text)
			break
		}
		end += 1 + n
	}
	defines := strings.HasSuffix(s.word(s.at), "define")
	for s.at++; s.at < len(s.tokens) && s.tokens[s.at].from < end; s.at++ {
		if !s.isName(s.at) {
			continue
		}
		s.tokens[s.at].of = symbol{inMacros, 0, s.word(s.at)}
		if defines {
			name := s.word(s.at)
			s.macros[name] = true
			s.tokens[s.at].of, s.tokens[s.at].defines = symbol{programNames, fileScope, name}, true
			defines = false
		}
	}
}

// beginsDeclaration tells whether a declaration stands at the cursor.
func (s *scopes) beginsDeclaration() bool {
	word := s.word(s.at)
	switch {
	case specifiers[word]:
		return true
	case s.isName(s.at) && s.typedefs[word], s.tokens[s.at].kind == typeName:
		return s.word(s.at+1) != "(" || s.word(s.at+2) == "*"
	case word == "_Static_assert" || !s.isName(s.at):
		return false
	}
	next := s.at + 1 // a type of a header's: NAME NAME, or NAME *NAME = …
	stars := 0
	for s.word(next) == "*" || s.word(next) == "const" {
		next++
		stars++
	}
	if !s.isName(next) {
		return false
	}
	behind := s.word(next + 1)
	return stars == 0 && (behind == "" || strings.Contains("=;,[()", behind)) || stars > 0 &&
		(behind == "=" || behind == ";" && len(s.blocks) == 1)
}

// declaration passes specifiers and declarators, or a function with its body's brace.
func (s *scopes) declaration() {
	isTypedef := false
	typed := false
	for ; s.at < len(s.tokens); s.at++ {
		word := s.word(s.at)
		switch {
		case word == "typedef":
			isTypedef = true
			continue
		case word == "struct" || word == "union" || word == "enum":
			s.record(word == "enum")
			s.at--
			typed = true
			continue
		case word == "_Atomic" && s.word(s.at+1) == "(" || word == "_Alignas" || word == "__attribute__" ||
			word == "typeof" || word == "__typeof__":
			s.at++
			s.parentheses()
			s.at--
			typed = typed || word != "_Alignas" && word != "__attribute__"
			continue
		case specifiers[word]:
			typed = typed ||
				!slices.Contains(
					[]string{
						"extern", "static", "auto", "register", "inline", "const", "volatile", "restrict",
						"_Atomic", "_Noreturn", "_Thread_local", "thread_local",
					}, word)
			continue
		case !typed && s.isName(s.at):
			s.use(s.at)
			typed = true
			continue
		}
		break
	}
	for s.at < len(s.tokens) {
		name := s.declarator()
		if name >= 0 {
			s.declare(name)
			if isTypedef {
				s.typedefs[s.word(name)] = true
			}
		}
		if s.is("(") {
			s.open()
			s.parameters()
			for s.word(s.at) == "__attribute__" {
				s.at++
				s.parentheses()
			}
			if s.is("{") {
				s.at++ // the body is the parameters' block
				if len(s.blocks) == 2 {
					s.function = s.last
				}
				return
			}
			s.close()
		}
		for s.at < len(s.tokens) && !s.is(",") && !s.is(";") && !s.is("}") && !s.is(")") {
			s.operand()
		}
		if !s.is(",") {
			break
		}
		s.at++
	}
	if s.is(";") {
		s.at++
	}
}

// declarator passes stars and brackets up to the name that is declared, and gives it: -1 for none. A pointer to a
// function has it in brackets of its own.
func (s *scopes) declarator() int {
	inner := 0
	for ; s.at < len(s.tokens); s.at++ {
		switch word := s.word(s.at); {
		case word == "(":
			inner++
			continue
		case word == "*" || specifiers[word] && word != "struct":
			continue
		}
		break
	}
	if !s.isName(s.at) {
		return -1
	}
	name := s.at
	s.at++
	for inner > 0 && s.at < len(s.tokens) {
		switch {
		case s.is(")"):
			inner--
			s.at++
		case s.is("["):
			s.operand()
		default:
			return name
		}
		if inner == 0 && s.is("(") { // what the function that it points to takes
			s.parentheses()
		}
	}
	return name
}

// parameters passes a function's, which are declared in the block that was opened for them.
func (s *scopes) parameters() {
	s.at++
	for s.at < len(s.tokens) && !s.is(")") {
		start := s.at
		typed := false
		for ; s.at < len(s.tokens) && (specifiers[s.word(s.at)] || s.isName(s.at) && !typed); s.at++ {
			word := s.word(s.at)
			switch {
			case word == "struct" || word == "union" || word == "enum":
				s.at++
				s.use(s.at)
				typed = true
			case word == "_Atomic" && s.word(s.at+1) == "(":
				s.at++
				s.parentheses()
				s.at--
				typed = true
			case s.isName(s.at):
				s.use(s.at)
				typed = true
			default:
				typed = typed ||
					!slices.Contains([]string{"const", "volatile", "register", "restrict", "_Atomic"}, word)
			}
		}
		if name := s.declarator(); name >= 0 {
			s.declare(name)
		}
		for s.at < len(s.tokens) && !s.is(",") && !s.is(")") {
			s.operand()
		}
		if s.is(",") || s.at == start {
			s.at++
		}
	}
	s.at++
}

// record passes struct, union or enum with its tag and its members.
func (s *scopes) record(isEnum bool) {
	s.at++
	if s.isName(s.at) {
		s.tokens[s.at].of = symbol{structTags, 0, s.word(s.at)}
		s.tokens[s.at].defines = s.word(s.at+1) == "{"
		s.at++
	}
	if !s.is("{") {
		return
	}
	s.at++
	for s.at < len(s.tokens) && !s.is("}") {
		if isEnum {
			if s.isName(s.at) {
				s.declare(s.at)
				s.at++
			}
			for s.at < len(s.tokens) && !s.is(",") && !s.is("}") {
				s.operand()
			}
			if s.is(",") {
				s.at++
			}
			continue
		}
		s.member()
	}
	s.at++
}

// member passes one declaration of members: they are declared in a block of their own, and then made members.
func (s *scopes) member() {
	from := s.at
	s.open()
	number := s.last
	s.declaration()
	s.close()
	for i := from; i < s.at && i < len(s.tokens); i++ {
		if t := &s.tokens[i]; t.of.space == programNames && t.of.thread == number && t.defines {
			t.of = symbol{members, 0, t.of.name}
		}
	}
	s.at = max(s.at, from+1)
}

// expression passes what is no declaration, up to the end of a statement or the brackets of its head.
func (s *scopes) expression() {
	for s.at < len(s.tokens) {
		switch {
		case s.is(";"):
			s.at++
			return
		case s.is("{"), s.is("}"), s.tokens[s.at].kind == keyword && strings.HasPrefix(s.word(s.at), "#"):
			return
		case s.is("else"), s.is("do"):
			s.at++
			return
		case s.is("if"), s.is("while"), s.is("switch"):
			s.at++
			s.parentheses()
			return
		case s.is("case"), s.is("default"):
			for s.at < len(s.tokens) && !s.is(":") && !s.is(";") {
				s.operand()
			}
			s.at++
			return
		}
		s.operand()
	}
}

// operand passes a token, or brackets with what is in them.
func (s *scopes) operand() {
	switch {
	case s.is("("), s.is("["), s.is("{"):
		s.parentheses()
	default:
		if s.isName(s.at) {
			s.use(s.at)
		}
		s.at++
	}
}

// parentheses passes a bracket up to the one that closes it. A block in them is an expression of GNU's.
func (s *scopes) parentheses() {
	if s.at >= len(s.tokens) {
		return
	}
	open := s.word(s.at)
	closing := map[string]string{"(": ")", "[": "]", "{": "}"}[open]
	if closing == "" {
		return
	}
	s.at++
	if open == "(" && s.is("{") {
		s.body()
	}
	for s.at < len(s.tokens) && !s.is(closing) {
		if s.is(";") && open != "{" {
			return // one that is not closed ends with the statement
		}
		if s.is("}") {
			return
		}
		s.operand()
	}
	s.at++
}
