package cmd

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

const harmless = "X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n" +
	" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"

// entry is an entry of a test archive.
type entry struct {
	name string
	kind byte // of a tar entry; 0 = a file
	link string
	body io.Reader
	size int64
}

func file(name, body string) entry {
	return entry{name: name, body: strings.NewReader(body), size: int64(len(body))}
}

// zeros returns an entry of n zero bytes, which compress to a thousandth.
func zeros(name string, n int64) entry {
	return entry{name: name, body: io.LimitReader(zeroReader{}, n), size: n}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w, err := z.Create(e.name)
		if err == nil {
			_, err = io.Copy(w, e.body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	for _, e := range entries {
		h := tar.Header{Name: e.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: e.size, Format: tar.FormatPAX}
		if e.kind != 0 {
			h.Typeflag, h.Linkname, h.Size = e.kind, e.link, 0
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if e.body == nil {
			continue
		}
		if _, err := io.Copy(w, e.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func many(n int, name string) []entry {
	out := make([]entry, n)
	for i := range out {
		out[i] = file(fmt.Sprintf(name, i), "")
	}
	return out
}

// explored returns the body of a question with the given members.
func explored(source string, members ...string) []byte {
	text, err := json.Marshal(source)
	if err != nil {
		panic(err)
	}
	return []byte(`{"source":` + string(text) + strings.Join(append([]string{""}, members...), ",") +
		`,"options":{"timeout":"2s"}}`)
}

func member(name string, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%q:%s", name, text)
}

func columns(n int, cell string) string {
	var b strings.Builder
	for row := range 2 {
		for i := range n {
			if i > 0 {
				b.WriteString(" | ")
			}
			if row == 0 {
				fmt.Fprintf(&b, "P%d", i)
			} else {
				b.WriteString(cell)
			}
		}
		b.WriteString(" ;\n")
	}
	return b.String()
}

// TestHostileInput sends hostile requests to a server. Each gets a clear answer, and the server works as before.
func TestHostileInput(t *testing.T) {
	s := startServer(t, t.TempDir(), "--rate", "0", "--max-tests", "1000", "--max-unpacked", "16", "--max-upload", "12",
		"--log-format", "text")
	const explore, suites = "api/v1/explore", "api/v1/suites"
	const inJSON, inZip, inTar, inLines = "application/json", "application/zip", "application/gzip",
		"application/x-ndjson"
	const inForm = "application/x-www-form-urlencoded"
	deep := strings.Repeat("(", 100_000) + "x=1" + strings.Repeat(")", 100_000)
	bomb := "let f0(x) = x | x\n"
	for i := range 40 {
		bomb += fmt.Sprintf("let f%d(x) = f%d(f%d(x))\n", i+1, i, i)
	}
	for _, test := range []struct {
		what   string
		to     string
		kind   string
		body   []byte
		status int
		want   string // in the answer
	}{
		{"a test of 10 MB", explore, inJSON, explored(strings.Repeat("X86 ", 10<<18)), 413, "too large"},
		{
			"a test of 1,000 threads", explore, inJSON,
			explored("X86 T\n{}\n" + columns(1000, "MOV [x],$1") + "exists (x=1)\n"), 200, `"status"`,
		},
		{
			"100,000 parentheses", explore, inJSON, explored("X86 T\n{}\n P0 ;\n MOV [x],$1 ;\nexists " + deep + "\n"),
			422, "nest",
		},
		{
			"an endless loop", explore, inJSON, explored("X86 T\n{}\n P0 ;\n L: INC [x] ;\n JMP L ;\nexists (x=1)\n"),
			200,
			"unroll bound",
		},
		{
			"a model that doubles", explore, inJSON, explored(harmless, member("model_text", bomb+"acyclic f40(po)")),
			422,
			"the model has errors",
		},
		{
			"a model of 250,000 question marks", explore, inJSON,
			explored(harmless, member("model_text", "acyclic po"+strings.Repeat("?", 250_000))), 422,
			"the model has errors",
		},
		{
			"a model that includes a file of the server's", explore, inJSON,
			explored(harmless, member("model_text", `include "../../../../etc/passwd"`)), 422,
			"the model has errors",
		},
		{
			"the same model under 32 names", explore, inJSON,
			explored(harmless, member("model_text", "acyclic po"),
				member("models", strings.Split("abcdefghijklmnopqrstuvwxyz012345", ""))),
			422, "can define only one of them",
		},
		{
			"a value that nests 100,000 times", explore, inJSON,
			[]byte(`{"source":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"), 400,
			"more than 16,384 values",
		},
		{
			"all that a test can ask for", explore, inJSON,
			[]byte("{" + member("source", harmless) +
				`,"options":{"timeout":"1000h","memory":1000000,"unroll":64,"states":1000000000}}`), 200,
			`"status":"ok"`,
		},
		{"no JSON", suites, inJSON, []byte("\x00\x01\x02"), 422, "JSON"},
		{"members that there are not", suites, inJSON, []byte(`{"tets":[]}`), 422, "tets"},
		{"a kind of body that is not read", suites, "text/html", []byte("<p>"), 415, "application/zip"},
		{"an empty upload", suites, inZip, nil, 422, "empty"},
		{"a test that is said to be a zip", suites, inZip, []byte(harmless), 422, "declared as zip but is not"},
		{"what is no zip", suites, inZip, append([]byte("PK\x03\x04"), make([]byte, 100)...), 422, "zip"},
		{
			"a zip bomb", suites, inZip, zipped(t, zeros("a.litmus", 1<<30), file("b.litmus", harmless)), 202,
			`"tests":2`,
		},
		{
			"a zip bomb of many parts", suites, inZip,
			zipped(t, slicesOf(100, func(i int) entry { return zeros(fmt.Sprintf("%d.litmus", i), 1<<18) })...), 422,
			"limit",
		},
		{"a gzip bomb", suites, inTar, tarred(t, zeros("not-a-test", 1<<30)), 422, "limit"},
		{"a zip of 10,000 entries", suites, inZip, zipped(t, many(10_000, "%d.txt")...), 422, "4000 entries"},
		{
			"more tests than a suite may have", suites, inZip, zipped(t, many(1001, "%d.litmus")...), 413,
			"More than 1000 tests",
		},
		{"an upload that is too long", suites, inLines, bytes.Repeat([]byte(" "), 13<<20), 413, "longer than 12 MiB"},
		{
			"a line without an end", suites, inLines, []byte(`{"path":"` + strings.Repeat("x", 11<<20)), 422,
			"Line 1: longer",
		},
		{
			"lines that are no tests", suites, inLines, []byte("{\"path\":\"a\",\"source\":\"\"}\n[1]\n"), 422,
			"Line 2: want a JSON object",
		},
		{
			"names that climb out", suites, inTar,
			tarred(t, file("../../etc/cron.d/x.litmus", harmless), file("/root/y.litmus", harmless),
				file(`..\..\z.litmus`, harmless)), 202, `"tests":3`,
		},
		{
			"links and devices", suites, inTar,
			tarred(t, entry{name: "a.litmus", kind: tar.TypeSymlink, link: "/etc/passwd"},
				entry{name: "b.litmus", kind: tar.TypeLink, link: "/etc/passwd"},
				entry{name: "c.litmus", kind: tar.TypeChar}), 422, "no tests",
		},
		{
			"a test that is not UTF-8", suites, inZip, zipped(t, file("a.litmus", "X86 \xff\xfe\n{}\n")), 202,
			`"tests":1`,
		},
		{
			"a suite's name of 1 MB", suites, inJSON,
			[]byte(`{"name":"` + strings.Repeat("x", 1<<20) + `","catalogue":["X86/SB"]}`), 422, "name",
		},
		{
			"a model of 2 MB", suites, inJSON,
			[]byte(`{` + member("model_text", "acyclic po"+strings.Repeat(" ", 2<<20)) + `,"catalogue":["X86/SB"]}`),
			422, "model_text has 2,097,162 bytes; the maximum is 1,048,576",
		},
		{
			"a family without end", suites, inJSON, []byte(`{"family":{"name":"ring","from":2,"to":1000000000}}`), 422,
			"want sizes from",
		},
		{"a query that there is not", suites + "?nme=x", inZip, zipped(t, file("a.litmus", harmless)), 422, "nme"},
		{
			"an outcome that is no state", "picture", inForm,
			[]byte(
				url.Values{"source": {harmless}, "column": {"tso"}, "state": {strings.Repeat("{", 100_000)}}.Encode()),
			422, "outcome is invalid",
		},
		{
			"a path without end", "walk", inForm,
			[]byte(
				url.Values{"source": {harmless}, "column": {"tso"}, "path": {strings.Repeat("0,", 100_000)}}.Encode()),
			422, "more than 2000 steps",
		},
		{
			"a path into an endless loop", "walk", inForm,
			[]byte(
				url.Values{
					"source": {"X86 T\n{}\n P0 ;\n L: INC [x] ;\n JMP L ;\nexists (x=1)\n"}, "column": {"tso"},
					"path": {"0"},
				}.Encode()), 200, `"complete":false`,
		},
		{
			"a path through no test", "walk", inForm,
			[]byte(url.Values{"source": {strings.Repeat("(", 100_000)}, "column": {"tso"}, "path": {"0"}}.Encode()),
			422, "The test has errors",
		},
	} {
		t.Run(test.what, func(t *testing.T) {
			status, answer := send(t, s.url+test.to, test.kind, test.body)
			if status != test.status || !strings.Contains(answer, test.want) {
				t.Errorf("status %d, want %d; answer: %.600s", status, test.status, answer)
			}
			if strings.Contains(answer, "root:") || strings.Contains(answer, "goroutine ") {
				t.Errorf("the answer tells too much: %.600s", answer)
			}
			if status, answer := send(t, s.url+explore, inJSON, explored(harmless)); status != 200 ||
				!strings.Contains(answer, `"verdict":"allowed"`) {
				t.Errorf("after it, a harmless question gets %d: %.300s", status, answer)
			}
		})
	}
	t.Run("names of HTML", func(t *testing.T) {
		const evil = `<script>alert(1)</script>`
		source := "X86 " + evil + "\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n"
		_, answer := send(t, s.url+suites, inJSON,
			[]byte(`{`+member("name", evil)+`,`+member("labels", map[string]string{evil: evil})+
				`,`+member("tests", []map[string]string{{"path": evil + ".litmus", "source": source}})+`}`))
		var made struct{ ID string }
		if err := json.Unmarshal([]byte(answer), &made); err != nil || made.ID == "" {
			t.Fatalf("%.300s", answer)
		}
		for _, page := range []string{
			"suites", "suites/" + made.ID, "suites/" + made.ID + "/tests/0",
			suites + "/" + made.ID + "/report.html", suites + "/" + made.ID + "/badge.svg",
		} {
			r, err := http.NewRequest(http.MethodGet, s.url+page, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept", "text/html")
			w, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(w.Body)
			w.Body.Close()
			if err != nil || w.StatusCode != 200 || bytes.Contains(text, []byte(evil)) {
				t.Errorf("%s: status %d, %v: %.300s", page, w.StatusCode, err, text)
			}
		}
	})
	if t.Failed() {
		time.Sleep(100 * time.Millisecond) // for the last lines
		t.Logf("the server says: %s", lastOf(s.log.String(), 5000))
	}
}

func slicesOf(n int, f func(i int) entry) []entry {
	out := make([]entry, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

func send(t *testing.T, url, kind string, body []byte) (int, string) {
	t.Helper()
	w, err := http.Post(url, kind, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	answer, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.StatusCode, string(answer)
}
