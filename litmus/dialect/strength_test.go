package dialect_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// forbidHeading is that of the last section of BARRIERS.md.
const forbidHeading = "# What models forbid with them\n"

var update = flag.Bool("update", false, "write what is got into BARRIERS.md; then read the difference")

// language is how a dialect writes a test on x and y: a store of a value that is 1 or 2,
// a load into the thread's first or second register, and a branch on the first that only
// what comes behind it depends on.
type language struct {
	init        string // of each thread, with its number for #
	store, load string // with a location, and a value or a register
	locs        [2]string
	values      [2]string
	regs        [2]string
	branch      []string
}

var languages = map[string]language{
	"X86": {
		store: "MOV [%s],%s", load: "MOV %[2]s,[%[1]s]", locs: [2]string{"x", "y"},
		values: [2]string{"$1", "$2"}, regs: [2]string{"EAX", "EBX"},
	},
	"X86_64": {
		store: "movl %[2]s,(%[1]s)", load: "movl (%s),%%%s", locs: [2]string{"x", "y"},
		values: [2]string{"$1", "$2"}, regs: [2]string{"eax", "ebx"},
	},
	"PPC": {
		init: "#:r4=x; #:r5=y; #:r6=z; #:r1=1; #:r2=2;", store: "stw %[2]s,0(%[1]s)", load: "lwz %[2]s,0(%[1]s)",
		locs: [2]string{"r4", "r5"}, values: [2]string{"r1", "r2"}, regs: [2]string{"r7", "r8"},
		branch: []string{"cmpw r7,r7", "beq L", "L:"},
	},
	"ARM": {
		init: "#:R4=x; #:R5=y; #:R6=z; #:R1=1; #:R2=2;", store: "STR %[2]s,[%[1]s]", load: "LDR %[2]s,[%[1]s]",
		locs: [2]string{"R4", "R5"}, values: [2]string{"R1", "R2"}, regs: [2]string{"R7", "R8"},
		branch: []string{"CMP R7,R7", "BEQ L", "L:"},
	},
	"AArch64": {
		init: "#:X4=x; #:X5=y; #:X6=z; #:W1=1; #:W2=2;", store: "STR %[2]s,[%[1]s]", load: "LDR %[2]s,[%[1]s]",
		locs: [2]string{"X4", "X5"}, values: [2]string{"W1", "W2"}, regs: [2]string{"W7", "W8"},
		branch: []string{"CBNZ W7,L", "L:"},
	},
	"RISCV": {
		init: "#:a0=x; #:a1=y; #:a2=z; #:t1=1; #:t2=2;", store: "sw %[2]s,0(%[1]s)", load: "lw %[2]s,0(%[1]s)",
		locs: [2]string{"a0", "a1"}, values: [2]string{"t1", "t2"}, regs: [2]string{"x28", "x29"},
		branch: []string{"bne x28,x0,L", "L:"},
	},
	"MIPS": {
		init: "#:$4=x; #:$5=y; #:$6=z; #:$1=1; #:$2=2;", store: "sw %[2]s,0(%[1]s)", load: "lw %[2]s,0(%[1]s)",
		locs: [2]string{"$4", "$5"}, values: [2]string{"$1", "$2"}, regs: [2]string{"$7", "$8"},
		branch: []string{"bne $7,$0,L", "L:"},
	},
	"BPF": {
		init: "#:r4=x; #:r5=y; #:r6=z; #:r1=1; #:r2=2;", store: "*(u32 *)(%[1]s + 0) = %[2]s",
		load: "%[2]s = *(u32 *)(%[1]s + 0)",
		locs: [2]string{"r4", "r5"}, values: [2]string{"r1", "r2"}, regs: [2]string{"r7", "r8"},
		branch: []string{"if r7 == 0 goto L", "L:"},
	},
	"C": {
		store: "atomic_store_explicit(%s, %s, memory_order_relaxed)",
		load:  "%[2]s = atomic_load_explicit(%[1]s, memory_order_relaxed)",
		locs:  [2]string{"x", "y"}, values: [2]string{"1", "2"}, regs: [2]string{"r0", "r1"},
	},
	"LISA": {
		store: "w[once] %s %s", load: "r[once] %[2]s %[1]s", locs: [2]string{"x", "y"}, values: [2]string{"1", "2"},
		regs: [2]string{"r1", "r2"},
	},
	dialect.Kernel: {
		store: "WRITE_ONCE(*%s, %s)", load: "%[2]s = READ_ONCE(*%[1]s)",
		locs: [2]string{"x", "y"}, values: [2]string{"1", "2"}, regs: [2]string{"r0", "r1"},
	},
}

