package web_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/compare"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/web/api/rest"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/webtest"
)

type (
	suiteInfo        = rest.Suite[optionform.Options]
	comparisonResult struct {
		Different   bool
		Totals      compare.Tally
		Differences []compare.Difference
		Cut         bool
	}
)

// rowsAtOnce is how many rows one event tells of.
const rowsAtOnce = 2000

// info reads an answer that is a suite.
func info(t *testing.T, w *httptest.ResponseRecorder, status int) suiteInfo {
	t.Helper()
	wantStatus(t, w, status)
	var s suiteInfo
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

const kindJSON = "application/json"

// An idempotency key makes a submission once, whatever the client had heard of it.
func TestSubmitByREST(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	line, err := json.Marshal(map[string]string{"path": "a/b.litmus", "source": webtest.Numbered(1)})
	if err != nil {
		t.Fatal(err)
	}
	lines := append(line, []byte("\n\n{\"path\":\"c.litmus\",\"error\":\"c.litmus: permission denied\"}\n")...)
	target := "/api/v1/suites?name=nightly&label=commit%3D1&model=sc&model=tso&unroll=3"
	w := h.Call(http.MethodPost, target, lines, "Content-Type", "application/x-ndjson", "Idempotency-Key", "k1")
	s := info(t, w, http.StatusAccepted)
	if w.Header().Get("Location") != "/api/v1/suites/"+s.ID || s.Name != "nightly" || s.Labels["commit"] != "1" ||
		s.Tests != 2 || s.Rows != 4 || s.Options.Unroll != 3 {
		t.Errorf("%+v", s)
	}
	again := info(t,
		h.Call(http.MethodPost, target, lines, "Content-Type", "application/x-ndjson", "Idempotency-Key", "k1"),
		http.StatusOK)
	if again.ID != s.ID {
		t.Errorf("the same again is %s, want %s", again.ID, s.ID)
	}
	wantStatus(t,
		h.Call(http.MethodPost, target, line, "Content-Type", "application/x-ndjson", "Idempotency-Key", "k1"),
		http.StatusUnprocessableEntity)
	h.Done(s.ID)
	got := info(t, h.Call(http.MethodGet, "/api/v1/suites/"+s.ID, nil), http.StatusOK)
	if got.State != suites.Done || got.Failed != 2 || got.Totals[0].Forbidden != 1 || got.Totals[1].Allowed != 1 {
		t.Errorf("%+v", got)
	}

	// A part with the suite, a part with the tests.
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	part, err := parts.CreateFormField("suite")
	if err == nil {
		_, err = part.Write(
			[]byte(
				`{"models":["mine"],"model_text":"acyclic po | rf | co | fr","options":{"timeout":"5s"},"catalogue":["SB"]}`))
	}
	if err != nil {
		t.Fatal(err)
	}
	if part, err = parts.CreateFormFile("tests", "tests.ndjson"); err == nil {
		_, err = part.Write(lines)
	}
	if err == nil {
		err = parts.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	mine := info(t,
		h.Call(http.MethodPost, "/api/v1/suites", form.Bytes(), "Content-Type", parts.FormDataContentType()),
		http.StatusAccepted)
	h.Done(mine.ID)
	got = info(t, h.Call(http.MethodGet, "/api/v1/suites/"+mine.ID, nil), http.StatusOK)
	if got.Tests < 3 || got.Totals[0].Model != "mine" || got.Totals[0].Forbidden != got.Tests-1 {
		t.Errorf("%+v", got)
	}
	var list struct{ Suites []suiteInfo }
	w = h.Call(http.MethodGet, "/api/v1/suites?label=commit%3D1", nil)
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Suites) != 1 || list.Suites[0].ID != s.ID {
		t.Errorf("%s", w.Body)
	}
	wantStatus(t, h.Call(http.MethodDelete, "/api/v1/suites/"+mine.ID+"?purge=true", nil), http.StatusNoContent)
	wantStatus(t, h.Call(http.MethodGet, "/api/v1/suites/"+mine.ID, nil), http.StatusNotFound)
}

// Results that are there so far come in order, and say where to go on.
func TestResultsSoFar(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	missing := 5
	s := h.Stored(10, []string{"sc", "tso"}, func(test, model int) suites.Code {
		if test*2+model == missing {
			return suites.Code('.')
		}
		return suites.Allowed
	})
	for _, test := range []struct {
		query string
		lines int
		next  string
	}{
		{"", 19, "5"},
		{"?after=5", 14, "5"},
		{"?after=6", 14, "20"},
		{"?after=20", 0, "20"},
		{"?format=csv", 20, "5"},
		{"?format=herd", 0, "5"},
	} {
		w := h.Call(http.MethodGet, "/api/v1/suites/"+s.ID+"/results"+test.query, nil)
		wantStatus(t, w, http.StatusOK)
		if n := strings.Count(w.Body.String(), "\n"); n != test.lines && test.lines > 0 {
			t.Errorf("%s: %d lines, want %d", test.query, n, test.lines)
		}
		if next := w.Result().Trailer.Get("Next-Position"); next != test.next {
			t.Errorf("%s: Next-Position %q, want %q", test.query, next, test.next)
		}
	}
	for _, bad := range []string{"?format=xml", "?after=-1", "?after=x"} {
		wantStatus(t, h.Call(http.MethodGet, "/api/v1/suites/"+s.ID+"/results"+bad, nil),
			http.StatusUnprocessableEntity)
	}
}

// Events tell of each row once, and go on where they broke off.
func TestEvents(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	s := h.Stored(3000, []string{"tso"}, func(int, int) suites.Code { return suites.Forbidden })
	if _, err := h.Cancel(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	// read gives the positions of rows, the id of each event, and what the last event is.
	read := func(headers ...string) (positions []int, ids []string, last string) {
		w := h.Call(http.MethodGet, "/api/v1/suites/"+s.ID+"/events?rows=true", nil, headers...)
		wantStatus(t, w, http.StatusOK)
		lines := bufio.NewScanner(w.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "event":
				last = value
			case "id":
				ids = append(ids, value)
			case "data":
				var rows [][3]any
				if last != "rows" {
					continue
				}
				if err := json.Unmarshal([]byte(value), &rows); err != nil {
					t.Fatal(err)
				}
				for _, r := range rows {
					positions = append(positions, int(r[0].(float64)))
				}
			}
		}
		return positions, ids, last
	}
	all, ids, last := read()
	if len(all) != 3000 || last != "end" || !slices.IsSorted(all) {
		t.Fatalf("%d rows, the last event is %q", len(all), last)
	}
	rest, _, _ := read("Last-Event-ID", ids[0])
	if len(rest) != 3000-rowsAtOnce || rest[0] != rowsAtOnce {
		t.Errorf("resumed behind %s: %d rows from %v", ids[0], len(rest), rest[:min(1, len(rest))])
	}
	wantStatus(t, h.Call(http.MethodGet, "/api/v1/suites/"+s.ID+"/events", nil, "Last-Event-ID", "x"),
		http.StatusUnprocessableEntity)
}

// A suite is compared with another model of its own, and with what a machine has seen.
func TestCompareByREST(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	s := info(t,
		h.Call(http.MethodPost, "/api/v1/suites", []byte(`{"models":["sc","tso"],"catalogue":["SB"]}`), "Content-Type",
			kindJSON), http.StatusAccepted)
	h.Done(s.ID)
	var out comparisonResult
	read := func(w *httptest.ResponseRecorder) {
		t.Helper()
		wantStatus(t, w, http.StatusOK)
		out = comparisonResult{}
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
	}
	body := fmt.Sprintf(`{"a":{"suite":%q,"model":"sc"},"b":{"suite":%[1]q,"model":"tso"}}`, s.ID)
	read(h.Call(http.MethodPost, "/api/v1/compare", []byte(body), "Content-Type", kindJSON))
	if !out.Different || len(out.Differences) == 0 || out.Differences[0].Kind != "verdict" {
		t.Errorf("%+v", out)
	}

	body = fmt.Sprintf(`{"a":{"suite":%q,"models":["sc","tso"]},"b":{"suite":%[1]q,"models":["tso","tso"]},
		"only":["verdict"]}`, s.ID)
	read(h.Call(http.MethodPost, "/api/v1/compare", []byte(body), "Content-Type", kindJSON))
	others := func(d compare.Difference) bool { return d.A.Model != "sc" || d.B.Model != "tso" }
	if total := out.Totals; total.Pairs == 0 || total.Pairs != total.Rows[0] ||
		len(out.Differences) != total.Kinds["verdict"] || slices.ContainsFunc(out.Differences, others) {
		t.Errorf("pairs of models: %+v", out)
	}

	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	if err := parts.WriteField("a", fmt.Sprintf(`{"suite":%q,"model":"sc"}`, s.ID)); err != nil {
		t.Fatal(err)
	}
	part, err := parts.CreateFormFile("b", "machine.log")
	if err == nil {
		_, err = part.Write([]byte("Test SB Allowed\nHistogram (2 states)\n7     *>0:EAX=0; 1:EAX=0;\n" +
			"993   :>0:EAX=0; 1:EAX=1;\nOk\n\nWitnesses\nPositive: 7, Negative: 993\n" +
			"Condition exists (0:EAX=0 /\\ 1:EAX=0) is validated\nObservation SB Sometimes 7 993\nTime SB 0.01\n\n"))
	}
	if err == nil {
		err = parts.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	read(h.Call(http.MethodPost, "/api/v1/compare", form.Bytes(), "Content-Type", parts.FormDataContentType()))
	forbidden := slices.IndexFunc(out.Differences,
		func(d compare.Difference) bool { return d.Kind == "seen-forbidden" })
	if forbidden < 0 || len(out.Differences[forbidden].States) != 1 ||
		*out.Differences[forbidden].States[0].Count != 7 {
		t.Errorf("what the machine has seen and SC forbids is not there: %+v", out)
	}
	for _, bad := range []string{
		`{}`, `{"a":{"suite":"none"},"b":{"suite":"none"}}`, `{"only":["no such kind"]}`,
		fmt.Sprintf(`{"a":{"suite":%q,"models":["sc"]},"b":{"suite":%[1]q}}`, s.ID),
		fmt.Sprintf(`{"a":{"suite":%q,"models":["sc"],"model":"sc"},"b":{"suite":%[1]q,"models":["sc"]}}`, s.ID),
	} {
		w := h.Call(http.MethodPost, "/api/v1/compare", []byte(bad), "Content-Type", kindJSON)
		if w.Code != http.StatusUnprocessableEntity && w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", bad, w.Code)
		}
	}
}

// A suite names some of what it can have many of, and no more.
func TestCataloguePatterns(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	for _, body := range []any{
		map[string]any{"catalogue": slices.Repeat([]string{"*/*"}, 60_000)},
		map[string]any{"catalogue": []string{strings.Repeat("*", 2000)}},
		map[string]any{"catalogue": []string{"SB"}, "models": slices.Repeat([]string{"sc"}, 60_000)},
		map[string]any{"catalogue": []string{"SB"}, "own_models": make([]solver.OwnModel, 60_000)},
	} {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		if w := h.Call(http.MethodPost, "/api/v1/suites", text, "Content-Type",
			kindJSON); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%.60s…: %d %s", text, w.Code, w.Body)
		}
	}
}
