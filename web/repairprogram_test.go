package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth"
	"litmuscope/web/webtest"
)

// passing is a program whose assertion holds as long as what is written before the flag is seen by who has seen the
// flag.
const passing = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
int data;
static void *writer(void *arg) {
	data = 1;
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return 0;
}
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, writer, 0);
	if (atomic_load_explicit(&ready, memory_order_relaxed))
		assert(data == 1);
	pthread_join(t, 0);
}
`

// A program is repaired over REST as the command line does it: in the same shape, under all of its models at once.
func TestRESTRepairProgram(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := postJSON(h, "/api/v1/repair/program", map[string]any{"source": passing, "models": []string{"rc11", "power"}})
	wantStatus(t, w, http.StatusOK)
	var r synth.Reply
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Path != "main.c" || r.Arch != "C" || r.Model != "rc11+power" || r.Status != solver.OK ||
		r.Verdict != solver.Unsafe || !r.Minimal || r.Asked < 3 || len(r.Repairs) != 1 {
		t.Fatalf("%s", w.Body)
	}
	a := r.Repairs[0]
	if a.Cost != 7 || len(a.Changes) != 2 || !strings.Contains(a.Source, "memory_order_release") ||
		!strings.Contains(a.Diff, "+\tif (atomic_load_explicit(&ready, memory_order_acquire))") {
		t.Errorf("%+v", a)
	}
	for _, c := range a.Changes {
		if c.Function == "" || c.Fails == "" || c.Line == 0 {
			t.Errorf("%+v", c)
		}
	}
	for _, own := range []string{`"without"`, `"fails_under"`, `"files"`, `"bad_test"`} {
		if strings.Contains(w.Body.String(), own) {
			t.Errorf("the answer has %s: %s", own, w.Body)
		}
	}

	w = postJSON(h, "/api/v1/repair/program", map[string]any{"source": passing})
	if wantStatus(t, w, http.StatusOK); !strings.Contains(w.Body.String(), `"model":"rc11"`) {
		t.Errorf("%s", w.Body)
	}
	w = postJSON(h, "/api/v1/repair/program",
		map[string]any{
			"source": passing, "models": []string{"rc11"},
			"costs": "[C]\norder store release = -\norder store seq_cst = -\n",
		})
	if wantStatus(t, w, http.StatusOK); !strings.Contains(w.Body.String(),
		"atomic_thread_fence(memory_order_release)") {
		t.Errorf("what is off the offer is not gone round: %s", w.Body)
	}
	w = postJSON(h, "/api/v1/repair/program", map[string]any{"source": passing, "models": []string{"sc"}})
	if wantStatus(t, w, http.StatusOK); !strings.Contains(w.Body.String(), `"already":true`) {
		t.Errorf("%s", w.Body)
	}
	for body, want := range map[string]string{
		`{}`:                                   "Missing program",
		`{"source":"int main(void) { x }"}`:    `"location":"body.files","file":"main.c","line":1`,
		`{"source":"int x;","models":["tos"]}`: "Unknown model",
		`{"source":"int main(void) { return 0; }","costs":"C what 7"}`: "Costs:1:1: got",
	} {
		w := postJSON(h, "/api/v1/repair/program", json.RawMessage(body))
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.300s, want %s", body, w.Code, w.Body, want)
		}
	}
}

// On the page, a row that fails can be asked what would mend it; without scripts the answer is a page, whose buttons
// open the program.
func TestRepairClaim(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := claimForm(t)
	form.Set("source", passing)
	form["model"] = []string{"rc11"}
	w := post(h, "/programs", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(".claim.unsafe button[name=repair]", hasAttr("value", "^rc11$"),
			hasAttr("formaction", "^/programs/repair$")),
		in(".repairing .mended"))

	form.Set("repair", "rc11")
	for _, plain := range []bool{false, true} {
		w := post(h, "/programs/repair", form, plain)
		wantStatus(t, w, http.StatusOK)
		text := w.Body.String()
		checkHTML(t, strings.NewReader(text),
			in("h3", hasText("^Repairs under RC11$")),
			in(".repairs p", hasText("^1 cheapest repair under RC11, cost 7.$")),
			in(".repair li code", hasText(`^release in atomic_store_explicit`)),
			in(".repair .fails small", hasText("^without this change, the program fails under RC11: ")),
			in(".diff ins", hasText(`^\+\s*atomic_store_explicit\(&ready, 1, memory_order_release\);$`)),
			in(".repairs .hint", hasText("no cheaper one exists")),
		)
		if plain {
			checkHTML(t, strings.NewReader(text),
				in(".repair .fails form [name=source]", hasAttr("value", "memory_order_acquire")), // … of the release
				in(".repair .fails form [name=model]", hasAttr("value", "^rc11$")),
				in(".repair .take form [name=source]",
					hasAttr("value", "(?s)memory_order_release.*memory_order_acquire")),
			)
		}
	}
	form.Set("source", "int main(void) { x }")
	w = post(h, "/programs/repair", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body, in(".problem [data-line]", hasText("line 1")))
}

// A row that is safe can be asked which orders the program does not need.
func TestWeakenClaim(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := claimForm(t)
	form.Set("source", strings.NewReplacer("memory_order_relaxed", "memory_order_seq_cst").Replace(passing))
	form["model"] = []string{"rc11"}
	w := post(h, "/programs", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in(".claim.safe button[name=repair]", hasAttr("value", "^weaken rc11$")),
		in(".repairing .mended"))
	form.Set("repair", "weaken rc11")
	for _, plain := range []bool{false, true} {
		w := post(h, "/programs/repair", form, plain)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body,
			in("h3", hasText("^Orders that the program does not need under RC11$")),
			in(".repairs p", hasText("can be weaker. The program stays safe.$")),
			in(".repair li .cost", hasText("^saves [0-9]+$"), hasAttr("href", "^/docs/barriers#costs-in-c$")),
			in(".repair .kept li", hasText("release in atomic_store_explicit")),
		)
	}
}
