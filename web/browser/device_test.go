package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Tests whose condition asks for the weak outcome.
const (
	deviceSB = "X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] " +
		";\nexists (0:EAX=0 /\\ 1:EAX=0)\n"
	deviceMP = "X86 MP\n{}\n P0         | P1          ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n" +
		"exists (1:EAX=1 /\\ 1:EBX=0)\n"
)

// The page runs a test on the processor beneath the browser. On x86-64, SB's weak outcome is seen and MP's never is,
// and with fences SB's is not; what the page says of each is what a visitor needs.
func TestBrowserRunsOnThisDevice(t *testing.T) {
	t.Parallel()
	fenced := strings.Replace(deviceSB, " MOV EAX", " MFENCE      | MFENCE      ;\n MOV EAX", 1)
	b := newTab(t, 1280, 1000)
	b.open("/?test=SB")
	const askedCount = `document.querySelector("tr.asked td.this-device").innerText`
	const alarms = `[...document.querySelectorAll(".device .alarm")].map((e) => e.innerText).join("; ")`
	run := func(test string, models ...string) (asked string, alarm string) {
		b.asks(test, models...)
		b.opensDevice(700)
		b.click(".device [data-begin]")
		b.wait(`document.querySelector(".device .ran-code") && !document.querySelector(".device [data-begin]").hidden`)
		return eval[string](b, askedCount), eval[string](b, alarms)
	}
	seen, alarm := run(deviceSB, "tso", "sc")
	for tries := 0; seen == "not seen" && tries < 20; tries++ { // the machine may have no two processors to spare
		b.click(".device [data-begin]")
		b.wait(`document.querySelector(".device [data-begin]").hidden`)
		b.wait(`!document.querySelector(".device [data-begin]").hidden`)
		seen, alarm = eval[string](b, askedCount), eval[string](b, alarms)
	}
	if seen == "not seen" || !strings.Contains(alarm, "forbidden by SC") ||
		strings.Contains(alarm, "TSO") {
		t.Errorf("SB's weak outcome: %s; said %q, want it seen, against SC alone", seen, alarm)
	}
	b.keeps("device-seen")
	if seen, alarm := run(deviceMP, "tso", "sc"); seen != "not seen" || alarm != "" {
		t.Errorf("MP's weak outcome: %s; said %q", seen, alarm)
	}
	if seen, alarm := run(fenced, "tso", "sc"); seen != "not seen" || alarm != "" {
		t.Errorf("SB's weak outcome with fences: %s; said %q", seen, alarm)
	}
	b.keeps("device")
	if got := eval[string](b, `document.querySelector(".ran-code pre").textContent`); !strings.Contains(
		got,
		"atomic.fence",
	) {
		t.Errorf("the listing has no fence: %s", got)
	}
}

// opensDevice opens the answer's box for runs of some length, and waits until it can run.
func (b *tab) opensDevice(milliseconds int) {
	b.t.Helper()
	b.wait(`document.querySelector("#result .device")`)
	eval[chromedp.Void](b, fmt.Sprintf(`document.querySelector("#result .device").dataset.time = "%d"`, milliseconds))
	b.click(".device summary")
	b.wait(`document.querySelector(".device [data-begin]:enabled")`)
}

// Without a barrier, too: many more iterations, and the summary says how they were counted.
func TestBrowserRunsPerpetually(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 1000)
	b.open("/?test=SB")
	const askedCount = `document.querySelector("tr.asked td.this-device").innerText`
	const ran = `document.querySelector(".device .ran").innerText`
	// run runs a test until its condition is seen, up to some times.
	run := func(test string, tries int) (seen, said string) {
		b.asks(test, "tso", "sc")
		b.opensDevice(700)
		b.click(`.device .modes input[value="perpetual"]`)
		for try := 0; try < tries && (try == 0 || seen == "not seen"); try++ {
			b.click(".device [data-begin]")
			b.wait(`document.querySelector(".device [data-begin]").hidden`)
			b.wait(`!document.querySelector(".device [data-begin]").hidden`)
			seen, said = eval[string](b, askedCount), eval[string](b, ran)
		}
		return seen, said
	}
	fenced := strings.Replace(deviceSB, " MOV EAX", " MFENCE      | MFENCE      ;\n MOV EAX", 1)
	if seen, said := run(deviceSB, 20); seen == "not seen" || !strings.Contains(said, "forbidden by SC") ||
		strings.Contains(said, "TSO") || !strings.Contains(said, "without a barrier") ||
		!strings.Contains(said, "A count is a number of frames") {
		t.Errorf("SB's weak outcome: %s; said %q, want it seen, against SC alone", seen, said)
	}
	b.keeps("device-perpetual")
	for name, test := range map[string]string{"MP": deviceMP, "SB with fences": fenced} {
		if seen, said := run(test, 1); seen != "not seen" || strings.Contains(said, "forbidden") {
			t.Errorf("the weak outcome of %s: %s; said %q", name, seen, said)
		}
	}
	// A test of memory has no perpetual form, and the page says why.
	b.asks(strings.Replace(deviceSB, "exists (", "exists (x=1 /\\ ", 1), "tso", "sc")
	b.opensDevice(700)
	if !eval[bool](b, `document.querySelector(".device .modes").hidden &&
		document.querySelector(".device [data-about]").innerText.includes("the final value of x")`) {
		t.Errorf("the choice: %q", eval[string](b, `document.querySelector(".device").innerText`))
	}
}

