package native

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// A test in PTX becomes one kernel. Each warp of 32 lanes runs one thread of the test, for 32 cells at once, and each
// CTA of the test is a CTA of the GPU, so that a grid has a CTA of each kind for every 32 cells. A lane finds the
// addresses of its cell's variables in a table, as threads on a processor do. Registers keep their names.
//
// The host passes the text of the kernel to the CUDA driver, which it loads when it runs (program/cuda.c). So the
// program builds without CUDA. Source of the syntax: NVIDIA, Parallel Thread Execution ISA 7.5.

//go:embed program/cuda.c
var cuda string

// kernel writes the kernel of a test.
type kernel struct {
	*assembler
	ctas    [][]int // the threads of each CTA
	lines   []string
	lanes   int         // of a warp that run cells
	callers map[int]int // threads of a CTA that call a barrier, by CTA and number
}

// mostBarriers is the number of barriers of a CTA.
const mostBarriers = 16

// kernel writes the kernel and its layout.
func (a *assembler) kernel() {
	a.flags = append(a.flags, "-ldl")
	k := &kernel{assembler: a, lanes: 32, callers: map[int]int{}}
	k.place()
	if len(a.errors) > 0 {
		return
	}
	k.countBarriers()
	k.prologue()
	for i := range a.program.Threads {
		k.thread(i)
	}
	k.lines = append(k.lines, "}")
	a.printf("static const char ptx%s[] =\n    %s;\n", numberMark, quote(strings.Join(k.lines, "\n")+"\n"))
	a.printf("static const struct kernel kernel%s = {.text = ptx%[1]s, .ctas = %d, .warps = %d, .lanes = %d};\n\n",
		numberMark, len(k.ctas), k.warps(), k.lanes)
}

// place groups the threads by CTA. All must be on one GPU.
func (k *kernel) place() {
	of := map[[2]int]int{}
	first := -1
	for i, th := range k.test.Threads {
		cta, gpu := th.Place[0], th.Place[1]
		if first < 0 {
			first = gpu
		}
		if gpu != first {
			k.failf(th.Pos, "P%d is on another GPU than P%d: hw runs tests on one GPU", th.ID, k.test.Threads[0].ID)
			return
		}
		at, ok := of[[2]int{gpu, cta}]
		if !ok {
			at = len(k.ctas)
			of[[2]int{gpu, cta}] = at
			k.ctas = append(k.ctas, nil)
		}
		k.ctas[at] = append(k.ctas[at], i)
	}
	for i := range k.test.Init {
		if item := &k.test.Init[i]; item.Aliases != "" {
			k.failf(item.Pos, "%s is a second name of %s: hw runs tests in which each location has one name",
				item.Target.Name, item.Aliases)
		}
	}
}

// warps is the number of warps of a CTA.
func (k *kernel) warps() int {
	most := 0
	for _, threads := range k.ctas {
		most = max(most, len(threads))
	}
	return most
}

// ctaOf is the CTA of a thread.
func (k *kernel) ctaOf(thread int) int {
	return slices.IndexFunc(k.ctas, func(threads []int) bool { return slices.Contains(threads, thread) })
}

// barrier matches control barriers.
var barrier = regexp.MustCompile(`^(?:bar|barrier)(?:\.cta)?\.(sync|arrive)$`)

// countBarriers finds out how many threads of each CTA call each barrier. The GPU counts warps that arrive at one, so
// with barriers a warp runs one cell.
func (k *kernel) countBarriers() {
	for i := range k.test.Threads {
		called := map[int]bool{}
		for _, cell := range k.test.Threads[i].Cells {
			_, rest := cell.Flat().Labels()
			mnemonic, operands := rest.Split()
			if !barrier.MatchString(strings.ToLower(mnemonic.Text)) {
				continue
			}
			k.lanes = 1
			number, ok := constant(operands[0].Text)
			switch {
			case len(operands) > 1:
				k.failf(mnemonic.Pos, "hw runs control barriers without a number and without a count, as in %s 0",
					mnemonic.Text)
			case !ok || number >= mostBarriers:
				k.failf(operands[0].Pos, "a CTA has the barriers 0 to %d", mostBarriers-1)
			case called[number]:
				k.failf(mnemonic.Pos, "P%d calls the barrier %d twice: hw runs tests in which a thread calls each "+
					"barrier once", k.test.Threads[i].ID, number)
			default:
				called[number] = true
				k.callers[k.ctaOf(i)*mostBarriers+number]++
			}
		}
	}
}

