package frontend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"litmuscope/litmus/c/llvm"
	"litmuscope/litmus/toolchain"
)

// RustCompiler is the command that compiles Rust.
const RustCompiler = "rustc"

// IsRust reports whether a file is a program in Rust.
func IsRust(name string) bool { return strings.HasSuffix(name, ".rs") }

// rustDefaults come before the user's flags. Arithmetic that overflows panics, as cargo's debug builds do.
var rustDefaults = []string{"--edition=2021", "-C", "opt-level=1", "-C", "overflow-checks=on"}

// rustForced come after the user's flags. With lto=fat, the module has the code of std that the program needs; rustc
// makes that module when it links, so it calls a linker, which has nothing to do here.
var rustForced = []string{
	"-g", "-C", "panic=abort", "-C", "codegen-units=1", "-C", "lto=fat", "-C", "symbol-mangling-version=v0",
	"-C", "no-vectorize-loops", "-C", "no-vectorize-slp", "-C", "llvm-args=-unroll-threshold=0", "-C", "linker=true",
	"--crate-type=bin",
}

// rust returns the LLVM IR of a program in Rust with what it needs of the standard library.
func rust(ctx context.Context, file string, flags []string) (string, error) {
	c, err := toolchain.Parse(RustCompiler)
	if err != nil {
		return "", fmt.Errorf("%s: %w: install it (https://rustup.rs, or Debian: apt-get install rustc)", file, err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	const output = "program.ll"
	arguments := append(append(append([]string{}, rustDefaults...), flags...), rustForced...)
	out, err := c.Run(ctx, toolchain.Job{
		Arguments: append(arguments, file), Outputs: []string{output}, Dir: dir,
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
	return prune(string(out[output]), "main", llvm.IsReplaced), nil
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
