package readback

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/listing"
)

// x86 reads 64-bit instructions in AT&T syntax, which X86_64 tests have, or in Intel syntax (intel.go). Objects are
// named in operands: x(%rip), x@GOTPCREL(%rip), $x. An access to a promoted slot of the stack names the slot's
// register instead.
var x86 = Machine{
	Arch: "X86_64", Names: []string{"x86", "x86-64", "x86_64", "amd64"}, Title: "x86, 64 bits",
	Triples: []string{"x86_64", "amd64"}, Clang: "x86_64-linux-gnu",
	syntax: listing.X86, pointer: 64, stack: "rsp",
	spare:     strings.Fields("r15 r14 r13 r12 r11 r10 rbx r9 r8 rdi rsi rdx rcx"),
	arguments: strings.Fields("rdi rsi rdx rcx r8 r9"),
	register:  x86Register,
	move: func(to, from string, bits int) string {
		return fmt.Sprintf("mov%s %%%s,%%%s", x86Letters[bits], x86View(from, bits), x86View(to, bits))
	},
	translate: func(t *thread, l listing.Line) { (&x86Line{t, att(l)}).translate() },
}

var x86Letters = map[int]string{8: "b", 16: "w", 32: "l", 64: "q"}

// x86Views are the registers' names by width: 8, 16, 32 and 64 bits.
var x86Views = func() map[string][4]string {
	m := map[string][4]string{}
	for _, r := range strings.Fields("a b c d") {
		m["r"+r+"x"] = [4]string{r + "l", r + "x", "e" + r + "x", "r" + r + "x"}
	}
	for _, r := range strings.Fields("si di bp sp") {
		m["r"+r] = [4]string{r + "l", r, "e" + r, "r" + r}
	}
	for n := 8; n < 16; n++ {
		r := "r" + strconv.Itoa(n)
		m[r] = [4]string{r + "b", r + "w", r + "d", r}
	}
	return m
}()

// x86Parts maps the names of registers' parts to the whole register and the width in bits. The high bytes, such as ah,
// have width -8.
var x86Parts = func() map[string]struct {
	whole string
	bits  int
} {
	m := map[string]struct {
		whole string
		bits  int
	}{}
	for whole, views := range x86Views {
		for i, v := range views {
			m[v] = struct {
				whole string
				bits  int
			}{whole, 8 << i}
		}
	}
	for _, r := range strings.Fields("a b c d") {
		m[r+"h"] = struct {
			whole string
			bits  int
		}{"r" + r + "x", -8}
	}
	return m
}()

// x86Register returns the whole register: rax for %eax.
func x86Register(word string) string {
	return x86Parts[strings.ToLower(strings.TrimPrefix(word, "%"))].whole
}

func x86View(register string, bits int) string {
	return x86Views[register][map[int]int{8: 0, 16: 1, 32: 2, 64: 3}[bits]]
}

// x86Line is a line being translated.
type x86Line struct {
	*thread
	l listing.Line
}

// x86Codes matches the condition codes.
const x86Codes = `(e|ne|z|nz|b|nae|c|ae|nb|nc|be|na|a|nbe|s|ns|o|no|l|nge|ge|nl|le|ng|g|nle)`

var (
	x86None = words("nop nopw nopl nopq endbr64 endbr32 pause data16")
	x86Jump = lazily(`^j` + x86Codes + `$`)
	// x86Known are the instructions whose only explicit destination is their last operand, without the suffix of the
	// width.
	x86Known = words(`mov movabs lea add sub and or xor adc sbb imul inc dec neg not shl sal shr sar rol ror
		xchg xadd cmpxchg bts btr btc bsf bsr tzcnt lzcnt popcnt bswap andn shlx shrx sarx rorx`)
	x86Reads    = words("cmp test bt")
	x86Implicit = words("cwtl cwde cltq cdqe cltd cdq cqto cqo")
	x86Fences   = words("mfence sfence lfence")
	x86Extend   = lazily(`^mov[zs]([bwl])([wlq])$`)
	x86Chosen   = lazily(`^(cmov|set)` + x86Codes + `([wlq])?$`)
)

