package main

import (
	"os"
	"strings"
	"testing"
)

// The program carries exactly the notices of its linked modules: "go run ./static/notices" writes them.
func TestNoticesAreFresh(t *testing.T) {
	t.Chdir("../..")
	want, err := notices()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(written)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is not what the program is linked from: run ./task notices", written)
	}
	for _, part := range []string{
		"github.com/nats-io/nats-server/v2 v", "modernc.org/cc/v4 v",
		"github.com/mattn/go-sqlite3 v", "Go's standard library", "@codemirror/view", "KaTeX",
		"SIL OPEN FONT LICENSE",
	} {
		if !strings.Contains(string(got), part) {
			t.Errorf("the notices have nothing of %s", part)
		}
	}
}
