package llvm

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
)

// lines converts debug information to places and names that readers know.
type lines struct {
	unit    *code.Unit
	module  *assembly.Module
	sources map[string][]string
	at      map[litmus.Pos]int
	crate   string // of a program in Rust, with ::
	// structures: the numbers of composite types by name, -1 if there are several; nil before they are needed.
	structures map[string]int
	// shown: by short name, the names in the module that it is short for.
	shown map[string][]string
}

func newLines(u *code.Unit, m *assembly.Module, sources map[string]string) *lines {
	l := &lines{
		unit: u, module: m, sources: map[string][]string{}, at: map[litmus.Pos]int{}, crate: crateOf(m),
		shown: map[string][]string{},
	}
	for name, text := range sources {
		l.sources[name] = strings.Split(text, "\n")
	}
	return l
}

// node returns a node of metadata, or nil.
func (l *lines) node(m *assembly.Meta) *assembly.Node {
	switch {
	case m == nil:
		return nil
	case m.Node != nil:
		return m.Node
	}
	return l.module.Metadata[m.Ref]
}

// file returns the name of the file of a scope.
func (l *lines) file(scope *assembly.Node) string {
	for range 100 {
		if scope == nil {
			return ""
		}
		if f := l.node(scope.Fields["file"]); f != nil {
			name, dir := f.Fields["filename"], f.Fields["directory"]
			if name == nil {
				return ""
			}
			if _, known := l.sources[name.Text]; known || dir == nil || path.IsAbs(name.Text) {
				if isLibrary(name.Text) {
					return path.Clean(name.Text)
				}
				return name.Text
			}
			if full := path.Join(dir.Text, name.Text); l.sources[full] != nil || !path.IsAbs(dir.Text) ||
				strings.HasPrefix(full, "/rustc/") {
				return full
			}
			return name.Text
		}
		scope = l.node(scope.Fields["scope"])
	}
	return ""
}

// number reads a field that is a number.
func number(m *assembly.Meta) int {
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m.Text)
	return n
}

// function returns the place of a function: in the source, or in the module.
func (l *lines) function(f *assembly.Function) litmus.Pos {
	if n := l.module.Metadata[f.Debug]; n != nil {
		if file := l.file(n); file != "" {
			return litmus.Pos{File: file, Line: number(n.Fields["line"]), Col: 1}
		}
	}
	return f.Pos
}

// name returns a function's name as its source has it.
func (l *lines) name(f *assembly.Function) string {
	if path := rustPath(f.Name); path != "" {
		return l.withoutCrate(path)
	}
	if n := l.module.Metadata[f.Debug]; n != nil {
		if name := n.Fields["name"]; name != nil && name.Text != "" {
			return name.Text
		}
	}
	return l.demangle(f.Name)
}

// of returns the number of the line of an instruction, or, for nil, of its function.
func (l *lines) of(f *assembly.Function, i *assembly.Instruction) int {
	pos, text := l.function(f), ""
	if i != nil {
		pos = i.Pos
		if n := l.module.Metadata[i.Debug]; n != nil {
			if at, ok := l.location(n); ok {
				pos = at
			}
		}
	}
	if at, ok := l.at[pos]; ok {
		return at
	}
	text = l.statement(pos)
	if text == "" {
		text = "…"
		if i != nil {
			text = i.Op
		}
	}
	const most = 80
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	l.unit.Lines = append(l.unit.Lines, litmus.Cell{Pos: pos, Text: text})
	l.at[pos] = len(l.unit.Lines) - 1
	return l.at[pos]
}

// statement returns the text of the statement at a place, or "" without the source.
func (l *lines) statement(pos litmus.Pos) string {
	source := l.sources[pos.File]
	if pos.Line < 1 || pos.Line > len(source) {
		return ""
	}
	text := source[pos.Line-1]
	at := min(max(pos.Col-1, 0), len(text))
	from := strings.LastIndexAny(text[:at], ";{}") + 1
	text = text[from:]
	if end := strings.IndexAny(text[at-from:], ";{"); end >= 0 {
		text = text[:at-from+end+1]
	}
	return strings.Join(strings.Fields(text), " ")
}

