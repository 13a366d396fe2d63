package readback_test

import (
	"context"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/readback"
	"litmuscope/litmus/toolchain"
)

// built compiles a test and reads the listing back. It skips if the compiler is not installed.
func built(t *testing.T, arch, command, source string) (*readback.Program, *compile.Test) {
	t.Helper()
	test, err := litmus.Parse("test.litmus", source)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readback.Source(test)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readback.Find(arch)
	if err != nil {
		t.Fatal(err)
	}
	c, err := toolchain.Parse(command)
	if err != nil {
		t.Skip(err)
	}
	c.Arguments = append(m.Options(), c.Arguments...)
	out, err := c.Run(context.Background(), toolchain.Job{
		Files: map[string][]byte{"t.c": []byte(p.Text)}, Arguments: []string{"-o", "t.s", "t.c"}, Outputs: []string{"t.s"},
	})
	if err != nil {
		t.Fatal(err)
	}
	made, err := m.Read(p, "t.s", string(out["t.s"]))
	if err != nil {
		t.Fatalf("%v\n%s", err, out["t.s"])
	}
	return p, made
}

const messagePassing = `C MP
{}
P0 (int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = 2;
  if (r0) { r1 = *x; }
}
exists (1:r0=1 /\ 1:r1=0)
`

// Each line of a test that is read back comes from a line of the C test, and states name its locals.
func TestRead(t *testing.T) {
	for _, command := range []string{
		"clang --target=aarch64-linux-gnu -O2", "clang --target=aarch64-linux-gnu -O0", "aarch64-linux-gnu-gcc -O2",
	} {
		t.Run(command, func(t *testing.T) {
			_, made := built(t, "aarch64", command, messagePassing)
			if got := made.Names["P1_r0"].Name; got != "1:r0" {
				t.Errorf("P1_r0 is %q", got)
			}
			for _, l := range made.Threads[0].Lines {
				if strings.HasPrefix(l.Text, "STLR ") && l.From != 5 {
					t.Errorf("%s comes from line %d", l.Text, l.From)
				}
			}
			if !strings.Contains(made.Text, "STLR W") || !strings.Contains(made.Text, "LDAR W") {
				t.Errorf("no release or no acquire:\n%s", made.Text)
			}
		})
	}
}
