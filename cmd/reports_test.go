package cmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestReports asks about the inputs in ../shared/reports, for which an answer was once wrong, missing or unclear.
// LITMUSCOPE_REPORTS names another folder. Without a folder, the test skips.
func TestReports(t *testing.T) {
	folder := os.Getenv("LITMUSCOPE_REPORTS")
	if folder == "" {
		folder = "../shared/reports"
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no reported inputs: LITMUSCOPE_REPORTS names their folder")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "cmd/testdata/reports",
		RequireExplicitExec: true,
		ContinueOnError:     true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPORTS", folder)
			return nil
		},
	})
}
