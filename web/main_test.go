package web_test

import (
	"os"
	"testing"

	"litmuscope/litmus/toolchain/sandbox"
)

// TestMain makes the tests' program a compiler's process, where a test offers compilers.
func TestMain(m *testing.M) {
	sandbox.MaybeChild()
	os.Exit(m.Run())
}
