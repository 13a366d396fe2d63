package cmd

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	confined "litmuscope/litmus/toolchain/sandbox"
)

// A server with --compilers compiles visitors' tests; one whose compiler does not run says which, and does not start.
func TestServeCompilers(t *testing.T) {
	if missing := confined.Unconfined(); missing != nil {
		t.Skipf("this system lacks %v", missing)
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	s := startServer(t, dir, "--compilers", "gcc -O2")
	source, err := os.ReadFile("litmus/catalogue/tests/C/SB+poscscs.litmus")
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Post(s.url+"api/v1/compile", "application/json",
		strings.NewReader(`{"compiler": "gcc -O2", "source": `+quoted(string(source))+`}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`"verdict":"right"`)) {
		t.Errorf("%s, %v: %s", r.Status, err, body)
	}
	for _, c := range []struct{ compiler, want string }{
		{"no-such-cc -O2", `--compilers: "no-such-cc -O2": the compiler "no-such-cc" is not installed`},
		{"false", `--compilers: "false": the compiler does not print its version`},
	} {
		out, err := exec.Command(filepath.Join(dir, "litmuscope"), "serve", "--addr", "127.0.0.1:0", "--db",
			filepath.Join(dir, "other.db"), "--compilers", c.compiler).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v, %s", c.compiler, err, out)
		}
	}
}
