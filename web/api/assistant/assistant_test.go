package assistant_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"litmuscope/solver/engines"
	"litmuscope/web/api/assistant"
	"litmuscope/web/webtest"
)

// session is an assistant's, with a server whose transport may be wrapped.
func session(t *testing.T, transport http.RoundTripper) *mcp.ClientSession {
	t.Helper()
	s, err := assistant.New(t.Context(), "1", transport)
	if err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func open(t *testing.T) *mcp.ClientSession {
	return session(t, assistant.Handler{Handler: webtest.NewHandler(t, engines.Local{})})
}

// called calls a tool; the texts of what it answers are one below the other.
func called(
	t *testing.T, c *mcp.ClientSession, tool string, arguments map[string]any,
) (text string, r *mcp.CallToolResult) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	var b strings.Builder
	for _, part := range r.Content {
		if part, ok := part.(*mcp.TextContent); ok {
			b.WriteString(part.Text + "\n")
		}
	}
	return b.String(), r
}

// Each tool is there with what the interface's document says of it, its schema by itself.
func TestTools(t *testing.T) {
	list, err := open(t).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, tool := range list.Tools {
		found[tool.Name] = true
		text, err := json.Marshal(tool.InputSchema)
		if err != nil || tool.Description == "" || tool.Title == "" || strings.Contains(string(text), "#/components") {
			t.Errorf("%s: %q, %s, %v", tool.Name, tool.Description, text, err)
		}
		var schema struct {
			Type       string
			Properties map[string]any
			Defs       map[string]any `json:"$defs"`
		}
		if err := json.Unmarshal(text, &schema); err != nil || schema.Type != "object" {
			t.Errorf("%s: the schema is %s", tool.Name, text)
		}
		for at := string(text); ; {
			var ref string
			var has bool
			if _, at, has = strings.Cut(at, `"#/$defs/`); !has {
				break
			}
			if ref, _, _ = strings.Cut(at, `"`); schema.Defs[ref] == nil {
				t.Errorf("%s: %s is not defined", tool.Name, ref)
			}
		}
	}
	for _, want := range []string{
		"explore", "draw", "verify", "repair", "repair-program", "distinguish", "compare",
		"compile", "name", "generate", "catalogue", "models", "engines", "limits",
	} {
		if !found[want] {
			t.Errorf("there is no tool %s", want)
		}
	}
}

