package browser

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/parts/question"
	"litmuscope/web/webtest"
)

var writtenSite = flag.String("site", "", "a static site, as litmuscope site has written it, to try (task static-site)")

// below is where the tests' host has the site.
const below = "/a/host's/explore/"

// siteHost serves a static site below a path, with no header that a plain host would not send.
func siteHost(t *testing.T) *httptest.Server {
	t.Helper()
	if *writtenSite == "" {
		t.Skip("takes -site DIR (task static-site)")
	}
	host := http.NewServeMux()
	host.Handle("/", http.StripPrefix(below[:len(below)-1], http.FileServer(http.Dir(*writtenSite))))
	host.HandleFunc("/course.html", func(w http.ResponseWriter, _ *http.Request) { coursePage(t, w, below) })
	srv := webtest.Serve(t, host)
	return srv
}

func siteTab(t *testing.T) *tab {
	t.Helper()
	b := openTab(t, siteHost(t).URL, 1280, 900)
	b.url += below[:len(below)-1]
	return b
}

// What a site weighs on the way at most, in bytes: all of it, with texts as hosts send them that know Brotli, and as
// others do. The program is the same from both.
const (
	mostOfSite        = 8_700_000
	mostOfSiteGzipped = 8_900_000
)

func TestSiteWeighs(t *testing.T) {
	if *writtenSite == "" {
		t.Skip("takes -site DIR (task static-site)")
	}
	site := os.DirFS(*writtenSite)
	size := func(name string) int64 {
		if f, err := fs.Stat(site, name); err == nil {
			return f.Size()
		}
		return math.MaxInt64
	}
	var small, zipped, files int64
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".br") && !strings.HasSuffix(name, ".wasm.br") {
			return nil // a copy of another file
		}
		files++
		plain, gz := size(name), size(name+".gz")
		zipped += min(plain, gz)
		small += min(plain, gz, size(name+".br"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files: %d bytes with Brotli, %d bytes with gzip alone", files, small, zipped)
	if small > mostOfSite || zipped > mostOfSiteGzipped {
		t.Errorf("the site weighs %d bytes with Brotli and %d without, want %d and %d at most", small, zipped,
			mostOfSite, mostOfSiteGzipped)
	}
}

// Copies that hosts send in a file's place are that file.
func TestSiteCopies(t *testing.T) {
	if *writtenSite == "" {
		t.Skip("takes -site DIR (task static-site)")
	}
	for _, name := range []string{"index.html", "site.json", "models/tso/index.html"} {
		want, err := os.ReadFile(filepath.Join(*writtenSite, name))
		if err != nil {
			t.Fatal(err)
		}
		zipped, err := os.Open(filepath.Join(*writtenSite, name+".gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer zipped.Close()
		r, err := gzip.NewReader(zipped)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s.gz is another file: %d bytes, want %d; %v", name, len(got), len(want), err)
		}
	}
}

// A host that sends Brotli files as such has the browser decompress them: the site needs no decoder of its own, and the
// program stays for use without a network.
func TestBrowserSiteTakesBrotli(t *testing.T) {
	t.Parallel()
	host := siteHost(t)
	var decodes atomic.Bool // the engine has fetched the decoder
	front := webtest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm.br") {
			w.Header().Set("Content-Encoding", "br")
			w.Header().Set("Content-Type", "application/wasm")
		}
		if strings.Contains(r.URL.Path, "/brotli.") && r.Header.Get("Sec-Fetch-Dest") == "script" {
			decodes.Store(true)
		}
		host.Config.Handler.ServeHTTP(w, r)
	}))
	b := openTab(t, front.URL, 1280, 900)
	b.url += below[:len(below)-1]
	b.open("/?test=MP")
	b.wantText(".outcomes .name", "MP")
	b.wait(`navigator.serviceWorker.controller?.state === "activated"`)
	if decodes.Load() {
		t.Error("the site decompresses what the browser has decompressed")
	}
	front.CloseClientConnections()
	front.Close()
	b.open("/?test=LB")
	b.wantText(".outcomes .name", "LB")
}

