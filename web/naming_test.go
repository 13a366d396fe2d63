package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/web"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// sideways is a read that has no part in the cycle, before the condition.
const sideways = "              |              | lwz r5,0(r8) ;\nexists"

// The explorer says what the field calls a test, whatever its own name is.
func TestExplorerNamesATest(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {webtest.Stranger}, "model": {"power"}}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h2 .name", hasText("^told-by-another$")),
		in(".named", hasText(`^This is WRC\+sync\+addr · in the catalogue · Rfe SyncdRW Rfe DpAddrdR Fre$`)),
		in(".named a[href=/cycles?arch=PPC&cycle=Rfe+SyncdRW+Rfe+DpAddrdR+Fre]"),
		in(".named a[href=/catalogue?arch=PPC&shape=WRC#PPC/WRC+sync+addr]"),
	)
	// A test that only contains the cycle is not called by its name.
	form.Set("source", strings.Replace(webtest.Stranger, "exists", sideways, 1))
	checkHTML(t, post(h, "/explore", form, false).Body,
		in(".named", hasText("^Contains the cycle Rfe SyncdRW Rfe DpAddrdR Fre$")), notIn(".named a[href^=/catalogue]"))
	// It is not said twice, and not of a test that asks about no cycle.
	form.Set("source", webtest.ClassicSource(t, "SB"))
	checkHTML(t, post(h, "/explore", form, false).Body, in(".named", hasText("^The cycle PodWR Fre PodWR Fre$")))
	form.Set("source", "X86 none\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")
	checkHTML(t, post(h, "/explore", form, false).Body, in("h2 .name"), notIn(".named"))
	// More rows of a table that is there come without it.
	form.Set("source", webtest.Stranger)
	form.Set("rows", "0")
	checkHTML(t, post(h, "/explore", form, false).Body, notIn(".named"))
}

// slowNaming is a Sandbox whose children take their time over names.
type slowNaming struct{ webtest.InProcess }

func (n slowNaming) Do(ctx context.Context, w pool.Work, question, into any) error {
	if w.Name() != childwork.Ringing.Title {
		return n.InProcess.Do(ctx, w, question, into)
	}
	<-ctx.Done()
	return ctx.Err()
}

// An answer does not wait long for the test's name.
func TestAnswersDoNotWaitForNames(t *testing.T) {
	c := webtest.TestConfig(engines.Local{})
	c.Sandbox = slowNaming{}
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	w := post(h, "/explore", url.Values{"source": {webtest.Stranger}, "model": {"power"}}, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("h2 .name"), notIn(".named"))
}

func TestNameOverREST(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, c := range []struct{ source, name, cycle, why string }{
		{webtest.Stranger, "WRC+sync+addr", "Rfe SyncdRW Rfe DpAddrdR Fre", ""},
		{
			strings.Replace(webtest.Stranger, "exists", sideways, 1), "", "Rfe SyncdRW Rfe DpAddrdR Fre",
			"the test contains the cycle, but differs from the test made from that cycle",
		},
		{
			"X86 none\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n", "", "",
			"SC allows the outcome of the condition: there is no cycle",
		},
	} {
		w := postJSON(h, "/api/v1/name", object{"source": c.source})
		wantStatus(t, w, http.StatusOK)
		var got struct{ Name, Cycle, Why string }
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Name != c.name || got.Cycle != c.cycle ||
			got.Why != c.why {
			t.Errorf("%v: %s", err, w.Body)
		}
	}
	w := postJSON(h, "/api/v1/name", object{"source": "X86 broken\n{}\n P0 ;\n FLY ;\nexists (x=1)\n"})
	wantStatus(t, w, http.StatusUnprocessableEntity)
	var p server.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || len(p.Errors) == 0 || p.Errors[0].Line != 4 {
		t.Errorf("%v: %s", err, w.Body)
	}
}
