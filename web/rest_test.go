package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/api/rest"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

func call(t *testing.T, h http.Handler, method, target, body string, out any) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := do(h, r)
	if err := json.Unmarshal(w.Body.Bytes(), out); err != nil {
		t.Fatalf("%s %s: %v: %.300s", method, target, err, w.Body)
	}
	return w
}

func bodyOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRESTExplore(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	body := bodyOf(t, map[string]any{
		"source": webtest.ClassicSource(t, "SB"), "models": []string{"sc", "tso"},
		"options": map[string]any{"witnesses": true, "timeout": "5s", "unroll": 3},
	})
	var got struct{ Results []solver.Result }
	w := call(t, h, http.MethodPost, "/api/v1/explore", body, &got)
	wantStatus(t, w, http.StatusOK)
	if len(got.Results) != 2 {
		t.Fatalf("%d results, want 2", len(got.Results))
	}
	sc, tso := got.Results[0], got.Results[1]
	if sc.Model != "sc" || sc.Verdict != solver.Forbidden || len(sc.States) != 3 {
		t.Errorf("sc: %+v", sc)
	}
	if tso.Model != "tso" || tso.Verdict != solver.Allowed || len(tso.Outcomes) != 4 || tso.Outcomes[0].Graph == nil {
		t.Errorf("tso: %+v", tso)
	}
}

func TestRESTExplains(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	body := bodyOf(t, map[string]any{
		"source": webtest.ClassicSource(t, "MP"), "models": []string{"tso", "pso"},
		"options": map[string]any{"explain": true},
	})
	var got struct{ Results []solver.Result }
	w := call(t, h, http.MethodPost, "/api/v1/explore", body, &got)
	wantStatus(t, w, http.StatusOK)
	tso, pso := got.Results[0].Explanation, got.Results[1].Explanation
	if tso == nil || tso.Axiom != "consensus" || tso.Chain() != "a -po-> b -rf-> c -po-> d -fr-> a" ||
		tso.Cycle[0].Relation != "ppo" {
		t.Errorf("tso: %+v", tso)
	}
	if pso != nil {
		t.Errorf("pso, which allows it: %+v", pso)
	}
}

// Without a model, a test runs under that of its architecture, as on the command line.
func TestRESTOwnModel(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, test := range []struct {
		body map[string]any
		want string
	}{
		{map[string]any{"source": webtest.ClassicSource(t, "SB")}, "tso"},
		{map[string]any{"source": webtest.ClassicSource(t, "PPC/MP"), "models": []string{}}, "power"},
		{map[string]any{"source": webtest.ClassicSource(t, "AArch64/MP")}, "aarch64"},
		{map[string]any{"source": webtest.ClassicSource(t, "PPC/MP"), "engine": "epso"}, "pso"},
		{map[string]any{"source": webtest.ClassicSource(t, "SB"), "model_text": ownExample}, "own"},
	} {
		var got struct{ Results []solver.Result }
		wantStatus(t, call(t, h, http.MethodPost, "/api/v1/explore", bodyOf(t, test.body), &got), http.StatusOK)
		if len(got.Results) != 1 || got.Results[0].Model != test.want || got.Results[0].Status != solver.OK {
			t.Errorf("got %+v, want one under %s", got.Results, test.want)
		}
	}
}

