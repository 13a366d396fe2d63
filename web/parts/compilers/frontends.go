package compilers

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/toolchain"
	"litmuscope/litmus/toolchain/sandbox"
	"litmuscope/web/parts/question"
)

// ProgramLimits bounds the compilation of a program in C++ or Rust. A module of Rust has all of std at first.
var ProgramLimits = sandbox.Limits{
	Time: time.Minute, Memory: 2048, Processes: 64, File: 64 << 20, Folder: 256 << 20,
}

// clangVersion matches what clang++ prints about itself.
var clangVersion = regexp.MustCompile(`clang version (\d+)\.`)

// The versions of clang whose modules litmuscope has been tested with.
const (
	oldestClang = 14
	newestClang = 19
)

// offerFrontEnd adds a compiler for programs, with the arguments that every program has in front of the operator's.
func (o *Offered) offerFrontEnd(
	ctx context.Context, command string, c toolchain.Compiler, language frontend.Language, log *slog.Logger,
) error {
	if language == frontend.Rust {
		// rustup's rustc only starts the one of a toolchain, and reads its settings from the user's folder.
		root, err := c.Print(ctx, "--print", "sysroot")
		if err != nil {
			return err
		}
		c.Program = filepath.Join(root, "bin", "rustc")
	}
	said, err := o.fronts.Run(ctx, c, toolchain.Job{
		Arguments: []string{"--version"}, Outputs: []string{toolchain.Printed},
	})
	if err != nil {
		return fmt.Errorf("the compiler does not print its version: %w", err)
	}
	version, _, _ := strings.Cut(strings.TrimSpace(string(said[toolchain.Printed])), "\n")
	if version == "" {
		return errors.New("the compiler prints no version")
	}
	if language == frontend.CPlusPlus {
		m := clangVersion.FindStringSubmatch(version)
		if m == nil {
			return fmt.Errorf("it prints the version %q: want clang %d or later", version, oldestClang)
		}
		switch major, _ := strconv.Atoi(m[1]); {
		case major < oldestClang:
			return fmt.Errorf("clang %d is not supported: want clang %d or later", major, oldestClang)
		case major > newestClang:
			log.Warn("litmuscope has not been tested with this version of clang", "compiler", command,
				"version", version)
		}
	}
	c.Arguments = slices.Concat(language.Defaults(), c.Arguments)
	o.by[command] = c
	o.front = append(o.front, question.FrontEnd{Name: command, Version: version, Language: language})
	log.Info("offering a compiler for programs", "compiler", command, "version", version, "language", language)
	return nil
}

// FrontEnds implements [question.Compilers].
func (o *Offered) FrontEnds() []question.FrontEnd { return o.front }

// Module implements [question.Compilers]. It keeps the last modules: the page asks again about the same program for
// each picture and repair.
func (o *Offered) Module(ctx context.Context, name string, p *frontend.Program) (string, error) {
	job, err := p.Job()
	if err != nil {
		return "", err
	}
	c := o.by[name]
	key, err := json.Marshal(struct {
		Name, Version string
		Arguments     []string
		Program       *frontend.Program
	}{name, o.version(name), c.Arguments, p})
	if err != nil {
		return "", err
	}
	return o.modules.get(sha256.Sum256(key), func() (string, error) {
		out, err := o.fronts.Run(ctx, c, job)
		var limited *sandbox.Limited
		if errors.As(err, &limited) {
			return "", &question.Cut{Err: limited}
		}
		if err != nil {
			return "", err
		}
		text, err := p.ModuleOf(out)
		if err != nil {
			return "", &question.Cut{Err: err}
		}
		return text, nil
	})
}

func (o *Offered) version(name string) string {
	for _, f := range o.front {
		if f.Name == name {
			return f.Version
		}
	}
	return ""
}

// mostKept bounds the modules that modules keeps, in bytes of their text.
const mostKept = 64 << 20

// modules keeps the texts of the modules that were asked for last.
type modules struct {
	lock sync.Mutex
	by   map[[sha256.Size]byte]string
	last [][sha256.Size]byte // the oldest first
	size int
}

// get returns the module with a key, and has it made if it is not kept. It keeps no errors.
func (m *modules) get(key [sha256.Size]byte, make func() (string, error)) (string, error) {
	m.lock.Lock()
	text, ok := m.by[key]
	m.lock.Unlock()
	if ok {
		return text, nil
	}
	text, err := make()
	if err != nil {
		return "", err
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.by == nil {
		m.by = map[[sha256.Size]byte]string{}
	}
	if _, again := m.by[key]; !again {
		m.by[key], m.last, m.size = text, append(m.last, key), m.size+len(text)
	}
	for m.size > mostKept {
		m.size -= len(m.by[m.last[0]])
		delete(m.by, m.last[0])
		m.last = m.last[1:]
	}
	return text, nil
}
