package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// The lsp command answers an editor on standard input and output until the editor is gone, from its own child
// processes.
func TestLSP(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	f := &lspFlags{workers: 1, log: logFlags{format: "text"}}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- f.answer(ctx, in, out) }()
	published := make(chan string, 10)
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(struct {
		io.Reader
		io.WriteCloser
	}{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, q *jsonrpc2.Request) (any, error) {
			if q.Method == "textDocument/publishDiagnostics" {
				published <- string(*q.Params)
			}
			return nil, nil
		}))
	var can struct {
		Capabilities map[string]any `json:"capabilities"`
	}
	if err := conn.Call(ctx, "initialize", json.RawMessage(`{"capabilities":{}}`), &can); err != nil ||
		can.Capabilities["codeLensProvider"] == nil {
		t.Fatalf("%+v, %v", can, err)
	}
	const text = `"X86 LB\n{ }\n P0          | P1          ;\n MOV EAX,[x] | MOV EAX,[y] ;\n MOV [y],$1  | MVO [x],$1  ;\nexists (0:EAX=1 /\\ 1:EAX=1)\n"`
	open := func(method, params string) {
		if err := conn.Notify(ctx, method, json.RawMessage(params)); err != nil {
			t.Fatal(err)
		}
	}
	open("textDocument/didOpen",
		`{"textDocument":{"uri":"file:///none/LB.litmus","languageId":"litmus","version":1,"text":`+text+`}}`)
	select {
	case p := <-published:
		if !strings.Contains(p, "MVO") || !strings.Contains(p, "did you mean MOV?") {
			t.Errorf("got %s", p)
		}
	case <-ctx.Done():
		t.Fatal("nothing was published")
	}
	open("textDocument/didChange",
		`{"textDocument":{"uri":"file:///none/LB.litmus","version":2},"contentChanges":[{"text":`+
			strings.Replace(text, "MVO", "MOV", 1)+`}]}`)
	if err := conn.Call(ctx, "workspace/executeCommand",
		json.RawMessage(`{"command":"litmuscope.outcomes","arguments":["file:///none/LB.litmus"]}`),
		new(string)); err != nil {
		t.Error(err)
	}
	if err := conn.Call(ctx, "shutdown", nil, nil); err != nil {
		t.Error(err)
	}
	open("exit", `null`)
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-ctx.Done():
		t.Error("the command does not end")
	}
	if err := (&lspFlags{log: logFlags{format: "text"}}).answer(ctx, strings.NewReader(""), io.Discard); err == nil ||
		!strings.Contains(err.Error(), "--jobs") {
		t.Errorf("without a job: %v", err)
	}
}

// Neovim with our settings shows errors and verdicts, and renames.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("no Neovim found: install it (Debian: apt-get install neovim)")
	}
	home, bin := editorsHome(t, sbToEdit)
	got := editing(t, home, bin, nvim, "--headless", "--clean", "-n",
		"--cmd", "lua vim.g.litmuscope_command = { '"+bin+"', 'lsp' }",
		"--cmd", "set runtimepath+="+absolute(t, "static/editors/neovim"), "-c",
		"luafile "+absolute(t, "cmd/testdata/neovim.lua"))
	const want = `own.cat: 1:17 theirs is not defined
SB.litmus: 
lens: tso ✓ · riscv ✓ · aarch64 ✓ · power ✓ · sc ✗
hover: MOV
completion: MFENCE
definition: 2
renamed: { flag=0; } / MOV [flag],$1  | MOV [y],$1  ; / MOV EAX,[y] | MOV EAX,[flag] ;
formatted:  MOV [flag],$1 | MOV [y],$1     ;`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

var neovimStarts = flag.Int("starts", 0, "how often TestNeovimStarts starts Neovim (task neovim)")

// The server answers each time that Neovim starts.
func TestNeovimStarts(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if *neovimStarts == 0 || err != nil {
		t.Skip("takes -starts N, and Neovim (task neovim)")
	}
	home, bin := editorsHome(t, sbToEdit)
	for n := range *neovimStarts {
		got := editing(t, home, bin, nvim, "--headless", "--clean", "-n", "--cmd",
			"lua vim.g.litmuscope_command = { '"+bin+"', 'lsp' }",
			"--cmd", "set runtimepath+="+absolute(t, "static/editors/neovim"), "-c",
			"luafile "+absolute(t, "cmd/testdata/neovimstart.lua"))
		if got != "hover: MOV" {
			t.Fatalf("start %d: got %q", n+1, got)
		}
	}
}

// Emacs with Eglot and our settings shows errors, fixes them, and renames.
func TestEmacs(t *testing.T) {
	emacs, err := exec.LookPath("emacs")
	if err != nil {
		t.Skip("no Emacs found: install it (Debian: apt-get install emacs-nox elpa-eglot)")
	}
	if exec.CommandContext(t.Context(), emacs, "--batch", "-f", "package-initialize", "-l", "eglot").Run() != nil {
		t.Skip("this Emacs has no Eglot: install it (Debian: apt-get install elpa-eglot)")
	}
	home, bin := editorsHome(t, strings.Replace(sbToEdit, "MOV", "MVO", 1))
	got := editing(t, home, bin, emacs, "--batch", "-l", absolute(t, "cmd/testdata/emacs.el"))
	const want = `litmuscope-model-mode: 1:theirs theirs is not defined
litmuscope-test-mode: 4:MVO X86: unknown instruction MVO: did you mean MOV?
mended:  MOV [x],$1  | MOV [y],$1  ;
definition: 4
renamed: { x=0; } /  MOV EAX,[flag] | MOV EAX,[x] ;
formatted:  MOV [x],$1     | MOV [flag],$1 ;
completed:  MOV [x],$1     | MFENCE ;`
	if !strings.HasSuffix(got, want) { // behind what Eglot says of itself
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

const sbToEdit = "X86 SB\n{ x=0; }\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n" +
	" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"

// editorsHome returns a folder with a test and a model to edit and with the built program.
func editorsHome(t *testing.T, sb string) (home, bin string) {
	t.Helper()
	home = t.TempDir()
	bin = filepath.Join(home, "litmuscope")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range map[string]string{"SB.litmus": sb, "own.cat": "let mine = po | theirs\nacyclic mine\n"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home, bin
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// editing runs an editor's script and returns what it prints.
func editing(t *testing.T, home, bin, editor string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, editor, args...)
	c.Dir = home
	c.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_STATE_HOME="+home, "XDG_DATA_HOME="+home,
		"XDG_CONFIG_HOME="+home,
		"LITMUSCOPE="+bin, "SETTINGS="+absolute(t, "static/editors/emacs/litmuscope.el"))
	c.WaitDelay = time.Second
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	got := strings.TrimSpace(strings.ReplaceAll(string(out), "\r", ""))
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, got, said.String())
	}
	return got
}
