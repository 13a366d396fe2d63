package c

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// tokenKind is the kind of a token.
type tokenKind int

const (
	endToken tokenKind = iota
	wordToken
	numberToken
	signToken // an operator or a bracket
	badToken
)

// token is a word, a number or a sign of a thread's text, with its position and its cell.
type token struct {
	kind tokenKind
	text string
	pos  litmus.Pos
	cell int
}

// signs lists the operators and brackets, the longest first.
var signs = []string{
	"<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
	"%=", "&=", "|=", "^=",
	"+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "?", ":", ",", ";", ".", "(", ")",
	"[", "]", "{", "}",
}

func isLetter(b byte) bool {
	return b == '_' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}
func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// lexAll splits a cell into tokens.
func lexAll(cell litmus.Cell) []token {
	text := cell.Text
	out := make([]token, 0, len(text)/4)        // usually enough
	line, column := cell.Pos.Line, cell.Pos.Col // column: a token's column on this line, minus its offset in text
	for i := 0; i < len(text); {
		start := i
		kind := badToken
		switch b := text[i]; {
		case b == ' ' || '\t' <= b && b <= '\r':
			i++
			if b == '\n' {
				line, column = line+1, 1-i
			}
			continue
		case isLetter(b):
			for i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
				i++
			}
			kind = wordToken
		case isDigit(b):
			for i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
				i++
			}
			kind = numberToken
		default:
			for _, s := range signs {
				if strings.HasPrefix(text[i:], s) {
					kind, i = signToken, i+len(s)
					break
				}
			}
			if kind == badToken {
				i++
			}
		}
		out = append(out,
			token{
				kind: kind, text: text[start:i],
				pos: litmus.Pos{File: cell.Pos.File, Line: line, Col: column + start},
			})
	}
	return out
}

// number reads a C integer constant with its suffixes. ok is false if the text is not one or needs more than 64 bits.
func number(text string) (v uint64, unsigned, ok bool) {
	digits := strings.TrimRight(text, "uUlL")
	v, err := strconv.ParseUint(strings.ReplaceAll(digits, "_", "?"), 0, 64) // Go allows _ between digits, C does not
	return v, strings.ContainsAny(text[len(digits):], "uU"), err == nil
}
