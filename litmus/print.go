package litmus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Print returns the canonical text of a test. Parse reads it back as the same test, except for positions: columns are
// aligned, bodies indented, runs of blanks within a statement become one, numbers are decimal, and comments and what
// Test does not contain are gone. Print is idempotent: printing the parsed result gives the same text.
func Print(t *Test) string {
	var b strings.Builder
	b.Grow(2 * len(t.Source))
	b.WriteString(t.Arch + " " + t.Name + "\n")
	if t.Doc != "" {
		b.WriteString("\"" + t.Doc + "\"\n")
	}
	for _, i := range t.Info {
		b.WriteString(i.Key + "=" + i.Value + "\n")
	}
	b.WriteString("{\n")
	for _, i := range t.Init {
		b.WriteString(" " + i.String() + ";\n")
	}
	b.WriteString("}\n")
	if len(t.Meetings) > 0 {
		b.WriteString("{\n")
		for _, m := range t.Meetings {
			fmt.Fprintf(&b, " ssw %d %d;\n", m.From, m.To)
		}
		b.WriteString("}\n")
	}
	if t.HasBodies() {
		printBodies(&b, t)
	} else {
		printColumns(&b, t.Arch, slices.Concat(t.Threads, t.Handlers))
	}
	printScopes(&b, t)
	if len(t.Locations) > 0 {
		b.WriteString("locations [")
		for _, o := range t.Locations {
			b.WriteString(o.String() + ";")
		}
		b.WriteString("]\n")
	}
	if t.Filter != nil {
		b.WriteString("filter (" + PropString(t.Filter) + ")\n")
	}
	b.WriteString(t.Condition.String() + "\n")
	return b.String()
}

// maxWidth is the width of a column in characters up to which instructions are aligned. Longer ones stick out, so that
// one of them does not widen all rows.
const maxWidth = 60

// printColumns prints the threads side by side.
func printColumns(b *strings.Builder, arch string, threads []Thread) {
	rows := 1 // the thread names
	texts := make([][]string, len(threads))
	widths := make([]int, len(threads))
	for i := range threads {
		c := &threads[i]
		texts[i] = append(texts[i], c.titleIn(arch))
		for _, cell := range c.Cells {
			texts[i] = append(texts[i], strings.Join(fields(cell.Text), " "))
		}
		for _, text := range texts[i] {
			if n := utf8.RuneCountInString(text); n <= maxWidth {
				widths[i] = max(widths[i], n)
			}
		}
		rows = max(rows, len(texts[i]))
	}
	for row := range rows {
		for i, column := range texts {
			text := ""
			if row < len(column) {
				text = column[row]
			}
			if i > 0 {
				b.WriteString(" |")
			}
			b.WriteByte(' ')
			b.WriteString(text)
			for n := utf8.RuneCountInString(text); n < widths[i]; n++ {
				b.WriteByte(' ')
			}
		}
		b.WriteString(" ;\n")
	}
}

// String returns the item as an init block has it.
func (i Init) String() string {
	var b strings.Builder
	if i.Type != "" {
		b.WriteString(i.Type + " ")
	}
	b.WriteString(i.Target.String())
	register := i.Target.IsRegister() || strings.HasPrefix(i.Target.Name, "%")
	if i.Type != "" && i.Count > 0 && !register {
		b.WriteString("[" + strconv.Itoa(i.Count) + "]")
	}
	if i.Aliases != "" {
		if i.Proxy != DefaultProxy {
			b.WriteString(" @ " + i.Proxy)
		}
		b.WriteString(" aliases " + i.Aliases)
	}
	if i.Shadow {
		b.Reset()
		b.WriteString("SS(" + i.Target.Name + "," + strconv.Itoa(i.Count) + ")")
	}
	if len(i.Values) == 0 {
		return b.String()
	}
	b.WriteByte('=')
	if i.Count == 0 {
		b.WriteString(i.Values[0].String())
		return b.String()
	}
	for k, v := range i.Values {
		text := v.String()
		if i.Shadow && v.Name != "" {
			text = fmt.Sprintf("SSCap(%s,%d)", v.Name, v.Bits)
		}
		b.WriteString([]string{"{", ", "}[min(k, 1)] + text)
	}
	b.WriteByte('}')
	return b.String()
}

