package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// A model that is SC.
const ownText = "\"My SC\"\nacyclic po | rf | co | fr as order"

// savedTab is a tab of a server whose browser has the saved model my-sc.
func savedTab(t *testing.T, width, height int64) *tab {
	t.Helper()
	srv := webtest.Serve(t, webtest.NewHouse(t, engines.Local{}))
	b := openTab(t, srv.URL, width, height)
	b.visit(b.url + "/lattice")
	b.wait(`document.querySelector(".saved-models")`)
	b.store("my-sc", ownText, 1)
	b.visit(b.url + "/lattice?arch=X86")
	b.wait(`document.querySelector(".saved-list li")`)
	return b
}

// store puts a model into the list of saved models, as another tab would.
func (b *tab) store(name, text string, at int) {
	b.t.Helper()
	eval[chromedp.Void](b, fmt.Sprintf(`localStorage.setItem("litmuscope.models",
		JSON.stringify([{name: %q, text: %q, files: {}, at: %d}]))`, name, text, at))
}

// press presses the button with a text within an element.
func (b *tab) press(within, text string) {
	b.t.Helper()
	eval[chromedp.Void](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.textContent === %q).click()`,
		within+" button", text))
}

// chooseOption chooses an option of a list.
func (b *tab) chooseOption(list, value string) {
	b.t.Helper()
	eval[chromedp.Void](b, fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %q;
		s.dispatchEvent(new Event("change", {bubbles: true})); })()`, list, value))
}

// savedNames are the names of the saved models.
func (b *tab) savedNames() string {
	b.t.Helper()
	return eval[string](b,
		`JSON.parse(localStorage.getItem("litmuscope.models") ?? "[]").map((m) => m.name).sort().join(" ")`)
}

// A model that is saved on the explorer is on the Models page, where it gets another name.
func TestBrowserSavesAModelForAllPages(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.click(`.options:has(.own-models) summary`)
	b.wait(`document.querySelector(".own-models .cm-content")`)
	b.click(`.own-models .cm-content`)
	b.insert(ownText)
	b.wait(`document.querySelector(".own-models .tools input").value === "My-SC"`)
	b.press(".saved-models", "Save model")
	b.wait(`document.querySelector(".saved-models p").textContent.startsWith("Saved “My-SC”")`)
	b.screenshotFor("own-explorer")

	b.visit(b.url + "/lattice")
	b.wait(`document.querySelector(".saved-list li b")?.textContent === "My-SC"`)
	rename := func(to string) {
		b.press(".saved-list", "Rename")
		b.wait(`document.querySelector(".saved-list li form input[aria-label]")`)
		eval[chromedp.Void](b, `document.querySelector(".saved-list li form input[aria-label]").value = "`+to+`"`)
		b.press(".saved-list li form:has([aria-label])", "Rename")
	}
	rename("tso")
	b.wait(`[...document.querySelectorAll("[data-saved-list] > p")].some((p) =>
		p.textContent.includes("“tso” is the name of a built-in model. Choose another name."))`)
	b.press(".saved-list", "Cancel")
	rename("mine")
	b.wait(`document.querySelector(".saved-list li b")?.textContent === "mine"`)
	eval[chromedp.Void](b, `document.querySelector("[data-saved-list]").scrollIntoView()`)
	b.screenshotFor("own-models")
	b.press(".saved-list", "Delete")
	b.wait(`!document.querySelector(".saved-list li")`)
	b.press("[data-saved-list]", "Undo")
	b.wait(`document.querySelector(".saved-list li b")?.textContent === "mine"`)

	// It opens in the explorer by its name.
	b.open("/?test=MP")
	b.click(`.options:has(.own-models) summary`)
	b.wait(`document.querySelector(".saved-models option[value=mine]")`)
	b.chooseOption(".saved-models select", "mine")
	b.wait(`document.querySelector(".own-models [role=tab]").textContent === "mine"`)
	if text := eval[string](b, `document.querySelector("[name=own-text]").value`); text != ownText {
		t.Errorf("the model is %q", text)
	}
}

// Pages that take a model take a saved one by its name: distinguish, the comparison, suites, and exercises.
func TestBrowserChoosesSavedModels(t *testing.T) {
	t.Parallel()
	b := savedTab(t, 1280, 900)

	b.visit(b.url + "/distinguish")
	b.wait(`document.querySelector("#known option[value=my-sc]")`)
	eval[chromedp.Void](b, `(() => { const f = document.querySelector("form.again").elements;
		f.left.value = "my-sc"; f.right.value = "tso"; f.arch.value = "X86"; })()`)
	b.click("form.again button.main")
	b.wait(`document.querySelector(".direction h2")?.textContent.includes("my-sc forbids, TSO allows")`)
	b.screenshotFor("own-distinguish")
	b.sameElsewhere(`document.querySelector(".direction h2")?.textContent.includes("my-sc forbids, TSO allows") &&
		document.querySelector(".direction .differs")`)

	b.visit(b.url + "/suites")
	b.wait(`document.querySelector("[data-saved-ticks] input")`)
	b.click("[data-saved-ticks] input")
	b.do(chromedp.SendKeys(chromedp.CSS("[name=catalogue]"), "X86/SB"))
	b.screenshotFor("own-suites")
	b.click(".submit form .actions .main")
	b.wait(`document.querySelector("main.suite")`)
	b.wait(`document.querySelector("main.suite").innerText.includes("my-sc")`)

	b.visit(b.url + "/learn/writing-a-cat-model")
	b.click("#exercise-1 textarea")
	b.wait(`document.querySelector("#exercise-1 .saved-models option[value=my-sc]")`)
	b.chooseOption("#exercise-1 .saved-models select", "my-sc")
	b.wait(`document.querySelector("#exercise-1 .cm-content").innerText.includes("My SC")`)
	b.screenshotFor("own-exercise")
	b.click("#exercise-1 button.main")
	b.wait(`document.querySelector("#exercise-1 .result .verdict")`)
	verdict := b.text("#exercise-1 .result .verdict")
	address := eval[string](b, `document.querySelector("#exercise-1 a[data-address]").href`)
	other := openTab(t, b.url, 1280, 900)
	other.visit(address)
	other.wait(`document.querySelector("#exercise-1 .result .verdict")`)
	other.wantText("#exercise-1 .result .verdict", verdict)
	text := strings.TrimSpace(eval[string](other, `document.querySelector("#exercise-1 textarea").value`))
	if text != ownText {
		t.Errorf("the address gives the solution %q", text)
	}
}

