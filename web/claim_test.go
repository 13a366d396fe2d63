package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/bench"
)

// proving is a Runner that knows the answer for programs: store buffering fails where stores wait, and has a
// different end under each of some models. Tests are answered as ever.
type proving struct{}

func (proving) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	c, ok := q.(solver.VerifyTask)
	if !ok {
		return engines.Local{}.Run(ctx, q)
	}
	v := &solver.Verification{
		Path: c.Path, Model: c.Model, Engine: "axiomatic", Property: c.Property(), Status: solver.OK,
		Bounds: map[string]int{"unroll": c.Options.Unroll}, MS: 1.25,
	}
	for i, line := range strings.Split(c.Files[0].Text, "\n") {
		if col := strings.Index(line, "oops"); col >= 0 {
			v.Status, v.Verdict, v.Error = solver.Failed, solver.Undecided, "got oops, want a statement"
			v.Faults = append(v.Faults, solver.Fault{File: c.Path, Line: i + 1, Column: col + 1, Message: v.Error})
			return v, nil
		}
	}
	switch c.Model {
	case "tso", "aarch64":
		v.Verdict, v.Complete = solver.Unsafe, true
		v.Failure = failingBuffers(c)
	case "rc11":
		if v.Verdict, v.Complete = solver.Safe, c.Options.Unroll > 2; !v.Complete {
			v.Short = []string{"unroll"}
		}
	case "power":
		v.Status, v.Verdict, v.Reason = solver.Unknown, solver.Undecided, "time limit of "+c.Options.Timeout.String()+" reached"
	default:
		v.Verdict, v.Complete = solver.Safe, true
	}
	return v, nil
}