// constant reads a number as tests write it.
func constant(text string) (n int, ok bool) {
	_, err := fmt.Sscanf(text, "%d", &n)
	return n, err == nil && n >= 0
}

// add adds a line.
func (k *kernel) add(format string, args ...any) {
	k.lines = append(k.lines, fmt.Sprintf(format, args...))
}

// The registers of the kernel, beside those of the threads. Names with two letters are no registers of tests.
const kernelRegisters = `	.reg .pred %pp;
	.reg .b32 %la, %wa, %ct, %gr, %ce, %to, %pa, %ar, %va, %tm;
	.reg .b64 %ta, %ou, %me, %of;`

// prologue writes the start of the kernel: which cell and which thread a lane runs, and the meeting of its threads. A
// lane waits a bounded time, because not all CTAs of a grid run at once.
func (k *kernel) prologue() {
	k.add(".version 7.5\n.target sm_70\n.address_size 64")
	k.add(".visible .entry litmus(.param .u64 addresses, .param .u64 results, .param .u64 meetings, " +
		".param .u32 size, .param .u32 patience)\n{")
	k.lines = append(k.lines, kernelRegisters)
	for i := range k.objects {
		k.add("\t.reg .b64 %%at%d;", i)
	}
	for i := range k.program.Threads {
		if names := k.registers(i); len(names) > 0 {
			k.add("\t.reg .b32 %s;", strings.Join(names, ", "))
		}
	}
	for _, l := range []string{
		"ld.param.u64 %ta, [addresses]", "ld.param.u64 %ou, [results]", "ld.param.u64 %me, [meetings]",
		"ld.param.u32 %to, [size]", "ld.param.u32 %pa, [patience]",
		"mov.u32 %tm, %tid.x", "and.b32 %la, %tm, 31", "shr.u32 %wa, %tm, 5", "mov.u32 %tm, %ctaid.x",
		fmt.Sprintf("rem.u32 %%ct, %%tm, %d", len(k.ctas)), fmt.Sprintf("div.u32 %%gr, %%tm, %d", len(k.ctas)),
		fmt.Sprintf("setp.ge.u32 %%pp, %%la, %d", k.lanes), "@%pp bra END",
		fmt.Sprintf("mad.lo.u32 %%ce, %%gr, %d, %%la", k.lanes), "setp.ge.u32 %pp, %ce, %to", "@%pp bra END",
		// The lane's row of the table of addresses.
		fmt.Sprintf("mul.wide.u32 %%of, %%ce, %d", 8*max(1, len(k.objects))), "add.u64 %ta, %ta, %of",
		// The meeting.
		"mul.wide.u32 %of, %ce, 4", "add.u64 %me, %me, %of",
	} {
		k.add("\t%s;", l)
	}
	for i := range k.objects {
		k.add("\tld.global.u64 %%at%d, [%%ta+%d];", i, 8*i)
	}
	for _, l := range []string{
		"setp.eq.u32 %pp, %pa, 0", "@%pp bra MET",
		"red.relaxed.gpu.global.add.u32 [%me], 1",
	} {
		k.add("\t%s;", l)
	}
	k.add("WAIT:")
	for _, l := range []string{
		"ld.relaxed.gpu.global.u32 %ar, [%me]",
		fmt.Sprintf("setp.ge.u32 %%pp, %%ar, %d", len(k.program.Threads)), "@%pp bra MET",
		"sub.u32 %pa, %pa, 1", "setp.ne.u32 %pp, %pa, 0", "@%pp bra WAIT",
	} {
		k.add("\t%s;", l)
	}
	k.add("MET:")
	for c, threads := range k.ctas {
		for w, i := range threads {
			k.add("\tsetp.eq.u32 %%pp, %%ct, %d;", c)
			k.add("\tsetp.eq.and.u32 %%pp, %%wa, %d, %%pp;", w)
			k.add("\t@%%pp bra P%d;", k.program.Threads[i].ID)
		}
	}
	k.add("END:\n\tret;")
}

