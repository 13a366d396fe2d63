package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

func TestSubmitOnThePage(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	w := get(h, "/suites")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("nav a[href=/suites]"), in("details.submit[open]"), in("p.none", hasText("no suites yet")),
		in(`.submit input[name=model][value=][checked]`), in(".submit #option-unroll", hasAttr("value", "^2$")),
		in(".submit input[type=file]", hasAttr("name", "^tests$")),
	)

	text := webtest.ClassicSource(t, "SB") + "\r\n" + webtest.ClassicSource(t, "MP")
	w = h.Send("/suites", [][2]string{
		{"name", "nightly"},
		{"labels", "branch=main, kind=a b"},
		{"model", "sc"},
		{"model", "tso"},
		{"model-text", "\"Mine\"\r\nacyclic po | rf as order\r\n"},
		{"option-unroll", "3"},
		{"engine", "axiomatic"},
		{"catalogue", "X86/IRIW*"},
		{"text", text},
	}, "tests", "more.ndjson",
		`{"path":"up/loaded.litmus","source":"X86 U\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n"}`+"\n")
	wantStatus(t, w, http.StatusSeeOther)
	at := w.Header().Get("Location")
	s := h.Done(strings.TrimPrefix(at, "/suites/"))
	if r := s.Request; r.Name != "nightly" || r.Labels["kind"] != "a b" || r.Options.Unroll != 3 ||
		len(r.Models) != 3 || r.Models[2].Text == "" || s.Failed > 0 {
		t.Errorf("the suite is %+v", s)
	}
	w = get(h, at)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h1", hasText("^nightly$")), in("#state", hasText("^done$")),
		in(".head a.chip", hasText("^branch=main$"), hasAttr("href", `^/suites\?label=branch%3Dmain$`)),
		in(".facts", hasText("3 models.*engine axiomatic.*unroll=3")),
		in(`#totals tr[data-model=0] [data-code=f]`), in(`#totals tr[data-model=2] th`, hasText("^own$")),
		in(`.cells tbody th a[href=`+at+`/tests/0]`, hasText("^SB.litmus$")),
		in(`.cells tbody a[href=`+at+`/tests/0?model=sc]`, hasText("^✗$"), hasAttr("aria-label", "^SC: forbidden$")),
		in(`.cells tbody a[href=`+at+`/tests/0?model=tso]`, hasText("^✓$")),
		in(`.cells tbody a[href=`+at+`/tests/1]`, hasText("^MP.litmus$")),
		in(`a[href=/api/v1/suites/`+s.ID+`/results?format=junit]`), in("#live[hidden]"), notIn("#cancel"),
	)
	if body := get(h, at).Body.String(); !strings.Contains(body, "up/loaded.litmus") ||
		!strings.Contains(body, "IRIW+mfences.litmus") {
		t.Error("the tests of the file or the classic ones are not there")
	}

	checkHTML(t, get(h, "/suites?label=branch%3Dmain").Body, in(".list h2", hasText("^nightly$")),
		notIn("details.submit[open]"))
	checkHTML(t, get(h, "/suites?label=branch%3Dother").Body, notIn(".list"), in(".filtered", hasText("branch=other")))
	wantStatus(t, get(h, "/suites?before=x"), http.StatusUnprocessableEntity)
}

func TestSubmitSaysWhatIsWrong(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	sb := [2]string{"text", webtest.ClassicSource(t, "SB")}
	for _, c := range []struct {
		name   string
		fields [][2]string
		file   string
		status int
		want   string
	}{
		{"nothing", nil, "", 422, "The submission contains no tests"},
		{"label", [][2]string{sb, {"labels", "nightly"}}, "", 422, `Label "nightly": want key=value`},
		{"option", [][2]string{sb, {"option-unroll", "0"}}, "", 422, "unroll"},
		{"no number", [][2]string{sb, {"option-unroll", "two"}}, "", 422, `invalid value "two"`},
		{"engine", [][2]string{sb, {"engine", "none"}}, "", 422, "none"},
		{"model", [][2]string{sb, {"model-text", "\"Mine\"\nacyclic pow as order"}}, "", 422, "line 2, column 9.*pow"},
		{"catalogue", [][2]string{{"catalogue", "X86/nothing"}}, "", 422, "no classic test"},
		{"archive", nil, "PK\x03\x04 and no more", 422, "zip"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := ""
			if c.file != "" {
				file = "tests"
			}
			w := h.Send("/suites", append([][2]string{{"name", "mine <b>"}, {"model", "tso"}}, c.fields...), file,
				"tests.zip", c.file)
			wantStatus(t, w, c.status)
			checkHTML(t, w.Body, in("details.submit[open]"), in("#problem[role=alert]", hasText("(?s)"+c.want)),
				in(".submit input[name=name]", hasAttr("value", "^mine <b>$")),
				in(".submit input[name=model][value=tso][checked]"))
		})
	}
	checkHTML(t, get(h, "/suites").Body, notIn(".list"))
}

