package browser

import (
	"strings"
	"testing"
)

// The page runs a test on the processor beneath the browser. On x86-64, SB's weak outcome is seen and MP's never is,
// and with fences SB's is not; what the page says of each is what a visitor needs.
func TestBrowserRunsOnThisDevice(t *testing.T) {
	t.Parallel()
	const sb = "X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] " +
		";\nexists (0:EAX=0 /\\ 1:EAX=0)\n"
	const mp = "X86 MP\n{}\n P0         | P1          ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n" +
		"exists (1:EAX=1 /\\ 1:EBX=0)\n"
	fenced := strings.Replace(sb, " MOV EAX", " MFENCE      | MFENCE      ;\n MOV EAX", 1)
	b := newTab(t, 1280, 1000)
	b.open("/?test=SB")
	const askedCount = `document.querySelector("tr.asked td.this-device").innerText`
	const alarms = `[...document.querySelectorAll(".device .alarm")].map((e) => e.innerText).join("; ")`
	run := func(test string, models ...string) (asked string, alarm string) {
		b.asks(test, models...)
		b.wait(`document.querySelector("#result .device")`)
		b.click(".device summary")
		b.click(".device [data-run]")
		b.wait(`document.querySelector(".device .ran-code") && !document.querySelector(".device [data-run]").hidden`)
		return eval[string](b, askedCount), eval[string](b, alarms)
	}
	seen, alarm := run(sb, "tso", "sc")
	for tries := 0; seen == "not seen" && tries < 20; tries++ { // the machine may have no two processors to spare
		b.click(".device [data-run]")
		b.wait(`document.querySelector(".device [data-run]").hidden`)
		b.wait(`!document.querySelector(".device [data-run]").hidden`)
		seen, alarm = eval[string](b, askedCount), eval[string](b, alarms)
	}
	if seen == "not seen" || !strings.Contains(alarm, "forbidden by SC") ||
		strings.Contains(alarm, "TSO") {
		t.Errorf("SB's weak outcome: %s; said %q, want it seen, against SC alone", seen, alarm)
	}
	b.keeps("device-seen")
	if seen, alarm := run(mp, "tso", "sc"); seen != "not seen" || alarm != "" {
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
	b.click(".device [data-run]")
	b.wait(`document.querySelector(".device .ran").textContent.includes("RCU cannot run")`)
}
