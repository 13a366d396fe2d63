package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/webtest"
)

func claimForm(t *testing.T, pairs ...string) url.Values {
	t.Helper()
	p, ok := catalogue.FindProgram("store-buffering")
	if !ok {
		t.Fatal("the first example is gone")
	}
	f := url.Values{"source": {p.Source}, "property": {"assertion"}}
	for i := 0; i < len(pairs); i += 2 {
		f[pairs[i]] = append(f[pairs[i]], pairs[i+1])
	}
	return f
}

// Links to where the page was lead to where it is, and forms do what they did.
func TestProgramsWereAtVerify(t *testing.T) {
	h := webtest.NewProver(t)
	for _, old := range []string{"", "?program=spinlock%2BFENCES", "/program?program=spinlock", "/links"} {
		w := get(h, "/verify"+old)
		if got := w.Header().Get("Location"); w.Code != http.StatusPermanentRedirect || got != "/programs"+old {
			t.Errorf("/verify%s leads to %q with %d", old, got, w.Code)
		}
	}
	w := post(h, "/verify", claimForm(t), true)
	if got := w.Header().Get("Location"); w.Code != http.StatusPermanentRedirect || got != "/programs" {
		t.Errorf("a form is led to %q with %d", got, w.Code)
	}
	wantStatus(t, get(h, "/verifying"), http.StatusNotFound)
}

func TestVerifyPage(t *testing.T) {
	h := webtest.NewProver(t)
	w := get(h, "/programs")
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in(`nav a[aria-current=page]`, hasText("^Programs$")),
		in("textarea#source", hasText("Store buffering")),
		in("#note", hasText("each thread sets its own flag")),
		in("#pick-name", hasText("^store-buffering$")),
		in("noscript", hasText(`value="store-buffering" selected`)),
		in(`.properties input[value=assertion]`, hasAttr("checked", "")),
		in(`input[name=model][value=sc]`, hasAttr("checked", "")),
		in(`input[name=option-unroll]`, hasAttr("value", "^2$")),
	)
	wantStatus(t, get(h, "/programs?program=spinlock%2BFENCES"), http.StatusOK)
	wantStatus(t, get(h, "/programs?program=nothing"), http.StatusNotFound)
}

// Without scripts, the form's answer is the whole page, with the execution of the first model that
// fails, or of the one whose button was pressed.
func TestVerifyWithoutScripts(t *testing.T) {
	h := webtest.NewProver(t)
	form := claimForm(t, "model", "sc", "model", "tso", "model", "aarch64", "model", "rc11", "model", "power")
	w := post(h, "/programs", form, true)
	wantStatus(t, w, http.StatusOK)
	for _, raise := range []string{
		`value="unroll=4">Try with loops unrolled 4 times</button>`,
		`value="timeout=40s">Try with time limit 40s</button>`,
	} {
		if !strings.Contains(w.Body.String(), raise) {
			t.Errorf("no button %s", raise)
		}
	}
	checkHTML(t, w.Body,
		in("#answer-title", hasText("^store-buffering ?: Can an assertion fail\\?$")),
		in(".claims", hasText("SC Safe.*loops unrolled 2 times, which suffices · axiomatic, 1.2 ms")),
		in(".claim.unsafe", hasText("TSO Unsafe Show failure Repair line 44 , in main: r0 == 1 \\|\\| r1 == 1 fails")),
		in(".claim.u", hasText("Power Unknown time limit of 10s reached")),
		in("#picture h2", hasText("TSO: r0 == 1 \\|\\| r1 == 1 fails")),
		in("#picture svg.execution-graph"),
		in("#picture .thread", hasText("main")),
		in(".cycle .relaxed .words", hasText("^Left's store to x may wait in its buffer while its load reads y=0.$")),
		in(`[name=show][value=tso]`, hasAttr("aria-pressed", "true")),
		in("ol.steps li", hasText("main start left line 40")),
	)
	form.Set("show", "aarch64")
	checkHTML(t, post(h, "/programs", form, true).Body, in("#picture h2", hasText("AArch64:")),
		in("#picture ol.steps", hasText("main r0 == 1 \\|\\| r1 == 1 fails")))
	form.Del("show")
	form.Set("raise", "unroll=4")
	w = post(h, "/programs", form, true)
	if strings.Contains(w.Body.String(), `value="unroll=8">Try`) {
		t.Error("rc11 is safe with 4 rounds, and yet more are offered")
	}
	checkHTML(t, w.Body, in("#option-unroll", hasAttr("value", "^4$")))
}

