package compile_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/mappingcheck"
)

// drawOpenCL draws a test of OpenCL: two or three threads in work groups that access two atomic locations and a plain
// one, each in global or local memory, with fences and perhaps a control barrier. A partial draw has no seq_cst.
func drawOpenCL(t *rapid.T, devices int, partial bool) string {
	among := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	orders := func(of ...string) string {
		if !partial {
			of = append(of, "seq_cst")
		}
		return "memory_order_" + among("order", of...)
	}
	scope := func() string {
		return "memory_scope_" + among("scope", "work_group", "device", "device", "all_svm_devices")
	}
	flags := func() string {
		return among("flags", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
			"CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE")
	}
	region := func() string { return among("region", "global", "global", "local") }
	x, y, d := region()+" atomic_int *x", region()+" atomic_int *y", region()+" int *d"
	threads := rapid.IntRange(2, 3).Draw(t, "threads")
	meet := rapid.IntRange(0, 3).Draw(t, "barrier") == 0
	var b, shown strings.Builder
	b.WriteString("OPENCL drawn\n{ [x]=0; [y]=0; [d]=0; }\n")
	for id := range threads {
		fmt.Fprintf(&b, "P%d@wg %d, dev %d (%s, %s, %s) {\n", id, rapid.IntRange(0, 1).Draw(t, "wg"),
			rapid.IntRange(0, devices-1).Draw(t, "dev"), x, y, d)
		length := rapid.IntRange(1, 5-threads).Draw(t, "length")
		for i := range length {
			if meet && i == length/2 {
				fmt.Fprintf(&b, "  work_group_barrier(%s);\n", flags())
			}
			loc, guard := among("location", "x", "y"), ""
			if i > 0 && rapid.Bool().Draw(t, "guarded") {
				guard = "if (r0) "
			}
			value := rapid.IntRange(1, 2).Draw(t, "value")
			local := fmt.Sprintf("r%d", i)
			fmt.Fprintf(&b, "  int %s = 0;\n  %s{ ", local, guard)
			switch among("statement", "load", "load", "store", "store", "add", "cas", "fence", "read", "write") {
			case "load":
				fmt.Fprintf(&b, "%s = atomic_load_explicit(%s, %s, %s);", local, loc, orders("relaxed", "acquire"),
					scope())
			case "store":
				fmt.Fprintf(&b, "atomic_store_explicit(%s, %d, %s, %s);", loc, value, orders("relaxed", "release"),
					scope())
			case "add":
				fmt.Fprintf(&b, "%s = atomic_fetch_add_explicit(%s, %d, %s, %s);", local, loc, value,
					orders("relaxed", "acquire", "release", "acq_rel"), scope())
			case "cas":
				fmt.Fprintf(&b, "int e = 0; %s = atomic_compare_exchange_strong_explicit(%s, &e, %d, %s, %s, %s);",
					local, loc, value, orders("relaxed", "acq_rel"), orders("relaxed", "acquire"), scope())
			case "fence":
				fmt.Fprintf(&b, "atomic_work_item_fence(%s, %s, %s);", flags(), orders("acquire", "release", "acq_rel"),
					scope())
			case "read":
				fmt.Fprintf(&b, "%s = *d;", local)
			case "write":
				fmt.Fprintf(&b, "*d = %d;", value)
			}
			b.WriteString(" }\n")
			fmt.Fprintf(&shown, " %d:%s;", id, local)
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "locations [x; y; d;%s]\nexists (x=99)\n", shown.String())
	return b.String()
}

// refusals are why a test of OpenCL may have no translation.
var refusals = []string{
	"do not agree how many threads", "cannot compile a seq_cst operation to VULKAN",
	"cannot compile a test of several devices to VULKAN", "cannot compile a condition about the address",
}

// heldTo compiles a test and holds it to the model of its language. It returns nil if the test is refused.
func heldTo(t interface{ Fatalf(string, ...any) }, source, to, variant string) (*compile.Test, *mappingcheck.Checked) {
	test, err := litmus.Parse("drawn", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	made, err := compile.Compile(test, to, variant)
	if err != nil {
		if !slices.ContainsFunc(refusals, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Fatalf("%v\n%s", err, source)
		}
		return nil, nil
	}
	o := solver.DefaultOptions()
	o.States = 1 << 16
	checked, err := mappingcheck.Check(context.Background(), engines.Local{}, mappingcheck.Question{
		Source: solver.Task{Path: "drawn", Source: source, Options: o}, Compiled: made,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return made, checked
}

// sound reports whether nothing but values out of thin air shows that a mapping is wrong.
func sound(c *mappingcheck.Checked) bool {
	return c.Verdict == mappingcheck.Right || c.Verdict == mappingcheck.Undefined ||
		c.Verdict == mappingcheck.Wrong && c.OutOfThinAir
}

// The mappings of OpenCL are sound: what the GPU's model allows of the compiled test, OpenCL allows of the source, and
// in Vulkan the compiled test has no data race.
func TestSoundOfOpenCL(t *testing.T) {
	for _, to := range []string{"ptx", "vulkan"} {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			found := map[mappingcheck.Verdict]int{}
			rapid.Check(t, func(t *rapid.T) {
				partial := to == "vulkan"
				source := drawOpenCL(t, map[bool]int{true: 1, false: 2}[partial], partial)
				made, checked := heldTo(t, source, to, "")
				if made == nil {
					t.Skip("calls of a barrier that do not agree")
				}
				found[checked.Verdict]++
				if !sound(checked) {
					t.Fatalf("%s: %v\n%s\n%s", checked.Text(), checked.Unsound, source, made.Text)
				}
			})
			t.Log(found)
			if found[mappingcheck.Right] == 0 {
				t.Error("no drawn test is without a data race")
			}
		})
	}
}

// Compiled tests of OpenCL compute what the source does.
func TestSameOfOpenCL(t *testing.T) {
	for _, to := range []string{"ptx", "vulkan"} {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				source := drawOpenCL(t, 1, to == "vulkan")
				if strings.Contains(source, "work_group_barrier") {
					t.Skip("sc knows no control barriers")
				}
				made := compiled(t, to, "", source)
				want, _ := states(t, source, "sc", nil)
				if got, _ := states(t, made.Text, "sc", made.Names); !maps.Equal(want, got) {
					t.Fatalf("got %v, want %v\n%s\n%s", got, want, source, made.Text)
				}
			})
		})
	}
}

// The mappings are sound on the public tests of OpenCL, too.
func TestSoundOnPublicOpenCL(t *testing.T) {
	corpus := os.Getenv("LITMUSCOPE_CORPUS")
	if corpus == "" {
		corpus = "../../../shared/corpus"
	}
	paths, _ := filepath.Glob(corpus + "/opencl/*/*/*.litmus")
	more, _ := filepath.Glob(corpus + "/opencl/*/*.litmus")
	paths = append(paths, more...)
	if len(paths) == 0 {
		t.Skip("there is no reference corpus at " + corpus)
	}
	found := map[string]int{}
	for i, path := range paths {
		if testing.Short() && i%4 != 0 {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range []string{"ptx", "vulkan"} {
			made, checked := heldTo(t, string(text), to, "")
			if made == nil {
				found[to+" refused"]++
				continue
			}
			found[to+" "+string(checked.Verdict)]++
			if !sound(checked) {
				t.Errorf("%s to %s: %s: %v\n%s", path, to, checked.Text(), checked.Unsound, made.Text)
			}
		}
	}
	t.Log(found)
	if found["ptx right"] < 5 || found["vulkan right"] < 5 {
		t.Errorf("few tests have translations that are right: %v", found)
	}
}
