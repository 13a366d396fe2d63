package browser

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"litmuscope/web"
	"litmuscope/web/webtest"
)

// enters enters a code on a course's page.
func (b *tab) enters(code string) {
	b.t.Helper()
	b.click("#code")
	b.insert(code)
	b.click(".door button.main")
	b.wait(`document.querySelector(".door strong")`)
}

// A student's way on a phone: a wrong code and the right one, a sheet, a try that is wrong and one that is right, and
// points, which are there the next day; the code is in no address.
func TestBrowserCourse(t *testing.T) {
	t.Parallel()
	dir, codes := webtest.ExampleCourse(t, time.Date(2190, 1, 4, 0, 0, 0, 0, time.UTC))
	s := webtest.NewSchool(t, func(c *web.Config) { c.Course = dir })
	b := openTab(t, s.URL, 390, 844)
	narrow := func() {
		t.Helper()
		if wide := eval[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
			t.Errorf("%s is wider than a phone", eval[string](b, "location.pathname"))
		}
	}
	// On paper there is nothing to enter or press, and who hands in.
	printed := func(selector string, want bool) {
		t.Helper()
		medium := func(name string) {
			b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
				_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})
				return chromedp.Void{}, err
			})
		}
		medium("print")
		if got := eval[bool](b, `document.querySelector(`+quote(selector)+`).checkVisibility()`); got != want {
			t.Errorf("%s is printed: %v", selector, got)
		}
		medium("")
	}
	b.visit(b.url + "/course")
	printed("#code", false)
	b.click("#code")
	b.insert("AAAA-BBBB-CCCC")
	b.click(".door button.main")
	b.reads("This course has no such code. Check the letters.")
	narrow()
	b.enters(strings.ToLower(codes["Ada"]))
	b.reads("You have 0 of 50 points.")
	printed(".door strong", true)
	printed(".door button", false)
	narrow()
	b.click(`.due a[href="/course/outcomes"]`)
	b.wait(`document.documentElement.classList.contains("live")`)
	b.reads("Due Monday 11 January 2190, 12:00 CET, for 4 points. Late work counts 50 % until Monday 18 " +
		"January 2190, 12:00 CET, and nothing after that.")
	if eval[bool](b, `document.querySelector(".solution") !== null`) {
		t.Error("the solution is on the page before the sheet is due")
	}
	b.click("#exercise-1 textarea")
	b.wait(`document.querySelector("#exercise-1 .cm-content")`)
	b.click("#exercise-1 button.main")
	b.comesToSay("#exercise-1 .verdict", "Not yet.")
	b.reads("0 of 2 points")
	narrow()
	b.do(chromedp.ScrollIntoView("#exercise-1 .cm-content"))
	b.click("#exercise-1 .cm-content")
	b.key("a", chromedp.ModifierCtrl)
	const right = "X86 LB\n{ x=0; y=0; }\n P0          | P1          ;\n MOV EAX,[x] | MOV EAX,[y] ;\n" +
		" MOV [y],$1  | MOV [x],$1  ;\nexists (0:EAX=1 /\\ 1:EAX=1)\n"
	b.insert(right)
	b.click("#exercise-1 button.main")
	b.comesToSay("#exercise-1 .verdict", "Done.")
	b.reads("2 of 2 points")
	narrow()
	b.visit(b.url + "/course/outcomes")
	b.wait(`document.documentElement.classList.contains("live")`)
	if got := eval[string](b, `document.querySelector("#exercise-1 textarea").value`); got != right {
		t.Errorf("what was handed in is %q on the page the next day", got)
	}
	b.click("#exercise-1 .standing summary")
	b.reads("done counts")
	b.click(".contents a")
	b.reads("You have 2 of 50 points.")
	b.reads("2 of 4 points")
	if at := eval[string](b,
		`[location.href, document.referrer, ...performance.getEntriesByType("resource").map((e) => e.name)].join(" ")`); strings.Contains(strings.ToUpper(strings.ReplaceAll(at, "-", "")), strings.ReplaceAll(codes["Ada"], "-", "")) {
		t.Errorf("the code is in an address: %s", at)
	}
	b.click(".door button")
	b.reads("Enter your code to submit exercises")
}
