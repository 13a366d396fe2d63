package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// storeBuffering is a test that C forbids, and x86 without its fences allows.
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

// withoutFences is what a compiler makes of storeBuffering that has lost its fences; with them, it is right.
const withoutFences = `	.text
P0:
	.loc 1 4 3
	movl	$1, x(%rip)
	FENCE
	.loc 1 5 8
	movl	y(%rip), %eax
	.loc 1 11 9
	movl	%eax, P0_r0(%rip)
	ret
P1:
	.loc 1 8 3
	movl	$1, y(%rip)
	FENCE
	.loc 1 9 8
	movl	x(%rip), %eax
	movl	%eax, P1_r0(%rip)
	ret
`

func listingOf(fence string) string { return strings.ReplaceAll(withoutFences, "	FENCE\n", fence) }

// handlerWith returns a handler that offers compilers.
func handlerWith(t *testing.T, limit time.Duration, commands ...string) http.Handler {
	t.Helper()
	c := webtest.TestConfig(engines.Local{})
	c.Compilers = webtest.Compilers(t, limit, commands...)
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A compiler of the server is a button of the answer, and its code stands beside the C test, with the verdict on it.
func TestCompileByACompiler(t *testing.T) {
	for command, instruction := range map[string]string{
		"gcc -O2": `xchgl|mfence`, "clang -O2 --target=aarch64-linux-gnu": `STLR`,
	} {
		t.Run(command, func(t *testing.T) {
			h := handlerWith(t, time.Minute, command)
			form := url.Values{"source": {storeBuffering}, "model": {"rc11"}}
			w := post(h, "/explore", form, false)
			wantStatus(t, w, http.StatusOK)
			if want := `value="compiler ` + command + `"`; !strings.Contains(w.Body.String(), want) {
				t.Errorf("the answer has no button %s", want)
			}
			form.Set("to", "compiler "+command)
			w = post(h, "/compile", form, false)
			wantStatus(t, w, http.StatusOK)
			checkHTML(
				t,
				w.Body,
				in("h3", hasText("^Compiled by "+command+" to ")),
				in(".mapping.right", hasText("^Right for this test: ")),
				in(
					".tied .source li[data-of=4] a.n",
				),
				in(".tied .thread li[data-of=4]"),
				in(".tied .thread", hasText(instruction)),
				in("details.listed pre", hasText("P0:")),
				in("a.button", hasText("^Open as a test$")),
				in("a[data-address]"),
			)
		})
	}
}

// A compiler that does not end is cut by the limit's name, and its messages are at the test's lines.
func TestCompilersFailByName(t *testing.T) {
	slow := webtest.FakeCompiler(t, "slowcc", "sleep 100")
	bad := webtest.FakeCompiler(t, "badcc",
		"echo 'test: In function P0:' >&2; echo 'test:5:12: error: no such thing' >&2; exit 1")
	spy := webtest.FakeCompiler(t, "spycc", "cat /etc/passwd >&2; exit 1")
	h := handlerWith(t, 2*time.Second, slow, bad, spy)
	form := url.Values{"source": {storeBuffering}, "to": {"compiler " + slow}}
	w := post(h, "/compile", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body, in(".problem strong", hasText(`slowcc: time limit of 2s reached\.$`)))

	form.Set("to", "compiler "+bad)
	w = post(h, "/compile", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body, in(".problem a[data-line=5]"), in(".problem li", hasText("badcc: no such thing")))

	form.Set("to", "compiler "+spy)
	w = post(h, "/compile", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	if text := w.Body.String(); !strings.Contains(text, "Permission denied") || strings.Contains(text, "root:") {
		t.Errorf("got %s", text)
	}
}

// A pasted listing is checked against the C test: the dropped fence is shown with the outcome, and a line that the page
// cannot read is named with its place in the listing.
func TestPastedListings(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {storeBuffering}, "to": {"listing"}}
	w := post(h, "/compile", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("pre", hasText("_Atomic\\(int\\) x")), in("textarea[name=listing]"),
		in("select[name=of] option[value=aarch64]"), in("details.options", hasText("-S -g1")))

	form.Set("of", "x86")
	form.Set("listing", listingOf(""))
	w = post(h, "/compile", form, true)
	wantStatus(t, w, http.StatusOK)
	checkHTML(
		t,
		w.Body,
		in(".mapping.wrong", hasText("^Allowed by TSO, not by RC11: the compiler, or a model, is wrong")),
		in(".more.wrong li", hasText("^0:r0=0; 1:r0=0 allowed by TSO, forbidden by RC11$")),
		in(".tied .source li[data-of=4]", hasText("atomic_store")),
		in(".tied .thread li[data-of=4]", hasText(`movl \$1,\(x\) movl \$1, x\(%rip\)`)),
		in("textarea[name=listing]"),
		in(".sentences .forbidden", hasText("^In C, RC11 forbids it$")),
	)

	form.Set("listing", listingOf("	mfence\n"))
	checkHTML(t, post(h, "/compile", form, false).Body, in(".mapping.right"), notIn(".more"))

	form.Set("listing", listingOf("	frob %eax\n"))
	w = post(h, "/compile", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(
		t,
		w.Body,
		in(".problem a[data-listing]", hasText("^line 5, column 2 of the listing$")),
		in(
			".problem li",
			hasText("frob is unknown"),
		),
		in("textarea[name=listing]", hasText("frob")),
		notIn(".mapping"),
	)

	// Without .loc, no instruction has a line, and the page says how to get them.
	var bare []string
	for l := range strings.Lines(listingOf("	mfence\n")) {
		if !strings.Contains(l, ".loc") {
			bare = append(bare, l)
		}
	}
	form.Set("listing", strings.Join(bare, ""))
	checkHTML(t, post(h, "/compile", form, false).Body, in(".mapping.right"),
		in(".hint.untied", hasText("does not say which line of C")), notIn(".tied .thread li[data-of]"))

	// Only RC11's axiom no-thin-air forbids load buffering: that is no bug of the compiler.
	form = url.Values{"source": {webtest.Buffering}, "to": {"listing"}, "of": {"aarch64"}, "listing": {`P0:
	adrp x0, x
	ldr w1, [x0, :lo12:x]
	adrp x2, y
	mov w3, #1
	str w3, [x2, :lo12:y]
	adrp x4, P0_r0
	str w1, [x4, :lo12:P0_r0]
	ret
P1:
	adrp x0, y
	ldr w1, [x0, :lo12:y]
	adrp x2, x
	mov w3, #1
	str w3, [x2, :lo12:x]
	adrp x4, P1_r0
	str w1, [x4, :lo12:P1_r0]
	ret
`}}
	checkHTML(t, post(h, "/compile", form, false).Body, in(".mapping.open", hasText("it is no bug of the compiler")),
		notIn(".wrong"))
}

// The same over REST. A server without compilers says so by name.
func TestRESTReadsListingsBack(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := postJSON(
		h,
		"/api/v1/compile",
		map[string]any{"source": storeBuffering, "to": "x86_64", "listing": listingOf("")},
	)
	wantStatus(t, w, http.StatusOK)
	var out struct {
		Arch, Source, Text string
		ThinAir            bool `json:"thin_air"`
		Threads            []struct {
			ID    int
			Lines []struct {
				Text, Was string
				From      int
			}
		}
		Check struct {
			Verdict string
			More    []map[string]string
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if out.Arch != "X86_64" || out.Check.Verdict != "wrong" || len(out.Check.More) != 1 || out.ThinAir ||
		out.Check.More[0]["1:r0"] != "0" || len(out.Threads) != 2 || out.Threads[1].Lines[0].From != 8 {
		t.Errorf("got %+v", out)
	}
	for body, want := range map[string]string{
		`{"source": ` + quoted(storeBuffering) + `, "compiler": "gcc -O2"}`: `This server offers no compilers. Start one with ` +
			`litmuscope serve --compilers \"gcc -O2\"`,
		`{"source": ` + quoted(storeBuffering) + `}`:                                                       `The field to is missing`,
		`{"source": ` + quoted(storeBuffering) + `, "to": "vax", "listing": "P0:"}`:                        `Listings of \"vax\" cannot be read back`,
		`{"source": ` + quoted(storeBuffering) + `, "to": "x86", "listing": "P0:\n\tfrob\nP1:\n\tret\n"}`:  `"location":"body.listing","file":"listing","line":2,"column":2`,
		`{"source": ` + quoted(storeBuffering) + `, "to": "x86", "variant": "a", "listing": "P0:\n\tret"}`: `The field variant chooses a mapping`,
	} {
		w := postJSON(h, "/api/v1/compile", json.RawMessage(body))
		wantStatus(t, w, http.StatusUnprocessableEntity)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got %s, want %s", body, w.Body, want)
		}
	}
	w = get(h, "/api/v1/compilers")
	if got := strings.TrimSpace(w.Body.String()); got != `{"compilers":[],"front_ends":[]}` {
		t.Errorf("got %s", got)
	}
	h = handlerWith(t, time.Minute, "gcc -O2")
	w = get(h, "/api/v1/compilers")
	if got := w.Body.String(); !strings.Contains(got, `"name":"gcc -O2","version":"gcc`) {
		t.Errorf("got %s", got)
	}
	w = postJSON(h, "/api/v1/compile", map[string]any{"source": storeBuffering, "compiler": "gcc -O2"})
	wantStatus(t, w, http.StatusOK)
	if got := w.Body.String(); !strings.Contains(got, `"verdict":"right"`) || !strings.Contains(got, `"listing":"`) {
		t.Errorf("got %s", got)
	}
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}