// The page is there, with an answer, before the engine is; and the engine says the same.
func TestBrowserSiteAnswers(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	began := time.Now()
	b.visit(b.url + "/")
	b.wantText(".outcomes .name", "SB")
	t.Logf("first text after %v", time.Since(began))
	b.answered()
	t.Logf("own answer, cold, after %v", time.Since(began))
	began = time.Now()
	b.open("/?test=MP")
	b.wantText(".outcomes .name", "MP")
	t.Logf("a page that is made, after %v", time.Since(began))
	began = time.Now()
	b.click("input[name=model][value=riscv]")
	b.columns(eval[int](b, `document.querySelectorAll("input[name=model]:checked").length`))
	t.Logf("another answer, warm, after %v", time.Since(began))
}

// What a static site answers about each classic test is what run does, but for times: how far an answer came whose time
// was over is one of them, of which there may be few.
func TestBrowserSiteSaysWhatRunSays(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.open("/")
	tests := catalogue.All()
	if testing.Short() {
		var some []catalogue.Entry
		for i := 0; i < len(tests); i += 20 {
			some = append(some, tests[i])
		}
		tests = some
	}
	compared, late := 0, 0
	for _, e := range tests {
		asked := question.FirstModels(e.Arch)
		said, err := inTab(b, chromedp.Evaluate[string](`(async () => {
			const base = document.documentElement.dataset.base;
			const r = await fetch(base + "api/v1/explore", { method: "POST", headers: { "Content-Type": "application/json" },
				body: `+quote(mustJSON(t, map[string]any{"source": e.Source, "models": asked}))+` });
			return await r.text();
		})()`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Results []*solver.Result }
		if err := json.Unmarshal([]byte(said), &got); err != nil || len(got.Results) != len(asked) {
			t.Errorf("%s: %v: %.300s", e.ID(), err, said)
			continue
		}
		for i, m := range asked {
			want, err := engines.Run(t.Context(),
				solver.Task{Path: e.ID(), Source: e.Source, Model: m, Options: solver.DefaultOptions()})
			if err != nil {
				t.Fatal(err)
			}
			compared++
			if here, there := want, got.Results[i]; isLate(here) || isLate(there) {
				late++
				t.Logf("%s under %s: in the browser %s (%s), here %s (%s)", e.ID(), m, there.Verdict, there.Reason,
					here.Verdict, here.Reason)
				if contradict(here.Verdict, there.Verdict) {
					t.Errorf("%s under %s: %s in the browser, %s here", e.ID(), m, there.Verdict, here.Verdict)
				}
				continue
			}
			if g, w := plainResult(t, got.Results[i]), plainResult(t, want); g != w {
				t.Errorf("%s under %s:\nin the browser %s\nhere           %s", e.ID(), m, g, w)
			}
		}
	}
	if late*50 > compared {
		t.Errorf("of %d answers, %d were not there in time: this machine is too busy to compare them", compared, late)
	}
}

// isLate tells whether an answer's time was over.
func isLate(r *solver.Result) bool {
	return r.Status == solver.Unknown && strings.HasPrefix(r.Reason, "time limit")
}

func contradict(a, b solver.Verdict) bool {
	return a == solver.Allowed && b == solver.Forbidden || a == solver.Forbidden && b == solver.Allowed
}

// costs are the times and the memory of a result's statistics.
var costs = regexp.MustCompile(`,?"\w+_(ms|mib)":[^,}]+`)

// plainResult is a result without costs, and without what the file is called.
func plainResult(t *testing.T, r *solver.Result) string {
	t.Helper()
	one := *r
	h := one.Head()
	*h.MS, *h.Path, *h.Cached = 0, "", false
	return costs.ReplaceAllString(mustJSON(t, one), "")
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// After the first visit a site is there without its host: pages that are written, and those that are made.
func TestBrowserSiteOffline(t *testing.T) {
	t.Parallel()
	srv := siteHost(t)
	b := openTab(t, srv.URL, 1280, 900)
	b.url += below[:len(below)-1]
	b.open("/")
	b.wait(`navigator.serviceWorker.controller?.state === "activated"`)
	srv.CloseClientConnections()
	srv.Close()
	b.open("/?test=MP")
	b.wantText(".outcomes .name", "MP")
	b.visit(b.url + "/models/tso")
	b.wait(`document.querySelector("main h1")?.innerText.includes("TSO")`)
	b.visit(b.url + "/cycles/test?arch=X86&cycle=PodWR+Fre+PodWR+Fre") // no file is for it
	b.wait(`document.querySelector("main a[download]")?.innerText.endsWith(".litmus")`)
}

func TestBrowserSiteVerifiesAProgram(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.openProgram("/programs")
	want := newTab(t, 1280, 900)
	want.openProgram("/programs")
	const said = `document.querySelector("#result [data-summary]").dataset.summary`
	for _, tab := range []*tab{b, want} { // the answer comes in parts
		tab.wait(`!document.querySelector(".waiting-bar") && ` + said + `.length > 1`)
	}
	if got, want := eval[string](b, said), eval[string](want, said); got != want {
		t.Errorf("in the browser %q, on a server %q", got, want)
	}
}

// What is cancelled ends at once, and the next question is answered.
func TestBrowserSiteCancels(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.open("/")
	var heads, rows []string
	for i := range 7 {
		heads = append(heads, fmt.Sprintf(" P%d ", i))
		rows = append(rows, fmt.Sprintf(" MOV [x],$%d ", i+1))
	}
	text := "X86 long\n{}\n" + strings.Join(heads, "|") + ";\n"
	for _, to := range []string{"x", "y", "z"} {
		text += strings.ReplaceAll(strings.Join(rows, "|"), "[x]", "["+to+"]") + ";\n"
	}
	for _, r := range []string{"EAX,[x]", "EBX,[y]", "ECX,[z]"} {
		text += strings.Repeat(" MOV "+r+" |", 6) + " MOV " + r + " ;\n"
	}
	b.setSource(text + "exists (0:EAX=7 /\\ 1:EBX=6 /\\ 2:ECX=5)\n")
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".waiting-bar button")`)
	b.click(".waiting-bar button")
	b.wait(`document.querySelector("#drafts").innerText.startsWith("Cancelled")`)
	b.setSource("X86 mine\n{}\n P0         ;\n MOV [x],$7 ;\nexists (x=7)\n")
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "mine"`)
	b.answered()
}

