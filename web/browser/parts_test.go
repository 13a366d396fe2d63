package browser

import (
	"strings"
	"testing"

	"litmuscope/web/webtest"
)

// heldBack opens a page on a server that has no answer under some models until it is let go.
func heldBack(t *testing.T, page string, models ...string) (*tab, *webtest.Held) {
	t.Helper()
	held := &webtest.Held{Models: models, Go: make(chan struct{})}
	srv := webtest.Serve(t, webtest.NewHandler(t, held))
	b := openTab(t, srv.URL, 1280, 900)
	b.visit(srv.URL + page)
	return b, held
}

// letGo lets one of the answers go that are held back.
func (b *tab) letGo(held *webtest.Held) {
	b.t.Helper()
	ctx, stop := b.waiting()
	defer stop()
	select {
	case held.Go <- struct{}{}:
	case <-ctx.Done():
		b.t.Fatal("no answer is held back")
	}
}

// endsRun does what must have the server give up what it runs, once it runs it.
func (b *tab) endsRun(runs *webtest.Runs, do func()) {
	b.t.Helper()
	b.until("the server to run what is to be ended", runs.Running)
	before := runs.GivenUp()
	do()
	b.until("the server to give the answer up", func() bool { return runs.GivenUp() > before })
}

// columnSays waits until each cell of a column looks as it should, and the column's head says so much.
func (b *tab) columnSays(column, head, marks string) {
	b.t.Helper()
	b.wait(`(() => {
		const heads = [...document.querySelectorAll("thead th[data-column]")];
		const i = heads.findIndex((th) => th.dataset.column === ` + quote(column) + `);
		if (i < 0 || !` + head + `.test(heads[i].querySelector("small")?.textContent ?? "")) return false;
		return ` + marks +
		`.test([...document.querySelectorAll("tbody tr")].map((tr) => tr.querySelectorAll("button.v")[i].firstChild.textContent).join(""));
	})()`)
}

// Models that have answered are there while others are still asked, with the outcomes that are known of these by
// then; what is cancelled says so, and the others stay.
func TestBrowserColumnsComeAsTheyAnswer(t *testing.T) {
	t.Parallel()
	b, held := heldBack(t, "/?test=SB", "power")
	b.columnSays("sc", `/^$/`, `/^✗✓✓✓$/`)
	b.columnSays("tso", `/^$/`, `/^✓✓✓✓$/`)
	b.columnSays("power", `/^\d+\.\d s$/`, `/^✓.*…/`)
	b.wait(`/^Power \d+\.\d s$/.test(document.querySelector(".sentences .waiting").innerText)`)
	b.wantText(".sentences .fails", "No under SC.")
	b.wait(`!document.querySelector("#result[aria-busy]") && document.querySelector(".waiting-bar button")`)
	// The architecture's own model has answered: its picture need not wait.
	b.wait(`document.querySelector("#picture:not([aria-busy]) .picture h2")?.innerText.includes("TSO")`)
	b.click(`tbody tr:nth-child(2) td:last-child button.v`)
	b.wait(`document.querySelector(".picture h2").innerText.startsWith("✓ SC")`)

	b.endsRun(&held.Runs, func() { b.click(".waiting-bar button") })
	b.wait(`!document.querySelector(".waiting-bar")`)
	b.columnSays("power", `/^Cancelled$/`, `/^✓.*…/`)
	b.columnSays("tso", `/^$/`, `/^✓✓✓✓$/`)
	b.wantText(".sentences .waiting", "Power Cancelled")
	b.wait(`document.querySelector(".picture h2").innerText.startsWith("✓ SC")`)

	// Asked anew and let go, it answers.
	b.click("#run")
	b.columnSays("power", `/^\d+\.\d s$/`, `/^✓.*…/`)
	b.letGo(held)
	b.columnSays("power", `/^$/`, `/^✓✓✓✓$/`)
	b.wait(`!document.querySelector(".waiting-bar, .sentences .waiting")`)
	b.wait(`document.querySelector(".picture h2").innerText.startsWith("✓ SC")`)
}

// A visitor in the midst of an answer stays there when more of it comes.
func TestBrowserStaysInTheAnswerAsItComes(t *testing.T) {
	t.Parallel()
	b, held := heldBack(t, "/?test=SB", "power")
	b.columnSays("power", `/s$/`, `/^✓.*…/`)
	b.click(`tbody tr:nth-child(3) td:last-child button.v`)
	b.wait(`document.activeElement.matches("tbody tr:nth-child(3) td:last-child button.v[aria-pressed=true]")`)
	b.letGo(held)
	b.columnSays("power", `/^$/`, `/^✓✓✓✓$/`)
	b.wait(`document.activeElement.matches("tbody tr:nth-child(3) td:last-child button.v[aria-pressed=true]")`)
}

