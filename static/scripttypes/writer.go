package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// header begins the file.
const header = `// What the server sends scripts in JSON. Written by "go run ./static/scripttypes" from the Go types
// that handlers encode: change those. Handlers send no nil lists and maps, which would be null.
`

// writer collects the declarations of types. It declares each named Go type once.
type writer struct {
	own     map[string]string           // the JSON of some types, by package and name
	files   *token.FileSet              // of all types
	names   map[*types.TypeName]string  // in scripts
	by      map[string]*types.TypeName  // … the other way round
	queue   []declared                  // declarations still to be written
	sources map[string]map[int]comments // by file name and line
	err     error                       // the first
}

// declared is a type to declare.
type declared struct {
	name  string
	of    *types.TypeName
	typ   types.Type
	comes string
}

func newWriter(own map[string]string, files *token.FileSet) *writer {
	return &writer{
		own: own, files: files,
		names: map[*types.TypeName]string{}, by: map[string]*types.TypeName{}, sources: map[string]map[int]comments{},
	}
}

// root gives a type its name in scripts. An alias is written as its target, with its arguments.
func (w *writer) root(script string, o types.Object, comes string) {
	typ := types.Unalias(o.Type())
	of := o.(*types.TypeName)
	if n, ok := typ.(*types.Named); ok {
		of = n.Obj()
	}
	w.add(script, of, typ, comes)
}

func (w *writer) add(script string, of *types.TypeName, typ types.Type, comes string) {
	if other, taken := w.by[script]; taken && w.err == nil {
		w.err = fmt.Errorf("%s and %s are both called %s in scripts: give one a name in roots", other, of, script)
	}
	w.names[of], w.by[script] = script, of
	w.queue = append(w.queue, declared{script, of, typ, comes})
}

// text returns the declarations of all types: the roots in their order, then the types that they refer to.
func (w *writer) text() (string, error) {
	var b strings.Builder
	b.WriteString(header)
	for len(w.queue) > 0 && w.err == nil {
		d := w.queue[0]
		w.queue = w.queue[1:]
		w.declare(&b, d)
	}
	return b.String(), w.err
}

// declare writes one declaration: an interface for a struct, a type for anything else.
func (w *writer) declare(b *strings.Builder, d declared) {
	doc := w.commentsAt(d.of.Pos()).above
	if rest, ok := strings.CutPrefix(doc, d.of.Name()+" "); ok {
		doc = d.name + " " + rest
	}
	if d.comes != "" {
		doc = strings.TrimSpace(doc + " From: " + d.comes + ".")
	}
	fmt.Fprintln(b)
	document(b, "", doc)
	s, ok := d.typ.Underlying().(*types.Struct)
	if _, written := w.own[typeKey(d.of)]; written || !ok {
		fmt.Fprintf(b, "type %s = %s;\n", d.name, w.plain(d.of, d.typ))
		return
	}
	w.noMethods(d.of, d.typ)
	fmt.Fprintf(b, "interface %s {\n", d.name)
	for _, f := range w.fields(s) {
		said := w.commentsAt(f.at)
		if said == (comments{}) {
			said.behind = f.doc
		}
		document(b, "  ", said.above)
		if said.behind != "" {
			said.behind = " // " + said.behind
		}
		fmt.Fprintf(b, "  %s: %s;%s\n", f.name, w.of(f.typ), said.behind)
	}
	fmt.Fprintln(b, "}")
}

// document writes a comment in lines of at most 120 columns, if there is one.
func document(b *strings.Builder, indent, text string) {
	if text == "" {
		return
	}
	line := indent + "/**"
	for word := range strings.FieldsSeq(text + " */") {
		if len(line)+1+len(word) > 120 {
			fmt.Fprintln(b, line)
			line = indent + " *"
		}
		line += " " + word
	}
	fmt.Fprintln(b, line)
}

// field is a field of a TypeScript interface.
type field struct {
	name string // with "?" if the field may be absent
	typ  types.Type
	at   token.Pos
	doc  string // of its tag
}

// fields returns the fields of a struct as encoding/json writes them: the struct's own fields hide those of embedded
// structs.
func (w *writer) fields(s *types.Struct) []field {
	var out, inner []field
	for i := range s.NumFields() {
		f, tag := s.Field(i), reflect.StructTag(s.Tag(i))
		name, options, _ := strings.Cut(tag.Get("json"), ",")
		embedded, isStruct := f.Type().Underlying().(*types.Struct)
		switch {
		case name == "-":
			continue
		case f.Embedded() && name == "" && isStruct:
			inner = append(inner, w.fields(embedded)...)
			continue
		case !f.Exported():
			continue
		case name == "":
			name = f.Name()
		}
		typ := f.Type()
		optional := slices.Contains(strings.Split(options, ","), "omitempty") || strings.Contains(options, "omitzero")
		if p, ok := typ.(*types.Pointer); ok && optional {
			typ = p.Elem() // absent, never null
		}
		if !token.IsIdentifier(name) {
			name = strconv.Quote(name)
		}
		if optional {
			name += "?"
		}
		out = append(out, field{name, typ, f.Pos(), tag.Get("doc")})
	}
	for _, f := range inner {
		bare := strings.TrimSuffix(f.name, "?")
		if !slices.ContainsFunc(out, func(o field) bool { return strings.TrimSuffix(o.name, "?") == bare }) {
			out = append(out, f)
		}
	}
	return out
}

