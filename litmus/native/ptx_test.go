package native_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/native"
)

// Kernels are well-formed by a reader of PTX of our own: registers are declared, labels defined once, instructions of
// the ISA with operands of the right kinds and widths.

// forms are the instructions of kernels, by the ISA: a regular expression of the mnemonic, and the kinds of operands.
// p is a predicate, r and d registers of 32 and 64 bits, i an integer, v a register of 32 bits or an integer, m memory,
// l a label, s a special register, n the name of a parameter.
var forms = []struct {
	mnemonic *regexp.Regexp
	operands []string
}{
	{regexp.MustCompile(`^ld\.param\.u64$`), []string{"d n"}},
	{regexp.MustCompile(`^ld\.param\.u32$`), []string{"r n"}},
	{regexp.MustCompile(`^ld\.global\.u64$`), []string{"d m"}},
	{regexp.MustCompile(`^ld(\.weak|\.volatile|\.(relaxed|acquire)\.(cta|gpu|sys))?\.global\.u32$`), []string{"r m"}},
	{regexp.MustCompile(`^st(\.weak|\.volatile|\.(relaxed|release)\.(cta|gpu|sys))?\.global\.u32$`), []string{"m r"}},
	{
		regexp.MustCompile(`^atom(\.(relaxed|acquire|release|acq_rel)\.(cta|gpu|sys))?\.global\.` +
			`(add\.u32|exch\.b32|(min|max)\.s32|(and|or|xor)\.b32)$`), []string{"r m v"},
	},
	{
		regexp.MustCompile(`^atom(\.(relaxed|acquire|release|acq_rel)\.(cta|gpu|sys))?\.global\.cas\.b32$`),
		[]string{"r m v v"},
	},
	{
		regexp.MustCompile(`^red(\.(relaxed|release)\.(cta|gpu|sys))?\.global\.` +
			`(add\.u32|(min|max)\.s32|(and|or|xor)\.b32)$`), []string{"m v"},
	},
	{regexp.MustCompile(`^fence\.((sc|acq_rel)\.(cta|gpu|sys)|proxy\.alias)$`), []string{""}},
	{regexp.MustCompile(`^membar\.(cta|gl|sys)$`), []string{""}},
	{regexp.MustCompile(`^barrier\.cta\.(sync|arrive)$`), []string{"i i"}},
	{regexp.MustCompile(`^mov\.u32$`), []string{"r v", "r s"}},
	{regexp.MustCompile(`^neg\.s32$`), []string{"r r"}},
	{
		regexp.MustCompile(`^(add\.s32|sub\.s32|sub\.u32|(and|or|xor)\.b32|mul\.lo\.s32|(rem|div|shr)\.u32)$`),
		[]string{"r r v"},
	},
	{regexp.MustCompile(`^mad\.lo\.u32$`), []string{"r r v r"}},
	{regexp.MustCompile(`^mul\.wide\.u32$`), []string{"d r v"}},
	{regexp.MustCompile(`^add\.u64$`), []string{"d d d"}},
	{regexp.MustCompile(`^setp\.(eq|ne|lt|ge|gt|le)\.(u32|s32)$`), []string{"p r v"}},
	{regexp.MustCompile(`^setp\.eq\.and\.u32$`), []string{"p r v p"}},
	{regexp.MustCompile(`^bra$`), []string{"l"}},
	{regexp.MustCompile(`^ret$`), []string{""}},
}

