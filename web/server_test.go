package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// ownExample is a model of the visitor's own: sequential consistency.
const ownExample = "\"Mine\"\nlet com = rf | co | fr\nacyclic po | com as order"

func do(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func get(h http.Handler, target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Header.Set("Accept", "text/html")
	return do(h, r)
}

// post sends a form as the page's scripts do, or, plain, as a browser does.
func post(h http.Handler, target string, form url.Values, plain bool) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if plain {
		r.Header.Set("Accept", "text/html")
	} else {
		r.Header.Set(server.NonceHeader, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}
	return do(h, r)
}

func wantStatus(t *testing.T, w *httptest.ResponseRecorder, status int) {
	t.Helper()
	if w.Code != status {
		t.Fatalf("status %d, want %d; body: %.500s", w.Code, status, w.Body)
	}
}

func TestHome(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, "/")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("title", hasText(`^SB – litmuscope$`)),
		in("textarea#source", hasText(`^X86 SB`)),
		in("a#pick[data-test=SB]", hasAttr("href", `^/catalogue$`)),
		in("input[name=model][value=sc][checked]"),
		in("input[name=model][value=tso][checked]"),
		in(".models details input[name=model][value=pso]"), notIn("input[name=model][value=pso][checked]"),
		notIn("input[name=model][value=alpha][checked]"),
		in("input#option-unroll", hasAttr("min", `^1$`), hasAttr("max", `^64$`), hasAttr("value", `^2$`)),
		in("select#option-acyclicity option[value=order][selected]"),
		notIn("#option-witnesses"),
		in("#engine optgroup", hasAttr("label", "^any model$"), hasText("^axiomatic – SAT over event graphs$")),
		in("#engine optgroup[label=TSO] option[value=etso]", hasAttr("data-models", "^tso$")),
		in("#engine optgroup[label=TSO] option[value=k-round]"),
		in("#engine-help", hasText("^Encodes all executions of the test")),
		in("label[for=option-timestamps] a.term", hasAttr("href", "^/glossary#timestamps$")),
		in("#option-timestamps-help", hasText(`reach memory.* \( ?etso, epso ?\)$`)),
	)
}

func TestHomeOpensAClassic(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, "/?test=IRIW%2Bmfences")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("textarea", hasText(`^X86 IRIW\+mfences`)), in("#pick-name", hasText(`^IRIW\+mfences$`)))

	w = get(h, "/?test=nothing")
	wantStatus(t, w, http.StatusNotFound)
	checkHTML(t, w.Body, in("main", hasText(`no classic test named "nothing"`)))
}

func TestEveryPageKeepsToItself(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, target := range []string{"/", "/api/docs", "/glossary", "/catalogue", "/nowhere"} {
		w := get(h, target)
		csp := w.Header().Get("Content-Security-Policy")
		for _, want := range []string{
			"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval';", "connect-src 'self'",
			"frame-ancestors 'none'",
		} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: policy %q lacks %q", target, csp, want)
			}
		}
		if body := w.Body.String(); strings.Contains(body, `src="http`) || strings.Contains(body, `style="`) ||
			strings.Contains(body, " onclick=") {
			t.Errorf("%s: fetches from elsewhere or has inline styles or scripts", target)
		}
	}
}

func TestExplore(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {webtest.ClassicSource(t, "SB")}, "model": {"sc", "tso"}}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		notIn("header"),
		in("section.outcomes", hasAttr("data-summary", `^TSO: yes, this can happen\. No under SC\.$`)),
		in("h2", hasText(`^SB ?: Can this happen\? exists \(0:EAX=0 /\\ 1:EAX=0\)$`)),
		in("section", hasAttr("data-first", "^tso$"), hasAttr("data-first-state", `^{"0:EAX":"0","1:EAX":"0"}$`)),
		in("li.fails", hasText(`^No under SC ?\.$`)),
		in("li.holds", hasText(`^TSO ?: yes ?, this can happen\.$`)),
		in("tr.asked.differs", hasText(`satisfies the condition 0 0 ✓ allowed ✗ forbidden`)),
		in("[data-column=sc] .facts", hasText(`^Never 3 outcomes 3 executions \(0 positive\) axiomatic`)),
		in("[data-column=tso] .facts", hasText(`^Sometimes 4 outcomes 4 executions \(1 positive\) axiomatic`)),
		in("script#cells-data", hasText(`"key":"1:1"`)),
	)
	form.Set("column", "tso")
	w = post(h, "/picture", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h2", hasText(`^✓ TSO allows 0:EAX=0; 1:EAX=0$`)),
		in("svg style", hasAttr("nonce", "^ABCDEFGHIJKLMNOPQRSTUVWXYZ$")),
		in("input[data-relation=fr][checked]"),
	)
}

