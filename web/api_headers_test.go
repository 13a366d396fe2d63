package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/suite"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/web"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// What stays as it is until there is another program is asked for again by its tag, and not sent again.
func TestListsAndDocumentsAreKept(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	for _, path := range []string{
		"/api/v1/models", "/api/v1/engines", "/api/v1/catalogue?name=SB", "/api/v1/limits",
		"/api/openapi.json", "/api/openapi.yaml",
	} {
		w := h.Call(http.MethodGet, path, nil)
		etag := w.Header().Get("ETag")
		if w.Code != http.StatusOK || etag == "" || w.Header().Get("Cache-Control") != "no-cache" || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, ETag %q, Cache-Control %q", path, w.Code, etag, w.Header().Get("Cache-Control"))
		}
		again := h.Call(http.MethodGet, path, nil, "If-None-Match", etag)
		if again.Code != http.StatusNotModified || again.Body.Len() > 0 || again.Header().Get("ETag") != etag {
			t.Errorf("%s: asked again, status %d with %d bytes", path, again.Code, again.Body.Len())
		}
	}
	one, other := h.Call(http.MethodGet, "/api/v1/catalogue?name=SB", nil),
		h.Call(http.MethodGet, "/api/v1/catalogue?name=MP", nil)
	if one.Header().Get("ETag") == other.Header().Get("ETag") {
		t.Error("two lists have one tag")
	}
	if w := h.Call(http.MethodGet, "/api/v1/models?name=nosuch", nil); w.Code != http.StatusUnprocessableEntity ||
		w.Header().Get("ETag") != "" {
		t.Errorf("what is wrong has status %d and the tag %q", w.Code, w.Header().Get("ETag"))
	}
}

// Every answer says what it depends on, and what its client may ask.
func TestAnswersSayVaryAndRate(t *testing.T) {
	limits := server.DefaultLimits()
	limits.Rate = 1
	h := webtest.NewHouse(t, engines.Local{}, func(c *web.Config) { c.Limits = limits })
	for _, path := range []string{"/", "/api/v1/models", "/api/v1/nosuch", "/suites", "/api/openapi.json", "/healthz"} {
		w := h.Call(http.MethodGet, path, nil)
		if vary := strings.Join(w.Header().Values("Vary"), ", "); !strings.Contains(vary, "Accept") ||
			!strings.Contains(vary, "Authorization") || !strings.Contains(vary, "Cookie") {
			t.Errorf("%s: Vary %q", path, vary)
		}
		if path == "/healthz" {
			continue // which is asked as often as one likes
		}
		if w.Header().Get("RateLimit-Policy") != `"reads";q=50;w=5` ||
			!strings.HasPrefix(w.Header().Get("RateLimit"), `"reads";r=`) {
			t.Errorf("%s: RateLimit-Policy %q, RateLimit %q", path, w.Header().Get("RateLimit-Policy"),
				w.Header().Get("RateLimit"))
		}
	}
	var last string
	for range 10 {
		w := h.Call(http.MethodPost, "/api/v1/explore", []byte(`{"source":"X86 T"}`), "Content-Type", kindJSON)
		if last = w.Header().Get("RateLimit"); w.Code == http.StatusTooManyRequests {
			if !strings.HasPrefix(last, `"questions";r=0;t=`) || w.Header().Get("Retry-After") == "" {
				t.Errorf("turned away with RateLimit %q", last)
			}
			return
		}
	}
	t.Errorf("nobody is turned away: %s", last)
}