func TestCalls(t *testing.T) {
	c := open(t)
	sb := webtest.ClassicSource(t, "SB")
	const safe = "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *t(void *p) { x = 1; return 0; }\n" +
		"int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); pthread_join(i, 0); assert(x == 1); }\n"
	const racy = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *t(void *p) {
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return 0;
}
int main(void) {
	pthread_t i;
	pthread_create(&i, 0, t, 0);
	if (atomic_load_explicit(&y, memory_order_relaxed))
		assert(atomic_load_explicit(&x, memory_order_relaxed));
	pthread_join(i, 0);
}
`
	for _, w := range []struct {
		tool      string
		arguments map[string]any
		want      []string
		refused   bool
	}{
		{
			"explore",
			map[string]any{"source": sb, "models": []string{"sc", "tso"}, "options": map[string]any{"explain": true}},
			[]string{`"verdict":"forbidden"`, `"verdict":"allowed"`, `"axiom":"consensus"`},
			false,
		},
		{
			"draw",
			map[string]any{"source": sb, "model": "sc"},
			[]string{"SC forbids", "highlighted: a -po-> b -fr-> c -po-> d -fr-> a"},
			false,
		},
		{
			"draw",
			map[string]any{"source": sb, "model": "tso", "execution": 2},
			[]string{"execution: got 2, but the outcome has only 1 execution to draw."},
			true,
		},
		{"verify", map[string]any{"source": safe, "models": []string{"rc11"}}, []string{`"verdict":"safe"`}, false},
		{"repair", map[string]any{"source": sb, "models": []string{"tso"}}, []string{`"text":"MFENCE"`}, false},
		{
			"repair-program",
			map[string]any{"source": racy, "models": []string{"rc11"}},
			[]string{`"text":"release"`, `"text":"acquire"`},
			false,
		},
		{
			"distinguish",
			map[string]any{"left": "sc", "right": "tso", "arch": "X86", "size": 4},
			[]string{`"name":"SB"`},
			false,
		},
		{"compare", map[string]any{
			"a": map[string]any{
				"text": "Test SB Allowed\nHistogram (2 states)\n5:>0:EAX=0; 1:EAX=0;\n" +
					"9:>0:EAX=0; 1:EAX=1;\nOk\n\nWitnesses\nPositive: 5, Negative: 9\n" +
					"Condition exists (0:EAX=0 /\\ 1:EAX=0) is validated\n",
			},
			"b": map[string]any{
				"text": "Test SB Allowed\nStates 1\n0:EAX=0; 1:EAX=1;\nNo\nWitnesses\n" +
					"Positive: 0 Negative: 1\nCondition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Never 0 1\n",
			},
		}, []string{`"kind":"seen-forbidden"`}, false},
		{
			"compile",
			map[string]any{
				"source": "C T\n{ }\nP0(atomic_int *x) {\n  atomic_store(x, 1);\n}\nexists (x=1)\n",
				"to":     "AArch64",
			},
			[]string{"STLR"},
			false,
		},
		{"name", map[string]any{"source": sb}, []string{`"cycle":"PodWR Fre PodWR Fre"`}, false},
		{"generate", map[string]any{"arch": "X86", "cycle": "PodWR Fre PodWR Fre"}, []string{`MOV [x],$1`}, false},
		{"models", nil, []string{`"name":"lkmm"`}, false},
		{"models", map[string]any{"name": "tso", "text": true}, []string{`"name":"tso"`, "acyclic"}, false},
		{"models", map[string]any{"name": "tsa"}, []string{"Unknown model"}, true},
		{
			"catalogue",
			map[string]any{"name": "IRIW", "arch": "PPC", "brief": false},
			[]string{`"source":"PPC IRIW`, `"model":"power"`},
			false,
		},
		{
			"explore",
			map[string]any{"source": strings.Replace(sb, "MOV EAX,[x]", "FLY EAX,[x]", 1)},
			[]string{":6:16: ", "FLY"},
			true,
		},
		{"explore", map[string]any{"sauce": sb}, []string{"unexpected property sauce", "source"}, true},
		{
			"explore",
			map[string]any{"source": sb, "model": "sc"},
			[]string{"unexpected property model: did you mean models?"},
			true,
		},
		{
			"explore",
			map[string]any{"source": sb, "options": map[string]any{"explian": true}},
			[]string{"unexpected property options.explian: did you mean explain?"},
			true,
		},
		{
			"catalogue",
			map[string]any{"arch": "ARM64", "name": "MP"},
			[]string{`"arch":"AArch64"`, "This is brief", `"brief": false`},
			false,
		},
		{"catalogue", map[string]any{"arch": "riscy"}, []string{`"riscy": did you mean riscv?`, "RISCV"}, true},
	} {
		text, r := called(t, c, w.tool, w.arguments)
		for _, want := range w.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %s in\n%s", w.tool, want, text)
			}
		}
		if r.IsError != w.refused {
			t.Errorf("%s: refused is %v:\n%s", w.tool, r.IsError, text)
		}
	}
	if text, _ := called(t, c, "models", nil); strings.Contains(text, "acyclic") {
		t.Error("the list of models has their texts, for which nobody asked")
	}
}

// A drawing is an image where it is wanted as one.
func TestPicture(t *testing.T) {
	_, r := called(t, open(t), "draw",
		map[string]any{"source": webtest.ClassicSource(t, "SB"), "model": "tso", "format": "svg"})
	image, ok := r.Content[len(r.Content)-1].(*mcp.ImageContent)
	if !ok || image.MIMEType != "image/svg+xml" || !strings.HasPrefix(string(image.Data), "<svg") {
		t.Errorf("there is no image: %+v", r)
	}
}

// An answer beyond what is read is refused, or, of lines, cut behind a whole one; either is said.
func TestLongAnswers(t *testing.T) {
	c := session(t, long{assistant.Handler{Handler: webtest.NewHandler(t, engines.Local{})}})
	text, r := called(t, c, "explore", map[string]any{"source": "any"})
	if !r.IsError || !strings.Contains(text, "longer than 1024 KiB") {
		t.Errorf("a long answer: %.200s", text)
	}
	text, r = called(t, c, "generate", map[string]any{"arch": "X86", "family": map[string]any{}})
	if r.IsError || !strings.Contains(text, "There is more") || strings.Count(text, "{") != strings.Count(text, "}") {
		t.Errorf("long lines: %.200s", text)
	}
}

// long answers what has a body with two million bytes.
type long struct{ http.RoundTripper }

func (l long) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodPost {
		return l.RoundTripper.RoundTrip(r)
	}
	media, line := "application/json", `{"a":1}`
	if strings.HasSuffix(r.URL.Path, "generate") {
		media, line = "application/x-ndjson", `{"a":1}`+"\n"
	}
	body := strings.Repeat(line, 2_000_000/len(line))
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {media}},
		Body: io.NopCloser(strings.NewReader(body)),
	}, nil
}

// Who gives a question up has nothing done for it any longer.
func TestGivenUp(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	waits := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(ended)
	})
	h := webtest.NewHandler(t, engines.Local{})
	c := session(t, assistant.Handler{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			waits(w, r)
			return
		}
		h.ServeHTTP(w, r)
	})})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if _, err := c.CallTool(ctx,
		&mcp.CallToolParams{Name: "explore", Arguments: map[string]any{"source": "any"}}); err == nil {
		t.Error("a question that was given up has an answer")
	}
	<-ended
}