// failingBuffers is how store buffering fails, with a run where the model has a machine.
func failingBuffers(c solver.VerifyTask) *solver.Failure {
	text := strings.Split(c.Files[0].Text, "\n")
	line := func(of string) int {
		return 1 + slices.IndexFunc(text, func(l string) bool { return strings.Contains(l, of) })
	}
	threads := []models.GraphThread{{Name: "main"}, {Name: "left"}, {Name: "right"}}
	for i := range threads {
		for n, l := range text {
			threads[i].Source, threads[i].Places = append(threads[i].Source, strings.TrimSpace(l)), append(threads[i].Places, models.GraphPlace{File: c.Path, Line: n + 1, Column: 2})
		}
	}
	g := &models.Graph{Threads: threads}
	event := func(thread int, of, kind, loc, value string) {
		e := models.GraphEvent{ID: len(g.Events), Thread: thread, Source: -1, Kind: kind, Loc: loc, Value: value, Name: "i" + loc}
		if thread >= 0 {
			e.Source, e.Name = line(of)-1, string(rune('a'+len(g.Events)-4))
		}
		if kind == "F" {
			e.Does = strings.NewReplacer("pthread_", "", "create(&", "start ", "join(", "join ", " a", " left", " b", " right").Replace(of)
		}
		g.Events = append(g.Events, e)
	}
	for _, loc := range []string{"x", "y", "r0", "r1"} {
		event(-1, "", "W", loc, "0")
	}
	for _, of := range []string{"pthread_create(&a", "pthread_create(&b", "pthread_join(a", "pthread_join(b"} {
		event(0, of, "F", "", "")
	}
	event(0, "assert(", "R", "r0", "0")
	event(0, "assert(", "R", "r1", "0")
	event(1, "&x, 1", "W", "x", "1")
	event(1, "(&y, relaxed", "R", "y", "0")
	event(1, "r0 = ", "W", "r0", "0")
	event(2, "&y, 1", "W", "y", "1")
	event(2, "(&x, relaxed", "R", "x", "0")
	event(2, "r1 = ", "W", "r1", "0")
	edges := func(name string, pairs ...models.Pair) {
		g.Relations = append(g.Relations, models.GraphEdges{Name: name, Edges: pairs})
	}
	edges("po", models.Pair{4, 5}, models.Pair{5, 6}, models.Pair{6, 7}, models.Pair{7, 8}, models.Pair{8, 9},
		models.Pair{10, 11}, models.Pair{11, 12}, models.Pair{13, 14}, models.Pair{14, 15})
	edges("spawn", models.Pair{4, 10}, models.Pair{5, 13})
	edges("join", models.Pair{12, 6}, models.Pair{15, 7})
	edges("rf", models.Pair{1, 11}, models.Pair{0, 14}, models.Pair{12, 8}, models.Pair{15, 9})
	edges("co", models.Pair{0, 10}, models.Pair{1, 13}, models.Pair{2, 12}, models.Pair{3, 15})
	edges("fr", models.Pair{11, 13}, models.Pair{14, 10})
	f := &solver.Failure{
		File: c.Path, Line: line("assert("), Column: 2, Thread: "main", Property: ir.Assertion, Text: "r0 == 1 || r1 == 1", Graph: g,
		Reordered: []string{"left: the store to x (line 13) after the load of y (line 14)"},
	}
	if c.Model != "tso" {
		return f
	}
	memory := map[string]string{"x": "0", "y": "0", "r0": "0", "r1": "0"}
	var buffers [3][]solver.BufferEntry
	step := func(thread int, of, action string, events ...int) {
		st := solver.TraceStep{Thread: thread, Source: -1, Action: action, Events: events}
		if of != "" {
			st.Source = line(of) - 1
		}
		for _, b := range buffers {
			st.Buffers = append(st.Buffers, slices.Clone(b))
		}
		for _, loc := range []string{"x", "y", "r0", "r1"} {
			st.Memory = append(st.Memory, solver.Binding{Name: loc, Value: memory[loc]})
		}
		f.Trace = append(f.Trace, st)
	}
	step(0, "pthread_create(&a", "start left", 4)
	step(0, "pthread_create(&b", "start right", 5)
	buffers[1] = []solver.BufferEntry{{Loc: "x", Value: "1"}}
	step(1, "&x, 1", "x:=1 into buffer", 10)
	step(1, "(&y, relaxed", "y is 0", 11, 12)
	buffers[2] = []solver.BufferEntry{{Loc: "y", Value: "1"}}
	step(2, "&y, 1", "y:=1 into buffer", 13)
	step(2, "(&x, relaxed", "x is 0", 14, 15)
	buffers[1], memory["x"] = nil, "1"
	step(1, "", "flush x:=1", 10)
	buffers[2], memory["y"] = nil, "1"
	step(2, "", "flush y:=1", 13)
	step(0, "pthread_join(a", "left has ended", 6)
	step(0, "pthread_join(b", "right has ended", 7)
	step(0, "assert(", "r0 and r1 are 0", 8, 9)
	return f
}

func newProver(t *testing.T) http.Handler {
	t.Helper()
	c := testConfig(nil)
	c.Runner = proving{}
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func claimForm(t *testing.T, pairs ...string) url.Values {
	t.Helper()
	p, ok := catalogue.FindProgram("store-buffering")
	if !ok {
		t.Fatal("the first example is gone")
	}
	f := url.Values{"source": {p.Source}, "property": {"assertion"}}
	for i := 0; i < len(pairs); i += 2 {
		f[pairs[i]] = append(f[pairs[i]], pairs[i+1])
	}
	return f
}

// Links to where the page was lead to where it is, and forms do what they did.
func TestProgramsWereAtVerify(t *testing.T) {
	h := newProver(t)
	for _, old := range []string{"", "?program=spinlock%2BFENCES", "/program?program=spinlock", "/links"} {
		w := get(h, "/verify"+old)
		if got := w.Header().Get("Location"); w.Code != http.StatusPermanentRedirect || got != "/programs"+old {
			t.Errorf("/verify%s leads to %q with %d", old, got, w.Code)
		}
	}
	w := post(h, "/verify", claimForm(t), true)
	if got := w.Header().Get("Location"); w.Code != http.StatusPermanentRedirect || got != "/programs" {
		t.Errorf("a form is led to %q with %d", got, w.Code)
	}
	wantStatus(t, get(h, "/verifying"), http.StatusNotFound)
}

func TestVerifyPage(t *testing.T) {
	h := newProver(t)
	w := get(h, "/programs")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(`nav a[aria-current=page]`, hasText("^Programs$")),
		in("textarea#source", hasText("Store buffering")),
		in("#note", hasText("each thread sets its own flag")),
		in(`#program option[value=store-buffering]`, hasAttr("selected", "")),
		in(`.properties input[value=assertion]`, hasAttr("checked", "")),
		in(`input[name=model][value=sc]`, hasAttr("checked", "")),
		in(`input[name=option-unroll]`, hasAttr("value", "^2$")),
	)
	wantStatus(t, get(h, "/programs?program=spinlock%2BFENCES"), http.StatusOK)
	wantStatus(t, get(h, "/programs?program=nothing"), http.StatusNotFound)
}