// base returns the mnemonic without LOCK and the suffix of the width, and the width in bits, or 0.
func (x *x86Line) base() (name string, bits int, locked bool) {
	op, locked := strings.CutPrefix(x.l.Op, "lock ")
	for _, known := range []map[string]bool{x86Known, x86Reads} {
		if known[op] {
			return op, 0, locked
		}
		n := max(len(op)-1, 0)
		for bits, letter := range x86Letters {
			if op[n:] == letter && known[op[:n]] {
				return op[:n], bits, locked
			}
		}
	}
	return op, 0, locked
}

// translate translates the line, by its mnemonic.
func (x *x86Line) translate() {
	op := strings.TrimPrefix(strings.TrimPrefix(x.l.Op, "notrack "), "repz ")
	op = strings.TrimPrefix(op, "rep ")
	name, bits, locked := x.base()
	switch {
	case strings.Contains(x.l.Text, "%xmm") || strings.Contains(x.l.Text, "%ymm") || strings.Contains(x.l.Text, "%st"):
		x.fail("registers of vectors and floating-point numbers are not read back")
	case strings.Contains(x.l.Text, "%fs:") || strings.Contains(x.l.Text, "%gs:"):
		x.fail("it accesses thread-local memory, as the stack protector does: compile with -fno-stack-protector")
	case x86None[op]:
		x.none()
	case op == "ret" || op == "retq":
		x.ret("jmp")
	case op == "jmp":
		if len(x.l.Args) != 1 || strings.HasPrefix(x.l.Args[0], "*") {
			x.fail("it jumps to a computed address, as jump tables do: compile with -fno-jump-tables")
		}
		x.emit("jmp %s", x.jump(x.l.Args[0]))
		x.stop()
	case x86Jump().MatchString(op) && len(x.l.Args) == 1:
		x.emit("%s %s", op, x.jump(x.l.Args[0]))
	case op == "call" || op == "callq":
		x.call()
	case op == "push" || op == "pushq":
		x.push()
	case op == "pop" || op == "popq":
		x.pop(x.arg(0))
	case op == "leave" || op == "leaveq":
		x.assign("rsp", x.facts["rbp"], "movq %%rbp,%%rsp")
		x.pop("%rbp")
	case x86Fences[op] || x86Implicit[op]:
		x.emit("%s", op)
		if x86Implicit[op] {
			x.kill("rax", "rdx")
		}
	case x86Known[name] || x86Reads[name] || x86Extend().MatchString(op) || x86Chosen().MatchString(op):
		x.operate(name, bits, locked)
	default:
		x.unknown()
	}
}

// assign emits arithmetic on stack addresses, if the frame is in memory, and notes the result.
func (x *x86Line) assign(register string, f fact, format string, args ...any) {
	if f.kind != "stack" {
		x.fail("the place of %s on the stack is not known", register)
	}
	if x.keepsFrame() {
		x.emit(format, args...)
	}
	x.set(register, f)
}

// push and pop move the stack pointer by LEA, which leaves the flags as they are.
func (x *x86Line) push() {
	f := x.facts["rsp"]
	f.offset -= 8
	if len(x.l.Args) != 1 || f.kind != "stack" {
		x.fail("the place on the stack is not known")
	}
	source := x.l.Args[0]
	if !strings.HasPrefix(source, "%") && !strings.HasPrefix(source, "$") {
		x.fail("only registers and numbers can be pushed")
	}
	if x.register(source) != "rbp" && x.facts[x.register(source)].kind == "stack" {
		x.escape()
	}
	slot, promoted := x.slot(f.offset, 64)
	x.assign("rsp", f, "leaq -8(%%rsp),%%rsp")
	if promoted {
		x.emit("movq %s,%%%s", source, slot)
	} else {
		x.emit("movq %s,(%%rsp)", source)
	}
}

