package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/web/webtest"
)

// selfModifying replaces a branch by NOP and makes the new instruction visible to fetches before it executes it.
const selfModifying = `AArch64 self-modifying
{
0:X0=NOP; 0:X1=P0:m0; 0:X9=0;
}
 P0          ;
 STR W0,[X1] ;
 DC CVAU,X1  ;
 DSB ISH     ;
 IC IVAU,X1  ;
 DSB ISH     ;
 ISB         ;
m0: B l0     ;
 MOV W9,#1   ;
l0:          ;
exists (0:X9=1)
`

// A test of Arm's system side that a visitor pastes has a verdict, its page tables as a table, and implicit events that
// are lighter than those of instructions.
func TestBrowserShowsArmSystems(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	for _, c := range []struct {
		source, name, verdict, entries string
	}{
		{webtest.MPTLBI, "MP-TLBI", "no", "PTE(x) PA(x) 0 1 1 0 1 1 Normal|PTE(y) PA(y) 1 1 1 0 1 1 Normal"},
		{selfModifying, "self-modifying", "yes", ""},
	} {
		b.setSource(c.source)
		b.key(kb.Enter, chromedp.ModifierCtrl)
		b.wantWithin("#result", "AArch64: "+c.verdict+",")
		b.wait(`document.querySelectorAll("#picture:not([aria-busy]) .event.implicit").length > 0`)
		if got := eval[string](b, `[...document.querySelectorAll("#pages tbody tr")]
			.map((r) => [...r.cells].map((c) => c.innerText.trim()).join(" ")).join("|")`); got != c.entries {
			t.Errorf("%s: the page tables are %q, want %q", c.name, got, c.entries)
		}
		// The text and the frame of each implicit event differ from those of each other event of a thread.
		look := func(events string) string {
			return eval[string](b, `[...new Set([...document.querySelectorAll(".drawing svg:first-of-type `+events+`")]
				.map((e) => [e.querySelector("text:not(.tags)"), e.querySelector(".card")]
					.map((part) => getComputedStyle(part).fill).join(" ")))].sort().join("|")`)
		}
		lighter, others := look(".event.implicit"), look(".event:not(.implicit, .initial, .more)")
		if lighter == "" || others == "" || lighter == others {
			t.Errorf("%s: implicit events look like %q, others like %q", c.name, lighter, others)
		}
	}
}