// pagesOf follows the links to more, and gives the texts of what is listed.
func pagesOf(t *testing.T, h http.Handler, target, item string) (found []string, pages int) {
	t.Helper()
	items, next := regexp.MustCompile(item), regexp.MustCompile(`href="([^"]*)" rel="next"`)
	for target != "" {
		w := get(h, target)
		wantStatus(t, w, http.StatusOK)
		body := w.Body.String()
		for _, m := range items.FindAllStringSubmatch(body, -1) {
			found = append(found, m[1])
		}
		target = ""
		if m := next.FindStringSubmatch(body); m != nil {
			target, _, _ = strings.Cut(strings.ReplaceAll(m[1], "&amp;", "&"), "#")
		}
		if pages++; pages > 50 {
			t.Fatal("there is no end to the pages")
		}
	}
	return found, pages
}

func TestMatrixWithoutScripts(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	s := h.Stored(450, []string{"sc", "tso"}, func(n, m int) suites.Code {
		switch {
		case n%100 == 7 && m == 1:
			return suites.Failed
		case n == 449:
			return store.Waiting
		case m > n%2:
			return suites.Allowed
		}
		return suites.Forbidden
	})
	at := "/suites/" + s.ID
	const row = `<th scope="row" class="test"><a href="/suites/[a-z0-9]+/tests/(\d+)"`
	for _, c := range []struct {
		query string
		count int
		first string
		pages int
	}{
		{"", 450, "0", 3},
		{"?q=t00001", 10, "10", 1},
		{"?q=T00044%25", 0, "", 1},
		{"?m0=f", 449, "0", 3},
		{"?m0=a", 0, "", 1},
		{"?m1=w", 1, "449", 1},
		{"?show=differ", 225, "0", 2},
		{"?show=e", 5, "7", 1},
		{"?show=differ&q=family-3", 32, "10", 1},
		{"?cause=no+such+instruction", 5, "7", 1},
	} {
		found, pages := pagesOf(t, h, at+c.query, row)
		first := ""
		if len(found) > 0 {
			first = found[0]
		}
		if len(found) != c.count || first != c.first || pages != c.pages {
			t.Errorf("%s: %d tests from %q on %d pages, want %d from %q on %d", c.query, len(found), first, pages,
				c.count, c.first, c.pages)
		}
		checkHTML(t, get(h, at+c.query).Body, in("#count", hasText("^"+server.Thousands(c.count)+" test")))
	}
	checkHTML(t, get(h, at+"?m1=e&q=t&show=differ").Body, in("#filters input[name=q][value=t]"),
		in("select[name=m1] option[value=e][selected]"),
		in("#filters option[value=differ][selected]"), notIn("#clear[hidden]"))
	checkHTML(t, get(h, at+"?cause=no+such+instruction").Body, in("#filters input[name=cause][checked]"))
	checkHTML(t, get(h, at).Body, in(".causes", hasText("5 error no such instruction example: t000007.litmus")),
		in(".causes .example a", hasAttr("title", "^family-0/t000007.litmus$")),
		in(".slowest td.number", hasText("^11 ms$")), in("#clear[hidden]"))
	for _, bad := range []string{"?m0=x", "?show=none", "?after=x", "?q=" + strings.Repeat("x", 501)} {
		wantStatus(t, get(h, at+bad), http.StatusUnprocessableEntity)
	}
	wantStatus(t, get(h, "/suites/none"), http.StatusNotFound)
}

