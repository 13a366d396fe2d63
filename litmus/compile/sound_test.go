package compile_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/mappingcheck"
)

// program draws a C11 test: two or three threads that access two atomic locations of some width and a plain one, in all
// possible ways, and a list of all observables at the end.
func program(t *rapid.T, types ...string) string {
	var b, locals strings.Builder
	b.WriteString("C drawn\n{}\n")
	threads := rapid.IntRange(2, 3).Draw(t, "threads")
	types = append(types, "int")
	x, y := rapid.SampledFrom(types).Draw(t, "type of x"), rapid.SampledFrom(types).Draw(t, "type of y")
	d := strings.Replace(rapid.SampledFrom(types).Draw(t, "type of d"), "u", "unsigned ", 1)
	d = strings.Replace(d, "schar", "signed char", 1)
	for id := range threads {
		fmt.Fprintf(&b, "P%d (atomic_%s* x, atomic_%s* y, %s* d) {\n", id, x, y, d)
		n := 0
		local := func() string {
			n++
			fmt.Fprintf(&locals, " %d:r%d;", id, n-1)
			return fmt.Sprintf("r%d", n-1)
		}
		for range rapid.IntRange(1, 5-threads).Draw(t, "statements") {
			statement(t, &b, local, &n)
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "locations [x; y; d;%s]\nexists (x=99)\n", locals.String())
	return b.String()
}

func order(t *rapid.T, of ...string) string {
	return "memory_order_" + rapid.SampledFrom(of).Draw(t, "order")
}

// narrow are types of less than a word that a mapping with a variant has instructions for.
func narrow(arch, variant string) []string {
	if strings.Contains(variant, "lrsc") || arch == "PTX" || arch == "VULKAN" {
		return nil
	}
	return []string{"schar", "uchar", "short", "ushort"}
}

var (
	loads   = []string{"relaxed", "consume", "acquire", "seq_cst"}
	stores  = []string{"relaxed", "release", "seq_cst"}
	updates = []string{"relaxed", "acquire", "release", "acq_rel", "seq_cst"}
)

// statement draws a statement; n is how many locals there are.
func statement(t *rapid.T, b *strings.Builder, local func() string, n *int) {
	loc := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "location")
	value := func() string {
		v := fmt.Sprint(rapid.IntRange(1, 2).Draw(t, "value"))
		if *n > 0 && rapid.Bool().Draw(t, "dependent") {
			r := fmt.Sprintf("r%d", rapid.IntRange(0, *n-1).Draw(t, "local"))
			v = rapid.SampledFrom(
				[]string{
					r, r + " + 1", v + " + (" + r + " ^ " + r + ")", "(" + r + " == " + v + ") + 1",
					"-" + r + " & 3",
				}).Draw(t, "expression")
		}
		return v
	}
	kinds := []string{
		"load", "load", "store", "store", "update", "exchange", "compare", "fence", "plain load",
		"plain store",
	}
	if *n > 0 {
		kinds = append(kinds, "if", "if")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "load":
		o := order(t, loads...)
		fmt.Fprintf(b, "  int %s = atomic_load_explicit(%s, %s);\n", local(), loc, o)
	case "store":
		fmt.Fprintf(b, "  atomic_store_explicit(%s, %s, %s);\n", loc, value(), order(t, stores...))
	case "update":
		op := rapid.SampledFrom([]string{"add", "sub", "or", "and", "xor"}).Draw(t, "op")
		v, o := value(), order(t, updates...)
		if rapid.Bool().Draw(t, "used") {
			fmt.Fprintf(b, "  int %s = atomic_fetch_%s_explicit(%s, %s, %s);\n", local(), op, loc, v, o)
		} else {
			fmt.Fprintf(b, "  atomic_fetch_%s_explicit(%s, %s, %s);\n", op, loc, v, o)
		}
	case "exchange":
		v, o := value(), order(t, updates...)
		fmt.Fprintf(b, "  int %s = atomic_exchange_explicit(%s, %s, %s);\n", local(), loc, v, o)
	case "compare":
		kind := rapid.SampledFrom([]string{"strong", "weak"}).Draw(t, "strength")
		v, o, failed := value(), order(t, updates...), order(t, loads...)
		expected := local()
		fmt.Fprintf(b, "  int %s = %d;\n", expected, rapid.IntRange(0, 1).Draw(t, "expected"))
		fmt.Fprintf(b, "  int %s = atomic_compare_exchange_%s_explicit(%s, &%s, %s, %s, %s);\n", local(), kind, loc,
			expected, v, o, failed)
	case "fence":
		fmt.Fprintf(b, "  atomic_thread_fence(%s);\n", order(t, updates...))
	case "plain load":
		fmt.Fprintf(b, "  int %s = *d;\n", local())
	case "plain store":
		fmt.Fprintf(b, "  *d = %s;\n", value())
	case "if":
		fmt.Fprintf(b, "  if (r%d %s %d) {\n", rapid.IntRange(0, *n-1).Draw(t, "local"),
			rapid.SampledFrom([]string{"==", "!=", ">", "<="}).Draw(t, "comparison"),
			rapid.IntRange(0, 1).Draw(t, "against"))
		statement(t, b, local, n)
		b.WriteString("  }\n")
	}
}

