package site

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// An archive has the whole program.
func TestEngineArchive(t *testing.T) {
	program := append([]byte("\x00asm"), bytes.Repeat([]byte("code of functions, "), 100_000)...)
	small, err := brotlied(program, Quick)
	if err != nil {
		t.Fatal(err)
	}
	e := Engine{Program: small, Runtime: []byte("runtime")}
	at := filepath.Join(t.TempDir(), "engine.zip")
	f, err := os.Create(at)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Save(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := Load(at)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(brotli.NewReader(bytes.NewReader(got.Program))); err != nil ||
		!bytes.Equal(body, program) {
		t.Errorf("%d bytes, %v; want the program's %d", len(body), err, len(program))
	}
	if string(got.Runtime) != "runtime" {
		t.Errorf("the runtime is %q", got.Runtime)
	}
}

// What is no archive of an engine is refused by its name.
func TestLoadRefuses(t *testing.T) {
	e := Engine{Program: []byte("no brotli"), Runtime: []byte("runtime")}
	at := filepath.Join(t.TempDir(), "broken.zip")
	f, err := os.Create(at)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Save(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := Load(at); err == nil || !strings.Contains(err.Error(), "broken.zip: engine.wasm.br") {
		t.Errorf("Load: %v", err)
	}
}
