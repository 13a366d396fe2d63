package webtest

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/toolchain/sandbox"
	"litmuscope/web/parts/compilers"
)

// Compilers offers installed compilers, with a time limit for each job. It skips the test where the system cannot
// confine compilers or has none of these. TestMain must call sandbox.MaybeChild.
func Compilers(t *testing.T, limit time.Duration, commands ...string) *compilers.Offered {
	t.Helper()
	if missing := sandbox.Unconfined(); missing != nil {
		t.Skipf("this system cannot confine compilers: it lacks %s", strings.Join(missing, " and "))
	}
	limits := sandbox.DefaultLimits
	limits.Time = limit
	programs := compilers.ProgramLimits
	programs.Time = limit
	out, err := compilers.Offer(t.Context(), commands,
		compilers.Options{
			AtOnce: 2, Limits: limits, Programs: programs, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
	var missing *os.PathError
	switch {
	case err != nil && (strings.Contains(err.Error(), "not installed") || errors.As(err, &missing)):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return out
}

// FakeCompiler writes a shell script that answers as a compiler for x86-64 and otherwise does what a script says, and
// returns its path.
func FakeCompiler(t *testing.T, name, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	text := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in\n*--version*) echo '%s 1.0' ;;\n"+
		"*-dumpmachine*) echo x86_64-linux-gnu ;;\n*)\n%s\n;;\nesac\n", name, script)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil { //nolint:gosec // it is to be executed
		t.Fatal(err)
	}
	return path
}
