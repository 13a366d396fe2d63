package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestBrowserPickAnotherArchitecture(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	const shown = `[...document.querySelectorAll("#picker a[data-test]")].filter((a) => a.checkVisibility()).map((a) => a.dataset.test.split("/")[0])`
	const ticked = `[...document.querySelectorAll("input[name=model]:checked")].map((e) => e.value).join(" ")`
	b.click("#pick")
	b.wait(`document.querySelector("#picker:popover-open a[data-test]")`)
	if list := eval[[]string](b, shown); len(list) == 0 || list[0] != "SB" {
		t.Errorf("the list begins %q, want SB", list)
	}
	b.key(kb.Tab, chromedp.ModifierShift)
	b.key("pow")
	b.wait(`new Set(` + shown + `).size === 1 && ` + shown + `[0] === "PPC"`)
	b.key(kb.Tab)
	b.key("iriw lw")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "IRIW+lwsyncs"`)
	b.answered()
	if url := eval[string](b,
		"location.pathname + decodeURIComponent(location.search)"); url != "/?test=PPC/IRIW+lwsyncs" {
		t.Errorf("address %s", url)
	}
	if got := eval[string](b, ticked); got != "power tso riscv aarch64 sc" {
		t.Errorf("ticked %s", got)
	}
	b.wantText("tr.asked td:nth-child(6)", "✓\nallowed")

	// Within an architecture the visitor's choice stays.
	b.click("input[name=model][value=tso]")
	b.click("#pick")
	b.key("iriw+syncs")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "IRIW+syncs"`)
	b.answered()
	if got := eval[string](b, ticked); got != "power riscv aarch64 sc" {
		t.Errorf("ticked %s", got)
	}
	// Models of other architectures are a click away.
	if eval[bool](b, `document.querySelector("input[value=mips]").checkVisibility()`) {
		t.Error("mips is in sight for a test of Power")
	}
	b.click(".models summary")
	b.click("input[name=model][value=mips]")
	b.columns(5)
}

// An engine brings the models that it answers for, and its options; another engine gives
// back what was ticked.
func TestBrowserModelsGoWithTheEngine(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=PPC/SB%2Bsyncs")
	const (
		ticked  = `[...document.querySelectorAll("input[name=model]:checked")].map((e) => e.value).join(" ")`
		free    = `[...document.querySelectorAll("input[name=model]:enabled")].map((e) => e.value).join(" ")`
		options = `[...document.querySelectorAll(".fields [name^=option-]")].filter((e) => e.checkVisibility()).map((e) => e.name.slice(7)).join(" ")`
	)
	choose := func(engine string) {
		t.Helper()
		eval[chromedp.Void](b,
			`(() => { const e = document.getElementById("engine"); e.value = `+quote(engine)+
				`; e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
		b.answered()
	}
	want := func(what, js, value string) {
		t.Helper()
		if got := eval[string](b, js); got != value {
			t.Errorf("%s: got %q, want %q", what, got, value)
		}
	}
	b.click("details.options:last-of-type summary")
	want("options to begin with", options,
		"timeout unroll states executions acyclicity memory solver certify little-endian")

	choose("etso")
	b.columns(1)
	b.wait(`document.querySelector(".facts").textContent.includes("etso")`)
	want("ticked with etso", ticked, "tso")
	want("free with etso", free, "tso")
	want("options of etso", options,
		"timeout unroll states memory rounds timestamps nodes least solver certify little-endian")
	b.wantText("#engine-models", "etso supports TSO only.")
	want("reason", `document.querySelector("input[value=sc]").title`, "etso supports TSO only")
	want("own model", `String(document.getElementById("model-text").disabled)`, "true")

	choose("epso")
	b.wait(`document.querySelector(".outcomes thead [data-column=pso]")`)
	want("ticked with epso", ticked, "pso")

	// What is lowered for one engine is not asked of the next.
	eval[chromedp.Void](b, `document.querySelector("[name=option-timestamps]").value = "1"`)
	choose("axiomatic")
	b.columns(5)
	want("ticked with axiomatic again", ticked, "power tso riscv aarch64 sc")
	want("options of axiomatic", options,
		"timeout unroll states executions acyclicity memory solver certify little-endian")
	if eval[bool](b, `document.getElementById("engine-models").checkVisibility()`) {
		t.Error("a reason is left")
	}

	// A test of another architecture ticks its models, as far as the engine answers for them.
	choose("machine")
	b.columns(5)
	b.click("#pick")
	b.wait(`document.querySelector("#picker a[data-test='AArch64/SB']")`)
	eval[chromedp.Void](b, `document.querySelector("#picker a[data-test='AArch64/SB']").click()`)
	b.wait(
		`document.querySelector(".outcomes .name")?.innerText === "SB" && document.querySelector(".cm-content").innerText.startsWith("AArch64")`)
	b.columns(5)
	want("ticked for AArch64", ticked, "aarch64 tso riscv power sc")
	choose("axiomatic")
	b.columns(5)
	want("ticked for AArch64 by axiomatic", ticked, "aarch64 tso riscv power sc")

	// A permalink to a choice of engine comes up with what it answers for.
	choose("k-round")
	b.columns(1)
	b.open(strings.TrimPrefix(b.share("Short link"), b.url))
	want("free from a permalink", free, "tso")
	want("options from a permalink", options, "timeout unroll states memory rounds k least solver certify lse2")
}

// Registers, numbers and labels look like what they are in each dialect.
func TestBrowserColours(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	coloured := []struct{ test, text, colour string }{
		{"SB", "EAX", "register"},
		{"SB", "$1", "number"},
		{"SB", "MOV", "mnemonic"},
		{"spinlock", "L0", "label"},
		{"X86_64/SB", "%eax", "register"},
		{"PPC/MP+lwsync+ctrlisync", "r1", "register"},
		{"PPC/MP+lwsync+ctrlisync", "LC01", "label"},
		{"PPC/inc+lwarx-stwcx", "stwcx.", "mnemonic"},
		{"ARM/MP+dmb+ctrlisb", "R0", "register"},
		{"ARM/MP+dmb+ctrlisb", "#1", "number"},
		{"AArch64/MP+dmb.sy+ctrlisb", "W0", "register"},
		{"AArch64/MP+dmb.sy+ctrlisb", "SY", "mnemonic"},
		{"RISCV/MP+fence.w.w+ctrl", "t0", "register"},
		{"RISCV/MP+fence.w.w+ctrl", "w", "mnemonic"},
		{"RISCV/MP+fence.w.w+ctrl", "LC01", "label"},
		{"MIPS/SB+syncs", "$2", "register"},
		{"MIPS/SB+syncs", "1", "number"},
	}
	for i, c := range coloured {
		if i == 0 || coloured[i-1].test != c.test {
			b.open("/?test=" + url.QueryEscape(c.test))
		}
		got := eval[[]string](b,
			`[...document.querySelectorAll(".cm-line span")].filter((e) => e.textContent === `+quote(c.text)+`)
			.map((e) => getComputedStyle(e).color)`)
		want := eval[string](b, `(() => { const e = document.createElement("i"); document.body.append(e);
			e.style.setProperty("color", "var(--syn-`+c.colour+
			`)"); const v = getComputedStyle(e).color; e.remove(); return v; })()`)
		if len(got) == 0 {
			t.Errorf("%s: no %s", c.test, c.text)
		}
		for _, colour := range got {
			if colour != want {
				t.Errorf("%s: %s has colour %s, want %s (%s)", c.test, c.text, colour, c.colour, want)
				break
			}
		}
	}
}