// location returns the place of an instruction. Code of the standard library that was inlined counts as the place of
// the call in the program.
func (l *lines) location(n *assembly.Node) (pos litmus.Pos, ok bool) {
	for range 100 {
		file := l.file(l.node(n.Fields["scope"]))
		if file != "" && number(n.Fields["line"]) > 0 {
			here := litmus.Pos{File: file, Line: number(n.Fields["line"]), Col: max(1, number(n.Fields["column"]))}
			if !ok || !isLibrary(file) {
				pos, ok = here, true
			}
			if !isLibrary(file) {
				return pos, true
			}
		}
		if n = l.node(n.Fields["inlinedAt"]); n == nil {
			return pos, ok
		}
	}
	return pos, ok
}

// crateOf returns the crate of a program in Rust, the one that has a function main, with :: behind it; "" without one.
func crateOf(m *assembly.Module) string {
	for _, f := range m.Functions {
		if crate, ok := strings.CutSuffix(rustPath(f.Name), "::main"); ok && isIdentifier(crate) {
			return crate + "::"
		}
	}
	return ""
}

// withoutCrate removes the crate of the program from a path.
func (l *lines) withoutCrate(path string) string { return strings.TrimPrefix(path, l.crate) }

// linkage returns the mangled name of the function that has a scope, or "".
func (l *lines) linkage(scope *assembly.Node) string {
	for range 100 {
		switch {
		case scope == nil:
			return ""
		case scope.Name == "DISubprogram":
			if m := scope.Fields["linkageName"]; m != nil {
				return m.Text
			}
			return ""
		}
		scope = l.node(scope.Fields["scope"])
	}
	return ""
}

// boxes are the types of Rust's standard library that own an allocated object, and the type of that object around their
// generic argument.
var boxes = map[string][2]string{
	"<alloc::boxed::Box<": {"", ""}, "<alloc::sync::Arc<": {"ArcInner<", ">"}, "<alloc::rc::Rc<": {"RcInner<", ">"},
}

// boxed returns the number in the metadata of the type of the object that a function of Rust's standard library with a
// demangled name allocates; -1 if it is another function, or the type is not known.
func (l *lines) boxed(name string) int {
	for prefix, around := range boxes {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		argument, _, ok := strings.Cut(rest, ">>::new")
		if !ok {
			return -1
		}
		if around[0] == "" { // a type has its name, and its generic arguments have paths
			head, arguments, generic := strings.Cut(argument, "<")
			if _, last, ok := cutLast(head, "::"); ok {
				argument = last
				if generic {
					argument += "<" + arguments
				}
			}
		}
		return l.structure(around[0] + argument + around[1])
	}
	return -1
}

// structure returns the number in the metadata of the only structure with a name, or -1.
func (l *lines) structure(name string) int {
	if l.structures == nil {
		l.structures = map[string]int{}
		for ref, n := range l.module.Metadata {
			if n.Name != "DICompositeType" || n.Fields["name"] == nil || n.Fields["elements"] == nil {
				continue
			}
			if at := n.Fields["name"].Text; l.structures[at] != 0 {
				l.structures[at] = -1
			} else {
				l.structures[at] = ref
			}
		}
	}
	if at := l.structures[name]; at > 0 {
		return at
	}
	return -1
}

// inStandard reports whether Rust's standard library has the operation at an instruction: one of its functions calls
// it, if it is an access by a method of an atomic.
func (l *lines) inStandard(i *assembly.Instruction) bool {
	n := l.module.Metadata[i.Debug]
	for range 100 {
		if n == nil {
			return false
		}
		if file := l.file(l.node(n.Fields["scope"])); !strings.HasSuffix(file, "/core/src/sync/atomic.rs") {
			return isStandard(file)
		}
		n = l.node(n.Fields["inlinedAt"])
	}
	return false
}

