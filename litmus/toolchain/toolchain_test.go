package toolchain

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func compiler(t *testing.T, command string) Compiler {
	t.Helper()
	c, err := Parse(command)
	if err != nil {
		t.Skip(err)
	}
	return c
}

func TestRun(t *testing.T) {
	out, err := compiler(t, "cc -O2").Run(t.Context(), Job{
		Files:     map[string][]byte{"a.c": []byte("int f(void) { return 42; }\n")},
		Arguments: []string{"-S", "-o", "a.s", "a.c"},
		Outputs:   []string{"a.s"},
	})
	if err != nil || !strings.Contains(string(out["a.s"]), "f:") {
		t.Errorf("got %v, %s", err, out["a.s"])
	}
}

// A failure has the compiler's message with the place in the file, and no temporary path.
func TestRunReportsTheCompilersMessage(t *testing.T) {
	_, err := compiler(t, "cc -O2").Run(t.Context(), Job{
		Files:     map[string][]byte{"a.c": []byte("int f(void) {\n  return g h;\n}\n")},
		Arguments: []string{"-S", "-o", "a.s", "a.c"},
	})
	var failure *Failure
	if !errors.As(err, &failure) || !strings.Contains(failure.Message, "a.c:2:") ||
		strings.Contains(failure.Message, "litmuscope-compile") {
		t.Errorf("got %v", err)
	}
}

func TestRunNamesAMissingOutput(t *testing.T) {
	_, err := compiler(t, "true").Run(t.Context(), Job{Outputs: []string{"a.s"}})
	if err == nil || !strings.Contains(err.Error(), "did not write a.s") {
		t.Errorf("got %v", err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := compiler(t, "sleep 60").Run(ctx, Job{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	for command, want := range map[string]string{
		"":                  "is empty",
		"no-such-compiler1": `"no-such-compiler1" is not installed`,
		`gcc "-O2`:          "the compiler's command",
	} {
		if _, err := Parse(command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", command, err, want)
		}
	}
}

func TestPrint(t *testing.T) {
	if out, err := compiler(t, "cc -O2").Print(t.Context(), "-dumpmachine"); err != nil || !strings.Contains(out, "-") {
		t.Errorf("got %q, %v", out, err)
	}
	var failure *Failure
	if _, err := compiler(t, "cc").Print(t.Context(), "--frob"); !errors.As(err, &failure) {
		t.Errorf("got %v", err)
	}
}
