package pool

import (
	"os"
	"testing"
)

// systemKinds are kinds of work of one operating system's tests.
var systemKinds []Work

// The test binary is its own child, so that tests see real processes.
func TestMain(m *testing.M) {
	MaybeChild(append(systemKinds, echo, hog, filler, teller, crasher, sleeper, overflow, flood)...)
	os.Exit(m.Run())
}