// isStandard reports whether a file belongs to Rust's standard library.
func isStandard(file string) bool {
	return strings.HasPrefix(file, "/rustc/") || strings.Contains(file, "/lib/rustlib/src/")
}

// isLibrary reports whether a file belongs to the compiler or to a standard library.
func isLibrary(file string) bool {
	return strings.HasPrefix(file, "/usr/") || isStandard(file) || strings.Contains(file, "/.cargo/registry/") ||
		strings.Contains(file, "/include/c++/")
}

// global returns the DIGlobalVariable of a global variable, or nil.
func (l *lines) global(g *assembly.Global) *assembly.Node {
	for _, d := range g.Debug {
		if n := l.module.Metadata[d]; n != nil {
			if v := l.node(n.Fields["var"]); v != nil {
				return v
			}
		}
	}
	return nil
}

func (l *lines) variableName(g *assembly.Global) string {
	if n := l.global(g); n != nil && n.Fields["name"] != nil {
		return n.Fields["name"].Text
	}
	return l.demangle(g.Name)
}

func (l *lines) variable(g *assembly.Global) litmus.Pos {
	if n := l.global(g); n != nil {
		if file := l.file(n); file != "" {
			return litmus.Pos{File: file, Line: number(n.Fields["line"]), Col: 1}
		}
	}
	return g.Pos
}

// hasType reports whether the debug information has a type with a name.
func (l *lines) hasType(name string) bool {
	for _, n := range l.module.Metadata {
		if at := n.Fields["name"]; n.Name == "DICompositeType" && at != nil && at.Text == name {
			return true
		}
	}
	return false
}

// place is the position of a line.
func (l *lines) place(line int) litmus.Pos { return l.unit.Lines[line].Pos }

// demangle returns a name as C++ or Rust sources have it, without the parameters of a function and the hash of a Rust
// symbol, and with short arguments of templates. The second name that is short for the same ends in #2.
func (l *lines) demangle(name string) string {
	full := demangle.Filter(name, demangle.NoParams, demangle.NoEnclosingParams)
	short := shortArguments(full)
	if short == full {
		return full
	}
	n := slices.Index(l.shown[short], name)
	if n < 0 {
		n = len(l.shown[short])
		l.shown[short] = append(l.shown[short], name)
	}
	if n > 0 {
		return fmt.Sprintf("%s#%d", short, n+1)
	}
	return short
}

// longestArguments is the length of arguments of a template that are shown, in bytes.
const longestArguments = 24

// shortArguments leaves out arguments of templates that are long, as those of std::thread::_State_impl.
func shortArguments(name string) string {
	var out strings.Builder
	depth, from := 0, 0
	for i := range len(name) {
		switch {
		case name[i] == '<' && depth == 0 && i > 0 && isWord(name[i-1]) && !strings.HasSuffix(name[:i], "operator"):
			depth, from = 1, i
		case name[i] == '<' && depth > 0:
			depth++
		case name[i] == '>' && depth > 0 && name[i-1] != '-': // not that of operator->
			if depth--; depth > 0 {
				continue
			}
			if arguments := name[from : i+1]; len(arguments) > longestArguments+2 {
				out.WriteString("<…>")
			} else {
				out.WriteString(arguments)
			}
		case depth == 0:
			out.WriteByte(name[i])
		}
	}
	if depth > 0 { // no template's
		return name
	}
	return out.String()
}

