package cmd

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

var manFolder = flag.String("man", "", "write the manual pages into this folder (task release)")

// TestManPages makes a manual page for each command from its help, and checks that the page has all of the help.
func TestManPages(t *testing.T) {
	folder := *manFolder
	if folder == "" {
		folder = t.TempDir()
	}
	root := rootCommand()
	root.DisableAutoGenTag = true
	commit := time.Unix(0, 0).UTC() // the pages do not depend on the date
	if err := doc.GenManTree(root,
		&doc.GenManHeader{Section: "1", Source: "litmuscope", Manual: "Litmuscope", Date: &commit},
		folder); err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer(`\-`, "-", `\\`, `\`, "\\fB", "", "\\fI", "", "\\fP", "", "\\fR", "")
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		page := filepath.Join(folder, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
		text, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			return
		}
		words := strings.Join(strings.Fields(plain.Replace(string(text))), " ")
		for _, paragraph := range strings.Split(c.Long, "\n\n") {
			if want := strings.Join(strings.Fields(paragraph), " "); !strings.Contains(words, want) {
				t.Errorf("%s: the page lacks: %s", c.CommandPath(), want)
			}
		}
		for _, sub := range c.Commands() {
			if !sub.Hidden && sub.Name() != "completion" && sub.Name() != "help" {
				look(sub)
			}
		}
	}
	look(root)
}
