package web_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/web/teaching/class"
	"litmuscope/web/webtest"
)

// ranFields is the form of a report.
func ranFields(page, kind string, runs int, counts string) []string {
	return []string{
		"item", "0", "run", "1", "answer", "ran", "page", page, "kind", kind, "runs", fmt.Sprint(runs), "left", "0",
		"counts", counts,
	}
}

// asksDevices opens a class whose devices are asked to run SB.
func asksDevices(s *webtest.School) (teacher *webtest.Person, teach, join string) {
	s.T.Helper()
	teacher = s.Person()
	teach, join = teacher.Opens(webtest.SBFields(s.T)...)
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "devices:1")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "devices:1")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "close")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "devices:1")
	return teacher, teach, join
}

// Counts of a class's devices are summed by kind, each report once. The models' verdicts come with the answer.
func TestDevicesOfAClass(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher, teach, join := asksDevices(s)
	ann, bob, eve := s.Person(), s.Person(), s.Person()
	text := func(p *webtest.Person, path string, want ...string) string {
		return webtest.PlainText(p.Reads(path, want...))
	}
	const request = "Run this test on this device? It takes at most 10 seconds and sends counts, the kind of device " +
		"and the number of runs, nothing else."
	for _, p := range []*webtest.Person{ann, bob, eve} {
		text(p, join, request)
	}
	var test struct {
		Threads  []struct{ Module []byte }
		Observed []struct{ Bits int }
	}
	if status, body, _ := ann.Get(join + "/device?item=0&run=1"); status != http.StatusOK ||
		json.Unmarshal([]byte(body), &test) != nil || len(test.Threads) != 2 || len(test.Observed) != 2 {
		t.Errorf("the test: status %d: %.300s", status, body)
	}
	// Each report has all that came before; it may arrive twice, or late.
	first, second := ranFields("a", "arm-android", 7, `{"1,0":4,"0,1":3}`),
		ranFields("a", "arm-android", 1010, `{"1,0":500,"0,1":507,"0,0":3}`)
	for _, report := range [][]string{first, first, second, first, second} {
		body := ann.Wants(http.StatusOK, join+"/report", report...)
		if !strings.Contains(body, `"1,0":"0:EAX=1; 1:EAX=0"`) {
			t.Errorf("a report is answered with %s", body)
		}
	}
	ann.Wants(http.StatusConflict, join+"/report", ranFields("b", "arm-android", 2000, `{"1,0":2000}`)...)
	bob.Wants(http.StatusOK, join+"/report", ranFields("c", "x86", 90, `{"1,0":90}`)...)
	if _, body, at := eve.Post(join+"/report", false, "item", "0", "run", "1", "answer", "declined"); at != join ||
		!strings.Contains(webtest.PlainText(body), "You declined to run the test.") {
		t.Errorf("declined without scripts: at %s: %.500s", at, webtest.PlainText(body))
	}
	const sums = "2 devices ran it, 1 declined, 0 cannot, 0 not answered"
	const kinds = "Arm phone (Android) 1 device x86 computer 1 device All 2 devices"
	before := text(
		eve,
		join+"/screen",
		sums,
		"Outcome "+kinds+" 0:EAX=1; 1:EAX=0 500 90 590 0:EAX=0; 1:EAX=1 507 0 507 "+
			"0:EAX=0; 1:EAX=0 3 0 3 Runs 1,010 90 1,100",
	)
	if strings.Contains(before, "forbidden") || strings.Contains(before, "✗") {
		t.Errorf("the counts tell the answer: %s", before)
	}
	text(ann, join, "The class: 2 devices, 1,100 runs", "0:EAX=0; 1:EAX=0 3 3")
	s.Stop()
	s.Start()
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
	text(eve, join+"/screen", "TSO allowed", "SC forbidden")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "counts:1")
	text(eve, join+"/screen", "Seen, but forbidden by SC: 0:EAX=0; 1:EAX=0 , 3 times", "Outcome TSO SC "+kinds+
		" 0:EAX=0; 1:EAX=0 ✓ allowed ✗ forbidden 3 0 3 0:EAX=1; 1:EAX=0 ✓ allowed ✓ allowed 500 90 590",
		"0:EAX=1; 1:EAX=1 ✓ allowed ✓ allowed not seen")
	_, body, _ := teacher.Get(teach + "/devices.csv")
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || len(rows) != 1+4 || !slices.Equal(rows[1], []string{
		"1", "SB", "0:EAX=0; 1:EAX=0", "1", "1", "0", "Arm phone (Android)", "1", "1010", "0", "0:EAX=0; 1:EAX=0", "3",
	}) {
		t.Errorf("the file of counts: %v\n%s", err, body)
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "devices:0")
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "devices:0")
	text(ann, join, "The class: 2 devices, 1,100 runs")
}

