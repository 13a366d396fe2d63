package web_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// openAPI is the document of a server with suites, as it is served.
func openAPI(t *testing.T) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(
		webtest.NewHouse(t, engines.Local{}).Call(http.MethodGet, "/api/openapi.json", nil).Body.Bytes(),
		&doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// schemas walks the schemas of an OpenAPI document.
type schemas struct {
	named map[string]any
	visit func(at string, s map[string]any)
	seen  map[string]bool
}

func (w *schemas) walk(at string, v any) {
	s, ok := v.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := s["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		if w.seen[name] {
			return
		}
		w.seen[name] = true
		at, s = name, w.named[name].(map[string]any)
	}
	w.visit(at, s)
	if fields, ok := s["properties"].(map[string]any); ok {
		for name, of := range fields {
			w.walk(at+"."+name, of)
		}
	}
	w.walk(at+"[]", s["items"])
	w.walk(at+"{}", s["additionalProperties"])
	for _, all := range []string{"oneOf", "anyOf", "allOf"} {
		some, _ := s[all].([]any)
		for _, of := range some {
			w.walk(at, of)
		}
	}
}

// Every list, text and map that a request may have is bounded in the document.
func TestRequestsAreBounded(t *testing.T) {
	doc := openAPI(t)
	checked := 0
	w := &schemas{named: doc["components"].(map[string]any)["schemas"].(map[string]any), seen: map[string]bool{}}
	w.visit = func(at string, s map[string]any) {
		has := func(key string) bool { checked++; return s[key] != nil }
		switch types := fmt.Sprint(s["type"]); {
		case strings.Contains(types, "array"):
			if !has("maxItems") {
				t.Errorf("%s: a list has no maxItems", at)
			}
		case strings.Contains(types, "string"):
			if !has("maxLength") && !has("enum") {
				t.Errorf("%s: a text has no maxLength", at)
			}
		case strings.Contains(types, "object"):
			if open := s["additionalProperties"]; open != nil && open != false && !has("maxProperties") {
				t.Errorf("%s: a map has no maxProperties", at)
			}
		case types == "<nil>" && s["oneOf"] == nil:
			t.Errorf("%s: it may be anything", at)
		}
	}
	operations := 0
	for path, methods := range doc["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			operations++
			op := op.(map[string]any)
			at := method + " " + path
			params, _ := op["parameters"].([]any)
			for _, p := range params {
				p := p.(map[string]any)
				w.walk(fmt.Sprintf("%s?%v", at, p["name"]), p["schema"])
			}
			body, _ := op["requestBody"].(map[string]any)
			content, _ := body["content"].(map[string]any)
			for kind, media := range content {
				w.walk(at+" "+kind, media.(map[string]any)["schema"])
			}
		}
	}
	if operations < 15 || checked < 80 || doc["paths"].(map[string]any)["/api/v1/suites"] == nil {
		t.Errorf("only %d bounds in %d operations: want those on suites, too", checked, operations)
	}
}

// What has more than the table of limits allows is refused in words, wherever it is read.
func TestRequestsBeyondTheirBounds(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	many := func(n int) []string { return slices.Repeat([]string{"sc"}, n) }
	long := strings.Repeat("x", 300)
	for _, tt := range []struct {
		path string
		body map[string]any
		want string
	}{
		{
			"verify",
			map[string]any{"source": "int main(void) { }", "properties": slices.Repeat([]string{"assertion"}, 1000)},
			"body.properties",
		},
		{
			"verify",
			map[string]any{"source": "int main(void) { }", "properties": slices.Repeat([]string{long}, 1000)},
			"body.properties",
		},
		{"verify", map[string]any{"source": "int main(void) { }", "defines": many(257)}, "body.defines"},
		{"verify", map[string]any{"source": "int main(void) { }", "entry": long}, "body.entry"},
		{
			"verify",
			map[string]any{
				"source":  "int main(void) { }",
				"include": map[string]string{"a.h": strings.Repeat(" ", 1<<20+1)},
			},
			"body.include.a.h",
		},
		{"explore", map[string]any{"source": "X86 SB", "models": many(33)}, "body.models"},
		{
			"explore",
			map[string]any{"source": "X86 SB", "options": map[string]any{"timeout": strings.Repeat("1s", 200)}},
			"body.options.timeout",
		},
		{"generate", map[string]any{"arch": long, "cycle": "Rfe"}, "body.arch"},
		{"compile", map[string]any{"source": "C a", "to": long}, "body.to"},
		{
			"suites",
			map[string]any{"catalogue": slices.Repeat([]string{"*/*"}, 60_000)},
			"The request's field catalogue has 60,000 entries; the maximum is 1,000.",
		},
		{"suites", map[string]any{"models": many(33)}, "The request's field models has 33 entries; the maximum is 32."},
		{
			"suites",
			map[string]any{"labels": map[string]string{"a": long}},
			"The request's field labels.a has 300 bytes; the maximum is 200.",
		},
		{
			"suites",
			map[string]any{"family": map[string]any{"arch": long}},
			"The request's field family.arch has 300 bytes; the maximum is 255.",
		},
		{
			"suites",
			map[string]any{"own_models": []any{map[string]any{"name": long}}},
			"The request's field own_models[0].name has 300 bytes; the maximum is 255.",
		},
		{"compare", map[string]any{"only": many(33)}, "The request's field only has 33 entries; the maximum is 32."},
		{
			"compare",
			map[string]any{"a": map[string]string{"suite": long}},
			"The request's field a.suite has 300 bytes; the maximum is 255.",
		},
		{
			"verify",
			map[string]any{"source": "int main(void) { }", "properties": slices.Repeat([]string{"assertion"}, 120_000)},
			"The request has more than 16,384 values.",
		},
	} {
		status := http.StatusUnprocessableEntity
		if strings.HasSuffix(tt.want, "values.") {
			status = http.StatusBadRequest // before anything is read
		}
		text, err := json.Marshal(tt.body)
		if err != nil {
			t.Fatal(err)
		}
		w := h.Call(http.MethodPost, "/api/v1/"+tt.path, text, "Content-Type", kindJSON)
		if w.Code != status || !strings.Contains(w.Body.String(), tt.want) || w.Body.Len() > 64<<10 {
			t.Errorf("%s: status %d, want %d and %s\n%.500s", tt.path, w.Code, status, tt.want, w.Body)
		}
	}
}

var openAPIFile = flag.String("openapi", "", "where TestOpenAPIFile writes the document of a server that wants tokens")

// TestOpenAPIFile writes the document down for tools that read it (task openapi).
func TestOpenAPIFile(t *testing.T) {
	if *openAPIFile == "" {
		t.Skip("takes -openapi FILE (task openapi)")
	}
	h := webtest.NewHouse(t, engines.Local{}, func(c *web.Config) { c.Auth, c.Tokens = true, c.Store })
	if err := os.WriteFile(*openAPIFile, get(h, "/api/openapi.json").Body.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
