package cycle

import (
	"fmt"
	"strings"
)

// assembler writes a dialect's instructions. Registers are counted from 0 in each thread,
// in the order in which it takes them.
type assembler struct {
	absolute  bool              // instructions name locations, and carry values to write
	registers int               // that there are
	full      string            // the fence that orders most
	fences    map[string]string // by the names of fences, and of dependencies that have one

	shown   func(r int) string // in conditions
	pointer func(r int) string // in the init block

	set    func(t *thread, r, value int)
	zero   func(t *thread, dst, src int) // a zero that depends on src
	add    func(t *thread, r, value int)
	branch func(t *thread, r int, label string) // to the next line, whatever r is
	load   func(t *thread, dst int, at place, mark string)
	store  func(t *thread, src, value int, at place, mark string)
	// pair is a load-exclusive and its store-exclusive. Marks other than exclusive are of a
	// read-modify-write's halves. It gives the register that says whether the store was
	// made, and by which value; a negative one where the thread goes to its end unless it was.
	pair   func(t *thread, dst, src int, at place, load, store string) (status, ok int)
	atomic func(t *thread, at place, load, store event)
}

var assemblers = map[string]*assembler{
	"X86": x86(
		[]string{"EAX", "EBX", "ECX", "EDX", "ESI", "EDI"}, nil, "MFENCE", "SFENCE", "LFENCE",
		"MOV %s,[%s]", "MOV [%[2]s],$%[1]d", "MOV %s,$%d", "XCHG [%[2]s],%[1]s"),
	"X86_64": x86(
		[]string{"%eax", "%ebx", "%ecx", "%edx", "%esi", "%edi", "%r8d", "%r9d", "%r10d", "%r11d", "%r12d", "%r13d", "%r14d", "%r15d"},
		[]string{"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"},
		"mfence", "sfence", "lfence",
		"movl (%[2]s),%[1]s", "movl $%d,(%s)", "movl $%[2]d,%[1]s", "xchgl %s,(%s)"),
	"PPC":     ppc,
	"ARM":     arm,
	"AArch64": aarch64,
	"RISCV":   riscv,
	"MIPS":    mips,
}

// counted names registers by a prefix and a number.
func counted(prefix string, first int) func(int) string {
	return func(r int) string { return fmt.Sprintf("%s%d", prefix, first+r) }
}

func x86(registers, shown []string, mfence, sfence, lfence, load, store, set, exchange string) *assembler {
	if shown == nil {
		shown = registers
	}
	// A thread that takes too many is refused when it is whole.
	name := func(r int) string { return registers[r%len(registers)] }
	return &assembler{
		absolute: true, registers: len(registers), full: "MFence",
		fences: map[string]string{"MFence": mfence, "SFence": sfence, "LFence": lfence},
		shown:  func(r int) string { return shown[r%len(shown)] },
		load: func(t *thread, dst int, at place, _ string) {
			t.emit(load, name(dst), locName(at.loc))
		},
		store: func(t *thread, _, value int, at place, _ string) {
			t.emit(store, value, locName(at.loc))
		},
		atomic: func(t *thread, at place, r, w event) {
			t.read = t.take()
			t.emit(set, name(t.read), w.value)
			t.emit(exchange, name(t.read), locName(at.loc))
			t.ask(t.read, r.value)
		},
	}
}

var ppc = &assembler{
	registers: 31, full: "Sync",
	fences: map[string]string{"Sync": "sync", "LwSync": "lwsync", "Eieio": "eieio", "ISync": "isync", "CtrlIsync": "isync"},
	shown:  counted("r", 1), pointer: counted("r", 1),
	set:  func(t *thread, r, value int) { t.emit("li r%d,%d", r+1, value) },
	zero: func(t *thread, dst, src int) { t.emit("xor r%d,r%d,r%d", dst+1, src+1, src+1) },
	add:  func(t *thread, r, value int) { t.emit("addi r%d,r%d,%d", r+1, r+1, value) },
	branch: func(t *thread, r int, label string) {
		t.emit("cmpw r%d,r%d", r+1, r+1)
		t.emit("beq  %s", label)
	},
	load: func(t *thread, dst int, at place, _ string) {
		if at.index >= 0 {
			t.emit("lwzx r%d,r%d,r%d", dst+1, at.index+1, at.base+1)
		} else {
			t.emit("lwz r%d,0(r%d)", dst+1, at.base+1)
		}
	},
	store: func(t *thread, src, _ int, at place, _ string) {
		if at.index >= 0 {
			t.emit("stwx r%d,r%d,r%d", src+1, at.index+1, at.base+1)
		} else {
			t.emit("stw r%d,0(r%d)", src+1, at.base+1)
		}
	},
	pair: func(t *thread, dst, src int, at place, _, _ string) (status, ok int) {
		address := fmt.Sprintf("r0,r%d", at.base+1)
		if at.index >= 0 {
			address = fmt.Sprintf("r%d,r%d", at.index+1, at.base+1)
		}
		t.emit("lwarx r%d,%s", dst+1, address)
		t.emit("stwcx. r%d,%s", src+1, address)
		t.emit("bne  %s", t.end())
		return -1, 0
	},
}

