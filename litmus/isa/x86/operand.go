package x86

import (
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

type operandKind int

const (
	registerOperand operandKind = iota
	immediate
	memory
	labelOperand
)

// operand is one operand as written.
type operand struct {
	litmus.Word
	kind  operandKind
	reg   lower.RegisterView
	imm   uint64
	sym   string // memory: a location, or ""
	disp  uint64
	base  *lower.RegisterView
	index *lower.RegisterView
	scale uint64
	ptr   int // the width in bits that Intel's "dword ptr" gives, or 0
}

// pointerWidths are the words before Intel's ptr.
var pointerWidths = map[string]int{"BYTE": 8, "WORD": 16, "DWORD": 32, "QWORD": 64, "OWORD": 128, "XMMWORD": 128}

// pointerWidth splits "dword ptr [x]" into its width in bits and the address.
func pointerWidth(text string) (bits int, address string) {
	size := word(text)
	rest := strings.TrimLeft(text[len(size):], " \t")
	if bits = pointerWidths[strings.ToUpper(size)]; bits == 0 || !strings.EqualFold(word(rest), "PTR") {
		return 0, text
	}
	return bits, strings.TrimSpace(rest[len("PTR"):])
}

var legacy = []string{"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP"}

// views maps every register name, in upper case, to its register and part.
var (
	views32 = sync.OnceValue(func() map[string]lower.RegisterView { return registerViews(false) })
	views64 = sync.OnceValue(func() map[string]lower.RegisterView { return registerViews(true) })
)

// registerViews returns the registers with their parts: AL, AH, AX, EAX and RAX are views of one register.
func registerViews(wide bool) map[string]lower.RegisterView {
	m := map[string]lower.RegisterView{}
	add := func(name, whole string, lo, bits int) {
		print := name
		if wide {
			print = strings.ToLower(name)
		}
		m[name] = lower.RegisterView{Whole: whole, Print: print, Lo: lo, Bits: bits}
	}
	for _, r := range legacy {
		whole := "E" + r
		if wide {
			whole = "R" + r
			add("R"+r, whole, 0, 64)
		}
		add("E"+r, whole, 0, 32)
		add(r, whole, 0, 16)
		if r[1] == 'X' {
			add(r[:1]+"L", whole, 0, 8)
			add(r[:1]+"H", whole, 8, 8)
		} else if wide {
			add(r+"L", whole, 0, 8)
		}
	}
	if wide {
		for _, r := range []string{"R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"} {
			add(r, r, 0, 64)
			add(r+"D", r, 0, 32)
			add(r+"W", r, 0, 16)
			add(r+"B", r, 0, 8)
		}
		add("RIP", "RIP", 0, 64)
	} else {
		add("EIP", "EIP", 0, 32)
	}
	return m
}

// general parses the name of a register that instructions can name. Only init blocks and conditions can name the
// program counter.
func (l *lowerer) general(name string) (lower.RegisterView, bool) {
	v, ok := register(name, l.wide)
	return v, ok && v.Whole != "RIP" && v.Whole != "EIP"
}

// direct reports whether a memory operand is only the name of a location.
func (o operand) direct() bool { return o.sym != "" && o.base == nil && o.index == nil && o.disp == 0 }

// register parses a register's name: EAX, eax or %eax.
func register(name string, wide bool) (lower.RegisterView, bool) {
	// views maps every register name, in upper case, to the register's view.
	views := views32()
	if wide {
		views = views64()
	}
	v, ok := views[strings.ToUpper(strings.TrimPrefix(name, "%"))]
	return v, ok
}

// registerOf is register for one of the architectures.
func registerOf(wide bool) func(name string) (lower.RegisterView, bool) {
	return func(name string) (lower.RegisterView, bool) { return register(name, wide) }
}

// operand parses one operand. That of a jump is a label or a register.
func (l *lowerer) operand(w litmus.Word, jump bool) (operand, bool) {
	o := operand{Word: w, scale: 1}
	var text string
	o.ptr, text = pointerWidth(w.Text)
	if name, relative := strings.CutSuffix(strings.ToLower(text), "[rip]"); relative && l.wide {
		if name = text[:len(name)]; l.names(name) {
			text = "[" + name + "]" // x[rip] is x
		}
	}
	if s := segment(text); s == "FS" || s == "GS" || s != "" && !l.wide {
		l.Failf(o.Pos, "%s: %s is not supported: the segment %s has its own base address", l.arch, text, s)
		return o, false
	}
	fail := func(want string) (operand, bool) {
		if l.foreignRegister(o.Pos, text) {
			return o, false
		}
		l.Failf(o.Pos, "%s: got operand %q, want %s", l.arch, text, want)
		return o, false
	}
	if jump {
		if v, ok := l.general(strings.TrimPrefix(text, "*")); ok && !l.HasLabel(text) {
			o.reg = v // the value of the register
			return o, true
		}
		if !l.IsTarget(text) {
			return fail("a label, or a register")
		}
		o.kind = labelOperand
		return o, true
	}
	if v, ok := l.general(text); ok {
		o.reg = v
		return o, true
	}
	switch {
	case strings.HasPrefix(text, "$"):
		o.kind = immediate
		if name := strings.TrimSpace(text[1:]); l.names(name) {
			o.sym = name // the address of a location, or of a label
			return o, true
		}
		v, err := litmus.ParseNumber(strings.TrimSpace(text[1:]))
		if err != nil {
			return fail("a number after $")
		}
		o.imm = v
		return o, true
	case strings.HasPrefix(text, "["):
		o.kind = memory
		if !strings.HasSuffix(text, "]") || !l.intelAddress(&o, text[1:len(text)-1]) {
			return fail("an address such as [x], [EAX] or [EAX+4]")
		}
		return o, true
	case strings.Contains(text, "("):
		o.kind = memory
		if !l.attAddress(&o, text) {
			return fail("an address such as (x), (%rax) or 8(%rax,%rcx,4)")
		}
		return o, true
	}
	if v, err := litmus.ParseNumber(text); err == nil {
		o.kind, o.imm = immediate, v
		return o, true
	}
	if l.names(text) {
		o.kind, o.sym = memory, text
		if !l.HasLabel(text) {
			l.Bare(w)
		}
		return o, true
	}
	return fail("a register, a number or an address")
}

// segment returns the segment register that an operand names or is relative to: %fs:(%rax), FS:[x], [fs:x].
func segment(text string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(text, "*["), ":")
	name = strings.ToUpper(strings.TrimPrefix(strings.TrimSpace(name), "%"))
	if slices.Contains([]string{"CS", "DS", "ES", "FS", "GS", "SS"}, name) {
		return name
	}
	return ""
}