func TestExploreWithoutScripts(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{
		"source": {strings.ReplaceAll(webtest.ClassicSource(t, "MP"), "\n", "\r\n")}, "model": {"pso"},
		"option-unroll": {"5"}, "engine": {"machine"},
	}
	w := post(h, "/explore", form, true)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("header"),
		in("#result li.holds", hasText("^Yes under PSO")),
		in("#picture h2", hasText("PSO allows 1:EAX=1; 1:EBX=0")),
		in("input[name=model][value=pso][checked]"),
		notIn("input[name=model][value=sc][checked]"),
		in("details.options[open]"),
		in("input#option-unroll", hasAttr("value", "^5$")),
		in("option[value=machine][selected]"),
	)
}

func TestTheMachineShowsItsSteps(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{
		"source": {webtest.ClassicSource(t, "SB")}, "model": {"tso"}, "engine": {"machine"},
		"column": {"tso"},
	}
	w := post(h, "/picture", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(".steps li[data-key]", hasText(`^P[01] [xy]:=1 into buffer memory x=0 y=0 P[01] holds [xy]=1$`)),
		in(".drawing svg"),
		in(".player .code li[data-key=0:1]", hasText(`^MOV EAX,\[y\]$`)),
	)
}

func TestTheAnswerSaysItsBounds(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, tt := range []struct {
		test, option, value string
		want                checker
	}{
		{"SB", "", "", in(".facts", hasText("4 outcomes complete: 3 rounds, 3 timestamps, 2 nodes per location etso"))},
		{"SB", "least", "true", in(".facts", hasText("; needs 1 round, 2 timestamps and 2 nodes per location etso"))},
		{"SB", "rounds", "1", in(".facts", hasText(`under-approximation \(raise rounds to 3\): 1 round, `))},
		{"SB", "timestamps", "1", in("li.unknown", hasText("not found within the bounds: .*timestamps"))},
		{"SB+mfences", "", "", in(".facts", hasText("complete: "))},
	} {
		form := url.Values{"source": {webtest.ClassicSource(t, tt.test)}, "model": {"tso"}, "engine": {"etso"}}
		if tt.option != "" {
			form.Set(optionform.Field(tt.option), tt.value)
		}
		w := post(h, "/explore", form, false)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body, tt.want)
	}
}

// Every execution that is drawn has steps: of a machine where the model has one.
func TestPicturesHaveSteps(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, c := range []struct{ model, engine, kind, step string }{
		{"tso", "", "a run of the TSO machine", "into buffer"},
		{"tso", "etso", "a run of the TSO machine", "clock 1"},
		{"sc", "machine", "a run of the SC machine", "x:=1"},
		{"rmo", "", "one order of the execution's events", "overtakes its earlier"},
		{"tso~consensus", "", "one order of the execution's events", "overtakes its earlier"},
	} {
		form := url.Values{
			"source": {webtest.ClassicSource(t, "SB")}, "model": {c.model}, "column": {c.model},
			"engine": {c.engine},
		}
		if c.model == "sc" {
			form.Set("state", `{"0:EAX":"1","1:EAX":"1"}`)
		}
		w := post(h, "/picture", form, false)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body,
			in(".player", hasAttr("aria-label", c.kind)), in(".player .regs", hasText("^EAX$")),
			in(".steps", hasText(c.step)))
	}
}

