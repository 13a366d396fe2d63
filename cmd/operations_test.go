package cmd

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

	"litmuscope/web"
	"litmuscope/web/server"
)

var (
	exposed   = regexp.MustCompile(`(?m)^# TYPE (litmuscope_\S+) `)
	mentioned = regexp.MustCompile("litmuscope_[a-z_]+")
)

// The manual lists every metric, limit and flag of serve, and no others.
func TestOperationsPages(t *testing.T) {
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

	var flags strings.Builder
	flags.WriteString("| flag | variable | default |\n|---|---|---|\n")
	serveCommand().Flags().VisitAll(func(f *pflag.Flag) {
		value := f.DefValue
		if value == fmt.Sprint(runtime.NumCPU()) && strings.HasSuffix(f.Name, "jobs") {
			value = "the number of processors"
		} else if value == "[]" || value == "" {
			value = "–"
		}
		fmt.Fprintf(&flags, "| `--%s` | `%s` | %s |\n", f.Name, variable(f.Name), value)
	})
	for _, table := range []struct{ page, want string }{
		{"static/docs/limits.md", server.LimitsTable(web.LimitTable())},
		{"static/docs/operations.md", flags.String()},
	} {
		text, err := os.ReadFile(table.page)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(table.want, "\n")
		before, rest, found := strings.Cut(string(text), head)
		if !found {
			t.Fatalf("%s has no table %s", table.page, head)
		}
		made := before + table.want
		if end := strings.Index(rest, "\n\n"); end >= 0 {
			made += rest[end+1:]
		}
		switch {
		case made == string(text):
		case *update:
			if err := os.WriteFile(table.page, []byte(made), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("the table of %s is not that of the program (go test ./cmd -run Operations -update); want:\n%s",
				table.page, made)
		}
	}
}
