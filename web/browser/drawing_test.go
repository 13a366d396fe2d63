package browser

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/web/drawing"
	"litmuscope/web/drawing/layout"
	"litmuscope/web/webtest"
)

// wide is a test whose drawing is larger than any pane, each thread by itself, so that it has one
// outcome.
func wide() string {
	const threads = 8
	var b strings.Builder
	b.WriteString("X86 wide\n{}\n")
	for row := range 6 {
		for t := range threads {
			text := fmt.Sprintf("P%d", t)
			if loc := 'a' + t; row > 0 {
				text = either(row%2 == 1, fmt.Sprintf("MOV EAX,[%c]", loc), fmt.Sprintf("MOV [%c],$%d", loc, row))
			}
			b.WriteString(" " + text + either(t == threads-1, " |", " ;\n"))
		}
	}
	b.WriteString("exists (0:EAX=0)\n")
	return b.String()
}

func either(so bool, a, b string) string {
	if so {
		return b
	}
	return a
}

const (
	zoomed   = `Math.round(document.querySelector(".drawing svg").getBoundingClientRect().width / document.querySelector(".drawing svg").viewBox.baseVal.width * 100)`
	scrolled = `(() => { const p = document.querySelector(".drawing"); return Math.round(p.scrollLeft) + "," + Math.round(p.scrollTop); })()`
)