// Scripts of pages elsewhere use the REST interface where they may, and nothing else; with no cookie of a person's.
func TestScriptsElsewhere(t *testing.T) {
	const lab = "https://lab.example.org"
	h := webtest.NewHouse(t, engines.Local{}, func(c *web.Config) { c.Origins = server.Origins{lab} })
	shut := webtest.NewHouse(t, engines.Local{})
	body := []byte(`{"source":"X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n"}`)
	for _, c := range []struct {
		h            *webtest.House
		method, path string
		origin       string
		status       int
		allowed      string
	}{
		{h, http.MethodPost, "/api/v1/explore", lab, http.StatusOK, lab},
		{h, http.MethodGet, "/api/v1/models", lab, http.StatusOK, lab},
		{h, http.MethodPost, "/api/v1/explore", "https://other.example.org", http.StatusForbidden, ""},
		{h, http.MethodPost, "/explore", lab, http.StatusForbidden, ""},
		{shut, http.MethodPost, "/api/v1/explore", lab, http.StatusForbidden, ""},
		{shut, http.MethodGet, "/api/v1/models", lab, http.StatusOK, ""},
	} {
		w := c.h.Call(c.method, c.path, body, "Content-Type", kindJSON, "Origin", c.origin, "Sec-Fetch-Site",
			"cross-site")
		if w.Code != c.status || w.Header().Get("Access-Control-Allow-Origin") != c.allowed {
			t.Errorf("%s %s from %s: status %d, want %d; allowed %q", c.method, c.path, c.origin, w.Code, c.status,
				w.Header().Get("Access-Control-Allow-Origin"))
		}
		if vary := strings.Join(w.Header().Values("Vary"), ", "); c.h == h && strings.HasPrefix(c.path, "/api/") &&
			!strings.Contains(vary, "Origin") {
			t.Errorf("%s: Vary %q", c.path, vary)
		}
	}
	w := h.Call(http.MethodOptions, "/api/v1/explore", nil, "Origin", lab, "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "content-type")
	if w.Code != http.StatusNoContent ||
		!strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Content-Type") {
		t.Errorf("asked beforehand: status %d, %v", w.Code, w.Header())
	}
	for _, bad := range []string{"lab.example.org", "https://lab.example.org/", "null", "https://"} {
		if _, err := server.ParseOrigins([]string{bad}); err == nil {
			t.Errorf("%s is an origin", bad)
		}
	}
}

// Who has seen the end of a stream of events and comes again, as browsers do by themselves, gets an answer that there
// is no more.
func TestEventsEnd(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	s := h.Done(
		h.Submit(suites.Request{Models: webtest.BuiltIn("sc")},
			webtest.Entries(suite.Entry{Path: "a.litmus", Source: webtest.Numbered(1)})).ID)
	path := "/api/v1/suites/" + s.ID + "/events"
	w := h.Call(http.MethodGet, path, nil)
	end := fmt.Sprintf("event: end\nid: %d-end\n", s.Seq)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), end) {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	if w := h.Call(http.MethodGet, path, nil, "Last-Event-ID",
		fmt.Sprint(s.Seq, "-end")); w.Code != http.StatusNoContent || w.Body.Len() > 0 {
		t.Errorf("after the end: status %d, %s", w.Code, w.Body)
	}
	if w := h.Call(http.MethodGet, path, nil, "Last-Event-ID", fmt.Sprint(s.Seq)); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), end) {
		t.Errorf("after the last row: status %d, %s", w.Code, w.Body)
	}
}

// The document says of each operation where it belongs, what it answers to a body of another kind, and how a list goes
// on.
func TestOpenAPITells(t *testing.T) {
	doc := openAPI(t)
	var tags []string
	for _, tag := range doc["tags"].([]any) {
		tags = append(tags, tag.(map[string]any)["name"].(string))
	}
	for path, methods := range doc["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			op := op.(map[string]any)
			own, _ := op["tags"].([]any)
			if len(own) != 1 || !slices.Contains(tags, fmt.Sprint(own[0])) {
				t.Errorf("%s %s: tags %v", method, path, own)
			}
			if _, says := op["responses"].(map[string]any)["415"]; op["requestBody"] != nil && !says {
				t.Errorf("%s %s: no 415", method, path)
			}
		}
	}
	list := doc["paths"].(map[string]any)["/api/v1/suites"].(map[string]any)["get"].(map[string]any)
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list["parameters"].([]any) {
		if p := p.(map[string]any); p["name"] == "before" && p["schema"].(map[string]any)["type"] != "string" {
			t.Errorf("before is %v, and next a text: %s", p["schema"], text)
		}
	}
	for name := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if strings.ContainsAny(name, "[]/*") || strings.HasSuffix(name, "InputBody") ||
			strings.HasSuffix(name, "OutputBody") || strings.HasSuffix(name, "Info") || len(name) < 4 ||
			len(name) > 32 {
			t.Errorf("the schema %s is not named for what it is", name)
		}
	}
	h := webtest.NewHouse(t, engines.Local{})
	if w := h.Call(http.MethodPost, "/api/v1/explore", []byte("a"), "Content-Type",
		"application/x-nosuch"); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("a body of another kind: status %d", w.Code)
	}
}
