package native

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// A thread of a C test becomes a C function with the same statements. All locals are declared at its beginning, because
// outcomes contain them at the end of the thread.

// bodies writes the threads of a test in C.
func (a *assembler) bodies() {
	unit, err := c.Parse(a.test)
	if err != nil {
		a.errors = append(a.errors, litmus.Errors(err)...)
		return
	}
	for i := range unit.Threads {
		b := &body{assembler: a, thread: &unit.Threads[i], types: map[string]string{}, label: "done"}
		b.write(i)
	}
}

// body writes one function.
type body struct {
	*assembler
	thread *c.Thread
	locals []string
	types  map[string]string
	label  string // of the end
	ends   bool   // a statement jumps to it
	text   strings.Builder
}

// write writes the function of a thread: its variables, its locals, its statements, and the observed locals.
func (b *body) write(index int) {
	th := &b.program.Threads[index]
	b.declarations(b.thread.Body)
	b.statements(b.thread.Body, "  ")
	b.printf("static __attribute__((noinline)) void %s(char *const *at__, unsigned long *out__) {\n", b.function(index))
	for _, p := range b.thread.Params {
		loc := slices.IndexFunc(b.program.Locs, func(l ir.Location) bool {
			return l.Offset == 0 && strings.TrimSuffix(l.Name, "[0]") == p.Name
		})
		if loc < 0 {
			b.printf("  %s = 0;\n", declaration(p.Type, p.Name))
			continue
		}
		b.printf("  %s = (void *)at__[%d];\n", declaration(p.Type, p.Name), b.objectOf(b.program.Locs[loc].Address))
	}
	for _, r := range th.Regs {
		if r.Name != "" && b.types[r.Name] == "" && slices.Contains(b.results[index], b.register(index, r.Name)) &&
			!b.parameter(r.Name) {
			b.locals = append(b.locals, r.Name)
			b.types[r.Name] = "long"
		}
	}
	for _, name := range b.locals {
		value := "0"
		if i := b.register(index, name); i >= 0 && th.Regs[i].Init != 0 {
			if target, rest := b.initial(th.Regs[i].Init); target >= 0 {
				value = fmt.Sprintf("(void *)(at__[%d] + %d)", target, rest)
			} else {
				value = number(rest)
			}
		}
		b.printf("  %s = %s;\n", declaration(b.types[name], name), value)
	}
	b.out.WriteString(b.text.String())
	if b.ends {
		b.printf("%s:;\n", b.label)
	}
	for i, reg := range b.results[index] {
		b.printf("  out__[%d] = (unsigned long)%s;\n", i, th.Regs[reg].Name)
	}
	b.printf("}\n\n")
}

func (b *body) register(index int, name string) int {
	return slices.IndexFunc(b.program.Threads[index].Regs, func(r ir.Register) bool { return r.Name == name })
}

func (b *body) parameter(name string) bool {
	return slices.ContainsFunc(b.thread.Params, func(p litmus.Param) bool { return p.Name == name })
}

// otherTypes are types of tests that C's headers lack.
var otherTypes = map[string]string{
	"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t", "s8": "int8_t", "s16": "int16_t",
	"s32": "int32_t", "s64": "int64_t", "__u8": "uint8_t", "__u16": "uint16_t", "__u32": "uint32_t",
	"__u64": "uint64_t", "__s8": "int8_t", "__s16": "int16_t", "__s32": "int32_t", "__s64": "int64_t",
	"bool": "_Bool",
}

// cType is a type of a test as C has it.
func cType(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		if other := otherTypes[w]; other != "" {
			words[i] = other
		}
	}
	if len(words) == 0 {
		return "int"
	}
	return strings.Join(words, " ")
}

// declaration is a type and a name, as C programmers write them.
func declaration(text, name string) string {
	typ := cType(text)
	if of := strings.TrimRight(typ, "* "); of != typ {
		return of + " " + strings.ReplaceAll(typ[len(of):], " ", "") + name
	}
	return typ + " " + name
}

// declarations collects the locals of some statements.
func (b *body) declarations(list []c.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *c.Declare:
			name, text := s.Name, s.Type.String()
			if s.Type.IsAtomic() && !strings.HasPrefix(text, "atomic_") {
				b.failf(s.Pos, "C: hw does not run tests with local variables of _Atomic types: declare %s in the "+
					"init block", name)
			}
			switch old, again := b.types[name]; {
			case !again:
				b.locals = append(b.locals, name)
				b.types[name] = text
			case old != text:
				b.failf(s.Pos, "C: %s is declared as %s and as %s: hw runs tests whose locals have one type", name, old,
					text)
			}
		case *c.If:
			b.declarations(s.Then)
			b.declarations(s.Else)
		case *c.While:
			b.declarations(s.Body)
		case *c.For:
			b.declarations(s.Init)
			b.declarations(s.Body)
		case *c.Block:
			b.declarations(s.Body)
		}
	}
}

