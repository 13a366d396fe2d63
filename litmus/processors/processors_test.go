// Package processors contains only tests, which compare arithmetic instructions with processors: those of qemu-user,
// and the host's. In testdata, ARCH.forms lists the instructions, and ARCH.txt the results of processors for some
// random operands, which every run of the tests repeats; ./task processors asks processors about other operands. An
// architecture may have several such files, for what takes an option in the head of a test.
//
// A line of ARCH.forms is instructions, separated by semicolons. In it, <a|b> is either, {1..9} a number and $name the
// text of a line "name = text". A line that begins with "except" names instructions that are not tried.
package processors

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

var (
	perForm = flag.Int("processors", 0, "try so many random operands for each form of an instruction on processors")
	seed    = flag.Uint64("processors-seed", 1, "which random operands")
	record  = flag.Bool("processors-record", false, "write what processors say to testdata")
)

// processor makes and runs a program for an architecture. Results go to memory at base, which the program writes to
// standard output in the end.
type processor struct {
	arch     string
	part     string // of the architecture: behind the names of its files
	head     string // lines of a test's head
	bits     int    // of a register
	packages string
	assemble []string
	link     []string
	run      []string // nothing: the host
	prologue string
	set      func(reg string, v uint64) string // with instructions that set no flags
	keep     func(reg string, at uint64) string
	finish   func(size uint64) string
}

const base = 0x40000000

// name is the name of a processor's files.
func (p processor) name() string { return p.arch + p.part }

// armv8 is a processor of AArch64 with extensions, and with vectors of 128 bits.
func armv8(part, head, extensions string) processor {
	return processor{
		arch: "AArch64", part: part, head: head, bits: 64, packages: "qemu-user binutils-aarch64-linux-gnu",
		assemble: []string{"aarch64-linux-gnu-as", "-march=armv8.5-a" + extensions},
		link:     []string{"aarch64-linux-gnu-ld"},
		run:      []string{"qemu-aarch64", "-cpu", "max,sve-max-vq=1,sme-default-vector-length=16"},
		set:      setAArch64,
		keep: func(reg string, at uint64) string {
			return setAArch64("X28", at) + fmt.Sprintf("str %s,[x28]\n", reg)
		},
		finish: func(size uint64) string {
			return "mov x8,#64\nmov x0,#1\n" + setAArch64("x1", base) + setAArch64("x2", size) +
				"svc #0\nmov x8,#93\nmov x0,#0\nsvc #0\n"
		},
	}
}