func TestWalk(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	const weak, strong = `{"0:EAX":"0","1:EAX":"0"}`, `{"0:EAX":"1","1:EAX":"1"}`
	for _, c := range []struct {
		column, path, state string
		steps, left         int
		reachable           int
		fault               string
	}{
		{"tso", "", weak, 0, 0, 4, ""},
		{"tso", "0,0,1", weak, 3, 0, 2, ""},
		{"tso@machine", "0,0,1", weak, 3, 0, 2, ""},
		{"tso", "0,0:x,1,1", weak, 4, 2, 2, ""}, // P1 was to read x before
		{"tso", "0,0:x,1,1", strong, 4, 0, 2, ""},
		{"sc", "0,1", weak, 2, 0, 1, ""}, // SC has no such execution to leave
		{"tso", "0,0,0", weak, 0, 0, 0, "Step 3: P0 has no next instruction."},
		{"tso", "0:z", weak, 0, 0, 0, `Step 1: the test has no location "0:z".`},
		{"rmo", "0", weak, 0, 0, 0, "rmo has no machine that could run step by step."},
		{"tso", "0", "7", 0, 0, 0, "The outcome is invalid: want a JSON object of names and values."},
	} {
		form := url.Values{
			"source": {webtest.ClassicSource(t, "SB")}, "column": {c.column}, "path": {c.path},
			"state": {c.state},
		}
		w := post(h, "/walk", form, false)
		if c.fault != "" {
			if w.Code != http.StatusUnprocessableEntity ||
				!strings.Contains(html.UnescapeString(w.Body.String()), c.fault) &&
					!strings.Contains(w.Body.String(), strings.ReplaceAll(c.fault, `"`, `\"`)) {
				t.Errorf("%s %q: %d %s", c.column, c.path, w.Code, w.Body)
			}
			continue
		}
		wantStatus(t, w, http.StatusOK)
		var got engines.Walk
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Frames) != c.steps+1 || got.LeavesAt != c.left || len(got.Reachable.Outcomes) != c.reachable ||
			!got.Reachable.Complete {
			t.Errorf(
				"%s %q: %d frames, left at %d, %+v",
				c.column,
				c.path,
				len(got.Frames),
				got.LeavesAt,
				got.Reachable,
			)
		}
	}
	form := url.Values{"source": {"X86 nothing"}, "column": {"tso"}, "path": {""}}
	wantStatus(t, post(h, "/walk", form, false), http.StatusUnprocessableEntity)
}

func TestForbiddenByAll(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {webtest.ClassicSource(t, "LB")}, "model": {"sc", "tso"}}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("tr.asked[data-none]", hasText(`satisfies the condition 1 1 ✗ forbidden ✗ forbidden$`)),
		in("section", hasAttr("data-first", "^tso$"), hasAttr("data-first-state", "^$")),
	)
}

func TestOwnModel(t *testing.T) {
	var asked solver.Task
	h := webtest.NewHandler(t, runnerFunc(func(ctx context.Context, task solver.Task) (*solver.Result, error) {
		asked = task
		return &solver.Result{
			Name: "SB", Model: task.Model, Status: solver.Unknown,
			Reason: "the time limit was reached", States: []solver.State{},
		}, nil
	}))
	form := url.Values{"source": {webtest.ClassicSource(t, "SB")}, "model-text": {ownExample}}
	w := post(h, "/explore", form, true)
	wantStatus(t, w, http.StatusOK)
	if asked.Model != question.OwnModel || asked.ModelText != ownExample {
		t.Errorf("asked %+v", asked)
	}
	checkHTML(t, w.Body,
		in(".sentences li.unknown", hasText("^\\? Your model has no answer: the time limit was reached\\.$")),
		in("tr.asked", hasText("\\? unknown$")),
		in("textarea#model-text", hasText("acyclic")))

	form.Set("model-text", "acyclic po |")
	w = post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body, in(".problem", hasText("The model has errors: line 1, column 13: ")))

	form.Set("model-text", "acyclic po | nowhere\nempty | po\nacyclic rf & W")
	w = post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body,
		in(".problem",
			hasText(
				`^The model has errors: line 1, column 14: nowhere is not defined line 2, column 7: .* line 3, column 12: want a relation`,
			)))
}

