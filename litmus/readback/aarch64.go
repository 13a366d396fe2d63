package readback

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/listing"
)

// aarch64 reads Arm's 64-bit instructions, which litmus tests write as assemblers do. Addresses of objects come from
// ADRP with :lo12:, from the GOT, from literal pools, or from ADR; each step becomes a move of a register that has the
// whole address.
var aarch64 = Machine{
	Arch: "AArch64", Names: []string{"aarch64", "arm64"}, Title: "Arm, 64 bits",
	Triples: []string{"aarch64", "arm64"}, Clang: "aarch64-linux-gnu",
	syntax: listing.AArch64, pointer: 64, stack: "SP",
	spare: strings.Fields(`X28 X27 X26 X25 X24 X23 X22 X21 X20 X19 X14 X13 X12 X11 X10 X9 X7 X6 X5 X4 X3 X2 X1 X0
		X8`),
	arguments: strings.Fields("X0 X1 X2 X3 X4 X5 X6 X7"),
	register:  aarch64Register,
	move: func(to, from string, bits int) string {
		return "MOV " + aarch64View(to, bits) + "," + aarch64View(from, bits)
	},
	helper:    "__aarch64_",
	translate: func(t *thread, l listing.Line) { (&aarch64Line{t, l}).translate() },
}

// aarch64Register returns the whole register: X0 for w0.
func aarch64Register(word string) string {
	up := strings.ToUpper(word)
	switch up {
	case "SP", "WSP":
		return "SP"
	case "LR":
		return "X30"
	case "FP":
		return "X29"
	}
	if len(up) > 1 && (up[0] == 'X' || up[0] == 'W') {
		if n, err := strconv.Atoi(up[1:]); err == nil && n >= 0 && n <= 30 {
			return "X" + up[1:]
		}
	}
	return ""
}

// aarch64View returns the part of a register with the given width in bits.
func aarch64View(register string, bits int) string {
	if bits <= 32 && strings.HasPrefix(register, "X") {
		return "W" + register[1:]
	}
	return register
}

// aarch64Line is a line being translated.
type aarch64Line struct {
	*thread
	l listing.Line
}

// Instructions by what they do to registers.
var (
	aarch64None = words("nop yield bti paciasp autiasp paciaz autiaz pacibsp autibsp hint prfm")
	// their first operand is not a destination
	aarch64Reads    = words("cmp cmn tst ccmp ccmn dmb dsb isb")
	aarch64Branches = lazily(`^(b\.?(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|cbn?z|tbn?z)$`)
	aarch64Access   = lazily(`^(ld|st|swp|cas)`)
	aarch64Data     = words(
		`mov movz movn movk add adds sub subs and ands bic bics orr orn eor eon neg negs mvn csel csinc
		csinv csneg cinc cinv cneg cset csetm adc adcs sbc sbcs ngc ngcs lsl lsr asr ror lslv lsrv asrv rorv extr uxtb uxth
		uxtw sxtb sxth sxtw ubfm sbfm bfm ubfx sbfx ubfiz sbfiz bfi bfxil bfc mul mneg madd msub smull umull smaddl umaddl
		smsubl umsubl smnegl umnegl smulh umulh udiv sdiv clz cls abs cnt ctz rbit rev rev16 rev32 rev64 smax smin umax umin`,
	)
)

