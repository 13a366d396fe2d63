package readback_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/readback"
)

var update = flag.Bool("update", false, "write the tests that listings become to testdata/golden")

// listings are what gcc and clang have made of C tests for four architectures, with their names: TEST.ARCH-COMPILER.s.
const listings = "../../solver/compilercheck/testdata"

// goldenArchitectures are the architectures whose translation the golden files show.
var goldenArchitectures = []string{"arm", "mips", "ppc", "riscv"}

// Listings of gcc and clang, at several levels, become the tests in testdata/golden.
func TestGolden(t *testing.T) {
	files, _ := filepath.Glob(listings + "/*.s")
	n := 0
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".s")
		name, made, _ := strings.Cut(base, ".")
		arch, _, _ := strings.Cut(made, "-")
		if !slices.Contains(goldenArchitectures, arch) {
			continue
		}
		n++
		source, err := os.ReadFile(filepath.Join(listings, name+".litmus"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		test, err := litmus.Parse(name+".litmus", string(source))
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
		got, err := m.Read(p, filepath.Base(file), string(text))
		if err != nil {
			t.Error(err)
			continue
		}
		out := got.Text
		kept, err := m.ReadKeepingStack(p, filepath.Base(file), string(text))
		if err != nil {
			t.Error(err)
			continue
		}
		if kept.Text != out {
			out += "\n(* With the stack in memory: *)\n" + kept.Text
		}
		golden := filepath.Join("testdata", "golden", base+".litmus")
		if *update {
			if err := os.WriteFile(golden, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if out != string(want) {
			t.Errorf("%s becomes\n%s\nwant\n%s", base, out, want)
		}
	}
	if n == 0 {
		t.Errorf("no listings in %s", listings)
	}
}