func (x *x86Line) pop(to string) {
	f := x.facts["rsp"]
	if f.kind != "stack" || x.register(to) == "" {
		x.fail("the place on the stack is not known")
	}
	if slot, promoted := x.slot(f.offset, 64); promoted {
		x.emit("movq %%%s,%s", slot, to)
	} else {
		x.emit("movq (%%rsp),%s", to)
	}
	x.kill(x.register(to))
	f.offset += 8
	x.assign("rsp", f, "leaq 8(%%rsp),%%rsp")
}

// call refuses calls by name.
func (x *x86Line) call() {
	name := ""
	if len(x.l.Args) > 0 {
		name, _, _ = strings.Cut(x.l.Args[0], "@")
	}
	switch {
	case strings.Contains(name, "stack_chk"):
		x.fail("it is part of the stack protector: compile with -fno-stack-protector")
	case strings.HasPrefix(name, "__atomic_"):
		x.fail("%s is in libatomic, whose code is not in the listing", name)
	}
	x.fail("it calls %s, whose code is not part of the test", name)
}

// x86Operand is an operand of an instruction.
type x86Operand struct {
	text   string
	memory bool
	base   string // register of an address
	other  string // the rest of the address, if it is not a number before a base
	offset int
}

var x86Address = lazily(`^([^()]*)\(([^()]*)\)$`)

// operand reads operand i, and replaces symbols by locations.
func (x *x86Line) operand(i int) x86Operand {
	text := x.l.Args[i]
	if strings.HasPrefix(text, "%") || strings.HasPrefix(text, "$") {
		return x86Operand{text: text}
	}
	m := x86Address().FindStringSubmatch(text)
	if m == nil { // a symbol alone
		location, offset := x.symbol(text)
		return x86Operand{text: x86Location(location, offset), memory: true, other: location}
	}
	o := x86Operand{text: text, memory: true}
	front, inside := m[1], strings.Split(strings.ReplaceAll(m[2], " ", ""), ",")
	o.base = x.register(inside[0])
	n, err := litmus.ParseNumber(front)
	switch {
	case front == "":
	case err == nil:
		o.offset = int(int64(n))
	case strings.EqualFold(inside[0], "%rip"):
		location, offset := x.symbol(front)
		o.text, o.other = x86Location(location, offset), location
		return o
	default:
		location, offset := x.symbol(front)
		if offset != 0 {
			x.fail("%s has both a register and a number of bytes", text)
		}
		o.text, o.other = location+"("+strings.Join(inside, ",")+")", location
	}
	if len(inside) > 1 {
		o.other = strings.Join(inside[1:], ",")
	}
	return o
}

// x86Location returns a location with an offset in bytes as an operand.
func x86Location(location string, offset int) string {
	if offset == 0 {
		return "(" + location + ")"
	}
	return fmt.Sprintf("%d(%s)", offset, location)
}

// operate translates an instruction whose operands are registers, numbers and at most one address.
func (x *x86Line) operate(name string, bits int, locked bool) {
	if x.addressOf(name) {
		return
	}
	ops := make([]string, len(x.l.Args))
	at := -1
	var m x86Operand
	for i := range x.l.Args {
		o := x.operand(i)
		if o.memory {
			if at >= 0 {
				x.fail("it has two operands in memory")
			}
			at, m = i, o
		}
		ops[i] = o.text
	}
	last := len(ops) - 1
	x.arg(0)
	if at >= 0 && x.facts[m.base].kind == "stack" {
		if m.other != "" {
			x.fail("the place on the stack is not known")
		}
		place := x.facts[m.base].offset + m.offset
		width := x.width(name, bits)
		if locked || name == "xchg" || name == "cmpxchg" || name == "xadd" {
			x.touch(place, width)
			x.touch(place, 1) // keeps the slot in memory
		} else if slot, promoted := x.slot(place, width); promoted {
			ops[at] = "%" + x86View(slot, width)
		}
	}
	if x.follow(name, ops) {
		return
	}
	for i, text := range ops {
		if r := x.register(text); r != "" && x.facts[r].kind == "stack" && i != at {
			if r == x.stack && i == last && !x86Reads[name] {
				x.fail("the stack pointer has no known place after it")
			}
			x.escape()
		}
	}
	x.emit("%s %s", x.l.Op, strings.Join(ops, ","))
	if x86Reads[name] {
		return
	}
	x.kill(x.register(ops[last]))
	switch name {
	case "xchg", "xadd":
		x.kill(x.register(ops[0]))
	case "cmpxchg":
		x.kill("rax")
	}
}

