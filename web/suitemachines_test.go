package web_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/webtest"
)

// seenHouse has a suite of three tests: one of which a board has shown what SC forbids, one of which it has shown what
// all models allow, and one that it has not run. The id is the suite's.
func seenHouse(t *testing.T) (h *webtest.House, id string) {
	h = webtest.NewHouse(t, engines.Local{})
	sb := webtest.ClassicSource(t, "SB")
	fenced := webtest.ClassicSource(t, "SB+mfences")
	putSeen(t, h.Store, sb, "board", seenSB("0", "0", 12), seenSB("0", "1", 5000))
	putSeen(t, h.Store, fenced, "board", seenSB("0", "1", 7))
	s := h.Submit(suites.Request{Models: webtest.BuiltIn("sc", "tso")}, webtest.Entries(
		suite.Entry{Path: "a/SB.litmus", Source: strings.Replace(sb, "X86 SB", "X86 renamed", 1)},
		suite.Entry{Path: "a/SB+mfences.litmus", Source: fenced},
		suite.Entry{Path: "a/MP.litmus", Source: webtest.ClassicSource(t, "MP")},
	))
	return h, h.Done(s.ID).ID
}

func TestSuitesHaveMachines(t *testing.T) {
	h, id := seenHouse(t)
	at := "/suites/" + id
	w := get(h, at)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("th.machine", hasText("^board$"), hasAttr("title", "^board, X86_64, Processor 9$")),
		in("td.machine.alarm a", hasText("^12 forbidden$"),
			hasAttr("title", "^board: 5,012 runs, 2 outcomes; 12 ended in outcomes that SC forbids$")),
		in("select[name=show] option[value=seen]", hasText("^seen but forbidden$")),
	)
	var rows []store.MatrixRow
	if err := json.Unmarshal(get(h, at+"/matrix?n=0-2").Body.Bytes(), &rows); err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range []string{"12 forbidden", "7", ""} {
		if got := rows[i].Machines; len(got) != 1 || got[0].Text != want || got[0].Alarm != (i == 0) {
			t.Errorf("row %d has %+v, want %q", i, got, want)
		}
	}
	if got := get(h, at+"/matching?show=seen").Body.String(); !strings.Contains(got, `"steps":[0]`) {
		t.Errorf("seen but forbidden: %s", got)
	}
	if got := get(h, at+"/matching?show=seen&q=MP").Body.String(); !strings.Contains(got, `"steps":[]`) {
		t.Errorf("seen but forbidden, and of another name: %s", got)
	}
}

func TestSuiteExportsHaveMachines(t *testing.T) {
	h, id := seenHouse(t)
	results := func(format string) string {
		t.Helper()
		w := get(h, "/api/v1/suites/"+id+"/results?format="+format)
		wantStatus(t, w, http.StatusOK)
		return w.Body.String()
	}
	lines := strings.Split(strings.TrimSpace(results("jsonl")), "\n")
	var got []solver.Result
	for _, line := range lines {
		var r solver.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if len(got) != 6 || len(got[0].Machines) != 1 || len(got[2].Machines) != 1 || len(got[4].Machines) != 0 ||
		strings.Contains(lines[4], "machines") {
		t.Fatalf("got %s", strings.Join(lines, "\n"))
	}
	if runs, models := got[0].Machines[0].Forbidden(); runs != 12 || strings.Join(models, " ") != "sc" {
		t.Errorf("SC's row: %d runs forbidden by %v", runs, models)
	}
	if runs, _ := got[1].Machines[0].Forbidden(); runs != 0 || got[1].Machines[0].Runs != 5012 {
		t.Errorf("TSO's row: %+v", got[1].Machines)
	}
	table, err := csv.NewReader(bytes.NewBufferString(results("csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var last []string
	for _, row := range table {
		last = append(last, strings.Join(row[len(row)-3:], ","))
	}
	want := "board: runs,board: outcomes,board: forbidden|5012,2,12|5012,2,0|7,1,0|7,1,0|,,|,,"
	if strings.Join(last, "|") != want {
		t.Errorf("csv ends in %s, want %s", strings.Join(last, "|"), want)
	}
	if text := results("table"); !strings.Contains(text,
		"  machine board: 5012 runs, 12 × 0:EAX=0; 1:EAX=0; (SEEN, BUT FORBIDDEN by sc), 5000 × 0:EAX=0; 1:EAX=1;\n") {
		t.Errorf("table: %s", text)
	}
	// Without machines, nothing changes.
	other := webtest.NewHouse(t, engines.Local{})
	s := other.Submit(suites.Request{Models: webtest.BuiltIn("sc")},
		webtest.Entries(suite.Entry{Path: "SB.litmus", Source: webtest.ClassicSource(t, "SB")}))
	other.Done(s.ID)
	if body := get(other, "/suites/"+s.ID).Body.String(); strings.Contains(body, "seen but forbidden") ||
		strings.Contains(body, "machine") {
		t.Error("a suite without machines has their columns")
	}
}