// shape is a test without its barriers. The actions of its threads have the form W or R, the location and, for a write,
// the value.
type shape struct {
	name    string
	threads []string
	asks    string // registers by thread and number
	keeps   ir.Tags
}

// shapes are forbidden where a barrier between all accesses keeps these pairs in order;
// IRIW, which is last, only if it also restores what writes lack that do not reach all
// threads at once.
var shapes = []shape{
	{"SB", []string{"Wx1 Ry", "Wy1 Rx"}, "0:0=0 1:0=0", ir.Tags{ir.TagWR}},
	{"MP", []string{"Wx1 Wy1", "Ry Rx"}, "1:0=1 1:1=0", ir.Tags{ir.TagWW, ir.TagRR}},
	{"LB", []string{"Rx Wy1", "Ry Wx1"}, "0:0=1 1:0=1", ir.Tags{ir.TagRW}},
	{"S", []string{"Wx2 Wy1", "Ry Wx1"}, "1:0=1 x=2", ir.Tags{ir.TagWW, ir.TagRW}},
	{"R", []string{"Wx1 Wy1", "Wy2 Rx"}, "1:0=0 y=2", ir.Tags{ir.TagWW, ir.TagWR}},
	{"2+2W", []string{"Wx1 Wy2", "Wy1 Wx2"}, "x=1 y=1", ir.Tags{ir.TagWW}},
	{"IRIW", []string{"Wx1", "Wy1", "Rx Ry", "Ry Rx"}, "2:0=1 2:1=0 3:0=1 3:1=0", ir.Tags{ir.TagRR}},
}

// mechanism is a way to keep accesses in order: a barrier between them, or stores and
// loads of a kind of their own.
type mechanism struct {
	arch, name string
	between    string
	store      string // unless "", instead of the language's own
	load       string
	keeps      ir.Tags
	branch     bool // keeps what it keeps behind a branch, for reads alone
	sc         bool // restores sequential consistency
}

// mechanisms are the barriers of BARRIERS.md, which says what they keep, and what atomic
// and ordered accesses promise.
func mechanisms(doc string) []mechanism {
	var out []mechanism
	for line := range strings.Lines(doc) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 10 || !strings.Contains(cells[2], "`") {
			continue
		}
		m := mechanism{arch: strings.TrimSpace(cells[1]), between: strings.Trim(cells[2], " `")}
		m.name = m.between
		for i, tag := range orders {
			if strings.TrimSpace(cells[4+i]) != "" {
				m.keeps = append(m.keeps, tag)
			}
		}
		if m.branch = m.keeps.Has(ir.TagBranch); m.branch {
			m.keeps = ir.Tags{ir.TagRR, ir.TagRW}
		}
		m.sc = len(m.keeps) == len(ir.FullFence)
		out = append(out, m)
	}
	acquireRelease := ir.Tags{ir.TagRR, ir.TagRW, ir.TagWW}
	for _, m := range []mechanism{
		{arch: "X86", name: "LOCK INC [z]", keeps: ir.FullFence},
		{arch: "X86", name: "XCHG [z],ECX", keeps: ir.FullFence},
		{arch: "X86_64", name: "lock incl (z)", keeps: ir.FullFence},
		{arch: "AArch64", name: "SWPAL W9,W10,[X6]", keeps: ir.FullFence},
		{arch: "AArch64", name: "LDADDAL W9,W10,[X6]", keeps: ir.FullFence},
		{arch: "RISCV", name: "amoadd.w.aqrl t5,t6,(a2)", keeps: ir.FullFence},
		{arch: "ARM", name: "STL, LDA", store: "STL %[2]s,[%[1]s]", load: "LDA %[2]s,[%[1]s]", keeps: ir.FullFence},
		{
			arch: "AArch64", name: "STLR, LDAR", store: "STLR %[2]s,[%[1]s]", load: "LDAR %[2]s,[%[1]s]",
			keeps: ir.FullFence,
		},
		{
			arch: "AArch64", name: "STLR, LDAPR", store: "STLR %[2]s,[%[1]s]", load: "LDAPR %[2]s,[%[1]s]",
			keeps: acquireRelease,
		},
		{
			arch: "AArch64", name: "SWPL, LDAR", store: "SWPL %[2]s,W9,[%[1]s]", load: "LDAR %[2]s,[%[1]s]",
			keeps: ir.FullFence,
		},
		{
			arch: "RISCV", name: "sw.rl, lw.aq", store: "sw.rl %[2]s,0(%[1]s)", load: "lw.aq %[2]s,0(%[1]s)",
			keeps: acquireRelease,
		},
		{
			arch: "RISCV", name: "amoswap.w.rl, lr.w.aq", store: "amoswap.w.rl t6,%[2]s,(%[1]s)",
			load: "lr.w.aq %[2]s,(%[1]s)", keeps: ir.FullFence,
		},
		{
			arch: "RISCV", name: "sw.aqrl, lw.aqrl", store: "sw.aqrl %[2]s,0(%[1]s)", load: "lw.aqrl %[2]s,0(%[1]s)",
			keeps: ir.FullFence,
		},
		{arch: "BPF", name: "r9 = atomic_fetch_add((u32 *)(r6 + 0), r9)", keeps: ir.FullFence},
		{
			arch: "BPF", name: "store_release, load_acquire", store: "store_release((u32 *)(%[1]s + 0), %[2]s)",
			load: "%[2]s = load_acquire((u32 *)(%[1]s + 0))", keeps: acquireRelease,
		},
		{arch: "C", name: "atomic_fetch_add(z, 1)", keeps: ir.FullFence},
		{
			arch: "C", name: "release, acquire", store: "atomic_store_explicit(%s, %s, memory_order_release)",
			load: "%[2]s = atomic_load_explicit(%[1]s, memory_order_acquire)", keeps: acquireRelease,
		},
		{
			arch: "C", name: "seq_cst", store: "atomic_store(%s, %s)", load: "%[2]s = atomic_load(%[1]s)",
			keeps: ir.FullFence,
		},
		{arch: dialect.Kernel, name: "atomic_add_return(1, z)", keeps: ir.FullFence},
		{arch: dialect.Kernel, name: "xchg(z, 1)", keeps: ir.FullFence},
		{
			arch: dialect.Kernel, name: "smp_store_release, smp_load_acquire", store: "smp_store_release(%s, %s)",
			load: "%[2]s = smp_load_acquire(%[1]s)", keeps: acquireRelease,
		},
	} {
		if m.store == "" {
			m.between = m.name
		}
		m.sc = len(m.keeps) == len(ir.FullFence)
		out = append(out, m)
	}
	return out
}

