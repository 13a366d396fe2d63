package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/litmus/dialect"
	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// pageState is a page as a visitor may see it: where it is, and what was done there.
type pageState struct {
	name, path string
	reach      func(*tab) // nil: nothing
}

// pageStates are all pages, in the states that look different. SUITE stands for a suite's id.
var pageStates = []pageState{
	{"explorer", "/", nil},
	{"explorer-why", "/?test=IRIW", func(b *tab) {
		b.turnTo("why")
		b.wait(`document.querySelector(".modelpane .lit.broken")`)
		eval[chromedp.Void](b, `document.querySelectorAll(".why details").forEach((d) => { d.open = true; })`)
	}},
	{"explorer-mixed", "/", func(b *tab) { b.mixed() }},
	{"explorer-mixed-why", "/", func(b *tab) { b.mixed(); b.turnTo("why") }},
	{"explorer-mixed-steps", "/", func(b *tab) { b.mixed(); b.turnTo("steps") }},
	{"explorer-mixed-bytes", "/", func(b *tab) { b.torn() }},
	{"explorer-mixed-pieces", "/", func(b *tab) {
		b.torn()
		b.click("[data-pieces]")
		b.wait(`document.querySelector(".drawing.split")`)
	}},
	{"explorer-why-yet", "/?test=SB", func(b *tab) { b.turnTo("why") }},
	{"explorer-steps", "/?test=SB", func(b *tab) { b.turnTo("steps"); b.click("[data-go=start]") }},
	{"explorer-steps-power", "/?test=PPC/IRIW%2Blwsyncs", func(b *tab) { b.turnTo("steps") }},
	{"explorer-beside", "/?test=SB", func(b *tab) {
		eval[chromedp.Void](b,
			`(() => { const s = document.querySelector(".beside select"); s.value = "sc"; s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
		b.wait(`document.querySelectorAll(".picture").length === 2`)
	}},
	{"explorer-column", "/?test=SB", func(b *tab) {
		b.click("thead th[data-column=tso] button")
		b.wait(`document.querySelector(".card:popover-open")`)
	}},
	{"explorer-repair", "/?test=PPC/MP", func(b *tab) {
		b.wait(`document.querySelector(".picture .repairing button")`)
		b.click(".picture .repairing button")
		b.wait(`document.querySelector(".mended:not([aria-busy]) .repair")`)
		eval[chromedp.Void](b, `document.querySelector(".repair details").open = true`)
	}},
	{"explorer-tables", "/", func(b *tab) {
		b.setSource(webtest.MPTLBI)
		b.key(kb.Enter, chromedp.ModifierCtrl)
		b.wait(`document.querySelector("#pages tbody tr") && document.querySelector("#picture:not([aria-busy]) .event.implicit")`)
	}},
	{"explorer-scopes", "/", func(b *tab) {
		b.setSource(narrowMP)
		b.key(kb.Enter, chromedp.ModifierCtrl)
		b.wantWithin("#result", "MP+narrow")
		b.wait(`document.querySelector("#picture:not([aria-busy]) svg")`)
	}},
	{"explorer-options", "/", func(b *tab) {
		eval[chromedp.Void](b, `document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
	}},
	{"explorer-picker", "/", func(b *tab) {
		b.click("#pick")
		b.wait(`document.querySelector("#picker:popover-open a[data-test]")`)
	}},
	{"explorer-search", "/", func(b *tab) {
		b.click("#pick")
		b.key("dmb addr")
		b.wait(`document.querySelector("#picker:popover-open mark")`)
	}},
	{"explorer-walk", "/", func(b *tab) {
		b.click("[data-walk]")
		b.wait(`document.querySelector("#walk:popover-open")`)
	}},
	{"explorer-term", "/", func(b *tab) {
		b.hoverUntil(".answer h2 a.term", `document.querySelector("#term-card:popover-open")`)
	}},
	{"explorer-errors", "/", func(b *tab) {
		b.setSource("X86 broken\n{}\n P0          ;\n MOV [x],$1  ;\n FLY EAX,[x] ;\nexists (x=1)\n")
		b.wait(`document.querySelector(".cm-lintRange-error")`)
		b.key(kb.Enter, chromedp.ModifierCtrl)
		b.wait(`document.querySelector(".problem")`)
	}},
	{"explorer-complete", "/", func(b *tab) {
		b.caretBehind("MOV EAX,[y] | MOV EAX,[x] ;\n")
		b.wait(`!!document.querySelector(".cm-content[aria-autocomplete]")`)
		b.key("L")
		b.wait(offers + `.length > 0`)
	}},
	{"explorer-models", "/", func(b *tab) {
		b.click(".options summary")
		b.wait(`document.querySelector(".own-models.mounted")`)
		b.click(inModelTexts)
		b.insert("\"Mine\"\ninclude \"base.cat\"\nacyclic po | hb\n")
		b.wait(`document.querySelector(".own-models .problems li")`)
		b.click(".own-models .tools span button")
		b.wait(modelTabs + `.length === 2`)
	}},
	{"explorer-edited", "/", func(b *tab) {
		eval[any](b, `document.getElementById("rerun").click()`) // or it is answered soon
		b.click("#source")
		b.key(" ")
		b.wait(`document.querySelector(".edited")`)
	}},
	{"explorer-many", "/?test=Peterson", nil},
	{"explorer-compiled", "/", func(b *tab) {
		b.asks(webtest.Buffering, "rc11")
		b.click(".compile summary")
		b.click(`.compile button[value="aarch64"]`)
		b.wait(`document.querySelector(".made:not([aria-busy]) .mapping.wrong")`)
	}},
	{"explorer-compiled-all", "/", func(b *tab) {
		b.asks(webtest.Buffering, "rc11")
		b.click(".compile summary")
		b.click(`.compile button[value="all"]`)
		b.wait(`document.querySelector("dialog .row")`)
		b.hover(`dialog [data-to=x86_64] li`)
	}},
	{
		"explorer-c", "/",
		func(b *tab) { b.asks(rcuMP, "lkmm", "sc"); b.wait(`document.querySelector(".drawing .around")`) },
	},
	{"explorer-c-why", "/", func(b *tab) {
		b.asks(rcuMP, "lkmm", "sc")
		b.turnTo("why")
		b.wait(`document.querySelector(".why .cycle")`)
	}},
	{"explorer-c-race", "/?test=C/MP%2Bponarlx%2Bctrlrlxna", func(b *tab) {
		b.wait(`document.querySelector(".picture .event.cycle")`)
	}},
	{"explorer-c-flag", "/", func(b *tab) {
		b.asks(kernelLocks, "lkmm", "tso")
		b.click("[data-flag=data-race]")
		b.wait(`document.querySelector(".picture .event.cycle")`)
	}},
	{"explorer-c-steps", "/", func(b *tab) {
		b.asks(kernelLocks, "tso")
		b.turnTo("steps")
		b.click("[data-go=start]")
		b.click("[data-go=forward]")
		b.click("[data-go=forward]")
	}},
	{"explorer-c-errors", "/", func(b *tab) {
		b.setSource("C broken\n{}\nP0(int *x)\n{\n  int r0 = READ_TWICE(*x);\n  if (r0) {\n}\nexists (0:r0=1)\n")
		b.wait(`document.querySelector(".cm-lintRange-error")`)
		b.key(kb.Enter, chromedp.ModifierCtrl)
		b.wait(`document.querySelector(".problem")`)
	}},
	{"explorer-share", "/?test=SB", func(b *tab) {
		b.click("#share")
		b.wait(`document.querySelector("#share-menu:popover-open")`)
		b.pressCopy("run command")
	}},
	{"exploration", "/exploration?test=SB&model=sc", func(b *tab) {
		b.wait(`document.documentElement.classList.contains("live")`)
		b.click(".tour ol li:nth-child(5) a")
		b.wait(`document.querySelector(".graph-shown:not([aria-busy]) .count")?.textContent === "Graph 5 of 7"`)
		b.key(kb.ArrowDown)
		b.wait(`document.querySelector(".graph-shown:not([aria-busy]) .lead")`)
	}},
	{"exploration-many", "/exploration?test=Peterson%2Bloops&model=sc&at=7", nil},
	{"embed", "/embed?test=SB", func(b *tab) { b.wait(`document.querySelector("html.live .drawing svg")`) }},
	{"embed-why", "/embed?test=MP", func(b *tab) {
		b.wait(`document.querySelector("html.live .drawing svg")`)
		b.turnTo("why")
	}},
	{"verify", "/programs", func(b *tab) { b.verified() }},
	{"verify-steps", "/programs", func(b *tab) {
		b.verified()
		b.turnTo("steps")
		b.click("[data-go=start]")
		for range 4 {
			b.click("[data-go=forward]")
		}
	}},
	{"verify-stepping", "/programs", func(b *tab) {
		b.verified()
		b.wait(`document.querySelector(".stepping .keys")?.checkVisibility()`)
		for range 6 {
			b.key(kb.F10)
		}
	}},
	{"verify-files", "/programs", func(b *tab) {
		b.verified()
		eval[any](b, dropped)
		b.wait(tabs + ` === "main.c* reader.c box.h"`)
		b.verified()
	}},
	{"verify-picker", "/programs", func(b *tab) {
		b.verified()
		b.click("#pick")
		b.key("queue")
		b.wait(`document.querySelector("#picker a[data-test]")`)
	}},
	{"verify-why", "/programs", func(b *tab) { b.verified(); b.turnTo("why") }},
	{"verify-verdicts", "/programs", func(b *tab) {
		b.verified()
		eval[chromedp.Void](b,
			`(() => { for (const m of document.querySelectorAll("input[name=model]")) m.checked = ["sc", "tso", "power", "rc11"].includes(m.value); })()`)
		b.click("#run")
		b.wait(`document.querySelector(".claim.u")`)
		b.verified()
	}},
	{"verify-repair", "/programs", func(b *tab) {
		b.verified()
		b.click(".claim.unsafe button[name=repair]")
		b.wait(`document.querySelector(".mended .repairs .hint")`)
		b.click(".repair .fails button")
		b.wait(`document.querySelector(".execution:not([aria-busy]) .drawing svg")`)
	}},
	{"verify-options", "/programs", func(b *tab) {
		b.verified()
		eval[chromedp.Void](b, `document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
	}},
	{"verify-errors", "/programs", func(b *tab) {
		b.verified()
		b.writeProgram("#include <assert.h>\n\nint main(void)\n{\n\tassert(1;\n\toops here;\n}\n")
		b.wait(`document.querySelector(".cm-lintRange-error")`)
		b.key(kb.Enter, chromedp.ModifierCtrl)
		b.wait(`document.querySelector(".problem")`)
	}},
	{
		"verify-edited", "/programs",
		func(b *tab) { b.verified(); b.focusEditor(); b.key(" "); b.wait(`document.querySelector(".edited")`) },
	},
	{"verify-complete", "/programs", func(b *tab) {
		b.verified()
		b.writeProgram("#include <stdatomic.h>\n\natomic_int turn;\n\nint main(void)\n{\n\t")
		b.wait(`!!document.querySelector(".cm-content[aria-autocomplete]")`)
		b.key("atomic_")
		b.wait(offers + `.length > 0`)
	}},
	{"cycles", "/cycles", func(b *tab) { b.cycleJudged() }},
	{"cycles-menu", "/cycles?arch=PPC&cycle=LwSyncdWW+Rfe+DpAddrdR+Fre", func(b *tab) {
		b.cycleJudged()
		b.click("#edge-2")
		b.wait(`document.querySelector("#menu:popover-open")`)
	}},
	{"cycles-access", "/cycles?arch=AArch64&cycle=PodWWPL+RfeLA+PodRRAP+Fre", func(b *tab) {
		b.cycleJudged()
		b.click("#event-1")
		b.wait(`document.querySelector("#menu:popover-open")`)
	}},
	{"cycles-sizes", "/cycles?arch=AArch64&cycle=PodWWw0h2+Rfeh2w0+PodRRw0w0+Frew0w0", func(b *tab) {
		b.cycleJudged()
		b.click(
			eval[string](b,
				`["#event-1", "#tall-event-1"].find((ring) => document.querySelector(ring).checkVisibility())`))
		b.wait(`document.querySelector("#menu:popover-open")`)
	}},
	{
		"cycles-large", "/cycles?arch=RISCV&cycle=Fence.rw.rwdWR+Fre+PodWW+Rfe+DpAddrdW+Rfe+Fence.r.rwdRR+Fre",
		func(b *tab) { b.cycleJudged() },
	},
	{"cycles-error", "/cycles?arch=X86&cycle=PodWR+Wse+PodWR+Fre", nil},
	{
		"cycles-family",
		"/cycles?arch=PPC&cycle=PodWW+Rfe+PodRR+Fre&relax=Rfe+Fre+Wse+Pod**+Syncd**+LwSyncd**&from=4&to=6",
		func(b *tab) { b.cycleJudged() },
	},
	{"suites", "/suites", nil},
	{"suite", "/suites/SUITE", func(b *tab) { b.matrixReady() }},
	{"compare", "/compare", nil},
	{"api", "/api/docs", nil},
	{"model", "/models/power", nil},
	{"manual", "/docs", nil},
	{"manual-page", "/docs/programs", nil},
	{"manual-found", "/docs?q=data+race", nil},
	{"glossary", "/glossary", nil},
	{"glossary-found", "/glossary?q=store+buffer", nil},
	{"catalogue", "/catalogue", nil},
	{"catalogue-shape", "/catalogue?shape=PPOCA", nil},
	{"catalogue-found", "/catalogue?arch=PPC&q=WRC+allowed:power&forbidden=aarch64", nil},
	{"lattice", "/lattice?arch=PPC", nil},
	{
		"distinguish", "/distinguish?left=tso&right=pso",
		func(b *tab) { b.wait(`document.querySelector(".found:not([aria-busy]) .differs")`) },
	},
	{"museum", "/museum", nil},
	{
		"museum-exhibit", "/museum/ck-hs",
		func(b *tab) { b.wait(`document.querySelector("html.live #execution .drawing svg")`) },
	},
	{"museum-mended", "/museum/linux-qspinlock?build=fixed", nil},
	{"lessons", "/learn", nil},
	{"lesson", "/learn/litmus-tests", func(b *tab) {
		b.click("#test-1 button.v")
		b.wait(`document.querySelector("#test-1 .drawing svg")`)
		b.click("#question-1 li:nth-child(1) input")
		b.click("#question-1 [data-answer]")
	}},
	{"lesson-done", "/learn/litmus-tests", func(b *tab) {
		b.click("#test-2 input[value=allowed]")
		b.click("#test-2 [data-reveal]")
		b.click("#exercise-1 textarea")
		b.wait(`document.querySelector("#exercise-1 .cm-content")`)
		b.click("#exercise-1 button.main")
		b.wait(`document.querySelector("#exercise-1 .checked")`)
	}},
	{"lesson-print", "/learn/litmus-tests?print", nil},
	{"lesson-slides", "/learn/litmus-tests#slide=3.1", func(b *tab) {
		b.wait(`document.querySelector(".deck .page.on:not([aria-busy])")`)
	}},
	{"lesson-slide-question", "/learn/store-buffers#slide=8.1", func(b *tab) {
		b.wait(`document.querySelector(".deck .page.on:not([aria-busy])")`)
	}},
	{"lesson-slide-picture", "/learn/store-buffers#slide=3.3", func(b *tab) {
		b.wait(`document.querySelector(".deck .page.on:not([aria-busy]) svg")`)
	}},
	{"lesson-slide-notes", "/learn/store-buffers#notes=6", func(b *tab) {
		b.wait(`document.querySelector(".deck .next-stage .page")`)
	}},
	{"course", "/course", nil},
	{"course-student", "STUDENT /course", nil},
	{"course-sheet", "/course/models", nil},
	{"course-handed-in", "STUDENT /course/outcomes", func(b *tab) {
		b.click("#exercise-1 button.main")
		b.wait(`document.querySelector("#exercise-1 .checked")`)
		b.click("#exercise-1 .standing summary")
		b.click("#exercise-1 textarea")
		b.wait(`document.querySelector("#exercise-1 .cm-content")`)
	}},
	{"class", "/class", nil},
	{"class-compose", "/class", func(b *tab) {
		b.click(`form[action="/class/compose"] button.main`)
		b.wait(`document.querySelector("input[name=row]")`)
	}},
	{"class-teacher", "CLASS vote", nil},
	{"class-student", "CLASS vote /", func(b *tab) {
		b.click(`.vote[value="0:1"]`)
		b.wait(`document.getElementById("mine").innerText.startsWith("Your vote is in")`)
	}},
	{"class-invite", "CLASS wait /screen", nil},
	{"class-screen", "CLASS live /screen", nil},
	{"class-again-teacher", "CLASS again", nil},
	{"class-again-student", "CLASS again /", nil},
	{"class-revealed-teacher", "CLASS reveal", classPicture},
	{"class-revealed-student", "CLASS reveal /", classPicture},
	{"class-revealed-screen", "CLASS reveal /screen", classPicture},
	{"class-fences-student", "CLASS fences /", nil},
	{"class-fences-screen", "CLASS placed /screen", classPicture},
	{"class-edits-student", "CLASS edits /", func(b *tab) {
		b.click(`label:has([name="place-1"][value="1"])`)
		b.click("#ballot button.main")
		b.wait(`document.querySelector('#mine[data-mark="wrong"]')`)
	}},
	{"class-edits-revealed-student", "CLASS edited /", classPicture},
	{"class-edits-screen", "CLASS edits /screen", nil},
	{"class-edits-revealed-screen", "CLASS edited /screen", classPicture},
	{"class-choice-student", "CLASS choice /", nil},
	{"class-choice-screen", "CLASS choice /screen", nil},
	{"class-text-student", "CLASS text /", nil},
	{"class-text-teacher", "CLASS text", nil},
	{"class-text-revealed-student", "CLASS texts /", nil},
	{"class-text-revealed-teacher", "CLASS texts", nil},
	{"class-text-screen", "CLASS once /screen", nil},
	{"class-texts-screen", "CLASS texts /screen", nil},
	{"class-points-student", "CLASS points /", nil},
	{"class-points-teacher", "CLASS points", nil},
	{"class-points-screen", "CLASS points /screen", nil},
	{"class-gone", "CLASS over /", nil},
	{"missing", "/nowhere", nil},
	{"explorer-compiled", "/?test=SB", func(b *tab) {
		b.asks(storeBuffering, "rc11")
		b.wait(`document.querySelector("#result .compile")`)
		eval[chromedp.Void](b, `document.querySelector(".compile").open = true`)
		eval[chromedp.Void](b, `document.querySelector(".compile button[value=aarch64]").click()`)
		b.wait(`document.querySelector(".made:not([aria-busy]) .tied")`)
	}},
	{"explorer-listing", "/?test=SB", func(b *tab) {
		b.asks(storeBuffering, "rc11")
		b.wait(`document.querySelector("#result .compile")`)
		eval[chromedp.Void](b, `document.querySelector(".compile").open = true`)
		eval[chromedp.Void](b, `document.querySelector(".compile button[value=listing]").click()`)
		b.wait(`document.querySelector(".made:not([aria-busy]) textarea")`)
		eval[chromedp.Void](b, `document.querySelector(".made textarea").value = "P0:\n\tfrob\nP1:\n\tret\n"`)
		eval[chromedp.Void](b, `document.querySelector(".made button[value=listing]").click()`)
		b.wait(`document.querySelector(".made:not([aria-busy]) .problem a")`)
		eval[chromedp.Void](b, `document.querySelectorAll(".made details").forEach((d) => { d.open = true; })`)
	}},
}

// Tests in C: message passing with RCU's guarantee and sections in one another, and under a lock
// that one thread forgets.
const (
	rcuMP = `C MP+sync_rcu+rcus

{}

P0(int *x, int *y)
{
  WRITE_ONCE(*x, 1);
  synchronize_rcu();
  WRITE_ONCE(*y, 1);
}

P1(int *x, int *y, int *z)
{
  int r0;
  int r1;

  rcu_read_lock();
  r0 = READ_ONCE(*y);
  rcu_read_lock();
  WRITE_ONCE(*z, 1);
  rcu_read_unlock();
  r1 = READ_ONCE(*x);
  rcu_read_unlock();
}

exists (1:r0=1 /\ 1:r1=0)
`
	kernelLocks = `C locks

{}

P0(int *x, int *y, spinlock_t *s)
{
  spin_lock(s);
  *x = 1;
  WRITE_ONCE(*y, 1);
  spin_unlock(s);
}

P1(int *x, int *y, spinlock_t *s)
{
  spin_lock(s);
  int r0 = READ_ONCE(*y);
  spin_unlock(s);
  int r1 = *x;
}

exists (1:r0=0 /\ 1:r1=1)
`
)

// mixed asks about messages passed by accesses of several sizes.
func (b *tab) mixed() {
	b.setSource("AArch64 MP+mixed\n{ uint64_t x; uint64_t y; 0:X1=x; 0:X2=0x0202020202020202; 0:X3=y; 0:X4=1; " +
		"1:X1=x; 1:X3=y; }\n" +
		" P0          | P1             ;\n STR X2,[X1] | LDR W5,[X3]    ;\n DMB SY      | LDR W6,[X1,#4] ;\n" +
		" STR X4,[X3] |                ;\nexists (1:X5=1 /\\ 1:X6=0)\n")
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "MP+mixed"`)
	b.answered()
}

// torn asks about a read whose bytes come from three writes.
func (b *tab) torn() {
	b.setSource("AArch64 Torn\n{ uint64_t x; 0:X1=x; 0:X2=0x0101010101010101; 1:X1=x; 1:X2=0x22222222; 2:X1=x; }\n" +
		" P0          | P1             | P2          ;\n STR X2,[X1] | STR W2,[X1,#4] | LDR X3,[X1] ;\n" +
		"             | MOV W4,#3      |             ;\n             | STRH W4,[X1]   |             ;\n" +
		"exists (2:X3=0x2222222201010003)\n")
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "Torn"`)
	b.answered()
}

// asks types a test into the explorer, has it asked of these models alone, and waits for its picture.
func (b *tab) asks(source string, models ...string) {
	b.t.Helper()
	list, err := json.Marshal(models)
	if err != nil {
		b.t.Fatal(err)
	}
	// Once the text has been looked at, its dialect's models are ticked, and would be asked, too.
	eval[chromedp.Void](b,
		`(() => { const rerun = document.getElementById("rerun"); if (rerun.checked) rerun.click(); })()`)
	b.setSource(source)
	// it has been looked at, and its models are ticked
	b.wait(`document.getElementById("explore").elements.arch.value === ` + quote(dialect.Tongue(source)))
	eval[chromedp.Void](b,
		`(() => { for (const m of document.querySelectorAll("input[name=model]")) m.checked = `+string(list)+
			`.includes(m.value); })()`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	_, name, _ := strings.Cut(source, " ")
	name, _, _ = strings.Cut(name, "\n")
	b.wait(`document.querySelector(".outcomes h2 .name")?.textContent === ` + quote(name) +
		fmt.Sprintf(` && document.querySelectorAll(".outcomes thead [data-column]").length === %d`, len(models)))
	b.answered()
}

// verified waits for the answer to a program, and for the execution that it shows.
func (b *tab) verified() {
	b.t.Helper()
	b.wait(`document.querySelector("html.live body.verify #result:not([aria-busy]) > section")`)
	b.wait(
		`document.querySelector("#result > .problem") || !document.querySelector("button.show") || document.querySelector("#picture:not([aria-busy]) .picture")`)
}

// turnTo chooses a part of what there is to a picture: by its tab where one sees one, else by what the tab would do,
// as on wide screens all parts are there.
func (b *tab) turnTo(part string) {
	b.t.Helper()
	b.wait(`document.querySelector("[data-tab=` + part + `]")`)
	eval[chromedp.Void](b, `document.querySelector("[data-tab=`+part+`]").click()`)
}

// focusEditor goes to the editor, whatever of it is in sight.
func (b *tab) focusEditor() {
	b.t.Helper()
	eval[chromedp.Void](b, `document.querySelector(".cm-content").focus()`)
}

// writeProgram puts a program in the place of the one in the editor.
func (b *tab) writeProgram(text string) {
	b.t.Helper()
	b.focusEditor()
	b.key("a", chromedp.ModifierCtrl)
	b.insert(text)
}

// classPicture waits for the picture of an answer.
func classPicture(b *tab) { b.wait(`document.querySelector("#evidence .drawing svg")`) }

// inClass opens a class and brings it where a state's path says, "CLASS WHERE PAGE": without a
// page, it is the teacher's.
func inClass(t *testing.T, url, path string) string {
	t.Helper()
	p := (&webtest.School{T: t, URL: url}).Person()
	teach, join := p.Opens(append(webtest.SBFields(t), "model", "power", "ask", "power")...)
	p.Post(teach+"/add", false, "prompt", "Which of these makes a store wait?",
		"answer", "A store buffer", "answer", "A fence", "answer", "A cache that has the line", "answer",
		"A dependency", "right", "0")
	do := func(verbs ...string) {
		for _, verb := range verbs {
			p.Wants(http.StatusNoContent, teach+"/do", "do", verb)
		}
	}
	votes := func(item, round string, ballots ...string) {
		for _, ballot := range ballots {
			voter := (&webtest.School{T: t, URL: url}).Person()
			voter.Get(join)
			voter.Wants(http.StatusOK, join+"/vote", "item", item, "round", round, "ballot", ballot)
		}
	}
	_, page, _ := strings.Cut(strings.TrimPrefix(path, "CLASS "), " ")
	where := strings.Fields(path)[1]
	if where != "wait" {
		do("open")
		votes("0", "1", "1 0 0", "1 1 0", "1 1 1", "0 1 1", "1 1 1", "1 0 -")
	}
	switch where {
	case "live":
		do("live:1")
	case "again", "reveal":
		do("discuss", "open")
		votes("0", "2", "1 0 0", "1 0 0", "1 0 0", "1 1 0", "1 0 0")
		if where == "reveal" {
			do("reveal", "show:1")
		}
	case "fences", "placed":
		do("reveal", "goto:1", "open")
		votes("1", "1", "1 1", "1 0", "1 1", "0 0", "1 1")
		if where == "placed" {
			do("reveal")
		}
	case "edits", "edited":
		p.Post(teach+"/add", false, "lesson", "release-acquire")
		do("reveal", "goto:5", "open")
		votes("5", "1", "0 1 1 0", "0 1 2 0", "1 1 2 2", "0 1 1 0", "0 1 0 0", "0 0 0 0", "0 1 1 0")
		if where == "edited" {
			do("reveal")
		}
	case "choice":
		do("goto:2", "open")
		votes("2", "1", "0", "0", "3")
		if page == "/screen" {
			do("live:1", "close")
		}
	case "text", "once", "texts":
		p.Post(teach+"/add", false, "prompt", "Why may both loads read 0?", "written", "1")
		do("goto:3", "open")
		write := func(round string, texts ...string) {
			for _, text := range texts {
				voter := (&webtest.School{T: t, URL: url}).Person()
				voter.Get(join)
				voter.Wants(http.StatusOK, join+"/vote", "item", "3", "round", round, "text", text)
			}
		}
		write("1", "Stores wait in a buffer", "stores wait in a buffer", "STORES wait in a buffer", "Store buffers",
			"Store buffers", "The caches", "no idea",
			"Each processor's store goes to its own buffer first, and its load passes it: the other's memory still "+
				"has the 0 that it had at the beginning",
			"A rude word", "Reordering", "Out-of-order execution", "The compiler", "Because x86 is TSO",
			"Loads are faster than stores", "The memory is slow", "Missing fences")
		do("hide:A rude word")
		if where == "texts" {
			do("discuss", "open")
			write("2", "Stores wait in a buffer", "Stores wait in a buffer", "Stores wait in a buffer", "Store buffers",
				"Store buffers", "Missing fences")
		}
		if where != "text" {
			do("reveal")
		}
	case "points":
		do("board:1", "reveal", "leaders:1")
	case "over":
		p.Post(teach+"/end", false)
		return join
	}
	if page == "" {
		return teach
	}
	return join + strings.TrimSuffix(page, "/")
}

// inEachState brings a page into each of some states, at a width, in a theme, for f to look at.
func inEachState(
	t *testing.T, states []pageState, width, height int64, theme string, f func(t *testing.T, b *tab, s pageState),
) {
	// In the third week of a course, with solutions to look at, and work that is late or still to be done.
	course, codes := webtest.ExampleCourse(t, time.Now().AddDate(0, 0, -15))
	h := webtest.NewHouse(t, engines.Local{},
		func(c *web.Config) { c.Runner, c.Course, c.Tries = webtest.Proving{}, course, c.Store })
	suite := h.Stored(200, []string{"sc", "tso", "pso"}, mixed)
	srv := webtest.Serve(t, h)
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			b := openTab(t, srv.URL, width, height)
			b.dress(theme)
			path := s.path
			if path == "/suites/SUITE" {
				path = "/suites/" + suite.ID
			}
			if strings.HasPrefix(path, "CLASS ") {
				path = inClass(t, srv.URL, path)
			}
			if student, is := strings.CutPrefix(path, "STUDENT "); is {
				path = student
				b.visit(b.url + "/course")
				b.enters(codes["Ada"])
			}
			b.visit(b.url + path)
			if eval[bool](b, `document.body.classList.contains("explorer")`) {
				b.answered()
				if !strings.HasPrefix(s.name, "explorer-walk") && s.name != "explorer" {
					// which have the words for a first visit, unless the address has a test
					b.wait(`(() => { const close = document.querySelector("#welcome [data-close]");
						if (!close?.checkVisibility()) return true; close.click(); return false; })()`)
				}
			}
			if s.reach != nil {
				s.reach(b)
			}
			f(t, b, s)
		})
	}
}

// dress gives a tab a theme, light or dark, and nothing that moves.
func (b *tab) dress(theme string) {
	b.t.Helper()
	b.do(emulated(still, emulation.MediaFeature{Name: "prefers-color-scheme", Value: theme}))
}