// registers are the registers of a thread in the kernel.
func (k *kernel) registers(thread int) (names []string) {
	for _, r := range k.program.Threads[thread].Regs {
		if r.Name != "" {
			names = append(names, k.register(thread, r.Name))
		}
	}
	return names
}

// register is a register of a test in the kernel, where threads share one space of names.
func (k *kernel) register(thread int, name string) string {
	return fmt.Sprintf("%%p%d_%s", k.program.Threads[thread].ID, strings.ToLower(strings.TrimPrefix(name, "%")))
}

// thread writes what one thread does in a cell.
func (k *kernel) thread(i int) {
	th := &k.program.Threads[i]
	t := &lane{kernel: k, index: i}
	k.add("P%d:", th.ID)
	for _, r := range th.Regs {
		if r.Name != "" {
			k.add("\tmov.u32 %s, %d;", k.register(i, r.Name), int32(r.Init))
		}
	}
	for _, cell := range k.test.Threads[i].Cells {
		labels, rest := cell.Flat().Labels()
		for _, l := range labels {
			k.add("%s:", t.label(l.Text))
		}
		if rest.Text == "" {
			continue
		}
		from := len(k.lines)
		t.instruction(rest)
		for _, line := range k.lines[from:] {
			k.instructions = append(k.instructions, Instruction{rest.Pos, strings.TrimSpace(line)})
		}
	}
	n := max(1, len(k.results[i]))
	before := 0
	for j := range i {
		before += max(1, len(k.results[j]))
	}
	k.add("\tmul.wide.u32 %%of, %%to, %d;", 4*before) // the results of a thread are adjacent, by cell
	k.add("\tadd.u64 %%ou, %%ou, %%of;")
	k.add("\tmul.wide.u32 %%of, %%ce, %d;", 4*n)
	k.add("\tadd.u64 %%ou, %%ou, %%of;")
	for r, reg := range k.results[i] {
		k.add("\tst.global.u32 [%%ou+%d], %s;", 4*r, k.register(i, th.Regs[reg].Name))
	}
	k.add("\tret;")
}

// lane writes the instructions of one thread.
type lane struct {
	*kernel
	index int
}

// label is the name of a label in the kernel.
func (t *lane) label(name string) string {
	return fmt.Sprintf("P%d_%s", t.program.Threads[t.index].ID, identifier(name))
}

// value is an operand that is read: a register, or a number.
func (t *lane) value(w litmus.Word) string {
	if v, ok := t.words().Register(w.Text); ok {
		return t.register(t.index, v.Whole)
	}
	return w.Text
}

// inRegister is an operand that is read, in a register.
func (t *lane) inRegister(w litmus.Word) string {
	v := t.value(w)
	if strings.HasPrefix(v, "%") {
		return v
	}
	t.add("\tmov.u32 %%va, %s;", v)
	return "%va"
}

// address is the operand for a location.
func (t *lane) address(w litmus.Word) string {
	name := strings.TrimSpace(strings.Trim(w.Text, "[]"))
	i := slices.IndexFunc(t.program.Locs, func(l ir.Location) bool { return strings.TrimSuffix(l.Name, "[0]") == name })
	if i < 0 {
		t.failf(w.Pos, "%s is not a location", w.Text)
		return "[%ta]"
	}
	object := t.objectOf(t.program.Locs[i].Address)
	if behind := t.program.Locs[i].Address - t.objects[object].address; behind > 0 {
		return fmt.Sprintf("[%%at%d+%d]", object, behind)
	}
	return fmt.Sprintf("[%%at%d]", object)
}

// compared are the relations of branches.
var compared = map[string]string{"beq": "eq", "bne": "ne", "blt": "lt", "bge": "ge", "bgt": "gt", "ble": "le"}

// arithmetic are the instructions that work on registers alone.
var arithmetic = map[string]string{
	"mov": "mov.u32", "add": "add.s32", "sub": "sub.s32", "and": "and.b32", "or": "or.b32", "xor": "xor.b32",
	"mul": "mul.lo.s32",
}