// sameElsewhere opens the tab's address in a fresh profile, and waits for the same result.
func (b *tab) sameElsewhere(result string) {
	b.t.Helper()
	other := openTab(b.t, b.url, 1280, 900)
	other.visit(eval[string](b, `location.href`))
	other.wait(result)
	if other.savedNames() != "" {
		b.t.Error("the other profile has the model already")
	}
}

// A comparison with a built-in model, an order with an own model, a repair and a compilation have addresses to send.
func TestBrowserSendsResultsWithOwnModels(t *testing.T) {
	t.Parallel()
	b := savedTab(t, 1280, 900)
	b.press(".saved-list", "Compare with a built-in model")
	b.wait(`document.querySelector("main h1")?.textContent.includes("versus")`)
	b.wait(`document.querySelector(".found:not([aria-busy]) .progress[role=status]")`)
	b.wait(`location.search.startsWith("?form=")`)
	b.screenshotFor("own-versus")
	last := eval[string](b, `document.querySelector(".found .progress[role=status]").innerText`)
	if !strings.Contains(last, "of 109 tests differ") {
		t.Errorf("the comparison ends with %q", last)
	}
	b.sameElsewhere(`document.querySelector("main h1")?.textContent === "my-sc versus TSO" &&
		document.querySelector(".differs h2 a")?.textContent === "SB"`)

	b.visit(b.url + "/lattice?arch=X86")
	b.wait(`document.querySelector(".saved-models option[value=my-sc]")`)
	b.chooseOption(".saved-models select", "my-sc")
	b.click(`form[action="/lattice"] button.main`)
	b.wait(`location.pathname === "/lattice/own"`)
	b.sameElsewhere(`[...document.querySelectorAll("th")].some((e) => e.textContent === "my-sc")`)

	b.open("/?test=SB")
	b.wait(`document.querySelector(".picture .repairing button")`)
	b.click(".picture .repairing button")
	b.wait(`document.querySelector(".repairs a[data-address]")`)
	other := openTab(t, b.url, 390, 844)
	other.visit(eval[string](b, `document.querySelector(".repairs a[data-address]").href`))
	other.wait(`document.querySelector(".repairs .repair")`)
	other.screenshotFor("own-repair-phone")
}

// Nothing is lost where the browser's storage is full, and where another tab has changed the model.
func TestBrowserLosesNoModel(t *testing.T) {
	t.Parallel()
	b := savedTab(t, 390, 844)
	const bar = `form[action="/lattice"] .saved-models`
	edit := func(name, text string) {
		eval[chromedp.Void](b, fmt.Sprintf(`(() => { const f = document.querySelector('form[action="/lattice"]').elements;
			f["own-name"].value = %q; f["own-text"].value = %q; })()`, name, text))
		b.press(bar, "Save model")
	}
	says := func(text string) {
		t.Helper()
		b.wait(fmt.Sprintf(`document.querySelector('%s p').textContent.includes(%q)`, bar, text))
	}
	b.chooseOption(bar+" select", "my-sc")
	b.store("my-sc", "acyclic po as other", 2)
	edit("my-sc", ownText+" (* edited *)")
	says("Another tab has changed “my-sc” since you opened it.")
	b.screenshotFor("own-conflict-phone")
	if got := eval[string](b, `localStorage.getItem("litmuscope.models")`); !strings.Contains(got, "other") {
		t.Errorf("the other tab's text is gone: %s", got)
	}
	b.press(bar, "Replace")
	says("Saved “my-sc”")

	eval[chromedp.Void](b, `void (Storage.prototype.setItem = () => {
		throw new DOMException("", "QuotaExceededError"); })`)
	edit("another", ownText)
	says("The browser’s storage is full, so “another” is not saved.")
	text := eval[string](b, `document.querySelector('form[action="/lattice"] [name=own-text]').value`)
	if text != ownText {
		t.Errorf("the text is gone: %q", text)
	}
	if names := b.savedNames(); names != "my-sc" {
		t.Errorf("the saved models are %q", names)
	}
	if eval[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
		t.Error("the page is wider than a phone")
	}
}
