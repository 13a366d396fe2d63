package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The file is as "go run ./static/scripttypes" writes it.
func TestServerTypesAreFresh(t *testing.T) {
	got, err := generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../" + written)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is stale: run go run ./static/scripttypes", written)
	}
}

func TestDeclarations(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"tags": {`
			type T struct {
				Name   string            ` + "`json:\"name\"`" + `
				Left   *float64          ` + "`json:\"left,omitempty\" doc:\"in seconds\"`" + `
				None   *int              ` + "`json:\"none\"`" + `
				Gone   string            ` + "`json:\"-\"`" + `
				Two    [2]int
				Named  map[string][]bool ` + "`json:\"by-name\"`" + `
				hidden int
			}`, `
interface T {
  name: string;
  left?: number; // in seconds
  none: number | null;
  Two: [number, number];
  "by-name": Record<string, boolean[]>;
}
`},
		"comments": {`
			// T says
			// what it is. ` + `
			type T struct {
				// A is
				// the first.
				A int
				B int // the second
			}`, `
/** T says what it is. */
interface T {
  /** A is the first. */
  A: number;
  B: number; // the second
}
`},
		"embedded": {`
			type Inner struct {
				A int    ` + "`json:\"a\"`" + `
				B string ` + "`json:\"b,omitempty\"`" + `
			}
			type T struct {
				Inner
				A string ` + "`json:\"a,omitempty\"`" + `
			}`, `
interface T {
  a?: string;
  b?: string;
}
`},
		"others": {`
			type Kind string
			const (
				Last  Kind = "last"
				First Kind = "first"
			)
			type other struct{ Of []*T }
			type T struct {
				Kinds []Kind
				Other other
			}`, `
interface T {
  Kinds: ("first" | "last")[];
  Other: Other;
}

interface Other {
  Of: T[];
}
`},
		"generic": {`
			type pair[X any] struct{ A, B X }
			type T = pair[string]`, `
interface T {
  A: string;
  B: string;
}
`},
		"own JSON": {`
			type State []string
			func (State) MarshalJSON() ([]byte, error) { return nil, nil }
			type T struct{ Of []State }`, `
interface T {
  Of: Record<string, string>[];
}
`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := declarations(t, c.source)
			if err != nil {
				t.Fatal(err)
			}
			if got = strings.TrimPrefix(got, header); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestNoType(t *testing.T) {
	for source, want := range map[string]string{
		"type T struct { A any }":    "any has no type in scripts",
		"type T struct { A func() }": "func() has no type in scripts",
		"type T struct {}; func (*T) MarshalJSON() ([]byte, error) { return nil, nil }": "T has MarshalJSON",
	} {
		_, err := declarations(t, source)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", source, err, want)
		}
	}
}

// declarations declares the type T of a source.
func declarations(t *testing.T, source string) (string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "source.go")
	if err := os.WriteFile(name, []byte("package p\n"+source), 0o644); err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := new(types.Config).Check("p", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(map[string]string{"p.State": "Record<string, string>"}, files)
	w.root("T", checked.Scope().Lookup("T"), "")
	return w.text()
}