// Models without one of their axioms, beside the models.
func TestRESTVariants(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	var got struct{ Results []solver.Result }
	body := bodyOf(t, map[string]any{
		"source": webtest.ClassicSource(t, "MP"), "model_text": ownExample,
		"models": []string{"tso", "TSO~Consensus", "tso~consensus", "own", "own~order"},
	})
	wantStatus(t, call(t, h, http.MethodPost, "/api/v1/explore", body, &got), http.StatusOK)
	var said []string
	for _, r := range got.Results {
		said = append(said, r.Model+" "+string(r.Verdict))
	}
	want := []string{"tso forbidden", "tso~consensus allowed", "own forbidden", "own~order allowed"}
	if !slices.Equal(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
	for model, want := range map[string]string{
		"tso": "TSO", "tso~consensus": "TSO without consensus",
		"riscv~atomicity~model": "RISC-V without atomicity, model", "own~order": "Your model without order",
	} {
		if got := question.Label(model); got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
}

// Several own models, of which one that does not parse hides no answer.
func TestRESTOwnModels(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	weak := map[string]any{
		"name": "weak", "text": "include \"base.cat\"\nacyclic base as uniproc",
		"files": map[string]string{"base.cat": "let base = po-loc | rf | fr | co"},
	}
	mine, wrong := map[string]any{"name": "mine", "text": ownExample},
		map[string]any{"name": "wrong", "text": "acyclic po |"}
	for _, c := range []struct {
		models []string
		own    []any
		want   string
	}{
		{nil, []any{mine, weak}, "mine forbidden; weak allowed"},
		{
			[]string{"weak", "tso", "mine~order", "mine"},
			[]any{mine, weak},
			"weak allowed; tso allowed; mine~order allowed; mine forbidden",
		},
		{
			[]string{"wrong", "tso", "mine~thin", "mine"},
			[]any{mine, wrong},
			`wrong wrong:1:13: got end of file, want an expression; tso allowed; mine~thin -: there is no axiom "thin" in mine: want one of order; mine forbidden`,
		},
		{[]string{"mine", "theirs"}, []any{mine}, `Unknown model "theirs": want one of`},
		{
			[]string{"wrong"},
			[]any{mine, wrong},
			"the model has errors: wrong:1:13: got end of file, want an expression at body.own_models 1",
		},
		{[]string{"tso"}, []any{mine, mine}, "Two of your models have the name mine: rename one."},
	} {
		var got struct {
			Results []solver.Result
			server.Problem
		}
		w := call(t, h, http.MethodPost, "/api/v1/explore",
			bodyOf(t,
				map[string]any{"source": webtest.ClassicSource(t, "SB"), "models": c.models, "own_models": c.own}),
			&got)
		var said []string
		for _, r := range got.Results {
			said = append(said, r.Model+" "+string(r.Verdict)+r.Error)
			if r.Name != "SB" || (r.Status == solver.Failed) != (r.Error != "") {
				t.Errorf("%+v", r)
			}
		}
		if w.Code != http.StatusOK {
			said = append(said, got.Detail)
			for _, e := range got.Errors {
				said[0] += fmt.Sprintf(" at %s %d", e.Location, e.Line)
			}
		}
		if text := strings.Join(said, "; "); !strings.HasPrefix(text, c.want) {
			t.Errorf("%v: got %s\nwant %s", c.models, text, c.want)
		}
	}
}

func TestRESTProblems(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	sb := webtest.ClassicSource(t, "SB")
	tests := []struct {
		name, body, detail string
		status             int
	}{
		{"not JSON", `{`, "", 400},
		{"unknown field", bodyOf(t, map[string]any{"source": sb, "models": []string{"sc"}, "modles": 1}), "", 422},
		{"unknown model", bodyOf(t, map[string]any{"source": sb, "models": []string{"x"}}), `Unknown model "x"`, 422},
		{
			"unknown axiom",
			bodyOf(t, map[string]any{"source": sb, "models": []string{"tso~thin"}, "model_text": ownExample}),
			`There is no axiom "thin" in tso: want one of uniproc, atomicity, consensus.`, 422,
		},
		{
			"model of another engine",
			bodyOf(t, map[string]any{"source": sb, "models": []string{"pso"}, "engine": "tso-sma"}),
			"tso-sma supports tso, not pso", 422,
		},
		{
			"unknown option",
			bodyOf(t, map[string]any{"source": sb, "models": []string{"sc"}, "options": map[string]any{"speed": 1}}),
			"", 422,
		},
		{
			"option out of range",
			bodyOf(t, map[string]any{"source": sb, "models": []string{"sc"}, "options": map[string]any{"unroll": 65}}),
			"", 422,
		},
		{
			"timeout as number",
			bodyOf(t, map[string]any{"source": sb, "models": []string{"sc"}, "options": map[string]any{"timeout": 65}}),
			"", 422,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p server.Problem
			w := call(t, h, http.MethodPost, "/api/v1/explore", tt.body, &p)
			wantStatus(t, w, tt.status)
			if ct := w.Header().Get("Content-Type"); ct != "application/problem+json" {
				t.Errorf("content type %s", ct)
			}
			if p.Status != tt.status || !strings.Contains(p.Detail, tt.detail) {
				t.Errorf("problem %+v", p)
			}
		})
	}
}

func TestRESTSaysAllThatIsWrongWithAModel(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	var p server.Problem
	w := call(t, h, http.MethodPost, "/api/v1/explore", bodyOf(t, map[string]any{
		"source": webtest.ClassicSource(t, "SB"), "models": []string{"mine"},
		"model_text": "let a = po |\nacyclic a\nacyclic po | here as x\n\ninclude \"none.cat\"",
	}), &p)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	want := []rest.ProblemDetail{
		{Message: "got \"acyclic\", want an expression", Location: "body.model_text", File: "mine", Line: 2, Column: 1},
		{Message: "here is not defined", Location: "body.model_text", File: "mine", Line: 3, Column: 14},
		{
			Message: "include \"none.cat\": the library has no such file", Location: "body.model_text", File: "mine",
			Line: 5, Column: 1,
		},
	}
	if !slices.Equal(p.Errors, want) {
		t.Errorf("got  %+v\nwant %+v", p.Errors, want)
	}
}

func TestRESTSaysWhereATestIsWrong(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	source := strings.Replace(webtest.ClassicSource(t, "SB"), "MOV EAX,[x]", "FLY EAX,[x]", 1)
	var p server.Problem
	w := call(t, h, http.MethodPost, "/api/v1/explore",
		bodyOf(t, map[string]any{"source": source, "models": []string{"sc"}}), &p)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	if len(p.Errors) != 1 || p.Errors[0].Line != 6 || p.Errors[0].Column != 16 || p.Errors[0].File == "" {
		t.Errorf("errors %+v, want one at 6:16", p.Errors)
	}
}

// An execution is drawn over REST in every format; of a forbidden outcome the one that misses it by least.
func TestRESTDraws(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	source := webtest.ClassicSource(t, "SB")
	type drawn struct {
		Verdict, Title, Format, Media, Picture string
		Miss                                   bool
	}
	for format, want := range map[string]string{
		"": "<svg", "svg": "<svg", "dot": "digraph", "tikz": "%", "json": "{",
		"text": "TSO: 0:EAX=0; 1:EAX=0\nP0\n",
	} {
		body := map[string]any{"source": source, "model": "tso"}
		if format != "" {
			body["format"] = format
		}
		var got drawn
		wantStatus(t, call(t, h, http.MethodPost, "/api/v1/draw", bodyOf(t, body), &got), http.StatusOK)
		if got.Verdict != "allowed" || got.Miss || got.Media == "" || !strings.HasPrefix(got.Picture, want) {
			t.Errorf("%s: %+v", format, got)
		}
	}
	var got drawn
	wantStatus(t,
		call(t, h, http.MethodPost, "/api/v1/draw",
			bodyOf(t, map[string]any{"source": source, "model": "sc", "format": "text"}), &got), http.StatusOK)
	if got.Verdict != "forbidden" || !got.Miss || !strings.Contains(got.Title, "because") ||
		!strings.Contains(got.Picture, "highlighted: a -po-> b -fr-> c -po-> d -fr-> a") {
		t.Errorf("of what SC forbids: %+v", got)
	}
	wantStatus(t,
		call(t, h, http.MethodPost, "/api/v1/draw",
			bodyOf(t,
				map[string]any{
					"source": source, "model": "sc",
					"state": map[string]string{"0:EAX": "1", "1:EAX": "0"},
				}), &got), http.StatusOK)
	if got.Verdict != "allowed" || !strings.Contains(got.Title, "0:EAX=1; 1:EAX=0") {
		t.Errorf("of another outcome: %+v", got)
	}
	var p server.Problem
	for want, field := range map[string]map[string]any{
		"got 9": {"execution": 9}, "does not fit": {"state": map[string]string{"7:EAX": "1"}},
	} {
		body := map[string]any{"source": source, "model": "tso"}
		maps.Copy(body, field)
		wantStatus(t, call(t, h, http.MethodPost, "/api/v1/draw", bodyOf(t, body), &p), http.StatusUnprocessableEntity)
		if !strings.Contains(p.Detail, want) {
			t.Errorf("%s: %+v", want, p)
		}
	}
}

func TestRESTLists(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for target, want := range map[string]string{
		"/api/v1/models": "tso", "/api/v1/engines": "machine",
		"/api/v1/catalogue": "IRIW",
	} {
		var list []struct{ Name string }
		wantStatus(t, call(t, h, http.MethodGet, target, "", &list), http.StatusOK)
		found := false
		for _, e := range list {
			found = found || e.Name == want
		}
		if !found {
			t.Errorf("%s: no %s among %d", target, want, len(list))
		}
	}
	var tests []catalogue.Entry
	call(t, h, http.MethodGet, "/api/v1/catalogue", "", &tests)
	if v, ok := tests[0].Under("tso"); !ok || tests[0].Name != "SB" || !v.Allowed() || v.Source == "" ||
		tests[0].Shape != "SB" || tests[0].Cycle != "PodWR Fre PodWR Fre" {
		t.Errorf("the first classic test is %+v", tests[0])
	}
	call(t, h, http.MethodGet, "/api/v1/catalogue?name=IRIW&arch=PPC&brief=true", "", &tests)
	if len(tests) != 1 || tests[0].Name != "IRIW" || tests[0].Arch != "PPC" || tests[0].Source != "" ||
		tests[0].Note == "" {
		t.Errorf("one of them in brief: %+v", tests)
	}
	var one []struct{ Name, Text string }
	call(t, h, http.MethodGet, "/api/v1/models?name=tso&text=false", "", &one)
	if len(one) != 1 || one[0].Name != "tso" || one[0].Text != "" {
		t.Errorf("a model without its text: %+v", one)
	}
	call(t, h, http.MethodGet, "/api/v1/models?name=cxx20", "", &one)
	if len(one) != 1 || one[0].Name != "cxx20" || one[0].Text == "" {
		t.Errorf("a published version: %+v", one)
	}
	var offered []engines.Engine
	call(t, h, http.MethodGet, "/api/v1/engines", "", &offered)
	for _, e := range offered {
		want := map[string]string{
			"axiomatic": "", "machine": "sc tso pso aarch64 riscv arm power rc11", "lazy-cseq": "sc", "epso": "pso",
		}
		if models, ok := want[e.Name]; ok && strings.Join(e.Models, " ") != models {
			t.Errorf("%s answers for %q, want %q", e.Name, e.Models, models)
		}
	}
	var p server.Problem
	wantStatus(t, call(t, h, http.MethodGet, "/api/v1/nothing", "", &p), http.StatusNotFound)
}

func TestOpenAPI(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	var doc struct {
		OpenAPI    string
		Paths      map[string]any
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Properties map[string]struct {
						Maximum *float64
						Enum    []string
						Default any
					}
				}
			}
		}
	}
	wantStatus(t, call(t, h, http.MethodGet, "/api/openapi.json", "", &doc), http.StatusOK)
	if !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Paths["/api/v1/explore"] == nil {
		t.Errorf("document %+v", doc)
	}
	options := doc.Components.Schemas["ExploreRequest"].Properties["options"].Properties
	for _, o := range solver.OptionTable {
		p, ok := options[o.Name]
		if !ok || p.Default == nil {
			t.Errorf("option %s is not described: %+v", o.Name, options)
			continue
		}
		if o.Max > 0 && (p.Maximum == nil || int(*p.Maximum) != o.Max) || len(p.Enum) != len(o.Choices) {
			t.Errorf("option %s: range not described", o.Name)
		}
	}
}

