package assistant_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"litmuscope/solver/engines"
	"litmuscope/web/assistant"
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
func called(t *testing.T, c *mcp.ClientSession, tool string, arguments map[string]any) (text string, r *mcp.CallToolResult) {
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
	for _, want := range []string{"explore", "draw", "verify", "repair", "repair-program", "distinguish", "compare", "compile", "name", "generate", "catalogue", "models", "engines", "limits"} {
		if !found[want] {
			t.Errorf("there is no tool %s", want)
		}
	}
}

func TestCalls(t *testing.T) {
	c := open(t)
	sb := webtest.ClassicSource(t, "SB")
	const safe = "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *t(void *p) { x = 1; return 0; }\nint main(void) { pthread_t i; pthread_create(&i, 0, t, 0); pthread_join(i, 0); assert(x == 1); }\n"
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
		{"explore", map[string]any{"source": sb, "models": []string{"sc", "tso"}, "options": map[string]any{"explain": true}}, []string{`"verdict":"forbidden"`, `"verdict":"allowed"`, `"axiom":"consensus"`}, false},
		{"draw", map[string]any{"source": sb, "model": "sc"}, []string{"SC forbids", "made out: a -po-> b -fr-> c -po-> d -fr-> a"}, false},
		{"draw", map[string]any{"source": sb, "model": "tso", "execution": 2}, []string{"There is no execution 2 of this: 1 execution can be drawn."}, true},
		{"verify", map[string]any{"source": safe, "models": []string{"rc11"}}, []string{`"verdict":"safe"`}, false},
		{"repair", map[string]any{"source": sb, "models": []string{"tso"}}, []string{`"text":"MFENCE"`}, false},
		{"repair-program", map[string]any{"source": racy, "models": []string{"rc11"}}, []string{`"text":"release"`, `"text":"acquire"`}, false},
		{"distinguish", map[string]any{"left": "sc", "right": "tso", "arch": "X86", "size": 4}, []string{`"name":"SB"`}, false},
		{"compare", map[string]any{
			"a": map[string]any{"text": "Test SB Allowed\nHistogram (2 states)\n5:>0:EAX=0; 1:EAX=0;\n9:>0:EAX=0; 1:EAX=1;\nOk\n\nWitnesses\nPositive: 5, Negative: 9\nCondition exists (0:EAX=0 /\\ 1:EAX=0) is validated\n"},
			"b": map[string]any{"text": "Test SB Allowed\nStates 1\n0:EAX=0; 1:EAX=1;\nNo\nWitnesses\nPositive: 0 Negative: 1\nCondition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Never 0 1\n"},
		}, []string{`"kind":"seen-forbidden"`}, false},
		{"compile", map[string]any{"source": "C T\n{ }\nP0(atomic_int *x) {\n  atomic_store(x, 1);\n}\nexists (x=1)\n", "to": "AArch64"}, []string{"STLR"}, false},
		{"name", map[string]any{"source": sb}, []string{`"cycle":"PodWR Fre PodWR Fre"`}, false},
		{"generate", map[string]any{"arch": "X86", "cycle": "PodWR Fre PodWR Fre"}, []string{`MOV [x],$1`}, false},
		{"models", nil, []string{`"name":"lkmm"`}, false},
		{"models", map[string]any{"name": "tso", "text": true}, []string{`"name":"tso"`, "acyclic"}, false},
		{"models", map[string]any{"name": "tsa"}, []string{"Unknown model"}, true},
		{"catalogue", map[string]any{"name": "IRIW", "arch": "PPC", "brief": false}, []string{`"source":"PPC IRIW`, `"model":"power"`}, false},
		{"explore", map[string]any{"source": strings.Replace(sb, "MOV EAX,[x]", "FLY EAX,[x]", 1)}, []string{":6:16: ", "FLY"}, true},
		{"explore", map[string]any{"sauce": sb}, []string{"body.sauce: unexpected property"}, true},
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
	_, r := called(t, open(t), "draw", map[string]any{"source": webtest.ClassicSource(t, "SB"), "model": "tso", "format": "svg"})
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
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(strings.NewReader(body))}, nil
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
	if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "explore", Arguments: map[string]any{"source": "any"}}); err == nil {
		t.Error("a question that was given up has an answer")
	}
	<-ended
}
