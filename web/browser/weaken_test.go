package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// askBarriers presses the button that asks which barriers can go, and waits for the answer.
func (b *tab) askBarriers(button string) {
	b.t.Helper()
	b.wait(`document.querySelector(` + quote(button) + `)?.textContent === "Which barriers can go?"`)
	b.click(button)
	b.wait(`document.querySelector(".mended .repairs h3")?.textContent.includes("not need") &&
		!document.querySelector(".mended").innerText.includes("asked.") &&
		!document.querySelector(".mended").parentElement.querySelector(".waiting")`)
}

// A forbidden outcome has a button that asks which barriers can go: the weaker test opens in the editor, and costs lead
// to their table.
func TestBrowserWeakensTests(t *testing.T) {
	t.Parallel()
	const button = "#picture .repairing button"
	b := newTab(t, 1280, 900)
	b.open("/?test=AArch64%2FMP%2Bdmb.sys")
	eval[chromedp.Void](b, cell("aarch64")+`.click()`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) .picture")?.dataset.column === "aarch64"`)
	b.askBarriers(button)
	said := eval[string](b, `document.querySelector(".mended").innerText`)
	for _, want := range []string{
		"1 weaker test still forbids the outcome.", "P0: DMB ST instead of DMB SY", "saves 10",
		"P1: DMB LD instead of DMB SY", "Still needed:", "costs 6",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the answer lacks %q: %q", want, said)
		}
	}
	link := eval[string](b, `document.querySelector(".mended a.cost").getAttribute("href")`)
	b.click(".mended [data-take]")
	b.wait(`document.querySelector("#source .cm-content, .cm-content").innerText.includes("DMB LD")`)
	b.visit(b.url + link)
	b.wait(`document.querySelector(location.hash)?.innerText.includes("Costs in AArch64")`)

	b.open("/?test=SB%2Bmfences")
	b.key(kb.Escape)
	eval[chromedp.Void](b, cell("tso")+`.click()`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) .picture")?.dataset.column === "tso"`)
	b.askBarriers(button)
	said = eval[string](b, `document.querySelector(".mended").innerText`)
	for _, want := range []string{"Every barrier and order is needed:", "P0: MFENCE", "P1: MFENCE", "costs 20"} {
		if !strings.Contains(said, want) {
			t.Errorf("the answer lacks %q: %q", want, said)
		}
	}
	if eval[bool](b, `document.querySelector(".mended [data-take]") !== null`) {
		t.Error("a test that needs every barrier can be opened as another")
	}
}

// tooStrong is a message that is passed with stronger orders than it needs.
const tooStrong = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
int data;
atomic_int flag;
void *reader(void *p) {
  if (atomic_load_explicit(&flag, memory_order_seq_cst))
    assert(data == 1);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, reader, 0);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_seq_cst);
  pthread_join(id, 0);
}
`

// A safe program has the same button.
func TestBrowserWeakensPrograms(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.visit(b.url + "/programs?model=rc11")
	b.wait(`document.querySelector("html.live #result:not([aria-busy]) > section")`)
	b.setSource(tooStrong)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	const button = `.claim [name=repair][value="weaken rc11"]`
	b.askBarriers(button)
	said := eval[string](b, `document.querySelector(".mended").innerText`)
	for _, want := range []string{
		"2 orders can be weaker. The program stays safe.", "acquire instead of seq_cst in atomic_load_explicit",
		"release instead of seq_cst in atomic_store_explicit", "saves 8", "relaxed fails under rc11",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the answer lacks %q: %q", want, said)
		}
	}
	b.click(".mended [data-take]")
	b.wait(`document.querySelector(".cm-content").innerText.includes("memory_order_release")`)
}
