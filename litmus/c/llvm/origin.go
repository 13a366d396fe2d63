package llvm

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c/llvm/assembly"
)

// Origins finds the places in a program's sources that a module's instructions come from.
type Origins struct{ lines *lines }

// NewOrigins returns the origins of a module, by its debug information. sources are the program's own files.
func NewOrigins(m *assembly.Module, sources map[string]string) *Origins {
	return &Origins{newLines(nil, m, sources)}
}

// Of returns the place in the program's own files that an instruction comes from, and the function there: if code of
// the standard library was inlined, the place of its call. ok is false for other instructions.
func (o *Origins) Of(i *assembly.Instruction) (pos litmus.Pos, function string, ok bool) {
	n := o.lines.module.Metadata[i.Debug]
	if n == nil {
		return pos, "", false
	}
	pos, ok = o.lines.location(n)
	if !ok || o.lines.sources[pos.File] == nil {
		return pos, "", false
	}
	for range 100 {
		scope := o.lines.node(n.Fields["scope"])
		if o.lines.file(scope) == pos.File && number(n.Fields["line"]) == pos.Line {
			return pos, o.lines.functionOf(scope), true
		}
		if n = o.lines.node(n.Fields["inlinedAt"]); n == nil {
			break
		}
	}
	return pos, "", true
}

// functionOf returns the name of the function that a scope is in, without the parameters of templates; "" for a lambda
// or a closure.
func (l *lines) functionOf(scope *assembly.Node) string {
	for range 100 {
		if scope == nil {
			return ""
		}
		if scope.Name == "DISubprogram" {
			name := scope.Fields["name"]
			if name == nil || strings.ContainsAny(name.Text, "({") && !strings.HasPrefix(name.Text, "operator") {
				return ""
			}
			short, _, _ := strings.Cut(name.Text, "<")
			return short
		}
		scope = l.node(scope.Fields["scope"])
	}
	return ""
}
