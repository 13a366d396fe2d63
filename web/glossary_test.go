package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"

	"litmuscope/litmus/catalogue"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Whatever the pages name has a term: models, engines, the bounds of engines, quantifiers, and
// each word that a template marks.
func TestEveryTermIsExplained(t *testing.T) {
	want := map[string]string{}
	for _, m := range models.Names() {
		want[m] = "a model"
	}
	for _, e := range engines.Names() {
		want[e] = "an engine"
	}
	for _, o := range solver.OptionTable {
		if o.Counts != "" {
			want[o.Name] = "a bound"
		}
	}
	for _, q := range []string{"exists", "~exists", "forall"} {
		want[quantifierTerm(q)] = "a quantifier"
	}
	files, err := filepath.Glob("*.templ")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	marked := regexp.MustCompile(`termRef\("([^"]+)"`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range marked.FindAllStringSubmatch(string(text), -1) {
			want[m[1]] = f
		}
	}
	for id, of := range want {
		if _, ok := findTerm(id); !ok {
			t.Errorf("the glossary has no term %q (%s)", id, of)
		}
	}
	if len(want) < 30 {
		t.Errorf("only %d terms are wanted", len(want))
	}
}

// Every link of the glossary's page leads somewhere, and every ID is there once.
func TestGlossaryLinks(t *testing.T) {
	h := newHandler(t, engines.Local{})
	w := get(h, "/glossary")
	wantStatus(t, w, http.StatusOK)
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int{}
	var links []string
	for n := range doc.Descendants() {
		if id, ok := attr(n, "id"); ok {
			ids[id]++
		}
		if href, ok := attr(n, "href"); ok && n.Data == "a" {
			links = append(links, href)
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have ID %s", n, id)
		}
	}
	tests := 0
	for _, href := range links {
		page, anchor, _ := strings.Cut(href, "#")
		if strings.HasPrefix(page, "/?test=") {
			tests++
		}
		if page == "" || page == "/glossary" {
			if anchor != "" && ids[anchor] == 0 {
				t.Errorf("%s leads nowhere", href)
			}
		} else if w := get(h, page); w.Code != http.StatusOK {
			t.Errorf("%s: status %d", href, w.Code)
		}
	}
	if tests < 50 {
		t.Errorf("%d links to classic tests, want more", tests)
	}
	if n := len(glossary().byID); n < 90 {
		t.Errorf("%d terms", n)
	}
}

// What a text gets wrong is found when the program is built, with the line.
func TestReadGlossaryRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"words\n":                                `line 1: got text that is no term's: "words"`,
		": a | A\nwords\n":                       `line 1: got a term, want one of a new ID and with a name, in a group: ": a | A"`,
		"= G\n: a | A\nx\n: a | B\ny\n":          `line 4: got a term, want one of a new ID and with a name, in a group: ": a | B"`,
		"= G\n: a\nx\n":                          `line 2: got a term, want one of a new ID and with a name, in a group: ": a"`,
		"= G\n: a | A\n":                         "a has no text",
		"= G\n: a | A\nsee [b]\n":                "a leads to b, which is no term",
		"= G\n: a | A\nsee {NOSUCH}\n":           "a: NOSUCH is no classic test",
		"= G\n: a | A\nsee {SB|tso forbidden}\n": `a: "SB|tso forbidden": the catalogue has "allowed"`,
		"= G\n: a | A\nx\n> a paper\nmore x\n":   `line 5: got text after the sources: "more x"`,
	} {
		if _, err := readGlossary(text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func TestGlossarySearchWithoutScripts(t *testing.T) {
	h := newHandler(t, engines.Local{})
	checkHTML(t, get(h, "/glossary?q=store+buffer").Body,
		in("#found", hasText(`^\d+ terms have “store buffer”\.$`)),
		in("input[name=q]", hasAttr("value", "^store buffer$")),
		in("div#store-buffer"), in("div#tso"), notIn("div#rf"),
	)
	checkHTML(t, get(h, "/glossary?q=%3Cscript%3E").Body, in("#found", hasText(`^0 terms have “<script>”\.$`)), notIn("dl"))
}

func TestHelpIsReachedFromEveryPage(t *testing.T) {
	h := newHandler(t, engines.Local{})
	for _, page := range []string{"/", "/api/docs", "/glossary", "/catalogue"} {
		checkHTML(t, get(h, page).Body, in("header nav a[href=/glossary]", hasText("^Help$")))
	}
	checkHTML(t, get(h, "/glossary").Body, in("main a[href=/catalogue]"), in("main a[href=/api/docs]"))
	checkHTML(t, get(h, "/").Body, in("#welcome", hasText("memory model .*allows")), in("a#pick[href=/catalogue]"))
}

// Terms and tests are kept by browsers until they change.
func TestKeptLists(t *testing.T) {
	h := newHandler(t, engines.Local{})
	ask := func(path, tag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("If-None-Match", tag)
		return do(h, r)
	}
	for _, path := range []string{"/glossary/terms", "/classics/list"} {
		w := get(h, path)
		wantStatus(t, w, http.StatusOK)
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s is no JSON", path)
		}
		tag := w.Header().Get("ETag")
		again := ask(path, tag)
		if tag == "" || again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s, tag %s: status %d, %d bytes", path, tag, again.Code, again.Body.Len())
		}
		if w := ask(path, `W/"old"`); w.Code != http.StatusOK {
			t.Errorf("%s, another tag: status %d", path, w.Code)
		}
	}
}

