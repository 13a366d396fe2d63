package views_test

import (
	"flag"
	"os"
	"testing"
)

// Random tests are small: 10,000 unless the command line says otherwise.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "10000"); err != nil {
		panic(err)
	}
	flag.Parse()
	os.Exit(m.Run())
}
