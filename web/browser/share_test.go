package browser

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// share presses a button of the menu behind "Share", and gives what there is to copy.
func (b *tab) share(name string) string {
	b.t.Helper()
	if !eval[bool](b, `document.querySelector("#share-menu")?.matches(":popover-open") ?? false`) {
		b.click("#share")
		b.wait(`document.querySelector("#share-menu:popover-open")`)
	}
	b.pressCopy(name)
	out := eval[string](b, `document.querySelector("#share-menu textarea").value`)
	eval[chromedp.Void](b, `document.getElementById("share-menu").hidePopover()`)
	return out
}

// pressCopy presses a button of the open menu, and waits for what there is to copy.
func (b *tab) pressCopy(name string) {
	b.t.Helper()
	eval[chromedp.Void](b,
		`[...document.querySelectorAll("#share-menu .kinds button")].find((b) => b.textContent === `+
			quote(name)+`).click()`)
	b.wait(
		`document.querySelector("#share-menu textarea:not([hidden])")?.value && /Copied|copy/.test(document.querySelector("#share-menu .hint").textContent)
		&& document.querySelector("#share-menu textarea").getAttribute("aria-label") === ` + quote(name))
}

// onShow is all that a link has to bring back: question, pressed cell, and pictures to the
// last attribute.
const onShow = `JSON.stringify({
	source: document.querySelector(".cm-content").innerText,
	models: [...document.querySelectorAll("input[name=model]:checked")].map((e) => e.value).sort(),
	own: [...document.querySelectorAll("[name=own-text]")].map((e) => e.value.trim()),
	options: [...document.querySelectorAll("[name=engine], [name^=option-]")].map((e) => e.name + "=" + e.value),
	table: document.querySelector(".outcomes table").innerText,
	pressed: [...document.querySelectorAll("button.v")].findIndex((b) => b.getAttribute("aria-pressed") === "true"),
	heads: [...document.querySelectorAll(".picture h2")].map((e) => e.innerText),
	tab: [...document.querySelectorAll("[role=tab][aria-selected=true]")].map((e) => e.dataset.tab),
	relations: [...document.querySelectorAll("input[data-relation]")].map((e) => e.dataset.relation + e.checked),
	at: [...document.querySelectorAll(".player .did")].map((e) => e.innerText),
	pictures: [...document.querySelectorAll(".drawing svg")].map((e) => e.outerHTML.replaceAll(/ nonce="[^"]*"/g, "").replaceAll(' new"', '"')
		.replace(/^<svg ([^>]*?) style="[^"]*"/, "<svg $1")), // but for what the one before had not, and how large it is shown
}, null, 1)`

// storedServer is a server over a store, as it is after each start.
func storedServer(t *testing.T, file string) string {
	t.Helper()
	st, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	c := webtest.TestConfig(engines.Local{})
	c.Links = st
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	srv := webtest.Serve(t, h)
	t.Cleanup(func() { srv.Close(); _ = st.Close() })
	return srv.URL
}

