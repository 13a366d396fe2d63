package browser

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// What takes long says so, can be cancelled, which ends it on the server, and leaves what was
// there before in sight.
func TestBrowserWaits(t *testing.T) {
	t.Parallel()
	runner := webtest.Slow{Ended: make(chan struct{}, 64)}
	srv := httptest.NewServer(webtest.NewHandler(t, runner))
	t.Cleanup(srv.Close)
	b := openTab(t, srv.URL, 1280, 900)
	b.open("/")
	b.setSource("X86 slow\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")
	b.click("#run")
	b.wait(`/^Running axiomatic .*: \d+\.\d s$/.test(document.querySelector("#result .waiting-bar span")?.textContent)`)
	if eval[string](b, `document.querySelector("#result").getAttribute("aria-busy")`) != "true" {
		t.Error("the old answer does not look old")
	}
	b.wantText(".outcomes .name", "SB")
	b.click("#result .waiting-bar button")
	select {
	case <-runner.Ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the work goes on")
	}
	b.wait(`!document.querySelector(".waiting-bar") && !document.querySelector("#result[aria-busy]")`)
	b.wantText(".outcomes .name", "SB")
	b.wait(`document.getElementById("drafts").textContent.startsWith("Cancelled.")`)
	if !eval[bool](b, `document.getElementById("drafts").checkVisibility()`) {
		t.Error("nobody sees that the run is cancelled")
	}
}

// A server that is gone is told of in words, and nothing that was typed is lost.
func TestBrowserServerIsGone(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(webtest.NewHandler(t, engines.Local{}))
	b := openTab(t, srv.URL, 1280, 900)
	b.open("/")
	b.setSource("X86 mine\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")
	srv.CloseClientConnections()
	srv.Close()
	b.click("#run")
	b.wait(`document.querySelector("#result .problem")?.innerText.startsWith("The server cannot be reached. Your text is safe")`)
	if text := eval[string](b, `document.querySelector(".cm-content").innerText`); !strings.HasPrefix(text, "X86 mine") {
		t.Errorf("the text is %q", text)
	}
}