func TestMatrixForScripts(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	s := h.Stored(450, []string{"sc", "tso"}, func(n, m int) suites.Code {
		if n%10 == 0 {
			return suites.Failed
		}
		return suites.Allowed
	})
	ask := func(what string, into any) {
		t.Helper()
		w := get(h, "/suites/"+s.ID+"/"+what)
		wantStatus(t, w, http.StatusOK)
		if err := json.NewDecoder(w.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	var rows []store.MatrixRow
	ask("matrix?n=3-5,440,449,9999", &rows)
	if len(rows) != 5 || rows[2].N != 5 || rows[3].Codes != "ee" || rows[4].Path != "family-1/t000449.litmus" {
		t.Errorf("rows %v", rows)
	}
	var found struct{ Steps []int }
	ask("matching?m1=e", &found)
	n := 0
	for i, step := range found.Steps {
		if n += step; n != i*10 {
			t.Fatalf("test %d is %d", i, n)
		}
	}
	if len(found.Steps) != 45 {
		t.Errorf("%d tests", len(found.Steps))
	}
	for _, bad := range []string{
		"matrix", "matrix?n=x", "matrix?n=5-3", "matrix?n=0-500", "matrix?n=-1",
		"matching?m0=z",
	} {
		wantStatus(t, get(h, "/suites/"+s.ID+"/"+bad), http.StatusUnprocessableEntity)
	}
	checkHTML(t, get(h, "/suites/"+s.ID+"/insights").Body, in(".causes", hasText("90 error no such instruction")),
		notIn("header"))
}

// pageSuites is how many suites a page lists.
const pageSuites = 50

func TestSuitesArePaged(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	for i := range pageSuites + 5 {
		h.Submit(
			suites.Request{
				Name: fmt.Sprint("suite ", i), Models: webtest.BuiltIn("sc"),
				Labels: map[string]string{"odd": fmt.Sprint(i % 2)},
			},
			webtest.Entries(suite.Entry{Path: "t.litmus", Source: webtest.Numbered(0)}))
	}
	const item = `<h2><a href="/suites/[a-z0-9]+"><bdi>suite (\d+)</bdi>`
	for query, want := range map[string]int{"": pageSuites + 5, "?label=odd%3D1": (pageSuites + 5) / 2} {
		found, _ := pagesOf(t, h, "/suites"+query, item)
		if len(found) != want {
			t.Errorf("%s: %d suites, want %d", query, len(found), want)
		}
	}
}

// A suite's test is one step from the explorer, which has all set as the suite ran it.
func TestFromASuiteToTheExplorer(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	o := solver.DefaultOptions()
	o.Unroll, o.Timeout = 5, 3*time.Second
	mine := suites.Model{
		Name: "mine", Text: "\"Mine\"\ninclude \"base.cat\"\nacyclic base as order\n",
		Files: map[string]string{"base.cat": "let base = po | rf\n"},
	}
	s := h.Submit(
		suites.Request{
			Name: "<i>nightly</i>", Models: append(webtest.BuiltIn("", "sc"), mine), Engine: "axiomatic",
			Options: o,
		}, webtest.Entries(
			suite.Entry{Path: "a.litmus", Source: webtest.Numbered(1)},
			suite.Entry{Path: "b.litmus", Source: webtest.Numbered(2)},
			suite.Entry{Path: "c.litmus", Err: errors.New("c.litmus: permission denied \x1b[31m")},
		))
	h.Done(s.ID)
	at := "/suites/" + s.ID + "/tests/"
	w := get(h, at+"1?model=mine")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("textarea#source", hasText("^X86 T000002")),
		in("textarea#model-text", hasText(`^"Mine" include "base.cat"`)),
		in("input[name=own-files]", hasAttr("value", `^{"base.cat":"let base = po \| rf\\n"}$`)),
		in("input[name=model][value=tso][checked]"), in("input[name=model][value=sc][checked]"),
		notIn("input[name=model][value=pso][checked]"),
		in("#option-unroll", hasAttr("value", "^5$")), in("#option-timeout", hasAttr("value", "^3s$")),
		in("form#explore", hasAttr("data-about", "^mine$")), in(".from", hasText(`^<i>nightly</i> test 2 of 3`)),
		in(".from a[rel=prev]", hasAttr("href", "/tests/0.model=mine$")), in(".from a[rel=next]"),
	)
	checkHTML(t, get(h, at+"0").Body, in("form#explore", hasAttr("data-about", "^$")), notIn(".from a[rel=prev]"))

	// What the page then asks is answered, its model's files and all.
	form := map[string][]string{
		"source": {webtest.Numbered(2)}, "model": {"sc"}, "model-text": {mine.Text},
		"model-files": {`{"base.cat":"let base = po | rf\n"}`},
	}
	w = post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in(".sentences", hasText("(Yes|No) under Your model")))
	form["model-files"] = []string{"{"}
	wantStatus(t, post(h, "/explore", form, false), http.StatusUnprocessableEntity)

	w = get(h, at+"2")
	wantStatus(t, w, http.StatusUnprocessableEntity)
	if body := w.Body.String(); !strings.Contains(body, "permission denied") || strings.Contains(body, "\x1b") {
		t.Error("the error is not told, or told raw")
	}
	for _, none := range []string{"3", "-1", "x", "99999999999999999999"} {
		wantStatus(t, get(h, at+none), http.StatusNotFound)
	}
}