// A link of a server opens on a static site to the same, and the other way round.
func TestBrowserSiteSharesLinks(t *testing.T) {
	t.Parallel()
	onSite, onServer := siteTab(t), newTab(t, 1280, 900)
	for _, way := range []struct{ from, to *tab }{{onSite, onServer}, {onServer, onSite}} {
		way.from.open("/?test=MP")
		way.from.click("input[name=model][value=riscv]")
		way.from.columns(eval[int](way.from, `document.querySelectorAll("input[name=model]:checked").length`))
		link := way.from.share("Link")
		if !strings.HasPrefix(link, way.from.url+"/#") {
			t.Fatalf("the link is %.80s, which does not begin with %s/#", link, way.from.url)
		}
		shown := eval[string](way.from, onShow)
		way.to.visit("about:blank")
		way.to.visit(way.to.url + strings.TrimPrefix(link, way.from.url))
		// A static page has an answer at once, though of the test that it was written with.
		way.to.wait(`document.querySelector(".outcomes .name")?.innerText === "MP"`)
		way.to.answered()
		if there := eval[string](way.to, onShow); there != shown {
			t.Errorf("not the same is on show: %s", firstDifference(shown, there))
		}
	}
}

// The hand-out of a lesson is a file that the site, wherever it is, answers for.
func TestBrowserSiteWritesHandouts(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.visit(b.url + "/learn/store-buffers")
	address := eval[string](b, `document.querySelector("a[href$='?handout']").href`)
	b.visit(address)
	b.wait(`document.querySelector("main a[download='store-buffers.html']")`)
	text, err := inTab(b,
		chromedp.Evaluate[string](`fetch(location.href).then((r) => r.text())`, chromedp.EvalAwaitPromise))
	if want := `<script src="` + b.url + `/litmus-test.js" defer`; err != nil ||
		!strings.Contains(html.UnescapeString(text), want) {
		t.Errorf("%v: no %s in %.600s", err, want, text)
	}
}

