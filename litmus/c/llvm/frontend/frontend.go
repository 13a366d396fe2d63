// Package frontend compiles C++ and Rust programs to LLVM IR with the clang++ and the rustc that are installed on this
// machine, and reads the sources that a module's debug information names, for the statements that answers show.
//
// [Compile] and [Sources] are for programs of the person who runs the process: they start a compiler and read files.
// For visitors' programs, [Program.Job] makes a job that a sandbox runs. The package imports litmus, litmus/toolchain,
// litmus/c/llvm and litmus/c/llvm/assembly.
package frontend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/litmus/c/llvm"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/toolchain"
)

// Compiler is the command that compiles C++.
const Compiler = "clang++"

// extensions are those of C++ files.
var extensions = map[string]bool{".cpp": true, ".cc": true, ".cxx": true, ".C": true, ".c++": true}

// IsSource reports whether a file is a program that this package compiles.
func IsSource(name string) bool { return extensions[path.Ext(name)] || IsRust(name) }

// defaults come before the user's flags, so that the user's win. -O1 keeps the program's accesses and makes short code.
// libstdc++'s shared_ptr reads both of its counts at once unless _GLIBCXX_TSAN is set, which C++'s models do not
// define.
var defaults = []string{"-std=c++20", "-O1", "-D_GLIBCXX_TSAN=1"}

// forced come after the user's flags. Loops stay loops, and values scalars.
var forced = []string{
	"-g", "-S", "-emit-llvm", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-discard-value-names",
}

// faithful stops optimisations that add loads which the program does not have. LLVM may execute a plain load before the
// branch that guards it, because a load that races has no effect in LLVM. In C++ the race is undefined behaviour, and
// the models would report it. LLVM makes no such loads in functions that ThreadSanitizer instruments; the others leave
// its instrumentation out.
var faithful = []string{
	"-fsanitize=thread", "-mllvm", "-tsan-instrument-memory-accesses=0", "-mllvm", "-tsan-instrument-func-entry-exit=0",
	"-mllvm", "-tsan-instrument-atomics=0", "-mllvm", "-tsan-instrument-memintrinsics=0",
}

// Faithful returns the flags that make clang print LLVM IR with the accesses that a program in C or C++ has, and with
// the places in its source.
func Faithful() []string { return slices.Concat(forced, faithful) }

// Compile returns the LLVM IR of a source file in C++, with a compiler's flags such as -std=c++20 and -Iinclude.
// Relative names are relative to the working directory. The error is a [toolchain.Failure] if the compiler refuses the
// program.
func Compile(ctx context.Context, file string, flags []string) (string, error) {
	return CompileChanged(ctx, file, flags, nil)
}

// CompileChanged is [Compile] with other texts of some files than those on the disk. In Rust, these are all files of
// the program.
func CompileChanged(ctx context.Context, file string, flags []string, changed map[string]string) (string, error) {
	if IsRust(file) {
		return CompileRust(ctx, file, flags, nil, changed)
	}
	c, err := toolchain.Parse(Compiler)
	if err != nil {
		return "", fmt.Errorf(
			"%s: %w: install it (Debian: apt-get install clang), or compile the program yourself with "+
				"clang++ -g -O1 -S -emit-llvm and verify the .ll file",
			file,
			err,
		)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	arguments := slices.Concat(defaults, flags, Faithful())
	files := map[string][]byte{}
	var overlay struct {
		Version  int            `json:"version"`
		External bool           `json:"use-external-names"`
		Roots    []overlaidFile `json:"roots"`
	}
	for i, name := range slices.Sorted(maps.Keys(changed)) {
		inJob := fmt.Sprintf("changed%d", i)
		files[inJob] = []byte(changed[name])
		full, err := filepath.Abs(filepath.FromSlash(name))
		if err != nil {
			return "", err
		}
		overlay.Roots = append(overlay.Roots, overlaidFile{"file", full, inJob})
	}
	out, err := c.Run(ctx, toolchain.Job{
		Arguments: append(arguments, file), Files: files, Outputs: []string{output}, Dir: dir,
		ArgumentsIn: func(folder string) []string {
			arguments := []string{"-o", filepath.Join(folder, output)}
			if len(changed) == 0 {
				return arguments
			}
			for i := range overlay.Roots {
				overlay.Roots[i].Contents = filepath.Join(folder, overlay.Roots[i].Contents)
			}
			text, err := json.Marshal(overlay)
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, "overlay.yaml"), text, 0o600)
			}
			if err != nil { // clang reports that the file is missing
				return arguments
			}
			return append(arguments, "-ivfsoverlay", filepath.Join(folder, "overlay.yaml"))
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

// overlaidFile is an entry of clang's virtual file system: a file whose text is in another one.
type overlaidFile struct {
	Type     string `json:"type"`
	Name     string `json:"name"`
	Contents string `json:"external-contents"`
}

// Link returns one module for several, each in LLVM IR: llvm-link makes it, which must be installed.
func Link(ctx context.Context, modules []string) (string, error) {
	c, err := toolchain.Parse("llvm-link")
	if err != nil {
		return "", fmt.Errorf("a program of several C++ files or modules needs llvm-link, %w: install it (Debian: "+
			"apt-get install llvm), or link the modules yourself with llvm-link -S", err)
	}
	inputs, names := map[string][]byte{}, []string{}
	for i, text := range modules {
		name := fmt.Sprintf("module%d.ll", i)
		inputs[name], names = []byte(text), append(names, name)
	}
	out, err := c.Run(ctx, toolchain.Job{
		Arguments: append([]string{"-S", "-o", output}, names...), Files: inputs, Outputs: []string{output},
	})
	if err != nil {
		return "", err
	}
	return string(out[output]), nil
}

// mostSource is the largest source that Sources reads, in bytes.
const mostSource = 1 << 20

// Sources reads the program's own files that a module names, as far as they exist: not those of libraries. The names
// are those that places in answers have.
func Sources(m *assembly.Module) map[string]string {
	out := map[string]string{}
	folders := llvm.Folders(m)
	for _, name := range llvm.Files(m) {
		info, err := os.Stat(filepath.FromSlash(name))
		// clang names a file relative to a folder that may be above the working directory; places then have the whole
		// name.
		for _, dir := range folders {
			if err == nil || path.IsAbs(name) {
				break
			}
			if whole, e := os.Stat(filepath.FromSlash(path.Join(dir, name))); e == nil {
				name, info, err = path.Join(dir, name), whole, nil
			}
		}
		if err != nil || !info.Mode().IsRegular() || info.Size() > mostSource {
			continue
		}
		if text, err := os.ReadFile(filepath.FromSlash(name)); err == nil {
			out[name] = strings.ToValidUTF8(string(text), "?")
		}
	}
	return out
}
