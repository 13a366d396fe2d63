package browser

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

const brokenBox = `#include <atomic>
#include <cassert>
#include <thread>

struct Box {
  std::atomic<int> head{0};
  std::atomic<int> value{0};
  void push(int n) {
    value.store(n, std::memory_order_relaxed);
    head.store(1, std::memory_order_relaxed);
  }
  int pop() {
    if (this->head.load(std::memory_order_relaxed) == 0)
      return 7;
    return value.load(std::memory_order_relaxed);
  }
};

Box box;

int main() {
  std::thread a([] { box.push(7); });
  std::thread b([] {
    int got = box.pop();
    assert(got == 7);
  });
  a.join();
  b.join();
}
`

// cPlusPlusTab opens the page of a server that compiles C++.
func cPlusPlusTab(t *testing.T, width, height int64) *tab {
	t.Helper()
	if _, err := exec.LookPath("clang++"); err != nil {
		t.Skip("clang++ is not installed")
	}
	c := webtest.TestConfig(engines.Local{})
	c.Compilers = webtest.Compilers(t, 3*time.Minute, "clang++")
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	srv := webtest.Serve(t, h)
	return openTab(t, srv.URL, width, height)
}

// A visitor pastes a program in C++, sees where it fails in its own lines, steps through the execution, and repairs it.
func TestBrowserCPlusPlus(t *testing.T) {
	t.Parallel()
	b := cPlusPlusTab(t, 1440, 900)
	b.openProgram("/programs?program=store-buffering")
	b.setSource(brokenBox)
	b.wait(`document.querySelector(".problems")?.hidden !== false`)
	eval[any](b, `for (const e of document.querySelectorAll("input[name=model]")) e.checked = e.value === "rc11"`)
	b.click("#run")
	b.wait(`document.querySelector(".claim.unsafe [data-line]") && document.querySelector("#picture .drawing svg")`)
	b.wait(`document.querySelector(".verdicts > .facts")?.innerText === "C++, compiled with -O1"`)
	b.wait(`document.querySelector(".claim.unsafe p a")?.innerText.trim() === "line 25"`)
	b.wait(`document.querySelector(".cm-failing")?.innerText.includes("assert(got == 7)")`)

	// Steps go through the source, into the functions that the compiler has inlined.
	seen := ""
	for range 12 {
		b.key(kb.F10)
		seen += eval[string](b, `document.querySelector(".cm-values")?.closest(".cm-line")?.innerText ?? ""`) + "\n"
		if strings.Contains(seen, "value.store(n") && strings.Contains(seen, "return value.load(") {
			break
		}
	}
	if !strings.Contains(seen, "value.store(n") || !strings.Contains(seen, "return value.load(") {
		t.Errorf("the steps are at %s", seen)
	}

	b.screenshotFor("cplusplus-unsafe")
	b.click(".claim.unsafe button[name=repair][value=rc11]")
	b.wait(`document.querySelector(".mended .repairs .hint")`)
	diff := eval[string](b, `document.querySelector(".repair .diff").innerText`)
	for _, want := range []string{"head.store(1, std::memory_order_release);", "head.load(std::memory_order_acquire)"} {
		if !strings.Contains(diff, want) {
			t.Errorf("the repair is %s, want %s", diff, want)
		}
	}
	b.screenshotFor("cplusplus-repaired")
	b.click(".repair [data-take]")
	b.click("#run")
	b.wait(`document.querySelector(".claim.safe") && !document.querySelector(".claim.unsafe")`)
}

// A compiler's error is at its place in the text, and a server without the compiler says how to go on.
func TestBrowserCPlusPlusErrors(t *testing.T) {
	t.Parallel()
	b := cPlusPlusTab(t, 390, 800)
	b.openProgram("/programs?program=store-buffering")
	b.setSource("#include <atomic>\nint main() {\n  int x = \"a\";\n}\n")
	b.click("#run")
	b.wait(`document.querySelector(".problem")?.innerText.includes("cannot initialize")`)
	b.wait(`document.querySelector(".problem li").innerText.includes("line 3, column 7")`)
	b.setSource("use std::thread;\nfn main() {\n    thread::spawn(|| {}).join().unwrap();\n}\n")
	b.click("#run")
	b.wait(`document.querySelector(".problem .command")`)
	b.wait(`document.querySelector(".problem .command").innerText === "litmuscope verify program.rs"`)
	b.screenshotFor("cplusplus-no-compiler")
	if wide := eval[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page is wider than the phone")
	}
}
