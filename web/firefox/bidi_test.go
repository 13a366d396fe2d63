package firefox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/net/websocket"
)

// fox is a Firefox, and what its pages have done that none must.
type fox struct {
	t      *testing.T
	conn   *websocket.Conn
	asked  int
	faults []string
}

// prefs let nothing but the server under test be reached, and nothing move.
const prefs = `user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("ui.prefersReducedMotion", 1);
`

// origin is whose commands the Firefox takes.
const origin = "http://127.0.0.1"

// startFirefox starts a Firefox of the test's own; the test is skipped where there is none.
func startFirefox(t *testing.T) *fox {
	t.Helper()
	var path string
	for _, name := range []string{"firefox", "firefox-esr"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Firefox found: install it (Debian: apt-get install firefox-esr)")
	}
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0",
		"--remote-allow-origins", origin)
	cmd.Env = append(os.Environ(), "MOZ_CRASHREPORTER_DISABLE=1", "HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the state says what of it
		close(ended)
	}()
	t.Cleanup(func() {
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
	f := &fox{t: t}
	f.conn = dial(t, cmd, filepath.Join(profile, "WebDriverBiDiServer.json"), ended)
	t.Cleanup(func() {
		_ = f.tell("browser.close", none{}, nil)
		f.conn.Close()
	})
	f.must("session.new", map[string]any{"capabilities": none{}}, nil)
	f.must("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	// What a page's policy forbids it is said where errors are.
	f.must("script.addPreloadScript", map[string]any{"functionDeclaration": `() => {
		addEventListener("securitypolicyviolation", (e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI));
	}`}, nil)
	return f
}

// dial waits for a Firefox to say where it listens.
func dial(t *testing.T, cmd *exec.Cmd, path string, ended <-chan struct{}) *websocket.Conn {
	t.Helper()
	for {
		var at struct {
			Host string `json:"ws_host"`
			Port int    `json:"ws_port"`
		}
		if b, err := os.ReadFile(path); err == nil && json.Unmarshal(b, &at) == nil {
			conn, err := websocket.Dial(fmt.Sprintf("ws://%s:%d/session", at.Host, at.Port), "", origin)
			if err != nil {
				t.Fatal(err)
			}
			if end, ok := t.Deadline(); ok {
				_ = conn.SetDeadline(end.Add(-10 * time.Second))
			}
			return conn
		}
		select {
		case <-ended:
			t.Fatalf("the Firefox does not start: %v", cmd.ProcessState)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

type none struct{}

// tell has a command done, and takes up what happens in the meantime.
func (f *fox) tell(method string, params, into any) error {
	f.asked++
	if err := websocket.JSON.Send(f.conn,
		map[string]any{"id": f.asked, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		var m struct {
			ID             int
			Type, Method   string
			Result         json.RawMessage
			Error, Message string
			Params         struct{ Level, Text string }
		}
		switch err := websocket.JSON.Receive(f.conn, &m); {
		case err != nil:
			return err
		case m.Type == "event":
			if m.Method == "log.entryAdded" && m.Params.Level == "error" {
				f.faults = append(f.faults, m.Params.Text)
			}
		case m.Type == "error":
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case m.ID != f.asked:
			return errors.New("an answer to what was not asked")
		case into != nil:
			return json.Unmarshal(m.Result, into)
		default:
			return nil
		}
	}
}

func (f *fox) must(method string, params, into any) {
	f.t.Helper()
	if err := f.tell(method, params, into); err != nil {
		f.t.Fatal(err)
	}
}