// test writes a shape with the mechanism in all its threads.
func (m mechanism) test(s shape) string {
	l := languages[m.arch]
	if m.store != "" {
		l.store, l.load = m.store, m.load
	}
	at := func(loc byte) string { return l.locs[loc-'x'] }
	var init, columns string
	rows := [][]string{}
	for t, accesses := range s.threads {
		init += strings.ReplaceAll(l.init, "#", fmt.Sprint(t)) + " "
		columns += fmt.Sprintf("P%d | ", t)
		var code []string
		loads := 0
		for i, a := range strings.Fields(accesses) {
			if i > 0 && m.branch && accesses[0] == 'R' {
				code = append(code, l.branch...)
			}
			if i > 0 && m.between != "" {
				code = append(code, m.between)
			}
			if a[0] == 'W' {
				code = append(code, fmt.Sprintf(l.store, at(a[1]), l.values[a[2]-'1']))
			} else {
				code = append(code, fmt.Sprintf(l.load, at(a[1]), l.regs[loads]))
				loads++
			}
		}
		rows = append(rows, code)
	}
	text := fmt.Sprintf("%s %s\n{ %s}\n%s;\n", m.arch, s.name, init, strings.TrimSuffix(columns, "| "))
	if m.arch == "C" || m.arch == dialect.Kernel {
		text = "C " + s.name + "\n{}\n"
		for t, code := range rows {
			text += fmt.Sprintf("P%d(int *x, int *y, int *z, struct srcu_struct *s) { int r0, r1; %s; }\n", t,
				strings.Join(code, "; "))
		}
		rows = [][]string{nil}
	}
	for i := range slices.MaxFunc(rows, func(a, b []string) int { return len(a) - len(b) }) {
		var cells []string
		for _, code := range rows {
			cell := ""
			if i < len(code) {
				cell = code[i]
			}
			cells = append(cells, cell)
		}
		text += strings.Join(cells, " | ") + " ;\n"
	}
	var atoms []string
	for _, a := range strings.Fields(s.asks) {
		if thread, rest, ok := strings.Cut(a, ":"); ok {
			a = thread + ":" + l.regs[rest[0]-'0'] + rest[1:]
		}
		atoms = append(atoms, a)
	}
	return text + "exists (" + strings.Join(atoms, " /\\ ") + ")\n"
}

