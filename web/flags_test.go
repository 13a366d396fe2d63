package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

const flagging = "acyclic po | rf | fr | co\nflag ~empty rfe \\ (IW * _) as seen\nflag ~empty rmw as atomic\nundefined_unless empty coe as Dr"

// What a model flags stands with its answer, and can be drawn.
func TestFlags(t *testing.T) {
	h := newHandler(t, engines.Local{})
	w := post(h, "/explore", url.Values{"source": {classicSource(t, "SB")}, "model-text": {flagging}}, false)
	wantStatus(t, w, http.StatusOK)
	page := w.Body.String()
	checkHTML(t, w.Body,
		in("li.verdict .facts", hasText("^exists: No ")),
		in("li.verdict", hasText(" flag seen draw it undefined behaviour: Dr draw it$")),
		in("li.verdict p.flag button[data-outcome]", hasAttr("aria-label", "^Your model, flag seen: draw an execution$")),
	)
	var outcomes []drawnOutcome
	_, data, _ := strings.Cut(page, `<script id="outcomes-data" type="application/json">`)
	if err := json.NewDecoder(strings.NewReader(data)).Decode(&outcomes); err != nil {
		t.Fatal(err)
	}
	seen, err := json.Marshal(outcomes[len(outcomes)-2])
	if err != nil {
		t.Fatal(err)
	}
	w = post(h, "/draw", url.Values{"outcome": {string(seen)}}, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("#execution h2", hasText("^Your model: 0:EAX=")), in("#execution svg"))
}

func TestRESTFlags(t *testing.T) {
	h := newHandler(t, engines.Local{})
	body := bodyOf(t, map[string]any{
		"source": classicSource(t, "SB"), "models": []string{"mine"}, "model_text": flagging, "options": map[string]any{"witnesses": true},
	})
	var got struct{ Results []solver.Result }
	w := call(t, h, http.MethodPost, "/api/v1/explore", body, &got)
	wantStatus(t, w, http.StatusOK)
	flags := got.Results[0].Flags
	if len(flags) != 3 || !*flags[0].Raised || flags[0].Graph == nil || *flags[1].Raised || flags[1].Graph != nil || !*flags[2].Raised || !flags[2].Undefined {
		t.Errorf("%+v", flags)
	}
	if r := got.Results[0]; *r.ConditionHolds || r.Verdict != solver.Forbidden || r.Observation != solver.Never {
		t.Errorf("%+v", r)
	}
}
