package frontend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/litmus/c/llvm"
	"litmuscope/litmus/toolchain"
)

// RustCompiler is the command that compiles Rust.
const RustCompiler = "rustc"

// IsRust reports whether a file is a program in Rust, or the manifest of a package.
func IsRust(name string) bool { return strings.HasSuffix(name, ".rs") || IsPackage(name) }

// rustDefaults come before the user's flags. Arithmetic that overflows panics, as cargo's debug builds do.
var rustDefaults = []string{"--edition=2021", "-C", "opt-level=1", "-C", "overflow-checks=on"}

// rustForced come after the user's flags. With lto=fat, the module has the code of std that the program needs; rustc
// makes that module when it links, so it calls a linker, which has nothing to do here.
var rustForced = []string{
	"-g", "-C", "panic=abort", "-C", "codegen-units=1", "-C", "lto=fat", "-C", "symbol-mangling-version=v0",
	"-C", "no-vectorize-loops", "-C", "no-vectorize-slp", "-C", "llvm-args=-unroll-threshold=0", "-C", "linker=true",
	"--crate-type=bin",
}

// Manifest is the name of the file that describes a package of Rust.
const Manifest = "Cargo.toml"

// IsPackage reports whether a file is the manifest of a package of Rust, which cargo compiles.
func IsPackage(name string) bool { return path.Base(name) == Manifest }

// packageProfile makes cargo's profile that of rustDefaults and rustForced. With lto=fat, the libraries of the packages
// that it depends on have the code that the program needs.
var packageProfile = []string{
	"opt-level=1", "overflow-checks=true", "debug=2", `panic="abort"`, "codegen-units=1", `lto="fat"`,
	"incremental=false",
}

// packageFlags are the flags of rustc for the package itself that a profile does not have.
var packageFlags = []string{
	"-C", "symbol-mangling-version=v0", "-C", "no-vectorize-loops", "-C", "no-vectorize-slp",
	"-C", "llvm-args=-unroll-threshold=0", "-C", "linker=true",
}

// cargo compiles the program of a package and returns its module. flags are cargo's, such as --bin NAME, and further
// are rustc's. The packages that it depends on must be on this machine: cargo is offline. They are compiled in the
// folder target of the package, once.
func cargo(ctx context.Context, manifest string, flags, further []string) (string, error) {
	c, err := toolchain.Parse("cargo")
	if err != nil {
		return "", fmt.Errorf(
			"%s: %w: install it (https://rustup.rs, or Debian: apt-get install cargo)",
			manifest,
			err,
		)
	}
	folder, err := filepath.Abs(filepath.Dir(manifest))
	if err != nil {
		return "", err
	}
	const output = "program.ll"
	arguments := []string{
		"rustc", "--offline", "--quiet", "--release", "--target-dir", filepath.Join(folder, "target", "litmuscope"),
	}
	for _, setting := range packageProfile {
		arguments = append(arguments, "--config", "profile.release."+setting)
	}
	arguments = append(append(arguments, flags...), "--")
	arguments = append(append(arguments, packageFlags...), further...)
	// Places are relative to the working directory, as those of other programs are.
	arguments = append(arguments, "--remap-path-prefix="+folder+"="+filepath.Dir(manifest))
	out, err := c.Run(ctx, toolchain.Job{
		Arguments: arguments, Outputs: []string{output}, Dir: folder,
		ArgumentsIn: func(in string) []string {
			return []string{"--emit=llvm-ir=" + filepath.Join(in, output) + ",link"}
		},
	})
	var failure *toolchain.Failure
	if errors.As(err, &failure) {
		return "", fmt.Errorf("%s: %w", manifest, err)
	}
	if err != nil {
		return "", err
	}
	return string(out[output]), nil
}

// CompileRust returns the LLVM IR of a program in Rust with what it needs of the standard library. If rustc has inlined
// functions that have replacements, it compiles again and keeps them: the names have hashes of their crates, which the
// first run shows.
//
// flags are rustc's, or cargo's for the manifest of a package. cfg are further flags of rustc, such as --cfg NAME.
// Texts in changed that are not nil replace all files of the program; a package cannot have them.
func CompileRust(
	ctx context.Context, file string, flags, cfg []string, changed map[string]string,
) (string, error) {
	module := func(further []string) (text string, err error) {
		switch {
		case IsPackage(file) && changed != nil:
			err = fmt.Errorf("%s: a changed package cannot be compiled: name the file of a program", file)
		case IsPackage(file):
			text, err = cargo(ctx, file, flags, further)
		default:
			text, err = rustModule(ctx, file, flags, further, changed)
		}
		if err != nil {
			return "", err
		}
		return prune(text, "main", llvm.IsReplaced), nil
	}
	text, err := module(cfg)
	if err != nil {
		return "", err
	}
	inlined := llvm.Inlined(text)
	if len(inlined) == 0 {
		return text, nil
	}
	cfg = slices.Clip(cfg)
	for _, name := range inlined {
		cfg = append(cfg, "-C", "llvm-args=-force-attribute="+name+":noinline")
	}
	return module(cfg)
}

