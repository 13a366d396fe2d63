package cmd

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assistantOf returns an assistant's session with the mcp command, which lasts until the test ends.
func assistantOf(t *testing.T, f *mcpFlags) *mcp.ClientSession {
	t.Helper()
	f.log.format = "text"
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := f.answer(t.Context(), in, out)
		in.CloseWithError(err) // its peer does not wait for ever
		out.CloseWithError(err)
		ended <- err
	}()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(),
		&mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		if err := <-ended; err != nil {
			t.Errorf("the command ended with %v", err)
		}
	})
	return s
}

// An assistant gets the same answers from this machine and from a server.
func TestAssistant(t *testing.T) {
	site := newSite(t, false, t.TempDir())
	site.ready(t)
	for where, f := range map[string]*mcpFlags{
		"here":  {workers: 1, db: filepath.Join(t.TempDir(), "answers.db")},
		"there": {remoteFlags: remoteFlags{server: site.url}},
	} {
		s := assistantOf(t, f)
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "draw", Arguments: map[string]any{
			"source": "X86 LB\n{ }\n P0          | P1          ;\n MOV EAX,[x] | MOV EAX,[y] ;\n" +
				" MOV [y],$1  | MOV [x],$1  ;\nexists (0:EAX=1 /\\ 1:EAX=1)\n",
			"model": "tso",
		}})
		if err != nil || r.IsError || len(r.Content) != 2 {
			t.Fatalf("%s: %+v, %v", where, r, err)
		}
		if title := r.Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(title,
			`TSO forbids 0:EAX=1 /\ 1:EAX=1, because: `) {
			t.Errorf("%s: the drawing is %q", where, title)
		}
	}
	if err := (&mcpFlags{log: logFlags{format: "text"}}).answer(t.Context(), strings.NewReader(""),
		io.Discard); err == nil || !strings.Contains(err.Error(), "--jobs") {
		t.Errorf("without a job: %v", err)
	}
}