// addressOf translates moves of objects' addresses: LEA of a symbol, a load from the GOT, a symbol as a number.
func (x *x86Line) addressOf(name string) bool {
	if len(x.l.Args) != 2 {
		return false
	}
	source, to := x.l.Args[0], x.register(x.l.Args[1])
	symbol, got := "", false
	if text, ok := strings.CutSuffix(source, "(%rip)"); ok {
		if symbol, got = strings.CutSuffix(text, "@GOTPCREL"); !got && name != "lea" {
			return false
		}
	} else if text, ok := strings.CutPrefix(source, "$"); ok {
		if _, err := litmus.ParseNumber(text); err == nil {
			return false
		}
		symbol = text
	} else {
		return false
	}
	if to == "" && name == "mov" && strings.HasPrefix(source, "$") { // a store of an address
		location, offset := x.symbol(symbol)
		if offset != 0 || x.l.Op != "movq" {
			x.fail("it stores an address that tests cannot write as a number")
		}
		x.emit("movq $%s,%s", location, x.operand(1).text)
		return true
	}
	if to == "" || name != "mov" && name != "lea" && name != "movabs" {
		x.fail("it computes with the address of %s", symbol)
	}
	location, offset := x.symbol(symbol)
	x.emit("leaq %s,%%%s", x86Location(location, offset), to)
	x.kill(to)
	return true
}

// follow translates arithmetic on stack addresses whose result is known.
func (x *x86Line) follow(name string, ops []string) bool {
	if len(ops) != 2 {
		return false
	}
	to := x.register(ops[1])
	if to == "" {
		return false
	}
	part := x86Parts[strings.TrimPrefix(ops[1], "%")]
	var f fact
	switch {
	case name == "mov" && x.facts[x.register(ops[0])].kind == "stack":
		f = x.facts[x.register(ops[0])]
	case name == "lea":
		o := x.operand(0)
		if f = x.facts[o.base]; f.kind != "stack" {
			return false
		}
		if o.other != "" {
			x.fail("the place on the stack is not known")
		}
		f.offset += o.offset
	case (name == "add" || name == "sub") && x.facts[to].kind == "stack":
		n, err := litmus.ParseNumber(strings.TrimPrefix(ops[0], "$"))
		if f = x.facts[to]; err != nil {
			return false
		}
		if f.offset += int(int64(n)); name == "sub" {
			f.offset -= 2 * int(int64(n))
		}
	default:
		return false
	}
	if part.bits != 64 {
		x.fail("it cuts the address of the stack")
	}
	text := x.l.Op + " " + strings.Join(ops, ",")
	x.assign(to, f, "%s", text)
	return true
}

// width returns the width of the operand in memory in bits.
func (x *x86Line) width(name string, bits int) int {
	op := strings.TrimPrefix(x.l.Op, "lock ")
	if m := x86Extend().FindStringSubmatch(op); m != nil {
		for n, letter := range x86Letters {
			if m[1] == letter {
				return n
			}
		}
	}
	if m := x86Chosen().FindStringSubmatch(op); m != nil && m[1] == "set" {
		return 8
	}
	if bits != 0 {
		return bits
	}
	for _, a := range slices.Backward(x.l.Args) {
		if p, ok := x86Parts[strings.TrimPrefix(a, "%")]; ok && p.bits > 0 {
			return p.bits
		}
	}
	x.fail("the width of %s is not known", name)
	return 0
}
