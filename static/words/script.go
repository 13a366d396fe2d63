package main

import (
	"strings"
	"unicode"
)

// ofScript returns the strings of a script. It recognises only comments, strings, templates and regular expressions.
// The sign before a slash decides whether the slash begins a regular expression or is a division.
func ofScript(name string, source []byte) ([]text, error) {
	s := &script{name: name, src: []rune(string(source)), line: 1}
	s.code("")
	return s.out, nil
}

type script struct {
	name   string
	src    []rune
	at     int
	line   int
	before rune // the last sign that was not a blank
	out    []text
}

func (s *script) next() rune {
	if s.at >= len(s.src) {
		return 0
	}
	r := s.src[s.at]
	s.at++
	if r == '\n' {
		s.line++
	}
	return r
}

func (s *script) has(prefix string) bool {
	return strings.HasPrefix(string(s.src[s.at:min(len(s.src), s.at+len(prefix))]), prefix)
}

// code reads to the closing sign, which ends an expression within a template, or to the end of the script.
func (s *script) code(closing string) {
	depth := 0
	for s.at < len(s.src) {
		switch {
		case s.has("//"):
			for s.at < len(s.src) && s.src[s.at] != '\n' {
				s.at++
			}
			continue
		case s.has("/*"):
			for s.at < len(s.src) && !s.has("*/") {
				s.next()
			}
			s.at += 2
			continue
		}
		r := s.next()
		switch {
		case r == '"' || r == '\'':
			s.quoted(r)
		case r == '`':
			s.template()
		case r == '/' && !unicode.IsLetter(s.before) && !unicode.IsDigit(s.before) &&
			!strings.ContainsRune(")]}_$", s.before):
			s.pattern()
		case r == '{':
			depth++
		case r == '}':
			if depth == 0 && closing != "" {
				return
			}
			depth--
		}
		if !unicode.IsSpace(r) {
			s.before = r
		}
	}
}

func (s *script) take(line int, w string) {
	if words(w) {
		s.out = append(s.out, text{s.name, line, w})
	}
}

func (s *script) quoted(end rune) {
	var b strings.Builder
	line := s.line
	for r := s.next(); r != end && r != 0 && r != '\n'; r = s.next() {
		if r == '\\' {
			if r = s.next(); r == 'n' {
				r = '\n'
			}
		}
		b.WriteRune(r)
	}
	s.take(line, b.String())
	s.before = 'a'
}

func (s *script) template() {
	var b strings.Builder
	line := s.line
	for r := s.next(); r != '`' && r != 0; r = s.next() {
		switch {
		case r == '\\':
			r = s.next()
			if r == 'n' {
				r = '\n'
			}
			b.WriteRune(r)
		case r == '$' && s.has("{"):
			s.next()
			b.WriteString("…")
			s.code("}")
		default:
			b.WriteRune(r)
		}
	}
	s.take(line, b.String())
	s.before = 'a'
}

func (s *script) pattern() {
	class := false
	for r := s.next(); r != 0 && r != '\n' && (class || r != '/'); r = s.next() {
		switch r {
		case '\\':
			s.next()
		case '[':
			class = true
		case ']':
			class = false
		}
	}
	s.before = 'a'
}