var arm = &assembler{
	registers: 13, full: "DMB",
	fences: map[string]string{"DMB": "DMB", "DMB.ST": "DMB ST", "DSB": "DSB", "DSB.ST": "DSB ST", "ISB": "ISB", "CtrlIsb": "ISB"},
	shown:  counted("R", 0), pointer: counted("R", 0),
	set:  func(t *thread, r, value int) { t.emit("MOV R%d,#%d", r, value) },
	zero: func(t *thread, dst, src int) { t.emit("EOR R%d,R%d,R%d", dst, src, src) },
	add:  func(t *thread, r, value int) { t.emit("ADD R%d,R%d,#%d", r, r, value) },
	branch: func(t *thread, r int, label string) {
		t.emit("CMP R%d,R%d", r, r)
		t.emit("BNE %s", label)
	},
	load:  func(t *thread, dst int, at place, _ string) { t.emit("LDR R%d,%s", dst, armAddress(at)) },
	store: func(t *thread, src, _ int, at place, _ string) { t.emit("STR R%d,%s", src, armAddress(at)) },
	pair: func(t *thread, dst, src int, at place, _, _ string) (status, ok int) {
		base := at.base
		if at.index >= 0 {
			base = t.take()
			t.emit("ADD R%d,R%d,R%d", base, at.base, at.index)
		}
		status = t.take()
		t.emit("LDREX R%d,[R%d]", dst, base)
		t.emit("STREX R%d,R%d,[R%d]", status, src, base)
		return status, 0
	},
}

func armAddress(at place) string {
	if at.index >= 0 {
		return fmt.Sprintf("[R%d,R%d]", at.index, at.base)
	}
	return fmt.Sprintf("[R%d]", at.base)
}

var aarch64 = &assembler{
	registers: 31, full: "DMB.SY",
	fences: map[string]string{
		"DMB.SY": "DMB SY", "DMB.LD": "DMB LD", "DMB.ST": "DMB ST",
		"DSB.SY": "DSB SY", "DSB.LD": "DSB LD", "DSB.ST": "DSB ST", "ISB": "ISB", "CtrlIsb": "ISB",
	},
	shown: counted("X", 0), pointer: counted("X", 0),
	set:    func(t *thread, r, value int) { t.emit("MOV W%d,#%d", r, value) },
	zero:   func(t *thread, dst, src int) { t.emit("EOR W%d,W%d,W%d", dst, src, src) },
	add:    func(t *thread, r, value int) { t.emit("ADD W%d,W%d,#%d", r, r, value) },
	branch: func(t *thread, r int, label string) { t.emit("CBNZ W%d,%s", r, label) },
	load: func(t *thread, dst int, at place, mark string) {
		if mark == "" && at.index >= 0 {
			t.emit("LDR W%d,[X%d,W%d,SXTW]", dst, at.base, at.index)
			return
		}
		base := aarch64Address(t, at)
		t.emit("%s W%d,[X%d]", map[string]string{"": "LDR", "A": "LDAR", "Q": "LDAPR"}[mark], dst, base)
	},
	store: func(t *thread, src, _ int, at place, mark string) {
		if mark == "" && at.index >= 0 {
			t.emit("STR W%d,[X%d,W%d,SXTW]", src, at.base, at.index)
			return
		}
		base := aarch64Address(t, at)
		t.emit("%s W%d,[X%d]", map[string]string{"": "STR", "L": "STLR"}[mark], src, base)
	},
	pair: func(t *thread, dst, src int, at place, load, store string) (status, ok int) {
		base := aarch64Address(t, at)
		status = t.take()
		t.emit("LD%sXR W%d,[X%d]", strings.Trim(load, exclusive), dst, base)
		t.emit("ST%sXR W%d,W%d,[X%d]", strings.Trim(store, exclusive), status, src, base)
		return status, 0
	},
	atomic: func(t *thread, at place, r, w event) {
		base := aarch64Address(t, at)
		order := r.access.Mark + w.access.Mark
		switch w.after.Name {
		case "Amo.StAdd":
			operand := t.constant(w.step)
			t.emit("STADD%s W%d,[X%d]", order, operand, base)
			return
		case "Amo.LdAdd":
			t.read = t.take()
			operand := t.constant(w.step)
			t.emit("LDADD%s W%d,W%d,[X%d]", order, operand, t.read, base)
		case "Amo.Swp":
			t.read = t.take()
			operand := t.constant(w.value)
			t.emit("SWP%s W%d,W%d,[X%d]", order, operand, t.read, base)
		case "Amo.Cas":
			t.read = t.constant(r.value)
			operand := t.constant(w.value)
			t.emit("CAS%s W%d,W%d,[X%d]", order, t.read, operand, base)
		}
		t.ask(t.read, r.value)
	},
}

