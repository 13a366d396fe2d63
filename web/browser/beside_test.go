package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// places are where the events of each picture's drawing are, as an expression: relative to the drawing's left side, and
// to the page's top; on a phone, where one drawing is below the other, to the drawing's.
const places = `[...document.querySelectorAll(".picture .drawing")].map((d) => { const at = d.getBoundingClientRect();
	return [...d.querySelectorAll("svg:first-child .event")].filter((e) => e.getClientRects().length).map((e) => {
		const r = e.getBoundingClientRect();
		return [e.dataset.event, Math.round(r.left - at.left), Math.round(r.top - (innerWidth < 640 ? at.top : 0)),
			Math.round(r.width), Math.round(r.height)].join(); }).sort().join(" "); })`

// marked are the marked edges of each picture, as an expression: "a-b kept".
const marked = `[...document.querySelectorAll(".picture .drawing svg:first-child")].map((svg) =>
	[...svg.querySelectorAll("g.edge:not(.label)")].filter((g) => /marked-/.test(g.getAttribute("class"))).map((g) => {
		const name = (id) => svg.querySelector('[data-event="' + id + '"] .name').textContent.slice(0, -1);
		return name(g.dataset.from) + "-" + name(g.dataset.to) + " " + /marked-(\S+)/.exec(g.getAttribute("class"))[1];
	}).sort().join())`

// The pictures of two models share one layout, mark what the models do differently, and say so.
func TestBrowserComparesPictures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		test, column, beside string
		width                int64
		marks                []string
		says                 string
	}{
		{
			"SB", "sc", "tso", 1440,
			[]string{"a-b kept,c-d kept", "a-b given_up,c-d given_up"},
			"TSO gives up the order from Wx to Ry on P0 and from Wy to Rx on P1, which SC keeps; so the cycle is no " +
				"cycle in TSO.",
		},
		{
			"SB", "sc", "tso", 390,
			[]string{"a-b kept,c-d kept", "a-b given_up,c-d given_up"},
			"TSO gives up the order from Wx to Ry on P0 and from Wy to Rx on P1, which SC keeps; so the cycle is no " +
				"cycle in TSO.",
		},
		{
			"MP", "tso", "aarch64", 1280,
			[]string{"a-b kept,c-d kept", "a-b given_up,c-d given_up"},
			"AArch64 gives up the order from Wx to Wy on P0 and from Ry to Rx on P1, which TSO keeps; so the cycle " +
				"is no cycle in AArch64.",
		},
		{
			"LB", "power", "sc", 1280,
			[]string{"a-b given_up,c-d given_up", "a-b kept,c-d kept"},
			"Power gives up the order from Rx to Wy on P0 and from Ry to Wx on P1, which SC keeps; so the cycle is " +
				"no cycle in Power.",
		},
		{
			"PPC/IRIW+addrs", "power", "aarch64", 1280,
			[]string{"c-d given_up,f-a given_up", "c-d kept,f-a kept"},
			"Power gives up the order from Ry on P1 to Wy on P2 and from Rx on P3 to Wx on P0, which AArch64 keeps; " +
				"so the cycle is no cycle in Power.",
		},
		{
			"R", "tso", "sc", 1920,
			[]string{"c-d given_up", "c-d kept"},
			"TSO gives up the order from Wy to Rx on P1, which SC keeps; so the cycle is no cycle in TSO.",
		},
		{
			"MP", "sc", "tso", 1280,
			[]string{"", ""},
			"Both models forbid this execution by the same cycle: nothing in it differs.",
		},
	} {
		t.Run(fmt.Sprint(c.test, " ", c.column, " ", c.beside, " ", c.width), func(t *testing.T) {
			t.Parallel()
			b := newTab(t, c.width, 900)
			b.open("/?test=" + strings.ReplaceAll(c.test, "+", "%2B") + "&model=" + c.column + "&model=" + c.beside)
			eval[chromedp.Void](b, cell(c.column)+`.click()`)
			b.wait(
				`document.querySelector("#picture:not([aria-busy]) .picture")?.dataset.column === ` + quote(c.column),
			)
			b.besides(c.beside)
			if got := eval[string](b, `document.querySelector(".compared")?.firstChild.textContent`); got != c.says {
				t.Errorf("it says %q, want %q", got, c.says)
			}
			if got := eval[[]string](b, marked); !slices.Equal(got, c.marks) {
				t.Errorf("marked are %q, want %q", got, c.marks)
			}
			b.wait(places + `.every((p, i, all) => p.length > 20 && p === all[0])`)
			sizes := eval[[]string](b,
				`[...document.querySelectorAll(".picture svg.execution-graph")].map((s) => s.getAttribute("viewBox"))`)
			if len(sizes) != 2 || sizes[0] != sizes[1] {
				t.Errorf("the drawings have the sizes %q", sizes)
			}
			// Files and readers that do not see the drawing get the same.
			for i := range 2 {
				got := eval[string](
					b,
					fmt.Sprintf(`document.querySelectorAll(".picture .drawing desc")[%d]?.textContent`, i),
				)
				if got != c.says {
					t.Errorf("drawing %d is described by %q", i, got)
				}
			}
			for _, row := range []string{`[data-tab="graph"]`, ".drawing"} {
				if c.width >= 640 && eval[bool](b, `new Set([...document.querySelectorAll(`+quote(".picture "+row)+
					`)].map((e) => Math.round(e.getBoundingClientRect().top))).size !== 1`) {
					t.Errorf("%s is not aligned", row)
				}
			}
		})
	}
}
