package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// The README's list of flags is what the command says of itself.
func TestReadmeListsTheFlags(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	flags := runCommand().Flags().FlagUsages()
	flags = strings.Replace(flags, fmt.Sprintf("at once (default %d)", runtime.NumCPU()), "at once (default the number of processors)", 1)
	if !strings.Contains(string(text), flags) {
		t.Errorf("README.md does not have the flags of litmuscope run:\n%s", flags)
	}
}
