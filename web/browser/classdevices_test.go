package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"litmuscope/solver"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/webtest"
)

// counted has the counts in a table of the page about devices, by outcome: those of a column.
func counted(b *tab, column string) map[string]int64 {
	b.t.Helper()
	return eval[map[string]int64](b, `Object.fromEntries(
		[...document.querySelectorAll("#devices tr[data-outcome]")].map((row) => [row.dataset.outcome,
			Number(row.querySelector("td.`+column+`").innerText.replace("not seen", "0").replaceAll(",", ""))])
		.filter(([, n]) => n))`)
}

// runsFor has a student press the button, for a shorter run than usual.
func (b *tab) runsFor(milliseconds int) {
	b.t.Helper()
	b.wait(`document.querySelector("#begin-run:not([hidden])")`)
	eval[chromedp.Void](b, fmt.Sprintf(`document.getElementById("devices").dataset.time = "%d"`, milliseconds))
	b.click("#begin-run")
}

// A class of twenty browsers runs a test. One student declines, one's browser cannot, one leaves in the middle. The
// projector shows exactly the sum of what the pages say that they counted, and of what the one who left had sent.
func TestBrowserClassRunsOnTwentyDevices(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens(webtest.SBFields(t)...)
	teacher, screen := schoolTab(s, teach, 1280, 900), schoolTab(s, join+"/screen", 1920, 1080)
	var students []*tab
	for n := range 20 {
		b := openTab(t, s.URL, 390, 844)
		if n == 2 {
			b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
				_, err := chromedp.Call(ctx, pageapi.AddScriptToEvaluateOnNewDocument,
					pageapi.AddScriptToEvaluateOnNewDocumentParams{
						Source: `Object.defineProperty(globalThis, "crossOriginIsolated", { value: false })`,
					})
				return chromedp.Void{}, err
			})
		}
		b.enter(join)
		students = append(students, b)
	}
	teacher.drives("open")
	teacher.wait(`document.querySelector('.drive [value="close"]')`)
	if eval[bool](teacher, `!!document.querySelector('[value="devices:1"]')`) {
		t.Error("devices can be asked during the vote")
	}
	teacher.drives("close")
	teacher.drives("devices:1")
	screen.reads("0 devices ran it")
	leaver, declines, cannot := students[0], students[1], students[2]

	// What the one who leaves has sent last, and what the server answered; nothing more goes out.
	leaver.wait(`document.querySelector("#begin-run:not([hidden])")`)
	leaver.keeps("devices-request")
	eval[chromedp.Void](leaver, `window.sent = null; const send = fetch; window.fetch = async (url, o) => {
		if (!String(url).endsWith("/report")) return send(url, o);
		if (sent) return new Promise(() => {});
		const r = await send(url, o);
		if (r.ok && Number(o.body.get("runs")) > 0) {
			const { outcomes } = await r.clone().json();
			sent = Object.fromEntries(Object.entries(JSON.parse(o.body.get("counts"))).map(([key, n]) => [outcomes[key], n]));
		}
		return r;
	};`)
	leaver.runsFor(600_000)
	leaver.wait("sent")
	want := eval[map[string]int64](leaver, "sent")
	leaver.reads("s left.")
	leaver.keeps("devices-running")
	leaver.visit("about:blank")

	declines.wait(`document.querySelector("#begin-run:not([hidden])")`)
	declines.click(`.request [value="declined"]`)
	declines.reads("You declined to run the test.")
	cannot.reads("This device cannot run the test.")
	// The page is drawn anew in the middle of some runs.
	for i, b := range students[3:] {
		b.runsFor(map[bool]int{true: 3000, false: 200}[i >= 14])
	}
	teacher.drives("reveal")
	for _, b := range students[3:] {
		b.wait(
			`/^Your device made .* runs?\.( Its|$)/.test(document.querySelector("#devices .own p")?.innerText ?? "")`,
		)
		own := counted(b, "own-count")
		runs := eval[string](b, `document.querySelector("#devices .own p").innerText`)
		sum := int64(0)
		for outcome, n := range own {
			want[outcome] += n
			sum += n
		}
		made := strings.Fields(strings.TrimPrefix(runs, "Your device made "))[0]
		if got := strings.ReplaceAll(made, ",", ""); got != fmt.Sprint(sum) {
			t.Errorf("a page says that its device made %s runs, and lists %d", got, sum)
		}
	}
	teacher.drives("counts:1")
	screen.reads("18 devices ran it, 1 declined, 1 cannot, 0 not answered")
	if got := counted(screen, "all-count"); !maps.Equal(got, want) || len(got) == 0 {
		t.Errorf("the projector shows %v, the pages say %v", got, want)
	}
	if got := counted(teacher, "all-count"); !maps.Equal(got, want) {
		t.Errorf("the teacher's page shows %v, the pages say %v", got, want)
	}
	alarm := screen.text("#devices .alarm b")
	if weak := want["0:EAX=0; 1:EAX=0"]; (weak > 0) != (alarm == "Seen, but forbidden by SC:") {
		t.Errorf("SB's weak outcome was seen %d times, and the projector says %q", weak, alarm)
	}
	last := students[19]
	if got := counted(last, "all-count"); !maps.Equal(got, want) {
		last.reads(fmt.Sprintf("The class: %d devices", 18))
		if got = counted(last, "all-count"); !maps.Equal(got, want) {
			t.Errorf("a student's page shows %v for the class, want %v", got, want)
		}
	}
	last.keeps("devices-phone")
	own := counted(last, "own-count")
	last.do(chromedp.Reload())
	last.reads("The class: 18 devices")
	if got := counted(last, "own-count"); !maps.Equal(got, own) {
		t.Errorf("loaded anew, a page shows its own counts %v, want %v", got, own)
	}
	if eval[bool](last, `!!document.querySelector("#devices .request")`) {
		t.Error("who has run the test is asked again")
	}
	if w := eval[int64](last, "document.documentElement.scrollWidth"); w > 390 {
		t.Errorf("the page is %d pixels wide", w)
	}
	screen.keeps("devices-screen")
	teacher.keeps("devices-teacher")
	for name, b := range map[string]*tab{"screen": screen, "teacher": teacher, "phone": last} {
		b.do(emulated(still, emulation.MediaFeature{Name: "prefers-color-scheme", Value: "dark"}))
		b.keeps("devices-" + name + "-dark")
	}
}

