package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ofInterfaces are methods whose contract is in the standard library.
var ofInterfaces = []string{
	"Close", "Error", "Format", "Len", "Less", "LogValue", "MarshalJSON", "MarshalText", "Pop", "Push", "Read",
	"ServeHTTP", "String", "Swap", "UnmarshalJSON", "UnmarshalText", "Unwrap", "Write",
}

// algorithms are folders whose files explain an algorithm: at least 12 % of their lines are comments.
var algorithms = []string{
	"litmus/c/cprog/elaborate", "litmus/c/cprog/orders", "litmus/c/cprog/run", "litmus/cycle", "litmus/lower",
	"models/evaluation", "models/relaxed", "models/play", "solver/axiomatic", "solver/axiomatic/encode",
	"solver/axiomatic/plan", "solver/axiomatic/relation", "solver/cdcl", "solver/graphs", "solver/graphs/consistency",
	"solver/graphs/explore", "solver/graphs/graph", "solver/machine", "solver/outcomes", "solver/sat",
	"solver/sequential",
	"solver/symbolic", "solver/synth", "solver/synth/distinguish", "solver/synth/executions", "solver/synth/fit",
	"solver/synth/hitting", "solver/synth/optimise", "web/drawing/layout",
}

// exportsMethods reports whether d is a function, or a method of an exported type.
func exportsMethods(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	name, ok := t.(*ast.Ident)
	return ok && name.IsExported()
}

// TestComments wants a comment on every exported name and on every function of more than 25 lines, and in every
// algorithm's folder one line of comment in eight.
func TestComments(t *testing.T) {
	lines, comments := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{"testdata", "node_modules", ".git"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, source, parser.ParseComments)
		if err != nil || ast.IsGenerated(f) {
			return err
		}
		lineOf := func(p token.Pos) int { return files.Position(p).Line }
		name := strings.TrimPrefix(filepath.ToSlash(path), root+"/")
		folder := filepath.ToSlash(filepath.Dir(name))
		lines[folder] += bytes.Count(source, []byte("\n"))
		for _, c := range f.Comments {
			comments[folder] += lineOf(c.End()) - lineOf(c.Pos()) + 1
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				n := lineOf(d.End()) - lineOf(d.Pos()) + 1
				exported := d.Name.IsExported() && exportsMethods(d)
				if d.Doc == nil && (n > 25 || exported && !slices.Contains(ofInterfaces, d.Name.Name)) {
					t.Errorf("%s:%d: %s, of %d lines, has no comment", name, lineOf(d.Pos()), d.Name.Name, n)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					var names []*ast.Ident
					commented := d.Doc != nil
					switch s := s.(type) {
					case *ast.TypeSpec:
						names, commented = []*ast.Ident{s.Name}, commented || s.Doc != nil || s.Comment != nil
					case *ast.ValueSpec:
						names, commented = s.Names, commented || s.Doc != nil || s.Comment != nil
					}
					for _, n := range names {
						if n.IsExported() && !commented {
							t.Errorf("%s:%d: %s has no comment", name, lineOf(n.Pos()), n.Name)
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range algorithms {
		if 100*comments[folder] < 12*lines[folder] {
			t.Errorf("%s: %d of %d lines are comments, want 12 %%", folder, comments[folder], lines[folder])
		}
	}
}
