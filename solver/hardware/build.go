package hardware

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/native"
	"litmuscope/litmus/toolchain"
)

// Target is what a compiler builds for.
type Target struct {
	native.Target
	System   string // linux, darwin, or "" for another
	Compiler string // the command, and the compiler's version
	with     toolchain.Compiler
}

// Probe asks a compiler what it builds for, by its predefined macros.
func Probe(ctx context.Context, with toolchain.Compiler) (Target, error) {
	out, err := with.Run(ctx, toolchain.Job{
		Files:     map[string][]byte{"empty.c": nil},
		Arguments: []string{"-dM", "-E", "-o", "macros.txt", "empty.c"},
		Outputs:   []string{"macros.txt"},
	})
	if err != nil {
		return Target{}, err
	}
	macros := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(out["macros.txt"]))
	for lines.Scan() {
		if f := strings.SplitN(lines.Text(), " ", 3); len(f) == 3 && f[0] == "#define" {
			macros[f[1]] = f[2]
		}
	}
	t := Target{Compiler: with.String(), with: with}
	if v := strings.Trim(macros["__VERSION__"], `"`); v != "" {
		name := "GCC "
		if strings.Contains(strings.ToLower(v), "clang") || macros["__clang__"] != "" {
			name = ""
		}
		t.Compiler += " (" + name + v + ")"
	}
	for _, a := range []struct{ macro, arch string }{
		{"__x86_64__", "X86_64"},
		{"__aarch64__", "AArch64"},
		{"__arm__", "ARM"},
		{"__powerpc64__", "PPC"},
		{"__riscv", "RISCV"},
		{"__mips64", "MIPS"},
	} {
		if _, ok := macros[a.macro]; ok && t.Arch == "" {
			t.Arch = a.arch
		}
	}
	t.LittleEndian = macros["__BYTE_ORDER__"] == "__ORDER_LITTLE_ENDIAN__"
	for macro, system := range map[string]string{"__linux__": "linux", "__APPLE__": "darwin"} {
		if _, ok := macros[macro]; ok {
			t.System = system
		}
	}
	switch {
	case t.Arch == "" || t.Arch == "RISCV" && macros["__riscv_xlen"] != "64":
		return Target{}, fmt.Errorf("%s builds for a processor that hw does not know: want x86-64, AArch64, Armv7, "+
			"Power (64 bits), RISC-V (64 bits) or MIPS (64 bits)", with)
	case t.System == "":
		return Target{}, fmt.Errorf("%s builds for a system that hw does not know: want Linux or macOS", with)
	}
	return t, nil
}

// Here reports whether programs for the target run on this machine.
func (t Target) Here() bool {
	arch := map[string]string{
		"amd64": "X86_64", "arm64": "AArch64", "arm": "ARM", "ppc64le": "PPC", "riscv64": "RISCV", "mips64le": "MIPS",
	}[runtime.GOARCH]
	return t.Arch == arch && t.System == runtime.GOOS
}

// ThisMachine describes the computer on which the program runs. name is its owner's name for it, or "" for the host's.
func ThisMachine(t Target, name string) Machine {
	m := Machine{Name: name, Arch: t.Arch, System: runtime.GOOS, Cores: runtime.NumCPU()}
	if name == "" {
		m.Name, _ = os.Hostname()
	}
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(key) {
		case "model name", "uarch", "cpu", "cpu model":
			if m.Processor == "" {
				m.Processor = strings.TrimSpace(value)
			}
		}
	}
	return m
}

// Job is a test that can run.
type Job struct {
	Path, Source string
	Native       *native.Test
}

// Admit reads a test and turns it into C, or says where it has what the target cannot run.
func Admit(path, source string, t Target) (Job, error) {
	test, err := litmus.Parse(path, source)
	if err != nil {
		return Job{}, err
	}
	n, err := native.Assemble(test, t.Target)
	if err != nil {
		return Job{}, err
	}
	return Job{Path: path, Source: source, Native: n}, nil
}

// Build compiles a program of some tests and writes it to a file. It leaves out the tests that the compiler rejects and
// returns an answer with the compiler's message for each.
func Build(ctx context.Context, t Target, jobs []Job, file string) (rejected []Answer, err error) {
	dir, err := os.MkdirTemp("", "litmuscope-hw-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	number := 0
	programs, err := build(ctx, t, jobs, dir, &number)
	if err != nil {
		return nil, err
	}
	var accepted []Job
	for _, p := range programs {
		if p.err != nil {
			rejected = append(rejected, Answer{Job: p.jobs[0], Err: p.err})
		} else {
			accepted = append(accepted, p.jobs...)
		}
	}
	if len(accepted) == 0 {
		return rejected, nil
	}
	return rejected, compile(ctx, t, accepted, file)
}

// compile compiles a program of some tests.
func compile(ctx context.Context, t Target, jobs []Job, file string) error {
	tests := make([]*native.Test, len(jobs))
	for i, j := range jobs {
		tests[i] = j.Native
	}
	out, err := t.with.Run(ctx, toolchain.Job{
		Files:     map[string][]byte{"tests.c": native.File(tests)},
		Arguments: append(native.Flags(tests), "-o", "tests", "tests.c"),
		Outputs:   []string{"tests"},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(file, out["tests"], 0o700)
}

// program is a program of some jobs, or the reason why a single job has none.
type program struct {
	jobs []Job
	file string
	err  error
}

// build compiles programs for the jobs, in order: one, or several where the compiler rejects some tests, because one
// such test makes it reject all. Errors of the compiler are in the programs.
func build(ctx context.Context, t Target, jobs []Job, dir string, number *int) ([]program, error) {
	*number++
	file := filepath.Join(dir, fmt.Sprintf("tests%d", *number))
	err := compile(ctx, t, jobs, file)
	failure := (*toolchain.Failure)(nil)
	switch {
	case err == nil:
		return []program{{jobs: jobs, file: file}}, nil
	case !errors.As(err, &failure):
		return nil, err
	case len(jobs) == 1:
		where := jobs[0].Path
		if pos, ok := jobs[0].Native.Find(failure.Message); ok {
			where = pos.String()
		}
		return []program{{jobs: jobs, err: fmt.Errorf("%s: %w", where, err)}}, nil
	}
	var all []program
	for part := range slices.Chunk(jobs, min(DefaultTogether, (len(jobs)+1)/2)) {
		some, err := build(ctx, t, part, dir, number)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}
