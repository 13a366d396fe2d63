package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// On the first visit to a static site, the page cannot run a test on this device; it says so, and what to do. After one
// reload it can.
func TestBrowserSiteRunsOnThisDevice(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.open("/?test=SB")
	b.wait(`document.querySelector("#result .device")`)
	b.click(".device summary")
	const said = `document.querySelector(".device .ran").innerText`
	b.wait(said + `.startsWith("Reload this page once.") || ` + said + `.includes("still storing the site")`)
	b.wait(`document.querySelector(".device .ran button")?.textContent === "Reload the page"`)
	b.shoot("site-device-first")
	b.click(".device .ran button")
	b.wait(`globalThis.crossOriginIsolated`)
	b.answered()
	b.click(".device summary")
	b.wait(`document.querySelector(".device [data-begin]:enabled")`)
	b.click(".device [data-begin]")
	b.wait(`document.querySelector(".device .ran-code") && !document.querySelector(".device [data-begin]").hidden`)
	b.wait(said + `.includes(" runs, ")`)
	b.shoot("site-device")
}

// Results on a static site have addresses, which lead to the same results in a fresh browser.
func TestBrowserSiteResultsHaveAddresses(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.visit(b.url + "/lattice?arch=X86")
	b.wait(`document.querySelector(".saved-models")`)
	b.store("my-sc", ownText, 1)
	b.visit(b.url + "/lattice?arch=X86")
	b.wait(`document.querySelector(".saved-list li")`)
	b.press(".saved-list", "Compare with a built-in model")
	b.wait(`document.querySelector(".found:not([aria-busy]) .progress[role=status]")`)
	b.wait(`location.search.startsWith("?form=")`)
	b.shoot("site-versus")
	b.hidesUntilUndone(".found", "Press Compare to see its result", func() {
		b.chooseOption("[name=against]", "sc")
	}, func() { b.chooseOption("[name=against]", "tso") })
	b.sameElsewhere(`document.querySelector("main h1")?.textContent === "my-sc versus TSO" &&
		document.querySelector(".differs h2 a")?.textContent === "SB"`)

	b.visit(b.url + "/lattice?arch=X86")
	b.wait(`document.querySelector(".saved-models option[value=my-sc]")`)
	b.chooseOption(".saved-models select", "my-sc")
	b.click(`form[action$="/lattice"] button.main`)
	b.wait(`location.pathname.endsWith("/lattice/own")`)
	b.sameElsewhere(`[...document.querySelectorAll("th")].some((e) => e.textContent === "my-sc")`)

	b.open("/?test=SB")
	b.wait(`document.querySelector(".picture .repairing button")`)
	b.click(".picture .repairing button")
	b.wait(`document.querySelector(".repairs a[data-address]") && document.querySelector(".repairs .repair")`)
	b.shoot("site-repair")
	other := openTab(t, b.url, 390, 844)
	other.visit(eval[string](b, `document.querySelector(".repairs a[data-address]").href`))
	other.wait(`document.querySelector(".repairs .repair")`)
}

// A static site says which barriers can go, searches the library, converts what is pasted, and leads C to Programs.
func TestBrowserSiteAsksMore(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.open("/?test=SB%2Bmfences")
	b.key(kb.Escape)
	eval[chromedp.Void](b, cell("tso")+`.click()`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) .picture")?.dataset.column === "tso"`)
	b.askBarriers("#picture .repairing button")
	b.wantWithin(".mended", "Every barrier and order is needed:")
	link := eval[string](b, `document.querySelector(".mended a.cost").href`)
	b.visit(link)
	b.wait(`document.querySelector(location.hash)?.innerText.includes("Costs in X86")`)

	b.open("/")
	b.click("#pick")
	b.wait(`document.querySelector("#picker:popover-open a[data-test]")`)
	b.types("#picker input", "lkmm")
	b.wait(`[...document.querySelectorAll("#picker h2")].map((e) => e.innerText).join("; ") === "C; Lessons"`)
	b.shoot("site-library")

	b.open("/")
	b.setSource("X86_64 SB\n{ }\n P0                   | P1                   ;\n" +
		" mov dword ptr [x], 1 | mov dword ptr [y], 1 ;\n mov eax, [y]         | mov eax, [x]         ;\n" +
		"exists (0:rax=0 /\\ 1:rax=0)\n")
	b.wait(problemFix + ` === "Convert to AT&T syntax"`)
	b.click(".problems .fix")
	b.wait(editorText + `.includes("movl $1,(x)")`)
	b.answered()
	program := "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 1); }\n"
	b.setSource(program)
	b.wait(problemFix + ` === "Open in Programs"`)
	b.click(".problems .fix")
	b.wait(`/\/programs\/?$/.test(location.pathname) && document.readyState === "complete" && ` +
		`document.querySelector("textarea[name=source]")?.value === ` + quote(program))
}

// A slide of a lesson on a static site has an address.
func TestBrowserSiteShowsSlides(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.visit(b.url + "/learn/store-buffers#slide=3")
	b.wait(`document.querySelector(".deck .page.on:not([aria-busy])")`)
	b.wait(`document.querySelector(".page.on .number").textContent.startsWith("3 /")`)
	b.key(kb.ArrowRight)
	b.wait(`location.hash.startsWith("#slide=") && location.hash !== "#slide=3"`)
	b.shoot("site-slides")
}