// Only who has a place in the class reports, and only what a device can count.
func TestReportsOfAClassThatAreRejected(t *testing.T) {
	s, later := behindProxy(t)
	teacher, teach, join := asksDevices(s)
	none := s.At("192.0.2.7")
	none.Wants(http.StatusForbidden, join+"/report", ranFields("a", "x86", 1, `{"1,0":1}`)...)
	if status, _, _ := none.Get(join + "/device?item=0&run=1"); status != http.StatusForbidden {
		t.Errorf("the test, without a place: status %d", status)
	}
	ann := s.At("192.0.2.1")
	ann.Get(join)
	for what, fields := range map[string][]string{
		"a number that does not fit the register": ranFields("a", "x86", 1, `{"4294967296,0":1}`),
		"a negative number":                       ranFields("a", "x86", 1, `{"-1,0":1}`),
		"another form of a number":                ranFields("a", "x86", 1, `{"01,0":1}`),
		"too few numbers":                         ranFields("a", "x86", 1, `{"1":1}`),
		"no numbers":                              ranFields("a", "x86", 1, `{"":1}`),
		"markup":                                  ranFields("a", "x86", 1, `{"<b>,0":1}`),
		"a negative count":                        ranFields("a", "x86", -1, `{"1,0":-1}`),
		"counts that cancel out":                  ranFields("a", "x86", 1, `{"1,0":-1,"0,1":2}`),
		"no whole count":                          ranFields("a", "x86", 1, `{"1,0":1.5}`),
		"an absurd count":                         ranFields("a", "x86", 1, `{"1,0":1e99}`),
		"more runs than possible":                 ranFields("a", "x86", 200_000_000, `{"1,0":200000000}`),
		"another sum":                             ranFields("a", "x86", 2, `{"1,0":1}`),
		"no object":                               ranFields("a", "x86", 1, `[1]`),
		"another kind":                            ranFields("a", "Ann's phone", 1, `{"1,0":1}`),
		"no page":                                 ranFields("", "x86", 1, `{"1,0":1}`),
		"no answer":                               {"item", "0", "run", "1"},
		"no run":                                  {"item", "0", "answer", "declined"},
	} {
		if status, body, _ := ann.Post(join+"/report", true, fields...); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", what, status, body)
		}
		later(time.Second)
	}
	for what, fields := range map[string][]string{
		"another question": {"item", "1", "run", "1", "answer", "declined"},
		"no such question": {"item", "7", "run", "1", "answer", "declined"},
		"another run":      {"item", "0", "run", "2", "answer", "declined"},
	} {
		if status, body, _ := ann.Post(join+"/report", true, fields...); status != http.StatusConflict {
			t.Errorf("%s: status %d: %s", what, status, body)
		}
	}
	many := map[string]int{}
	for n := range class.MaxOutcomes + 1 {
		many[fmt.Sprint(n, ",0")] = 1
	}
	counts, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	ann.Wants(http.StatusUnprocessableEntity, join+"/report", ranFields("a", "x86", len(many), string(counts))...)
	ann.Wants(http.StatusRequestEntityTooLarge, join+"/report",
		ranFields("a", "x86", 1, `{"1,0":1`+strings.Repeat(" ", 20_000)+`}`)...)
	text := webtest.PlainText(ann.Reads(join + "/screen"))
	if !strings.Contains(text, "0 devices ran it, 0 declined, 0 cannot, 0 not answered") {
		t.Errorf("of what was rejected, something counts: %s", text)
	}
	later(time.Minute)
	refused := 0
	for range 40 {
		status, _, _ := ann.Post(join+"/report", true, ranFields("a", "x86", 1, `{"1,0":1}`)...)
		if status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused != 10 {
		t.Errorf("of 40 reports at once, %d are turned away", refused)
	}
	bob := s.At("192.0.2.1") // another voter at the same address
	bob.Get(join)
	bob.Wants(http.StatusOK, join+"/report", "item", "0", "run", "1", "answer", "cannot")
	if status, body, _ := bob.Get(teach + "x/devices.csv"); status != http.StatusForbidden {
		t.Errorf("the counts without the secret: status %d: %.200s", status, body)
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	later(class.RunGrace)
	bob.Wants(http.StatusConflict, join+"/report", "item", "0", "run", "1", "answer", "declined")
}

// A test that cannot run is refused before anybody is asked, as is a question without one test.
func TestDevicesAreNotAsked(t *testing.T) {
	s := webtest.NewSchool(t)
	p := s.Person()
	for what, fields := range map[string][]string{
		"a test of one thread": {
			"source", "X86 one\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n", "model", "sc", "ask", "sc", "row", `{"x":"1"}`,
		},
		"a question without a test": {"prompt", "Which?", "answer", "this", "answer", "that"},
	} {
		teach, join := p.Opens(fields...)
		p.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
		body := p.Wants(http.StatusUnprocessableEntity, teach+"/do", "do", "devices:1")
		if strings.Contains(what, "one thread") && !strings.Contains(body, "one: This test cannot run on a device: "+
			"a test with one thread") {
			t.Errorf("%s: %s", what, body)
		}
		if page := p.Reads(join); strings.Contains(page, `id="devices"`) {
			t.Errorf("%s: devices are asked: %s", what, webtest.PlainText(page))
		}
	}
}
