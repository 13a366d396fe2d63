package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// verifying notes what it is asked, and gives the wanted answers.
type verifying struct {
	asked  chan solver.VerifyTask
	answer func(solver.VerifyTask) (*solver.Verification, error)
}

func (v verifying) Run(_ context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.VerifyTask)
	v.asked <- t
	return v.answer(t)
}

// A program is asked under each model, with all that the request says, and what is wrong with it
// is a problem with places.
func TestRESTVerify(t *testing.T) {
	v := verifying{make(chan solver.VerifyTask, 9), func(t solver.VerifyTask) (*solver.Verification, error) {
		r := engines.Unread(t, nil)
		r.Status, r.Verdict, r.Complete = solver.OK, solver.Safe, true
		return r, nil
	}}
	c := webtest.TestConfig(engines.Local{})
	c.Runner = v
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	w := postJSON(h, "/api/v1/verify", map[string]any{
		"files":   []map[string]string{{"name": "a/q.c", "text": "int x;\r\n"}},
		"include": map[string]string{"a/q.h": ""}, "dirs": []string{"a"}, "defines": []string{"N=2"},
		"data_model": "ilp32", "entry": "go",
		"models":     []string{"sc", "own~fr"},
		"own_models": []map[string]string{{"name": "own", "text": "acyclic co as fr"}},
		"properties": []string{"data-race", "assertion"}, "count": true, "minimise": true,
		"options": map[string]any{"unroll": 5, "timeout": "9h"},
	})
	var out struct{ Results []solver.Verification }
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != http.StatusOK || len(out.Results) != 2 {
		t.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	if r := out.Results[1]; r.Model != "own~fr" || r.Path != "a/q.c" || r.Name != "q" ||
		r.Property != "data-race+assertion" || r.Verdict != solver.Safe {
		t.Errorf("%+v", r)
	}
	for range 2 {
		a := <-v.asked
		if a.Files[0].Text != "int x;\n" || a.DataModel != "ilp32" || a.Entry != "go" || !a.Count || !a.Minimise ||
			a.Options.Unroll != 5 ||
			a.Options.Timeout != server.DefaultLimits().Options.Timeout || a.Defines[0] != "N=2" || a.Dirs[0] != "a" ||
			len(a.Include) != 1 {
			t.Errorf("asked %+v", a)
		}
		if own := a.Model == "own~fr"; own != (a.ModelText != "") {
			t.Errorf("model %s has the text %q", a.Model, a.ModelText)
		}
	}

	v.answer = func(t solver.VerifyTask) (*solver.Verification, error) {
		r := engines.Unread(t, nil)
		r.Error, r.Faults = "main.c:3:7: got ), want an expression",
			[]solver.Fault{{File: "main.c", Line: 3, Column: 7, Message: "got ), want an expression"}}
		return r, nil
	}
	c.Runner = v
	if h, err = web.New(c); err != nil {
		t.Fatal(err)
	}
	w = postJSON(h, "/api/v1/verify", map[string]any{"source": "int"})
	for _, want := range []string{
		`"detail":"cannot verify the program: main.c:3:7: got )`,
		`"location":"body.files","file":"main.c","line":3,"column":7`,
	} {
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d %s, want %s", w.Code, w.Body, want)
		}
	}
}

// What no program should be is refused before anybody reads it.
func TestRESTVerifyRefuses(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	long := strings.Repeat("x", server.MaxProgram)
	for body, want := range map[string]string{
		`{}`: "Missing program",
		`{"source":"int x;","files":[{"name":"a.c","text":""}]}`:                      "not in both",
		`{"source":"` + long + `"}`:                                                   "longer than 1024 KiB",
		`{"files":[{"name":"../a.c","text":""}]}`:                                     "must be relative",
		`{"files":[{"name":"/etc/passwd","text":""}]}`:                                "must be relative",
		`{"files":[{"name":"a.c","text":""}],"include":{"a.c":""}}`:                   "Two files have the name",
		`{"source":"int x;","dirs":["/usr/include"]}`:                                 "must be relative",
		`{"source":"int x;","models":["tos"]}`:                                        "Unknown model",
		`{"source":"int x;","engine":"lazy-cseq","models":["tso"]}`:                   "supports sc, not tso",
		`{"source":"int x;","properties":["love"]}`:                                   "Unknown property",
		`{"source":"int x;","target":"vax"}`:                                          "Unknown target",
		`{"source":"int x;","options":{"unroll":0}}`:                                  "unroll",
		`{"source":"int x;","options":{"states":7}}`:                                  "states",
		`{"source":"int x;","own_models":[{"name":"sc","text":"acyclic po"}]}`:        "Rename your model",
		`{"source":"int x;","models":["sc","sc","sc","sc","sc","sc","sc","sc","sc"]}`: "models",
		`{"source":"int x;","data_model":"ip16"}`:                                     "data_model",
	} {
		w := postJSON(h, "/api/v1/verify", json.RawMessage(body))
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%.60s: %d %.300s, want %s", body, w.Code, w.Body, want)
		}
	}
}