// states are the outcomes of a test, in the source's names if given; undefined is true where the model says that
// behaviour is.
func states(t *rapid.T, source, model string, names map[string]compile.Local) (all map[string]bool, undefined bool) {
	o := solver.DefaultOptions()
	o.States = 1 << 20
	r, err := engines.Run(context.Background(), solver.Task{Path: "drawn", Source: source, Model: model, Options: o})
	if err != nil || r.Status == solver.Failed {
		t.Fatalf("%s: %v %s\n%s", model, err, r.Error, source)
	}
	if r.Status == solver.Unknown {
		// a loop of the compiled test exceeds the bound: the partial result counts
		t.Logf("%s: %s", model, r.Reason)
	}
	for _, f := range r.Flags {
		undefined = undefined || f.Undefined && f.Raised != nil && *f.Raised
	}
	all = map[string]bool{}
	for _, s := range r.States {
		state := map[string]string{}
		for _, b := range s {
			name, value := b.Name, b.Value
			if l, ok := names[name]; ok {
				name, value = l.Name, l.Value(value)
			}
			state[name] = value
		}
		var words []string
		for _, name := range slices.Sorted(maps.Keys(state)) {
			words = append(words, name+"="+state[name])
		}
		all[strings.Join(words, " ")] = true
	}
	return all, undefined
}

// mapped is a program with the strongest orders for which an architecture has a mapping.
func mapped(a compile.Architecture, source string) string {
	if !a.Partial {
		return source
	}
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		line = strings.ReplaceAll(line, "seq_cst, memory_order", "acq_rel, memory_order")
		strongest := "acq_rel"
		switch {
		case strings.Contains(line, "atomic_load"), strings.Contains(line, "compare"):
			strongest = "acquire"
		case strings.Contains(line, "atomic_store"):
			strongest = "release"
		}
		lines[i] = strings.ReplaceAll(line, "seq_cst", strongest)
	}
	return strings.Join(lines, "\n")
}

var models = map[string]string{
	"X86_64": "tso", "PPC": "power", "ARM": "arm", "AArch64": "aarch64", "RISCV": "riscv", "PTX": "ptx",
	"VULKAN": "vulkan",
}

// Every mapping is sound: whatever the architecture's model allows of the compiled test, RC11 allows of the source,
// unless that is undefined. Compilers, and the tables, let a relaxed load come after a later store: for such a mapping,
// the test compares with RC11 without its axiom against that.
func TestSound(t *testing.T) {
	for _, a := range compile.Architectures() {
		t.Run(a.Arch, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				variant := rapid.SampledFrom(a.Choices()).Draw(t, "variant")
				if variant == "c20" {
					t.Skip("rc11 has the release sequences of C11")
				}
				checkSound(t, a.Arch, variant, mapped(a, program(t, narrow(a.Arch, variant)...)))
			})
		})
	}
}

// So is it where accesses of one object are of several widths. The mapping to Power has none; and what Armv7's model
// says of them, as an experiment, is that an access may read its bytes one by one.
func TestSoundOfSeveralWidths(t *testing.T) {
	for _, a := range compile.Machines() {
		t.Run(a.Arch, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				variant := rapid.SampledFrom(a.Choices()).Draw(t, "variant")
				if narrow(a.Arch, variant) == nil {
					t.Skip("no instruction updates a byte")
				}
				source := cprogtest.DrawTwins(t, true).Test
				switch a.Arch {
				case "PPC":
					refusedForPower(t, variant, source)
				case "ARM": // which has no long of 64 bits
					compiled(t, a.Arch, variant, strings.ReplaceAll(source, "long", "int"))
				default:
					checkSound(t, a.Arch, variant, source)
				}
			})
		})
	}
}

func refusedForPower(t *rapid.T, variant, source string) {
	test, err := litmus.Parse("drawn", source)
	if err != nil {
		t.Fatal(err)
	}
	p, err := dialect.Lower(test)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = compile.Compile(test, "ppc", variant); p.Split &&
		(err == nil || !strings.Contains(err.Error(), "cannot compile accesses of mixed size to PPC")) {
		t.Fatalf("%v\n%s", err, source)
	}
}

