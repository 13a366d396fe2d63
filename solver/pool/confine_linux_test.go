package pool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// attempts are what a child that somebody has taken over might try: each gives the error that it meets.
var attempts = map[string]func(about string) error{
	"read a file": func(path string) error {
		_, err := os.ReadFile(path)
		return err
	},
	"list a folder": func(path string) error {
		_, err := os.ReadDir(path)
		return err
	},
	"write a file": func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
	"write to a file in memory": func(string) error {
		fd, err := unix.MemfdCreate("x", 0)
		if err != nil {
			return err
		}
		_, err = unix.Write(fd, []byte("x"))
		return err
	},
	"read what its parent was started with": func(pid string) error {
		_, err := os.ReadFile("/proc/" + pid + "/environ")
		return err
	},
	"connect": func(address string) error {
		_, err := net.Dial("tcp", address)
		return err
	},
	"make a socket": func(string) error {
		_, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		return err
	},
	"make a socket by a raw call": func(string) error {
		_, _, errno := unix.RawSyscall(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM, 0)
		return errnoOf(errno)
	},
	"start a program": func(path string) error { return exec.Command(path).Run() },
	"become a program": func(path string) error {
		return syscall.Exec(path, []string{path}, nil)
	},
	"fork": func(string) error {
		pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if errno == 0 && pid == 0 {
			unix.Exit(0)
		}
		return errnoOf(errno)
	},
	"fork by clone3": func(string) error {
		_, _, errno := unix.RawSyscall(unix.SYS_CLONE3, 0, 0, 0)
		if errno == unix.EINVAL { // the kernel checked the arguments
			return nil
		}
		return errnoOf(errno)
	},
	"trace its parent": func(pid string) error { return unix.PtraceAttach(number(pid)) },
	"read its parent's memory": func(pid string) error {
		here := make([]byte, 1)
		_, err := unix.ProcessVMReadv(number(pid), []unix.Iovec{{Base: &here[0], Len: 1}},
			[]unix.RemoteIovec{{Base: 0x400000, Len: 1}}, 0)
		return err
	},
	"signal its parent": func(pid string) error { return unix.Kill(number(pid), 0) },
	"limit its parent": func(pid string) error {
		return unix.Prlimit(number(pid), unix.RLIMIT_CPU, nil, &unix.Rlimit{})
	},
	"have new rings of calls": func(string) error {
		_, _, errno := unix.RawSyscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
		if errno == unix.EFAULT {
			return nil
		}
		return errnoOf(errno)
	},
	"outlive its parent": func(string) error { return unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0) },
	"gain privileges": func(string) error {
		status, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
		if err == nil && status == 1 {
			err = unix.EPERM
		}
		return err
	},
	"see an environment": func(string) error {
		if len(os.Environ()) > 0 {
			return nil
		}
		return fmt.Errorf("there is none")
	},
}

func errnoOf(e syscall.Errno) error {
	if e != 0 {
		return e
	}
	return nil
}

func number(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

type attempt struct{ What, About string }

// tries is a child's work: what an attempt meets; "" where it succeeds.
var tries = Kind[attempt, string]{Title: "try", Answer: func(a attempt) (string, error) {
	if err := attempts[a.What](a.About); err != nil {
		return err.Error(), nil
	}
	return "", nil
}}

func init() { systemKinds = append(systemKinds, tries) }

func TestChildrenCanOnlyCompute(t *testing.T) {
	if missing := Unconfined(); missing != nil {
		t.Skipf("this system has no %s", strings.Join(missing, ", "))
	}
	t.Setenv("LITMUSCOPE_TOKEN", "secret")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	folder := t.TempDir()
	file := folder + "/file"
	if err := os.WriteFile(file, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	about := map[string]string{
		"read a file": file, "list a folder": folder, "write a file": folder + "/new",
		"connect":         listener.Addr().String(),
		"start a program": "/bin/true", "become a program": "/bin/true",
	}
	for program, allowed := range map[string][]string{
		"": nil,
		// Starts a solver's program, and passes its input.
		"/bin/true": {"start a program", "become a program", "fork", "write to a file in memory", "see an environment"},
	} {
		p := newPool(t, 1)
		for _, what := range slices.Sorted(maps.Keys(attempts)) {
			on := cmp.Or(about[what], fmt.Sprint(os.Getpid()))
			question, err := json.Marshal(attempt{what, on})
			if err != nil {
				t.Fatal(err)
			}
			end, err := p.call(t.Context(), p.idle, header{Kind: tries.Title, program: program},
				question, time.Minute, nil, nil)
			switch succeeded := string(end.body) == `""`; {
			case program != "" && what == "become a program":
				if err == nil {
					t.Errorf("a child for %s does not become it: %s", program, end.body)
				}
			case err != nil:
				t.Errorf("%s: %v", what, err)
			case succeeded != slices.Contains(allowed, what):
				t.Errorf("a child for %q tries to %s: %s", program, what, end.body)
			}
		}
		if s := p.Stats(); program == "" && (s.Started != 1 || s.Died != 0) {
			t.Errorf("%+v: want one child, which lives", s)
		}
	}
}

// A child for a solver's program can start that one alone.
func TestChildrenStartTheirSolverAlone(t *testing.T) {
	if missing := Unconfined(); missing != nil {
		t.Skipf("this system has no %s", strings.Join(missing, ", "))
	}
	p := newPool(t, 1)
	for path, want := range map[string]string{"/bin/true": `""`, "/bin/sh": `"fork/exec /bin/sh: permission denied"`} {
		question, err := json.Marshal(attempt{"start a program", path})
		if err != nil {
			t.Fatal(err)
		}
		end, err := p.call(t.Context(), p.idle, header{Kind: tries.Title, program: "/bin/true"},
			question, time.Minute, nil, nil)
		if err != nil || string(end.body) != want {
			t.Errorf("%s: %s, %v, want %s", path, end.body, err, want)
		}
	}
}