// Two models of the visitor's own stand side by side, with a variant of one; a third, which
// is wrong, has a column that says so.
func TestOwnModels(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{
		"source": {webtest.ClassicSource(t, "SB")}, "model": {"tso", "mine~order"},
		"own-name": {"mine", "", "", "wrong"}, "own-files": {"", `{"base.cat":"let base = po-loc | rf | fr | co"}`},
		"own-text": {ownExample, "include \"base.cat\"\r\nacyclic base as uniproc", " \n", "acyclic po |\nempty W"},
	}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(".sentences",
			hasText(
				`TSO ?: yes ?, this can happen\. Yes under mine without order and own2 ?\. No under mine ?\. \? wrong has errors: line 2, column 1: got "empty", want an expression$`,
			)),
		in("p.why", hasText(`^has errors: line 2, column 1: got "empty", want an expression$`)))

	w = post(h, "/links", form, false)
	wantStatus(t, w, http.StatusOK)
	form.Set("own-name", "sc")
	w = post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body,
		in(".problem", hasText("Your model has the name sc of a built-in model: choose another name.")))
}

// Permalinks keep all own models; those of before, which had one, still do.
func TestLinksOfOwnModels(t *testing.T) {
	q, err := question.FromForm(
		url.Values{
			"source": {"X86 SB"}, "own-name": {"a", "b"}, "own-text": {"acyclic po", "acyclic rf"},
			"own-files": {"", `{"c.cat":""}`},
		})
	if err != nil {
		t.Fatal(err)
	}
	want := []solver.OwnModel{
		{Name: "a", Text: "acyclic po"},
		{Name: "b", Text: "acyclic rf", Files: map[string]string{"c.cat": ""}},
	}
	if back := question.FromLink(q.Link()); !reflect.DeepEqual(back.Own, want) ||
		!slices.Equal(back.Models, []string{"a", "b"}) {
		t.Errorf("%+v", back)
	}
	var old store.Link
	if err := json.Unmarshal(
		[]byte(`{"source":"X86 SB","models":["tso","own"],"model_text":"acyclic po","model_files":{"c.cat":""}}`),
		&old); err != nil {
		t.Fatal(err)
	}
	want = []solver.OwnModel{{Name: question.OwnModel, Text: "acyclic po", Files: map[string]string{"c.cat": ""}}}
	if back := question.FromLink(old); !reflect.DeepEqual(back.Own, want) ||
		!slices.Equal(back.Models, []string{"tso", "own"}) {
		t.Errorf("%+v", back)
	}
}

// runnerFunc is a function as a Runner.
type runnerFunc func(context.Context, solver.Task) (*solver.Result, error)

func (f runnerFunc) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	return f(ctx, t)
}

// A model that knows no MFENCE says so, and its column is marked.
func TestRemarkOnAModel(t *testing.T) {
	own := "acyclic po-loc | rf | fr | co\nacyclic po & (R * M | W * W) | rfe | fr | co"
	form := url.Values{"source": {webtest.ClassicSource(t, "SB+mfences")}, "model": {"tso"}, "model-text": {own}}
	w := post(webtest.NewHandler(t, engines.Local{}), "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(".remarks li",
			hasText(`^Your model: line \d+, column \d+ : MFENCE adds no order: the model names none of its tags`)),
		in("thead", hasText(`TSO Your model \*$`)))
}