func checkSound(t *rapid.T, arch, variant, source string) {
	made := compiled(t, arch, variant, source)
	language := "rc11~no-thin-air"
	if arch == "X86_64" || strings.Contains(variant, "ctrl") {
		language = "rc11"
	}
	allowed, undefined := states(t, source, language, nil)
	if undefined {
		return
	}
	seen, _ := states(t, made.Text, models[arch], made.Names)
	for s := range seen {
		if !allowed[s] {
			t.Fatalf("%s allows %s, %s does not\n%s\n%s", models[arch], s, language, source, made.Text)
		}
	}
}

func compiled(t *rapid.T, arch, variant, source string) *compile.Test {
	test, err := litmus.Parse("drawn", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	made, err := compile.Compile(test, strings.ToLower(arch), variant)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return made
}

// Compiled tests compute what the source does: run in turn, they end alike, but that a weak
// compare-exchange may fail where an instruction does not.
func TestSame(t *testing.T) {
	for _, a := range compile.Architectures() {
		t.Run(a.Arch, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				variant := rapid.SampledFrom(a.Choices()).Draw(t, "variant")
				source := mapped(a, strings.ReplaceAll(program(t, narrow(a.Arch, variant)...), "_weak", "_strong"))
				made := compiled(t, a.Arch, variant, source)
				want, _ := states(t, source, "sc", nil)
				got, _ := states(t, made.Text, "sc", made.Names)
				if !maps.Equal(want, got) {
					t.Fatalf("%s: got %v, want %v\n%s\n%s", variant, slices.Sorted(maps.Keys(got)),
						slices.Sorted(maps.Keys(want)), source, made.Text)
				}
			})
		})
	}
}

// The same for fixed tests, with pointers, arrays and numbers of all widths.
func TestSameAsWritten(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/compile.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if !strings.HasSuffix(f.Name, ".litmus") {
			continue
		}
		test, err := litmus.Parse(f.Name, string(f.Data))
		if err != nil {
			t.Fatal(err)
		}
		if test.Arch == "OPENCL" {
			continue // sc knows no control barriers
		}
		want := run(t, test.Source, "sc")
		if want.Observation == solver.Never {
			t.Errorf("%s asks for nothing that happens", f.Name)
		}
		for _, a := range compile.Architectures() {
			made, err := compile.Compile(test, a.Names[0], "")
			if err != nil {
				continue // refused, as compile.txtar has it
			}
			got := run(t, made.Text, "sc")
			if *want.ConditionHolds != *got.ConditionHolds || want.Observation != got.Observation {
				t.Errorf("%s: got %s, want %s\n%s", f.Name, got.Observation, want.Observation, made.Text)
			}
		}
	}
}

func run(t *testing.T, source, model string) *solver.Result {
	r, err := engines.Run(context.Background(),
		solver.Task{Path: "written", Source: source, Model: model, Options: solver.DefaultOptions()})
	if err != nil || r.Status != solver.OK {
		t.Fatalf("%v %s%s\n%s", err, r.Error, r.Reason, source)
	}
	return r
}

// On the classic tests of C11, every mapping is right, except for relaxed loads that it lets come after later stores;
// with a branch behind these it is right altogether.
func TestSoundOnClassics(t *testing.T) {
	var tests []catalogue.Entry
	for _, e := range catalogue.All() {
		if dialect.Tongue(e.Source) == "C" && !strings.Contains(e.Source, "mtx_") {
			tests = append(tests, e)
		}
	}
	if len(tests) < 10 {
		t.Fatalf("there are %d classic tests of C11", len(tests))
	}
	for _, a := range compile.Architectures() {
		for _, variant := range a.Choices() {
			t.Run(strings.TrimSuffix(a.Names[0]+" "+variant, " "), func(t *testing.T) {
				t.Parallel()
				for _, e := range tests {
					test, err := litmus.Parse(e.Name, e.Source)
					if err != nil {
						t.Fatal(err)
					}
					made, err := compile.Compile(test, a.Names[0], variant)
					if err != nil {
						if !(a.Scoped && strings.Contains(err.Error(), "have no addresses in registers")) &&
							!(a.Partial && strings.Contains(err.Error(), "cannot compile a seq_cst operation")) {
							t.Errorf("%v", err)
						}
						continue
					}
					checked, err := mappingcheck.Check(context.Background(), engines.Local{}, mappingcheck.Question{
						Source:   solver.Task{Path: e.Name, Source: e.Source, Options: solver.DefaultOptions()},
						Compiled: made,
					})
					loads := checked.Verdict == mappingcheck.Wrong && checked.Axiom == "no-thin-air" &&
						a.Arch != "X86_64" && !strings.Contains(variant, compile.Branches)
					sequence := e.Name == "relseq" && variant == "c20" // which C++20 allows
					known := loads || sequence || checked.OutOfThinAir
					if err != nil || checked.Verdict != mappingcheck.Right &&
						checked.Verdict != mappingcheck.Undefined && !known {
						t.Errorf("%s: %v %s\n%s", e.Name, err, checked.Text(), made.Text)
					}
				}
			})
		}
	}
}
