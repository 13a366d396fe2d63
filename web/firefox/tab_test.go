package firefox

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// tab is a page of somebody's, who has cookies and storage of their own.
type tab struct {
	*fox
	t   *testing.T
	id  string
	url string // the server's
}

func (f *fox) newTab(t *testing.T, url string) *tab {
	t.Helper()
	var who struct{ UserContext string }
	f.must("browser.createUserContext", none{}, &who)
	var page struct{ Context string }
	f.must("browsingContext.create", map[string]any{"type": "tab", "userContext": who.UserContext}, &page)
	b := &tab{f, t, page.Context, url}
	b.do("browsingContext.setViewport", map[string]any{"viewport": map[string]int{"width": 1280, "height": 900}})
	t.Cleanup(func() {
		f.must("browser.removeUserContext", map[string]any{"userContext": who.UserContext}, nil)
		if len(f.faults) > 0 {
			t.Errorf("the page has faults: %q", f.faults)
		}
		f.faults = nil
	})
	return b
}

// do has a command done in the tab.
func (b *tab) do(method string, params map[string]any) {
	b.t.Helper()
	params["context"] = b.id
	if err := b.tell(method, params, nil); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) open(path string) {
	b.t.Helper()
	b.do("browsingContext.navigate", map[string]any{"url": b.url + path, "wait": "complete"})
}

// ask is what an expression is in the page; an error where it goes to another meanwhile.
func ask[T any](b *tab, js string) (T, error) {
	var v T
	var out struct {
		Type   string
		Result struct{ Value string }
		Thrown struct{ Text string } `json:"exceptionDetails"`
	}
	err := b.tell("script.evaluate", map[string]any{
		"expression": "JSON.stringify(" + js + ") ?? 'null'", "target": map[string]string{"context": b.id},
		"awaitPromise": false,
	}, &out)
	if err == nil && out.Type != "success" {
		b.t.Fatalf("%s: %s", js, out.Thrown.Text)
	}
	if err == nil {
		err = json.Unmarshal([]byte(out.Result.Value), &v)
	}
	return v, err
}

func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := ask[T](b, js)
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// wait asks until an expression is true.
func (b *tab) wait(js string) {
	b.t.Helper()
	b.until(func() bool {
		done, err := ask[bool](b, "!!("+js+")")
		// A page that was asked may give way to the next.
		if err != nil && !strings.Contains(err.Error(), "no such") && !strings.Contains(err.Error(), "unknown error") {
			b.t.Fatalf("waiting for %s: %v", js, err)
		}
		return done
	}, js)
}

// longestWait bounds every single wait of a test.
const longestWait = 2 * time.Minute

// until tries anew until something is so, or the time is over that a wait has, or the tests have.
func (b *tab) until(so func() bool, what string) {
	b.t.Helper()
	b.do("browsingContext.activate", map[string]any{}) // a tab that nobody looks at is slow
	last := time.Now().Add(longestWait)
	if end, bounded := b.t.Deadline(); bounded && end.Add(-20*time.Second).Before(last) {
		last = end.Add(-20 * time.Second)
	}
	for pause := 5 * time.Millisecond; !so(); pause = min(2*pause, 100*time.Millisecond) {
		if time.Now().After(last) {
			b.t.Fatalf("waiting for %s: at %s", what,
				eval[string](b,
					`location.href + ", the page says " + document.querySelector("main")?.innerText.slice(0, 2000)`))
		}
		time.Sleep(pause)
	}
}

// reads waits until the page says something.
func (b *tab) reads(text string) {
	b.t.Helper()
	b.wait(`document.body?.innerText.replace(/\s+/g, " ").includes(` + quote(text) + `)`)
}

// click presses the mouse in the middle of an element.
func (b *tab) click(selector string) {
	b.t.Helper()
	e := `document.querySelector(` + quote(selector) + `)`
	b.wait(e + `?.checkVisibility()`)
	var at, before []int
	// It is pressed once it stands still, and nothing is above it.
	b.until(func() bool {
		before = at
		at = eval[[]int](b, `(() => { const e = `+e+`; e?.scrollIntoView({ block: "center", behavior: "instant" });
			const r = e?.getBoundingClientRect(), x = Math.round(r?.x + r?.width / 2), y = Math.round(r?.y + r?.height / 2);
			const hit = e && document.elementFromPoint(x, y);
			return hit && (e.contains(hit) || hit.contains(e)) ? [x, y] : []; })()`)
		return len(at) == 2 && slices.Equal(at, before)
	}, "a press of "+selector)
	b.act("pointer", []any{
		map[string]any{"type": "pointerMove", "x": at[0], "y": at[1]},
		map[string]any{"type": "pointerDown", "button": 0},
		map[string]any{"type": "pointerUp", "button": 0},
	})
}

// Keys that are no characters, as WebDriver has them.
const (
	ctrl  = "\uE009"
	enter = "\uE007"
	f10   = "\uE03A"
)

// keys types what is at hand; the first stays down where it is ctrl.
func (b *tab) keys(text string) {
	b.t.Helper()
	var up, list []any
	for _, r := range text {
		press := func(kind string) any { return map[string]any{"type": kind, "value": string(r)} }
		list = append(list, press("keyDown"))
		if string(r) == ctrl {
			up = append(up, press("keyUp"))
		} else {
			list = append(list, press("keyUp"))
		}
	}
	b.act("key", append(list, up...))
}

func (b *tab) act(device string, actions []any) {
	b.t.Helper()
	b.do("input.performActions",
		map[string]any{"actions": []any{map[string]any{"type": device, "id": device, "actions": actions}}})
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}