// of returns the TypeScript of a type. It queues the declaration of a named type that has none yet.
func (w *writer) of(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		o := t.Obj()
		if name, ok := w.names[o]; ok {
			return name
		}
		if own, ok := w.own[typeKey(o)]; ok {
			return own
		}
		if _, ok := t.Underlying().(*types.Struct); ok {
			name := strings.ToUpper(o.Name()[:1]) + o.Name()[1:]
			w.add(name, o, t, "")
			return name
		}
		return w.plain(o, t)
	case *types.Pointer:
		return w.of(t.Elem()) + " | null"
	case *types.Slice:
		if b, ok := t.Elem().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return "string" // in base64
		}
		return w.elements(t.Elem())
	case *types.Array:
		return "[" + strings.Join(slices.Repeat([]string{w.of(t.Elem())}, int(t.Len())), ", ") + "]"
	case *types.Map:
		return "Record<string, " + w.of(t.Elem()) + ">"
	case *types.Basic:
		return w.basic(t)
	}
	return w.wrong("%s has no type in scripts", t)
}

// elements returns the TypeScript of a list. Lists of pointers contain no nil pointers.
func (w *writer) elements(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	of := w.of(t)
	if strings.Contains(of, "|") {
		of = "(" + of + ")"
	}
	return of + "[]"
}

// plain returns the TypeScript of a named type that is not a struct: the constants of a string type, or the underlying
// type.
func (w *writer) plain(o *types.TypeName, t types.Type) string {
	if own, ok := w.own[typeKey(o)]; ok {
		return own
	}
	w.noMethods(o, t)
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return w.of(t.Underlying())
	}
	var constants []string
	if o.Pkg() != nil && b.Info()&types.IsString != 0 {
		for _, name := range o.Pkg().Scope().Names() {
			if c, ok := o.Pkg().Scope().Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t) {
				constants = append(constants, c.Val().ExactString())
			}
		}
	}
	if len(constants) > 0 {
		slices.Sort(constants)
		return strings.Join(slices.Compact(constants), " | ")
	}
	return w.basic(b)
}

// noMethods records an error for a type that writes its own JSON, which its fields do not describe.
func (w *writer) noMethods(o *types.TypeName, t types.Type) {
	for _, method := range []string{"MarshalJSON", "MarshalText"} {
		if m, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, o.Pkg(), method); m != nil {
			w.wrong("%s has %s: say in ownJSON what it writes", o.Name(), method)
		}
	}
}

func (w *writer) basic(b *types.Basic) string {
	switch {
	case b.Info()&types.IsString != 0:
		return "string"
	case b.Info()&types.IsBoolean != 0:
		return "boolean"
	case b.Info()&types.IsNumeric != 0:
		return "number"
	}
	return w.wrong("%s has no type in scripts", b)
}

func (w *writer) wrong(format string, args ...any) string {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
	return "never"
}

// typeKey names a type in ownJSON.
func typeKey(o *types.TypeName) string {
	if o.Pkg() == nil {
		return o.Name()
	}
	return o.Pkg().Path() + "." + o.Name()
}

// comments are the comments of a name, each on one line.
type comments struct{ above, behind string }

// commentsAt returns the comments of the type or field whose name is at a position. It parses the file at the first
// use, because compiled packages have positions but no comments.
func (w *writer) commentsAt(at token.Pos) comments {
	if !at.IsValid() {
		return comments{}
	}
	place := w.files.Position(at)
	byLine, ok := w.sources[place.Filename]
	if !ok {
		byLine = readComments(place.Filename)
		w.sources[place.Filename] = byLine
	}
	return byLine[place.Line]
}

// readComments returns the comments of a file's types and fields, by the lines of their names. It returns none for a
// file that it cannot read.
func readComments(name string) map[int]comments {
	out := map[int]comments{}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	oneLine := func(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if !n.Lparen.IsValid() && len(n.Specs) == 1 {
				if t, ok := n.Specs[0].(*ast.TypeSpec); ok && t.Doc == nil {
					t.Doc = n.Doc
				}
			}
		case *ast.TypeSpec:
			out[files.Position(n.Name.Pos()).Line] = comments{above: oneLine(n.Doc)}
		case *ast.Field:
			for _, name := range n.Names {
				out[files.Position(name.Pos()).Line] = comments{oneLine(n.Doc), oneLine(n.Comment)}
			}
		}
		return true
	})
	return out
}