// claims tells whether a model has to forbid the shape.
func (m mechanism) claims(s shape, model string) bool {
	for _, pair := range s.keeps {
		if !m.keeps.Has(pair) || m.branch && pair == ir.TagWW {
			return false
		}
	}
	if models.FactsOf(model).IsLanguage() {
		return m.promises(s, model)
	}
	switch {
	case m.sc:
		return true
	case s.name == "IRIW":
		return m.keeps.Has(ir.TagWR) || !slices.Contains([]string{"arm", "power", "power-cav10", "bpf"}, model)
	case s.name == "2+2W" && model == "bpf":
		// As under lkmm, nothing lighter than full barriers keeps writes that nobody reads.
		return m.keeps.Has(ir.TagWR)
	case s.name == "MP" && model == "power-cav10":
		// In which lwsync between all accesses allows MP, as the paper has it.
		return m.store != ""
	}
	return true
}

// promises reports whether a mechanism of a language is specified to forbid the shape under a model of it: C11's
// sequentially consistent accesses and fences, and the kernel's full barriers, forbid all, but that C11's fences, as
// published, leave IRIW; a release that an acquire reads from orders two threads. Uses of another of the kernel's
// primitives as a barrier have none here.
func (m mechanism) promises(s shape, model string) bool {
	switch {
	case strings.HasPrefix(m.between, "smp_mb__"):
		return false
	case m.sc:
		asPublished := strings.HasPrefix(model, "c11") && strings.HasPrefix(m.between, "atomic_thread_fence")
		return s.name != "IRIW" || !asPublished
	}
	return m.keeps.Has(ir.TagRR) && m.keeps.Has(ir.TagWW) && slices.Contains([]string{"MP", "LB", "S"}, s.name)
}

// Every model forbids what a barrier, an atomic instruction or ordered accesses are there
// to forbid, whatever architecture they are of. BARRIERS.md says what else it forbids.
func TestBarriersAreAsStrongAsTheyClaim(t *testing.T) {
	text, err := os.ReadFile("BARRIERS.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(text)
	machines, languages := models.For(""),
		slices.DeleteFunc(models.Names(), func(name string) bool {
			return !models.FactsOf(name).IsLanguage() || models.FactsOf(name).Scoped
		})
	// What the barriers of GPUs forbid depends on where the threads are.
	all := slices.DeleteFunc(mechanisms(doc), func(m mechanism) bool { return dialect.HasScopes(m.arch) })
	inC := slices.DeleteFunc(slices.Clone(all),
		func(m mechanism) bool { return m.arch != "C" && m.arch != dialect.Kernel })
	table := strengths(t, all, machines) + "\n" + strengths(t, inC, languages)
	before, section, ok := strings.Cut(doc, forbidHeading)
	if !ok {
		t.Fatalf("BARRIERS.md has no section %q", forbidHeading)
	}
	intro, old, _ := strings.Cut(section, "\n| dialect")
	if old = "| dialect" + old; old == table {
		return
	}
	if !*update {
		t.Fatalf("BARRIERS.md has another table: run go test with -update, and read the difference; it is\n%s", table)
	}
	writeBarriers(t, before+forbidHeading+intro+"\n"+table)
}

// strengths is a table of what models forbid with mechanisms. A language's model says something
// of its own tests alone.
func strengths(t *testing.T, of []mechanism, names []string) string {
	t.Helper()
	table := "| dialect | between all accesses | " + strings.Join(names, " | ") + " |\n" +
		strings.Repeat("|---", len(names)+2) + "|\n"
	for _, m := range of {
		cells := []string{m.arch, "`" + m.name + "`"}
		for _, name := range names {
			cell := " "
			if !models.FactsOf(name).IsLanguage() || slices.Contains(models.For(m.arch), name) {
				cell = m.strength(t, name)
			}
			cells = append(cells, cell)
		}
		table += "| " + strings.Join(cells, " | ") + " |\n"
	}
	return table
}

func writeBarriers(t *testing.T, doc string) {
	t.Helper()
	if err := os.WriteFile("BARRIERS.md", []byte(doc), 0o644); err != nil {
		t.Fatal(err)
	}
}

// strength lists the shapes that a model forbids with the mechanism.
func (m mechanism) strength(t *testing.T, model string) string {
	t.Helper()
	found, _ := models.Find(model)
	var forbidden []string
	for _, s := range shapes {
		source := m.test(s)
		p, err := dialect.Parse(s.name, source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		o := solver.DefaultOptions()
		o.States = 0
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: found, Options: o})
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		switch {
		case r.Verdict == solver.Forbidden:
			forbidden = append(forbidden, s.name)
		case r.Verdict != solver.Allowed:
			t.Errorf("%s under %s: %s", s.name, model, r.Verdict)
		case m.claims(s, model):
			t.Errorf("%s allows %s with %s's %s", model, s.name, m.arch, m.name)
		}
	}
	switch len(forbidden) {
	case 0:
		return "–"
	case len(shapes):
		return "all"
	}
	return strings.Join(forbidden, " ")
}
