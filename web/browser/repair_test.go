package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// An outcome that is allowed can be asked about: what would forbid it? The answer is a diff, which goes into the
// editor.
func TestBrowserRepairs(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.wait(`document.querySelector(".picture .repairing button")`)
	b.click(".picture .repairing button")
	b.wait(`document.querySelector(".mended:not([aria-busy]) .repair")`)
	if got := eval[string](b, `document.querySelector(".repair .diff").innerText`); !strings.Contains(got,
		"+ MFENCE      | MFENCE      ;") {
		t.Errorf("the difference is\n%s", got)
	}
	if lines := eval[int](b,
		`new Set([...document.querySelectorAll(".repair .diff > *")].map((e) => e.getBoundingClientRect().top)).size`); lines != 6 {
		t.Errorf("the difference is in %d lines, want 6", lines)
	}
	if got := eval[string](b,
		`[...document.querySelectorAll(".repair > ul > li")].map((e) => e.firstChild.textContent.trim()).join("; ")`); got != "P0: MFENCE before MOV EAX,[y]; P1: MFENCE before MOV EAX,[x]" {
		t.Errorf("the changes are %s", got)
	}
	b.do(chromedp.EmulateViewport(390, 844))
	if w := eval[int](b, `document.documentElement.scrollWidth`); w > 390 {
		t.Errorf("the page is %d pixels wide", w)
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	b.click(".repair a[data-take]")
	b.wait(
		`document.querySelector(".cm-content")?.innerText.includes("MFENCE") && document.querySelector("#result:not(.waiting) .sentences") && document.querySelector(".picture h2 .v.f")`)
	if eval[string](b, `document.querySelector(".picture .repairing button").textContent`) != "Which barriers can go?" {
		t.Error("what is forbidden can be forbidden")
	}
}

// A program that fails can be asked about: what would mend it? Each change shows what fails without it, and the program
// as it is mended goes into the editor.
func TestBrowserRepairsPrograms(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openProgram("/programs")
	b.click(".claim.unsafe button[name=repair][value=tso]")
	b.wait(`document.querySelector(".mended .repairs .hint")`)
	b.wantText(".repairs h3", "Repairs under TSO")
	b.wantText(".repairs > p", "1 cheapest repair under TSO, cost 24.")
	b.wantText(".repair li > code", "seq_cst in atomic_store_explicit(&x, 1, relaxed)")
	if got := eval[string](b, `document.querySelector(".repair .diff").innerText`); !strings.Contains(got,
		"+\tatomic_store_explicit(&x, 1, memory_order_seq_cst);") {
		t.Errorf("the difference is\n%s", got)
	}
	b.click(".repair .fails button")
	b.wait(`document.querySelector(".repair .execution:not([aria-busy]) .drawing svg")`)
	if n := eval[int](b, `document.querySelectorAll("#places").length`); n != 1 {
		t.Errorf("%d pictures are tied to the text", n)
	}
	b.do(chromedp.EmulateViewport(390, 844))
	b.wait(`document.documentElement.scrollWidth <= 390`)
	b.do(chromedp.EmulateViewport(1280, 900))
	b.click(".repair .fails button")
	b.wait(`!document.querySelector(".repair .execution")`)
	b.click(".repair [data-take]")
	b.wait(
		`document.querySelector(".cm-content")?.innerText.includes("memory_order_seq_cst") && [...document.querySelectorAll("#result:not(.waiting) .claim.safe")].some((e) => e.innerText.includes("TSO"))`)
	if eval[bool](b, `!!document.querySelector("button[name=repair][value=tso]")`) {
		t.Error("what is safe can be mended")
	}
}

// A repair that takes long says how far it is, and can be cancelled, which ends it on the server.
func TestBrowserCancelsRepair(t *testing.T) {
	t.Parallel()
	slow := &webtest.SlowRepair{}
	c := webtest.TestConfig(engines.Local{})
	c.Sandbox = slow
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 1280, 900)
	b.openProgram("/programs")
	b.click(".repairing > button[name=repair]:not([value^=weaken])")
	b.wait(`document.querySelector(".repairs > p")`)
	b.wantText(".repairs > p", "7 questions asked.")
	b.wait(`/^Running repair: /.test(document.querySelector(".repairing .waiting-bar span")?.textContent)`)
	b.endsRun(&slow.Runs, func() { b.click(".repairing .waiting-bar button") })
	b.wait(`document.querySelector(".mended > .hint")`)
	b.wantText(".mended > .hint", "Cancelled.")
	b.wait(`!document.querySelector(".repairing .waiting-bar")`)
}
