package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Versions of Landlock: the first that also bounds truncation, and the first that bounds signals.
const (
	wantedLandlock  = 3
	signalsLandlock = 6
)

// Unconfined lists the means of confining compilers that this system lacks; nil: it has all of them.
func Unconfined() (missing []string) {
	if version, err := landlocksys.LandlockGetABIVersion(); err != nil || version < wantedLandlock {
		missing = append(missing, "Landlock (Linux 6.2 or later)")
	}
	if _, err := arch.GetInfo(""); err != nil || !seccomp.Supported() {
		missing = append(missing, "seccomp")
	}
	return missing
}

// confine restricts this process, and all that it starts. The order matters: the last step forbids the calls of the
// others. The goroutine keeps its thread, because a thread starts the compiler with its own capabilities.
func confine(q request) error {
	runtime.LockOSThread()
	lacks := strings.Join(Unconfined(), " ")
	if err := limit(q.Limits); err != nil {
		return err
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if !strings.Contains(lacks, "Landlock") {
		if err := denyPaths(q.Program, q.Folder); err != nil {
			return fmt.Errorf("Landlock: %w", err)
		}
	}
	if !strings.Contains(lacks, "seccomp") {
		if err := denyCalls(); err != nil {
			return fmt.Errorf("seccomp: %w", err)
		}
	}
	return nil
}

// maxDescriptors is the number of files that a process of a job may have open.
const maxDescriptors = 256

// limit sets the limits that the system counts for each process.
func limit(l Limits) error {
	for _, r := range []struct {
		resource int
		most     uint64
	}{
		{unix.RLIMIT_CPU, uint64(l.Time/time.Second) + 1},
		{unix.RLIMIT_DATA, uint64(l.Memory) << 20},
		{unix.RLIMIT_FSIZE, uint64(l.File)},
		{unix.RLIMIT_NOFILE, maxDescriptors},
		{unix.RLIMIT_CORE, 0},
	} {
		if err := syscall.Setrlimit(r.resource, &syscall.Rlimit{Cur: r.most, Max: r.most}); err != nil {
			return err
		}
	}
	return nil
}

// dropCapabilities takes from the programs that this thread starts what root has: they could lift the limits again.
func dropCapabilities() error {
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if errors.Is(err, unix.EPERM) {
			return nil // a user's process has none
		}
		if err != nil && !errors.Is(err, unix.EINVAL) { // EINVAL: an older kernel does not know it
			return err
		}
	}
	return nil
}

// system are the folders of compilers, headers and libraries. Folders of cross compilers are beside them.
var system = []string{
	"/bin", "/lib", "/lib32", "/lib64", "/libx32", "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32",
	"/usr/libexec", "/usr/include", "/usr/local/bin", "/usr/local/lib", "/usr/local/libexec", "/usr/local/include",
	"/nix/store",
}

// denyPaths leaves a process the system's compilers, and one folder to write to. If the compiler is elsewhere, the
// process can read the compiler's folder and the libraries beside it.
func denyPaths(program, folder string) error {
	read := slices.Clone(system)
	cross, _ := filepath.Glob("/usr/*-linux-*") // the pattern is well-formed
	read = append(read, cross...)
	if real, err := filepath.EvalSymlinks(program); err == nil {
		own := filepath.Dir(real)
		beside := filepath.Dir(own)
		read = append(read, own, beside+"/lib", beside+"/lib64", beside+"/libexec", beside+"/include")
	}
	return landlock.V6.BestEffort().Restrict(
		landlock.RODirs(read...).IgnoreIfMissing(),
		landlock.ROFiles("/etc/ld.so.cache", "/dev/urandom").IgnoreIfMissing(),
		landlock.RWFiles("/dev/null").IgnoreIfMissing(),
		landlock.RWDirs(folder).WithRefer(),
	)
}