// The shape of a test is told by its name.
func TestShapeOf(t *testing.T) {
	for name, want := range map[string]string{
		"SB": "sb", "SB+rfi-pos": "sb", "3.SB": "sb", "MP+lwsync+addr": "mp", "2+2W+mfences": "2-2w", "CoRR2": "corr", "CoRW1": "corw",
		"W+RWC": "w-rwc", "RWC+syncs": "rwc", "R+po+mfence": "r", "S": "s", "inc+retry": "inc", "spinlock": "spinlock",
		"Lamport": "", "n6": "", "Szymanski": "", "parker": "", "fib1": "",
	} {
		got := ""
		if s := shapeOf(name); s != nil {
			got = s.ID
		}
		if got != want {
			t.Errorf("%s: shape %q, want %q", name, got, want)
		}
	}
}

func TestBrowserTermCards(t *testing.T) {
	b := newTab(t, 1280, 800)
	b.open("/")
	const (
		shown = `document.querySelector("#term-card:popover-open")`
		gone  = `!document.querySelector("#term-card:popover-open")`
	)
	// Hover: the card comes, stays while the pointer is on it, and Escape puts it away.
	b.hover(".answer h2 a.term")
	b.wait(shown)
	b.wantText("#term-card b", "exists")
	b.hover("#term-card p")
	b.wait(shown)
	eval[any](b, `new Promise((done) => setTimeout(done, 400))`)
	b.wait(shown)
	b.key(kb.Escape)
	b.wait(gone)
	b.hover(".answer h2 .name")
	b.hover(".answer h2 a.term")
	b.wait(shown)
	b.hover("#picture h2")
	b.wait(gone)

	// Focus, by keyboard: the card describes the link; on a chip, its tick.
	b.key(kb.Tab)
	for range 60 {
		if eval[bool](b, `document.activeElement.matches(".models label[data-term=tso] input")`) {
			break
		}
		b.key(kb.Tab)
	}
	b.wait(shown)
	b.wantText("#term-card b", "TSO")
	if d := eval[string](b, `document.activeElement.getAttribute("aria-describedby")`); !strings.Contains(d, "term-card") {
		t.Errorf("the tick is described by %q", d)
	}
	b.key(kb.Tab)
	b.wait(`document.querySelector("#term-card b").textContent !== "TSO" || ` + gone)
	if n := eval[int](b, `document.querySelectorAll("[aria-describedby~=term-card]").length`); n > 1 {
		t.Errorf("the card describes %d things", n)
	}
}

func TestBrowserNewcomers(t *testing.T) {
	b := newTab(t, 1280, 720)
	b.open("/")
	// All three panes are in sight, with something in each.
	for _, place := range []string{"#source", ".outcomes tbody tr:nth-child(4)", ".drawing svg"} {
		if top := eval[float64](b, `document.querySelector(`+quote(place)+`)?.getBoundingClientRect().top ?? 0`); top > 700 {
			t.Errorf("%s begins at %v", place, top)
		}
	}
	b.click("[data-walk]")
	for i, place := range []string{"#question", ".models", "#result", "#picture"} {
		b.wait(`document.querySelector("#walk:popover-open p")?.textContent.startsWith("` + string(rune('1'+i)) + ` of 4") && document.querySelector(".visited").matches("` + place + `")`)
		if box := eval[[]float64](b, `(() => { const r = document.getElementById("walk").getBoundingClientRect(); return [r.left, r.top, innerWidth - r.right, innerHeight - r.bottom]; })()`); box[0] < 0 || box[1] < 0 || box[2] < 0 || box[3] < 0 {
			t.Errorf("%s: the card is out of the window: %v", place, box)
		}
		b.key(kb.ArrowRight)
	}
	b.wait(`!document.getElementById("walk") && !document.getElementById("welcome").checkVisibility()`)
	b.wait(`document.activeElement.id === "pick"`)
	b.open("/?test=MP")
	if eval[bool](b, `document.getElementById("welcome").checkVisibility()`) {
		t.Error("the sentence is back")
	}
}

