package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a running litmuscope serve.
type process struct {
	*exec.Cmd
	url string
	log *bytes.Buffer // what it logged, once it has ended
}

var served = regexp.MustCompile(`url=(http\S+)`)

// startServer starts the server under test on a free port, unless the arguments name an address.
func startServer(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test binary runs as the program if it has the program's name (see TestMain).
	name := filepath.Join(dir, "litmuscope")
	if err := os.Symlink(exe, name); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	s := &process{
		Cmd: exec.Command(name,
			append([]string{"serve", "--addr", "127.0.0.1:0", "--db", filepath.Join(dir, "l.db")}, args...)...),
		log: &bytes.Buffer{},
	}
	stderr, err := s.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill() })
	lines := bufio.NewReader(stderr)
	for s.url == "" {
		line, err := lines.ReadString('\n')
		s.log.WriteString(line)
		if err != nil {
			t.Fatalf("the server ended: %s", s.log)
		}
		if m := served.FindStringSubmatch(line); m != nil {
			s.url = m[1]
		}
	}
	go func() { _, _ = io.Copy(s.log, lines) }()
	return s
}

// hard is a test that takes much longer than the tests wait.
func hard(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("litmus/catalogue/tests/X86/Lamport+mfences.litmus")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A server that gets a signal to end answers the requests that it can, answers the rest with an error, and exits with
// status 0 and without running processes.
func TestTerminated(t *testing.T) {
	s := startServer(t, t.TempDir(), "--grace", "300ms")
	type answer struct {
		status int
		body   string
		err    error
	}
	answers := make(chan answer, 1)
	form := `{"models":["tso"],"engine":"etso","options":{"timeout":"60s","unroll":6},"source":` + quoted(hard(t)) + `}`
	go func() {
		r, err := http.Post(s.url+"api/v1/explore", "application/json", strings.NewReader(form))
		if err != nil {
			answers <- answer{err: err}
			return
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		answers <- answer{r.StatusCode, string(body), err}
	}()
	for busy := false; !busy; { // by the test, which is to outlast the server
		select {
		case a := <-answers:
			t.Fatalf("the test that is to outlast the server does not: %+v", a)
		case <-time.After(50 * time.Millisecond):
		}
		r, err := http.Get(s.url + "metrics")
		if err != nil {
			t.Fatal(err)
		}
		metrics, _ := io.ReadAll(r.Body)
		r.Body.Close()
		busy = regexp.MustCompile(`(?m)^litmuscope_children_busy\S* [1-9]`).Match(metrics)
	}
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	a := <-answers
	if a.err != nil || a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, `"status":503`) {
		t.Errorf("the request that was cut: %+v", a)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("the server ended with %v: %s", err, s.log)
	}
	if strings.Contains(s.log.String(), "panic") {
		t.Errorf("it logged %s", s.log)
	}
}

func quoted(s string) string {
	return `"` + strings.NewReplacer("\\", `\\`, "\n", `\n`, `"`, `\"`, "\t", `\t`).Replace(s) + `"`
}

// The server rejects requests for another host name that leads to this machine.
func TestServesThisMachineAlone(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, dir)
	for host, want := range map[string]int{"localhost": 200, "evil.example": 421} {
		r, err := http.NewRequest(http.MethodGet, s.url+"api/v1/engines", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		if w.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, w.StatusCode, want)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "l.db*"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", f, info.Mode(), err)
		}
	}
}
