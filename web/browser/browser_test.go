package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestBrowserPickRunAndDraw(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.wantText(".picture h2", "✓ TSO allows 0:EAX=0; 1:EAX=0")

	b.click("#pick")
	b.key("wrc")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "WRC"`)
	b.answered()
	if url := eval[string](b, "location.pathname + location.search"); url != "/?test=WRC" {
		t.Errorf("address %s", url)
	}
	b.wantText("#pick-name", "WRC")
	b.wantText("tr.asked td:nth-child(5)", "✗\nforbidden")

	b.open("/?test=SB")
	b.click(`tbody tr:nth-child(3) td:nth-child(8) button`)
	b.wait(`document.querySelector(".picture h2").innerText === "✓ SC allows 0:EAX=1; 1:EAX=0"`)
	if n := eval[int](b, `document.querySelectorAll("button.v[aria-pressed=true]").length`); n != 1 {
		t.Errorf("%d cells are pressed, want 1", n)
	}
	b.click("input[name=model][value=riscv]")
	b.columns(4)
}

func TestBrowserTogglesMoveNothing(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	const places = `[...document.querySelectorAll(".drawing .event, .drawing svg")].map((e) => JSON.stringify(e.getBoundingClientRect())).join()`
	const seen = `[...document.querySelectorAll(".drawing g.part.rel-fr, .drawing tspan.part.rel-fr")].filter((e) => getComputedStyle(e).display !== "none").length`
	before := eval[string](b, places)
	if eval[int](b, seen) == 0 {
		t.Fatal("fr is not shown to begin with")
	}
	b.click("input[data-relation=fr]")
	if n := eval[int](b, seen); n != 0 {
		t.Errorf("%d parts of fr are still seen", n)
	}
	if after := eval[string](b, places); after != before {
		t.Errorf("the picture jumps: %s, then %s", before, after)
	}
	// The choice outlives the execution.
	b.click(`tbody tr:nth-child(1) td:nth-child(4) button`)
	b.wait(`document.querySelector(".picture h2").innerText.startsWith("✓ TSO allows 0:EAX=0")`)
	b.click(`tbody tr:nth-child(2) td:nth-child(4) button`)
	b.wait(`document.querySelector(".picture h2").innerText === "✓ TSO allows 0:EAX=0; 1:EAX=1"`)
	if n := eval[int](b, seen); n != 0 {
		t.Errorf("fr is back: %d parts", n)
	}
}

func TestBrowserHighlightsSourceAndEvent(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.hoverUntil(`.event[data-event="4"]`, `document.querySelector(".cm-lit")`)
	b.wantText(".cm-lit", "MOV [y],$1")

	b.hoverUntil(`.cm-content [data-cell="0:1"]`, `document.querySelector(".event.hot")?.dataset.event === "3"`)

	b.do(chromedp.Focus(chromedp.CSS(`.event[data-event="2"]`)))
	b.wait(`document.querySelector(".cm-lit")?.innerText === "MOV [x],$1"`)

	b.hoverUntil(`g.edge.rel-fr[data-from="3"] .hit`,
		`[...document.querySelectorAll(".event.hot")].map((e) => e.dataset.event).join() === "3,4"`)
	b.hoverUntil("h2", `!document.querySelector(".hot") && !document.querySelector(".cm-lit")`)
}

func TestBrowserMarksErrors(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.setSource("X86 broken\n{}\n P0          ;\n MOV [x],$1  ;\n FLY EAX,[x] ;\nexists (x=1)\n")
	b.wait(`document.querySelector(".cm-lintRange-error")`)
	if line := eval[string](b,
		`document.querySelector(".cm-lintRange-error").closest(".cm-line").innerText`); !strings.Contains(line, "FLY") {
		t.Errorf("the mark is on line %q", line)
	}
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".problem a")?.innerText.trim() === "line 5, column 2"`)
	b.click(".problem a")
	b.wait(`document.activeElement.classList.contains("cm-content")`)
	b.key("MOV EBX,$1 ;\n ")
	b.key(kb.Delete)
	b.key(kb.Delete)
	b.key(kb.Delete)
	b.key("MOV")
	b.wait(`!document.querySelector(".cm-lintRange-error")`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "broken"`)
}

func TestBrowserPermalink(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.setSource("X86 mine\n{}\n P0         ;\n MOV [x],$7 ;\nexists (x=7)\n")
	// once its description has gone, nothing moves
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "mine"`)
	b.answered()
	b.click("input[name=model][value=sc]")
	b.click("input[name=model][value=riscv]")
	link := strings.TrimPrefix(b.share("Short link"), b.url)
	if !strings.HasPrefix(link, "/t/") {
		t.Errorf("link %s", link)
	}

	other := openTab(t, b.url, 1280, 900)
	other.open(link)
	other.wantText(".outcomes .name", "mine")
	if models := eval[string](other,
		`[...document.querySelectorAll("input[name=model]:checked")].map((e) => e.value).join()`); models !=
		"tso,aarch64,power" {
		t.Errorf("ticked models %s", models)
	}
	if source := eval[string](other, `document.querySelector(".cm-content").innerText`); !strings.Contains(source,
		"MOV [x],$7") {
		t.Errorf("source %q", source)
	}
}

