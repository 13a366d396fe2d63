package language

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/web/webtest"
)

// editor is a client as an editor is one.
type editor struct {
	t         *testing.T
	ctx       context.Context
	conn      *jsonrpc2.Conn
	published chan published
	refreshed chan struct{}
	messages  chan string
	ended     chan error
	versions  map[string]int
	last      map[string]published
}

// newEditor has initialized a server, which ends with the test.
func newEditor(t *testing.T, capabilities string, change func(*Config)) *editor {
	t.Helper()
	ours, theirs := net.Pipe()
	c := DefaultConfig()
	c.Rest, c.Patience = 0, time.Minute
	c.Sandbox, c.Runner, c.Library = webtest.InProcess{}, engines.Local{}, t.TempDir()
	c.Log = slog.New(slog.NewTextHandler(testLog{t}, nil))
	if change != nil {
		change(&c)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute) // longer than the test's own, for its end
	e := &editor{
		t: t, ctx: ctx, published: make(chan published, 100), refreshed: make(chan struct{}, 100),
		messages: make(chan string, 100),
		ended:    make(chan error, 1), versions: map[string]int{}, last: map[string]published{},
	}
	go func() { e.ended <- Serve(ctx, c, theirs) }()
	e.conn = jsonrpc2.NewConn(ctx, newStream(ours),
		jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, q *jsonrpc2.Request) (any, error) {
			switch q.Method {
			case "textDocument/publishDiagnostics":
				var p published
				if err := json.Unmarshal(*q.Params, &p); err != nil {
					return nil, err
				}
				e.published <- p
			case "workspace/codeLens/refresh":
				e.refreshed <- struct{}{}
			case "window/showMessage":
				e.messages <- string(*q.Params)
			}
			return nil, nil
		}))
	t.Cleanup(func() {
		e.call("shutdown", nil, nil)
		if err := e.conn.Notify(ctx, "exit", nil); err != nil {
			t.Error(err)
		}
		if err := <-e.ended; err != nil {
			t.Error(err)
		}
		cancel()
	})
	var result json.RawMessage
	e.call("initialize", json.RawMessage(`{"processId":null,"rootUri":null,"capabilities":`+capabilities+`}`), &result)
	e.tell("initialized", struct{}{})
	return e
}

type testLog struct{ t *testing.T }

func (l testLog) Write(line []byte) (int, error) {
	if l.t.Context().Err() == nil {
		l.t.Log(strings.TrimSpace(string(line)))
	}
	return len(line), nil
}

const plainClient = `{}`

