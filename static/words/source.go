package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// ofGo returns the strings of a Go file. A sum of strings is one text.
func ofGo(name string, source []byte) ([]text, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(f) {
		return nil, nil
	}
	var out []text
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				out = appendDocs(out, name, files, n)
			}
			return false
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "MustCompile" || f.Sel.Name == "Compile") {
				return false
			}
		case *ast.BinaryExpr:
			if s, ok := sum(n); ok {
				if words(s) {
					out = append(out, text{name, files.Position(n.Pos()).Line, withoutVerbs(s)})
				}
				return false
			}
		case *ast.BasicLit:
			if s, ok := sum(n); ok && words(s) {
				out = append(out, text{name, files.Position(n.Pos()).Line, withoutVerbs(s)})
			}
		}
		return true
	})
	return out, nil
}

// appendDocs appends the description of a field of the REST interface.
func appendDocs(out []text, name string, files *token.FileSet, f *ast.Field) []text {
	tag, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return out
	}
	for _, key := range []string{"doc", "help"} {
		_, rest, ok := strings.Cut(tag, key+`:"`)
		if !ok {
			continue
		}
		for end := 0; end < len(rest); end++ {
			if rest[end] == '\\' {
				end++
			} else if rest[end] == '"' {
				if s, err := strconv.Unquote(`"` + rest[:end+1]); err == nil && words(s) {
					out = append(out, text{name, files.Position(f.Tag.Pos()).Line, s})
				}
				break
			}
		}
	}
	return out
}

// sum returns the text of a string, or of a sum of strings and other values; … marks a value that is not a literal.
func sum(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.ParenExpr:
		return sum(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, inLeft := sum(e.X)
		right, inRight := sum(e.Y)
		if !inLeft && !inRight {
			return "", false
		}
		if !inLeft {
			left = "…"
		}
		if !inRight {
			right = "…"
		}
		return left + right, true
	}
	return "", false
}