// A run of eight threads shows counts while it runs, and ends at once when it is stopped.
func TestBrowserStopsARunOnThisDevice(t *testing.T) {
	t.Parallel()
	var names, first, second []string
	for i := range 8 {
		names = append(names, fmt.Sprintf("P%d", i))
		first = append(first, "MOV [x],$1 ")
		second = append(second, "MOV EAX,[y]")
	}
	first[7] = "MOV [y],$1 "
	test := "X86 eight\n{}\n " + strings.Join(names, " | ") + " ;\n " + strings.Join(first, " | ") + " ;\n " +
		strings.Join(second, " | ") + " ;\nexists (0:EAX=0 /\\ 1:EAX=1)\n"
	b := newTab(t, 1280, 1000)
	b.open("/?test=SB")
	b.asks(test, "tso")
	b.opensDevice(600_000)
	b.click(".device [data-begin]")
	b.wait(`/[1-9]\S* runs/.test(document.querySelector(".device .ran").innerText)`)
	b.click(".device [data-stop]")
	b.wait(`!document.querySelector(".device [data-begin]").hidden && document.querySelector(".device .ran-code")`)
}

// A page that cannot share memory says what is missing.
func TestBrowserSaysWhatRunsOnThisDeviceNeed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, want string }{
		"browser": {`Object.defineProperty(globalThis, "crossOriginIsolated", { value: false })`, "Safari since 15.2"},
		"insecure": {
			`for (const n of ["crossOriginIsolated", "isSecureContext"])
				Object.defineProperty(globalThis, n, { value: false })`, "over HTTPS",
		},
	} {
		b := newTab(t, 1280, 1000)
		b.open("/?test=SB")
		eval[bool](b, `{`+c.before+`} true`)
		b.wait(`document.querySelector("#result .device")`)
		b.click(".device summary")
		b.wait(`document.querySelector(".device .ran").textContent`)
		if got := eval[string](b, `document.querySelector(".device .ran").textContent`); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A test that cannot run is refused with the reason, before anything starts.
func TestBrowserRefusesToRunOnThisDevice(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 1000)
	b.open("/?test=SB")
	b.asks(
		"C RCU\n{}\nP0(int *x, int *y) {\n  rcu_read_lock();\n  int r0 = READ_ONCE(*y);\n  int r1 = READ_ONCE(*x);\n"+
			"  rcu_read_unlock();\n}\nP1(int *x, int *y) {\n  WRITE_ONCE(*x, 1);\n  synchronize_rcu();\n  "+
			"WRITE_ONCE(*y, 1);\n}\nexists (0:r0=1 /\\ 0:r1=0)\n",
		"lkmm",
	)
	b.wait(`document.querySelector("#result .device")`)
	b.click(".device summary")
	b.wait(`document.querySelector(".device .ran").textContent.includes("RCU cannot run")`)
}

// A lesson's tests run on the device, too, once the reader has predicted.
func TestLessonRunsOnThisDevice(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 1000)
	b.openLesson("/learn/your-machine")
	const box = `document.querySelector("#test-1 .device")`
	if eval[bool](b, box+`.checkVisibility()`) {
		t.Error("the button shows before the prediction")
	}
	for _, model := range []string{"sc", "tso", "aarch64"} {
		b.click(`#test-1 [name="guess-` + model + `"][value="allowed"]`)
	}
	b.click("#test-1 [data-reveal]")
	b.wait(box + `.checkVisibility()`)
	b.click("#test-1 .device summary")
	b.wait(`document.querySelector("#test-1 .device [data-begin]:enabled")`)
	b.keeps("lesson-device-open")
	b.click("#test-1 .device [data-begin]")
	b.wait(`document.querySelector("#test-1 .device .ran-code")`)
	b.keeps("lesson-device")
	got := eval[string](b, `document.querySelector("#test-1 .answer").innerText`)
	if !strings.Contains(got, "this device") || !strings.Contains(got, "with a barrier before each") {
		t.Errorf("after the run: %s", got)
	}
}

// Paper has no button.
func TestPrintedLessonHasNoRuns(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 1000)
	b.openLesson("/learn/your-machine?print")
	if eval[bool](b, `[...document.querySelectorAll(".device")].some((d) => d.checkVisibility())`) {
		t.Error("the page for printing offers to run tests")
	}
}