func TestExploreRefuses(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	sb := webtest.ClassicSource(t, "SB")
	tests := []struct {
		name   string
		form   url.Values
		status int
		want   string
	}{
		{"unknown model", url.Values{"source": {sb}, "model": {"x"}}, 422, `Unknown model "x"`},
		{
			"model of another engine",
			url.Values{"source": {sb}, "model": {"tso", "sc"}, "engine": {"etso"}},
			422,
			"etso supports tso, not sc",
		},
		{
			"own model with such an engine",
			url.Values{"source": {sb}, "model-text": {ownExample}, "engine": {"machine"}},
			422, "machine supports sc, tso, pso, aarch64, riscv, arm, power, rc11, not own",
		},
		{
			"option of another engine",
			url.Values{"source": {sb}, "model": {"sc"}, "option-timestamps": {"2"}},
			422,
			"timestamps: used by etso, epso, not by the engine axiomatic",
		},
		{
			"unknown engine",
			url.Values{"source": {sb}, "model": {"sc"}, "engine": {"steam"}},
			422,
			`Unknown engine "steam"`,
		},
		{
			"option out of range",
			url.Values{"source": {sb}, "model": {"sc"}, "option-unroll": {"99"}},
			422,
			`unroll: 99 is out of range`,
		},
		{
			"option no number",
			url.Values{"source": {sb}, "model": {"sc"}, "option-unroll": {"two"}},
			422,
			`invalid value "two"`,
		},
		{"empty", url.Values{"model": {"sc"}}, 422, "test is empty"},
		{
			"bad instruction",
			url.Values{"source": {strings.Replace(sb, "MOV EAX,[x]", "FLY EAX,[x]", 1)}, "model": {"sc"}},
			422,
			`line 6, column 16 : .*FLY`,
		},
		{
			"too long",
			url.Values{"source": {strings.Repeat("x", 256<<10+1)}, "model": {"sc"}},
			422,
			"longer than 256 KiB",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, plain := range []bool{false, true} {
				w := post(h, "/explore", tt.form, plain)
				wantStatus(t, w, tt.status)
				checkHTML(t, w.Body, in("section.problem", hasText(tt.want)))
			}
		})
	}
	w := post(h, "/explore", url.Values{"source": {strings.Repeat("x", server.MaxBody+1)}}, false)
	wantStatus(t, w, http.StatusRequestEntityTooLarge)
}

// A pasted test brings the model of its architecture along, unless the visitor has
// chosen models.
func TestPastedTestHasItsOwnModel(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, test := range []struct {
		source string
		models []string
		want   []string
	}{
		{"ARM/SB", question.FirstModels("X86"), []string{"ARM", "TSO", "AArch64", "Power", "SC"}},
		{"SB", []string{"sc", "tso"}, []string{"TSO", "SC"}},
		{"PPC/SB", []string{"pso"}, []string{"PSO"}},
		{"PPC/SB", nil, []string{"Power"}},
		{
			"C SB\n{}\nP0(int *x) { WRITE_ONCE(*x, 1); }\nexists (x=1)\n", question.FirstModels("X86"),
			[]string{"LKMM", "TSO", "SC"},
		},
		{"C SB\n{}\nP0(atomic_int *x) { atomic_store(x, 1); }\nexists (x=1)\n", nil, []string{"RC11"}},
	} {
		for _, plain := range []bool{false, true} {
			source := test.source
			if !strings.Contains(source, "\n") {
				source = webtest.ClassicSource(t, source)
			}
			w := post(h, "/explore", url.Values{"source": {source}, "model": test.models, "arch": {"X86"}}, plain)
			wantStatus(t, w, http.StatusOK)
			var got []string
			for _, m := range regexp.MustCompile(
				`<th scope="col" data-column="[^"]*"[^>]*>.*?>([A-Za-z0-9]+) ?</button>`).FindAllStringSubmatch(
				w.Body.String(), -1) {
				got = append(got, m[1])
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s with %v ticked for X86: asked %v, want %v", test.source, test.models, got, test.want)
			}
		}
	}
}