// What is typed while models are asked ends that, and the answer to what was there says what it lacks.
func TestBrowserTypingEndsWhatIsAsked(t *testing.T) {
	t.Parallel()
	b, held := heldBack(t, "/?test=SB", "power")
	b.columnSays("power", `/s$/`, `/^✓.*…/`)
	b.endsRun(&held.Runs, func() { b.setSource("X86 quick\n{}\n P0         ;\n MOV [y],$1 ;\nexists (y=1)\n") })
	b.wait(`document.querySelector(".outcomes .name").innerText === "quick"`)
	b.columnSays("power", `/s$/`, `/^✓$/`)
}

// Programs' models answer one by one, too.
func TestBrowserProgramsModelsComeAsTheyAnswer(t *testing.T) {
	t.Parallel()
	b, held := heldBack(t, "/programs", "tso")
	row := func(label, says string) {
		t.Helper()
		b.wait(`[...document.querySelectorAll(".claim .says")].some((row) => row.querySelector("b").innerText === ` +
			quote(label) + ` && ` + says + `.test(row.querySelector("b + span").textContent.trim()))`)
	}
	row("SC", `/^Safe$/`)
	row("TSO", `/^\d+\.\d s$/`)
	b.endsRun(&held.Runs, func() { b.click(".waiting-bar button") })
	row("TSO", `/^Cancelled$/`)
	row("SC", `/^Safe$/`)
	b.click("#run")
	row("TSO", `/^\d+\.\d s$/`)
	b.letGo(held)
	row("TSO", `/^(Safe|Unsafe)$/`)
	b.wait(`!document.querySelector(".waiting-bar")`)
}

// An edit of a program dims the answer to what was there, ends its run, and has what is there now answered.
func TestBrowserProgramsRunAsOneTypes(t *testing.T) {
	t.Parallel()
	b, held := heldBack(t, "/programs", "rc11")
	answers := func(text string) {
		t.Helper()
		b.wait(
			`document.querySelectorAll(".claim").length === 4 && document.querySelector(".claim:nth-child(3) code")?.innerText === ` + quote(text))
	}
	// How far an answer is, and what is known by then, stands where it is to be.
	b.wait(
		`[...document.querySelectorAll(".claim .facts")].some((e) => /: (running|encoding|looking|[a-z ]*\d+)/.test(e.innerText))`)
	b.letGo(held)
	answers("r0 == 1 || r1 == 1")
	b.wait(
		`!document.querySelector(".waiting-bar") && !document.querySelector(".claims").innerText.includes("looking")`)
	b.setSource("#include <assert.h>\nint main(void) { int n = 1; assert(n == ); }\n")
	b.wait(
		`document.querySelector(".bench.edited") && getComputedStyle(document.querySelector(".claims")).filter !== "none"`)
	b.caretBehind("n == ")
	b.key("2")
	answers("n == 2")
	b.wait(`document.querySelector(".claim [data-running]")`)
	b.endsRun(&held.Runs, func() {
		b.caretBehind("n == 2")
		b.key("3")
	})
	b.letGo(held)
	answers("n == 23")
	b.wait(`!document.querySelector(".waiting-bar, .edited")`)
}

// What comes in looks from the first as it stays: the old answer is dimmed, and not the new one.
func TestBrowserNewAnswersAreNotDimmed(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	eval[int](b, `(() => {
		window.dimmed = [];
		const look = () => {
			for (const e of document.querySelectorAll(".outcomes .sentences, .picture")) {
				if (e.dataset.seen) continue;
				e.dataset.seen = "";
				requestAnimationFrame(() => dimmed.push(getComputedStyle(e).filter));
			}
		};
		look();
		new MutationObserver(look).observe(document.querySelector("main"), { childList: true, subtree: true });
		dimmed.length = 0;
		return 0;
	})()`)
	b.setSource(strings.Replace(webtest.ClassicSource(t, "SB"), "X86 SB", "X86 other", 1))
	b.wait(`document.querySelector(".outcomes .name").innerText === "other"`)
	b.answered()
	b.wait(`dimmed.length >= 2`)
	for _, filter := range eval[[]string](b, `dimmed.slice(-2)`) {
		if filter != "none" {
			t.Errorf("a new answer is dimmed: %s", filter)
		}
	}
}
