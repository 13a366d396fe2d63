package cmd

import (
	"flag"
	"os/exec"
	"path/filepath"
	"testing"
)

var generatedClients = flag.String("clients", "",
	"the folder of generated clients that TestGeneratedClients runs (task clients)")

// Clients that third-party generators make from the OpenAPI document run suites on a server.
func TestGeneratedClients(t *testing.T) {
	if *generatedClients == "" {
		t.Skip("takes -clients FOLDER (task clients)")
	}
	site := newSite(t, false, t.TempDir())
	site.ready(t)
	for _, client := range []string{"fetch.js", "hey.js"} {
		out, err := exec.CommandContext(t.Context(), "node", filepath.Join(*generatedClients, "out", client),
			site.url).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", client, err, out)
			continue
		}
		t.Logf("%s", out)
	}
}
