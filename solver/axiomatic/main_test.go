package axiomatic_test

import (
	"flag"
	"os"
	"testing"
)

// Random programs are cheap, and agreement on them is the point: 2,000 unless the
// command line says otherwise.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "2000"); err != nil {
		panic(err)
	}
	flag.Parse()
	os.Exit(m.Run())
}