// foreignRegister reports the first 64-bit register in an operand of a 32-bit test. Otherwise it would count as a
// location.
func (l *lowerer) foreignRegister(pos litmus.Pos, text string) bool {
	for i := 0; i < len(text); i++ {
		w := word(text[i:])
		if w == "" {
			continue
		}
		if l.hint(w) != "" {
			pos.Col += i
			l.FailRegister(pos, w)
			return true
		}
		i += len(w) - 1
	}
	return false
}

// names reports whether text is the name of a location: a word that is not a register of this code or the other.
func (l *lowerer) names(text string) bool {
	_, narrow := register(text, false)
	_, wide := register(text, true)
	return text != "" && word(text) == text && !narrow && !wide
}

// hint describes a wrong register name.
func (l *lowerer) hint(name string) string {
	_, ours := register(name, l.wide)
	_, wide := register(name, true)
	if wide && !ours {
		return "it needs 64-bit code, with X86_64 in the header"
	}
	return ""
}

// intelAddress parses the inside of [ ... ]: a sum of a location, registers and numbers, in which one register may be
// scaled.
func (l *lowerer) intelAddress(o *operand, text string) bool {
	relative := false
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), ""), "-", "+-")
	for _, term := range strings.Split(strings.TrimPrefix(text, "+"), "+") {
		reg, factor, scaled := strings.Cut(term, "*")
		if v, ok := l.general(reg); ok {
			switch {
			case scaled:
				n, err := litmus.ParseNumber(factor)
				if err != nil || o.index != nil {
					return false
				}
				o.index, o.scale = &v, n
			case o.base == nil:
				o.base = &v
			case o.index == nil:
				o.index = &v
			default:
				return false
			}
			continue
		}
		if strings.EqualFold(term, "RIP") && l.wide {
			relative = true
			continue
		}
		if n, err := litmus.ParseNumber(term); err == nil {
			o.disp += n
			continue
		}
		if o.sym != "" || !l.names(term) {
			return false
		}
		o.sym = term
	}
	return !relative || o.sym != "" // [rip+x] is [x]
}

// attAddress parses disp(base,index,scale). Each part is optional, and the base or the displacement may be the name of
// a location. In 64-bit code, a segment prefix other than FS or GS adds nothing.
func (l *lowerer) attAddress(o *operand, text string) bool {
	if i := strings.IndexByte(text, ':'); i >= 0 {
		text = text[i+1:]
	}
	front, inside, _ := strings.Cut(text, "(")
	inside, tail, closed := strings.Cut(inside, ")")
	if !closed || strings.TrimSpace(tail) != "" {
		return false
	}
	if front = strings.TrimSpace(front); front != "" {
		if n, err := litmus.ParseNumber(front); err == nil {
			o.disp = n
		} else if l.names(front) {
			o.sym = front
		} else {
			return false
		}
	}
	for i, part := range strings.Split(inside, ",") {
		part = strings.TrimSpace(part)
		v, isReg := l.general(part)
		n, err := litmus.ParseNumber(part)
		switch {
		case part == "":
		case i == 0 && strings.EqualFold(part, "%rip") && l.wide && o.sym != "": // x(%rip) is x
		case i == 0 && isReg:
			o.base = &v
		case i == 0 && o.sym == "" && l.names(part):
			o.sym = part
		case i == 1 && isReg:
			o.index = &v
		case i == 2 && err == nil:
			o.scale = n
		default:
			return false
		}
	}
	return true
}