func TestBrowserGlossary(t *testing.T) {
	b := newTab(t, 1280, 800)
	b.open("/")
	b.do(chromedp.Navigate(b.url + eval[string](b, `document.querySelector("header nav a:last-child").pathname`)))
	b.wait(`document.querySelector(".glossary dl")`)
	b.click("input[type=search]")
	b.key("cumul")
	b.wait(`document.getElementById("found").textContent.endsWith("terms have “cumul”.")`)
	if !eval[bool](b, `document.getElementById("cumulativity").checkVisibility() && !document.getElementById("rf").checkVisibility()`) {
		t.Error("the wrong terms are left")
	}
	b.open(eval[string](b, `(({ pathname, search }) => pathname + search)(document.querySelector("#cumulativity a.test"))`))
	b.wantText("#pick-name", "WRC+addrs")
}

// TestBrowserSearchClassics: what is found first, and that Enter takes it.
func TestBrowserSearchClassics(t *testing.T) {
	b := newTab(t, 1280, 800)
	for _, c := range []struct{ at, query, first, also string }{
		{"SB", "dmb", "ARM/SB+dmbs", "AArch64/SB+dmb.sys"},
		{"AArch64/MP", "dmb", "AArch64/SB+dmb.sys", "ARM/SB+dmbs"},
		{"SB", "message passing", "MP", "RISCV/MP"},
		{"RISCV/SB", "message passing", "RISCV/MP", "MP"},
		{"SB", "IRIW", "IRIW", "PPC/IRIW+addrs"},
		{"PPC/SB", "iriw", "PPC/IRIW", "IRIW"},
		{"MP", "store buffering", "SB", "PPC/SB"},
		{"SB", "lwsync addr", "PPC/MP+lwsync+addr", "PPC/WRC+lwsync+addr"},
		{"SB", "load buffering arm", "ARM/LB", "AArch64/LB"},
		{"SB", "acquire", "AArch64/SB+polas", "RISCV/MP+amoswap.rl+amoor.aq"},
		{"SB", "spinlock", "spinlock", "PPC/lock+isync+lwsync"},
		{"PPC/SB", "spinlock", "spinlock", "PPC/lock+isync+lwsync"},
		{"SB", "mutex", "C/mutex", "spinlock"},
		{"SB", "risc-v fence.i", "RISCV/MP+fence.w.w+ctrlfencei", ""},
		{"SB", "intel coherence", "CoRR", "CoWW"},
		{"SB", "ldadd", "AArch64/inc+ldadd", ""},
		{"SB", "mp+syncs", "PPC/MP+syncs", "MIPS/MP+syncs"},
	} {
		b.open("/?test=" + queryEscape(c.at))
		b.click("#pick")
		b.key(c.query)
		b.wait(`document.querySelector("#picker a[data-test]")`)
		found := eval[[]string](b, `[...document.querySelectorAll("#picker a[data-test]")].map((a) => a.dataset.test)`)
		if found[0] != c.first {
			t.Errorf("%q at %s finds %q first, want %s", c.query, c.at, found[:min(len(found), 5)], c.first)
		}
		if c.also != "" && !strings.Contains(" "+strings.Join(found, " ")+" ", " "+c.also+" ") {
			t.Errorf("%q at %s does not find %s", c.query, c.at, c.also)
		}
	}
	b.open("/")
	b.click("#pick")
	b.key("load buffering arm")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "LB"`)
	b.answered()
	if url := eval[string](b, "location.search"); url != "?test=ARM%2FLB" {
		t.Errorf("address %s", url)
	}
	b.click("#pick")
	b.key("dmb.sy ctrl")
	b.wantText("#picker-count", fmt.Sprintf("3 of %d classic tests", len(catalogue.All())))
	b.wantText("#picker h2", "AArch64")
	if marks := eval[string](b, `[...document.querySelectorAll("#picker a:first-of-type mark")].slice(0, 2).map((m) => m.textContent).join()`); marks != "dmb.sy,ctrl" {
		t.Errorf("marked %s", marks)
	}
	b.key("zzz")
	b.wantText("#picker-count", "No classic test matches.")
}

// Tests that the visitor has edited are in the list, and come back from it.
func TestBrowserPickOnesOwn(t *testing.T) {
	b := newTab(t, 1280, 800)
	b.open("/")
	b.setSource("X86 mine\n{}\n P0         ;\n MOV [x],$7 ;\nexists (x=7)\n")
	b.click("#pick")
	b.key("mp")
	b.wait(`document.querySelector("#picker a[data-test=MP]")`)
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "MP"`)
	b.answered()
	b.click("#pick")
	b.key("mine")
	b.wait(`document.querySelector("#picker .list a b")?.innerText === "mine"`)
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "mine"`)
	b.answered()
	if text := eval[string](b, `document.querySelector(".cm-content").innerText`); !strings.Contains(text, "MOV [x],$7") {
		t.Errorf("the editor has %q", text)
	}
}