// Names are shown, and never obeyed.
func TestNamesAreHarmless(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	const evil = "<img src=x onerror=alert(1)>\u202e\x1b[2J\x00\"'&"
	s := h.Submit(
		suites.Request{
			Name: evil, Labels: map[string]string{evil: evil},
			Models: []suites.Model{{Name: evil, Text: "acyclic po as order"}},
		},
		webtest.Entries(
			suite.Entry{Path: evil + "/a.litmus", Source: strings.Replace(webtest.Numbered(1), "T000001", evil, 1)},
			suite.Entry{Path: evil, Source: "X86 bad\n{}\n P0 ;\n " + evil + " ;\nexists (x=1)\n"},
		))
	h.Done(s.ID)
	at := "/suites/" + s.ID
	for _, target := range []string{
		"/suites", at, at + "?q=%3Cimg", at + "/insights", at + "/matrix?n=0-1", at + "/tests/0",
		"/compare?a=" + s.ID + "&b=" + s.ID,
		"/suites?label=" + url.QueryEscape(evil+"="+evil), at + "?cause=" + url.QueryEscape(evil),
	} {
		w := get(h, target)
		wantStatus(t, w, http.StatusOK)
		body := w.Body.String()
		if strings.HasSuffix(target, "/tests/0") {
			// The text of a test is left as it is, to be edited.
			body = regexp.MustCompile(`(?s)<textarea name="source".*?</textarea>|<title>.*?</title>`).ReplaceAllString(
				body, "")
		}
		// What is sent back is as it was sent.
		body = regexp.MustCompile(` value="[^"]*"`).ReplaceAllString(body, "")
		for _, bad := range []string{"<img src=x", "\u202e", "\x1b", "\x00"} {
			if i := strings.Index(body, bad); i >= 0 {
				t.Errorf("%s: has %q raw: …%q", target, bad, body[max(0, i-80):min(len(body), i+40)])
			}
		}
	}
}

func TestEndASuiteOnThePage(t *testing.T) {
	stuck := func(ctx context.Context, _ solver.Task) (*solver.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	h := webtest.NewHouse(t, runnerFunc(stuck))
	s := h.Submit(suites.Request{Models: webtest.BuiltIn("sc")},
		webtest.Entries(suite.Entry{Path: "t.litmus", Source: webtest.Numbered(0)}))
	at := "/suites/" + s.ID
	checkHTML(t, get(h, at).Body, in("#cancel", hasAttr("action", "^"+at+"/cancel$")), in("#live progress"),
		in("h1", hasText("^Suite "+s.ID+"$")))
	w := post(h, at+"/cancel", nil, true)
	wantStatus(t, w, http.StatusSeeOther)
	checkHTML(t, get(h, w.Header().Get("Location")).Body, in("#state", hasText("^cancelled$")), notIn("#cancel"))
	w = post(h, at+"/delete", nil, true)
	wantStatus(t, w, http.StatusSeeOther)
	wantStatus(t, get(h, at), http.StatusNotFound)
	checkHTML(t, get(h, w.Header().Get("Location")).Body, notIn(".list"))
}

func TestSuitePagesWantATokenWhereThereAreSome(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{}, func(c *web.Config) { c.Auth, c.Tokens = true, c.Store })
	w := get(h, "/suites")
	wantStatus(t, w, http.StatusSeeOther)
	if to := w.Header().Get("Location"); to != "/login?next=%2Fsuites" {
		t.Errorf("leads to %s", to)
	}
	wantStatus(t, h.Send("/suites", [][2]string{{"catalogue", "X86/SB"}}, "", "", ""), http.StatusUnauthorized)
	wantStatus(t, get(h, "/compare"), http.StatusSeeOther)

	secret, err := h.Store.AddToken(t.Context(), store.Token{Name: "reader", Scopes: []store.Scope{store.Read}})
	if err != nil {
		t.Fatal(err)
	}
	s := h.Submit(suites.Request{Models: webtest.BuiltIn("sc")},
		webtest.Entries(suite.Entry{Path: "t.litmus", Source: webtest.Numbered(0)}))
	r := httptest.NewRequest(http.MethodGet, "/suites/"+s.ID, nil)
	r.Header.Set("Accept", "text/html")
	r.AddCookie(&http.Cookie{Name: tokenCookie, Value: secret})
	w = do(h, r)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, notIn("#cancel"), notIn("button.danger"))
}

