package engines

import (
	"flag"
	"os"
	"testing"
)

// Each draw is a program that several engines answer for: 60 unless the command line says otherwise, and 12 with
// -short.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "60"); err != nil {
		panic(err)
	}
	flag.Parse()
	os.Exit(m.Run())
}
