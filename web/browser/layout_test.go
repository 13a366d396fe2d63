package browser

import (
	"testing"
)

// On a phone, the name of each model is over its own marks, and a wide order of models begins at its top.
func TestBrowserPhoneAlignsColumns(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.visit(b.url + "/museum/ck-arm")
	const off = `(() => {
		const middle = (e) => { const r = e.getBoundingClientRect(); return r.left + r.width / 2; };
		const table = document.querySelector(".verdict-table");
		const heads = [...table.querySelectorAll("thead th.model")];
		const marks = [...table.querySelector("tbody tr").querySelectorAll("td.mark")];
		return heads.length === marks.length
			? heads.filter((h, i) => Math.abs(middle(h) - middle(marks[i])) > 3).map((h) => h.innerText).join(" ")
			: heads.length + " names over " + marks.length + " marks";
	})()`
	if got := eval[string](b, off); got != "" {
		t.Errorf("not over their marks: %s", got)
	}
	b.visit(b.url + "/lattice?arch=AArch64")
	b.wait(`(() => {
		const models = [...document.querySelectorAll("svg.order text.model")];
		const top = models.find((e) => e.textContent === "SC").getBoundingClientRect();
		return top.left >= 0 && top.right <= innerWidth;
	})()`)
}

// Where the parts of a picture stand side by side, the list of models to compare with is whole.
func TestBrowserWideScreenShowsBeside(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1920, 1080)
	b.open("/?test=SB")
	b.drawn()
	if got := eval[string](b, `(() => {
		const list = document.querySelector("#picture .beside select");
		const { left, top, bottom } = list.getBoundingClientRect();
		const over = [top + 1, bottom - 1].map((y) => document.elementFromPoint(left + 9, y)).filter((e) => e !== list);
		return over.map((e) => e.tagName + "." + e.className).join(" ");
	})()`); got != "" {
		t.Errorf("the list is cut off: there is %s", got)
	}
	b.shoot("wide-beside")
}