// The document must describe what the interface really sends.
func TestOpenAPIDescribesStates(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Type  any
					Items struct{ Type any }
				}
			}
		}
	}
	call(t, h, http.MethodGet, "/api/openapi.json", "", &doc)
	if got := doc.Components.Schemas["Outcome"].Properties["state"].Type; got != "object" {
		t.Errorf("an outcome's state is described as %v", got)
	}
	if got := doc.Components.Schemas["Result"].Properties["states"].Items.Type; got != "object" {
		t.Errorf("a result's states are described as lists of %v", got)
	}
}

func TestDocs(t *testing.T) {
	w := get(webtest.NewHandler(t, engines.Local{}), "/api/docs")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("#explore h2", hasText("POST /api/v1/explore")),
		in("#explore dl", hasText("source string required.*unroll integer.*1 to 64; default 2")),
		in("#explore pre", hasText(`curl .*/api/v1/explore.*"models": \[ "sc", "tso" \]`)),
		in("#schema-Problem", hasText("title")),
	)
}

// Every route of the REST interface is in its OpenAPI document, with what it answers; and nothing else is.
func TestEveryRouteIsDocumented(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	routes := map[string]bool{}
	err := chi.Walk(h.Handler.(chi.Routes),
		func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
			if strings.HasPrefix(route, "/api/v") {
				routes[strings.ToLower(method)+" "+route] = true
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
	}
	if err := json.Unmarshal(h.Call(http.MethodGet, "/api/openapi.json", nil).Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for path, operations := range doc.Paths {
		for method, operation := range operations {
			if !routes[method+" "+path] {
				t.Errorf("%s %s is documented, and there is no such route", method, path)
			}
			delete(routes, method+" "+path)
			for status, response := range operation.Responses {
				if len(response.Content) == 0 && status != "204" {
					t.Errorf("%s %s: status %s has no media type", method, path, status)
				}
				for kind, media := range response.Content {
					if len(media.Schema) == 0 {
						t.Errorf("%s %s: status %s: %s has no schema", method, path, status, kind)
					}
				}
			}
		}
	}
	for route := range routes {
		t.Errorf("%s is not documented", route)
	}
}