// A link made in one browser opens to the same picture in another, whose server has been
// started anew.
func TestBrowserLinksOpenToTheSame(t *testing.T) {
	t.Parallel()
	const cell = `document.querySelectorAll("tbody tr")[%d].querySelectorAll("button.v")[%d].click()`
	for i, c := range []struct {
		name, path string
		act        func(b *tab)
		want       string // in what is on show
	}{
		{"a cell and a relation", "/?test=SB", func(b *tab) {
			b.draw(fmt.Sprintf(cell, 1, 1))
			b.click("input[data-relation=fr]")
		}, "frfalse"},
		{
			"initial writes", "/?test=SB", func(b *tab) { b.click(`input[data-name="initial writes"]`) },
			"initial_writestrue",
		},
		{"the cycle of a forbidden outcome", "/?test=MP", func(b *tab) {
			b.draw(fmt.Sprintf(cell, 0, 1))
			b.click("[data-tab=why]")
		}, `"why"`},
		{"a step", "/?test=SB", func(b *tab) {
			b.click("[data-tab=steps]")
			eval[chromedp.Void](b,
				`{ const s = document.querySelector(".player input[type=range]"); s.value = 2; s.dispatchEvent(new Event("input", {bubbles: true})); }`)
			b.wait(`document.querySelector(".did").innerText.startsWith("Step 2 of")`)
		}, "Step 2 of"},
		{"a run of one's own", "/?test=SB", func(b *tab) {
			b.click("[data-tab=steps]")
			b.click("[data-go=start]")
			for range 2 {
				before := b.text(".did")
				eval[chromedp.Void](b, `[...document.querySelectorAll(".choices button")].at(-1).click()`)
				b.wait(`document.querySelector(".did").innerText !== ` + quote(before))
			}
			b.wait(`!document.querySelector(".player .own").hidden`)
		}, "Step 2 of 2"},
		{"another execution", "/?test=SB", func(b *tab) {
			b.setSource("X86 many\n{}\n P0         | P1         | P2          ;\n" +
				" MOV [x],$1 | MOV [x],$2 | MOV EAX,[x] ;\nexists (2:EAX=1)\n")
			b.key("\r", chromedp.ModifierCtrl)
			b.wait(`document.querySelector(".outcomes .name")?.innerText === "many"`)
			b.answered()
			b.wait(`document.querySelector("[data-execution='2']")`)
			b.draw(`document.querySelector("[data-execution='2']").click()`)
			b.wait(`document.querySelector(".executions")?.innerText.includes("2/")`)
		}, "many"},
		{"two columns", "/?test=SB", func(b *tab) {
			eval[chromedp.Void](b,
				`{ const s = document.querySelector(".beside select"); s.value = "power"; s.dispatchEvent(new Event("change", {bubbles: true})); }`)
			b.wait(`document.querySelectorAll("#picture:not([aria-busy]) .picture").length === 2`)
		}, "Power allows"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "l.db")
			b := openTab(t, storedServer(t, file), 1280, 900)
			b.open(c.path)
			c.act(b)
			b.away()
			want := eval[string](b, onShow)
			if !strings.Contains(want, c.want) {
				t.Fatalf("%q is not on show: %.1500s", c.want, want)
			}
			b.do(chromedp.Sleep(500 * time.Millisecond)) // the address follows after a rest
			links := map[string]string{"short link": b.share("Short link"), "address": eval[string](b, "location.href")}
			if link := b.share("Link"); !strings.HasSuffix(link, eval[string](b, "location.hash")) {
				links["link"] = link // which has all in it, while addresses leave out defaults
			}
			embed := b.share("Embed")
			again := storedServer(t, file)
			for kind, link := range links {
				other := openTab(t, again, 1280, 900)
				other.open(strings.TrimPrefix(link, b.url))
				other.wait(`document.querySelectorAll(".picture").length === ` +
					fmt.Sprint(eval[int](b, `document.querySelectorAll(".picture").length`)))
				if strings.Contains(c.want, "Step") {
					other.wait(`document.querySelector(".did")?.innerText.startsWith(` + quote(c.want) + `)`)
				}
				other.away()
				if got := eval[string](other, onShow); got != want {
					t.Errorf("%s: opens to\n%s\nwant\n%s", kind, firstDifference(got, want), firstDifference(want, got))
				}
			}
			if c.name == "a cell and a relation" {
				src := strings.Split(embed, `"`)[1]
				other := openTab(t, again, 600, 400)
				other.visit(other.url + strings.TrimPrefix(src, b.url))
				other.wait(`document.querySelector("html.live .drawing svg")`)
				if got := eval[string](other,
					`document.querySelector(".picture h2").innerText + document.querySelector("input[data-relation=fr]").checked`); got != eval[string](b, `document.querySelector(".picture h2").innerText`)+"false" {
					t.Errorf("the frame shows %s", got)
				}
			}
		})
	}
}

// firstDifference is where a text is not another.
func firstDifference(s, other string) string {
	i := 0
	for i < len(s) && i < len(other) && s[i] == other[i] {
		i++
	}
	return s[max(0, i-120):min(len(s), i+200)]
}

// draw does something that has another picture shown, and waits for it.
func (b *tab) draw(js string) {
	b.t.Helper()
	eval[chromedp.Void](b, `document.querySelector("#picture .picture").dataset.old = ""; `+js)
	b.wait(`document.querySelector("#picture:not([aria-busy]) .picture:not([data-old])")`)
}

// Addresses stay as they are while nothing is chosen; Back and Forward lead from test to
// test and to what was on show, without another page.
func TestBrowserAddressFollows(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	address := func(want string) {
		t.Helper()
		b.do(chromedp.Sleep(400 * time.Millisecond))
		if got := eval[string](b, "location.pathname + location.search + location.hash.slice(0, 3)"); got != want {
			t.Errorf("address %s, want %s", got, want)
		}
	}
	address("/?test=SB")
	eval[chromedp.Void](b,
		`window.same = true; [...document.querySelectorAll(".jump a, .skip")].forEach((a) => a.click())`)
	address("/?test=SB")
	b.draw(`document.querySelectorAll("tbody tr")[2].querySelectorAll("button.v")[0].click()`)
	address("/?test=SB#1=")
	head := b.text(".picture h2")

	b.click("#pick")
	b.key("wrc")
	b.key("\r")
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "WRC"`)
	b.answered()
	address("/?test=WRC")
	b.do(chromedp.NavigateBack())
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "SB"`)
	b.answered()
	b.wantText(".picture h2", head)
	address("/?test=SB#1=")
	b.do(chromedp.NavigateForward())
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "WRC"`)
	b.answered()
	address("/?test=WRC")
	b.wantText("#pick-name", "WRC")
	if !eval[bool](b, "window.same === true") {
		t.Error("the page was loaded anew")
	}

	// A link that is put into an open tab.
	b.do(chromedp.NavigateBack())
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "SB"`)
	hash := eval[string](b, "location.hash")
	b.do(chromedp.NavigateForward())
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "WRC"`)
	eval[chromedp.Void](b, `location.hash = `+quote(hash))
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "SB"`)
	b.answered()
	b.wantText(".picture h2", head)
}