func TestVerifyRefusals(t *testing.T) {
	h := webtest.NewProver(t)
	for _, c := range []struct {
		form   url.Values
		status int
		text   string
	}{
		{claimForm(t, "property", "beauty"), 422, "Unknown property &#34;beauty&#34;"},
		{claimForm(t, "model", "vax"), 422, "vax"},
		{claimForm(t, "option-unroll", "0"), 422, "unroll"},
		{claimForm(t, "option-unroll", "many"), 422, "invalid value"},
		{claimForm(t, "option-defines", strings.Repeat("A ", 300)), 422, "more than 256 macros"},
		{url.Values{"source": {strings.Repeat("a", 1200<<10)}}, 422, "longer than 1024 KiB"},
		{url.Values{"source": {""}}, 422, "The program is empty"},
	} {
		w := post(h, "/programs", c.form, false)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%v: %d %.300s, want %d and %q", c.form["property"], w.Code, w.Body, c.status, c.text)
		}
	}
	w := post(h, "/programs", url.Values{"source": {"int main(void)\n{\n\t/* Ü */ oops;\n}\n"}}, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body,
		in(".problem", hasText("^Cannot read the program: line 3, column 10 : got oops, want a statement$")))
	wantStatus(t, post(h, "/programs/picture", claimForm(t, "column", "sc"), false), http.StatusUnprocessableEntity)
	wantStatus(t, post(h, "/programs/picture", claimForm(t), false), http.StatusUnprocessableEntity)
}

func TestCheckProgram(t *testing.T) {
	h := webtest.NewProver(t)
	for source, line := range map[string]int{
		"int x;\nint main(void) { return 0; }\n": 0, "int x;\noops oops\n": 2,
		"#include \"/etc/passwd\"\n": 1,
	} {
		var got textpage.Checked
		w := post(h, "/programs/check", url.Values{"source": {source}}, false)
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Errors) > 0 != (line > 0) || line > 0 &&
			got.Errors[0].Line != line {
			t.Errorf("%q: %v %s", source, err, w.Body)
		}
	}
}