var processors = []processor{
	armv8("", "", ""),
	armv8("-scalable", "Variant=sve\n", "+sve2"),
	armv8("-matrix", "Variant=sme\n", "+sve2+sme+sme-i64"),
	{
		arch: "RISCV", bits: 64, packages: "qemu-user binutils-riscv64-linux-gnu",
		assemble: []string{"riscv64-linux-gnu-as", "-march=rv64gc_zba_zbb_zbs"}, link: []string{"riscv64-linux-gnu-ld"},
		run:      []string{"qemu-riscv64", "-cpu", "rv64,zba=true,zbb=true,zbs=true"},
		prologue: ".option norelax\n",
		set:      func(reg string, v uint64) string { return fmt.Sprintf("li %s,%#x\n", reg, v) },
		keep:     func(reg string, at uint64) string { return fmt.Sprintf("li x31,%#x\nsd %s,0(x31)\n", at, reg) },
		finish: func(size uint64) string {
			return fmt.Sprintf("li a7,64\nli a0,1\nli a1,%#x\nli a2,%#x\necall\nli a7,93\nli a0,0\necall\n", base, size)
		},
	},
	{
		arch: "PPC", bits: 64, packages: "qemu-user binutils-powerpc64-linux-gnu",
		assemble: []string{"powerpc64-linux-gnu-as", "-mlittle", "-a64", "-mpower9", "-mregnames"},
		link:     []string{"powerpc64-linux-gnu-ld", "-EL", "-m", "elf64lppc"}, run: []string{"qemu-ppc64le"},
		prologue: ".abiversion 2\n",
		set:      setPPC,
		keep:     func(reg string, at uint64) string { return setPPC("r31", at) + fmt.Sprintf("std %s,0(r31)\n", reg) },
		finish: func(size uint64) string {
			return "li r0,4\nli r3,1\n" + setPPC("r4", base) + setPPC("r5", size) + "sc\nli r0,1\nli r3,0\nsc\n"
		},
	},
	{
		arch: "ARM", bits: 32, packages: "qemu-user binutils-arm-linux-gnueabihf",
		assemble: []string{"arm-linux-gnueabihf-as", "-march=armv8-a"}, link: []string{"arm-linux-gnueabihf-ld"},
		run:      []string{"qemu-arm", "-cpu", "max"},
		prologue: ".syntax unified\n.arm\n",
		set:      setARM,
		keep:     func(reg string, at uint64) string { return setARM("r11", at) + fmt.Sprintf("str %s,[r11]\n", reg) },
		finish: func(size uint64) string {
			return "mov r7,#4\nmov r0,#1\n" + setARM("r1", base) + setARM("r2", size) +
				"svc #0\nmov r7,#1\nmov r0,#0\nsvc #0\n"
		},
	},
	{
		arch: "MIPS", bits: 64, packages: "qemu-user binutils-mips64el-linux-gnuabi64",
		assemble: []string{"mips64el-linux-gnuabi64-as", "-mips64r2", "-mabi=64"},
		link:     []string{"mips64el-linux-gnuabi64-ld"}, run: []string{"qemu-mips64el", "-cpu", "MIPS64R2-generic"},
		prologue: ".set noat\n.globl __start\n__start:\n",
		set:      func(reg string, v uint64) string { return fmt.Sprintf("dli %s,%#x\n", reg, v) },
		keep: func(reg string, at uint64) string {
			return fmt.Sprintf("dli $25,%#x\nsd %s,0($25)\n", at, reg)
		},
		finish: func(size uint64) string {
			return fmt.Sprintf("dli $2,5001\ndli $4,1\ndli $5,%#x\ndli $6,%#x\nsyscall\n", base, size) +
				"dli $2,5058\ndli $4,0\nsyscall\n"
		},
	},
	{
		arch: "X86_64", bits: 64, packages: "qemu-user binutils-x86-64-linux-gnu",
		assemble: []string{"x86_64-linux-gnu-as"}, link: []string{"x86_64-linux-gnu-ld"},
		run: onHost("amd64", "qemu-x86_64"),
		set: func(reg string, v uint64) string { return fmt.Sprintf("movabs $%#x,%%%s\n", v, reg) },
		keep: func(reg string, at uint64) string {
			return fmt.Sprintf("movabs $%#x,%%r15\nmovq %%%s,(%%r15)\n", at, reg)
		},
		finish: func(size uint64) string {
			return fmt.Sprintf("movl $1,%%eax\nmovl $1,%%edi\nmovl $%#x,%%esi\nmovl $%#x,%%edx\nsyscall\n"+
				"movl $60,%%eax\nmovl $0,%%edi\nsyscall\n", base, size)
		},
	},
}

func onHost(arch, otherwise string) []string {
	if runtime.GOARCH == arch && runtime.GOOS == "linux" {
		return nil
	}
	return []string{otherwise}
}

func setAArch64(reg string, v uint64) string {
	out := fmt.Sprintf("movz %s,#%#x\n", reg, v&0xffff)
	for at := 16; at < 64; at += 16 {
		out += fmt.Sprintf("movk %s,#%#x,lsl #%d\n", reg, v>>at&0xffff, at)
	}
	return out
}

func setPPC(reg string, v uint64) string {
	return fmt.Sprintf(
		"lis %[1]s,%[2]d\nori %[1]s,%[1]s,%[3]d\nsldi %[1]s,%[1]s,32\noris %[1]s,%[1]s,%[4]d\nori %[1]s,%[1]s,%[5]d\n",
		reg, int16(v>>48), v>>32&0xffff, v>>16&0xffff, v&0xffff)
}

func setARM(reg string, v uint64) string {
	return fmt.Sprintf("movw %[1]s,#%[2]d\nmovt %[1]s,#%[3]d\n", reg, v&0xffff, v>>16&0xffff)
}

