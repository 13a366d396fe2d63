package language

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Verdicts stand beside the condition; a click says more.
func TestLens(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	const uri = "untitled:SB.litmus"
	e.open(uri, sb)
	var lenses []codeLens
	e.call("textDocument/codeLens", named{textDocument{uri}}, &lenses)
	if len(lenses) != 1 || cut(uri, sb, lenses[0].Range) != "exists" || lenses[0].Command != nil {
		t.Fatalf("got %+v", lenses)
	}
	var l codeLens
	e.call("codeLens/resolve", lenses[0], &l)
	if l.Command == nil || !strings.HasPrefix(l.Command.Title, "tso ✓ · riscv ✓ · aarch64 ✓ · power ✓ · sc ✗") ||
		l.Command.Command != outcomes {
		t.Fatalf("got %+v", l.Command)
	}
	var said string
	e.call("workspace/executeCommand", l.Command, &said)
	if m := <-e.messages; !strings.Contains(m, "SC: forbidden exists") ||
		!strings.Contains(said, "TSO: allowed exists (0:EAX=0 /\\ 1:EAX=0); outcomes: [0:EAX=0 1:EAX=0], ") {
		t.Errorf("got %s and %s", m, said)
	}
	e.open(uri, strings.Replace(sb, "exists", "exists (* now *)", 1))
	if err := e.try("codeLens/resolve", lenses[0], &l); codeOf(err) != codeModified {
		t.Errorf("of an old text: %v", err)
	}
	e.open("untitled:m.cat", "acyclic po\n")
	e.call("textDocument/codeLens", named{textDocument{"untitled:m.cat"}}, &lenses)
	if len(lenses) != 0 {
		t.Errorf("a model has %+v", lenses)
	}
}

// held is a runner that answers when it may.
type held struct{ may chan struct{} }