func isWord(c byte) bool { return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// local names the variable that an alloca holds, and its scalars, by the debug intrinsics that refer to it; without
// them by the alloca's own name.
func (l *lines) local(f *assembly.Function, alloca *assembly.Instruction, sizes layout) (string, code.LayoutOf) {
	for _, b := range f.Blocks {
		for _, i := range b.Instructions {
			if i.Op != "call" || len(i.Operands) < 2 ||
				i.Callee.Name != "llvm.dbg.declare" &&
					(i.Callee.Name != "llvm.dbg.value" || !isDeref(l.node(i.Operands[2].Meta))) {
				continue
			}
			m := i.Operands[0].Meta
			if m == nil || m.Value == nil || m.Value.Kind != assembly.Local || m.Value.Name != alloca.Result {
				continue
			}
			if n := l.node(i.Operands[1].Meta); n != nil && n.Fields["name"] != nil && n.Fields["type"] != nil {
				name := n.Fields["name"].Text
				return name, l.layoutOf(name, n.Fields["type"])
			}
		}
	}
	return alloca.Result, oneScalar(alloca.Result, sizes.scalars(alloca.Type))
}

// heap names an allocated object and its scalars by its type in the metadata. Without a name of the type, it keeps the
// given name.
func (l *lines) heap(site int, otherwise string) (string, code.LayoutOf) {
	n := l.module.Metadata[site]
	if n == nil || n.Fields["name"] == nil || n.Fields["name"].Text == "" {
		return otherwise, nil
	}
	name := n.Fields["name"].Text
	if inner, ok := strings.CutPrefix(name, "ArcInner<"); ok {
		name = "Arc<" + inner
	} else if inner, ok := strings.CutPrefix(name, "RcInner<"); ok {
		name = "Rc<" + inner
	}
	return shortRust(name), l.layoutOf("", &assembly.Meta{Ref: site})
}

// rustModules matches the modules in the path of a type of Rust.
var rustModules = regexp.MustCompile(`\b\w+::`)

// shortRust removes the modules from the paths in the name of a type of Rust.
func shortRust(name string) string { return rustModules.ReplaceAllString(name, "") }

// wrappers matches the types of Rust whose only field holds what they are about: the field has the name of the whole.
var wrappers = regexp.MustCompile(
	`^(Atomic(Bool|Ptr|[IU](8|16|32|64|size)|\b)|UnsafeCell|SyncUnsafeCell|Cell|ManuallyDrop|MaybeUninit|CachePadded|` +
		`MaybeDangling)(<.*)?$`)

// isDeref reports whether a DIExpression says that a variable is in the memory at an address.
func isDeref(n *assembly.Node) bool {
	return n != nil && len(n.Elements) == 1 && n.Elements[0].Text == "DW_OP_deref"
}

// layout names the scalars of a global variable, by its debug information; nil without it.
func (l *lines) layout(g *assembly.Global, sizes layout) code.LayoutOf {
	if n := l.global(g); n != nil && n.Fields["type"] != nil && n.Fields["name"] != nil {
		return l.layoutOf(n.Fields["name"].Text, n.Fields["type"])
	}
	return oneScalar(l.demangle(g.Name), sizes.scalars(g.Type))
}

// oneScalar names the only scalar of a variable; nil if it has several.
func oneScalar(name string, parts []scalar) code.LayoutOf {
	if len(parts) != 1 {
		return nil
	}
	return func(offset int) (string, int) {
		if offset == 0 {
			return name, 8 * parts[0].stored
		}
		return "", -1
	}
}

// reserved matches the members of library classes: names that begin with two underscores, or one and a capital letter.
var reserved = regexp.MustCompile(`\._(_|[A-Z])\w*`)

// layoutOf names the scalars of a variable of a type of the debug information.
func (l *lines) layoutOf(name string, of *assembly.Meta) code.LayoutOf {
	type field struct {
		name string
		bits int
	}
	fields := map[int]field{}
	type part struct {
		name     string
		at, size int
	}
	var enums []part // parts whose scalars depend on a value
	var walk func(name string, at int, of *assembly.Meta, depth int) bool
	walk = func(name string, at int, of *assembly.Meta, depth int) bool {
		n := l.node(of)
		if n == nil || depth > 40 || len(fields) > mostScalars {
			return false
		}
		size := number(n.Fields["size"])
		tag := ""
		if t := n.Fields["tag"]; t != nil {
			tag = t.Text
		}
		switch {
		case n.Name == "DIBasicType" || tag == "DW_TAG_pointer_type" || tag == "DW_TAG_reference_type" ||
			tag == "DW_TAG_rvalue_reference_type" || tag == "DW_TAG_enumeration_type":
			if _, twice := fields[at]; !twice { // of a union, the first
				fields[at] = field{name, size}
			}
			return true
		case n.Name == "DIDerivedType": // typedef, const, volatile, atomic, member, inheritance
			return walk(name, at, n.Fields["baseType"], depth+1)
		case tag == "DW_TAG_array_type":
			elements := l.node(n.Fields["elements"])
			if elements == nil || len(elements.Elements) != 1 {
				return false
			}
			r := l.node(elements.Elements[0])
			if r == nil {
				return false
			}
			n1 := number(r.Fields["count"])
			if n1 <= 0 || size%n1 != 0 {
				return false
			}
			for i := range n1 {
				if !walk(name+"["+strconv.Itoa(i)+"]", at+i*size/n1/8, n.Fields["baseType"], depth+1) {
					return false
				}
			}
			return true
		case n.Name == "DICompositeType":
			elements := l.node(n.Fields["elements"])
			if elements == nil {
				return false
			}
			whole := n.Fields["name"] != nil && wrappers.MatchString(n.Fields["name"].Text)
			for _, e := range elements.Elements {
				m := l.node(e)
				if m != nil && m.Fields["tag"] != nil && m.Fields["tag"].Text == "DW_TAG_variant_part" {
					enums = append(enums, part{name, at, size / 8})
				}
				if m == nil || m.Name != "DIDerivedType" || m.Fields["tag"] == nil ||
					m.Fields["tag"].Text != "DW_TAG_member" && m.Fields["tag"].Text != "DW_TAG_inheritance" ||
					m.Fields["flags"] != nil && strings.Contains(m.Fields["flags"].Text, "DIFlagStaticMember") {
					continue
				}
				inner := name
				if whole {
					// its name is that of the whole
				} else if f := m.Fields["name"]; f != nil && f.Text != "" {
					inner += "." + f.Text
				}
				if !walk(inner, at+number(m.Fields["offset"])/8, m.Fields["baseType"], depth+1) {
					return false
				}
			}
			return true
		}
		return false
	}
	if !walk(name, 0, of, 0) {
		return nil
	}
	taken := map[string]bool{}
	for _, at := range slices.Sorted(maps.Keys(fields)) { // x for x._M_i, unless two scalars get one name
		f := fields[at]
		if short := reserved.ReplaceAllString(f.name, ""); !taken[short] {
			f.name, taken[short] = short, true
		}
		fields[at] = f
	}
	const offScalar = -1
	return func(offset int) (string, int) {
		if f, ok := fields[offset]; ok {
			return f.name, f.bits
		}
		in := part{name: name}
		for _, e := range enums {
			if e.at <= offset && offset < e.at+e.size {
				in = e
			}
		}
		if offset == in.at {
			return in.name, offScalar
		}
		return in.name + "+" + strconv.Itoa(offset-in.at), offScalar
	}
}

// Folders lists the folders to which the names of files in a module's debug information are relative.
func Folders(m *assembly.Module) []string {
	seen := map[string]bool{}
	for _, n := range m.Metadata {
		if dir := n.Fields["directory"]; n.Name == "DIFile" && dir != nil && path.IsAbs(dir.Text) {
			seen[dir.Text] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Files lists the files of a program that a module's debug information names, without those of libraries. The names are
// those that places have.
func Files(m *assembly.Module) []string {
	l := newLines(nil, m, nil)
	seen := map[string]bool{}
	for _, n := range m.Metadata {
		if n.Name != "DISubprogram" && n.Name != "DIGlobalVariable" {
			continue
		}
		if name := l.file(n); name != "" && !isLibrary(name) {
			seen[name] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