// A drawing that has no room is shown at a size that can be read, and moved and enlarged by keys,
// buttons, wheel and mouse.
func TestBrowserMovesTheDrawing(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.open("/")
	b.setSource(wide())
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelectorAll(".drawing .event").length > 40`)
	b.click("[data-folds]")
	b.wait(zoomed + ` === 85`)
	if least := eval[float64](b,
		`Math.min(...[...document.querySelectorAll(".drawing text")].map((e) => parseFloat(getComputedStyle(e).fontSize))) * .85`); least < 11 {
		t.Errorf("text is %g pixels high", least)
	}
	b.do(chromedp.Focus(chromedp.CSS(".drawing")))
	b.key("+")
	b.wait(zoomed + ` === 106`)
	b.key("-")
	b.wait(zoomed + ` === 85`)
	b.key("0")
	b.wait(
		`(() => { const p = document.querySelector(".drawing"); return p.scrollWidth <= p.clientWidth + 1 && p.scrollHeight <= p.clientHeight + 1; })()`)
	b.click("[data-zoom=full]")
	b.wait(zoomed + ` === 100`)
	if text := eval[string](b, `document.querySelector("[data-zoom=full]").innerText`); text != "100 %" {
		t.Errorf("the size is said to be %s", text)
	}
	before := eval[string](b, scrolled)
	b.key(kb.ArrowRight)
	b.do(chromedp.Focus(chromedp.CSS(".drawing")))
	b.key(kb.ArrowDown)
	b.wait(scrolled + ` !== "` + before + `"`)

	// Keys scroll smoothly; wait until it stands still.
	b.wait(`(() => { const now = ` + scrolled +
		`; window.same = now === window.was ? (window.same ?? 0) + 1 : 0; window.was = now; return same > 20; })()`)

	// The point under the pointer stays where it is.
	eval[chromedp.Void](b, `(() => {
		const p = document.querySelector(".drawing"), e = document.querySelector('.event[data-event="30"]');
		e.scrollIntoView({ block: "center", inline: "center" });
		const r = e.getBoundingClientRect();
		window.spot = [r.left + r.width / 2, r.top + r.height / 2];
		p.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, ctrlKey: true, bubbles: true, cancelable: true, clientX: spot[0], clientY: spot[1] }));
	})()`)
	b.wait(zoomed + ` > 140`)
	if off := eval[float64](b,
		`(() => { const r = document.querySelector('.event[data-event="30"]').getBoundingClientRect();
		return Math.hypot(r.left + r.width / 2 - spot[0], r.top + r.height / 2 - spot[1]); })()`); off > 4 {
		t.Errorf("what was under the pointer is %.0f pixels off", off)
	}
	eval[chromedp.Void](b, `document.querySelector(".drawing").scrollTo({ left: 50, top: 60, behavior: "instant" })`)
	before = eval[string](b, scrolled)
	eval[chromedp.Void](b, `(() => {
		const p = document.querySelector(".drawing"), at = { pointerType: "mouse", button: 0, bubbles: true, cancelable: true };
		p.dispatchEvent(new PointerEvent("pointerdown", { ...at, clientX: 800, clientY: 600 }));
		dispatchEvent(new PointerEvent("pointermove", { ...at, clientX: 700, clientY: 570 }));
		dispatchEvent(new PointerEvent("pointerup", at));
		dispatchEvent(new PointerEvent("pointermove", { ...at, clientX: 100, clientY: 100 }));
	})()`)
	if after := eval[string](b, scrolled); before != "50,60" || after != "150,90" {
		t.Errorf("dragged by 100, 30 the drawing moves from %s to %s", before, after)
	}
}

// The map of a drawing is there where much is out of sight, in the corner in which it covers the least.
func TestBrowserMapKeepsOffTheDrawing(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.open("/")
	b.wait(`document.querySelector(".drawing .event")`)
	b.do(chromedp.Focus(chromedp.CSS(".drawing")))
	for range 3 {
		b.key("+")
	}
	b.wait(`document.querySelector(".overview")?.getClientRects().length`)
	if worse := eval[string](b, `(() => {
		const map = document.querySelector(".overview").getBoundingClientRect(), at = document.querySelector(".drawing").getBoundingClientRect();
		const covered = (left, top) => [...document.querySelectorAll(".drawing .event")].map((e) => e.getBoundingClientRect())
			.filter((r) => r.right > left && r.left < left + map.width && r.bottom > top && r.top < top + map.height).length;
		const here = covered(map.left, map.top), least = Math.min(...[at.left + 6, at.right - map.width - 12].flatMap((x) => [at.top + 6, at.bottom - map.height - 12].map((y) => covered(x, y))));
		return map.left < at.left || map.right > at.right || map.top < at.top || map.bottom > at.bottom || here > least ? `+"`the map at ${map.left}, ${map.top} covers ${here} events, elsewhere it would ${least}`"+` : "";
	})()`); worse != "" {
		t.Error(worse)
	}
	b.key("0")
	b.wait(`!document.querySelector(".overview").getClientRects().length`)
}

// long is store buffering with much else done in between.
func long() string {
	var b strings.Builder
	b.WriteString("X86 long\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n")
	for i := range 10 {
		fmt.Fprintf(&b, " MOV [a],$%d | MOV [b],$%[1]d ;\n", i+1)
	}
	b.WriteString(" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n")
	return b.String()
}

// A long execution is seen whole, on a laptop and on a phone: its cycle, and how many events there are beside it.
// Who presses these, sees all, and on a map where he is; steps go through what is folded, too.
func TestBrowserFoldsLongExecutions(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{1280, 720}, {390, 844}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			t.Parallel()
			b := newTab(t, size[0], size[1])
			b.open("/")
			b.setSource(long())
			b.key(kb.Enter, chromedp.ModifierCtrl)
			b.wait(`document.querySelectorAll(".drawing svg").length === 2`)
			const seen = `[...document.querySelectorAll(".drawing .event")].filter((e) => e.getClientRects().length)`
			const told = seen + `.map((e) => e.querySelector("text:last-child").textContent).join()`
			const folded = "a: W x=1,10 more,l: R y=0,m: W y=1,10 more,x: R x=0"
			b.wait(told + ` === "` + folded + `"`)
			if cut := eval[string](b, `(() => { const box = document.querySelector(".drawing").getBoundingClientRect();
				return `+seen+`.filter((e) => { const r = e.getBoundingClientRect();
					return r.top < box.top || r.left < box.left || r.right > box.right || r.bottom > box.bottom; }).map((e) => e.getAttribute("aria-label")).join(); })()`); cut != "" {
				t.Errorf("cut off are %s", cut)
			}
			if least := eval[float64](b,
				`Math.min(...`+seen+
					`.flatMap((e) => [...e.querySelectorAll("text")]).map((e) => e.getScreenCTM().a * parseFloat(getComputedStyle(e).fontSize)))`); least < 11 {
				t.Errorf("text is %g pixels high", least)
			}
			eval[chromedp.Void](b,
				`document.querySelector(".more").dispatchEvent(new MouseEvent("click", { bubbles: true }))`)
			b.wait(seen + `.length === 24 && document.querySelector("[data-folds]").checked`)
			b.wait(`document.activeElement.getAttribute("aria-label")?.startsWith("b: write a=1")`)
			b.wait(`(() => { const map = document.querySelector(".overview"), frame = map?.lastChild;
				return map?.querySelectorAll("rect").length === 25 && frame.getBBox().height < map.viewBox.baseVal.height; })()`)
			eval[chromedp.Void](b, `document.querySelector("[data-folds]").click()`)
			b.wait(told + ` === "` + folded + `" && !document.querySelector(".overview").getClientRects().length`)
			if size[0] < 900 {
				return
			}
			b.click(`[data-tab="steps"]`)
			b.wait(`document.querySelectorAll(".folded .more.todo").length === 2`)
			b.click(`[data-go="end"]`)
			b.wait(`document.querySelectorAll(".folded .todo").length === 0`)
		})
	}
}

// Reads of initial values have a dot; the writes of these come in by a switch, above what there was, and
// with them the relations that are about nothing else.
func TestBrowserShowsInitialWrites(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.wait(`document.querySelector(".drawing .event")`)
	const seen = `[...document.querySelectorAll(".drawing .event.initial, .drawing .start, .relations label")].filter((e) => e.getClientRects().length).map((e) => e.getAttribute("class") || e.innerText.trim()).join()`
	if got := eval[string](b, seen); got != "po,fr,initial,start tone-rf,start tone-rf" {
		t.Errorf("at first there are %s", got)
	}
	b.click(`input[data-name="initial writes"]`)
	b.wait(seen + ` === "po,rf,co,fr,initial,event initial beginning,event initial beginning"`)
	if cut := eval[string](b, `(() => { const box = document.querySelector(".drawing").getBoundingClientRect();
		return [...document.querySelectorAll(".drawing .event")].filter((e) => { const r = e.getBoundingClientRect();
			return r.top < box.top || r.left < box.left || r.right > box.right || r.bottom > box.bottom; }).map((e) => e.getAttribute("aria-label")).join(); })()`); cut != "" {
		t.Errorf("cut off are %s", cut)
	}
	b.click(`input[data-name="initial writes"]`)
	b.wait(`!document.querySelector(".event.initial").getClientRects().length`)
}

// Who taps a cell on a phone, where all is in one column, is taken to the picture.
func TestBrowserTapGoesToThePicture(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.open("/")
	b.wait(`document.querySelector(".drawing .event")`)
	b.wait(`document.querySelector("#picture").getBoundingClientRect().top > innerHeight`)
	eval[chromedp.Void](b, `document.querySelectorAll("tbody button.v")[8].click()`)
	b.wait(`document.querySelector("#picture h2").getBoundingClientRect().bottom < innerHeight && scrollY > 100`)
}

// By keys alone: Enter goes to the first event, arrow keys lead from one to the next, and what is there lights up.
func TestBrowserWalksEventsByKeys(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.wait(`document.querySelector(".drawing .event")`)
	if n := eval[int](b, `document.querySelectorAll('.drawing .event[tabindex="0"]').length`); n != 0 {
		t.Errorf("%d events are stops of the Tab key of their own", n)
	}
	b.do(chromedp.Focus(chromedp.CSS(".drawing")))
	at := func(want string) {
		t.Helper()
		b.wait(`document.activeElement.querySelector(".name")?.textContent === "` + want + `:"`)
	}
	b.key(kb.Enter)
	at("a")
	b.wait(`document.querySelector(".cm-lit")?.innerText === "MOV [x],$1"`)
	b.key(kb.ArrowDown)
	at("b")
	b.key(kb.ArrowRight)
	at("d")
	b.key(kb.ArrowUp)
	at("c")
	b.key(kb.Escape)
	b.wait(`document.activeElement.classList.contains("drawing") && !document.querySelector(".drawing .hot")`)
}

// What a pane of 640 by 330 shows is all of SB, large enough to be read.
func TestBrowserSmallPane(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{1280, 720}, {390, 844}} {
		b := newTab(t, size[0], size[1])
		b.open("/")
		b.wait(`document.querySelector(".drawing .event")`)
		b.wait(zoomed + ` > 110`)
		if w := eval[float64](b,
			`document.querySelector(".graph").getBoundingClientRect().right`); w > float64(size[0]) {
			t.Errorf("the drawing reaches to %g of %d pixels", w, size[0])
		}
		if cut := eval[string](b,
			`[...document.querySelectorAll(".tools button, .tools summary")].filter((e) => { const r = e.getBoundingClientRect();
			return r.width && (r.width < 24 || r.height < 24 || r.right > innerWidth); }).map((e) => e.outerHTML).join()`); cut != "" {
			t.Errorf("at %v these are cut off, or too small: %s", size, cut)
		}
	}
}

// Each format that a drawing is saved in holds what is seen, and can be opened.
func TestBrowserSavesTheDrawing(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.wait(`document.querySelector(".drawing .event")`)
	b.click("input[data-name=fr]")
	eval[chromedp.Void](b, `window.saved = {};
		const create = URL.createObjectURL; URL.createObjectURL = (blob) => { window.made = blob; return create(blob); };
		HTMLAnchorElement.prototype.click = function () { saved[this.download.split(".").pop()] = window.made; };`)
	kinds := []string{"png", "svg", "dot", "tikz", "json"}
	for i, kind := range kinds {
		b.click(".export summary")
		b.click("[data-download=" + kind + "]")
		b.wait(fmt.Sprintf(`Object.keys(saved).length === %d && !document.querySelector(".export").open`, i+1))
	}
	files, err := inTab(b, chromedp.Evaluate[map[string]string](`(async () => {
		const files = {};
		for (const [kind, blob] of Object.entries(saved)) {
			files[kind] = kind === "png" ? btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer()))) : await blob.text();
		}
		return files;
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(files["png"])
	if err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("the PNG: %v", err)
	}
	dark := 0
	for y := range image.Bounds().Dy() {
		for x := range image.Bounds().Dx() {
			if r, g, b, _ := image.At(x, y).RGBA(); r+g+b < 0xffff {
				dark++
			}
		}
	}
	if size := image.Bounds(); size.Dx() < 400 || size.Dy() < 200 || dark < 500 {
		t.Errorf("the PNG is of %v, with %d dark pixels", size, dark)
	}
	var data drawing.JSON
	if err := json.Unmarshal([]byte(files["json"]), &data); err != nil || len(data.Events) != 6 ||
		len(data.Drawing.Edges) == 0 {
		t.Errorf("the JSON has %d events: %v", len(data.Events), err)
	}
	for kind, want := range map[string]string{"svg": "<svg", "dot": "digraph", "tex": "\\documentclass"} {
		if !strings.Contains(files[kind], want) {
			t.Errorf("%s: %.200s", kind, files[kind])
		}
	}
	// fr was switched off.
	if strings.Contains(files["dot"], "<TD>fr") || strings.Contains(files["tex"], "{fr}") ||
		!strings.Contains(files["svg"], "hide-fr") {
		t.Error("files have what was switched off")
	}
}

