package pool

import (
	"os"
	"testing"
)

// The test binary is its own child, so that tests see real processes.
func TestMain(m *testing.M) {
	MaybeChild(echo, hog, crasher, sleeper, overflow, flood)
	os.Exit(m.Run())
}
