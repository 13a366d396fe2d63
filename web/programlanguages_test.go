package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/recognise"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

const messagePassing = `#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> flag, data;
int main() {
  std::thread t([] { data.store(1, std::memory_order_relaxed); flag.store(1, ORDER); });
  if (flag.load(std::memory_order_acquire)) assert(data.load(std::memory_order_relaxed));
  t.join();
}
`

const rustMessagePassing = `use std::sync::atomic::{AtomicI32, Ordering};
static FLAG: AtomicI32 = AtomicI32::new(0);
static DATA: AtomicI32 = AtomicI32::new(0);
fn main() {
    let t = std::thread::spawn(|| {
        DATA.store(1, Ordering::Relaxed);
        FLAG.store(1, Ordering::Relaxed);
    });
    if FLAG.load(Ordering::Acquire) == 1 {
        assert!(DATA.load(Ordering::Relaxed) == 1);
    }
    t.join().unwrap();
}
`

func compilingHandler(t *testing.T, limit time.Duration, commands ...string) http.Handler {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			t.Skip(c + " is not installed")
		}
	}
	c := webtest.TestConfig(engines.Local{})
	c.Compilers = webtest.Compilers(t, limit, commands...)
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A server with clang++ verifies and repairs programs in C++ by their text, with macros and levels of optimisation.
// Answers have the places of the program's own files, and a repaired program is safe when it is verified.
func TestCPlusPlusByREST(t *testing.T) {
	h := compilingHandler(t, 3*time.Minute, "clang++")
	ask := func(body map[string]any) solver.Verification {
		t.Helper()
		body["models"] = []string{"rc11"}
		var out struct{ Results []solver.Verification }
		w := restJSON(h, "/api/v1/verify", body)
		if err := json.Unmarshal(w, &out); err != nil || len(out.Results) != 1 {
			t.Fatalf("got %s", w)
		}
		return out.Results[0]
	}
	for _, level := range []string{"O1", "O2"} {
		v := ask(map[string]any{
			"source": messagePassing, "level": level, "defines": []string{"ORDER=std::memory_order_relaxed"},
		})
		if v.Verdict != solver.Unsafe || v.Failure.File != "main.cpp" || v.Failure.Line != 7 || v.Failure.Column == 0 {
			t.Errorf("level %q: got %+v", level, v)
		}
	}
	fixed := ask(map[string]any{
		"files":    []solver.SourceFile{{Name: "mp.cpp", Text: "#include \"order.h\"\n" + messagePassing}},
		"include":  map[string]string{"order.h": "#define ORDER std::memory_order_release\n"},
		"compiler": "clang++",
	})
	if fixed.Verdict != solver.Safe || fixed.Path != "mp.cpp" {
		t.Errorf("got %+v", fixed)
	}
	relaxed := strings.Replace(messagePassing, "ORDER", "std::memory_order_relaxed", 1)
	reply := string(restJSON(h, "/api/v1/repair/program", map[string]any{
		"source": relaxed, "models": []string{"rc11"},
	}))
	if !strings.Contains(reply, `flag.store(1, std::memory_order_release)`) || strings.Contains(reply, "left out") {
		t.Errorf("got %s", reply)
	}
}

func TestRustByREST(t *testing.T) {
	if testing.Short() {
		t.Skip("rustc compiles all of std")
	}
	h := compilingHandler(t, 3*time.Minute, "rustc")
	w := string(restJSON(h, "/api/v1/verify", map[string]any{
		"source": rustMessagePassing, "models": []string{"rc11"},
	}))
	if !strings.Contains(w, `"verdict":"unsafe"`) || !strings.Contains(w, `"file":"main.rs","line":10`) {
		t.Errorf("got %s", w)
	}
}