// forms are the contents of a file of forms: instructions with no more choices except for numbers, and the mnemonics
// that it leaves out.
func readForms(t *testing.T, p processor) (forms, except []string) {
	text, err := os.ReadFile(filepath.Join("testdata", p.name()+".forms"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "# ")
		line = strings.TrimSpace(line)
		name, of, named := strings.Cut(line, " = ")
		switch list, excepted := strings.CutPrefix(line, "except "); {
		case line == "" || line == "#":
		case excepted:
			except = append(except, strings.Fields(list)...)
		case named:
			names[name] = of
		default:
			for name, of := range names {
				line = strings.ReplaceAll(line, "$"+name, of)
			}
			forms = append(forms, alternatives(line)...)
		}
	}
	return forms, except
}

func alternatives(pattern string) []string {
	before, rest, found := strings.Cut(pattern, "<")
	if !found {
		return []string{pattern}
	}
	choices, after, _ := strings.Cut(rest, ">")
	var out []string
	for _, c := range strings.Split(choices, "|") {
		for _, tail := range alternatives(after) {
			out = append(out, before+c+tail)
		}
	}
	return out
}

// trial is some instructions and what the registers that they name hold at first, and after them.
type trial struct {
	instructions  string
	names         []string
	before, after []uint64
}

var numbers = regexp.MustCompile(`\{(-?[0-9]+)\.\.(-?[0-9]+)\}`)

// draw gives a form its numbers, and its registers values.
func draw(t *testing.T, p processor, form string, r *rand.Rand) trial {
	t.Helper()
	x := trial{instructions: numbers.ReplaceAllStringFunc(form, func(s string) string {
		bounds := numbers.FindStringSubmatch(s)
		least, _ := strconv.Atoi(bounds[1])
		most, _ := strconv.Atoi(bounds[2])
		switch r.IntN(8) {
		case 0:
			return strconv.Itoa(least)
		case 1:
			return strconv.Itoa(most)
		}
		return strconv.Itoa(least + r.IntN(most-least+1))
	})}
	prog := lowered(t, p, x)
	for _, reg := range prog.Threads[0].Regs {
		// Vector registers are set by the instructions of a form, and read by way of general ones.
		if vector := p.arch == "AArch64" && !strings.HasPrefix(reg.Name, "X"); reg.Name != "" && !vector {
			x.names = append(x.names, printed(p.arch, reg.Name))
		}
	}
	slices.Sort(x.names)
	for range x.names {
		x.before = append(x.before, operand(r)&ir.Mask(p.bits))
	}
	return x
}

// printed is a register as tests of an architecture name it.
func printed(arch, whole string) string {
	if arch == "X86_64" {
		return strings.ToLower(whole)
	}
	return whole
}

// operand is a number at whose edge something may happen, or any.
func operand(r *rand.Rand) uint64 {
	edges := []uint64{
		0, 1, 2, 31, 32, 33, 63, 64, 65, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
		0xffffffff, 0x100000000, 1<<63 - 1, 1 << 63,
	}
	switch r.IntN(6) {
	case 0, 1:
		v := edges[r.IntN(len(edges))]
		if r.IntN(2) == 0 {
			v = -v
		}
		return v
	case 2: // of few ones
		first, second := r.IntN(64), r.IntN(64)
		return 1<<first | 1<<second
	case 3:
		return uint64(int64(r.Uint64()) >> r.IntN(64))
	}
	return r.Uint64()
}