var (
	entry       = regexp.MustCompile(`^\.visible \.entry litmus\((.*)\)$`)
	declaration = regexp.MustCompile(`^\.reg \.(pred|b32|b64) (.*);$`)
	definition  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*):$`)
	statement   = regexp.MustCompile(`^(?:@!?(%\w+) )?([a-z0-9_.]+)(?: (.*))?;$`)
	memory      = regexp.MustCompile(`^\[(%\w+)(?:\+\d+)?\]$`)
)

// checkKernel returns what is wrong with the text of a kernel.
func checkKernel(text string) error {
	kinds, labels, targets := map[string]string{}, map[string]bool{}, []string{}
	var params []string
	kind := func(operand string) string {
		m := memory.FindStringSubmatch(operand)
		switch _, err := strconv.ParseInt(operand, 0, 64); {
		case err == nil:
			return "iv"
		case slices.Contains([]string{"%tid.x", "%ctaid.x"}, operand):
			return "s"
		case m != nil && kinds[m[1]] == "d":
			return "m"
		case strings.HasPrefix(operand, "[") && slices.Contains(params, strings.Trim(operand, "[]")):
			return "n"
		case kinds[operand] == "r":
			return "rv"
		case kinds[operand] != "":
			return kinds[operand]
		case regexp.MustCompile(`^\w+$`).MatchString(operand):
			targets = append(targets, operand)
			return "l"
		}
		return "?"
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) < 6 || lines[0] != ".version 7.5" || lines[1] != ".target sm_70" || lines[2] != ".address_size 64" ||
		lines[4] != "{" || lines[len(lines)-1] != "}" {
		return errors.New("no frame")
	}
	head := entry.FindStringSubmatch(lines[3])
	if head == nil {
		return errors.New("no entry")
	}
	for p := range strings.SplitSeq(head[1], ", ") {
		params = append(params, p[strings.LastIndexByte(p, ' ')+1:])
	}
	last := ""
	for _, line := range lines[5 : len(lines)-1] {
		line = strings.TrimSpace(line)
		if m := declaration.FindStringSubmatch(line); m != nil {
			for name := range strings.SplitSeq(m[2], ", ") {
				if kinds[name] != "" || !strings.HasPrefix(name, "%") {
					return errors.New("declared twice: " + name)
				}
				kinds[name] = map[string]string{"pred": "p", "b32": "r", "b64": "d"}[m[1]]
			}
			continue
		}
		if m := definition.FindStringSubmatch(line); m != nil {
			if labels[m[1]] {
				return errors.New("defined twice: " + m[1])
			}
			labels[m[1]] = true
			continue
		}
		m := statement.FindStringSubmatch(line)
		if m == nil || m[1] != "" && kinds[m[1]] != "p" {
			return errors.New("no statement: " + line)
		}
		ok := false
		for _, f := range forms {
			for _, want := range f.operands {
				wanted := strings.Fields(want)
				var got []string
				if m[3] != "" {
					got = strings.Split(m[3], ", ")
				}
				ok = ok || f.mnemonic.MatchString(m[2]) && len(got) == len(wanted) && !slices.ContainsFunc(wanted,
					func(k string) bool { return !strings.Contains(kind(got[slices.Index(wanted, k)]), k) })
			}
		}
		if !ok {
			return errors.New("no instruction: " + line)
		}
		last = line
	}
	if last != "ret;" {
		return errors.New("the end is not reached: " + last)
	}
	for _, l := range targets {
		if !labels[l] {
			return errors.New("no label " + l)
		}
	}
	return nil
}

// kernelOf returns the kernel in a C file.
func kernelOf(t *testing.T, file string) string {
	t.Helper()
	_, rest, _ := strings.Cut(file, "static const char ptx[] =\n")
	literal, _, ok := strings.Cut(rest, ";\nstatic const struct kernel")
	if !ok {
		t.Fatalf("no kernel in\n%s", file)
	}
	text := ""
	for line := range strings.SplitSeq(literal, "\n") {
		part, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		text += part
	}
	return text
}

// ptxTests are tests of each kind of instruction.
var ptxTests = map[string]string{
	"SB": `PTX SB
{ x=0; y=0; }
 P0@cta 0,gpu 0   | P1@cta 1,gpu 0   ;
 st.weak x, 1     | st.weak y, 1     ;
 fence.sc.gpu     | fence.sc.gpu     ;
 ld.weak r0, y    | ld.weak r0, x    ;