// A test that cannot run on devices is refused with its name and the reason, and no student is asked.
func TestBrowserClassRefusesToRun(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	const rcu = "C RCU\n{}\nP0(int *x, int *y) {\n  rcu_read_lock();\n  int r0 = READ_ONCE(*y);\n" +
		"  int r1 = READ_ONCE(*x);\n  rcu_read_unlock();\n}\nP1(int *x, int *y) {\n  WRITE_ONCE(*x, 1);\n" +
		"  synchronize_rcu();\n" +
		"  WRITE_ONCE(*y, 1);\n}\nexists (0:r0=1 /\\ 0:r1=0)\n"
	teach, join := p.Opens("source", rcu, "model", "lkmm", "ask", "lkmm", "row", `{"0:r0":"1","0:r1":"1"}`)
	p.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	p.Wants(http.StatusNoContent, teach+"/do", "do", "close")
	teacher, b := schoolTab(s, teach, 1280, 900), schoolTab(s, join, 390, 844)
	teacher.drives("devices:1")
	teacher.wait(`document.querySelector(".refused:not([hidden])")`)
	if why := teacher.text(".refused"); !strings.Contains(why, "RCU") || !strings.Contains(why, "cannot run") {
		t.Errorf("refused: %q", why)
	}
	teacher.keeps("devices-refused")
	p.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
	b.reads("LKMM allowed")
	if eval[bool](b, `!!document.querySelector("#devices")`) {
		t.Error("a student is asked to run a test that cannot run")
	}
}

// The projector has a column for each kind of device, and its numbers grow while reports come in. Nothing is cut off,
// with many outcomes and all kinds of devices.
func TestBrowserClassCountsByKind(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens(
		"source",
		webtest.ClassicSource(t, "IRIW"),
		"model",
		"sc",
		"model",
		"tso",
		"ask",
		"sc",
		"ask",
		"tso",
		"row",
		"",
	)
	for _, do := range []string{"open", "reveal", "devices:1"} {
		p.Wants(http.StatusNoContent, teach+"/do", "do", do)
	}
	screen, phone := schoolTab(s, join+"/screen", 1920, 1080), schoolTab(s, join, 390, 844)
	screen.reads("0 devices ran it, 0 declined, 0 cannot, 1 not answered")
	phone.wait(`document.querySelector("#begin-run:not([hidden])")`)
	phone.click(`.request [value="declined"]`)
	runs := 0
	for n, kind := range class.DeviceKinds {
		counts := map[string]int{}
		sum := 0
		for outcome := range 16 {
			if outcome == 5 && kind.ID != "arm-android" { // 1, 0, 1, 0
				continue
			}
			key := fmt.Sprint(outcome&1, ",", outcome>>1&1, ",", outcome>>2&1, ",", outcome>>3&1)
			counts[key] = 123_456*(n+1) + outcome
			sum += counts[key]
		}
		runs += sum
		text, err := json.Marshal(counts)
		if err != nil {
			t.Fatal(err)
		}
		student := s.Person()
		student.Reads(join)
		student.Wants(http.StatusOK, join+"/report", "item", "0", "run", "1", "answer", "ran", "page", "a", "kind",
			kind.ID, "runs", fmt.Sprint(sum), "left", "0", "counts", string(text))
		screen.reads(fmt.Sprintf("%s ran it, 1 declined", solver.Count(n+1, "device")))
		screen.reads(server.Thousands(runs))
		phone.reads(fmt.Sprintf("The class: %s, %s runs", solver.Count(n+1, "device"), server.Thousands(runs)))
	}
	screen.wait(`document.querySelector("#devices .alarm b")?.innerText === "Seen, but forbidden by TSO, SC:"`)
	if cut := eval[bool](screen, `[...document.querySelectorAll(".asking, .asking *")].some((e) =>
		e.getBoundingClientRect().right > innerWidth || e.getBoundingClientRect().bottom > innerHeight)`); cut {
		t.Error("something is cut off")
	}
	screen.keeps("devices-kinds-screen")
	phone.keeps("devices-kinds-phone")
	laptop := schoolTab(s, teach, 1440, 900)
	laptop.reads("8 devices ran it")
	if w := eval[int64](laptop, "document.documentElement.scrollWidth"); w > 1440 {
		t.Errorf("the teacher's page is %d pixels wide", w)
	}
	eval[chromedp.Void](laptop, `document.getElementById("devices").scrollIntoView()`)
	laptop.keeps("devices-kinds-teacher")
}
