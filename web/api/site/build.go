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

	"github.com/andybalholm/brotli"
)

// What an engine's archive has in it.
const (
	programName = "engine.wasm.br"
	runtimeName = "wasm_exec.js"
)

// mostUnpacked bounds what is read of either, in bytes.
const mostUnpacked = 256 << 20

// ErrNoSource is Build's where the folder is not the source of this program.
var ErrNoSource = errors.New("the source of litmuscope is not there")

// The effort of compressing a program with Brotli, for Build.
const (
	Quick = 6                      // some seconds
	Best  = brotli.BestCompression // minutes, for a sixth less
)

// Build makes an engine with the Go tool from this program's source, which is in a folder.
func Build(ctx context.Context, source string, effort int) (Engine, error) {
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
	small, err := brotlied(program, effort)
	return Engine{Program: small, Runtime: runtime}, err
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

func gzipped(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(text)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

func brotlied(text []byte, effort int) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: effort, LGWin: 24})
	_, err := w.Write(text)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// Save writes an engine to an archive.
func (e Engine) Save(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, file := range []struct {
		zip.FileHeader
		body []byte
	}{
		{zip.FileHeader{Name: programName, Method: zip.Store}, e.Program},
		{zip.FileHeader{Name: runtimeName, Method: zip.Deflate}, e.Runtime},
	} {
		f, err := z.CreateHeader(&file.FileHeader)
		if err == nil {
			_, err = f.Write(file.body)
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
	small, runtime := read(programName), read(runtimeName)
	if err != nil {
		return Engine{}, err
	}
	plain := io.LimitReader(brotli.NewReader(bytes.NewReader(small)), mostUnpacked)
	if _, err := io.Copy(io.Discard, plain); err != nil {
		return Engine{}, fmt.Errorf("%s: %s: %w", path, programName, err)
	}
	return Engine{Program: small, Runtime: runtime}, nil
}