func (b *body) line(indent, format string, args ...any) {
	b.text.WriteString(indent + fmt.Sprintf(format, args...) + "\n")
}

// statements writes statements.
func (b *body) statements(list []c.Stmt, indent string) {
	for _, s := range list {
		switch s := s.(type) {
		case *c.Declare:
			if s.Value != nil {
				b.line(indent, "%s = %s;", s.Name, b.expression(s.Value))
			}
		case *c.Do:
			b.line(indent, "%s;", b.expression(s.X))
		case *c.If:
			b.line(indent, "if (%s) {", b.expression(s.Cond))
			b.statements(s.Then, indent+"  ")
			if len(s.Else) > 0 {
				b.line(indent, "} else {")
				b.statements(s.Else, indent+"  ")
			}
			b.line(indent, "}")
		case *c.While:
			if s.Post {
				b.line(indent, "do {")
				b.statements(s.Body, indent+"  ")
				b.line(indent, "} while (%s);", b.expression(s.Cond))
				continue
			}
			b.line(indent, "while (%s) {", b.expression(s.Cond))
			b.statements(s.Body, indent+"  ")
			b.line(indent, "}")
		case *c.For:
			b.statements(s.Init, indent)
			cond, step := "", ""
			if s.Cond != nil {
				cond = " " + b.expression(s.Cond)
			}
			if s.Step != nil {
				step = " " + b.expression(s.Step)
			}
			b.line(indent, "for (;%s;%s) {", cond, step)
			b.statements(s.Body, indent+"  ")
			b.line(indent, "}")
		case *c.Break:
			b.line(indent, "break;")
		case *c.Continue:
			b.line(indent, "continue;")
		case *c.Return:
			if s.X != nil {
				b.line(indent, "(void)(%s);", b.expression(s.X))
			}
			b.ends = true
			b.line(indent, "goto %s;", b.label)
		case *c.Block:
			b.line(indent, "{")
			b.statements(s.Body, indent+"  ")
			b.line(indent, "}")
		}
	}
}

// expression writes an expression. Parentheses make its structure explicit.
func (b *body) expression(x c.Expr) string {
	inner := func(x c.Expr) string {
		switch x.(type) {
		case *c.Number, *c.Name, *c.Call, *c.Index:
			return b.expression(x)
		}
		return "(" + b.expression(x) + ")"
	}
	switch x := x.(type) {
	case *c.Number:
		text := fmt.Sprint(x.Value)
		if x.Unsigned {
			text += "u"
		}
		if x.Value>>31 != 0 {
			text += "l"
		}
		return text
	case *c.Name:
		return x.Text
	case *c.Unary:
		return x.Op + inner(x.X)
	case *c.Postfix:
		return inner(x.X) + x.Op
	case *c.Binary:
		return inner(x.X) + " " + x.Op + " " + inner(x.Y)
	case *c.Assign:
		return b.expression(x.To) + " " + x.Op + "= " + b.expression(x.X)
	case *c.Cast:
		return "(" + cType(x.Type.String()) + ")" + inner(x.X)
	case *c.Call:
		return b.call(x)
	case *c.Index:
		return inner(x.X) + "[" + b.expression(x.At) + "]"
	case *c.Ternary:
		return inner(x.If) + " ? " + inner(x.Then) + " : " + inner(x.Else)
	}
	b.failf(x.Where().Pos, "C: hw does not run tests with structures")
	return "0"
}

// call writes a call of a function of <stdatomic.h>.
func (b *body) call(x *c.Call) string {
	callee, ok := c.Callees()[c.C11][x.Func]
	known := ok && (strings.HasPrefix(x.Func, "atomic_") || callee.Effect == c.Fence)
	if !known {
		b.failf(x.Pos, "C: hw does not run %s: it runs the functions of <stdatomic.h>", x.Func)
	}
	args := make([]string, len(x.Args))
	for i, arg := range x.Args {
		args[i] = b.expression(arg)
	}
	return x.Func + "(" + strings.Join(args, ", ") + ")"
}

// widthInC is the width of a location in memory: that of its type, which the parameters say.
func (a *assembler) widthInC(loc int) int {
	l := &a.program.Locs[loc]
	name, _, array := strings.Cut(l.Name, "[")
	bits := l.Bits
	for _, th := range a.test.Threads {
		for _, p := range th.Params {
			typ, ok := c.TypeOf(p.Type)
			if p.Name != name || !ok {
				continue
			}
			if bits, _ = typ.Width(); typ.Stars() != 1 || strings.HasSuffix(p.Type, "]") {
				bits = 64
			}
			if array && bits != l.Bits {
				a.failf(p.Pos, "C: hw runs tests with arrays of long only: %s has %d bits", l.Name, bits)
			}
			return bits
		}
	}
	return bits
}