func TestCheckMarksTheWord(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	source := "X86 SB\n{ }\n P0 (* ü𝄞 *) ;\n (* ü𝄞 *) FLY EAX,[x] ;\nexists (x=1)\n"
	w := post(h, "/check", url.Values{"source": {source}}, false)
	wantStatus(t, w, http.StatusOK)
	var got struct{ Errors []server.Mark }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	// ü is one unit of UTF-16 and 𝄞 two, so FLY starts in column 12.
	if len(got.Errors) != 1 || got.Errors[0].Line != 4 || got.Errors[0].Col != 12 {
		t.Errorf("got %+v, want one error at 4:12", got.Errors)
	}

	w = post(h, "/check", url.Values{"source": {webtest.ClassicSource(t, "SB")}}, false)
	if body := strings.TrimSpace(
		w.Body.String()); body !=
		`{"errors":[],"remarks":[],"arch":"X86","doc":"Each thread writes its flag, then reads the other: can both reads miss both writes?","models":["tso","riscv","aarch64","power","sc"]}` {
		t.Errorf("a good test: %s", body)
	}
}

func TestPermalink(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	source := strings.Replace(webtest.ClassicSource(t, "SB"), "SB", "mine", 1)
	form := url.Values{"source": {source}, "model": {"pso"}, "option-unroll": {"7"}}
	w := post(h, "/links", form, false)
	wantStatus(t, w, http.StatusOK)
	var got struct{ URL string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	w = get(h, got.URL)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("textarea", hasText(`^X86 mine`)), in("input[value=pso][checked]"), notIn("input[value=sc][checked]"),
		in("input#option-unroll", hasAttr("value", "^7$")), in("details.options[open]"))

	w = post(h, "/links", form, true)
	wantStatus(t, w, http.StatusSeeOther)
	w = get(h, w.Header().Get("Location"))
	wantStatus(t, w, http.StatusOK)

	wantStatus(t, get(h, "/t/zzz"), http.StatusNotFound)
}

// faulty fails as told.
type faulty struct{ err error }

func (f faulty) Run(context.Context, solver.Question) (solver.Answer, error) {
	if f.err == nil {
		panic("broken")
	}
	return nil, f.err
}

func TestFaults(t *testing.T) {
	form := url.Values{"source": {webtest.ClassicSource(t, "SB")}, "model": {"sc"}}
	h := webtest.NewHandler(t, faulty{errors.New("disk on fire")})
	for _, plain := range []bool{false, true} {
		w := post(h, "/explore", form, plain)
		wantStatus(t, w, http.StatusInternalServerError)
		if strings.Contains(w.Body.String(), "fire") {
			t.Error("the answer tells a visitor the program's troubles")
		}
	}
	h = webtest.NewHandler(t, faulty{context.Canceled})
	wantStatus(t, post(h, "/explore", form, false), http.StatusServiceUnavailable)
}

func TestPanicIsAProblem(t *testing.T) {
	s, err := server.New(webtest.TestConfig(nil).Config)
	if err != nil {
		t.Fatal(err)
	}
	h := s.Handler(server.Page{Mount: func(r chi.Router) {
		r.Get("/api/v1/models", func(http.ResponseWriter, *http.Request) { panic("broken") })
	}})
	w := do(h, httptest.NewRequest(http.MethodGet, "/api/v1/models", nil))
	wantStatus(t, w, http.StatusInternalServerError)
	if ct := w.Header().Get("Content-Type"); ct != "application/problem+json" {
		t.Errorf("content type %s", ct)
	}
}

func TestOtherSitesCannotPost(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	r := httptest.NewRequest(http.MethodPost, "/links", strings.NewReader("source=x"))
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	wantStatus(t, do(h, r), http.StatusForbidden)
}

func TestServerPlumbing(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	wantStatus(t, get(h, "/healthz"), http.StatusOK)
	wantStatus(t, get(h, "/classic?test=SB"), http.StatusOK)
	wantStatus(t, do(h, httptest.NewRequest(http.MethodPut, "/explore", nil)), http.StatusMethodNotAllowed)

	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	if w := do(h, r); w.Header().Get("Content-Encoding") != "gzip" {
		t.Error("the page is not compressed")
	}
}

func TestNewWantsItsParts(t *testing.T) {
	if _, err := web.New(web.Config{}); err == nil {
		t.Error("New took an empty configuration")
	}
}