// Without scripts, the form's answer is the whole page, with the execution of the first model that
// fails, or of the one whose button was pressed.
func TestVerifyWithoutScripts(t *testing.T) {
	h := newProver(t)
	form := claimForm(t, "model", "sc", "model", "tso", "model", "aarch64", "model", "rc11", "model", "power")
	w := post(h, "/programs", form, true)
	wantStatus(t, w, http.StatusOK)
	for _, raise := range []string{`value="unroll=4">Try with loops unrolled 4 times</button>`, `value="timeout=40s">Try for 40s</button>`} {
		if !strings.Contains(w.Body.String(), raise) {
			t.Errorf("no button %s", raise)
		}
	}
	checkHTML(t, w.Body,
		in("#answer-title", hasText("^store-buffering ?: Can an assertion fail\\?$")),
		in(".claim.a", hasText("SC Safe.*loops unrolled 2 times, which is enough · axiomatic, 1.2 ms")),
		in(".claim.f", hasText("TSO Unsafe Show how line 44 , in main: r0 == 1 \\|\\| r1 == 1 fails")),
		in(".claim.u", hasText("Power Unknown time limit of 10s reached")),
		in("#picture h2", hasText("TSO: r0 == 1 \\|\\| r1 == 1 fails")),
		in("#picture svg.execution-graph"),
		in("#picture .thread", hasText("main")),
		in(".cycle .relaxed .words", hasText("^Left's store to x may wait in its buffer while its load reads y=0.$")),
		in(`[name=show][value=tso]`, hasAttr("aria-pressed", "true")),
		in("ol.steps li", hasText("main start left")),
		in("[data-thread=1] .code li", hasAttr("value", "^22$"), hasText("atomic_store")),
	)
	form.Set("show", "aarch64")
	checkHTML(t, post(h, "/programs", form, true).Body, in("#picture h2", hasText("AArch64:")), in("#picture ol.steps", hasText("main r0 == 1 \\|\\| r1 == 1 fails")))
	form.Del("show")
	form.Set("raise", "unroll=4")
	w = post(h, "/programs", form, true)
	if strings.Contains(w.Body.String(), `value="unroll=8">Try`) {
		t.Error("rc11 is safe with 4 rounds, and yet more are offered")
	}
	checkHTML(t, w.Body, in("#option-unroll", hasAttr("value", "^4$")))
}