func TestCompareOnThePage(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	checkHTML(t, get(h, "/compare").Body, in("p.hint", hasText("no suites to compare yet")))
	tests := webtest.Entries(suite.Entry{Path: "dir/SB.litmus", Source: webtest.ClassicSource(t, "SB")},
		suite.Entry{Path: "MP.litmus", Source: webtest.ClassicSource(t, "MP")})
	one := h.Submit(suites.Request{Name: "one", Models: webtest.BuiltIn("sc", "tso")}, tests)
	two := h.Submit(suites.Request{Name: "two", Models: webtest.BuiltIn("sc")},
		webtest.Entries(suite.Entry{Path: "dir/SB.litmus", Source: webtest.ClassicSource(t, "SB")}))
	h.Done(one.ID)
	h.Done(two.ID)

	// A suite and itself: its models are compared.
	w := get(h, "/compare?a="+one.ID+"&b="+one.ID)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("#comparison-title", hasText("^one under SC and one under TSO$")),
		in(".comparison .verdict", hasText("^≠ 2 pairs of 2 rows in A and 2 in B: 1 the same, 1 different$")),
		in("details#verdict", hasText("1 the answers differ.*SB dir/SB.litmus ✗ forbidden SC ✓ allowed TSO")),
		in(`details#verdict a[href=/suites/`+one.ID+`/tests/0?model=tso]`),
		in("select[name=model-b] option[value=tso][selected]"),
	)
	w = get(h, "/compare?a="+one.ID+"&b="+two.ID+"&model-a=sc")
	checkHTML(t, w.Body, in("details#missing-b", hasText("1 the test is missing in B.*MP ✗ forbidden SC – missing")),
		notIn("details#verdict"))
	checkHTML(t, get(h, "/compare?a="+two.ID+"&b="+two.ID).Body, in(".comparison .same", hasText("^= 1 pair")))

	log := "Test SB Allowed\nHistogram (1 states)\n12    *>0:EAX=0; 1:EAX=0;\nOk\n\nWitnesses\n" +
		"Positive: 12, Negative: 0\nCondition exists (0:EAX=0 /\\ 1:EAX=0) is validated\n" +
		"Observation SB Always 12 0\nTime SB 0.1\n"
	w = h.Send("/compare", [][2]string{{"a", two.ID}}, "log", "<hw>.log", log)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("#comparison-title", hasText("^two and <hw>.log$")),
		in("details#seen-forbidden", hasText(`SB dir/SB.litmus ✗ forbidden SC.*0:EAX=0; 1:EAX=0 \(12\)`)))

	// A test of both suites is not missing, only because one of them was not asked about the model.
	w = get(h, "/compare?a="+one.ID+"&b="+two.ID)
	checkHTML(
		t,
		w.Body,
		in("details#model-b",
			hasText("1 B has the test, but not under the compared model.*choose a pair.*SB.*– not under this model")),
		in("details#missing-b", hasText("^2 the test is missing in B")),
		in(
			".rows",
			hasText(`^A ?: 1 in pairs, 3 without a counterpart\. B ?: 1 in pairs, 0 without a counterpart\.$`),
		),
	)

	// The page pairs models as the visitor says: SC of one with SC of two, and TSO of one with SC of two.
	w = get(h, "/compare?a="+one.ID+"&b="+two.ID+"&model-a=sc&model-b=sc&choose=pair")
	checkHTML(t, w.Body, notIn(".comparison"), in(".pair option[value=sc][selected]"),
		in(".pairs", hasText("Models no model SC TSO with no model SC no model SC TSO with no model SC Add a pair")))
	w = get(h, "/compare?a="+one.ID+"&b="+two.ID+"&model-a=sc&model-b=sc&model-a=tso&model-b=sc")
	checkHTML(t, w.Body, in("#comparison-title", hasText("^one under SC, TSO and two under SC, SC$")),
		in(".comparison .verdict", hasText("^≠ 2 pairs of 4 rows in A and 2 in B: 1 the same, 1 different$")),
		in("details#verdict", hasText("SB dir/SB.litmus ✓ allowed TSO ✗ forbidden SC")), notIn("details#model-b"),
		in(".rows", hasText(`^A ?: 2 in pairs, 2 without a counterpart\.`)))
	w = get(h, "/compare?a="+one.ID+"&b="+two.ID+"&model-a=tso&choose=suites")
	checkHTML(t, w.Body, notIn(".comparison"), in(".pair select[name=model-b] option[value=sc]"))

	for _, c := range []struct {
		w      *httptest.ResponseRecorder
		status int
		want   string
	}{
		{
			get(h, "/compare?a="+one.ID+"&b="+two.ID+"&model-b=pso"), http.StatusUnprocessableEntity,
			`Suite B has no model "pso". Choose one of its models: SC\.`,
		},
		{
			get(h, "/compare?a="+one.ID+"&b="+two.ID+"&model-a=sc&model-b=sc&model-a=tso&model-b="),
			http.StatusUnprocessableEntity, "Choose a model on both sides of each pair",
		},
		{get(h, "/compare?a=none&b="+one.ID), http.StatusNotFound, "no suite with this id"},
		{h.Send("/compare", [][2]string{{"a", one.ID}}, "", "", ""), http.StatusUnprocessableEntity, "Choose a log"},
		{
			h.Send("/compare", [][2]string{{"a", one.ID}}, "log", "x", "\x00\x01\x02"),
			http.StatusUnprocessableEntity, ".",
		},
	} {
		wantStatus(t, c.w, c.status)
		checkHTML(t, c.w.Body, in("#problem", hasText(c.want)), in("select[name=a]"), notIn(".comparison"))
	}
}

