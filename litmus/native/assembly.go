package native

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/x86"
	"litmuscope/litmus/lower"
)

// A thread of instructions becomes one asm statement. Each register that the thread names is a C variable bound to that
// register, an operand that is read and written, so the compiler saves what it needs and sets the initial values:
//
//	register unsigned long x1 __asm__("x1") = (unsigned long)at[0];
//	__asm__ __volatile__(
//	  "str w0,[x1]\n"
//	  : "+&r"(x0), "+&r"(x1) : : "cc", "memory");
//	out[0] = x0;

// thread writes the function of one thread.
type thread struct {
	*assembler
	index int
	isa   isa
	words lower.Words

	names     map[string]string // registers of the processor, by the test's
	labels    []string
	locations []string // those whose addresses are operands
	ends      bool     // an instruction jumps to the end
	lines     []string
}

// columns writes the threads of a test in assembly.
func (a *assembler) columns() {
	s := isas[a.test.Arch]
	a.flags = append(a.flags, s.flags...)
	words := a.words()
	threads := make([]*thread, len(a.program.Threads))
	for i := range threads {
		threads[i] = &thread{assembler: a, index: i, isa: s, words: words}
		threads[i].plan()
		for _, cell := range a.test.Threads[i].Cells {
			labels, _ := cell.Labels()
			for _, l := range labels {
				threads[i].labels = append(threads[i].labels, l.Text)
			}
		}
	}
	var converted map[litmus.Pos]string
	if a.test.Arch == "X86" || a.test.Arch == "X86_64" {
		var errs litmus.ErrorList
		converted, errs = x86.Assembly(a.test, x86.Names{
			Register: func(t int, v lower.RegisterView) string { return "%%" + threads[t].part(v) },
			Location: func(t int, name string, narrow bool) string {
				a.low = a.low || narrow
				return threads[t].location(name, narrow)
			},
			Label: func(t int, name string) string { return threads[t].label(name) },
		})
		a.errors = append(a.errors, errs...)
	}
	for i, t := range threads {
		for _, cell := range a.test.Threads[i].Cells {
			t.cell(cell, converted)
		}
		t.write()
	}
}