exists (0:r0=0 /\ 1:r0=0)
`,
	"updates": `PTX updates
{ x=3; 0:r5=-2; }
 P0@cta 0,gpu 0                         | P1@cta 0,gpu 0                   ;
 atom.relaxed.cta.add r0, x, 1          | LC00:                            ;
 atom.acq_rel.gpu.cas r1, x, 0, 1       | ld.acquire.sys r0, x             ;
 atom.sub r2, x, r5                     | bne r0, 4, LC00                  ;
 red.release.sys.add x, 2               | xor r1, r0, r0                   ;
 atom.acquire.sys.exch r3, x, r0        | add r1, r1, 7                    ;
 st.release.gpu x, r3                   | st.volatile x, r1                ;
 fence.acq_rel.cta                      | membar.gl                        ;
exists (0:r0=3 /\ 1:r1=7)
`,
	"barriers": `PTX barriers
{ x=0; }
 P0@cta 0,gpu 0   | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 ;
 st.weak x, 1     | bar.cta.sync 1 | ld.weak r0, x  ;
 bar.cta.arrive 1 | ld.weak r0, x  |                ;
exists (1:r0=0)
`,
}

func TestKernels(t *testing.T) {
	for name, source := range ptxTests {
		n, err := assemble(t, name+".litmus", source, "X86_64")
		if err != nil {
			t.Fatal(err)
		}
		got := kernelOf(t, string(native.File([]*native.Test{n})))
		if err := checkKernel(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		golden := filepath.Join("testdata", name+".ptx")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != got {
			t.Errorf("%s differs from the kernel (%v): go test ./litmus/native -update, and read the difference\n%s",
				golden, err, got)
		}
	}
	for _, wrong := range []struct{ from, to string }{
		{"\tret;\n}", "}"},
		{"%p0_r0", "%p9_r9"},
		{"fence.sc.gpu", "fence.weak.gpu"},
		{"END:", "FIN:"},
		{"[%at0]", "[%wa]"},
		{"setp.ge.u32 %pp", "setp.ge.u32 %wa"},
	} {
		n, err := assemble(t, "SB.litmus", ptxTests["SB"], "X86_64")
		if err != nil {
			t.Fatal(err)
		}
		text := kernelOf(t, string(native.File([]*native.Test{n})))
		if changed := strings.Replace(text, wrong.from, wrong.to, 1); changed == text || checkKernel(changed) == nil {
			t.Errorf("%s instead of %s is not found", wrong.to, wrong.from)
		}
	}
}

// Every test of the corpus in PTX becomes a well-formed kernel or is refused at its place, and the compiler takes a
// program of all kernels.
func TestKernelsOfCorpus(t *testing.T) {
	corpus := os.Getenv("LITMUSCOPE_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	var all []*native.Test
	refused := 0
	err := filepath.WalkDir(filepath.Join(corpus, "ptx"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".litmus" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var n *native.Test
		test, err := litmus.Parse(filepath.Base(path), string(source))
		if err == nil {
			n, err = native.Assemble(test, native.Target{Arch: "X86_64", LittleEndian: true})
		}
		if errs := litmus.Errors(err); err != nil {
			if refused++; len(errs) == 0 || errs[0].Pos.Line == 0 {
				t.Errorf("%s: an error without a place: %v", path, err)
			}
			return nil
		}
		if err := checkKernel(kernelOf(t, string(native.File([]*native.Test{n})))); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		all = append(all, n)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no corpus: LITMUSCOPE_CORPUS says where it is")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kernels, %d refused", len(all), refused)
	if len(all) < 50 {
		t.Errorf("only %d kernels", len(all))
	}
	if _, err := exec.LookPath("cc"); err != nil || testing.Short() {
		return
	}
	build(t, t.TempDir(), all)
}

// The program runs kernels by the driver that it finds, and reports what the driver says. The driver here is a program
// of ours, which runs the kernel of SB one thread after the other.
func TestDriver(t *testing.T) {
	compiler(t, "cc")
	dir := t.TempDir()
	n, err := assemble(t, "SB.litmus", ptxTests["SB"], "X86_64")
	if err != nil {
		t.Fatal(err)
	}
	build(t, dir, []*native.Test{n})
	without, err := exec.CommandContext(t.Context(), dir+"/t").CombinedOutput()
	if _, here := os.Stat("/dev/nvidia0"); here != nil &&
		(err == nil || !strings.HasPrefix(string(without), "SB: no NVIDIA GPU: ")) {
		t.Errorf("without a GPU: %v, %s", err, without)
	}
	library := exec.CommandContext(t.Context(), "cc", "-shared", "-fPIC", "-o", dir+"/libcuda.so.1",
		"testdata/driver.c")
	if out, err := library.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct{ mode, want string }{
		{"", "Histogram (1 states)\n66      :>0:r0=0; 1:r0=1;\n"},
		{"rejects", "SB: the CUDA driver rejects the kernel: line 7: this driver knows no fences\n"},
		{"fails", "SB: the kernel: CUDA error 700, an illegal memory access\n"},
		{"hangs", "SB: a thread does not end within 1 s\n"},
	} {
		run := exec.CommandContext(t.Context(), dir+"/t", "-r", "2", "-s", "33", "-t", "1", "-q")
		run.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir, "DRIVER="+c.mode)
		out, err := run.CombinedOutput()
		if !strings.Contains(string(out), c.want) || (err == nil) != (c.mode == "") {
			t.Errorf("%s: %v, got\n%s", c.mode, err, out)
		}
		if c.mode == "" && !strings.Contains(string(out), "\nGPU=A driver of ours\n") {
			t.Errorf("the GPU has no name in\n%s", out)
		}
	}
}

// build builds a program of some tests.
func build(t *testing.T, dir string, tests []*native.Test) {
	t.Helper()
	if err := os.WriteFile(dir+"/t.c", native.File(tests), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append(native.Flags(tests), "-Wall", "-Wno-unused", "-Werror", "-o", dir+"/t", dir+"/t.c")
	if slices.Contains(args, "-ldl") { // behind what needs it
		args = append(args, "-ldl")
	}
	if out, err := exec.CommandContext(t.Context(), "cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// What a GPU cannot run in this way is refused at its place.
func TestKernelRefusals(t *testing.T) {
	const head = "PTX t\n{ x=0; }\n"
	for _, c := range []struct{ source, want string }{
		{
			head + "P0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\nst.weak x, 1 | ld.weak r0, x ;\nexists (1:r0=1)",
			"P1 is on another GPU than P0: hw runs tests on one GPU",
		},
		{
			"PTX t\n{ x=0; y @ texture aliases x; }\nP0@cta 0,gpu 0 ;\ntld.weak r0, y ;\nexists (0:r0=1)",
			"t:2:8: y is a second name of x",
		},
		{
			head + "P0@cta 0,gpu 0 ;\nbar.cta.sync 0, 1, 1 ;\nexists (x=1)",
			"t:4:1: hw runs control barriers without a number and without a count, as in bar.cta.sync 0",
		},
		{
			head + "P0@cta 0,gpu 0 ;\nbar.cta.sync 99 ;\nexists (x=1)",
			"t:4:14: a CTA has the barriers 0 to 15",
		},
		{
			head + "P0@cta 0,gpu 0 ;\nbar.cta.sync 1 ;\nbar.cta.sync 1 ;\nexists (x=1)",
			"t:5:1: P0 calls the barrier 1 twice",
		},
		{
			"OPENCL t\n{ x=0; }\nP0@wg 0,dev 0(global atomic_int* x) { *x = 1; }\nexists (x=1)",
			"t:1:1: hw runs no tests for OPENCL: of the tests for GPUs, it runs those in PTX",
		},
		{
			head + "P0@cta 0,gpu 0 ;\nfence.proxy.texture ;\nexists (x=1)",
			"t:4:1: hw does not run fence.proxy.texture: tests on a GPU have the generic proxy only",
		},
	} {
		if _, err := assemble(t, "t", c.source, "X86_64"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want %s", err, c.want)
		}
	}
}