// String returns the condition as a test has it.
func (c Condition) String() string {
	return c.Quantifier.String() + " (" + PropString(c.Prop) + ")"
}

// PropString returns a proposition as a test has it.
func PropString(p Prop) string {
	var b strings.Builder
	printProp(&b, p, loosest)
	return b.String()
}

// How tightly connectives bind. Operands next to => get parentheses to prevent misreading, although => binds tighter
// than /\ and \/.
const (
	loosest = iota
	bindsOr
	bindsAnd
	bindsNot // and atoms
)

// printProp prints a proposition, in parentheses if it binds less tightly than its context.
func printProp(b *strings.Builder, p Prop, outer int) {
	join := func(args []Prop, op string, strength int) {
		if strength < outer {
			b.WriteByte('(')
			defer b.WriteByte(')')
		}
		for i, a := range args {
			if i > 0 {
				b.WriteString(op)
			}
			printProp(b, a, strength+1)
		}
	}
	switch p := p.(type) {
	case And:
		if len(p.Args) == 0 {
			b.WriteString("true")
		} else if s, ok := wholeArrayString(p); ok {
			b.WriteString(s)
		} else {
			join(p.Args, ` /\ `, bindsAnd)
		}
	case Or:
		if len(p.Args) == 0 {
			b.WriteString("false")
		} else {
			join(p.Args, ` \/ `, bindsOr)
		}
	case Implies:
		if outer > loosest {
			b.WriteByte('(')
			defer b.WriteByte(')')
		}
		printProp(b, p.If, bindsNot)
		b.WriteString(" => ")
		printProp(b, p.Then, bindsNot)
	case Not:
		b.WriteByte('~')
		printProp(b, p.Arg, bindsNot)
	case Bool:
		b.WriteString(strconv.FormatBool(bool(p)))
	case Atom:
		b.WriteString(p.String())
	default:
		panic("BUG: unresolved proposition expected")
	}
}

// String returns the comparison as a test has it.
func (a Atom) String() string {
	if a.Left.Fault.Asked {
		return a.Left.String()
	}
	op := "="
	if a.NotEqual {
		op = "!="
	}
	left, right := a.Left.String(), a.Literal.String()
	if a.Other != nil {
		right = a.Other.String()
		if !a.Other.IsRegister() { // without brackets it is an address
			right = "[" + right + "]"
			if !a.Left.IsRegister() {
				return "[" + left + "]" + op + right
			}
		}
	}
	switch left {
	case "true", "false", "not": // a location of that name
		left = "[" + left + "]"
	}
	return left + op + right
}

// String returns the place as a test has it: 0:EAX, x, [x], x[1].
func (o Place) String() string {
	switch {
	case o.Fault.Asked:
		return o.Fault.String(o.Thread)
	case o.Thread >= 0:
		return strconv.Itoa(o.Thread) + ":" + o.Name
	case o.Index >= 0:
		return o.Name + "[" + strconv.Itoa(o.Index) + "]"
	}
	return o.Name
}

// String returns the value as a test has it.
func (l Literal) String() string {
	switch {
	case l.Tag != "":
		return l.Name + ":" + l.Tag
	case l.Code == "NOP":
		return l.Code
	case l.Code != "":
		return `instr:"` + l.Code + `"`
	case l.Entry != "" && l.Name != "":
		return l.Name + ":(" + l.Entry + ")"
	case l.Entry != "":
		return "(" + l.Entry + ")"
	case l.Label:
		return fmt.Sprintf(`label:"P%d:%s"`, l.Thread, l.Name)
	case l.Name != "" && l.Bits > 0:
		return l.Name + "+" + strconv.FormatUint(l.Bits, 10)
	case l.Name != "":
		return l.Name
	}
	return strconv.FormatInt(int64(l.Bits), 10)
}

// wholeArrayString prints the comparison of a whole array in its original form.
func wholeArrayString(p And) (string, bool) {
	var values []string
	name := ""
	for i, arg := range p.Args {
		a, ok := arg.(Atom)
		if !ok || a.Left.Whole != len(p.Args) || a.Left.Index != i {
			return "", false
		}
		if name = a.Left.Name; a.Left.IsRegister() {
			name = a.Left.String()
		}
		values = append(values, a.Literal.String())
	}
	return name + "={" + strings.Join(values, ",") + "}", true
}
