package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The library opens with the classic tests, those for the architecture at hand first, and the visitor's own at the end;
// the name of the test in the editor stands beside its button. A search finds programs, bugs and lessons, too.
func TestBrowserLibrary(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=AArch64%2FSB")
	b.setSource("AArch64 mine\n{ 0:X1=x; }\n P0          ;\n MOV W0,#1   ;\n STR W0,[X1] ;\nexists (x=1)\n")
	b.wait(`document.getElementById("pick-name").innerText === "mine"`)
	b.open("/?test=AArch64%2FMP")
	b.wantText("#pick", "Library")
	b.wantText("#pick-name", "MP")
	heads := func(want string) {
		t.Helper()
		b.wait(`[...document.querySelectorAll("#picker h2")].map((e) => e.innerText).join("; ").startsWith(` + quote(want) + `)`)
	}
	b.click("#pick")
	heads("AArch64 (64-bit Arm); x86 (32-bit); x86-64; Power; ARM (32-bit Arm); RISC-V;")
	if got := eval[string](b, `[...document.querySelectorAll("#picker h2")].at(-1).innerText`); got != "Your own" {
		t.Errorf("the list ends with %q, want the visitor's own", got)
	}
	b.wantWithin("#picker-count", "classic tests, and 1 of your own at the end")
	for query, want := range map[string]string{
		"c mp": "C; Power", "arm": "AArch64 (64-bit Arm); ARM (32-bit Arm)", "lkmm": "C; LISA (bell models); Lessons",
		"memory_order_relaxed": "C; OpenCL (GPUs); Programs; Bugs; Lessons",
	} {
		eval[chromedp.Void](b, `(() => { const f = document.querySelector("#picker input"); f.value = `+quote(query)+
			`; f.dispatchEvent(new Event("input", { bubbles: true })); })()`)
		heads(want)
	}
	eval[chromedp.Void](b, `(() => { const f = document.querySelector("#picker input"); f.value = "double checked locking"; f.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	heads("AArch64 (64-bit Arm); x86 (32-bit)")
	b.click(`#picker a[href="/learn/message-passing"]`)
	b.wait(`location.pathname === "/learn/message-passing"`)
}

// The catalogue searches as the library does, and its heads are names that people read.
func TestBrowserCatalogueSearch(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	const groups = `[...document.querySelectorAll("#found th.arch")].map((e) => e.innerText).join("; ")`
	for query, want := range map[string]string{
		"c+mp": "C; Power", "arm": "AArch64 (64-bit Arm)", "lkmm": "C", "memory_order_relaxed": "C",
		"double+checked+locking": "x86 (32-bit)",
	} {
		b.visit(b.url + "/catalogue?q=" + query)
		if got := eval[string](b, groups); !strings.HasPrefix(got, want) {
			t.Errorf("%s finds tests for %s, want %s first", query, got, want)
		}
	}
	b.visit(b.url + "/catalogue?q=double+checked+locking")
	if got := eval[string](b, `[...document.querySelectorAll("#found .also")].map((e) => e.innerText).join("; ")`); !strings.Contains(
		got, "Message passing") {
		t.Errorf("besides tests, it finds %q", got)
	}
	if got := eval[string](b,
		`[...document.querySelectorAll("#found table:first-of-type th.model")].map((e) => e.innerText).join(" ")`); !strings.HasPrefix(
		got, "TSO RISC-V AArch64") {
		t.Errorf("the columns are %q", got)
	}
	if got := eval[string](b, `document.querySelector(".cell b").innerText`); got != "Store buffering" {
		t.Errorf("the first shape is called %q", got)
	}
}