func words(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// translate translates the line.
func (x *aarch64Line) translate() {
	op := x.l.Op
	switch {
	case aarch64None[op]:
		x.none()
	case op == "ret":
		x.ret("B")
	case op == "b":
		x.emit("B %s", x.jump(x.arg(0)))
		x.stop()
	case aarch64Branches().MatchString(op) && len(x.l.Args) > 0:
		n := len(x.l.Args) - 1
		label := x.jump(x.l.Args[n])
		if strings.HasPrefix(op, "b") && !strings.Contains(op, ".") {
			op = "b." + op[1:]
		}
		x.verbatim(op, append(slices.Clone(x.l.Args[:n]), label))
	case op == "bl":
		x.call()
	case op == "adrp", op == "adr":
		x.page()
	case aarch64Reads[op]:
		x.verbatim(op, x.l.Args)
	case aarch64Access().MatchString(op):
		x.access()
	case aarch64Data[op]:
		x.data()
	default:
		x.unknown()
	}
}

// verbatim emits an instruction as it is.
func (x *aarch64Line) verbatim(op string, args []string) {
	upper := make([]string, len(args))
	for i, a := range args {
		upper[i] = a
		if _, label := x.at[a]; !label && x.names[a] == "" && !slices.ContainsFunc(x.lines, func(e emitted) bool {
			return e.text == a+":"
		}) {
			upper[i] = aarch64Operand(a)
		}
	}
	x.emit("%s", strings.TrimSpace(strings.ToUpper(op)+" "+strings.Join(upper, ",")))
}

// aarch64Number matches a number without the # that tests need after a shift.
var aarch64Number = lazily(`^-?(0x[0-9a-f]+|[0-9]+)$`)

// aarch64Operand returns an operand as tests write it: registers in upper case, numbers with #.
func aarch64Operand(text string) string {
	if strings.HasPrefix(text, "[") {
		inner, closing := strings.TrimSuffix(text[1:], "!"), ""
		if strings.HasSuffix(text, "!") {
			closing = "!"
		}
		var parts []string
		for _, p := range strings.Split(strings.TrimSuffix(inner, "]"), ",") {
			parts = append(parts, aarch64Operand(strings.TrimSpace(p)))
		}
		return "[" + strings.Join(parts, ",") + "]" + closing
	}
	if aarch64Number().MatchString(text) {
		return "#" + text
	}
	if strings.HasPrefix(text, "L") { // a label
		return text
	}
	name, amount, shifted := strings.Cut(text, " ")
	if shifted {
		return strings.ToUpper(name) + " #" + strings.TrimPrefix(strings.TrimSpace(amount), "#")
	}
	switch up := strings.ToUpper(text); up {
	case "LR":
		return "X30"
	case "FP":
		return "X29"
	default:
		return up
	}
}

// page translates ADRP and ADR.
func (x *aarch64Line) page() {
	to := x.destination(0)
	text := strings.TrimPrefix(x.arg(1), "#")
	kind := map[string]string{"adrp": "page", "adr": "address"}[x.l.Op]
	if name, ok := strings.CutPrefix(text, ":got:"); ok {
		kind, text = "got", name
	}
	if words := x.listing.Words(text); words != nil && kind == "page" { // of a constant in memory
		if _, known := x.program.symbols[text]; !known {
			x.set(to, fact{kind: "page of data", symbol: text})
			x.none()
			return
		}
	}
	location, offset := x.symbol(text)
	x.emit("MOV %s,%s", to, x.address(location))
	if offset != 0 && kind == "address" {
		x.emit("ADD %s,%s,#%d", to, to, offset)
		offset = 0
	}
	x.set(to, fact{kind: kind, symbol: location, offset: 0})
}

// destination returns the register that operand i names, and forgets what is known about it.
func (x *aarch64Line) destination(i int) string {
	r := x.register(x.arg(i))
	if r == "" {
		if up := strings.ToUpper(x.arg(i)); up == "XZR" || up == "WZR" {
			return "XZR"
		}
		x.fail("%s is no general register", x.arg(i))
	}
	return r
}

// low splits ":lo12:x+4" and checks that a register has the page of x.
func (x *aarch64Line) low(base, text string) (offset int, ok bool) {
	name, ok := strings.CutPrefix(strings.TrimPrefix(text, "#"), ":lo12:")
	if !ok {
		return 0, false
	}
	f := x.facts[base]
	location, offset := x.symbol(name)
	if f.kind != "page" || f.symbol != location {
		x.fail("%s does not certainly have the page of %s here", base, name)
	}
	return offset, true
}

// data translates arithmetic and moves.
func (x *aarch64Line) data() {
	op, args := x.l.Op, x.l.Args
	for _, a := range args {
		if r := strings.ToUpper(a); len(r) > 1 && strings.ContainsRune("VQDSHB", rune(r[0])) && r[1] >= '0' &&
			r[1] <= '9' {
			x.fail("%s is a register of vectors or floating-point numbers", a)
		}
	}
	if op == "add" && len(args) == 3 {
		if base := x.register(args[1]); base != "" {
			if f := x.facts[base]; f.kind == "page of data" && strings.Contains(args[2], ":lo12:") {
				x.set(x.destination(0), fact{kind: "data", symbol: f.symbol})
				return
			}
			if offset, ok := x.low(base, args[2]); ok {
				f := x.facts[base]
				to := x.destination(0)
				if offset == 0 {
					x.emit("MOV %s,%s", to, base)
				} else {
					x.emit("ADD %s,%s,#%d", to, base, offset)
				}
				x.set(to, fact{kind: "address", symbol: f.symbol, offset: offset})
				return
			}
		}
	}
	x.followStack()
}

// followStack translates arithmetic on the stack pointer, and emits everything else as it is.
func (x *aarch64Line) followStack() {
	op, args := x.l.Op, x.l.Args
	to := x.destination(0)
	source := ""
	if len(args) > 1 {
		source = x.register(args[1])
	}
	from := x.facts[source]
	known := source != "" && from.kind == "stack"
	switch {
	case known && op == "mov" && len(args) == 2:
	case known && (op == "add" || op == "sub") && len(args) == 3 &&
		aarch64Number().MatchString(strings.TrimPrefix(args[2], "#")):
		n := aarch64Int(args[2])
		if op == "sub" {
			n = -n
		}
		from.offset += n
	default:
		for _, a := range args[1:] {
			if r := x.register(a); r != "" && x.facts[r].kind == "stack" {
				x.escape()
			}
		}
		x.verbatim(op, args)
		x.kill(to)
		if to == x.stack {
			x.fail("the stack pointer has no known place after it")
		}
		return
	}
	x.frame(func() { x.verbatim(op, args) })
	x.set(to, from)
}

// frame emits arithmetic on stack addresses only if some slot of the stack is in memory.
func (x *aarch64Line) frame(emit func()) {
	if x.keepsFrame() {
		emit()
	}
}

func aarch64Int(text string) int {
	n, err := litmus.ParseNumber(strings.TrimPrefix(text, "#"))
	if err != nil {
		return 0
	}
	return int(int64(n))
}

// memory is a memory operand.
type aarch64Memory struct {
	at     int    // the operand's index
	base   string // register
	number int    // offset
	index  string // the rest after the base, "" for a number
	pre    bool
	post   bool
}

// operand finds the memory operand.
func (x *aarch64Line) operand() aarch64Memory {
	for i, a := range x.l.Args {
		if !strings.HasPrefix(a, "[") {
			continue
		}
		m := aarch64Memory{at: i, pre: strings.HasSuffix(a, "!")}
		inner := strings.TrimSuffix(strings.TrimSuffix(a[1:], "!"), "]")
		base, rest, _ := strings.Cut(inner, ",")
		m.base = x.register(strings.TrimSpace(base))
		if m.base == "" {
			x.fail("%s has no register as its base", a)
		}
		switch rest = strings.TrimSpace(rest); {
		case rest == "":
		case aarch64Number().MatchString(strings.TrimPrefix(rest, "#")):
			m.number = aarch64Int(rest)
		default:
			m.index = rest
		}
		if i+1 < len(x.l.Args) {
			m.post, m.number = true, aarch64Int(x.l.Args[i+1])
		}
		return m
	}
	return aarch64Memory{at: -1}
}

// The loads and stores, by their operands.
var (
	aarch64Plain = lazily(
		`^(ldr|ldur|ldrs|ldurs|ldar|ldapr|ldapur|ldapurs|ldxr|ldaxr|str|stur|stlr|stlur)` +
			`(b|h|w)?$`,
	)
	aarch64Pair  = lazily(`^(ldp|stp|ldnp|stnp|ldpsw|ldxp|ldaxp)$`)
	aarch64Cond  = lazily(`^(stl?xr)(b|h)?$`)
	aarch64Both  = lazily(`^(swp|cas|ldadd|ldclr|ldeor|ldset|ldsmax|ldsmin|ldumax|ldumin)(a|l|al)?(b|h)?$`)
	aarch64Drop  = lazily(`^(stadd|stclr|steor|stset|stsmax|stsmin|stumax|stumin)(l)?(b|h)?$`)
	aarch64Pairs = lazily(`^(stl?xp|casp(a|l|al)?)$`)
)

// access translates loads, stores and atomic instructions.
func (x *aarch64Line) access() {
	op := x.l.Op
	var destinations []int
	bits := 0
	size := func(s string) {
		bits = map[string]int{"b": 8, "h": 16, "w": 32}[s]
	}
	switch {
	case aarch64Plain().MatchString(op):
		m := aarch64Plain().FindStringSubmatch(op)
		size(m[2])
		if strings.HasPrefix(op, "ld") {
			destinations = []int{0}
		}
	case aarch64Pair().MatchString(op):
		if strings.HasPrefix(op, "ld") {
			destinations = []int{0, 1}
		}
	case aarch64Cond().MatchString(op):
		size(aarch64Cond().FindStringSubmatch(op)[2])
		destinations = []int{0}
	case aarch64Both().MatchString(op):
		size(aarch64Both().FindStringSubmatch(op)[3])
		destinations = []int{1}
		if strings.HasPrefix(op, "cas") {
			destinations = []int{0}
		}
	case aarch64Drop().MatchString(op):
		size(aarch64Drop().FindStringSubmatch(op)[3])
	case aarch64Pairs().MatchString(op):
		destinations = []int{0}
		if strings.HasPrefix(op, "cas") {
			destinations = []int{0, 1}
		}
	default:
		x.unknown()
	}
	for i, a := range x.l.Args {
		if r := strings.ToUpper(a); len(r) > 1 && strings.ContainsRune("VQDSHB", rune(r[0])) && r[1] >= '0' &&
			r[1] <= '9' {
			x.fail("operand %d, %s, is a register of vectors or floating-point numbers", i+1, a)
		}
	}
	m := x.operand()
	if m.at < 0 {
		x.literal()
		return
	}
	for _, i := range append(destinations, 0) {
		if x.arg(i); i >= m.at {
			x.fail("it has too few operands before its address")
		}
	}
	if x.constant(m) {
		return
	}
	args := slices.Clone(x.l.Args)
	if offset, ok := x.low(m.base, m.index); ok {
		args[m.at] = "[" + m.base + "]"
		if offset != 0 {
			args[m.at] = fmt.Sprintf("[%s,#%d]", m.base, offset)
		}
	} else if f := x.facts[m.base]; f.kind == "stack" {
		x.stackAccess(m, f, bits, destinations, args)
		return
	}
	for i, a := range args {
		if i != m.at && !slices.Contains(destinations, i) && x.facts[x.register(a)].kind == "stack" {
			x.escape() // the address is stored
		}
	}
	x.verbatim(op, args)
	for _, i := range destinations {
		x.kill(x.register(args[i]))
	}
	if m.pre || m.post {
		x.kill(m.base)
	}
}

// constant translates a load from the GOT, whose entries never change.
func (x *aarch64Line) constant(m aarch64Memory) bool {
	f := x.facts[m.base]
	if name, ok := strings.CutPrefix(strings.TrimPrefix(m.index, "#"), ":got_lo12:"); ok {
		location, _ := x.symbol(name)
		if x.l.Op != "ldr" || f.kind != "got" || f.symbol != location {
			x.fail("%s does not certainly have the page of the GOT entry of %s here", m.base, name)
		}
		to := x.destination(0)
		x.emit("MOV %s,%s", to, m.base)
		x.set(to, fact{kind: "address", symbol: location})
		return true
	}
	switch {
	case f.kind == "page of data" && strings.Contains(m.index, ":lo12:"),
		f.kind == "data" && m.index == "" && m.number == 0:
		x.pool(f.symbol)
		return true
	case f.kind == "page of data" || f.kind == "data" || f.kind == "got":
		x.fail("%s has a part of an address of the listing's own data", m.base)
	}
	return false
}

// literal translates a load of a literal: LDR X0,=x or LDR X0,.LC0.
func (x *aarch64Line) literal() {
	text := x.arg(len(x.l.Args) - 1)
	if x.l.Op != "ldr" || len(x.l.Args) != 2 {
		x.fail("it has no address in brackets")
	}
	if value, ok := strings.CutPrefix(text, "="); ok {
		x.value(value)
		return
	}
	x.pool(text)
}

// pool loads the constant behind a label.
func (x *aarch64Line) pool(label string) {
	to := x.register(x.arg(0))
	lines := x.listing.Words(label)
	want := []string{".word", ".long", ".4byte"}
	if first := x.arg(0)[0]; first == 'x' || first == 'X' {
		want = []string{".xword", ".quad", ".dword", ".8byte"}
	}
	if x.l.Op != "ldr" || to == "" || len(lines) == 0 || !slices.Contains(want, lines[0].Op) ||
		len(lines[0].Args) == 0 {
		x.fail("the constant at %s is not one that this reads", label)
	}
	x.value(lines[0].Args[0])
}

// value sets the first operand to a number, or the address of a symbol.
func (x *aarch64Line) value(text string) {
	to := x.destination(0)
	if n, err := litmus.ParseNumber(text); err == nil {
		x.emit("MOV %s,#%d", aarch64Operand(x.arg(0)), int64(n))
		x.kill(to)
		return
	}
	location, offset := x.symbol(text)
	x.emit("MOV %s,%s", to, x.address(location))
	if offset != 0 {
		x.emit("ADD %s,%s,#%d", to, to, offset)
	}
	x.set(to, fact{kind: "address", symbol: location, offset: offset})
}

// stackAccess translates an access to the stack frame. If all its slots are promoted, it becomes moves.
func (x *aarch64Line) stackAccess(m aarch64Memory, f fact, bits int, destinations []int, args []string) {
	op := x.l.Op
	if m.index != "" {
		x.fail("the place on the stack is not known")
	}
	at := f.offset
	if !m.post {
		at += m.number
	}
	registers := 1
	if aarch64Pair().MatchString(op) {
		registers = 2
	}
	if !aarch64Plain().MatchString(op) && registers == 1 || strings.Contains(op, "x") || op == "ldpsw" {
		x.touch(at, 64)
		x.touch(at, 32) // keeps the slot in memory
		x.verbatim(op, args)
		for _, i := range destinations {
			x.kill(x.register(args[i]))
		}
		return
	}
	promoted := 0
	var moves []string
	for i := range registers {
		width := bits
		if width == 0 {
			width = 64
			if args[i][0] == 'w' || args[i][0] == 'W' {
				width = 32
			}
		}
		slot, ok := x.slot(at, width)
		at += width / 8
		if !ok {
			continue
		}
		promoted++
		moves = append(moves, x.slotMove(op, args[i], slot, width))
	}
	switch {
	case promoted == registers:
		for _, text := range moves {
			x.emit("%s", text)
		}
		if m.pre || m.post {
			next := "ADD"
			n := m.number
			if n < 0 {
				next, n = "SUB", -n
			}
			x.frame(func() { x.emit("%s %s,%s,#%d", next, m.base, m.base, n) })
		}
	case promoted > 0:
		x.fail("BUG: half of a pair is promoted")
	default:
		for i, a := range args {
			if i != m.at && !slices.Contains(destinations, i) && x.facts[x.register(a)].kind == "stack" &&
				x.register(a) != "X29" {
				x.escape()
			}
		}
		x.verbatim(op, args)
	}
	for _, i := range destinations {
		x.kill(x.register(args[i]))
	}
	if m.pre || m.post {
		f.offset += m.number
		x.set(m.base, f)
	}
}

// slotMove is the move that an access to a promoted slot becomes.
func (x *aarch64Line) slotMove(op, operand, slot string, bits int) string {
	store := strings.HasPrefix(op, "st")
	wide := 64
	if operand[0] == 'w' || operand[0] == 'W' {
		wide = 32
	}
	r, s := aarch64Operand(operand), aarch64View(slot, wide)
	to, from := r, s
	if store {
		to, from = s, r
	}
	signed := strings.Contains(op, "rs")
	switch {
	case bits == wide:
		return "MOV " + to + "," + from
	case store: // the upper bits do not matter: loads extend
		return "MOV " + to + "," + from
	case bits == 32:
		return "SXTW " + to + "," + aarch64View(slot, 32)
	}
	return fmt.Sprintf("%sXT%s %s,%s", map[bool]string{true: "S", false: "U"}[signed],
		map[int]string{8: "B", 16: "H"}[bits], to, aarch64View(slot, 32))
}

// aarch64Helper matches the compilers' helpers for atomic operations (outline atomics, -moutline-atomics).
var aarch64Helper = lazily(
	`^__aarch64_(cas|swp|ldadd|ldset|ldclr|ldeor)(1|2|4|8)_(relax|acq|rel|acq_rel)$`,
)

// call translates a call. The helpers __aarch64_ldadd4_acq_rel and so on have the operand in X0 and the address in X1;
// __aarch64_cas has the expected value in X0, the new one in X1 and the address in X2. All return the old value in X0.
// A helper uses LSE's instruction if the processor has it, and otherwise a loop of exclusive accesses with the same
// orders. Helpers change no other registers than X0, X15, X16, X17 and X30.
func (x *aarch64Line) call() {
	name := x.arg(0)
	m := aarch64Helper().FindStringSubmatch(name)
	if m == nil {
		switch {
		case strings.Contains(name, "stack_chk"):
			x.fail("it is part of the stack protector: compile with -fno-stack-protector")
		case strings.HasPrefix(name, "__atomic_"):
			x.fail("%s is in libatomic, whose code is not in the listing", name)
		case strings.HasPrefix(name, "__aarch64_"):
			x.fail("%s is a helper of the compiler that this does not know", name)
		}
		x.fail("it calls %s, whose code is not part of the test", name)
	}
	letters := map[string]string{"relax": "", "acq": "A", "rel": "L", "acq_rel": "AL"}[m[3]]
	suffix := map[string]string{"1": "B", "2": "H", "4": "", "8": ""}[m[2]]
	view := "W"
	if m[2] == "8" {
		view = "X"
	}
	op := strings.ToUpper(m[1]) + letters + suffix
	switch {
	case x.loops:
		x.loop(m[1], letters, suffix, view)
	case m[1] == "cas":
		x.emit("%s %s0,%s1,[X2]", op, view, view)
	default:
		x.emit("%s %s0,%s0,[X1]", op, view, view)
	}
	x.kill("X0", "X15", "X16", "X17", "X30")
}

// loop emits a helper's loop of exclusive accesses.
func (x *aarch64Line) loop(operation, letters, suffix, view string) {
	again := x.label(fmt.Sprintf(".Lhelper%d_%d", x.index, x.l.Pos.Line))
	load := "LD" + strings.TrimSuffix(letters, "L") + "XR" + suffix
	store := "ST" + strings.TrimPrefix(letters, "A") + "XR" + suffix
	if operation == "cas" {
		over := x.label(fmt.Sprintf(".Lhelped%d_%d", x.index, x.l.Pos.Line))
		if suffix == "" {
			x.emit("MOV %s16,%s0", view, view)
		} else {
			x.emit("UXT%s W16,W0", suffix)
		}
		x.emit("%s:", again)
		x.emit("%s %s0,[X2]", load, view)
		x.emit("CMP %s0,%s16", view, view)
		x.emit("B.NE %s", over)
		x.emit("%s W17,%s1,[X2]", store, view)
		x.emit("CBNZ W17,%s", again)
		x.emit("%s:", over)
		return
	}
	x.emit("MOV %s16,%s0", view, view)
	x.emit("%s:", again)
	x.emit("%s %s0,[X1]", load, view)
	next := "16"
	compute := map[string]string{"ldadd": "ADD", "ldset": "ORR", "ldclr": "BIC", "ldeor": "EOR"}[operation]
	if compute != "" {
		next = "17"
		x.emit("%s %s17,%s0,%s16", compute, view, view, view)
	}
	x.emit("%s W15,%s%s,[X1]", store, view, next)
	x.emit("CBNZ W15,%s", again)
}