// Nothing of the page's own test is seen of a page that is to show another.
func TestBrowserLinkFlashesNothing(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.setSource("X86 other\n{}\n P0         ;\n MOV [x],$7 ;\nexists (x=7)\n")
	link := strings.TrimPrefix(b.share("Link"), b.url)
	other := openTab(t, b.url, 1280, 900)
	other.atFirst(`window.seen = new Set();
			(function look() { const e = document.querySelector("#source, .cm-content"); if (e?.checkVisibility({visibilityProperty: true})) seen.add(/^\s*\w+\s+(\S+)/.exec(e.value ?? e.innerText)?.[1]); requestAnimationFrame(look); })();`)
	other.open(link)
	other.wantText(".outcomes .name", "other")
	if seen := eval[string](other, "[...seen].join()"); seen != "other" {
		t.Errorf("seen on the way: %s", seen)
	}
}

// Links that somebody has made badly, or with ill will, do no harm, and the page reports them.
func TestBrowserHostileFragments(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	frame := openTab(t, b.url, 600, 400)
	pack := func(text string) string {
		t.Helper()
		var packed bytes.Buffer
		w, err := flate.NewWriter(&packed, flate.BestCompression)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return "#1=" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
	}
	const damaged, much = "is damaged", "too large to open"
	for name, c := range map[string]struct{ hash, want string }{
		"a bomb":             {pack(strings.Repeat("a", 50e6)), much},
		"a bomb of JSON":     {pack(`{"source":"` + strings.Repeat("a", 50e6) + `"}`), much},
		"length":             {"#1=" + strings.Repeat("A", 200_000), much},
		"junk":               {"#1=AAAA", damaged},
		"nothing":            {"#1=", damaged},
		"not base64":         {"#1=%3Cscript%3E", damaged},
		"no JSON":            {pack("hello"), damaged},
		"JSON of other kind": {pack("[1,2]"), damaged},
		"deep JSON":          {pack(strings.Repeat("[", 400e3) + strings.Repeat("]", 400e3)), damaged},
		"wrong types":        {pack(`{"source":"X86 a","models":{"x":1}}`), damaged},
		"wrong view":         {pack(`{"source":"X86 a","view":{"run":{"step":-1}}}`), damaged},
		"many models":        {pack(`{"source":"X86 a","models":["sc"` + strings.Repeat(`,"sc"`, 5000) + `]}`), much},
		"a newer one":        {"#27=abc", "newer version of litmuscope"},
		"an engine":          {pack(`{"source":"X86 a","engine":"<b>"}`), "does not have"},
	} {
		t.Run(name, func(t *testing.T) {
			// Put into an open page, which stays as it is, and into a frame.
			b.t, frame.t = t, t
			b.visit(b.url + "/?test=SB" + c.hash)
			b.wait(`document.querySelector("#drafts:not([hidden])")?.innerText.includes(` + quote(c.want) + `)`)
			b.wantText(".outcomes .name", "SB")
			eval[chromedp.Void](b, `document.getElementById("drafts").hidden = true`)
			if name != "an engine" { // of which the server tells
				frame.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+"/embed"+c.hash))
				frame.wait(`document.querySelector("#embed .problem")?.innerText.includes(` + quote(c.want) + `)`)
			}
		})
	}
	b.t, frame.t = t, t
	// One that a page begins with: it shows its own test.
	frame.visit(b.url + "/#1=AAAA")
	frame.answered()
	frame.wantText(".outcomes .name", "SB")
	frame.wait(`document.querySelector("#drafts:not([hidden])")?.innerText.includes("damaged")`)

	// What could be markup is text, and keys are only keys.
	evil := pack(
		`{"source": "X86 <img/src=x/onerror=faults.push(1)>\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)", "models": ["sc", "<img src=x onerror=faults.push(2)>"],
		"own": [{"name": "<img src=x onerror=faults.push(3)>", "text": "x", "files": {"__proto__": "y"}}], "options": {"\"]": "1", "__proto__": "2"},
		"view": {"pick": {"column": "\"]<img src=x onerror=faults.push(4)>", "state": "<i>"}, "tab": "\"]", "beside": "<img>", "relations": {"show": ["\"],*"], "hide": ["__proto__"]}}}`)
	for _, path := range []string{"/", "/embed"} {
		other := openTab(t, b.url, 1280, 900)
		other.visit(other.url + path + evil)
		other.wait(`document.querySelector(".problem")`)
		if n := eval[int](other, `document.querySelectorAll("img[onerror]").length`); n != 0 {
			t.Errorf("%s: %d pieces of markup", path, n)
		}
	}
}