func TestBrowserKeyboardAlone(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	tabTo := func(js string) {
		t.Helper()
		for range 40 {
			b.key(kb.Tab)
			if eval[bool](b, "!!("+js+")") {
				// The focus is seen, at once or when the editor has drawn it.
				b.wait(
					`getComputedStyle(document.activeElement).outlineStyle !== "none" || document.activeElement.closest(".cm-focused")`)
				return
			}
		}
		t.Fatalf("Tab does not reach %s, but %s", js, eval[string](b, "document.activeElement.outerHTML.slice(0, 200)"))
	}
	tabTo(`document.activeElement.id === "pick"`)
	b.key(kb.Enter)
	b.wait(`document.activeElement.type === "search"`)
	b.key("lb")
	b.wait(`document.querySelector("#picker a")?.dataset.test === "LB"`)
	b.key(kb.ArrowDown)
	b.wait(`document.activeElement.dataset.test === "LB"`)
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "LB"`)
	b.answered()

	tabTo(`document.activeElement.classList.contains("cm-content")`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.answered()
	tabTo(`document.activeElement.name === "model" && document.activeElement.value === "riscv"`)
	b.key(" ")
	b.columns(4)
	tabTo(`document.activeElement.id === "run"`)
	tabTo(`document.activeElement.classList.contains("v")`)
	b.key(kb.ArrowDown)
	b.wait(`document.activeElement.getAttribute("aria-pressed") === "true"`)
	b.wait(`document.getElementById("status").textContent.startsWith("TSO allows 0:EAX=0")`)
}

func TestBrowserPhoneWidth(t *testing.T) {
	t.Parallel()
	b := newTab(t, 360, 740)
	fits := func(what string) {
		t.Helper()
		if w := eval[int](b, "document.documentElement.scrollWidth"); w > 360 {
			t.Errorf("%s is %d pixels wide; too wide: %s", what, w,
				eval[string](b, `[...document.querySelectorAll("body *")]
				.filter((e) => e.getBoundingClientRect().right > 361 && !e.closest(".scroll, .cm-scroller")).slice(0, 5)
				.map((e) => e.tagName + "." + e.className).join(" ")`))
		}
	}
	b.open("/")
	fits("the page")
	b.click("details.options summary")
	fits("the page with options")
	b.click("#pick")
	b.wait(`document.querySelector("#picker:popover-open")`)
	fits("the picker")
	b.key(kb.Escape)
	b.wait(`!document.querySelector("#picker:popover-open")`)
	for _, name := range []string{
		"IRIW", "Peterson", "spinlock", "PPC/lock+isync+lwsync",
		"RISCV/lock+amoswap.aq+amoswap.rl",
	} {
		b.open("/?test=" + name)
		fits(name)
	}
	b.visit(b.url + "/api/docs")
	fits("the REST page")
}

func TestBrowserTheme(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	const ground = `getComputedStyle(document.body).backgroundColor + getComputedStyle(document.querySelector(".drawing .event text")).fill`
	light := eval[string](b, ground)
	b.click("#theme")
	dark := eval[string](b, ground)
	if light == dark {
		t.Errorf("the theme stays %s", light)
	}
	b.open("/?test=SB")
	if again := eval[string](b, ground); again != dark {
		t.Errorf("the choice is forgotten: %s, want %s", again, dark)
	}
}

func TestBrowserDownloads(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	eval[chromedp.Void](b, `window.saved = []; window.made = null; window.all = [];
		const create = URL.createObjectURL; URL.createObjectURL = (blob) => { all.push(window.made = blob); return create(blob); };
		HTMLAnchorElement.prototype.click = function () { saved.push([this.download, window.made]); };`)
	for i, kind := range []string{"svg", "png", "dot"} {
		b.click(".export summary")
		b.click("[data-download=" + kind + "]")
		b.wait(`saved.length === ` + string(rune('1'+i)))
	}
	if names := eval[string](b,
		`saved.map((s) => s[0]).join(" ")`); names != "SB-tso-0-0.svg SB-tso-0-0.png SB-tso-0-0.dot" {
		t.Errorf("files %s", names)
	}
	// A PNG is set as the page is: what it is made of has the typefaces in it.
	faces, err := inTab(b,
		chromedp.Evaluate[int](
			`all[1].text().then((svg) => svg.split("src:url(data:font/woff2;base64,d09GMg").length - 1)`,
			chromedp.EvalAwaitPromise))
	if err != nil || faces != 2 {
		t.Errorf("the PNG is made with %d typefaces, want 2: %v", faces, err)
	}
	texts, err := inTab(b, chromedp.Evaluate[[]string](`Promise.all([saved[0][1].text(), saved[2][1].text(),
		createImageBitmap(saved[1][1]).then((i) => i.width > 400 && i.height > 200 ? "picture" : i.width + "x" + i.height)])`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"<svg", "digraph", "picture"} {
		if !strings.HasPrefix(texts[i], want) {
			t.Errorf("file %d starts %.40q, want %q", i, texts[i], want)
		}
	}
}
