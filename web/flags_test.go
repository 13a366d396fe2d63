package web

import (
	"net/http"
	"net/url"
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
	checkHTML(t, w.Body,
		in(".sentences li", hasText("^No Your model finds undefined behaviour, so that no condition holds.$")),
		in("p.flag", hasText("^Your model: flag seen draw it$")),
		in("p.flag button[data-flag=Dr]", hasAttr("aria-label", "^Your model, undefined behaviour: Dr: draw an execution$")),
	)
	for flag, text := range map[string]string{"seen": "flag seen", "Dr": "undefined behaviour: Dr"} {
		w = post(h, "/picture", url.Values{"source": {classicSource(t, "SB")}, "model-text": {flagging}, "column": {"own"}, "flag": {flag}}, false)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body, in("h2", hasText("Your model allows 0:EAX=")), in(".reason", hasText("^"+text+"$")), in("svg"))
	}
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
