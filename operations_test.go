package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

var (
	exposed   = regexp.MustCompile(`(?m)^# TYPE (litmuscope_\S+) `)
	mentioned = regexp.MustCompile("litmuscope_[a-z_]+")
)

// The page for who runs a server knows every metric and every flag of serve, and no others.
func TestOperationsPage(t *testing.T) {
	text, err := os.ReadFile("static/docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	s := startServer(t, t.TempDir())
	r, err := http.Get(s.url + "metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, m := range exposed.FindAllStringSubmatch(string(body), -1) {
		told = append(told, m[1])
		if !strings.Contains(string(text), "`"+m[1]+"`") {
			t.Errorf("operations.md leaves out %s", m[1])
		}
	}
	// The first request is the one that asks.
	told = append(told, "litmuscope_http_request_seconds")
	for _, m := range mentioned.FindAllString(string(text), -1) {
		if !slices.Contains(told, m) {
			t.Errorf("operations.md has %s, /metrics has not", m)
		}
	}

	_, table, _ := strings.Cut(string(text), "| flag | variable | default |\n|---|---|---|\n")
	var want strings.Builder
	serveCommand().Flags().VisitAll(func(f *pflag.Flag) {
		value := f.DefValue
		if value == fmt.Sprint(runtime.NumCPU()) && strings.HasSuffix(f.Name, "jobs") {
			value = "the number of processors"
		} else if value == "[]" || value == "" {
			value = "–"
		}
		fmt.Fprintf(&want, "| `--%s` | `%s` | %s |\n", f.Name, variable(f.Name), value)
	})
	if table != want.String() {
		if !*update {
			t.Fatalf("operations.md's table of flags is not that of serve (go test . -run Operations -update):\n%s", want.String())
		}
		if err := os.WriteFile("static/docs/operations.md", []byte(strings.TrimSuffix(string(text), table)+want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