// The drawing of a failing execution is available as a file.
func TestExportFailing(t *testing.T) {
	w := post(webtest.NewProver(t), "/programs/export", claimForm(t, "column", "tso", "format", "dot"), false)
	wantStatus(t, w, http.StatusOK)
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="program-tso.dot"` ||
		!strings.HasPrefix(w.Body.String(), "digraph") {
		t.Errorf("%s: %.100s", got, w.Body)
	}
}

// The same can be asked in a shell, and of the REST interface.
func TestCopyClaim(t *testing.T) {
	h := webtest.NewProver(t)
	form := claimForm(t, "model", "tso", "property", "memory", "option-unroll", "5", "option-defines", "N=3 M",
		"option-entry", "start", "origin", "http://here")
	for format, want := range map[string]string{
		"run": "litmuscope verify -m tso --property=assertion+memory -D N=3 -D M --entry=start --unroll=5 - <<'C'\n/*",
		"curl": "curl -sS http://here/api/v1/verify -H 'Content-Type: application/json' --data-binary @- " +
			"<<'JSON'\n{\n  \"source\": \"/*",
	} {
		w := post(h, "/programs/copy?format="+format, form, false)
		wantStatus(t, w, http.StatusOK)
		if !strings.HasPrefix(w.Body.String(), want) {
			t.Errorf("%s: %.300s", format, w.Body)
		}
	}
	wantStatus(t, post(h, "/programs/copy?format=tar", form, false), http.StatusNotFound)
}

// A permalink brings all of the claims back.
func TestClaimLink(t *testing.T) {
	h := webtest.NewProver(t)
	w := post(h, "/programs/links",
		claimForm(t, "model", "power", "property", "memory", "option-unroll", "5", "option-timeout", "3s",
			"option-defines", "N=3 M", "option-entry", "start", "engine", "axiomatic"), true)
	wantStatus(t, w, http.StatusSeeOther)
	w = get(h, w.Header().Get("Location"))
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("form#verify"),
		in("#pick-name", hasText("^Your own$")),
		in("input[name=model][value=power]", hasAttr("checked", "")),
		in(".properties input[value=memory]", hasAttr("checked", "")),
		in("#option-unroll", hasAttr("value", "^5$")),
		in("#option-timeout", hasAttr("value", "^3s$")),
		in("#option-defines", hasText("^N=3 M$")),
		in("#option-entry", hasAttr("value", "^start$")),
	)
}

// A program of several files, with settings of its own and under a model of the visitor's, is kept by links and copies.
func TestClaimOfFiles(t *testing.T) {
	h := webtest.NewProver(t)
	form := claimForm(t, "model", "tso", "file", "main.c", "file-name", "lib/box.h", "file-text", "int box;\r\n",
		"file-name", "reader.c", "file-text", "#include \"lib/box.h\"\n",
		"option-defines", "SIZE=40 + 2\nM\n", "option-data-model", "ilp32", "option-target", "arm:dmb", "option-count",
		"true", "option-minimise", "true",
		"own-name", "Mine", "own-text", "acyclic po | rf", "own-files", "", "origin", "http://here")
	w := post(h, "/programs/copy?format=run", form, false)
	wantStatus(t, w, http.StatusOK)
	for _, want := range []string{
		"mkdir -p lib\ncat > lib/box.h <<'CAT'\nint box;\nCAT\n", "cat > Mine.cat <<'CAT'\nacyclic po | rf\nCAT\n",
		"litmuscope verify -m tso -m Mine.cat --property=assertion -D 'SIZE=40 + 2' -D M --data-model=ilp32 " +
			"--target=arm:dmb --count --minimise --link main.c reader.c\n)\n",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the command has no\n%s:\n%s", want, w.Body)
		}
	}
	w = post(h, "/programs/links", form, true)
	wantStatus(t, w, http.StatusSeeOther)
	checkHTML(t, get(h, w.Header().Get("Location")).Body,
		in(`[name=file]`, hasAttr("value", "^main.c$")),
		in(`[name=file-name]`, hasAttr("value", "^lib/box.h$")),
		in(`[name=file-text]`, hasAttr("value", "^int box;")),
		in("#option-defines", hasText("^SIZE=40 \\+ 2\\s+M$")),
		in("#option-data-model option[value=ilp32]", hasAttr("selected", "")),
		in("#option-target option[value=arm:dmb]", hasAttr("selected", "")),
		in("[name=own-name]", hasAttr("value", "^Mine$")),
	)
	for _, bad := range [][2]string{{"file-name", "main.c"}, {"file-name", "../x.h"}} {
		f := claimForm(t, "file", "main.c", bad[0], bad[1], "file-text", "")
		wantStatus(t, post(h, "/programs", f, false), http.StatusUnprocessableEntity)
	}
}

// A program is held, compiled for every architecture, against what it does in C; one with the kernel's primitives is
// compiled by no mapping, and is refused in words.
func TestCompiledClaim(t *testing.T) {
	h := webtest.NewProver(t)
	form := claimForm(t, "option-unroll", "3") // with which RC11 is sure
	for _, plain := range []bool{false, true} {
		w := post(h, "/programs/compiled", form, plain)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body,
			in(".says", hasText("RC11: safe")),
			in("[data-to=aarch64] .mapping.wrong",
				hasText("^The program fails under AArch64 but not under RC11: the mapping is wrong.$")),
			in("[data-to=aarch64] li", hasText(`^assert\(r0 == 1 \|\| r1 == 1\);$`)),
			in("[data-to=riscv] .mapping.right"),
			in("[data-to=ppc] .mapping.unknown"),
		)
	}
	form.Set("source", "#include <linux/atomic.h>\nint main(void) { return 0; }\n")
	w := post(h, "/programs/compiled", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	if !strings.Contains(w.Body.String(), "no published mapping compiles") {
		t.Errorf("%s", w.Body)
	}
}

// raceSource is a program with a data race whose assertion holds.
const raceSource = "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *t(void *p) { x = 1; return 0; }\n" +
	"int main(void) {\n  pthread_t id;\n  pthread_create(&id, 0, t, 0);\n  int r = x;\n  pthread_join(id, 0);\n" +
	"  assert(r < 2);\n}\n"

// By default, nothing is written into copies and links, and data races are checked under the models of languages.
func TestUsualProperties(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	usual := []string{"assertion", "data-race"}
	for _, c := range []struct {
		name         string
		properties   []string
		races        string
		flag, body   string
		tso, rc11    string
		ticked, free []string // selectors of the boxes on the page of the answer
	}{
		{
			"a form without boxes", nil, "", "", "", "Safe", "Unsafe",
			[]string{"assertion", "data-race"},
			[]string{"all", "memory"},
		},
		{
			"the boxes as they are", usual, "", "", "", "Safe", "Unsafe",
			[]string{"assertion", "data-race"},
			[]string{"all"},
		},
		{
			"races under all models", usual, "all", " --property=assertion+data-race",
			`"properties":["assertion","data-race"]`, "Unsafe", "Unsafe",
			[]string{"assertion", "data-race", "all"},
			nil,
		},
		{
			"no races", usual[:1], "", " --property=assertion", `"properties":["assertion"]`, "Safe", "Safe",
			[]string{"assertion"},
			[]string{"all", "data-race"},
		},
		{
			"other properties too", append(usual, "memory"), "", " --property=assertion+data-race+memory",
			`"properties":["assertion","data-race","memory"]`, "Unsafe", "Unsafe",
			[]string{"assertion", "data-race", "all", "memory"},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			form := url.Values{
				"source": {raceSource}, "model": {"tso", "rc11"}, "property": c.properties,
				"origin": {"http://here"},
			}
			if c.races != "" {
				form.Set("races", c.races)
			}
			boxes := func(body *bytes.Buffer, more ...checker) {
				for _, b := range c.ticked {
					more = append(more, in(".properties input[value="+b+"][checked]"))
				}
				for _, b := range c.free {
					box := ".properties input[value=" + b + "]"
					more = append(more, in(box), notIn(box+"[checked]"))
				}
				checkHTML(t, body, more...)
			}
			w := post(h, "/programs", form, true)
			wantStatus(t, w, http.StatusOK)
			boxes(w.Body, in(".claims", hasText("RC11 "+c.rc11+".*TSO "+c.tso)))
			command := post(h, "/programs/copy?format=run", form, false).Body.String()
			if want := "litmuscope verify -m rc11 -m tso" + c.flag + " - <<"; !strings.HasPrefix(command, want) {
				t.Errorf("the command is %.200s, want %s", command, want)
			}
			curl := post(h, "/programs/copy?format=curl", form, false).Body.String()
			curl = strings.Join(strings.Fields(curl), "")
			if !strings.Contains(curl, c.body) || strings.Contains(curl, `"properties"`) != (c.body != "") {
				t.Errorf("the body is %s, want %s", curl, c.body)
			}
			w = post(h, "/programs/links", form, true)
			wantStatus(t, w, http.StatusSeeOther)
			boxes(get(h, w.Header().Get("Location")).Body)
		})
	}
}