// types of the operations of atomic updates.
var updateTypes = map[string]string{
	"add": "u32", "exch": "b32", "cas": "b32", "min": "s32", "max": "s32", "and": "b32", "or": "b32", "xor": "b32",
}

// instruction writes an instruction of the test, which its dialect has accepted.
func (t *lane) instruction(cell litmus.Cell) {
	mnemonic, ops := cell.Split()
	text := strings.ToLower(mnemonic.Text)
	parts := strings.Split(text, ".")
	switch name := parts[0]; {
	case name == "ld" && t.isNumber(ops[1]):
		t.add("\tmov.u32 %s, %s;", t.value(ops[0]), ops[1].Text)
	case name == "ld":
		t.add("\t%s.global.u32 %s, %s;", untyped(text), t.value(ops[0]), t.address(ops[1]))
	case name == "st":
		v := t.inRegister(ops[1])
		t.add("\t%s.global.u32 %s, %s;", untyped(text), t.address(ops[0]), v)
	case name == "atom" || name == "red":
		t.update(mnemonic, parts, ops)
	case (name == "fence" || name == "membar") && (parts[1] != "proxy" || parts[2] == "alias"):
		t.add("\t%s;", text)
	case barrier.MatchString(text):
		number, _ := constant(ops[0].Text)
		t.add("\tbarrier.cta.%s %d, %d;", barrier.FindStringSubmatch(text)[1], number,
			32*t.callers[t.ctaOf(t.index)*mostBarriers+number])
	case compared[name] != "":
		t.add("\tsetp.%s.s32 %%pp, %s, %s;", compared[name], t.inRegister(ops[0]), t.value(ops[1]))
		t.add("\t@%%pp bra %s;", t.label(ops[2].Text))
	case name == "goto" || name == "bra":
		t.add("\tbra %s;", t.label(ops[0].Text))
	case name == "set" || name == "shl" || name == "shr":
		t.add("\t%s %s, %s, %s;", text, t.value(ops[0]), t.inRegister(ops[1]), t.value(ops[2]))
	case arithmetic[name] == "mov.u32":
		t.add("\tmov.u32 %s, %s;", t.value(ops[0]), t.value(ops[1]))
	case arithmetic[name] != "":
		t.add("\t%s %s, %s, %s;", arithmetic[name], t.value(ops[0]), t.inRegister(ops[1]), t.value(ops[2]))
	default:
		t.failf(mnemonic.Pos, "hw does not run %s: tests on a GPU have the generic proxy only", mnemonic.Text)
	}
}

func (t *lane) isNumber(w litmus.Word) bool {
	return w.Text != "" && (w.Text[0] >= '0' && w.Text[0] <= '9' || w.Text[0] == '-')
}

// untyped removes the type at the end of a mnemonic.
func untyped(text string) string {
	for _, suffix := range []string{".b32", ".u32", ".s32"} {
		text = strings.TrimSuffix(text, suffix)
	}
	return text
}

// update writes atom or red. PTX has no atomic subtraction.
func (t *lane) update(mnemonic litmus.Word, parts []string, ops []litmus.Word) {
	at := slices.IndexFunc(parts, func(p string) bool { return updateTypes[p] != "" || p == "sub" })
	if at < 0 {
		t.failf(mnemonic.Pos, "hw does not run %s", mnemonic.Text)
		return
	}
	order, op := strings.Join(parts[:at], "."), parts[at]
	location := 0
	if parts[0] == "atom" {
		location = 1
	}
	values := []string{}
	for _, w := range ops[location+1:] {
		values = append(values, t.value(w))
	}
	if op == "sub" {
		op = "add"
		t.add("\tneg.s32 %%va, %s;", t.inRegister(ops[location+1]))
		values[0] = "%va"
	}
	operands := append([]string{t.address(ops[location])}, values...)
	if location == 1 {
		operands = append([]string{t.value(ops[0])}, operands...)
	}
	t.add("\t%s.global.%s.%s %s;", order, op, updateTypes[op], strings.Join(operands, ", "))
}
