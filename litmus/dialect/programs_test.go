package dialect_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// generic are the models that are of no architecture.
var generic = []string{"sc", "tso", "pso", "rmo", "alpha"}

// A barrier in a program's inline assembly, or one that it calls, keeps in order what it does in a litmus test: under
// the model of its architecture, under the generic ones, and, for the kernel's, under those of the architectures that
// the kernel supports. With -short, each barrier appears in two of the six shapes.
func TestBarriersInPrograms(t *testing.T) {
	text, err := os.ReadFile("BARRIERS.md")
	if err != nil {
		t.Fatal(err)
	}
	for at, m := range mechanisms(string(text)) {
		access := m.arch != dialect.Kernel && strings.ContainsAny(m.between, "[(")
		if m.store != "" || m.arch == "C" || access || strings.Contains(m.between, "z") ||
			strings.Contains(m.between, "(s)") || dialect.HasScopes(m.arch) {
			continue
		}
		m.branch = false // before isync and ISB; without, they keep nothing
		t.Run(m.arch+" "+m.between, func(t *testing.T) {
			t.Parallel()
			for i, s := range shapes[:6] {
				if testing.Short() && (i+at)%6 != 0 {
					continue
				}
				for _, model := range m.under() {
					inTest := m.verdict(t, s, model)
					inProgram := m.program(t, s, model)
					if (inTest == solver.Allowed) != (inProgram == solver.Unsafe) {
						t.Errorf("%s under %s: %s as a test, %s as a program\n%s", s.name, model, inTest,
							inProgram, m.source(s))
					}
				}
			}
		})
	}
}

// under are the models to ask.
func (m mechanism) under() []string {
	if m.arch == dialect.Kernel {
		return append([]string{"lkmm", "aarch64", "arm", "riscv", "power"}, generic...)
	}
	return append([]string{models.Default(m.arch)}, slices.DeleteFunc(slices.Clone(generic), func(name string) bool {
		return name == models.Default(m.arch)
	})...)
}

func (m mechanism) verdict(t *testing.T, s shape, model string) solver.Verdict {
	t.Helper()
	o := solver.DefaultOptions()
	o.States = 0
	r, err := engines.Run(context.Background(), solver.Task{Path: s.name, Source: m.test(s), Model: model, Options: o})
	if err != nil || r.Status != solver.OK {
		t.Fatalf("%v %s\n%s", err, r.Error, m.test(s))
	}
	return r.Verdict
}

func (m mechanism) program(t *testing.T, s shape, model string) solver.Verdict {
	t.Helper()
	v, err := engines.Run(context.Background(), solver.VerifyTask{
		Path: "t.c", Files: []solver.SourceFile{{Name: "t.c", Text: m.source(s)}}, Model: model,
		DataModel: map[bool]string{true: "ilp32", false: "lp64"}[m.arch == "ARM"],
		Options:   solver.DefaultOptions(),
	})
	if err != nil || v.Status != solver.OK {
		t.Fatalf("%v %s %s\n%s", err, v.Error, v.Reason, m.source(s))
	}
	return v.Verdict
}

// source is the shape as a program, with the barrier in all its threads.
func (m mechanism) source(s shape) string {
	barrier, headers, object := fmt.Sprintf("asm volatile(%q ::: \"memory\")", m.between),
		"#include <stdatomic.h>\n", "atomic_int"
	store, load := "atomic_store_explicit(&%c, %c, memory_order_relaxed)",
		"atomic_load_explicit(&%c, memory_order_relaxed)"
	if m.arch == dialect.Kernel {
		barrier, headers, object = m.between, "#include <lkmm.h>\n", "int"
		store, load = "WRITE_ONCE(%c, %c)", "READ_ONCE(%c)"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#include <assert.h>\n#include <pthread.h>\n%s%s x, y;\nint r[4][2];\n", headers, object)
	for t, accesses := range s.threads {
		fmt.Fprintf(&b, "void *t%d(void *arg) {\n", t)
		loads := 0
		for i, a := range strings.Fields(accesses) {
			if i > 0 {
				fmt.Fprintf(&b, "\t%s;\n", barrier)
			}
			if a[0] == 'W' {
				fmt.Fprintf(&b, "\t"+store+";\n", a[1], a[2])
			} else {
				fmt.Fprintf(&b, "\tint r%d = "+load+";\n", loads, a[1])
				loads++
			}
		}
		for n := range loads { // which are no accesses between the others
			fmt.Fprintf(&b, "\tr[%d][%d] = r%d;\n", t, n, n)
		}
		b.WriteString("\treturn 0;\n}\n")
	}
	b.WriteString("int main(void) {\n")
	for t := range s.threads {
		fmt.Fprintf(&b, "\tpthread_t p%d;\n\tpthread_create(&p%d, 0, t%d, 0);\n", t, t, t)
	}
	for t := range s.threads {
		fmt.Fprintf(&b, "\tpthread_join(p%d, 0);\n", t)
	}
	var holds []string
	for _, a := range strings.Fields(s.asks) {
		place, value, _ := strings.Cut(a, "=")
		if thread, n, register := strings.Cut(place, ":"); register {
			place = "r[" + thread + "][" + n + "]"
		}
		holds = append(holds, place+" == "+value)
	}
	fmt.Fprintf(&b, "\tassert(!(%s));\n\treturn 0;\n}\n", strings.Join(holds, " && "))
	return b.String()
}

// An instruction that assemblers have several words for is one barrier.
func TestBarrier(t *testing.T) {
	for _, c := range []struct{ instruction, arch, want string }{
		{"dmb ishst", "AArch64", "[DMB.ISHST FWW]"},
		{"dsb st", "AArch64", "[DSB.ST FWR FWW]"},
		{"dsb st", "ARM", "[DSB.ST FWW]"},
		{"fence w,w", "RISCV", "[Fence.w.w FWW]"},
		{"sync", "MIPS", "[SYNC FRR FRW FWR FWW]"},
		{"lwsync", "AArch64", "[LWSYNC FRR FRW FWW]"}, // of another architecture
		{"ldr w0,[x1]", "AArch64", "[]"},
		{"dmb ish | dmb ish", "AArch64", "[]"},
	} {
		var tags ir.Tags
		tags, ok := dialect.Barrier(c.instruction, c.arch)
		if got := fmt.Sprint(tags); got != c.want || ok != (c.want != "[]") {
			t.Errorf("%s on %s: got %s, want %s", c.instruction, c.arch, got, c.want)
		}
	}
}