func (h held) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	select {
	case <-h.may:
		return engines.Local{}.Run(ctx, q)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// What takes long is shown as far as it has come, and the editor told when there is more; nobody waits for it.
func TestLensComesLater(t *testing.T) {
	h := held{make(chan struct{})}
	e := newEditor(t, `{"workspace":{"codeLens":{"refreshSupport":true}}}`,
		func(c *Config) { c.Runner, c.Patience = h, time.Millisecond })
	const uri = "untitled:SB.litmus"
	e.open(uri, sb)
	var lenses []codeLens
	e.call("textDocument/codeLens", named{textDocument{uri}}, &lenses)
	var l codeLens
	e.call("codeLens/resolve", lenses[0], &l)
	if !strings.HasPrefix(l.Command.Title, "tso … · riscv … · ") {
		t.Errorf("got %q", l.Command.Title)
	}
	close(h.may)
	select {
	case <-e.refreshed:
	case <-e.ctx.Done():
		t.Fatal("the editor was not told")
	}
	e.call("codeLens/resolve", lenses[0], &l)
	if !strings.HasPrefix(l.Command.Title, "tso ✓ · riscv ✓ · ") {
		t.Errorf("got %q", l.Command.Title)
	}
}

// A request that is cancelled ends, and so does the search for verdicts of a text that is gone.
func TestCancelled(t *testing.T) {
	h := held{make(chan struct{})}
	e := newEditor(t, plainClient, func(c *Config) { c.Runner = h })
	const uri = "untitled:SB.litmus"
	e.open(uri, sb)
	var lenses []codeLens
	e.call("textDocument/codeLens", named{textDocument{uri}}, &lenses)
	waits, err := e.conn.DispatchCall(e.ctx, "codeLens/resolve", lenses[0])
	if err != nil {
		t.Fatal(err)
	}
	e.tell("$/cancelRequest", map[string]any{"id": 3}) // nobody asked that
	e.tell("$/cancelRequest", map[string]any{"id": 2}) // the third request, behind initialize and codeLens
	if err := waits.Wait(e.ctx, nil); codeOf(err) != codeCancelled {
		t.Errorf("got %v", err)
	}
	e.tell("textDocument/didClose", named{textDocument{uri}})
	if err := e.try("codeLens/resolve", lenses[0], nil); err == nil {
		t.Error("a closed text has a lens")
	}
}

// A bug in an engine ends no more than what it was asked for.
func TestPanic(t *testing.T) {
	e := newEditor(t, plainClient, func(c *Config) { c.Runner, c.Patience = panics{}, time.Millisecond })
	const uri = "untitled:SB.litmus"
	e.open(uri, sb)
	var lenses []codeLens
	e.call("textDocument/codeLens", named{textDocument{uri}}, &lenses)
	var l codeLens
	e.call("codeLens/resolve", lenses[0], &l)
	if l.Command == nil || !strings.HasPrefix(l.Command.Title, "tso ") {
		t.Errorf("got %+v", l)
	}
	e.call("textDocument/hover", place{textDocument{uri}, position{0, 1}}, nil)
}

// A program has its verdicts where it begins: where an assertion can fail is said in words.
func TestLensOfAProgram(t *testing.T) {
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
	e := newEditor(t, plainClient, nil)
	e.open("untitled:mp.c", racy)
	var lenses []codeLens
	e.call("textDocument/codeLens", named{textDocument{"untitled:mp.c"}}, &lenses)
	if len(lenses) != 1 || cut("untitled:mp.c", racy, lenses[0].Range) != "main" {
		t.Fatalf("got %+v", lenses)
	}
	var l codeLens
	e.call("codeLens/resolve", lenses[0], &l)
	if l.Command == nil || l.Command.Title != "rc11 unsafe · tso safe · aarch64 unsafe · sc safe" {
		t.Errorf("got %+v", l.Command)
	}
	var said string
	e.call("workspace/executeCommand", map[string]any{"command": outcomes, "arguments": []string{"untitled:mp.c"}},
		&said)
	if !strings.Contains(said, "RC11: unsafe: mp.c:14:3: ") {
		t.Errorf("said: %s", said)
	}
	e.open("untitled:own.h", "int main(void);\n")
	e.call("textDocument/codeLens", named{textDocument{"untitled:own.h"}}, &lenses)
	if len(lenses) != 0 {
		t.Errorf("of a header: %+v", lenses)
	}
}

// What mends a problem is offered where it is shown.
func TestFixes(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	for _, c := range []struct{ uri, text, title, want string }{
		{
			"untitled:a.litmus", strings.Replace(sb, "MOV [y],$1", "XCGH [y],EAX", 1), "Replace XCGH by XCHG",
			strings.Replace(sb, "MOV [y],$1", "XCHG [y],EAX", 1),
		},
		{"untitled:b.cat", "let mine = po\nacyclic mien\n", "Replace mien by mine", "let mine = po\nacyclic mine\n"},
		{
			"untitled:c.cat", "let mine = po\nacycic mine\n", "Replace acycic by acyclic",
			"let mine = po\nacyclic mine\n",
		},
		{
			"untitled:d.bell", "enum A = 'once\ninstructions R['onec]\n", "Replace 'onec by 'once",
			"enum A = 'once\ninstructions R['once]\n",
		},
		{
			"untitled:e.litmus", strings.Replace(inC, "atomic_store(", "atomic_stroe(", 1),
			"Replace atomic_stroe by atomic_store", inC,
		},
		{
			"untitled:f.c", "#include <assert.h>\nint main(void) { asert(1); }\n", "Replace asert by assert",
			"#include <assert.h>\nint main(void) { assert(1); }\n",
		},
	} {
		p := e.open(c.uri, c.text)
		if len(p.Diagnostics) == 0 {
			t.Errorf("%s: nothing is wrong", c.uri)
			continue
		}
		ask := map[string]any{
			"textDocument": textDocument{c.uri}, "range": p.Diagnostics[0].Range,
			"context": map[string]any{"diagnostics": p.Diagnostics},
		}
		var actions []codeAction
		e.call("textDocument/codeAction", ask, &actions)
		if len(actions) != 1 || actions[0].Title != c.title ||
			edited(c.uri, c.text, actions[0].Edit.Changes[c.uri]) != c.want {
			t.Errorf("%s: got %+v", c.uri, actions)
		}
		ask["context"] = json.RawMessage(`{"diagnostics":[],"only":["refactor"]}`)
		e.call("textDocument/codeAction", ask, &actions)
		if len(actions) != 0 {
			t.Errorf("%s: got %+v for a refactoring", c.uri, actions)
		}
	}
}

// A text that is laid out anew says what it said, with its comments; one that cannot be read stays.
func TestFormatting(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	for _, c := range []struct{ uri, text, want string }{
		{
			"untitled:a.litmus", "X86 SB\n{x=0;}\nP0|P1;\n(* first *)\n MOV [x],$1|MOV [y],$1;\n" +
				"MOV EAX,[y] (* why *) | MOV EAX,[x];   \n\n\nexists (0:EAX=0)",
			"X86 SB\n{x=0;}\n P0                    | P1          ;\n(* first *)\n" +
				" MOV [x],$1            | MOV [y],$1  ;\n MOV EAX,[y] (* why *) | MOV EAX,[x] ;\nexists (0:EAX=0)\n",
		},
		{
			"untitled:b.litmus",
			"C T\n{}\n\nP0(int *x)\n{\nif (1) {\n    *x = 1; // one {\n} else {\n*x = 2;\n}\n}\n\nexists (x=1)\n",
			"C T\n{}\n\nP0(int *x)\n{\n  if (1) {\n    *x = 1; // one {\n  } else {\n    *x = 2;\n  }\n}\n\n" +
				"exists (x=1)\n",
		},
		{"untitled:c.cat", "let a =  \n   po\t\n\n\n\nacyclic a", "let a =\n   po\n\nacyclic a\n"},
		{
			"untitled:d.litmus", "X86 SB\n{x=0;}\nP0|P1;\nMVO [x],$1|;\nexists (",
			"X86 SB\n{x=0;}\nP0|P1;\nMVO [x],$1|;\nexists (",
		},
		{
			"untitled:e.litmus", "X86 SB\r\n{x=0;}\r\nP0;\r\n MOV [x],$1;\r\nexists (x=0)\r\n",
			"X86 SB\r\n{x=0;}\r\n P0         ;\r\n MOV [x],$1 ;\r\nexists (x=0)\r\n",
		},
		{"untitled:f.c", "int  x;\n", "int  x;\n"},
	} {
		e.open(c.uri, c.text)
		var edits []textEdit
		ask := map[string]any{
			"textDocument": textDocument{c.uri},
			"options":      map[string]any{"tabSize": 2, "insertSpaces": true},
		}
		e.call("textDocument/formatting", ask, &edits)
		got := edited(c.uri, c.text, edits)
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.uri, got, c.want)
		}
		e.open(c.uri, got)
		e.call("textDocument/formatting", ask, &edits)
		if len(edits) != 0 {
			t.Errorf("%s: laid out once more it changes: %+v", c.uri, edits)
		}
	}
}