// Programs that attack the compiler or have errors are refused by name, at their places.
func TestHostilePrograms(t *testing.T) {
	h := compilingHandler(t, 20*time.Second, "clang++", "rustc")
	const head = "#include <atomic>\n"
	for _, test := range []struct{ language, source, want string }{
		{
			"c++", "#include \"/etc/passwd\"\nint main() {}\n",
			"main.cpp:1:10: cannot open file '/etc/passwd': Permission denied",
		},
		{"c++", "#include </dev/zero>\nint main() {}\n", "main.cpp:1:10: "},
		{"c++", "asm(\".incbin \\\"/etc/passwd\\\"\");\nint main() {}\n", "assembly outside of functions"},
		{"c++", "int main() {\n  int x = \"a\";\n}\n", "main.cpp:2:7: cannot initialize"},
		{
			"c++",
			"template <int N> struct F { static const long v = F<N - 1>::v + 1; };\nlong x = F<1>::v;\n" +
				"int main() {}\n",
			"main.cpp:1:51: recursive template instantiation exceeded maximum depth",
		},
		{
			"rust", "fn main() {\n    let x = include_str!(\"/etc/passwd\");\n}\n",
			"main.rs:2:13: couldn't read `/etc/passwd`: Permission denied",
		},
		{"rust", "fn main() {\n    let x: i32 = \"a\";\n}\n", "main.rs:2:18: mismatched types"},
		{"rust", "macro_rules! f { ($($x:tt)*) => { f!($($x)* $($x)*) } }\nfn main() { f!(a); }\n", "reached"},
		{"llvm-ir", "define i32 @main() {\n  ret i32", "main.ll:2:"},
		{"llvm-ir", "BC\xc0\xde\x35\x14", "main.ll:1:"},
	} {
		w := string(restJSON(h, "/api/v1/verify", map[string]any{
			"source": test.source, "language": test.language, "models": []string{"rc11"},
		}))
		if !strings.Contains(w, test.want) || !strings.Contains(w, `"status":422`) || strings.Contains(w, "root:") {
			t.Errorf("%s %q: got %.600s, want %s", test.language, test.source, w, test.want)
		}
	}
	w := string(restJSON(h, "/api/v1/verify", map[string]any{
		"source": head + "int main() {}\n", "language": "c++", "compiler": "clang++-99",
	}))
	if !strings.Contains(w, `does not offer the compiler \"clang++-99\" for C++: want one of \"clang++\"`) {
		t.Errorf("got %s", w)
	}
}

// A server without compilers says how to make a module, shows programs with their known verdicts, and accepts modules.
func TestLanguagesWithoutCompilers(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := post(h, "/programs", url.Values{"source": {messagePassing}, "model": {"rc11"}}, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body, in(".problem strong", hasText("^This server does not compile C")),
		in(".problem .command", hasText(`^clang\+\+ .*-S -emit-llvm .*program\.cpp$`)))
	w = post(h, "/programs", url.Values{"source": {rustMessagePassing}, "model": {"rc11"}}, false)
	checkHTML(t, w.Body, in(".problem .command", hasText(`^litmuscope verify program\.rs$`)))
	checkHTML(t, get(h, "/programs?program=cpp/seqlock").Body,
		in("#note", hasText(`Known verdicts: safe under SC, TSO; unsafe under RC11, `)))
	module := "define i32 @main() {\n  ret i32 0\n}\n"
	w = post(h, "/programs", url.Values{"source": {module}, "model": {"rc11"}, "option-language": {"llvm-ir"}}, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in(".claim.safe"))
	w = post(h, "/programs", url.Values{"source": {module}, "option-language": {"cobol"}}, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
}

// The page recognises the language of every program of the catalogue, so that visitors need not choose one.
func TestLanguagesOfTheCatalogue(t *testing.T) {
	check := func(name, source string, want recognise.Kind) {
		if r, ok := recognise.Of(source); !ok || r.Kind != want {
			t.Errorf("%s is taken for %q, want %q", name, r.Kind, want)
		}
	}
	for _, b := range catalogue.CPlusPlus() {
		check(b.File, b.Source, recognise.CPP)
	}
	for _, b := range catalogue.Rust() {
		check(b.File, b.Source, recognise.Rust)
	}
	for _, p := range catalogue.Programs() {
		if r, ok := recognise.Of(p.Source); ok && (r.Kind == recognise.CPP || r.Kind == recognise.Rust) {
			t.Errorf("%s in C is taken for %q", p.Name, r.Kind)
		}
	}
}

func restJSON(h http.Handler, path string, body any) []byte {
	return postJSON(h, path, body).Body.Bytes()
}
