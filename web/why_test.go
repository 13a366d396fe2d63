package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"litmuscope/models"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/modeltext"
	"litmuscope/web/webtest"
)

func TestWhyNot(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {webtest.ClassicSource(t, "SB+mfences")}, "model": {"sc", "tso"}, "column": {"tso"}}
	w := post(h, "/picture", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h2", hasText(`^✗ TSO forbids 0:EAX=0 /\\ 1:EAX=0$`)),
		in(".lead", hasText(`^TSO forbids this outcome\. The drawing shows the nearest miss`)),
		in(".reason", hasText(`^TSO forbids this by consensus$`)),
		in(".reason a", hasAttr("href", `^/models/tso#L\d+$`), hasAttr("data-def", `^tso:\d+-\d+$`),
			hasAttr("title", `^acyclic: `)),
		in(".law",
			hasText(
				`^Memory has a single order, the same for all threads, that includes ppo and ab\. Here a single order would have to contain this cycle:$`)),
		in(".why .cycle .ev", hasText(`^a P0: MOV \[x\],\$1$`)),
		in(".why .cycle .ev button", hasAttr("data-lights", "^2$"), hasAttr("data-key", "^0:0$")),
		in(".why .cycle summary", hasText(`^ab mfence$`), hasAttr("data-lights", "^2 4$")),
		in(".why .cycle summary .rel", hasAttr("title", `^Ordered by a fence`)),
		in(".why .cycle .base .rel", hasText("^mfence$"), hasAttr("title", `^Fence: an MFENCE stands between`)),
		in(".why .cycle .uses", hasText(`^by ab › ordered › fence$`)),
		in(".why .cycle .uses a[data-def=stdlib.cat:25-29]", hasAttr("href", `^/models/tso#stdlib-cat-L25$`)),
		in(".why .cycle .back", hasText(`^back to a$`)),
		in(".why .hint", hasText(`The drawing shows the nearest miss, which is not an execution\.`)),
		in("button[data-add-column]", hasText(`^Without consensus$`), hasAttr("name", "^model$"),
			hasAttr("value", "^tso~consensus$")),
		in("svg.cycled .event.cycle[data-event=2]"),
		in("svg .edge.cycle.rel-fr"),
		in("input[data-relation=mfence][checked]"),
		notIn("svg .event.fence.cycle"),
	)
}

func TestWhyNotAState(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{
		"source": {webtest.ClassicSource(t, "SB")}, "column": {"sc"},
		"state": {`{"0:EAX":"0","1:EAX":"0"}`},
	}
	w := post(h, "/picture", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h2", hasText(`SC forbids 0:EAX=0; 1:EAX=0$`)),
		in(".reason", hasText(`^SC forbids this by consensus$`)),
		in(".why .cycle", hasText(`^a P0: .* po b P0: .* fr c P1: .* po d P1: .* fr back to a$`)))

	form.Set("state", `{"0:EAX":"7","1:EAX":"0"}`)
	w = post(h, "/picture", form, false)
	checkHTML(t, w.Body, in(".reason", hasText(`no execution ends with 0:EAX=7\.$`)), notIn("svg"))
}

// What a model allows and SC forbids is explained by what it does not keep.
func TestWhyYet(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	ask := func(id, model, own, state string, checks ...checker) {
		t.Helper()
		form := url.Values{
			"source": {webtest.ClassicSource(t, id)}, "column": {model}, "model-text": {own},
			"state": {state},
		}
		w := post(h, "/picture", form, false)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body, checks...)
	}
	ask("n6", "tso", "", "",
		in(".why .reason", hasText(`^SC forbids this cycle\. TSO does not preserve one of its steps:$`)),
		in(".why .cycle .relaxed .words",
			hasText(
				`^P0's store to x waits in its buffer while its load reads y=0; its load of x takes its value from the buffer\.$`)),
		in(".why .cycle summary .rel", hasText(`^ppo$`)),
		notIn("button[data-add-column]"),
		in(".why .hint", hasText("^The axiom that preserves the other steps: consensus$")))
	ask("PPC/SB", "power", "", "",
		in(".why .hint", hasText("^If these steps were preserved, this axiom would forbid the execution: "+
			"propagation$")))
	ask("PPC/IRIW+addrs", "power", "", "",
		in(".why .cycle .relaxed .words", hasText(`^P\d's store to . may reach P\d before it reaches P\d\.$`)))
	ask("SB", "tso", "", `{"0:EAX":"1","1:EAX":"1"}`,
		in(".why .reason", hasText(`^SC allows this execution, too\.$`)), notIn(".why .cycle"))
	ask("SB", "sc", "", `{"0:EAX":"1","1:EAX":"1"}`, notIn(".why"))
	ask("SB", "own", "acyclic po & (W * W | R * M) | rfe | fr | co as mine", "",
		in(".why .reason",
			hasText(`^SC forbids this cycle\. Your model does not preserve two of its steps, and at least one`)),
		in(".why .cycle .relaxed .words", hasText(`^P0's load of y may take place before its earlier store to x\.$`)),
		notIn("[data-model]"))
}

