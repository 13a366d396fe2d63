package cmd

import (
	"archive/zip"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	confined "litmuscope/litmus/toolchain/sandbox"
	"litmuscope/solver/pool"
	"litmuscope/web/parts/childwork"
)

func TestMain(m *testing.M) {
	// The pool and the sandbox of compilers start this test binary as their child processes.
	confined.MaybeChild()
	pool.MaybeChild(childwork.Work...)
	testscript.Main(inRoot{m}, map[string]func(){"litmuscope": Main, "nats-server": queueNode})
}

// inRoot runs the tests in the repository's root, because they name files relative to it.
type inRoot struct{ *testing.M }

func (m inRoot) Run() int {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	return m.M.Run()
}

// TestScript runs the scripts of the command line. Each is a text archive with the files that it needs.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "cmd/testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               withRust,
		Condition: func(condition string) (bool, error) { // [exists:FILE]
			name, ok := strings.CutPrefix(condition, "exists:")
			if !ok {
				return false, fmt.Errorf("no such condition: %s", condition)
			}
			_, err := os.Stat(name)
			return err == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status,
			"zip":    zipFiles,
			"server": freeAddress,
			"last":   lastLine,
		},
	})
}

// withRust lets scripts find the toolchain of rustup, which is below the home directory, and the catalogue of programs.
func withRust(e *testscript.Env) error {
	home, err := os.UserHomeDir()
	if rustup := filepath.Join(home, ".rustup"); err == nil && os.Getenv("RUSTUP_HOME") == "" {
		e.Setenv("RUSTUP_HOME", rustup)
	}
	root, err := os.Getwd()
	e.Setenv("RUST_CATALOGUE", filepath.Join(root, "litmus/catalogue/rust"))
	return err
}

// status N COMMAND… checks a command's exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [arg...]")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		got = err.Error() // "exit status N"
		got = got[len(got)-1:]
	}
	if got != args[0] {
		ts.Fatalf("%v: exit status %s, want %s", args[1:], got, args[0])
	}
}

// zip ARCHIVE FILE… packs files.
func zipFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: zip archive [file...]")
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	z := zip.NewWriter(f)
	for _, name := range args[1:] {
		w, err := z.Create(filepath.ToSlash(name))
		ts.Check(err)
		_, err = w.Write([]byte(ts.ReadFile(name)))
		ts.Check(err)
	}
	ts.Check(z.Close())
	ts.Check(f.Close())
}

// freeAddress: server NAME sets $NAME to a free address for the script's server.
func freeAddress(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: server name")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(args[0], l.Addr().String())
	ts.Check(l.Close())
}

// last NAME sets $NAME to the last line of standard output.
func lastLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: last name")
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	ts.Setenv(args[0], lines[len(lines)-1])
}