// coursePage is the example of a user's page, with its script from a site.
func coursePage(t *testing.T, w http.ResponseWriter, from string) {
	page, err := os.ReadFile("../../static/docs/litmus-test.html")
	if err != nil {
		t.Error(err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(bytes.ReplaceAll(page, []byte("https://litmus.example.org/"), []byte(from)))
}

// The static site, or a server elsewhere, answers a test in a user's page, which takes the answerer's script; the page
// may be a file.
func TestBrowserLitmusTestElement(t *testing.T) {
	t.Parallel()
	server := elsewhereServer(t)
	elsewhere := webtest.Serve(t,
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { coursePage(t, w, server.URL+"/") }))
	file := httptest.NewRecorder()
	coursePage(t, file, server.URL+"/")
	for name, page := range map[string]string{
		"site": "", "server": elsewhere.URL + "/course.html",
		"file": asFile(t, file.Body.Bytes()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "site" {
				page = siteHost(t).URL + "/course.html"
			}
			b := openTab(t, page, 1280, 900)
			b.visit(page)
			const inside = `document.querySelector("litmus-test").shadowRoot`
			b.wait(inside + `?.querySelector(".outcomes table") && ` + inside + `.querySelector("#picture svg")`)
			if got := eval[string](b,
				`[...`+inside+
					`.querySelectorAll("thead [data-column]")].map((e) => e.dataset.column).join()`); got != "tso,sc" {
				t.Errorf("columns %s, want tso,sc", got)
			}
			b.wait(inside + `.querySelector("a.open").hash.startsWith("#1=")`)
			if high := eval[int](b, `document.querySelector("litmus-test").offsetHeight`); high > 700 {
				t.Errorf("the element is %d px high, want what it shows, and not the window", high)
			}
			eval[chromedp.Void](b,
				`(() => { const e = `+inside+
					`.querySelector("textarea"); e.value = e.value.replace("SB", "mine").replaceAll("EAX,[y]", "EAX,[x]"); `+
					inside+`.querySelector("textarea + button").click(); })()`)
			b.wait(inside + `.querySelector("h1, .outcomes .name")?.textContent.startsWith("mine")`)
		})
	}
}

// Where a server does not let pages elsewhere ask, or is away, the page says so, and what to do.
func TestBrowserLitmusTestElementSaysWhyNot(t *testing.T) {
	t.Parallel()
	server := webtest.Serve(t, webtest.NewHandler(t, engines.Local{}))
	elsewhere := webtest.Serve(t,
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { coursePage(t, w, server.URL+"/") }))
	b := openTab(t, elsewhere.URL, 1280, 900)
	b.visit(elsewhere.URL + "/course.html")
	b.wait(`document.querySelector("litmus-test .problem")?.textContent.includes("requests from ` +
		elsewhere.URL + ` (CORS)")`)
	b.wait(`document.querySelector("litmus-test .problem").textContent.includes("serve --elsewhere")`)
}

func elsewhereServer(t *testing.T) *httptest.Server {
	t.Helper()
	config := webtest.TestConfig(engines.Local{})
	config.Elsewhere = true
	h, err := web.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := webtest.Serve(t, h)
	return server
}

// asFile is the address of a page on this disk.
func asFile(t *testing.T, page []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// The hand-out of a lesson, as a file on somebody's disk, is answered by the server that it is from: every test in it
// that is no reader's to write.
func TestBrowserHandout(t *testing.T) {
	t.Parallel()
	server := elsewhereServer(t)
	r, err := server.Client().Get(server.URL + "/learn/store-buffers?handout")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	page, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%v, %s", err, r.Status)
	}
	b := openTab(t, server.URL, 1280, 900)
	b.visit(asFile(t, page))
	const all = `[...document.querySelectorAll("litmus-test")]`
	b.wait(all + `.length > 1 && ` + all + `.every((e) => e.shadowRoot?.querySelector(".outcomes table, .problem"))`)
	if problems := eval[[]string](b,
		all+`.flatMap((e) => [...e.shadowRoot.querySelectorAll(".problem")].map((p) => p.textContent))`); len(
		problems) > 0 {
		t.Errorf("tests without an answer: %q", problems)
	}
	if got := eval[bool](b,
		`getComputedStyle(document.querySelector(".ballot")).display !== "" && [...document.styleSheets].length > 1`); !got {
		t.Error("the file does not look as its site does")
	}
}
