package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/webtest"
)

func postChecked(t *testing.T, form url.Values) textpage.Checked {
	t.Helper()
	w := post(webtest.NewHandler(t, engines.Local{}), "/check", form, false)
	wantStatus(t, w, http.StatusOK)
	var c textpage.Checked
	if err := json.Unmarshal(w.Body.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func places(c textpage.Checked) string {
	var out []string
	for _, m := range c.Errors {
		out = append(out, fmt.Sprintf("%d:%d", m.Line, m.Col))
	}
	for _, o := range c.Own {
		for _, m := range o.Errors {
			out = append(out, strings.Trim(fmt.Sprintf("%s/%s:%d:%d", o.Name, m.File, m.Line, m.Col), "/"))
		}
	}
	return strings.Join(out, " ")
}

// The page reports all errors at once, with places that count as browsers do, those of the test and those of each
// model.
func TestCheckTellsAllErrors(t *testing.T) {
	c := postChecked(t, url.Values{
		"source": {"X86 T\r\n{ x=é; y=; }\r\nP0 | P1 ;\r\nFOO | MOV EAX,[x] ;\r\n(* é *) BAR | JMP L ;\r\n" +
			"exists (0:EAX= /\\ x=1)\r\n"},
		"own-name": {"mine", "good", "other"},
		"own-text": {
			"\"Mine\"\r\nlet a = nosuch\r\nlet b = po |\r\nacyclic b | fine", "acyclic po",
			"include \"my.cat\"\ninclude \"none.cat\"\nacyclic hb",
		},
		"own-files": {"", "", `{"my.cat": "let hb = po | what\nlet c = po ; ; rf"}`},
	})
	const want = "2:5 2:10 4:1 5:9 5:19 6:16 " +
		"mine/:2:9 mine/:4:1 mine/:4:13 other/my.cat:1:15 other/my.cat:2:14 other/:2:1"
	if got := places(c); got != want {
		t.Errorf("errors at\n%s\nwant\n%s\n%+v", got, want, c)
	}
	if c.Arch != "X86" || !slices.Equal(c.Models, question.FirstModels("X86")) {
		t.Errorf("architecture %q, models %q", c.Arch, c.Models)
	}
	if len(c.Own) != 3 || len(c.Own[1].Errors) != 0 {
		t.Errorf("own models: %+v", c.Own)
	}
}

func TestCheckOfModelsAlone(t *testing.T) {
	c := postChecked(t, url.Values{"own-text": {"", "acyclic po", "empty"}})
	if len(c.Errors) != 0 || len(c.Own) != 2 || c.Own[0].Name != "own2" || len(c.Own[1].Errors) != 1 {
		t.Errorf("%+v", c)
	}
}

func TestCheckRefuses(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, form := range []url.Values{
		{"own-text": slices.Repeat([]string{"acyclic po"}, engines.MaxOwn+1)},
		{"own-text": {"acyclic po"}, "own-files": {"{"}},
	} {
		wantStatus(t, post(h, "/check", form, false), http.StatusUnprocessableEntity)
	}
	c := postChecked(t, url.Values{"own-text": {strings.Repeat("(* *)", 60_000)}})
	if len(c.Own) != 1 || len(c.Own[0].Errors) != 1 || !strings.Contains(c.Own[0].Errors[0].Message, "longer than") {
		t.Errorf("a model that is too long: %+v", c)
	}
}

// A condition about what no thread accesses is remarked on at its place, and an address that a register
// lacks is wanted once, whatever models are asked.
func TestCheckOfNothing(t *testing.T) {
	test := func(init, prop string) textpage.Checked {
		return postChecked(t,
			url.Values{
				"source": {"AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=y; " + init +
					"}\nP0|P1;\nMOV W0,#1|LDR W0,[X1];\nSTR W0,[X1]|LDR W2,[X3];\nSTR W0,[X3]|;\nexists (" + prop +
					")\n"},
			})
	}
	c := test("1:X3=x; ", `1:X0=1 /\ 1:X7=0 /\ z=0`)
	if len(c.Errors) != 0 || len(c.Remarks) != 2 || c.Remarks[0].Col != 19 ||
		c.Remarks[0].Message != "P1 never writes X7: it is always 0" ||
		c.Remarks[1].Col != 29 || c.Remarks[1].Message != "no thread accesses z: it is always 0" {
		t.Errorf("%+v", c)
	}
	c = test("", "1:X0=1")
	if len(c.Errors) != 1 || c.Errors[0].Line != 5 || c.Errors[0].Col != 21 ||
		!strings.HasSuffix(c.Errors[0].Message, "add 1:X3=x to the init block") {
		t.Errorf("%+v", c)
	}
}
