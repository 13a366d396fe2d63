package compilercheck_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/litmus/readback"
	"litmuscope/solver"
	"litmuscope/solver/compilercheck"
	"litmuscope/solver/engines"
	"litmuscope/solver/mappingcheck"
)

// checked reads a listing of a test in testdata.
func checked(t *testing.T, test, arch, text string) *compilercheck.Checked {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", test+".litmus"))
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(arch, "-")
	m, err := readback.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := compilercheck.Check(t.Context(), engines.Local{}, compilercheck.Question{
		Source: solver.Task{Path: test, Source: string(source), Options: solver.DefaultOptions()},
		Target: compilercheck.Target{Machine: m}, Listing: text, File: test + "." + arch + ".s",
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return got
}

// planted are miscompilations: each replaces texts, with | between them, in the
// listing that a compiler has made of a test.
var planted = []struct{ test, arch, what, old, new string }{
	{"mp-relacq", "aarch64-lse", "a release store becomes a plain one", "stlr\tw2", "str\tw2"},
	{"mp-relacq", "aarch64-lse", "an acquire load becomes a plain one", "ldar\tw2", "ldr\tw2"},
	{
		"mp-relacq", "aarch64-lse", "the data is written after the flag",
		"str\tw2, [x1]\n\t.loc 1 5 3\n\tstlr\tw2, [x0]", "stlr\tw2, [x0]\n\tstr\tw2, [x1]",
	},
	{
		"mp-relacq", "aarch64-lse", "the data is read before the flag", "ldar\tw2, [x0]|ldr\tw3, [x0]",
		"adrp\tx5, x\n\tldr\tw6, [x5, :lo12:x]\n\tldar\tw2, [x0]|mov\tw3, w6",
	},
	{"mp-relacq", "aarch64-lse", "the wrong value is written", "mov\tw3, 2", "mov\tw3, 0"},
	{"mp-relacq", "aarch64-lse", "a branch is inverted", "cbz\tw2", "cbnz\tw2"},
	{"sb-fence", "aarch64-lse", "a full fence is missing", "dmb\tish\n", ""},
	{"sb-fence", "aarch64-lse", "a full fence becomes one of loads", "dmb\tish\n", "dmb\tishld\n"},
	{"mp-fence", "aarch64-lse", "a release fence is missing", "dmb\tish\n", ""},
	{"mp-fence", "aarch64-lse", "an acquire fence is missing", "dmb\tishld\n", ""},
	{"mp-fence", "aarch64-lse", "an acquire fence becomes one of stores", "dmb\tishld\n", "dmb\tishst\n"},
	{"sb-sc", "aarch64-lse", "a store is not sequentially consistent", "stlr\tw", "str\tw"},
	{"sb-sc", "aarch64-lse", "a load is only an RCpc acquire", "ldar\tw", "ldapr\tw"},
	{"mp-add", "aarch64-lse", "an addition loses its release", "ldaddl", "ldadd"},
	{"mp-add", "aarch64-lse", "an addition loses its acquire", "ldadda\t", "ldadd\t"},
	{"mp-add", "aarch64-llsc", "a store-conditional loses its release", "stlxr", "stxr"},
	{"mp-add", "aarch64-llsc", "a load-exclusive loses its acquire", "ldaxr", "ldxr"},
	{"mp-add", "aarch64-outline", "a helper without release", "ldadd4_rel", "ldadd4_relax"},
	{"mp-add", "aarch64-outline", "a helper without acquire", "ldadd4_acq", "ldadd4_relax"},
	{"mp-cas", "aarch64-lse", "a compare-and-swap loses its acquire", "casa\t", "cas\t"},
	{"mp-cas", "aarch64-lse", "an exchange loses its release", "swpl\t", "swp\t"},
	{"mp-cas", "aarch64-llsc", "a load-exclusive loses its acquire", "ldaxr", "ldxr"},
	{"mp-cas", "aarch64-outline", "a helper without acquire", "cas4_acq", "cas4_relax"},
	{
		"increments", "aarch64-lse", "an addition is not atomic", "ldadd\tw1, w1, [x0]",
		"ldr\tw2, [x0]\n\tadd\tw2, w2, w1\n\tstr\tw2, [x0]",
	},
	{
		"increments", "aarch64-llsc", "a store-conditional becomes a store", "stxr\tw1, w2, [x0]",
		"str\tw2, [x0]\n\tmov\tw1, 0",
	},
	{
		"two-cas", "aarch64-llsc", "a store-conditional becomes a store", "stxr\tw3, w1, [x0]",
		"str\tw1, [x0]\n\tmov\tw3, 0",
	},
	{"mp-relacq", "aarch64-O0", "a release store becomes a plain one", "stlr", "str"},
	{"sb-fence", "aarch64-O0", "a full fence is missing", "dmb\tish\n", ""},
	{"sb-fence", "x86-O0", "a full fence is missing", "lock orq\t$0, (%rsp)", ""},
	{"mp-relacq", "riscv", "a release store loses its fence", "fence iorw,ow; amoswap", "amoswap"},
	{"mp-relacq", "riscv", "an acquire load loses its fence", "fence\tiorw,iorw", ""},
	{"mp-relacq", "riscv-O0", "a release store loses its fence", "fence iorw,ow; amoswap", "amoswap"},
	{"mp-relacq", "riscv-clang", "a release fence does not order stores", "fence\trw, w", "fence\tr, w"},
	{"mp-relacq", "riscv-clang", "an acquire fence does not order loads", "fence\tr, rw", "fence\tr, w"},
	{"mp-add", "riscv", "an addition loses its acquire", "amoadd.w.aq", "amoadd.w"},
	{"mp-add", "riscv-clang", "an addition loses its release", "amoadd.w.rl", "amoadd.w"},
	{"mp-cas", "riscv", "a compare-and-swap loses its acquire", "lr.w.aq|sc.w.aq", "lr.w|sc.w"},
	{"sb-fence", "riscv", "a full fence becomes one of stores", "fence\tiorw,iorw", "fence\tw,w"},
	{"sb-fence", "riscv-clang", "a full fence is missing", "fence\trw, rw", ""},
	{"sb-sc", "riscv", "a store is not sequentially consistent", "amoswap.w.aq|fence\tiorw,iorw", "amoswap.w|"},
	{"sb-sc", "riscv-clang", "a load loses the fence before it", "fence\trw, rw", ""},
	{
		"increments", "riscv-clang", "an addition is not atomic", "amoadd.w\ta0, a1, (a0)",
		"lw\ta2, 0(a0)\n\tadd\ta2, a2, a1\n\tsw\ta2, 0(a0)",
	},
	{"two-cas", "riscv", "a store-conditional becomes a store", "sc.w a2,a3,0(a4)", "sw a3,0(a4); li a2,0"},
	{"unused", "riscv", "an unused result loses its acquire", "amoadd.w.aq", "amoadd.w"},
	{"mp-relacq", "ppc", "a release store loses its lwsync", "\tlwsync\n", ""},
	{"mp-relacq", "ppc", "an acquire load loses its isync", "\tisync\n", ""},
	{"mp-relacq", "ppc", "an acquire load loses its branch", "\tbne- 0,$+4\n", ""},
	{"mp-relacq", "ppc-clang", "an acquire load loses its isync", "\tisync\n", ""},
	{"mp-relacq", "ppc-clang", "an acquire load loses its branch", "\tbne- 7, .+4\n", ""},
	{"mp-relacq", "ppc-clang", "a branch depends on nothing", "cmpd 7, 3, 3", "cmpd 7, 13, 13"},
	{"mp-relacq", "ppc-O0", "an acquire load loses its isync", "\tisync\n", ""},
	{"mp-fence", "ppc", "a release fence is missing", "\tlwsync\n", ""},
	{"mp-fence", "ppc", "an acquire fence orders stores", "\tlwsync\n|\tlwsync\n", "\tLWSYNC\n|\teieio\n"},
	{"mp-add", "ppc", "an addition loses its acquire", "\tisync\n", ""},
	{"mp-add", "ppc-clang", "an addition loses its release", "\tlwsync\n", ""},
	{"sb-fence", "ppc", "a full fence becomes a light one", "\tsync\n", "\tlwsync\n"},
	{"sb-sc", "ppc", "a sequentially consistent load loses its fence", "\tsync\n|\tsync\n", "\tSYNC\n|\tlwsync\n"},
	{
		"increments", "ppc", "a store-conditional becomes a store", "stwcx. 9,0,10",
		"stw 9,0(10)\n\tcmpw 0,9,9",
	},
	{"unused", "ppc", "an unused result loses its acquire", "\tisync\n", ""},
	{"mp-relacq", "arm", "a release store loses its barrier", "\tdmb\tish\n", ""},
	{"mp-relacq", "arm", "an acquire load loses its barrier", "\tdmb\tish\n|\tdmb\tish\n", "\tDMB\tish\n|"},
	{
		"mp-relacq", "arm", "an acquire load has a barrier of stores", "\tdmb\tish\n|\tdmb\tish\n",
		"\tDMB\tish\n|\tdmb\tishst\n",
	},
	{"mp-relacq", "arm-clang", "a release store loses its barrier", "\tdmb\tish\n", ""},
	{"mp-relacq", "arm-O0", "a release store loses its barrier", "\tdmb\tish\n", ""},
	{"mp-fence", "arm", "a release fence is missing", "\tdmb\tish\n", ""},
	{"mp-add", "arm", "an addition loses its release", "\tdmb\tish\n", ""},
	{"mp-add", "arm", "an addition loses its acquire", "\tdmb\tish\n|\tdmb\tish\n", "\tDMB\tish\n|"},
	{"sb-fence", "arm", "a full barrier becomes one of stores", "\tdmb\tish\n", "\tdmb\tishst\n"},
	{"sb-fence", "arm-clang", "a full barrier is missing", "\tdmb\tish\n", ""},
	{
		"increments", "arm", "a store-exclusive becomes a store", "strex\tr2, r1, [r3]",
		"str\tr1, [r3]\n\tmov\tr2, #0",
	},
	{"unused", "arm", "an unused result loses its acquire", "\tdmb\tish\n|\tdmb\tish\n", "\tDMB\tish\n|"},
	{"mp-relacq", "mips", "a release store loses its fence", "\tsync\n", ""},
	{"mp-relacq", "mips-clang", "a release store loses its fence", "\tsync\n", ""},
	{"mp-relacq", "mips-O0", "a release store loses its fence", "\tsync\n", ""},
	{"mp-relacq", "mips", "the delay slot of a branch has the wrong value", "\tmove\t$4,$2\n", "\tmove\t$4,$0\n"},
	{"mp-relacq", "mips", "a branch is inverted", "\tbeq\t$2", "\tbne\t$2"},
	{"mp-add", "mips-clang", "an addition loses its release", "\tsync\n", ""},
	{"sb-fence", "mips", "a full fence is missing", "\tsync\n", ""},
	{
		"increments", "mips-clang", "a store-conditional becomes a store", "sc\t$4, 0($1)",
		"sw\t$4, 0($1)\n\tli\t$4, 1",
	},
	{"unused", "aarch64-lse", "an unused result goes to the zero register", "ldadda\tw1, w1", "ldadda\tw1, wzr"},
	{"unused", "aarch64-lse", "an unused result makes a store", "ldadda\tw1, w1", "stadd\tw1"},
	{"sb-fence", "x86", "a full fence is missing", "lock orq\t$0, (%rsp)", ""},
	{"sb-fence", "x86", "a full fence is not locked", "lock orq", "orq"},
	{"sb-fence", "x86", "a full fence becomes one of stores", "lock orq\t$0, (%rsp)", "sfence"},
	{"sb-sc", "x86", "a store is not sequentially consistent", "xchgl\tx(%rip), %eax", "movl\t%eax, x(%rip)"},
	{"increments", "x86", "an addition is not locked", "lock addl", "addl"},
	{"increments", "x86", "an addition with a result is not locked", "lock xaddl", "xaddl"},
	{"two-cas", "x86", "a compare-and-swap is not locked", "lock cmpxchgl", "cmpxchgl"},
}

// Each listing is right, and each planted miscompilation is found.
func TestPlanted(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.s")
	for _, file := range files {
		test, arch, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".s"), ".")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := checked(t, test, arch, string(text)); got.Verdict != mappingcheck.Right {
			t.Errorf("%s: %s", file, got.Text())
		}
	}
	for _, p := range planted {
		text, err := os.ReadFile(filepath.Join("testdata", p.test+"."+p.arch+".s"))
		if err != nil {
			t.Fatal(err)
		}
		changed, news := string(text), strings.Split(p.new, "|")
		for i, old := range strings.Split(p.old, "|") {
			if !strings.Contains(changed, old) {
				t.Errorf("%s for %s, %s: the listing has no %q", p.test, p.arch, p.what, old)
			}
			changed = strings.Replace(changed, old, news[i], 1)
		}
		got := checked(t, p.test, p.arch, changed)
		if !got.Bug() || len(got.Unsound) == 0 {
			t.Errorf("%s for %s, %s: %s", p.test, p.arch, p.what, got.Text())
		}
	}
}

// At -O0, clang keeps what lwarx reads in memory, so that the loop is no retry that can be cut: with all slots in
// memory, a bound hides outcomes. What only no-thin-air forbids stays that, and an answer that a limit cuts is no bug.
func TestLimitsShowNoBug(t *testing.T) {
	text, err := os.ReadFile("testdata/thinair/s-exchange.ppc-O0.s")
	if err != nil {
		t.Fatal(err)
	}
	if got := checked(t, "thinair/s-exchange", "ppc-O0", string(text)); got.Bug() || !got.ThinAir {
		t.Errorf("%s: %s", got.Verdict, got.Text())
	}
}