// Clients of others take a schema's type for one word; and each tool says what its results look like, which they then
// do.
func TestSchemas(t *testing.T) {
	c := open(t)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	outputs := map[string]*jsonschema.Resolved{}
	for _, tool := range list.Tools {
		for what, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			text, err := json.Marshal(schema)
			if err != nil || schema == nil || strings.Contains(string(text), `["array"`) ||
				strings.Contains(string(text), "#/components") {
				t.Errorf("%s: the schema of its %s is %s, %v", tool.Name, what, text, err)
			}
			s := new(jsonschema.Schema)
			if err := json.Unmarshal(text, s); err != nil {
				t.Fatalf("%s: %v", tool.Name, err)
			}
			resolved, err := s.Resolve(nil)
			if err != nil || s.Type != "object" {
				t.Errorf("%s: the schema of its %s is no object's, or refers to what is not there: %v",
					tool.Name, what, err)
			}
			if what == "output" {
				outputs[tool.Name] = resolved
			}
		}
	}
	sb := webtest.ClassicSource(t, "SB")
	for _, w := range []struct {
		tool      string
		arguments map[string]any
	}{
		{
			"explore",
			map[string]any{
				"source": sb, "models": []string{"sc", "tso"},
				"options": map[string]any{"witnesses": true, "explain": true},
			},
		},
		{"draw", map[string]any{"source": sb, "model": "tso"}},
		{"repair", map[string]any{"source": sb, "models": []string{"tso"}}},
		{"repair", map[string]any{"source": sb, "models": []string{"sc"}}},
		{"distinguish", map[string]any{"left": "sc", "right": "tso", "arch": "X86", "size": 4}},
		{
			"compile",
			map[string]any{
				"source": "C T\n{ }\nP0(atomic_int *x) {\n  atomic_store(x, 1);\n}\nexists (x=1)\n",
				"to":     "AArch64",
			},
		},
		{"name", map[string]any{"source": sb}},
		{"generate", map[string]any{"arch": "X86", "cycle": "PodWR Fre PodWR Fre"}},
		{
			"generate",
			map[string]any{
				"arch":   "X86",
				"family": map[string]any{"relaxations": "Rfe Fre PodWR PodRW", "from": 4, "to": 4},
			},
		},
		{"verify", map[string]any{"source": "int main(void) { return 0; }", "models": []string{"rc11"}}},
		{"catalogue", nil},
		{"catalogue", map[string]any{"name": "SB", "brief": false}},
		{"models", nil},
		{"engines", nil},
		{"limits", nil},
	} {
		text, r := called(t, c, w.tool, w.arguments)
		if r.IsError {
			t.Errorf("%s: %s", w.tool, text)
			continue
		}
		if err := outputs[w.tool].Validate(r.StructuredContent); err != nil {
			t.Errorf("%s: the result is not as its schema says: %v\n%.600s", w.tool, err, text)
		}
	}
}

// An assistant reads models and classic tests, and has prompts for what is asked often.
func TestResourcesAndPrompts(t *testing.T) {
	c := open(t)
	for uri, want := range map[string]string{
		"litmuscope://models":                      `"name":"lkmm"`,
		"litmuscope://tests":                       `"name":"IRIW"`,
		"litmuscope://model/tso":                   "acyclic",
		"litmuscope://test/X86/SB":                 "X86 SB",
		"litmuscope://test/aarch64/MP+dmb.sy+addr": "AArch64 MP+dmb.sy+addr",
		"litmuscope://test/X86/NOSUCH":             "",
		"litmuscope://model/tsa":                   "",
	} {
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		switch {
		case want == "" && err == nil:
			t.Errorf("%s is there: %+v", uri, r.Contents)
		case want != "" && (err != nil || len(r.Contents) != 1 || !strings.Contains(r.Contents[0].Text, want)):
			t.Errorf("%s: %+v, %v", uri, r, err)
		}
	}
	list, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, p := range list.Prompts {
		arguments := map[string]string{}
		for _, a := range p.Arguments {
			arguments[a.Name] = "<" + a.Name + ">"
		}
		r, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p.Name, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		text := r.Messages[0].Content.(*mcp.TextContent).Text
		for _, given := range arguments {
			if !strings.Contains(text, given) {
				t.Errorf("%s: no %s in %q", p.Name, given, text)
			}
		}
		if strings.ContainsAny(text, "{}") {
			t.Errorf("%s: %q", p.Name, text)
		}
	}
	if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "check-program"}); err == nil ||
		!strings.Contains(err.Error(), "program") {
		t.Errorf("without a program: %v", err)
	}
}
