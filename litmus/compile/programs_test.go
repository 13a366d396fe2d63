package compile_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/compile"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// critical draws a test of two threads that access two locations the one way and the other, each access of any kind:
// the code between and on the two decides which outcomes are possible.
func critical(t *rapid.T) string {
	var b, locals strings.Builder
	b.WriteString("C drawn\n{}\n")
	for id := range 2 {
		fmt.Fprintf(&b, "P%d (atomic_int* x, atomic_int* y, int* d) {\n", id)
		n := 0
		local := func() string {
			n++
			fmt.Fprintf(&locals, " %d:r%d;", id, n-1)
			return fmt.Sprintf("r%d", n-1)
		}
		for i := range 2 {
			loc := []string{"x", "y"}[i^id]
			value := "1"
			if n > 0 && rapid.Bool().Draw(t, "dependent") {
				value = "r0"
			}
			switch kind := rapid.SampledFrom([]string{"load", "store", "fetch_add", "exchange", "strong", "weak"}).Draw(
				t, "kind"); kind {
			case "load":
				o := order(t, loads...)
				fmt.Fprintf(&b, "  int %s = atomic_load_explicit(%s, %s);\n", local(), loc, o)
			case "store":
				fmt.Fprintf(&b, "  atomic_store_explicit(%s, %s, %s);\n", loc, value, order(t, stores...))
			case "fetch_add", "exchange":
				o := order(t, updates...)
				fmt.Fprintf(&b, "  int %s = atomic_%s_explicit(%s, %s, %s);\n", local(), kind, loc, value, o)
			default:
				o, failed, expected := order(t, updates...), order(t, loads...), local()
				fmt.Fprintf(&b, "  int %s = %d;\n", expected, rapid.IntRange(0, 1).Draw(t, "expected"))
				fmt.Fprintf(&b, "  int %s = atomic_compare_exchange_%s_explicit(%s, &%s, 2, %s, %s);\n", local(), kind,
					loc, expected, o, failed)
			}
			if i == 0 {
				switch rapid.IntRange(0, 5).Draw(t, "between") {
				case 0:
					fmt.Fprintf(&b, "  atomic_thread_fence(%s);\n", order(t, updates...))
				case 1:
					if n > 0 {
						fmt.Fprintf(&b, "  if (r%d == 0) {\n  *d = 1;\n  }\n", n-1)
					}
				}
			}
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "locations [x; y; d;%s]\nexists (x=99)\n", locals.String())
	return b.String()
}

var (
	threadHead = regexp.MustCompile(`(?m)^P(\d) \(.*\) \{$`)
	localHead  = regexp.MustCompile(`\bint (r\d+) =`)
	observed   = regexp.MustCompile(`(\d):(r\d+)`)
)

// wholeProgram turns a drawn test into a program that asserts a condition in the end. At the end of their thread, it
// copies locals to variables that main reads.
func wholeProgram(source, condition string) string {
	body := source[strings.Index(source, "P0"):strings.Index(source, "locations")]
	var globals []string
	copies := map[string]string{}
	for _, m := range observed.FindAllStringSubmatch(source, -1) {
		global := "out" + m[1] + m[2]
		globals = append(globals, global)
		copies[m[1]] += fmt.Sprintf("  %s = %s;\n", global, m[2])
	}
	var b strings.Builder
	b.WriteString("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int X, Y;\nint D;\n")
	if len(globals) > 0 {
		fmt.Fprintf(&b, "int %s;\n", strings.Join(globals, ", "))
	}
	threads := strings.Split(strings.TrimSpace(body), "\n}\n")
	for _, th := range threads {
		th = strings.TrimSuffix(th, "\n}") + "\n"
		id := threadHead.FindStringSubmatch(th)[1]
		var locals []string
		for _, m := range observed.FindAllStringSubmatch(source, -1) {
			if m[1] == id {
				locals = append(locals, m[2]+" = 0")
			}
		}
		declared := ""
		if len(locals) > 0 {
			declared = "  int " + strings.Join(locals, ", ") + ";\n"
		}
		head := "void *P" + id + "(void *arg) {\n  atomic_int *x = &X, *y = &Y; int *d = &D;\n" + declared
		th = threadHead.ReplaceAllLiteralString(localHead.ReplaceAllString(th, "$1 ="), strings.TrimSuffix(head, "\n"))
		b.WriteString(th + copies[id] + "  return 0;\n}\n")
	}
	b.WriteString("int main(void) {\n  pthread_t t[3];\n")
	for i := range threads {
		fmt.Fprintf(&b, "  pthread_create(&t[%d], 0, P%d, 0);\n", i, i)
	}
	for i := range threads {
		fmt.Fprintf(&b, "  pthread_join(t[%d], 0);\n", i)
	}
	fmt.Fprintf(&b, "  assert(%s);\n}\n", condition)
	return b.String()
}

// asCondition is a state in C.
func asCondition(state string) string {
	var out []string
	for _, word := range strings.Fields(state) {
		name, value, _ := strings.Cut(word, "=")
		if th, local, ok := strings.Cut(name, ":"); ok {
			name = "out" + th + local
		} else {
			name = strings.ToUpper(name)
		}
		out = append(out, name+" == "+value)
	}
	return "(" + strings.Join(out, " && ") + ")"
}

// A compiled test and the same test verified as a program on the target can end in the same states: exactly those that
// the architecture's model allows of the compiled test.
func TestProgramsAreCompiledAlike(t *testing.T) {
	irtest.AtMost(t, 40)
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(compile.Machines()).Draw(t, "architecture")
		checkAlike(t, a.Arch, rapid.SampledFrom(a.Choices()).Draw(t, "variant"),
			rapid.SampledFrom([]func(*rapid.T) string{func(t *rapid.T) string { return program(t) }, critical}).Draw(t,
				"generator")(t))
	})
}

func checkAlike(t *rapid.T, arch, variant, source string) {
	made := compiled(t, arch, variant, source)
	allowed, _ := states(t, made.Text, models[arch], made.Names)
	if len(allowed) == 0 {
		t.Fatalf("no state\n%s", made.Text)
	}
	all := slices.Sorted(maps.Keys(allowed))
	one := rapid.SampledFrom(all).Draw(t, "state")
	var any []string
	for _, s := range all {
		any = append(any, asCondition(s))
	}
	o := solver.DefaultOptions()
	o.Timeout = 0
	target := strings.ToLower(arch) + ":" + variant
	for condition, want := range map[string]solver.Verdict{
		strings.Join(any, " || "): solver.Safe,
		"!" + asCondition(one):    solver.Unsafe,
	} {
		text := wholeProgram(source, condition)
		v, err := engines.Run(t.Context(), solver.VerifyTask{
			Path: "drawn.c", Files: []solver.SourceFile{{Name: "drawn.c", Text: text}}, Model: models[arch],
			Target: target, Options: o,
		})
		if err != nil || v.Status != solver.OK {
			t.Fatalf("%v %s%s\n%s", err, v.Error, v.Reason, text)
		}
		if v.Verdict != want {
			t.Fatalf("%s: %s, want %s of %s\n%s\n%s", target, v.Verdict, want, condition, source, made.Text)
		}
	}
}