// What a suite has not answered yet is not missing in it.
func TestCompareWithUnansweredTests(t *testing.T) {
	local := engines.Local{}
	stuck := func(ctx context.Context, task solver.Task) (*solver.Result, error) {
		if task.Model == "tso" {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		a, err := local.Run(ctx, task)
		r, _ := a.(*solver.Result)
		return r, err
	}
	h := webtest.NewHouse(t, runnerFunc(stuck))
	tests := webtest.Entries(suite.Entry{Path: "SB.litmus", Source: webtest.ClassicSource(t, "SB")})
	whole := h.Submit(suites.Request{Name: "whole", Models: webtest.BuiltIn("sc")}, tests)
	h.Done(whole.ID)
	half := h.Submit(suites.Request{Name: "half", Models: webtest.BuiltIn("tso")}, tests)
	at := "/compare?a=" + whole.ID + "&b=" + half.ID
	checkHTML(
		t,
		get(h, at).Body,
		in("details#pending-b", hasText("^1 only B has not answered yet.*SB ✗ forbidden SC · no answer yet TSO")),
		in(
			".comparison .verdict",
			hasText("1 pair of 1 row.* in A and 1 in B: 0 the same, 0 different, 1 answered on one"),
		),
		in(".rows", hasText("The suite has not answered 1 of them")),
		notIn("details#missing-b"),
	)
	wantStatus(t, post(h, "/suites/"+half.ID+"/cancel", nil, true), http.StatusSeeOther)
	checkHTML(t, get(h, at).Body, in("details#pending-b", hasText("the suite was cancelled")))
}