// lowered is a trial as a test that asks about all its registers.
func lowered(t *testing.T, p processor, x trial) *ir.Program {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%s trial\n%s{", p.arch, p.head)
	for i, name := range x.names {
		fmt.Fprintf(&b, " uint%d_t 0:%s=%#x;", p.bits, name, x.before[i])
	}
	b.WriteString(" }\nP0;\n")
	for _, in := range strings.Split(x.instructions, ";") {
		fmt.Fprintf(&b, "%s;\n", strings.TrimSpace(in))
	}
	if len(x.names) > 0 {
		fmt.Fprintf(&b, "locations [0:%s;]\n", strings.Join(x.names, "; 0:"))
	}
	b.WriteString("exists true\n")
	test, err := litmus.Parse("t", b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	prog, err := dialect.Lower(test)
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return prog
}

// here is what the instructions do to the registers here.
func here(t *testing.T, p processor, x trial) []uint64 {
	t.Helper()
	prog := lowered(t, p, x)
	state := dialecttest.Run(t, prog, false, nil)
	out := make([]uint64, len(x.names))
	for i, name := range x.names {
		at := slices.IndexFunc(prog.Observed,
			func(o ir.Observable) bool { return strings.EqualFold(o.Name, "0:"+name) })
		if at < 0 || prog.Observed[at].Bits != p.bits {
			t.Fatalf("%s: %s is not observed with %d bits", x.instructions, name, p.bits)
		}
		out[i] = state[at]
	}
	return out
}

// compare reports what is other here than on a processor.
func (x trial) compare(t *testing.T, p processor) {
	t.Helper()
	got := here(t, p, x)
	for i, name := range x.names {
		if got[i] != x.after[i] {
			t.Errorf("%s: %s: got %s=%#x, want %#x\nfrom %s", p.arch, x.instructions, name, got[i], x.after[i],
				x.values(x.before))
		}
	}
}

func (x trial) values(of []uint64) string {
	var out []string
	for i, name := range x.names {
		out = append(out, fmt.Sprintf("%s=%#x", name, of[i]))
	}
	return strings.Join(out, " ")
}

// on runs trials on a processor, which fills in what is after them.
func on(t *testing.T, p processor, trials []trial) {
	t.Helper()
	for _, tool := range [][]string{p.assemble, p.link, p.run} {
		if len(tool) > 0 {
			if _, err := exec.LookPath(tool[0]); err != nil {
				t.Fatalf("%v (Debian: apt-get install %s)", err, p.packages)
			}
		}
	}
	var b strings.Builder
	b.WriteString(p.prologue + ".globl _start\n_start:\n")
	size := uint64(0)
	label := regexp.MustCompile(`\bL[0-9]\b`)
	for n, x := range trials {
		for i, name := range x.names {
			b.WriteString(p.set(name, x.before[i]))
		}
		for _, in := range strings.Split(x.instructions, ";") {
			b.WriteString(
				label.ReplaceAllStringFunc(strings.TrimSpace(in),
					func(l string) string { return fmt.Sprintf("%s_%d", l, n) }) + "\n")
		}
		for _, name := range x.names {
			b.WriteString(p.keep(name, base+size))
			size += uint64(p.bits / 8)
		}
	}
	b.WriteString(p.finish(size))
	fmt.Fprintf(&b, ".bss\n.balign 16\n.skip %d\n", size)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("t.s"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	tool := func(words ...string) []byte {
		var out, problems bytes.Buffer
		cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
		cmd.Stdout, cmd.Stderr = &out, &problems
		if err := cmd.Run(); err != nil {
			text := strings.Split(problems.String(), "\n")
			t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, strings.Join(text[:min(len(text), 20)], "\n"))
		}
		return out.Bytes()
	}
	tool(append(slices.Clone(p.assemble), "-o", path("t.o"), path("t.s"))...)
	tool(append(slices.Clone(p.link), fmt.Sprintf("--section-start=.bss=%#x", base), "-o", path("t"), path("t.o"))...)
	out := tool(append(slices.Clone(p.run), path("t"))...)
	if uint64(len(out)) != size {
		t.Fatalf("%s: the program wrote %d bytes, want %d", p.arch, len(out), size)
	}
	for n := range trials {
		x := &trials[n]
		x.after = nil
		for range x.names {
			v := uint64(binary.LittleEndian.Uint32(out))
			if p.bits == 64 {
				v = binary.LittleEndian.Uint64(out)
			}
			x.after, out = append(x.after, v), out[p.bits/8:]
		}
	}
}

// The lowered instructions agree with the recorded results of processors.
func TestProcessorsWereAsRecorded(t *testing.T) {
	for _, p := range processors {
		text, err := os.ReadFile(filepath.Join("testdata", p.name()+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, line := range strings.Split(string(text), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			fields := strings.Split(line, "|")
			x := trial{instructions: strings.TrimSpace(fields[0])}
			for _, word := range strings.Fields(fields[1]) {
				name, values, _ := strings.Cut(word, "=")
				before, after, changed := strings.Cut(values, ">")
				if !changed {
					after = before
				}
				x.names = append(x.names, name)
				x.before, x.after = append(x.before, parse(t, before)), append(x.after, parse(t, after))
			}
			x.compare(t, p)
			n++
		}
		if n == 0 {
			t.Errorf("%s: nothing is recorded", p.name())
		}
	}
}

func parse(t *testing.T, text string) uint64 {
	v, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// line is the record of a trial.
func (x trial) line() string {
	out := x.instructions + " |"
	for i, name := range x.names {
		out += fmt.Sprintf(" %s=%#x", name, x.before[i])
		if x.after[i] != x.before[i] {
			out += fmt.Sprintf(">%#x", x.after[i])
		}
	}
	return out
}

// The test asks processors about today's operands.
func TestProcessors(t *testing.T) {
	if *perForm == 0 {
		t.Skip("./task processors asks processors")
	}
	const atOnce = 1000 // trials a program
	for _, p := range processors {
		t.Run(p.name(), func(t *testing.T) {
			recorded := 2 // of each form
			if p.part != "" {
				recorded = 1
			}
			forms, _ := readForms(t, p)
			var all []trial
			var lines strings.Builder
			fmt.Fprintf(&lines, "# What a processor has made of some operands: instructions, then what each "+
				"register held before, and after where that\n"+
				"# is another. Made by ./task processors RECORD=1 from %s.forms.\n", p.name())
			for _, form := range forms {
				h := fnv.New64a()
				h.Write([]byte(form))
				r := rand.New(rand.NewPCG(*seed, h.Sum64())) //nolint:gosec // random operands
				for range *perForm {
					all = append(all, draw(t, p, form, r))
				}
			}
			for some := range slices.Chunk(all, atOnce) {
				on(t, p, some)
			}
			for i, x := range all {
				x.compare(t, p)
				if i%*perForm < recorded {
					lines.WriteString(x.line() + "\n")
				}
			}
			t.Logf("%d forms, %d trials", len(forms), len(all))
			if *record && !t.Failed() {
				if err := os.WriteFile(filepath.Join("testdata", p.name()+".txt"), []byte(lines.String()),
					0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// The forms cover all instructions that compute: those that dialects tell of that neither access memory nor branch.
func TestProcessorsAreAskedAboutAll(t *testing.T) {
	for _, p := range processors {
		if p.part != "" {
			continue
		}
		forms, except := readForms(t, p)
		for _, o := range processors {
			if o.arch == p.arch && o.part != "" {
				more, _ := readForms(t, o)
				forms = append(forms, more...)
			}
		}
		tried := map[string]bool{}
		for _, name := range except {
			tried[strings.ToUpper(name)] = true
		}
		for _, form := range forms {
			for _, in := range strings.Split(form, ";") {
				name, _, _ := strings.Cut(strings.TrimSpace(in), " ")
				tried[strings.ToUpper(name)] = true
			}
		}
		words, _ := dialect.Words(p.arch)
		for _, f := range words.Forms() {
			if computes(t, p.arch, f) && !tried[strings.ToUpper(f.Mnemonic)] {
				t.Errorf("%s: %s is in no form of testdata/%s.forms", p.arch, f.Mnemonic, p.arch)
			}
		}
	}
}

// computes tells whether a form's instruction does nothing but set registers, and sets one.
func computes(t *testing.T, arch string, f lower.Form) bool {
	test, err := litmus.Parse("t", lower.Example(arch, f))
	if err != nil {
		t.Fatal(err)
	}
	prog, err := dialect.Lower(test)
	if err != nil {
		t.Fatal(err)
	}
	sets := false
	for _, s := range prog.Threads[0].Code {
		switch s.Op.(type) {
		case ir.Assign:
			sets = true
		case ir.Pick:
		default:
			return false
		}
	}
	return sets
}