// rustModule runs rustc on a file and returns the module that it prints.
func rustModule(
	ctx context.Context, file string, flags, further []string, changed map[string]string,
) (string, error) {
	c, err := toolchain.Parse(RustCompiler)
	if err != nil {
		return "", fmt.Errorf("%s: %w: install it (https://rustup.rs, or Debian: apt-get install rustc)", file, err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	files := map[string][]byte{}
	for name, text := range changed {
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("%s: a changed program in Rust cannot be compiled again from another folder than "+
				"its own: change to that folder", name)
		}
		files[name], dir = []byte(text), ""
	}
	const output = "program.ll"
	arguments := slices.Concat(rustDefaults, flags, further, rustForced)
	out, err := c.Run(ctx, toolchain.Job{
		Arguments: append(arguments, file), Files: files, Outputs: []string{output}, Dir: dir,
		ArgumentsIn: func(folder string) []string {
			return []string{"--emit=llvm-ir,link", "--crate-name=program", "--out-dir", folder}
		},
	})
	var failure *toolchain.Failure
	if errors.As(err, &failure) {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	if err != nil {
		return "", err
	}
	return string(out[output]), nil
}

// prune removes from the text of a module the functions, variables and metadata that a function does not need. It
// removes the bodies of functions for which drop is true. Debug records go, too, except those of variables in memory.
//
// A module is a list of entities: a function from define to a closing brace, and single lines. An entity needs those
// whose names, @name or !number, occur in it. Types, attributes and other lines are kept.
func prune(module, root string, drop func(name string) bool) string {
	type entity struct {
		text   string
		symbol string // "" for lines that are always kept
		kept   bool
	}
	var all []*entity
	byName := map[string]*entity{}
	add := func(symbol, text string) {
		e := &entity{text: text, symbol: symbol}
		all = append(all, e)
		if symbol != "" {
			byName[symbol] = e
		}
	}
	lines := strings.SplitAfter(module, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, ";") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "define "):
			name := firstSymbol(line)
			var b strings.Builder
			dropped := drop(strings.TrimPrefix(name, "@"))
			if dropped {
				b.WriteString(declared(line))
			}
			for ; i < len(lines); i++ {
				text := strings.TrimSpace(lines[i])
				if !dropped && !strings.HasPrefix(text, ";") && !strings.HasPrefix(text, "#dbg_value") {
					b.WriteString(lines[i])
				}
				if strings.HasPrefix(lines[i], "}") {
					break
				}
			}
			add(name, b.String())
		case strings.HasPrefix(line, "declare "):
			add(firstSymbol(line), line)
		case strings.HasPrefix(line, "@"):
			add(firstSymbol(line), line)
		case strings.HasPrefix(line, "!llvm.") || strings.HasPrefix(line, "@llvm."):
		case strings.HasPrefix(line, "!"):
			name, _, _ := strings.Cut(line, " ")
			add(name, line)
		default:
			add("", line)
		}
	}
	var queue []*entity
	need := func(e *entity) {
		if e != nil && !e.kept {
			e.kept = true
			queue = append(queue, e)
		}
	}
	need(byName["@"+root])
	for _, e := range all {
		if e.symbol == "" {
			need(e)
		}
	}
	for len(queue) > 0 {
		e := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		symbols(e.text, func(name string) { need(byName[name]) })
	}
	var b strings.Builder
	for _, e := range all {
		if e.kept {
			b.WriteString(e.text)
		}
	}
	return b.String()
}

// declared makes the declaration of a function of the first line of its definition. The parameters keep their types.
func declared(define string) string {
	line := strings.Replace(define, "define ", "declare ", 1)
	for _, linkage := range []string{"internal ", "private ", "hidden ", "local_unnamed_addr ", "fastcc "} {
		line = strings.Replace(line, " "+linkage, " ", 1)
	}
	end := strings.LastIndexByte(line, '{')
	line = line[:end]
	for _, behind := range []string{" personality ", " !dbg ", " comdat"} {
		if at := strings.LastIndex(line, behind); at > strings.LastIndexByte(line, ')') {
			line = line[:at]
		}
	}
	return line + "\n"
}

// firstSymbol returns the first @name of a line.
func firstSymbol(line string) (out string) {
	symbols(line, func(name string) {
		if out == "" && name[0] == '@' {
			out = name
		}
	})
	return out
}

// symbols calls f with each @name, @"name" without its quotes, and !number of a text.
func symbols(text string, f func(name string)) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
			}
		case '@', '!':
			sigil := text[i : i+1]
			if i+1 < len(text) && text[i+1] == '"' && sigil == "@" {
				end := strings.IndexByte(text[i+2:], '"')
				if end < 0 {
					return
				}
				f(sigil + text[i+2:i+2+end])
				i += end + 2
				continue
			}
			end := i + 1
			for end < len(text) && isSymbol(text[end]) {
				end++
			}
			if end > i+1 {
				f(text[i:end])
			}
			i = end - 1
		}
	}
}

func isSymbol(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("$._-", c) >= 0
}