func (e *editor) call(method string, params, result any) {
	e.t.Helper()
	if err := e.try(method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) try(method string, params, result any) error {
	return e.conn.Call(e.ctx, method, params, result)
}

func (e *editor) tell(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(e.ctx, method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// open opens a text, or changes it, and gives what is published of it.
func (e *editor) open(uri, text string) published {
	e.t.Helper()
	e.versions[uri]++
	if n := e.versions[uri]; n == 1 {
		e.tell("textDocument/didOpen",
			map[string]any{
				"textDocument": map[string]any{"uri": uri, "languageId": "litmus", "version": n, "text": text},
			})
	} else {
		e.tell("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": uri, "version": n},
			"contentChanges": []map[string]any{{"text": text}},
		})
	}
	return e.problems(uri, e.versions[uri])
}

// problems waits for what is published of a version.
func (e *editor) problems(uri string, version int) published {
	e.t.Helper()
	return e.until(uri, func(p published) bool { return p.Version == version })
}

// until waits for something of a document, from what was published last on.
func (e *editor) until(uri string, want func(published) bool) published {
	e.t.Helper()
	for {
		if p, ok := e.last[uri]; ok && want(p) {
			return p
		}
		select {
		case p := <-e.published:
			e.last[p.URI] = p
		case <-e.ctx.Done():
			e.t.Fatalf("nothing was published of %s", uri)
		}
	}
}

// at is the place of a mark, ‸, in a text, and the text without it.
func at(text, uri string) (string, place) {
	before, after, _ := strings.Cut(text, "‸")
	d := newDocument(uri, 0, ofTests, before+after, false)
	return before + after, place{textDocument{uri}, d.position(len(before))}
}

// cut is the text of a range.
func cut(uri, text string, r textRange) string {
	d := newDocument(uri, 0, ofTests, text, false)
	return text[d.offset(r.Start):d.offset(r.End)]
}

const sb = `X86 SB
"Store buffering" (* the classic *)
{ x=0; y=0; 1:EBX=5 }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=0)
`

func codeOf(err error) int64 {
	var e *jsonrpc2.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// Positions count UTF-16 units, or bytes where the editor would have it so; those that are not there are near by.
func TestPositions(t *testing.T) {
	const text = "a\r\nü𝔸x\n"
	for _, c := range []struct {
		utf8   bool
		at     position
		offset int
		back   position
	}{
		{false, position{0, 1}, 1, position{0, 1}},
		{false, position{0, 9}, 1, position{0, 1}},
		{false, position{1, 1}, 5, position{1, 1}},
		{false, position{1, 3}, 9, position{1, 3}},
		{true, position{1, 6}, 9, position{1, 6}},
		{true, position{1, 99}, 10, position{1, 7}},
		{false, position{2, 0}, 11, position{2, 0}},
		{false, position{7, 7}, 11, position{2, 0}},
		{false, position{-1, 0}, 0, position{0, 0}},
	} {
		d := newDocument("untitled:a.litmus", 1, ofTests, text, c.utf8)
		if got := d.offset(c.at); got != c.offset || d.position(got) != c.back {
			t.Errorf("%+v is the byte %d at %+v, want %d at %+v", c.at, got, d.position(got), c.offset, c.back)
		}
	}
}

// What is wrong is published at its word, with what mends it; it goes when it is mended.
func TestDiagnostics(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	if p := e.open("untitled:SB.litmus", sb); len(p.Diagnostics) != 0 {
		t.Fatalf("of a test that is right: %+v", p.Diagnostics)
	}
	bad := strings.Replace(strings.Replace(sb, "MOV [y],$1", "MVO [y],$1", 1), "the classic", "ü𝔸 the classic", 1)
	bad = strings.Replace(bad, "\n P0 ", "\n(* ü𝔸 *) P0 ", 1)
	p := e.open("untitled:SB.litmus", bad)
	if len(p.Diagnostics) != 1 || p.Diagnostics[0].Severity != severityError ||
		!strings.Contains(p.Diagnostics[0].Message, "MVO") {
		t.Fatalf("got %+v", p.Diagnostics)
	}
	if word := cut("", bad, p.Diagnostics[0].Range); word != "MVO" {
		t.Errorf("it is shown at %q", word)
	}
	if p := e.open("untitled:SB.litmus", sb); len(p.Diagnostics) != 0 {
		t.Errorf("once mended: %+v", p.Diagnostics)
	}
}

// stuck is a sandbox that never ends with some texts unless the test ends it.
type stuck struct{ begun chan struct{} }

func (s stuck) Do(ctx context.Context, w pool.Work, question, into any) error {
	if q, ok := question.(engines.Question); ok && strings.Contains(q.Source, "endless") {
		s.begun <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}
	return webtest.InProcess{}.Do(ctx, w, question, into)
}

// A text that has changed is not looked at any longer; and once it is closed, nothing is shown of it.
func TestChecksAreCancelled(t *testing.T) {
	s := stuck{make(chan struct{}, 1)}
	e := newEditor(t, plainClient, func(c *Config) { c.Sandbox = s })
	const uri = "untitled:SB.litmus"
	e.tell("textDocument/didOpen",
		map[string]any{
			"textDocument": map[string]any{
				"uri": uri, "version": 7,
				"text": strings.Replace(sb, "classic", "endless", 1),
			},
		})
	<-s.begun
	e.versions[uri] = 7
	if p := e.open(uri, strings.Replace(sb, "MOV", "MVO", 1)); len(p.Diagnostics) != 1 {
		t.Errorf("got %+v", p.Diagnostics)
	}
	e.tell("textDocument/didClose", named{textDocument{uri}})
	e.until(uri, func(p published) bool { return p.Version == 8 && len(p.Diagnostics) == 0 })
}

// Models are checked with what stands beside them: a file that others include, as they have it.
func TestDiagnosticsOfModels(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return uriOf(file)
	}
	const part, model = "let mine = theirs | fr\n", "\"M\"\nlet theirs = po\ninclude \"part.cat\"\nacyclic mine\n"
	partURI := write("part.cat", part)
	modelURI := write("m.cat", model)
	e := newEditor(t, plainClient, nil)
	if p := e.open(modelURI, model); len(p.Diagnostics) != 0 {
		t.Errorf("of the model: %+v", p.Diagnostics)
	}
	if p := e.open(partURI, part); len(p.Diagnostics) != 0 {
		t.Errorf("of the part: %+v", p.Diagnostics)
	}
	p := e.open(partURI, "let mine = theirz | fr\n")
	if len(p.Diagnostics) != 1 || cut("", "let mine = theirz | fr\n", p.Diagnostics[0].Range) != "theirz" {
		t.Errorf("of the part with an error: %+v", p.Diagnostics)
	}
	e.until(modelURI, func(p published) bool { // where it includes the part
		return len(p.Diagnostics) == 1 && cut("", model, p.Diagnostics[0].Range) == "\"part.cat\""
	})
	bell := write("k.bell", "enum Accesses = 'once || 'acquire\ninstructions R[{'once, 'acquire}]\n")
	if p := e.open(bell,
		"enum Accesses = 'once || 'acquire\ninstructions R[{'once, 'acquire}]\n"); len(p.Diagnostics) != 0 {
		t.Errorf("of tags: %+v", p.Diagnostics)
	}
	if p := e.open(bell, "enum Accesses = 'once ||\n"); len(p.Diagnostics) == 0 {
		t.Error("of broken tags: nothing")
	}
}

func TestDiagnosticsOfPrograms(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	const good = "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x); return 0; }\n"
	if p := e.open("untitled:p.c", good); len(p.Diagnostics) != 0 {
		t.Errorf("got %+v", p.Diagnostics)
	}
	bad := strings.Replace(good, "x = 1", "x = z", 1)
	if p := e.open("untitled:p.c", bad); len(p.Diagnostics) != 1 || p.Diagnostics[0].Range.Start.Line != 2 {
		t.Errorf("got %+v", p.Diagnostics)
	}
}

// Completion offers what may stand at a place, from the tables.
func TestCompletion(t *testing.T) {
	e := newEditor(t, `{"textDocument":{"completion":{"completionItem":{"snippetSupport":true}}}}`, nil)
	const lb = "C LB\n{ }\nP0(atomic_int *x, atomic_int *y) {\n  int r0 = atomic_load(x);\n  ato‸\n}\nexists (0:r0=1)\n"
	const entry = "AArch64 T\n{ 0:X0=PTE(z); 0:X1=(oa:PA(z),valid:0); 0:X9=z; }\n P0 ;\n STR X1,[X0] ;\n" +
		" DSB ISH ;\n TLBI VAAE1IS,X9 ;\nexists fault(P0,z)\n"
	for i, c := range []struct{ name, text, want, not string }{
		{"i.litmus", strings.Replace(sb, "MOV [y],$1", "M‸", 1), "MFENCE MOV MOVZX", "EAX exists"},
		{"i2.litmus", strings.Replace(sb, "MOV [x],$1", "m‸", 1), "mfence mov", "eax"},
		{"o.litmus", strings.Replace(sb, "EAX,[y]", "E‸", 1), "EAX EBX", "MOV EAX,EBX"},
		{"a.litmus", strings.Replace(sb, "EAX,[y]", "EAX,[‸", 1), "x y", "MOV"},
		{"c.litmus", strings.Replace(sb, "0:EAX=0", "0:‸", 1), "EAX", "EBX x"},
		{"k.litmus", "X86 T\n{ }\n P0 ;\n MOV EAX,[x] ;\n‸", "exists forall ~exists MFENCE", ""},
		{"k2.litmus", strings.Replace(sb, "exists (", "exists (‸", 1), "x y 0:EAX 1:EAX 1:EBX", "MOV"},
		{"n.litmus", strings.Replace(sb, "the classic", "the ‸", 1), "", "x MOV exists"},
		{"b.litmus", lb, "atomic_store_explicit atomic_thread_fence", "r0"},
		{"b2.litmus", strings.Replace(lb, "ato‸", "‸", 1), "r0 x y atomic_load while", ""},
		{"s.litmus", strings.Replace(entry, "VAAE1IS,X9", "V‸", 1), "VAAE1IS VALE1 VMALLE1IS VMALLE1", "X0 IVAU z"},
		{"s2.litmus", strings.Replace(entry, "ISH", "IS‸", 1), "ISH ISHST ISHLD", "OSH VAAE1IS"},
		{"s3.litmus", strings.Replace(entry, "X9 ;", "‸ ;", 1), "X9 X0", "VMALLE1IS"},
		{"s4.litmus", strings.Replace(entry, "valid:0", "va‸", 1), "valid:0", "PTE(z) z"},
		{"s5.litmus", strings.Replace(entry, "valid:0", "‸", 1), "valid:0 oa:PA(z) attrs:(Normal) dbm:1", "PTE(z) z"},
		{"s6.litmus", strings.Replace(entry, "(oa:PA(z),valid:0)", "P‸", 1), "PTE(z) PA(z)", "fault(P0,z)"},
		{"s7.litmus", strings.Replace(entry, "fault", "f‸", 1), "fault(P0,z) fault(P0,TagCheck)", "valid:0 PTE(z)"},
		{"m.cat", "let mine = po\nacyclic m‸", "mine", "po acyclic"},
		{"n.cat", "let mine = po // the first\nac‸", "acyclic", "mine"},
		{"o.cat", "include \"c‸", "cos.cat c11-base.cat", "po"},
		{"p.cat", "include \"x86fences.cat\"\nlet a = ‸", "mfence po", ""},
		{"q.c", "#include <pthread.h>\nint shared;\nint main(void) { pthread_c‸ }", "pthread_create", "shared"},
		{"r.c", "int shared;\nint main(void) { s‸ }", "shared", "pthread_create"},
	} {
		uri := "untitled:" + c.name
		text, p := at(c.text, uri)
		e.open(uri, text)
		var list completionList
		e.call("textDocument/completion", p, &list)
		labels := map[string]completionItem{}
		for _, item := range list.Items {
			labels[item.Label] = item
		}
		for _, w := range strings.Fields(c.want) {
			if _, ok := labels[w]; !ok {
				t.Errorf("%d %s: no %s", i, c.name, w)
			}
		}
		for _, w := range strings.Fields(c.not) {
			if _, ok := labels[w]; ok {
				t.Errorf("%d %s: %s is offered", i, c.name, w)
			}
		}
		if mov, ok := labels["MFENCE"]; ok && mov.Documentation == "" {
			t.Errorf("%s: no help", c.name)
		}
	}
	text, p := at(strings.Replace(sb, "MOV [y],$1", "XCH‸", 1), "untitled:i.litmus")
	e.open("untitled:i.litmus", text)
	var list completionList
	e.call("textDocument/completion", p, &list)
	if len(list.Items) == 0 || list.Items[0].InsertTextFormat != snippetFormat ||
		list.Items[0].TextEdit.NewText != "XCHG ${1:[x],EAX}" || cut("", text, list.Items[0].TextEdit.Range) != "XCH" {
		t.Errorf("got %+v", list.Items)
	}
}

// Hover says what a word is, from the tables or by its author's comment.
func TestHover(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	for _, c := range []struct{ name, text, want string }{
		{"a.litmus", strings.Replace(sb, "MOV [y],$1", "MF‸ENCE", 1), "MFENCE"},
		{"b.litmus", strings.Replace(sb, "MOV [y],$1", "MOV ‸EBX,$1", 1), "register of P1; its initial value is 5"},
		{"c.litmus", strings.Replace(sb, "MOV [y],$1", "MOV [‸y],$1", 1), "location in memory; its initial value is 0"},
		{"d.litmus", strings.Replace(sb, "exists", "ex‸ists", 1), "asks whether some outcome satisfies"},
		{"e.litmus", strings.Replace(sb, "classic", "cla‸ssic", 1), ""},
		{"f.litmus", "C T\n{ }\nP0(atomic_int *x) { int r0 = atomic_‸load(x); }\nexists (0:r0=1)\n", "atomic_load"},
		{"g.cat", "let mine = p‸o\nacyclic mine\n", "Program order"},
		{"h.cat", "(* What I think. *)\nlet mine = po\nacyclic mi‸ne\n", "let mine = po\n```\nWhat I think."},
		{"i.cat", "acy‸clic po\n", "no cycle"},
		{"j.cat", "include \"x86‸fences.cat\"\nacyclic po\n", "x86fences.cat"},
		{"k.cat", "let f(a) = ‸a\nacyclic f(po)\n", "A parameter"},
		{"l.c", "int main(void) { pthread_‸create(0, 0, 0, 0); }", "<pthread.h>"},
	} {
		uri := "untitled:" + c.name
		text, p := at(c.text, uri)
		e.open(uri, text)
		var h *hover
		e.call("textDocument/hover", p, &h)
		switch {
		case h == nil && c.want != "":
			t.Errorf("%s: nothing, want %q", c.name, c.want)
		case h != nil && (c.want == "" || !strings.Contains(h.Contents.Value, c.want)):
			t.Errorf("%s: got %q, want %q", c.name, h.Contents.Value, c.want)
		}
	}
}

// Bad requests are answered with errors, and nothing ends.
func TestBadRequests(t *testing.T) {
	e := newEditor(t, plainClient, func(c *Config) { c.Runner = panics{} })
	e.open("untitled:SB.litmus", sb)
	for _, c := range []struct {
		method, params string
		code           int64
	}{
		{"textDocument/nonsense", `{}`, jsonrpc2.CodeMethodNotFound},
		{"textDocument/hover", `{"textDocument":5}`, jsonrpc2.CodeInvalidParams},
		{"textDocument/hover", `{"textDocument":{"uri":"untitled:none"}}`, jsonrpc2.CodeInvalidParams},
		{"initialize", `{}`, jsonrpc2.CodeInvalidRequest},
		{"workspace/executeCommand", `{"command":"rm","arguments":[]}`, jsonrpc2.CodeInvalidParams},
	} {
		if err := e.try(c.method, json.RawMessage(c.params), nil); codeOf(err) != c.code {
			t.Errorf("%s %s: %v, want the code %d", c.method, c.params, err, c.code)
		}
	}
	for _, p := range []position{{-1, -1}, {0, 1 << 30}, {1 << 30, 0}} {
		for _, method := range []string{
			"textDocument/hover", "textDocument/completion", "textDocument/definition",
			"textDocument/documentHighlight",
		} {
			if err := e.try(method, place{textDocument{"untitled:SB.litmus"}, p}, nil); err != nil {
				t.Errorf("%s at %+v: %v", method, p, err)
			}
		}
	}
	e.tell("textDocument/didOpen", 5)
	e.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": "untitled:none"}})
	e.tell("$/nonsense", nil)
	if p := e.open("untitled:SB.litmus", sb+"x"); len(p.Diagnostics) == 0 {
		t.Error("the server does not check any more")
	}
}

// panics is a runner with a bug.
type panics struct{}

func (panics) Run(context.Context, solver.Question) (solver.Answer, error) {
	panic("a bug of the test's")
}

// What is no message is answered, too, and the next one heeded.
func TestBadMessages(t *testing.T) {
	ours, theirs := net.Pipe()
	c := DefaultConfig()
	c.Sandbox, c.Runner, c.Log = webtest.InProcess{}, engines.Local{}, slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, c, theirs) }()
	s := newStream(ours)
	for _, m := range []struct {
		body string
		want string
	}{
		{`{"jsonrpc":"2.0","id":1,`, `-32700`},
		{`[]`, `-32700`},
		{`[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]`, `-32700`},
		{`{"jsonrpc":"2.0","id":1}`, `-32700`},
		{`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover"}`, `-32002`},
		{`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-16","utf-8"]}}}}`, `"positionEncoding":"utf-8"`},
	} {
		go func() {
			_, _ = io.WriteString(ours,
				"Content-Type: x\r\nContent-Length: "+strconv.Itoa(len(m.body))+"\r\n\r\n"+m.body)
		}()
		header, err := s.in.ReadMIMEHeader()
		if err != nil {
			t.Fatal(m.body, err)
		}
		n, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, n)
		if _, err := io.ReadFull(s.raw, body); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(body), m.want) {
			t.Errorf("%s: got %s, want %s", m.body, body, m.want)
		}
	}
	if _, err := io.WriteString(ours, "Content-Length: x\r\n\r\n"); err != nil {
		// nobody knows where the next one begins
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A server answers what was said before it began to listen, however often one begins: its connection reads while it is
// being made.
func TestStarts(t *testing.T) {
	c := DefaultConfig()
	c.Sandbox, c.Runner, c.Log = webtest.InProcess{}, engines.Local{}, slog.New(slog.DiscardHandler)
	message := func(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }
	said := message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`) +
		message(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + message(`{"jsonrpc":"2.0","method":"exit"}`)
	for range 1000 {
		var answer bytes.Buffer
		if err := Serve(t.Context(), c, &spoken{strings.NewReader(said), &answer}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(answer.String(), `"capabilities"`) || strings.Count(answer.String(), `"id":`) != 2 {
			t.Fatalf("the answers are %s", answer.String())
		}
	}
}

// spoken is the channel of an editor that says all it has to say at once.
type spoken struct {
	io.Reader
	io.Writer
}

func (*spoken) Close() error { return nil }