// Drawings that are saved as SVG name the pages' typefaces and do not have them: where they are not installed,
// words still fit the boxes that they are in, and lie on no other.
func TestBrowserSavedDrawingsFitOtherTypefaces(t *testing.T) {
	t.Parallel()
	event := func(id, thread int, kind, loc, value string, tags ...ir.Tag) models.GraphEvent {
		return models.GraphEvent{
			ID: id, Name: string(rune('a' + id)), Thread: thread, Kind: kind, Loc: loc,
			Value: value, Tags: tags,
		}
	}
	p, err := drawing.Draw(drawing.Request{Format: "svg", Request: layout.Request{Graph: &models.Graph{
		Threads: []models.GraphThread{{Name: "writer of mmmm"}, {Name: "WWWW"}},
		Events: []models.GraphEvent{
			event(0, 0, "W", "x", "1", "AMO", "AcqRel"), event(1, 0, "F", "", "", "Fence.rw.rw"),
			event(2, 0, "W", "message", "100", "CAS", "A", "L"),
			event(3, 1, "R", "message", "100", "CAS", "AcqRel"), event(4, 1, "R", "x", "0", "StCond"),
		},
		Relations: []models.GraphEdges{
			{Name: "po", Edges: []models.Pair{{0, 1}, {1, 2}, {3, 4}}},
			{Name: "rf", Edges: []models.Pair{{2, 3}}},
			{Name: "fr", Edges: []models.Pair{{4, 0}}, Cyclic: []models.Pair{{4, 0}}},
			{Name: "addr", Edges: []models.Pair{{3, 4}}, Cyclic: []models.Pair{{3, 4}}},
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	srv := webtest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = io.WriteString(w, p.File)
	}))
	b := openTab(t, srv.URL, 1280, 900)
	b.visit(srv.URL)
	b.wait(`document.querySelectorAll("g.event").length === 5`)
	if n := eval[int](b, `document.fonts.size`); n != 0 {
		t.Errorf("the file has %d typefaces", n)
	}
	// Whatever a machine has for text: the widest of what is usual, and the narrowest.
	for _, fonts := range [][2]string{
		{"", ""},
		{"DejaVu Sans Mono, monospace", "DejaVu Sans, Verdana, sans-serif"},
		{"Courier New, Liberation Mono, monospace", "Arial, Liberation Sans, sans-serif"},
	} {
		bad := eval[[]string](b, `(() => {
			const [mono, sans] = [`+quote(fonts[0])+`, `+quote(fonts[1])+`];
			for (const e of document.querySelectorAll("text")) e.style.fontFamily = e.matches(".event text:not(.tags)") ? mono : sans;
			const cards = [...document.querySelectorAll("g.event")].map((g) => [g, g.querySelector(".card").getBBox()]);
			const seen = [...document.querySelectorAll("text")].filter((e) => e.getBBox().width > 0);
			return seen.filter((e) => {
				const b = e.getBBox();
				return cards.some(([g, c]) => g.contains(e)
					? b.x < c.x + 1 || b.x + b.width > c.x + c.width - 1
					: b.x < c.x + c.width && c.x < b.x + b.width && b.y + 2 < c.y + c.height && c.y < b.y + b.height - 3);
			}).map((e) => e.textContent);
		})()`)
		if len(bad) > 0 {
			t.Errorf("in %q, these do not fit: %q", fonts, bad)
		}
	}
}