// Without one of its axioms a model may say yet more.
func TestWhyNotOfAnOwnModel(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{
		"source": {webtest.ClassicSource(t, "SB")}, "column": {"own"},
		"model-text": {
			"let com = rf | fr | co (* Who meets whom. *)\n(* All in one order. *)\nacyclic po | com as mine",
		},
	}
	w := post(h, "/picture", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(".law", hasText(`^All in one order\. Here a single order would`)),
		in(".reason b", hasText("^mine$"), hasAttr("data-def", "^own:3-3$")),
		in("button[data-add-column]", hasAttr("value", "^own~mine$")),
		notIn("[data-model]"))
}

func TestModelPage(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, "/models/tso")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h1", hasText("^TSO$")), in("main p", hasText(`^Total store order .*, in the cat language`)),
		in(".definitions dt a", hasText("^uniproc$"), hasAttr("href", `^#L\d+$`)),
		in("[data-file=tso] h2", hasText("^tso.cat$")),
		in("[data-file=tso] #L1 .string", hasText("Total store order")),
		in("#def-ppo", hasText("^ppo$"), hasAttr("title", "^Program order is preserved except")),
		in("[data-file=generic.cat] #generic-cat-def-ordered"),
		in("[data-file=stdlib.cat] #stdlib-cat-L25"),
		in(".comment"), in(".keyword", hasText("^include$")))

	w = get(h, "/models/TSO~uniproc?fragment")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("[data-file=tso] [data-line=1]"), notIn("header"), notIn("h1"))
	w = get(h, "/models/stdlib.cat")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("[data-file=stdlib.cat] #L4", hasText("po-loc")), notIn("#stdlib-cat-L4"))
	for _, name := range []string{"nothing", "..%2Fmodel.go", "tso.cat.cat"} {
		wantStatus(t, get(h, "/models/"+name), http.StatusNotFound)
	}
	// Every line is there as it is written.
	texts, _ := models.Texts("power")
	v, _ := modeltext.ViewOf("power")
	for i, f := range v.Files {
		var b strings.Builder
		for _, l := range f.Lines {
			for _, p := range l.Parts {
				b.WriteString(p.Text)
			}
			b.WriteByte('\n')
		}
		if b.String() != strings.TrimSuffix(texts[i].Text, "\n")+"\n" {
			t.Errorf("%s is not shown as it is written", f.Name)
		}
	}
}

