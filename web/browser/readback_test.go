package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

const storeBuffering = `C SB
{}
P0 (atomic_int* x, atomic_int* y) {
  atomic_store(x, 1);
  int r0 = atomic_load(y);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store(y, 1);
  int r0 = atomic_load(x);
}
exists (0:r0=0 /\ 1:r0=0)
`

// A compiler of the server compiles the test at a press, and its instructions have the colours of their lines.
func TestBrowserCompilesByACompiler(t *testing.T) {
	t.Parallel()
	c := webtest.TestConfig(engines.Local{})
	c.Compilers = webtest.Compilers(t, time.Minute, "gcc -O2")
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 1440, 900)
	b.open("/?test=SB")
	b.asks(storeBuffering, "rc11")
	b.wait(`document.querySelector("#result .compile") && document.querySelector("#picture .drawing svg")`)
	b.click(".compile summary")
	b.click(`.compile button[value="compiler gcc -O2"]`)
	b.wait(`document.querySelector(".made:not([aria-busy]) .mapping.right")`)
	b.wait(`[...document.styleSheets].some((s) => s.href?.includes("compile"))`)
	title := eval[string](b, `document.querySelector(".made h3").textContent`)
	if title != "Compiled by gcc -O2 to x86, 64 bits" {
		t.Errorf("the title is %q", title)
	}
	const lit = `[...document.querySelectorAll(".tied .lit")].map((e) => e.innerText.replace(/\s+/g, " ").trim()).join("|")`
	b.hoverUntil(".tied .thread li[data-of='5']", lit+`.startsWith("5 int r0 = atomic_load(y);|5 movl (y),%eax")`)
	b.addressHas(`"compiled":"compiler gcc -O2"`)
	link := eval[string](b, "location.href")
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	b.wait(`document.querySelector(".made:not([aria-busy]) h3")?.textContent.startsWith("Compiled by gcc -O2")`)
	b.click(".made a.button")
	b.wait(
		`document.querySelector("#result .outcomes h2 .name")?.textContent === "SB" && document.querySelector("#result thead [data-column=tso]")`,
	)
}

// A pasted listing that has lost its fences is shown as wrong, with the outcome; an instruction that the page cannot
// read is selected in the listing.
func TestBrowserReadsAPastedListing(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.open("/?test=SB")
	b.asks(storeBuffering, "rc11")
	b.wait(`document.querySelector("#result .compile") && document.querySelector("#picture .drawing svg")`)
	b.click(".compile summary")
	b.click(`.compile button[value="listing"]`)
	b.wait(`document.querySelector(".made:not([aria-busy]) textarea[name=listing]")`)
	text := eval[string](b, `document.querySelector(".made pre").textContent`)
	if !strings.Contains(text, "atomic_store(&x, 1)") {
		t.Errorf("the C file is %s", text)
	}
	paste := func(fence string) {
		t.Helper()
		thread := func(p, store, load string, first, second string) string {
			return p + ":\n\t.loc 1 " + first + " 3\n\tmovl $1, " + store + "(%rip)\n" + fence + "\t.loc 1 " + second +
				" 8\n\tmovl " + load + "(%rip), %eax\n\tmovl %eax, " + p + "_r0(%rip)\n\tret\n"
		}
		listing := thread("P0", "x", "y", "4", "5") + thread("P1", "y", "x", "8", "9")
		eval[bool](
			b,
			`(document.querySelector(".made [name=listing]").value = `+quote(
				listing,
			)+`, document.querySelector(".made [name=of]").value = "x86", true)`,
		)
		eval[chromedp.Void](b, `document.querySelector(".made button[value=listing]").click()`)
		b.wait(`document.querySelector(".made:not([aria-busy])")`)
	}
	paste("\tfrob %eax\n")
	b.wait(`document.querySelector(".made .problem a")`)
	b.click(".made .problem a")
	b.wait(
		`(() => { const t = document.activeElement; return t.name === "listing" && t.value.slice(t.selectionStart, t.selectionEnd) === "frob %eax"; })()`,
	)
	paste("")
	b.wait(
		`document.querySelector(".made .more.wrong li")?.innerText === "0:r0=0; 1:r0=0 allowed by TSO, forbidden by RC11"`,
	)
	if n := eval[int](b, `document.querySelectorAll(".made .tied .thread li[data-of]").length`); n != 4 {
		t.Errorf("%d runs of instructions have a line of C, want 4", n)
	}
	eval[chromedp.Void](b, `document.querySelector(".made details.listed").open = true`)
	paste("\tmfence\n")
	b.wait(`document.querySelector(".made .mapping.right")`)
	b.do(chromedp.EmulateViewport(390, 844))
	b.wait(`document.documentElement.scrollWidth <= 390`)
}
