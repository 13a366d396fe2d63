package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"litmuscope/litmus/toolchain"
)

// TestMain makes the tests' program a child of a sandbox and, by its first argument, a compiler that attempts
// something.
func TestMain(m *testing.M) {
	MaybeChild()
	if len(os.Args) > 2 && os.Args[1] == "attempt" {
		if err := attempts[os.Args[2]](os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("done")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// attempts are what a compiler that somebody has taken over might do.
var attempts = map[string]func(args []string) error{
	"read": func(args []string) error {
		_, err := os.ReadFile(args[0])
		return err
	},
	"list": func(args []string) error {
		_, err := os.ReadDir(args[0])
		return err
	},
	"write": func(args []string) error { return os.WriteFile(args[0], []byte("x"), 0o600) },
	"socket": func([]string) error {
		_, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		return err
	},
	"local-socket": func([]string) error {
		_, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		return err
	},
	"connect": func(args []string) error {
		_, err := net.Dial("tcp", args[0])
		return err
	},
	"signal": func(args []string) error {
		var pid int
		_, _ = fmt.Sscan(args[0], &pid)
		return unix.Kill(pid, 0)
	},
	"leave-group": func([]string) error {
		_, err := unix.Setsid()
		return err
	},
	"trace": func(args []string) error {
		var pid int
		_, _ = fmt.Sscan(args[0], &pid)
		return unix.PtraceAttach(pid)
	},
	"namespace": func([]string) error { return unix.Unshare(unix.CLONE_NEWUSER) },
	"raise-limit": func([]string) error {
		return syscall.Setrlimit(unix.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 40, Max: 1 << 40})
	},
	"see-environment": func([]string) error {
		if os.Getenv("LITMUSCOPE_TOKEN") == "" {
			return errors.New("there is no token")
		}
		return nil
	},
	"spin": func([]string) error {
		for {
			time.Sleep(time.Millisecond)
		}
	},
	"allocate": func([]string) error {
		for {
			part, err := unix.Mmap(-1, 0, 8<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
			if err != nil {
				return err
			}
			for i := range part {
				part[i] = 1
			}
		}
	},
	"fork": func([]string) error {
		exe, _ := os.Executable()
		for {
			if err := exec.Command(exe, "attempt", "spin").Start(); err != nil {
				return err
			}
		}
	},
	"large-file": func(args []string) error {
		return os.WriteFile("large", make([]byte, 3<<20), 0o600)
	},
	"many-files": func(args []string) error {
		for i := 0; ; i++ {
			if err := os.WriteFile(fmt.Sprint(i), make([]byte, 1<<20), 0o600); err != nil {
				return err
			}
			time.Sleep(time.Millisecond)
		}
	},
}

func newSandbox(t *testing.T, limits Limits) *Sandbox {
	t.Helper()
	if missing := Unconfined(); missing != nil {
		t.Skipf("this system has no %s", strings.Join(missing, ", "))
	}
	s, err := New(Options{AtOnce: 2, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func installed(t *testing.T, command string) toolchain.Compiler {
	t.Helper()
	c, err := toolchain.Parse(command)
	if err != nil {
		t.Skip(err)
	}
	return c
}

// attempting is a compiler that attempts something.
func attempting(t *testing.T, what ...string) toolchain.Compiler {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return installed(t, exe+" attempt "+strings.Join(what, " "))
}

var assembly = toolchain.Job{
	Files:     map[string][]byte{"a.c": []byte("int f(int n) { return n + 41; }\n")},
	Arguments: []string{"-S", "-o", "a.s", "a.c"}, Outputs: []string{"a.s"},
}

func TestCompilersRun(t *testing.T) {
	s := newSandbox(t, Limits{})
	for _, command := range []string{"gcc -O2", "clang -O2", "clang -O2 --target=aarch64-linux-gnu"} {
		t.Run(command, func(t *testing.T) {
			out, err := s.Run(t.Context(), installed(t, command), assembly)
			if err != nil || !strings.Contains(string(out["a.s"]), "41") {
				t.Errorf("got %v, %s", err, out["a.s"])
			}
			o, err := s.Offer(t.Context(), command)
			if err != nil || !strings.Contains(o.Version, strings.Fields(command)[0]) ||
				!strings.Contains(o.Machine, "linux") {
				t.Errorf("got %+v, %v", o, err)
			}
		})
	}
}

// A job may also make a program, with an assembler and a linker.
func TestCompilersLink(t *testing.T) {
	s := newSandbox(t, Limits{})
	job := toolchain.Job{
		Files:     map[string][]byte{"a.c": []byte("#include <stdio.h>\nint main(void) { puts(\"x\"); }\n")},
		Arguments: []string{"-o", "a", "a.c"}, Outputs: []string{"a"},
	}
	for _, command := range []string{"gcc -O2", "clang -O2", "g++ -O2 -x c++"} {
		t.Run(command, func(t *testing.T) {
			out, err := s.Run(t.Context(), installed(t, command), job)
			if err != nil || !strings.HasPrefix(string(out["a"]), "\x7fELF") {
				t.Errorf("got %v, and %d bytes", err, len(out["a"]))
			}
		})
	}
}

func TestCompilersReadNoOtherFiles(t *testing.T) {
	s := newSandbox(t, Limits{})
	job := assembly
	job.Files = map[string][]byte{"a.c": []byte("#include \"/etc/passwd\"\nint f;\n")}
	_, err := s.Run(t.Context(), installed(t, "gcc"), job)
	var failure *toolchain.Failure
	if !errors.As(err, &failure) || !strings.Contains(failure.Message, "Permission denied") ||
		!strings.Contains(failure.Message, "a.c:1:") || strings.Contains(failure.Message, "root:") {
		t.Errorf("got %v", err)
	}
}

// Whatever a compiler attempts beyond its work fails.
func TestCompilersAreConfined(t *testing.T) {
	s := newSandbox(t, Limits{})
	t.Setenv("LITMUSCOPE_TOKEN", "secret")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	folder := t.TempDir()
	if err := os.WriteFile(folder+"/file", []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	me := fmt.Sprint(os.Getpid())
	for _, what := range [][]string{
		{"read", "/etc/passwd"},
		{"read", folder + "/file"},
		{"list", folder},
		{"write", folder + "/new"},
		{"write", "/tmp/litmuscope-outside"},
		{"read", "/proc/" + me + "/environ"},
		{"socket"},
		{"local-socket"},
		{"connect", listener.Addr().String()},
		{"signal", me},
		{"leave-group"},
		{"trace", me},
		{"namespace"},
		{"raise-limit"},
		{"see-environment"},
		{"write", filepath.Dir(exe) + "/new"},
	} {
		_, err := s.Run(t.Context(), attempting(t, what...), toolchain.Job{})
		var failure *toolchain.Failure
		if !errors.As(err, &failure) || strings.Contains(failure.Message, "panic") {
			t.Errorf("a compiler tries to %q: got %v, want a failure", what, err)
		}
	}
	// They do work in their own folder.
	_, err = s.Run(t.Context(), attempting(t, "write", "mine"), toolchain.Job{Outputs: []string{"mine"}})
	if err != nil {
		t.Error(err)
	}
}

// A job that reaches a limit ends by that limit's name, with all its processes, and leaves no folder.
func TestLimitsEndJobsByName(t *testing.T) {
	small := Limits{Time: 3 * time.Second, Memory: 128, Processes: 8, File: 2 << 20, Folder: 16 << 20}
	for what, want := range map[string]string{
		"spin": "attempt spin: time limit of 3s reached", "fork": "attempt fork: limit of 8 processes reached",
		"many-files": "attempt many-files: limit of 16 MiB of files reached",
	} {
		t.Run(what, func(t *testing.T) {
			s := newSandbox(t, small)
			began := time.Now()
			_, err := s.Run(t.Context(), attempting(t, what), toolchain.Job{})
			var limited *Limited
			if !errors.As(err, &limited) || !strings.HasSuffix(err.Error(), want) ||
				time.Since(began) > 20*time.Second {
				t.Errorf("got %v after %v, want %s", err, time.Since(began), want)
			}
			wantNoProcesses(t)
		})
	}
	// The system refuses one process more memory, and files that are too large; the compiler's end says so.
	for what, want := range map[string]string{"allocate": "memory", "large-file": "file"} {
		t.Run(what, func(t *testing.T) {
			_, err := newSandbox(t, small).Run(t.Context(), attempting(t, what), toolchain.Job{})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %.300v, want %s", err, want)
			}
			wantNoProcesses(t)
		})
	}
}

// wantNoProcesses checks that no process of this program is left but this one.
func wantNoProcesses(t *testing.T) {
	t.Helper()
	var left []string
	for range 100 {
		out, _ := exec.Command("pgrep", "-f", filepath.Base(os.Args[0])+" attempt").Output()
		if left = strings.Fields(string(out)); len(left) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("processes %v are left", left)
}

// A client that leaves ends its job.
func TestClientsEndJobs(t *testing.T) {
	s := newSandbox(t, Limits{})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := s.Run(ctx, attempting(t, "spin"), toolchain.Job{})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 8*time.Second {
		t.Errorf("got %v after %v", err, time.Since(began))
	}
	wantNoProcesses(t)
}

// What is no compiler is not offered, with the reason.
func TestOffersOnlyWhatRuns(t *testing.T) {
	s := newSandbox(t, Limits{})
	for command, want := range map[string]string{
		"no-such-compiler -O2": "not installed", "false": "does not print its version", "true -x": "prints no version",
	} {
		if _, err := s.Offer(t.Context(), command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", command, err, want)
		}
	}
}
