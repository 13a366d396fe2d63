package edits

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/c/llvm/frontend"
)

// Calls are read with their orders, in C++ and in Rust; operators and other forms are not calls.
func TestCallAt(t *testing.T) {
	for text, want := range map[string]string{
		"store(1, std::memory_order_relaxed);":       "store 2 [relaxed]",
		"store(f(1, 2), std::memory_order::release)": "store 2 [release]",
		"load()": "load 0 []",
		"std::atomic_thread_fence(std::memory_order_seq_cst)":         "atomic_thread_fence 1 [seq_cst]",
		"store(\"a, memory_order_relaxed)\" /* , ) */, order)":        "store 2 []",
		"compare_exchange(0, 1, Ordering::AcqRel, Ordering::Relaxed)": "compare_exchange 4 [acq_rel relaxed]",
		"store(1, Release)":                       "store 2 [release]",
		"store(1, relaxed)":                       "store 2 []",
		"fetch_add<int>(1, memory_order_acq_rel)": "fetch_add 2 [acq_rel]",
		"= 1;":   "false",
		"x = 1;": "false",
		"load(":  "false",
	} {
		got, ok := callAt(text, 0)
		var words []string
		for _, w := range got.orders {
			words = append(words, strings.TrimPrefix(w.order.String(), "memory_order_"))
		}
		said := fmt.Sprintf("%s %d %v", got.name, got.args, words)
		if !ok {
			said = "false"
		}
		if said != want {
			t.Errorf("%s: got %s, want %s", text, said, want)
		}
	}
}

// A fence can stand before a simple statement, and not where it would run at another time than the access.
func TestStatement(t *testing.T) {
	for text, want := range map[string]string{
		"int a;\n  x.@store(1);":                 "x.",
		"{ y = 1; x.@store(1); }":                "x.",
		"if (x.@load() == 1) {":                  "if (x.",
		"{\n  // a; b {\n  r = x.@load();":       "r = x.",
		"#include <x>\nint r = x.@load();":       "int r = x.",
		"while (x.@load()) {}":                   "",
		"for (int i = 0; i < x.@load(); i++) {}": "",
		"else x.@store(1);":                      "",
		"case 1: x.@store(1);":                   "",
		"f(g(x.@load()));":                       "",
		"std::thread t([] { x.@store(1); });":    "x.",
	} {
		at := strings.IndexByte(text, '@')
		from, ok := statement(strings.Replace(text, "@", "", 1), at)
		got := ""
		if ok {
			got = text[from:at]
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

const program = `#include <atomic>
#include <thread>
std::atomic<int> x, y;
template <class T> void put(T &at, int n) {
  at.store(n, std::memory_order_relaxed);
}
constexpr auto named = std::memory_order_relaxed;
int main() {
  std::thread t([] { put(x, 1); put(y, 2); });
  int old = x.fetch_add(1, std::memory_order_acq_rel);
  while (!y.compare_exchange_weak(old, 3, std::memory_order_acquire, std::memory_order_relaxed)) {}
  std::atomic_thread_fence(std::memory_order_release);
  y.store(1, named);
  x = 2;
  int r = y.load();
  t.join();
  return r;
}
`

// All instructions of a call, wherever it was inlined, are one place. A change of the place gives a source and a module
// that agree: the changed source, compiled, has the changed orders.
func TestRead(t *testing.T) {
	if _, err := exec.LookPath(frontend.Compiler); err != nil {
		t.Skip("clang++ is not installed")
	}
	t.Chdir(t.TempDir())
	compile := func(text string) string {
		if err := os.WriteFile("program.cpp", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		module, err := frontend.Compile(t.Context(), "program.cpp", nil)
		if err != nil {
			t.Fatal(err)
		}
		return module
	}
	module := compile(program)
	text, err := Read("program.cpp.ll", module, map[string]string{"program.cpp": program}, Options{Fences: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	is := text.Orders()
	for n, p := range text.Places {
		kind := p.Does[0]
		if text.IsNew(n) {
			kind = "new fence"
		}
		got = append(got, fmt.Sprintf("%d:%d %s %s %s", p.Line, p.Column, p.Operation, kind, p.Was))
		switch {
		case p.Line == 5 && !text.IsNew(n):
			is[n] = c.Release
		case p.Line == 5:
			is[n] = c.SeqCst
		case p.Operation == "fetch_add", p.Line == 12, p.Line == 15 && !text.IsNew(n):
			is[n] = c.Relaxed
		case p.Failure:
			is[n] = c.Acquire
		}
	}
	want := `5:6 store store memory_order_relaxed
5:3 atomic_thread_fence new fence memory_order_relaxed
10:15 fetch_add update memory_order_acq_rel
10:3 atomic_thread_fence new fence memory_order_relaxed
11:13 compare_exchange_weak update memory_order_acquire
11:13 compare_exchange_weak update memory_order_relaxed
12:3 atomic_thread_fence fence memory_order_release
13:3 atomic_thread_fence new fence memory_order_relaxed
14:3 atomic_thread_fence new fence memory_order_relaxed
15:13 load load memory_order_seq_cst
15:3 atomic_thread_fence new fence memory_order_relaxed`
	if all := strings.Join(got, "\n"); all != want {
		t.Errorf("got\n%s\nwant\n%s", all, want)
	}
	var left []string
	for _, l := range text.Left {
		left = append(left, fmt.Sprintf("%d %s", l.At.Line, l.Why))
	}
	if all := strings.Join(left, "\n"); !strings.Contains(all, "13 its order is not written at the call") ||
		!strings.Contains(all, "14 an operator of an atomic object") {
		t.Errorf("left: %s", all)
	}

	changed := text.With(is)
	source := changed["program.cpp"]
	for _, want := range []string{
		"  std::atomic_thread_fence(std::memory_order_seq_cst);\n  at.store(n, std::memory_order_release);",
		"fetch_add(1, std::memory_order_relaxed)", "_acquire, std::memory_order_acquire)) {}\n  y.store",
		"y.load(std::memory_order_relaxed)",
	} {
		if !strings.Contains(source, want) {
			t.Errorf("the source is\n%s\nwant %s", source, want)
		}
	}
	if a, b := ordersOf(t, changed["program.cpp.ll"]), ordersOf(t, compile(source)); a != b {
		t.Errorf("the changed module has %s, and the changed source %s", a, b)
	}
	if same := text.With(text.Orders()); len(same) > 0 {
		t.Errorf("without changes, files change: %v", same)
	}
}

// ordersOf lists the atomic instructions of the program's own functions.
func ordersOf(t *testing.T, module string) string {
	t.Helper()
	m, err := assembly.Parse("m.ll", module)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range m.Functions {
		for _, b := range f.Blocks {
			for _, i := range b.Instructions {
				if kindOf(i) != "" {
					out = append(out, i.Op+" "+i.Order+" "+i.Failed)
				}
			}
		}
	}
	return strings.Join(out, ", ")
}

// A module without sources has no places, and one that is cut off is refused.
func TestReadRefuses(t *testing.T) {
	const module = "define i32 @main() {\n  fence seq_cst\n  ret i32 0\n}\n"
	text, err := Read("a.ll", module, nil, Options{Fences: true})
	if err != nil || len(text.Places) > 0 {
		t.Errorf("got %v, %v", text, err)
	}
	if _, err := Read("a.ll", module[:30], nil, Options{}); err == nil {
		t.Error("a module that is cut off is read")
	}
}
