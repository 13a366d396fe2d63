package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

const flagging = "acyclic po | rf | fr | co\nflag ~empty rfe \\ (IW * _) as seen\n" +
	"flag ~empty rmw as atomic\nundefined_unless empty coe as Dr"

// What a model flags stands with its answer, and can be drawn.
func TestFlags(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := post(h, "/explore", url.Values{"source": {webtest.ClassicSource(t, "SB")}, "model-text": {flagging}}, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(".sentences li", hasText("^Undefined under Your model ?: Dr\\.$")),
		in("p.flag",
			hasText(
				`^Your model: flag seen: P0's MOV EAX,\[y\] \( line 6 \) and P1's MOV \[y\],\$1 \( line 5 \) . draw it$`)),
		in("p.flag a", hasAttr("data-line", "^6$"), hasAttr("data-col", "^2$")),
		in("p.flag button[data-flag=Dr]", hasAttr("aria-label", "^Your model, undefined behaviour: Dr: draw it$")),
	)
	for flag, text := range map[string]string{
		"seen": `flag seen: P0's MOV EAX,\[y\] \(line 6\) and P1's MOV \[y\],\$1 \(line 5\)`,
		"Dr":   `undefined behaviour, Dr: the initial x=0 and P0's MOV \[x\],\$1 \(line 5\) race \(and 1 more\); the condition does not hold`,
	} {
		w = post(h, "/picture",
			url.Values{
				"source": {webtest.ClassicSource(t, "SB")}, "model-text": {flagging}, "column": {"own"},
				"flag": {flag},
			}, false)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body, in("h2", hasText("Your model allows 0:EAX=")), in(".reason", hasText("^"+text+"$")),
			in("svg g.edge.rel-"+flag+".cycle"), in("svg g.event.cycle"))
	}
}

// The explorer and lessons show the data races of tests with scopes beside the outcomes.
func TestRacesOfGPUsAreShown(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	const source = "PTX MP\n{ x=0; y=0; }\n P0@cta 0, gpu 0 | P1@cta 1, gpu 0 ;\n" +
		" st.weak x, 1 | ld.acquire.gpu r0, y ;\n st.release.gpu y, 1 | ld.weak r1, x ;\n" +
		"exists (1:r0=1 /\\ 1:r1=0)\n"
	w := post(h, "/explore", url.Values{"source": {source}, "model": {"ptx"}}, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("p.flag", hasText(`^PTX: flag data-race: P0's st.weak x, 1 .* and P1's ld.weak r1, x .* race`)))
	w = get(h, "/learn/scopes?wait=1")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(".outcomes p.flag",
			hasText(`^PTX: flag data-race: P0's st.release.cta y, 1 and P1's ld.acquire.cta r0, y race`)))
}

func TestRESTFlags(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	body := bodyOf(t, map[string]any{
		"source": webtest.ClassicSource(t, "SB"), "models": []string{"mine"}, "model_text": flagging,
		"options": map[string]any{"witnesses": true},
	})
	var got struct{ Results []solver.Result }
	w := call(t, h, http.MethodPost, "/api/v1/explore", body, &got)
	wantStatus(t, w, http.StatusOK)
	flags := got.Results[0].Flags
	if len(flags) != 3 || !*flags[0].Raised || flags[0].Graph == nil || *flags[1].Raised || flags[1].Graph != nil ||
		!*flags[2].Raised || !flags[2].Undefined {
		t.Errorf("%+v", flags)
	}
	if c := flags[0].Causes; len(c) != 1 || c[0].First.Thread != "P0" || c[0].First.Line != 6 ||
		c[0].First.Column != 2 || c[0].Second.Thread != "P1" || c[0].Second.Line != 5 ||
		flags[0].Graph.Events[c[0].Second.Event].Name != c[0].Second.Name {
		t.Errorf("%+v", c)
	}
	if r := got.Results[0]; *r.ConditionHolds || r.Verdict != solver.Forbidden || r.Observation != solver.Never {
		t.Errorf("%+v", r)
	}
}