// computing are the system calls of Go's runtime and of C's library that open, start and reach nothing.
var computing = strings.Fields(`
	read readv write writev pread64 pwrite64 pwritev preadv close close_range lseek fstat fcntl pipe pipe2 eventfd2
	epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 poll ppoll select pselect6
	mmap munmap mprotect mremap madvise mincore brk
	futex membarrier rseq set_robust_list get_robust_list set_tid_address sched_yield sched_getaffinity
	sched_setaffinity sched_getparam sched_getscheduler
	rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait sigaltstack restart_syscall pause
	nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times setitimer alarm
	getpid getppid gettid getpgid getpgrp getuid geteuid getgid getegid getresuid getresgid
	getrandom getrlimit setrlimit getrusage sysinfo uname arch_prctl exit exit_group`)

// working lists the further calls with which compilers start their parts and use files. What they may open, make and
// remove is Landlock's to say.
var working = strings.Fields(`
	execve fork vfork wait4 waitid pidfd_open dup dup2 dup3
	open openat creat access faccessat faccessat2 stat lstat newfstatat statx readlink readlinkat getcwd chdir fchdir
	getdents getdents64 rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir link linkat symlink symlinkat
	chmod fchmod fchmodat umask utime utimes utimensat futimesat ftruncate truncate fallocate fadvise64
	copy_file_range sendfile flock fsync fdatasync statfs fstatfs memfd_create ioctl`)

// namespaces are the flags of clone that no compiler needs.
const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// denyCalls leaves a process no system calls but those: no sockets, no other session or group of processes, no tracing.
// Signals stay within the job where Landlock ensures that; otherwise the process cannot send any.
func denyCalls() error {
	here, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	type when = seccomp.ArgumentConditions
	is := func(argument uint32, value uint64) seccomp.Condition {
		return seccomp.Condition{Argument: argument, Operation: seccomp.Equal, Value: value}
	}
	names := append(slices.Clone(computing), working...)
	if version, err := landlocksys.LandlockGetABIVersion(); err == nil && version >= signalsLandlock {
		names = append(names, "kill", "tkill", "tgkill", "pidfd_send_signal")
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		_, known := here.SyscallNames[name]
		return !known
	})
	conditional := []seccomp.NameWithConditions{
		{Name: "prlimit64", Conditions: when{is(0, 0)}},
		{Name: "prctl", Conditions: when{is(0, unix.PR_SET_VMA)}},
		{Name: "prctl", Conditions: when{is(0, unix.PR_SET_NAME)}},
		{Name: "prctl", Conditions: when{is(0, unix.PR_GET_NAME)}},
		{Name: "clone", Conditions: when{{Argument: 0, Operation: seccomp.BitsNotSet, Value: namespaces}}},
	}
	return seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionErrno,
		Syscalls: []seccomp.SyscallGroup{
			{Action: seccomp.ActionAllow, Names: names, NamesWithCondtions: conditional},
			// C's library uses clone where there is no clone3, whose flags a filter cannot see.
			{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: []string{"clone3"}},
		},
	}})
}

// process is a child, the leader of a group of processes that none of them can leave.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

// start starts a command as the leader of a group. The system kills the leader when the thread that started it ends, as
// it does with this process: the thread waits for the leader's end.
func start(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd, make(chan struct{})}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			<-p.ended
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// kill ends the group. The leader's number stays its own until wait.
func (p *process) kill() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// wait waits for the leader's end.
func (p *process) wait() error {
	defer close(p.ended)
	return p.cmd.Wait()
}

// size counts the processes of the group, and the memory in bytes that they do not share with files.
func (p *process) size() (processes int, memory int64) {
	all, err := os.ReadDir("/proc")
	if err != nil {
		return 0, 0
	}
	group := []byte(strconv.Itoa(p.cmd.Process.Pid))
	for _, d := range all {
		if name := d.Name(); name[0] < '0' || name[0] > '9' {
			continue
		}
		stat, err := os.ReadFile("/proc/" + d.Name() + "/stat")
		if err != nil { // it has ended
			continue
		}
		// After the command in parentheses: state, parent, group.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 3 || !bytes.Equal(fields[2], group) {
			continue
		}
		processes++
		var size, resident, shared int64
		text, err := os.ReadFile("/proc/" + d.Name() + "/statm")
		if _, bad := fmt.Sscan(string(text), &size, &resident, &shared); err == nil && bad == nil {
			memory += (resident - shared) * int64(os.Getpagesize())
		}
	}
	return processes, memory
}