// plan gives each register of the thread a register of the processor: itself, unless compilers reserve it.
func (t *thread) plan() {
	t.names = map[string]string{}
	regs := t.program.Threads[t.index].Regs
	taken := map[string]bool{}
	var rest []string
	for _, r := range regs {
		switch physical, ok := t.isa.physical(r.Name); {
		case r.Name == "" || r.Name == t.isa.zero:
		case ok && slices.Contains(t.isa.pool, physical):
			t.names[r.Name] = physical
			taken[physical] = true
		case ok && slices.Contains(t.isa.fixed, physical):
			t.names[r.Name] = physical
		default:
			rest = append(rest, r.Name)
		}
	}
	for i := len(t.isa.pool) - 1; i >= 0 && len(rest) > 0; i-- {
		if r := t.isa.pool[i]; !taken[r] && (t.isa.renamed == nil || t.isa.renamed(r)) {
			t.names[rest[0]] = r
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		t.failf(t.test.Threads[t.index].Pos, "P%d uses %d registers, more than compilers leave free: %s has none",
			t.program.Threads[t.index].ID, len(t.names)+len(rest), rest[0])
	}
}

// moved reports whether a register of the test has another name in the program.
func (t *thread) moved(whole string) bool {
	physical, ok := t.isa.physical(whole)
	return whole != t.isa.zero && (!ok || t.names[whole] != physical)
}

// part returns the name of a register or a part of one on X86: al, ah, ax, eax, rax; r8b, r8w, r8d, r8.
func (t *thread) part(v lower.RegisterView) string {
	whole := t.names[v.Whole]
	if digits, wide := strings.CutPrefix(whole, "r"); wide && digits[0] >= '0' && digits[0] <= '9' {
		if v.Lo > 0 {
			t.failf(t.test.Threads[t.index].Pos, "%s is a part of %s, whose name here, %s, has no such part", v.Print,
				v.Whole, whole)
		}
		return whole + map[int]string{8: "b", 16: "w", 32: "d"}[v.Bits]
	}
	return strings.ToLower(v.Print)
}

// location returns the operand with the address of a location. With narrow, it is the register's low half.
func (t *thread) location(name string, narrow bool) string {
	if !slices.Contains(t.locations, name) {
		t.locations = append(t.locations, name)
	}
	if narrow {
		return "%k[" + identifier(name) + "]"
	}
	return "%[" + identifier(name) + "]"
}

// label returns the name of a label in the program; "" is the thread's end. A label that is a number stays as it is:
// assemblers know 1: with 1b and 1f.
func (t *thread) label(name string) string {
	switch {
	case name == "":
		t.ends = true
		return "Lend_%="
	case strings.Trim(name, "0123456789") == "" || !slices.Contains(t.labels, name):
		return name
	}
	return "L" + strings.ReplaceAll(name, "%", "%%") + "_%="
}

// identifier makes a C identifier of a name.
func identifier(name string) string {
	text := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if text == "" || text[0] >= '0' && text[0] <= '9' {
		text = "_" + text
	}
	return text
}

// cell writes one instruction with its labels.
func (t *thread) cell(cell litmus.Cell, converted map[litmus.Pos]string) {
	labels, rest := cell.Flat().Labels()
	for _, l := range labels {
		t.lines = append(t.lines, t.label(l.Text)+":")
	}
	if rest.Text == "" {
		return
	}
	if converted != nil {
		text := converted[rest.Pos]
		if text == "" {
			text = "nop"
		}
		t.add(rest.Pos, text)
		return
	}
	mnemonic, operands := rest.Split()
	if jump, ok := t.isa.end(mnemonic.Text, operands); ok {
		t.add(rest.Pos, jump+" "+t.label(""))
		return
	}
	if t.isa.tuples != nil && t.isa.tuples().MatchString(mnemonic.Text) {
		for _, w := range names.FindAllString(rest.Text[len(mnemonic.Text):], -1) {
			if v, ok := t.words.Register(w); ok && t.moved(v.Whole) {
				t.failf(mnemonic.Pos, "%s: %s needs adjacent registers, and compilers reserve %s: use others",
					t.test.Arch, mnemonic.Text, w)
				return
			}
		}
	}
	text := mnemonic.Text
	if tail := rest.Text[len(mnemonic.Text):]; tail != "" {
		text += names.ReplaceAllStringFunc(strings.ReplaceAll(tail, "\t", " "), t.word)
	}
	if t.isa.convert != nil {
		text = t.isa.convert(text)
	}
	t.add(rest.Pos, text)
}

// add adds an instruction. Its text is that of an instruction the dialect has read; the check is for the programs that
// a server builds, where a mistake in a dialect must not become a directive of the assembler.
func (t *thread) add(pos litmus.Pos, text string) {
	if strings.ContainsAny(text, "\"\\;\n") {
		t.failf(pos, "%s: hw does not run instructions with quotes or backslashes", t.test.Arch)
		return
	}
	t.lines = append(t.lines, text)
	t.instructions = append(t.instructions, Instruction{pos, text})
}

// names matches the words and numbers among an instruction's operands.
var names = regexp.MustCompile(`[A-Za-z0-9_.$%]+`)

// word returns the text in the program of a word among an instruction's operands.
func (t *thread) word(w string) string {
	if w[0] >= '0' && w[0] <= '9' {
		return w
	}
	if whole, prefix, ok := t.register(w); ok {
		if whole == t.isa.zero {
			return strings.Replace(w, "zero", whole, 1)
		}
		physical := t.names[whole]
		if physical == "" { // its value does not matter: it is r0 where r0 means 0, on Power
			return "0"
		}
		switch {
		case t.isa.spell != nil:
			return t.isa.spell(prefix, physical)
		case !t.moved(whole):
			return w
		}
		return physical
	}
	if slices.Contains(t.labels, w) {
		return t.label(w)
	}
	if t.isLocation(w) {
		return t.location(w, false)
	}
	if t.isa.word != nil {
		w = t.isa.word(w)
	}
	return strings.ReplaceAll(w, "%", "%%")
}

// register finds the register that a word names, also a symbolic one, and the letter of its width, on AArch64.
func (t *thread) register(w string) (whole string, prefix byte, ok bool) {
	if prefix = w[0]; strings.IndexByte("XWxw", prefix) < 0 {
		prefix = 'x' // LR
	}
	if v, ok := t.words.Register(w); ok {
		return v.Whole, prefix, true
	}
	inner := w
	if i := strings.IndexByte(w, '%'); i >= 0 {
		inner = w[i:]
		if i == 0 {
			prefix = 'X'
		}
	}
	_, ok = t.names[inner]
	return inner, prefix, ok && strings.HasPrefix(inner, "%")
}

func (t *thread) isLocation(name string) bool {
	return slices.ContainsFunc(t.program.Locs, func(l ir.Location) bool { return l.Offset == 0 && l.Name == name })
}

// write writes the thread's function.
func (t *thread) write() {
	th := &t.program.Threads[t.index]
	t.printf("static __attribute__((noinline)) void %s(char *const *at, unsigned long *out) {\n",
		t.function(t.index))
	if note := t.renamings(); note != "" {
		t.printf("  /* %s */\n", note)
	}
	if t.ends {
		t.lines = append(t.lines, "Lend_%=:")
	}
	lines := slices.Concat(t.extensions(), t.lines)
	operands := []string{}
	for i, r := range th.Regs {
		if physical := t.names[r.Name]; r.Name != "" && physical != "" {
			t.printf("  register unsigned long %s __asm__(\"%s\") = %s;\n", variableOf(physical),
				physical, t.initialRegister(i))
			operands = append(operands, fmt.Sprintf("\"+&r\"(%s)", variableOf(physical)))
		}
	}
	t.printf("  __asm__ __volatile__(\n")
	for i, line := range lines {
		end := `\n\t`
		if i == len(lines)-1 || strings.HasSuffix(lines[i+1], ":") {
			end = `\n`
		}
		t.printf("    \"%s%s\"\n", line, end)
	}
	if len(lines) == 0 {
		t.printf("    \"\"\n")
	}
	var inputs []string
	for _, name := range t.locations {
		inputs = append(inputs, fmt.Sprintf("[%s] \"r\"(%s)", identifier(name), t.addressOf(name)))
	}
	const mostOperands = 30 // of GCC; one that is read and written counts twice
	if most := min(len(t.isa.pool), mostOperands/2-len(inputs)/2); len(operands)+len(inputs) > most {
		t.failf(t.test.Threads[t.index].Pos, "P%d needs %d registers, and compilers leave %d free", th.ID,
			len(operands)+len(inputs), most)
	}
	for _, list := range []string{strings.Join(operands, ", "), strings.Join(inputs, ", "), t.isa.clobbers} {
		t.printf("    :%s\n", strings.TrimRight(" "+list, " "))
	}
	t.printf("    );\n")
	for i, reg := range t.results[t.index] {
		value := "0"
		if physical := t.names[th.Regs[reg].Name]; physical != "" {
			value = variableOf(physical)
		}
		t.printf("  out[%d] = %s; /* %s */\n", i, value, comment(th.Regs[reg].Name))
	}
	t.printf("}\n\n")
}

// variableOf is the C variable of a register.
func variableOf(physical string) string { return strings.Replace(physical, "$", "r", 1) }

// addressOf is the address of a location as a C expression.
func (t *thread) addressOf(name string) string {
	i := slices.IndexFunc(t.program.Locs, func(l ir.Location) bool {
		return l.Offset == 0 && strings.TrimSuffix(l.Name, "[0]") == strings.TrimSuffix(name, "[0]")
	})
	if i < 0 {
		t.failf(t.test.Threads[t.index].Pos, "%s is not a location", name)
		return "0"
	}
	return t.expression(t.program.Locs[i].Address)
}

// expression is an initial value as a C expression.
func (t *thread) expression(v uint64) string {
	target, rest := t.initial(v)
	switch {
	case target < 0:
		return number(v)
	case rest == 0:
		return fmt.Sprintf("(unsigned long)at[%d]", target)
	}
	return fmt.Sprintf("(unsigned long)at[%d] + %d", target, rest)
}

// initialRegister is the initial value of a register as a C expression.
func (t *thread) initialRegister(reg int) string {
	r := &t.program.Threads[t.index].Regs[reg]
	if target, _ := t.initial(r.Init); target >= 0 && t.pointerBits() == 32 && t.test.Arch != "ARM" {
		t.low = true
	}
	return t.expression(r.Init)
}

// renamings says which registers have other names in the program.
func (t *thread) renamings() string {
	var list []string
	for _, r := range t.program.Threads[t.index].Regs {
		if r.Name != "" && t.names[r.Name] != "" && t.moved(r.Name) {
			list = append(list, comment(r.Name)+" is "+t.names[r.Name])
		}
	}
	return strings.Join(list, ", ")
}

// extensions are directives for instructions that assemblers do not accept by default.
func (t *thread) extensions() (lines []string) {
	for _, e := range t.isa.extensions {
		used := func(line string) bool {
			word, _, _ := strings.Cut(line, " ")
			return e.mnemonics().MatchString(word)
		}
		if slices.ContainsFunc(t.lines, used) {
			lines = append(lines, e.directive)
		}
	}
	return lines
}