// aarch64Address gives a register with the whole address, for instructions that take no
// index.
func aarch64Address(t *thread, at place) int {
	if at.index < 0 {
		return at.base
	}
	sum := t.take()
	t.emit("ADD X%d,X%d,W%d,SXTW", sum, at.base, at.index)
	return sum
}

var riscv = &assembler{
	registers: 27, full: "Fence.rw.rw",
	fences: riscvFenceInstructions(),
	shown:  counted("x", 5), pointer: counted("x", 5),
	set:    func(t *thread, r, value int) { t.emit("ori x%d,x0,%d", r+5, value) },
	zero:   func(t *thread, dst, src int) { t.emit("xor x%d,x%d,x%d", dst+5, src+5, src+5) },
	add:    func(t *thread, r, value int) { t.emit("ori x%d,x%d,%d", r+5, r+5, value) },
	branch: func(t *thread, r int, label string) { t.emit("bne x%d,x0,%s", r+5, label) },
	load: func(t *thread, dst int, at place, mark string) {
		base := riscvAddress(t, at)
		switch mark {
		case "AR":
			t.emit("amoor.w.aq.rl x%d,x0,(x%d)", dst+5, base+5)
		case "Aq":
			t.emit("lw.aq x%d,0(x%d)", dst+5, base+5)
		default:
			t.emit("lw x%d,0(x%d)", dst+5, base+5)
		}
	},
	store: func(t *thread, src, _ int, at place, mark string) {
		base := riscvAddress(t, at)
		switch mark {
		case "AR":
			t.emit("amoswap.w.aq.rl x0,x%d,(x%d)", src+5, base+5)
		case "Rl":
			t.emit("sw.rl x%d,0(x%d)", src+5, base+5)
		default:
			t.emit("sw x%d,0(x%d)", src+5, base+5)
		}
	},
	pair: func(t *thread, dst, src int, at place, load, store string) (status, ok int) {
		base := riscvAddress(t, at)
		status = t.take()
		t.emit("lr.w%s x%d,0(x%d)", riscvOrder(load), dst+5, base+5)
		t.emit("sc.w%s x%d,x%d,0(x%d)", riscvOrder(store), status+5, src+5, base+5)
		return status, 0
	},
	atomic: func(t *thread, at place, r, w event) {
		base := riscvAddress(t, at)
		t.read = t.take()
		operand := t.constant(w.value)
		order := riscvOrder(r.access.Mark) + riscvOrder(w.access.Mark)
		if strings.Count(order, ".aq") > 1 || strings.Count(order, ".rl") > 1 {
			order = ".aq.rl"
		}
		t.emit("amoswap.w%s x%d,x%d,(x%d)", order, t.read+5, operand+5, base+5)
		t.ask(t.read, r.value)
	},
}

// riscvOrder is the suffix of an instruction with a mark.
func riscvOrder(mark string) string {
	return map[string]string{"Aq": ".aq", "Rl": ".rl", "AR": ".aq.rl"}[mark]
}

// riscvAddress gives a register with the whole address.
func riscvAddress(t *thread, at place) int {
	if at.index < 0 {
		return at.base
	}
	sum := t.take()
	t.emit("add x%d,x%d,x%d", sum+5, at.base+5, at.index+5)
	return sum
}

func riscvFenceInstructions() map[string]string {
	out := map[string]string{"Fence.tso": "fence.tso", "Fence.i": "fence.i", "CtrlFenceI": "fence.i"}
	for _, f := range riscvFences() {
		parts := strings.Split(f.name, ".")
		out[f.name] = "fence " + parts[1] + "," + parts[2]
	}
	return out
}

var mips = &assembler{
	registers: 24, full: "Sync",
	fences: map[string]string{"Sync": "sync"},
	shown:  counted("$", 2), pointer: counted("$", 2),
	set:    func(t *thread, r, value int) { t.emit("ori $%d,$0,%d", r+2, value) },
	zero:   func(t *thread, dst, src int) { t.emit("xor $%d,$%d,$%d", dst+2, src+2, src+2) },
	add:    func(t *thread, r, value int) { t.emit("ori $%d,$%d,%d", r+2, r+2, value) },
	branch: func(t *thread, r int, label string) { t.emit("bne $%d,$0,%s", r+2, label) },
	load:   func(t *thread, dst int, at place, _ string) { t.emit("lw $%d,0($%d)", dst+2, mipsAddress(t, at)+2) },
	store:  func(t *thread, src, _ int, at place, _ string) { t.emit("sw $%d,0($%d)", src+2, mipsAddress(t, at)+2) },
	pair: func(t *thread, dst, src int, at place, _, _ string) (status, ok int) {
		base := mipsAddress(t, at)
		status = t.take()
		t.emit("ll $%d,0($%d)", dst+2, base+2)
		t.emit("move $%d,$%d", status+2, src+2)
		t.emit("sc $%d,0($%d)", status+2, base+2)
		return status, 1
	},
}

func mipsAddress(t *thread, at place) int {
	if at.index < 0 {
		return at.base
	}
	sum := t.take()
	t.emit("addu $%d,$%d,$%d", sum+2, at.index+2, at.base+2)
	return sum
}
