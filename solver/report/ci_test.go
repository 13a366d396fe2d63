package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litmuscope/solver"
)

// hostile is a test that would be more than text.
var hostile = &solver.Result{
	Path: "t/<script>alert(1)</script>.litmus", Name: `"><img src=x onerror=alert(2)>`, Model: "</td><b>",
	Status: solver.Failed,
	Error:  "t/<script>alert(1)</script>.litmus:1:1: got \x1b]0;title\a & \xff </style>\nmore",
	States: []solver.State{},
}

func TestJUnit(t *testing.T) {
	got := write(t, "junit", Options{Title: "nightly"}, all...)
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nightly" tests="5" failures="0" errors="2" time="10.013">
  <testsuite name="tso" tests="4" failures="0" errors="2" time="10.012" skipped="0">
    <testcase classname="tso.t" name="SB" file="t/SB.litmus" time="0.013"><system-out>allowed, Sometimes, the condition holds, 2 states</system-out></testcase>
    <testcase classname="tso.t" name="ring" file="t/ring.litmus" time="0.000"><system-out>allowed, Sometimes, the condition does not hold, 0 states</system-out></testcase>
    <testcase classname="tso.t" name="late" file="t/late.litmus" time="10.000"><error type="unknown" message="time limit of 10s">time limit of 10s</error></testcase>
    <testcase classname="tso.t" name="t/bad.litmus" file="t/bad.litmus" time="0.000"><error type="error" message="t/bad.litmus:3:1: got ` + "\uFFFD" + `[31m">t/bad.litmus:3:1: got ` + "\uFFFD" + `[31m&#xA;Test two Allowed</error></testcase>
  </testsuite>
  <testsuite name="sc" tests="1" failures="0" errors="0" time="0.000" skipped="0">
    <testcase classname="sc.t" name="loc" file="t/loc.litmus" time="0.000"><system-out>forbidden, Never, the condition holds, 1 state</system-out></testcase>
  </testsuite>
</testsuites>
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	for path, class := range map[string]string{
		"SB.litmus": "tso.X86", "./SB.litmus": "tso.X86", "-": "tso.X86", "a/b.c/SB.litmus": "tso.a.b.c",
		"../up/SB.litmus": "tso.up", "/abs/SB.litmus": "tso.abs",
	} {
		r := *sb
		r.Path = path
		if got := write(t, "junit", Options{}, &r); !strings.Contains(got,
			`<testcase classname="`+class+`" name="SB"`) {
			t.Errorf("%s: want class %s in\n%s", path, class, got)
		}
	}
}

// Whatever the name of a test, the XML is well-formed and reads back as many cases as were written: from memory, and
// from the file that holds the cases of a longer run.
func TestJUnitHolds(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, n := range []int{1, 10_000} {
		results := make([]*solver.Result, n)
		for i := range results {
			r := *hostile
			r.Name += fmt.Sprint(i)
			results[i] = &r
		}
		var read struct {
			Suites []struct {
				Name  string `xml:"name,attr"`
				Tests int    `xml:"tests,attr"`
				Cases []struct {
					Name  string `xml:"name,attr"`
					Error string `xml:"error"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(write(t, "junit", Options{}, results...)), &read); err != nil {
			t.Fatal(err)
		}
		s := read.Suites[0]
		if s.Name != hostile.Model || s.Tests != n || len(s.Cases) != n || s.Cases[n-1].Name != results[n-1].Name ||
			!strings.HasSuffix(s.Cases[0].Error, "</style>\nmore") {
			t.Errorf("%d cases: %+v", n, s.Cases[0])
		}
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); err != nil || len(left) > 0 {
		t.Error("left behind: ", left, err)
	}
}

func TestHTML(t *testing.T) {
	sc := *sb
	sc.Model, sc.Verdict, sc.Observation = "sc", solver.Forbidden, solver.Never
	got := write(t, "html", Options{Title: "nightly <1>"}, sb, &sc, loc, late, bad, hostile)
	for _, want := range []string{
		"<title>nightly &lt;1&gt;</title>",
		"<p>5 tests under 3 models: 6 results</p>",
		`<tr class="d"><th scope="row" title="t/SB.litmus">SB<small>t</small></th><td class="a" title="2 states, 12.5 ms">✓ Sometimes</td><td class="f" title="2 states, 12.5 ms">✕ Never</td></tr>`,
		// Under the second model alone.
		`<tr><th scope="row" title="t/loc.litmus">loc<small>t</small></th><td></td><td class="f"`,
		`<tr class="x"><th scope="row" title="t/late.litmus">late<small>t</small></th><td class="u" title="time limit of 10s">? unknown</td></tr>`,
		`<summary><b>1</b> unknown: time limit of Ns</summary>`,
		`<li>t/bad.litmus, tso</li>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %s in\n%s", want, got[strings.Index(got, "<body>"):])
		}
	}

	// Names of tests stay text, and the file loads nothing.
	elements := map[string]int{}
	z := html.NewTokenizer(strings.NewReader(got))
	for z.Next() != html.ErrorToken {
		token := z.Token()
		if token.Type == html.StartTagToken || token.Type == html.SelfClosingTagToken {
			elements[token.Data]++
		}
		for _, a := range token.Attr {
			if a.Key == "src" || a.Key == "href" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s has %s=%q", token.Data, a.Key, a.Val)
			}
		}
	}
	if !errors.Is(z.Err(), io.EOF) || elements["script"] != 1 || elements["style"] != 1 || elements["img"] != 0 ||
		elements["tr"] != 1+3+1+5 {
		t.Error(z.Err(), elements)
	}
	if strings.ContainsAny(got, "\x1b\a") {
		t.Error("control characters")
	}
}

// A test that comes twice under a model has two rows, and causes beyond the limit are together.
func TestHTMLBounds(t *testing.T) {
	results := []*solver.Result{sb, sb}
	for i := range maxCauses + 10 {
		r := *bad
		r.Error = "e" + strings.Repeat("x", i)
		results = append(results, &r)
	}
	got := write(t, "html", Options{}, results...)
	if n := strings.Count(got, `title="t/SB.litmus">`); n != 2 {
		t.Errorf("%d rows for SB", n)
	}
	// The first cause to go over is under "other causes", like all after it.
	if n := strings.Count(got, "<summary>"); n != maxCauses+1 || !strings.Contains(got, "<b>10</b> other causes") {
		t.Errorf("%d causes", n)
	}
}

func TestBadge(t *testing.T) {
	for want, b := range map[string]Badge{
		"litmus: 24,997 ok · 3 errors":                       {Label: "litmus", OK: 24997, Failed: 3},
		"litmuscope: 1 ok":                                   {OK: 1},
		"litmuscope: 0 ok · 7 pending · 2 unknown · 1 error": {Remaining: 7, Unknown: 2, Failed: 1},
		"<&>: 0 ok": {Label: "<&>"},
	} {
		var out bytes.Buffer
		if err := WriteBadge(&out, b); err != nil {
			t.Fatal(err)
		}
		var svg struct {
			Title string   `xml:"title"`
			Text  []string `xml:"g>text"`
		}
		if err := xml.Unmarshal(out.Bytes(), &svg); err != nil || svg.Title != want ||
			strings.Join(svg.Text, ": ") != want {
			t.Errorf("got %+v, %v, want %s", svg, err, want)
		}
	}
}