// What the menu copies.
func TestBrowserShareMenu(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	for name, want := range map[string]string{
		"litmus": "X86 SB\n", "Markdown": "| ◆ | `0:EAX=0; 1:EAX=0` | ✓ | ✓ |", "herd log": "Test SB Allowed",
		"JSON lines": `{"path":"-","name":"SB"`,
		"CSV":        "path,name,arch", "run command": "litmuscope run -m tso -m riscv",
		"curl command": b.url + "/api/v1/explore",
		"Embed":        `<iframe src="` + b.url + "/embed#1=", "Link": b.url + "/#1=", "Short link": b.url + "/t/",
	} {
		if got := b.share(name); !strings.Contains(got, want) {
			t.Errorf("%s: %.400q, want %q in it", name, got, want)
		}
	}
	// The keyboard alone leads in and out.
	eval[chromedp.Void](b, `document.getElementById("share").focus()`)
	b.key("\r")
	b.wait(`document.activeElement.closest("#share-menu .kinds")`)
	b.key("\x1b")
	b.wait(`!document.querySelector("#share-menu:popover-open") && document.activeElement.id === "share"`)
}

// away moves the mouse off whatever it lights.
func (b *tab) away() {
	b.t.Helper()
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 3, 3))
}

// atFirst runs a script in each page before its own.
func (b *tab) atFirst(js string) {
	b.t.Helper()
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, pageapi.AddScriptToEvaluateOnNewDocument,
			pageapi.AddScriptToEvaluateOnNewDocumentParams{Source: js})
		return chromedp.Void{}, err
	})
}

// A link holds its models, whatever its test is written in: of which architecture it is, the
// server tells, and what was chosen stays.
func TestBrowserLinksKeepTheirModels(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "l.db")
	for i, c := range []struct{ name, tongue, source, models string }{
		{"a comment in front", "AArch64", "(* of a talk *)\nAArch64 MP\n", "sc arm power"},
		{"a comment on its line", "AArch64", "(* of a talk *) AArch64 MP\n", "tso riscv"},
		{"none", "AArch64", "AArch64 MP\n", "tso"},
		{
			"the kernel's", "LKMM",
			"C MP\n\n{}\n\nP0(int *x, int *y)\n{\n\tWRITE_ONCE(*x, 1);\n\tsmp_wmb();\n\tWRITE_ONCE(*y, 1);\n}\n\n" +
				"P1(int *x, int *y)\n{\n\tint r0 = READ_ONCE(*y);\n\tint r1 = READ_ONCE(*x);\n}\n\n" +
				"exists (1:r0=1 /\\ 1:r1=0)\n", "rc11 lkmm tso",
		},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if c.tongue == "AArch64" {
				c.source += "{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 ;\n MOV W0,#1 | LDR W0,[X1] ;\n" +
					" STR W0,[X1] | LDR W2,[X3] ;\n STR W0,[X3] | ;\nexists (1:X0=1 /\\ 1:X2=0)\n"
			}
			b := openTab(t, storedServer(t, file), 1280, 900)
			b.open("/?test=SB")
			b.setSource(c.source)
			b.wait(`document.forms.explore.elements.arch.value === ` + quote(c.tongue))
			eval[chromedp.Void](b,
				`{ const want = `+quote(c.models)+
					`.split(" "); for (const i of document.querySelectorAll("input[name=model]")) i.checked = want.includes(i.value); }`)
			b.key("\r", chromedp.ModifierCtrl)
			b.wait(`document.querySelectorAll(".outcomes thead [data-column]").length === ` +
				fmt.Sprint(len(strings.Fields(c.models))))
			b.answered()
			const ticked = `[...document.querySelectorAll("input[name=model]:checked")].map((i) => i.value).sort().join(" ")`
			want := eval[string](b, ticked)
			link := b.share("Link")
			other := openTab(t, storedServer(t, file), 1280, 900)
			other.open(strings.TrimPrefix(link, b.url))
			other.answered()
			other.wait(`document.forms.explore.elements.arch.value === ` + quote(c.tongue)) // the server has told
			if got := eval[string](other, ticked); got != want ||
				len(strings.Fields(got)) != len(strings.Fields(c.models)) {
				t.Errorf("ticked are %s, want %s", got, want)
			}
			if hidden := eval[int](other,
				`document.querySelectorAll(".models details input:checked").length`); hidden != 0 {
				t.Errorf("%d that are ticked are out of sight", hidden)
			}
		})
	}
}
