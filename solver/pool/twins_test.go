package pool

import (
	"flag"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

var twins = flag.Int("twins", 0, "how often TestTwinTimes asks each question")

// TestTwinTimes logs how much longer the C++ programs of the catalogue take than the C programs that do the same: the
// shortest of some times of the processor, under the same model and for the same property, without the compiler's time
// and with it.
func TestTwinTimes(t *testing.T) {
	if *twins == 0 {
		t.Skip("a measurement: -twins is how often it asks each question")
	}
	shortest := func(task solver.VerifyTask) float64 {
		least := math.Inf(1)
		for range *twins {
			runtime.GC()
			began := processorTime(t)
			v, err := solver.Ask(t.Context(), engines.Local{}, task)
			if err != nil || v.Status != solver.OK {
				t.Fatal(err, v.Error, v.Reason)
			}
			least = min(least, processorTime(t)-began)
		}
		return least
	}
	var factors, all []float64
	cpp, c := 0.0, 0.0
	for _, b := range catalogue.CPlusPlus() {
		if b.Twin == "" {
			continue
		}
		twin, ok := catalogue.FindProgram(b.Twin)
		if !ok {
			t.Fatalf("no program %s", b.Twin)
		}
		file := filepath.Join("..", "..", "litmus", "catalogue", "cpp", b.Program+".cpp")
		var flags []string
		for _, d := range b.Defines {
			flags = append(flags, "-D"+d)
		}
		began := childrenTime(t)
		text, err := frontend.Compile(t.Context(), file, flags)
		if err != nil {
			t.Fatal(err)
		}
		compiling := childrenTime(t) - began
		m, err := assembly.Parse(file+".ll", text)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range b.Known {
			task := solver.VerifyTask{Model: k.Model, Options: solver.DefaultOptions(), Engine: "axiomatic"}
			if b.Unroll > 0 {
				task.Options.Unroll = b.Unroll
			}
			if b.Property != "" {
				task.Verify = task.With(strings.Split(b.Property, "+"))
			}
			ours := task
			task.Path, task.Files = file+".ll", []solver.SourceFile{{Name: file + ".ll", Text: text}}
			task.Include = frontend.Sources(m)
			ours.Path, ours.Files = twin.File(), []solver.SourceFile{{Name: twin.File(), Text: twin.Source}}
			ours.Defines = b.Defines
			x, y := shortest(task), shortest(ours)
			cpp, c = cpp+x, c+y
			factors, all = append(factors, x/y), append(all, (x+compiling)/y)
			t.Logf("%-24s %-12s %-8s %6.0f ms, in C %6.0f ms: %.1f times; with the compiler's %.0f ms %.1f times",
				b.Program, strings.Join(b.Defines, " "), k.Model, x, y, x/y, compiling, (x+compiling)/y)
		}
	}
	slices.Sort(factors)
	slices.Sort(all)
	above := len(factors) - len(slices.DeleteFunc(slices.Clone(factors), func(f float64) bool { return f > 3 }))
	t.Logf("%d questions; %.0f ms, in C %.0f ms: %.1f times; median %.1f, most %.1f, above 3: %d; "+
		"median with the compiler %.1f",
		len(factors), cpp, c, cpp/c, factors[len(factors)/2], factors[len(factors)-1], above, all[len(all)/2])
}

// processorTime and childrenTime return the milliseconds of processor time of this process, and of the compilers that
// it has waited for.
func processorTime(t *testing.T) float64 { return usage(t, syscall.RUSAGE_SELF) }
func childrenTime(t *testing.T) float64  { return usage(t, syscall.RUSAGE_CHILDREN) }

func usage(t *testing.T, who int) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}
