package pool

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// confinements are in the order in which they take effect: the last forbids the calls that the others make.
var confinements = []confinement{
	{"limits on files", func() error { return nil }, limitFiles},
	{"Landlock (all of it is in Linux 6.12)", hasLandlock, denyPaths},
	{"seccomp", hasSeccomp, denyCalls},
}

// What a child may have open, and write to a file: a solver's proof.
const (
	maxDescriptors = 64
	maxProof       = 2 << 30
)

func limitFiles(program string) error {
	ownSize, _ = os.Open("/proc/self/statm") // without it, limits on memory are the child's own account
	size := uint64(0)
	if program != "" {
		size = maxProof
	}
	for _, l := range []struct {
		resource int
		most     uint64
	}{{unix.RLIMIT_FSIZE, size}, {unix.RLIMIT_NOFILE, maxDescriptors}, {unix.RLIMIT_CORE, 0}} {
		if err := syscall.Setrlimit(l.resource, &syscall.Rlimit{Cur: l.most, Max: l.most}); err != nil {
			return err
		}
	}
	return nil
}

// landlockVersion has files, TCP and signals.
const landlockVersion = 6

func hasLandlock() error {
	switch version, err := landlocksys.LandlockGetABIVersion(); {
	case err != nil:
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	case version < landlockVersion:
		return fmt.Errorf("%w: version %d of %d", errors.ErrUnsupported, version, landlockVersion)
	}
	return nil
}

// denyPaths leaves a process no file that is not open, no TCP, and no signals but to its like; besides, it leaves what
// a process needs to start a solver's program.
func denyPaths(program string) error {
	var rules []landlock.Rule
	if program != "" {
		rules = []landlock.Rule{
			landlock.ROFiles(program, "/etc/ld.so.cache").IgnoreIfMissing(),
			landlock.RODirs("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
				"/nix/store").IgnoreIfMissing(),
			landlock.RWFiles("/dev/null").IgnoreIfMissing(),
		}
	}
	return landlock.V6.BestEffort().Restrict(rules...)
}

func hasSeccomp() error {
	if !seccomp.Supported() {
		return errors.ErrUnsupported
	}
	return nil
}

// computing are the system calls of Go's runtime and of C's library that open, start and reach nothing.
var computing = strings.Fields(`
	read readv write writev pread64 close lseek fstat fcntl pipe2 eventfd2
	epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 poll ppoll
	mmap munmap mprotect mremap madvise mincore brk
	futex membarrier rseq set_robust_list set_tid_address sched_yield sched_getaffinity
	rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
	nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time
	getpid getppid gettid getrandom getrlimit setrlimit getrusage sysinfo uname
	exit exit_group`)

// starting lists the further calls that start and end a solver's program, and that such programs need. What they may
// open is Landlock's to say.
var starting = strings.Fields(`
	execve fork vfork clone wait4 waitid pidfd_open pidfd_send_signal kill tgkill setpgid getpgid getpgrp dup dup2 dup3
	open openat access faccessat faccessat2 stat lstat newfstatat statx readlink readlinkat getcwd
	memfd_create pwrite64 ftruncate ioctl times setitimer alarm arch_prctl getuid geteuid getgid getegid`)

// denyCalls leaves a process no system calls but those, in all its threads. What another architecture's numbers are
// for, which the kernel has beside its own, it does not have either.
func denyCalls(program string) error {
	here, err := arch.GetInfo("")
	if err != nil {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	own := uint64(os.Getpid())
	type when = seccomp.ArgumentConditions
	is := func(argument uint32, value uint64) seccomp.Condition {
		return seccomp.Condition{Argument: argument, Operation: seccomp.Equal, Value: value}
	}
	names := slices.Clone(computing)
	conditional := []seccomp.NameWithConditions{
		{Name: "prlimit64", Conditions: when{is(0, 0)}},
		{Name: "prlimit64", Conditions: when{is(0, own)}},
		{Name: "prctl", Conditions: when{is(0, unix.PR_SET_VMA)}},
		{Name: "prctl", Conditions: when{is(0, unix.PR_SET_NAME)}},
	}
	if program != "" {
		names = append(names, starting...)
		conditional = append(conditional,
			seccomp.NameWithConditions{
				Name:       "prctl",
				Conditions: when{is(0, unix.PR_SET_PDEATHSIG), is(1, uint64(unix.SIGKILL))},
			})
	} else {
		conditional = append(conditional,
			seccomp.NameWithConditions{Name: "tgkill", Conditions: when{is(0, own)}},
			seccomp.NameWithConditions{Name: "kill", Conditions: when{is(0, own)}},
			seccomp.NameWithConditions{
				Name:       "clone",
				Conditions: when{{Argument: 0, Operation: seccomp.BitsSet, Value: unix.CLONE_THREAD}},
			})
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		_, known := here.SyscallNames[name]
		return !known
	})
	return seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionErrno,
		Syscalls: []seccomp.SyscallGroup{
			{Action: seccomp.ActionAllow, Names: names, NamesWithCondtions: conditional},
			// C's library makes threads by clone where there is no clone3, of which nobody can see what it is for.
			{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: []string{"clone3"}},
		},
	}})
}
