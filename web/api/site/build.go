//go:build !js

package site

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// What an engine's archive has in it.
const (
	programName = "engine.wasm"
	runtimeName = "wasm_exec.js"
)

// mostUnpacked bounds what is read of either, in bytes.
const mostUnpacked = 256 << 20

// ErrNoSource is Build's where the folder is not the source of this program.
var ErrNoSource = errors.New("the source of litmuscope is not there")

// Build makes an engine with the Go tool from this program's source, which is in a folder.
func Build(ctx context.Context, source string) (Engine, error) {
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil || !bytes.HasPrefix(mod, []byte("module litmuscope\n")) {
		return Engine{}, fmt.Errorf("%s: %w", source, ErrNoSource)
	}
	root, err := tool(ctx, source, "env", "GOROOT")
	if err != nil {
		return Engine{}, err
	}
	runtime, err := os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", runtimeName))
	if err != nil {
		return Engine{}, fmt.Errorf("this Go has no %s: %w", runtimeName, err)
	}
	dir, err := os.MkdirTemp("", "litmuscope-engine")
	if err != nil {
		return Engine{}, err
	}
	defer os.RemoveAll(dir)
	made := filepath.Join(dir, programName)
	// Copies of functions, put where they are called, are a fifth of it.
	if _, err := tool(ctx, source, "build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags", "-s -w",
		"-o", made, "./web/api/site/engine"); err != nil {
		return Engine{}, err
	}
	program, err := os.ReadFile(made)
	if err != nil {
		return Engine{}, err
	}
	return packed(program, runtime)
}

// tool runs the Go tool, for a browser.
func tool(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, said.String())
	}
	return string(out), nil
}

func packed(program, runtime []byte) (Engine, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return Engine{}, err
	}
	if _, err = w.Write(program); err == nil {
		err = w.Close()
	}
	return Engine{b.Bytes(), runtime}, err
}

// Save writes an engine to an archive.
func (e Engine) Save(w io.Writer) error {
	packed, err := gzip.NewReader(bytes.NewReader(e.Program))
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for name, from := range map[string]io.Reader{programName: packed, runtimeName: bytes.NewReader(e.Runtime)} {
		f, err := z.Create(name)
		if err == nil {
			_, err = io.Copy(f, from)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// Load reads an engine from an archive.
func Load(path string) (Engine, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return Engine{}, fmt.Errorf("%s: %w", path, err)
	}
	defer z.Close()
	read := func(name string) []byte {
		f, fault := z.Open(name)
		if fault == nil {
			defer f.Close()
			var b []byte
			if b, fault = io.ReadAll(io.LimitReader(f, mostUnpacked)); fault == nil {
				return b
			}
		}
		err = errors.Join(err,
			fmt.Errorf("%s is no engine, as litmuscope site --write-engine writes it: %s: %w", path, name, fault))
		return nil
	}
	program, runtime := read(programName), read(runtimeName)
	if err != nil {
		return Engine{}, err
	}
	return packed(program, runtime)
}
