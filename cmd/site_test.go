package cmd

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// queueNode runs a NATS server as a separate process, on a port and with a folder for its files.
func queueNode() {
	var port int
	fmt.Sscan(os.Args[1], &port) //nolint:errcheck // of the test
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: os.Args[2], SyncAlways: true,
		MaxPayload: 8 << 20, NoLog: true,
	})
	if err != nil {
		panic(err)
	}
	s.Start()
	s.WaitForShutdown()
}

// site is the service under test. It consists of processes that can be killed and started again: a server with an
// embedded queue, or a server with a separate queue and workers.
type site struct {
	url    string
	server *part
	queue  *part // nil where it is the server's own
	others []*part
}

// part is one process of a site.
type part struct {
	name string
	args []string
	log  string // the file
	*exec.Cmd
	over chan struct{} // closed when it has ended
}

// newSite starts a site with its database in a folder.
func newSite(t *testing.T, elsewhere bool, disk string, args ...string) *site {
	t.Helper()
	dir := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test binary runs as either program if it has that program's name (see TestMain).
	for _, as := range []string{"litmuscope", "nats-server"} {
		if err := os.Symlink(exe, filepath.Join(dir, as)); err != nil {
			t.Fatal(err)
		}
	}
	process := func(name, program string, args ...string) *part {
		return &part{
			name: name, args: append([]string{filepath.Join(dir, program)}, args...),
			log: filepath.Join(dir, name+".log"),
		}
	}
	addr := fmt.Sprint("127.0.0.1:", freePort(t))
	args = append([]string{"serve", "--addr", addr, "--db", filepath.Join(disk, "db")}, args...)
	s := &site{url: "http://" + addr + "/"}
	if elsewhere {
		port := freePort(t)
		url := fmt.Sprint("nats://127.0.0.1:", port)
		args = append(args, "--queue", url, "--suite-jobs", "0")
		s.queue = process("queue", "nats-server", fmt.Sprint(port), filepath.Join(dir, "nats"))
		for _, w := range []string{"w1", "w2"} {
			s.others = append(s.others, process(w, "litmuscope", "worker", "--queue", url, "--name", w, "-j", "1"))
		}
	}
	s.server = process("server", "litmuscope", args...)
	for _, p := range s.parts() {
		p.start(t)
	}
	t.Cleanup(func() {
		for _, p := range s.parts() {
			p.kill()
			if t.Failed() {
				t.Logf("%s:\n%s", p.name, lastOf(answers.ReplaceAllString(p.said(t), ""), 4000))
			}
		}
	})
	return s
}

// answers matches the lines of a log that report only an answered request.
var answers = regexp.MustCompile(`(?m)^.*level=INFO msg=request .*\n`)

// parts returns the site's processes, in the order in which they start.
func (s *site) parts() (all []*part) {
	if s.queue != nil {
		all = append(all, s.queue)
	}
	return append(append(all, s.server), s.others...)
}

// ready waits until /readyz answers 200.
func (s *site) ready(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for status, body := s.probe("readyz"); status != http.StatusOK; status, body = s.probe("readyz") {
		if s.server.ended() || ctx.Err() != nil {
			t.Fatalf("the server is not ready: %s", body)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// probe requests a page.
func (s *site) probe(path string) (status int, body string) {
	c := http.Client{Timeout: 20 * time.Second}
	w, err := c.Get(s.url + path)
	if err != nil {
		return 0, err.Error()
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		return 0, err.Error()
	}
	return w.StatusCode, string(text)
}

// start starts the process, possibly through another program that becomes the process.
func (p *part) start(t *testing.T, by ...string) {
	t.Helper()
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	args := append(by, p.args...)
	cmd, over := exec.Command(args[0], args[1:]...), make(chan struct{})
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.Cmd, p.over = cmd, over
	go func() {
		_ = cmd.Wait() // which reports the kill
		close(over)
	}()
}

func (p *part) kill() {
	_ = p.Process.Kill()
	<-p.over
}

// ended reports whether the process has ended, for any reason.
func (p *part) ended() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

// said returns everything that the process has logged.
func (p *part) said(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(p.log)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