func TestVerifyRefusals(t *testing.T) {
	h := newProver(t)
	for _, c := range []struct {
		form   url.Values
		status int
		text   string
	}{
		{claimForm(t, "property", "beauty"), 422, "Unknown property &#34;beauty&#34;"},
		{claimForm(t, "model", "vax"), 422, "vax"},
		{claimForm(t, "option-unroll", "0"), 422, "unroll"},
		{claimForm(t, "option-unroll", "many"), 422, "not a value for it"},
		{claimForm(t, "option-defines", strings.Repeat("A ", 300)), 422, "more than 256 definitions"},
		{url.Values{"source": {strings.Repeat("a", 1200<<10)}}, 422, "longer than 1024 KiB"},
		{url.Values{"source": {""}}, 422, "There is nothing in it"},
	} {
		w := post(h, "/programs", c.form, false)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%v: %d %.300s, want %d and %q", c.form["property"], w.Code, w.Body, c.status, c.text)
		}
	}
	w := post(h, "/programs", url.Values{"source": {"int main(void)\n{\n\t/* Ü */ oops;\n}\n"}}, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body, in(".problem", hasText("^The program cannot be read: line 3, column 10 : got oops, want a statement$")))
	wantStatus(t, post(h, "/programs/picture", claimForm(t, "column", "sc"), false), http.StatusUnprocessableEntity)
	wantStatus(t, post(h, "/programs/picture", claimForm(t), false), http.StatusUnprocessableEntity)
}

func TestCheckProgram(t *testing.T) {
	h := newProver(t)
	for source, line := range map[string]int{"int x;\nint main(void) { return 0; }\n": 0, "int x;\noops oops\n": 2, "#include \"/etc/passwd\"\n": 1} {
		var got bench.Checked
		w := post(h, "/programs/check", url.Values{"source": {source}}, false)
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Errors) > 0 != (line > 0) || line > 0 && got.Errors[0].Line != line {
			t.Errorf("%q: %v %s", source, err, w.Body)
		}
	}
}

// The drawing of a failing execution is to be had as a file.
func TestExportFailing(t *testing.T) {
	w := post(newProver(t), "/programs/export", claimForm(t, "column", "tso", "format", "dot"), false)
	wantStatus(t, w, http.StatusOK)
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="program-tso.dot"` || !strings.HasPrefix(w.Body.String(), "digraph") {
		t.Errorf("%s: %.100s", got, w.Body)
	}
}

// The same can be asked in a shell, and of the REST interface.
func TestCopyClaim(t *testing.T) {
	h := newProver(t)
	form := claimForm(t, "model", "tso", "property", "memory", "option-unroll", "5", "option-defines", "N=3 M", "option-entry", "start", "origin", "http://here")
	for format, want := range map[string]string{
		"run":  "litmuscope verify -m tso --property=assertion+memory -D N=3 -D M --entry=start --unroll=5 - <<'C'\n/*",
		"curl": "curl -sS http://here/api/v1/verify -H 'Content-Type: application/json' --data-binary @- <<'JSON'\n{\n  \"source\": \"/*",
	} {
		w := post(h, "/programs/copy?format="+format, form, false)
		wantStatus(t, w, http.StatusOK)
		if !strings.HasPrefix(w.Body.String(), want) {
			t.Errorf("%s: %.300s", format, w.Body)
		}
	}
	wantStatus(t, post(h, "/programs/copy?format=tar", form, false), http.StatusNotFound)
}

// A permalink brings all of the claims back.
func TestClaimLink(t *testing.T) {
	h := newProver(t)
	w := post(h, "/programs/links", claimForm(t, "model", "power", "property", "memory", "option-unroll", "5", "option-timeout", "3s", "option-defines", "N=3 M", "option-entry", "start", "engine", "axiomatic"), true)
	wantStatus(t, w, http.StatusSeeOther)
	w = get(h, w.Header().Get("Location"))
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("form#verify"),
		in("#program option", hasText("^Your own$")),
		in("input[name=model][value=power]", hasAttr("checked", "")),
		in(".properties input[value=memory]", hasAttr("checked", "")),
		in("#option-unroll", hasAttr("value", "^5$")),
		in("#option-timeout", hasAttr("value", "^3s$")),
		in("#option-defines", hasAttr("value", "^N=3 M$")),
		in("#option-entry", hasAttr("value", "^start$")),
	)
}