// The drawing shows the answer: a violation, a witness, or the cycle.
func TestWhatIsShownAnswers(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, tt := range []struct {
		test, condition string
		asks, lines     string
		column, picture string
	}{
		{
			"SB", "exists (0:EAX=0 /\\ 1:EAX=0)", "Can this happen?",
			"TSO: yes, this can happen. No under SC.", "tso",
			"^✓ TSO allows 0:EAX=0; 1:EAX=0$",
		},
		{
			"SB", "~exists (0:EAX=0 /\\ 1:EAX=0)", "Does this never happen?",
			"TSO: no, this can happen. Yes under SC.", "tso",
			"^✓ TSO allows 0:EAX=0; 1:EAX=0$",
		},
		{
			"SB", "forall (0:EAX=1 \\/ 1:EAX=1)", "Does this always hold?",
			"TSO: no, this does not always hold. Yes under SC.", "tso",
			"^✓ TSO allows 0:EAX=0; 1:EAX=0$",
		},
		{
			"SB", "forall (0:EAX=0 \\/ 0:EAX=1)", "Does this always hold?",
			"TSO: yes, this always holds. Yes under SC.", "tso",
			`^✗ TSO forbids not \(0:EAX=0 \\/ 0:EAX=1\)$`,
		},
		{
			"SB+mfences", "~exists (0:EAX=0 /\\ 1:EAX=0)", "Does this never happen?",
			"TSO: yes, this never happens. Yes under SC.", "tso",
			"^✗ TSO forbids 0:EAX=0",
		},
		{
			"IRIW", "exists (1:EAX=1 /\\ 1:EBX=0 /\\ 3:EAX=1 /\\ 3:EBX=0)", "Can this happen?",
			"TSO: no, this cannot happen. No under SC.", "tso", "^✗ TSO forbids 1:EAX=1",
		},
		{
			"SB", "locations [0:EAX;1:EAX;]", "What can happen?", "TSO allows 4 outcomes. SC allows 3 outcomes.", "tso",
			"^✓ TSO allows 0:EAX=0; 1:EAX=0$",
		},
	} {
		source := webtest.ClassicSource(t, tt.test)
		source = regexp.MustCompile(`(?m)^exists.*$`).ReplaceAllLiteralString(source, tt.condition)
		form := url.Values{"source": {source}, "model": {"sc", "tso"}}
		w := post(h, "/explore", form, false)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body, in("h2", hasText(regexp.QuoteMeta(tt.asks))),
			in("section", hasAttr("data-summary", "^"+regexp.QuoteMeta(tt.lines)+"$"),
				hasAttr("data-first", "^"+tt.column+"$")))
		w = post(h, "/explore", form, true)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body, in("#picture h2", hasText(tt.picture)))
	}
}

// Without scripts, a cell's button has the page come with its picture.
func TestACellWithoutScripts(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {webtest.ClassicSource(t, "SB")}, "model": {"sc", "tso"}, "cell": {"1 1"}}
	w := post(h, "/explore", form, true)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("#picture h2", hasText(`^✓ SC allows 0:EAX=0; 1:EAX=1$`)), in("#picture svg"))
	form.Set("cell", "0 1")
	w = post(h, "/explore", form, true)
	checkHTML(t, w.Body, in("#picture h2", hasText(`^✗ SC forbids 0:EAX=0; 1:EAX=0$`)), in("#picture .reason"))
}

func TestPicturesThatCannotBe(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for name, set := range map[string][2]string{
		"unknown model":     {"column", "nothing"},
		"no state":          {"state", "[1]"},
		"a state of others": {"state", `{"9:EAX":"0"}`},
		"no such flag":      {"flag", "race"},
		"no test":           {"source", "X86"},
	} {
		form := url.Values{
			"source": {webtest.ClassicSource(t, "SB")}, "model": {"sc"}, "column": {"sc"},
			set[0]: {set[1]},
		}
		if w := post(h, "/picture", form, false); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", name, w.Code, w.Body)
		}
	}
}

// The executions of an outcome are counted, and shown one by one, each but once.
func TestExecutionsOneByOne(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	source := "X86 twice\n{}\n P0         | P1          ;\n MOV [x],$1 | MOV EAX,[x] ;\n" +
		" MOV [x],$1 |             ;\nexists (1:EAX=1)\n"
	form := url.Values{"source": {source}, "column": {"tso"}, "state": {`{"1:EAX":"1"}`}}
	w := post(h, "/executions", form, false)
	wantStatus(t, w, http.StatusOK)
	if got := strings.TrimSpace(w.Body.String()); got != `{"count":2,"complete":true}` {
		t.Fatal(got)
	}
	reads := map[string]bool{}
	for _, n := range []string{"1", "2"} {
		form.Set("n", n)
		w = post(h, "/picture", form, false)
		wantStatus(t, w, http.StatusOK)
		from := regexp.MustCompile(`data-rel="rf" data-from="(\d+)"`).FindStringSubmatch(w.Body.String())
		if from == nil {
			t.Fatalf("execution %s has no rf: %.500s", n, w.Body)
		}
		reads[from[1]] = true
	}
	if len(reads) != 2 {
		t.Errorf("both executions read from %v", reads)
	}
}
