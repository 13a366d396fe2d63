package engines

import (
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// programs whose answer depends on the machine's C: of a model, the verdict, and what the answer says of long and of
// plain char.
const (
	charProgram = `#include <assert.h>
static int byte(void) { return -1; }
int main(void) { char c = byte(); assert(c == -1); return 0; }`
	longProgram = `#include <assert.h>
#include <stdint.h>
int main(void) { uintptr_t p = (uintptr_t)1 << 31 << 1; assert(sizeof(long) == 8 && p != 0); return 0; }`
	wideProgram = `#include <assert.h>
#include <pthread.h>
#include <stdint.h>
QUALIFIER uint64_t x;
static void *f(void *p) { x = 0x100000001; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	uint64_t v = x;
	assert(v == 0 || v == 0x100000001);
	pthread_join(t, 0);
	return 0;
}`
	packedProgram = `#include <assert.h>
#include <pthread.h>
struct __attribute__((packed)) { char c; int i; } odd;
struct __attribute__((packed)) { int i; char c; } even;
struct __attribute__((packed)) five { int i; char c; } five[2];
static void *f(void *p) { MEMBER = 0x1010101; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	int v = MEMBER;
	assert(v == 0 || v == 0x1010101);
	pthread_join(t, 0);
	return 0;
}`
)

func verified(t *testing.T, source string, task solver.VerifyTask) *solver.Verification {
	t.Helper()
	task.Path, task.Files, task.Options = "t.c", []solver.SourceFile{{Name: "t.c", Text: source}},
		solver.DefaultOptions()
	if task.Properties == nil {
		task.Properties = []ir.Property{ir.Assertion}
	}
	v, err := Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestMachinesOfModels(t *testing.T) {
	for _, c := range []struct {
		source, model, engine, defines string
		dataModel, char, target        string
		want                           solver.Verdict
		abi                            string
	}{
		{source: charProgram, model: "aarch64", want: solver.Unsafe, abi: "plain char is unsigned"},
		{source: charProgram, model: "power", want: solver.Unsafe, abi: "plain char is unsigned"},
		{source: charProgram, model: "riscv", want: solver.Unsafe, abi: "plain char is unsigned"},
		{
			source: charProgram, model: "arm", want: solver.Unsafe,
			abi: "long and pointers have 32 bits, plain char is unsigned",
		},
		{source: charProgram, model: "mips", want: solver.Safe, abi: "long and pointers have 32 bits"},
		{source: charProgram, model: "tso", want: solver.Safe},
		{source: charProgram, model: "rc11", want: solver.Safe},
		{source: charProgram, model: "lkmm", want: solver.Safe},
		{source: charProgram, model: "sc", target: "aarch64", want: solver.Unsafe, abi: "plain char is unsigned"},
		{source: charProgram, model: "aarch64", char: "signed", want: solver.Safe, abi: "plain char is signed"},
		{source: charProgram, model: "rc11", char: "unsigned", want: solver.Unsafe, abi: "plain char is unsigned"},
		{
			source: longProgram, model: "arm", want: solver.Unsafe,
			abi: "long and pointers have 32 bits, plain char is unsigned",
		},
		{source: longProgram, model: "mips", want: solver.Unsafe, abi: "long and pointers have 32 bits"},
		{
			source: longProgram, model: "mips", dataModel: "lp64", want: solver.Safe,
			abi: "long and pointers have 64 bits",
		},
		{source: longProgram, model: "aarch64", want: solver.Safe, abi: "plain char is unsigned"},
		{
			source: longProgram, model: "c11", dataModel: "ilp32", want: solver.Unsafe,
			abi: "long and pointers have 32 bits",
		},

		{
			source: wideProgram, model: "arm", defines: "QUALIFIER=", want: solver.Unsafe,
			abi: "long and pointers have 32 bits, plain char is unsigned",
		},
		{
			source: wideProgram, model: "mips", defines: "QUALIFIER=volatile", want: solver.Unsafe,
			abi: "long and pointers have 32 bits",
		},
		{
			source: wideProgram, model: "arm", defines: "QUALIFIER=_Atomic", want: solver.Safe,
			abi: "long and pointers have 32 bits, plain char is unsigned",
		},
		{source: wideProgram, model: "tso", defines: "QUALIFIER=", want: solver.Safe},
		{
			source: wideProgram, model: "sc", engine: "graphs", dataModel: "ilp32", defines: "QUALIFIER=",
			want: solver.Unsafe, abi: "long and pointers have 32 bits",
		},
		{
			source: wideProgram, model: "sc", engine: "axiomatic", dataModel: "ilp32", defines: "QUALIFIER=",
			want: solver.Unsafe, abi: "long and pointers have 32 bits",
		},
		{
			source: wideProgram, model: "sc", engine: "graphs", dataModel: "ilp32", defines: "QUALIFIER=_Atomic",
			want: solver.Safe, abi: "long and pointers have 32 bits",
		},

		{source: packedProgram, model: "sc", engine: "graphs", defines: "MEMBER=odd.i", want: solver.Unsafe},
		{source: packedProgram, model: "sc", engine: "axiomatic", defines: "MEMBER=odd.i", want: solver.Unsafe},
		{source: packedProgram, model: "sc", engine: "graphs", defines: "MEMBER=even.i", want: solver.Safe},
		{source: packedProgram, model: "tso", engine: "axiomatic", defines: "MEMBER=even.i", want: solver.Safe},
		{source: packedProgram, model: "tso", engine: "graphs", defines: "MEMBER=five[1].i", want: solver.Unsafe},
		{source: packedProgram, model: "sc", engine: "axiomatic", defines: "MEMBER=(&five[1])->i", want: solver.Unsafe},
	} {
		task := solver.VerifyTask{
			Model: c.model, Engine: c.engine, DataModel: c.dataModel, Char: c.char,
			Target: c.target,
		}
		if c.defines != "" {
			task.Defines = []string{c.defines}
		}
		v := verified(t, c.source, task)
		if v.Verdict != c.want || v.ABI() != c.abi || v.Error != "" {
			t.Errorf("%s %s %s %s %s%s: got %s (%s) %s%s, want %s (%s)\n%s", c.model, c.engine, c.defines, c.target,
				c.dataModel, c.char, v.Verdict, v.ABI(), v.Error, v.Reason, c.want, c.abi, c.source)
		}
	}
	v := verified(t, strings.Replace(packedProgram, "char c; int i; } odd", "char c; _Atomic int i; } odd", 1),
		solver.VerifyTask{Model: "sc", Defines: []string{"MEMBER=odd.i"}})
	if !strings.Contains(v.Error, "may be misaligned") {
		t.Errorf("an atomic member that is not aligned: %s%s", v.Verdict, v.Error)
	}
}

// The same program read for two machines is two questions, also where the models are of one text.
func TestKeysOfMachines(t *testing.T) {
	keys := map[solver.Key]string{}
	for _, task := range []solver.VerifyTask{
		{Model: "rc11"},
		{Model: "rc11", DataModel: "ilp32"},
		{Model: "rc11", Char: "unsigned"},
		{Model: "rc11", Defines: []string{"-U__linux__"}},
		{Model: "arm.cat", ModelText: "acyclic po | rf as sc"},
		{Model: "own.cat", ModelText: "acyclic po | rf as sc"},
	} {
		task.Files = []solver.SourceFile{{Name: "t.c", Text: longProgram}}
		task.Properties = []ir.Property{ir.Assertion}
		k, err := Key(task)
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := keys[k]; taken {
			t.Errorf("%+v has the key of %s", task, other)
		}
		keys[k] = task.Model + task.DataModel + task.Char
	}
}

// Kernel headers in text that the preprocessor skips do not choose a program's model.
func TestModelOfProgram(t *testing.T) {
	for source, want := range map[string]string{
		"#ifdef __KERNEL__\n#include <linux/kernel.h>\n#endif\nint main(void) { return 0; }": "rc11",
		"#include <linux/kernel.h>\nint main(void) { return 0; }":                            "lkmm",
		"#ifdef __linux__\n#include <linux/futex.h>\n#endif\nint main(void) { return 0; }":   "rc11",
	} {
		if v := verified(t, source, solver.VerifyTask{}); v.Model != want || v.Verdict != solver.Safe {
			t.Errorf("%s: under %s, %s%s, want %s", source, v.Model, v.Verdict, v.Error, want)
		}
	}
}

// The system gives any value, a futex what futex(2) says.
func TestSystem(t *testing.T) {
	const futex = `#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int word;
static int data;
static long futex(atomic_int *at, int op, int value) { return syscall(SYS_futex, at, op, value, 0, 0, 0); }
static void *waker(void *p) {
	data = 1;
	atomic_store_explicit(&word, 1, ORDER);
	long n = futex(&word, FUTEX_WAKE_PRIVATE, 1);
	assert(n == 0 || n == 1);
	return 0;
}
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, waker, 0);
	while (atomic_load_explicit(&word, memory_order_acquire) == 0) {
		if (futex(&word, FUTEX_WAIT_PRIVATE, 0) < 0)
			assert(errno == EAGAIN || errno == EINTR);
	}
	assert(data == 1);
	pthread_join(t, 0);
	return 0;
}`
	const wait = "#include <linux/futex.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n#include <assert.h>\n" +
		"int w;\nint main(void) { long r = syscall(SYS_futex, &w, FUTEX_WAIT, VALUE, 0, 0, 0); assert(WHAT); return " +
		"0; }"
	for _, c := range []struct {
		source  string
		defines []string
		want    solver.Verdict
	}{
		{futex, []string{"ORDER=memory_order_release"}, solver.Safe},
		{futex, []string{"ORDER=memory_order_relaxed"}, solver.Unsafe},
		{wait, []string{"VALUE=0", "WHAT=r==0 || r==-1"}, solver.Safe},
		{wait, []string{"VALUE=0", "WHAT=r==0"}, solver.Unsafe},
		{wait, []string{"VALUE=1", "WHAT=r==-1"}, solver.Safe},
		{"#include <unistd.h>\n#include <errno.h>\n#include <assert.h>\n" +
			"int main(void) { char b[2] = { 1, 1 }; ssize_t n = read(0, b, 2); assert(n >= -1 && n <= 2); if (n < " +
			"0) assert(errno > 0); return 0; }", nil, solver.Safe},
		{"#include <unistd.h>\n#include <assert.h>\n" +
			"int main(void) { char b[2] = { 1, 1 }; read(0, b, 2); assert(b[1] == 1); return 0; }", nil, solver.Unsafe},
		{
			"#include <poll.h>\n#include <assert.h>\n" +
				"int main(void) { struct pollfd p[2] = { { 3, POLLIN, 0 }, { 4, POLLIN, 0 } }; poll(p, 2, -1); " +
				"assert(p[1].fd == 4 && p[1].events == POLLIN); assert(p[1].revents == 0); return 0; }", nil,
			solver.Unsafe,
		},
		{
			"#include <sys/mman.h>\n#include <assert.h>\n" +
				"int main(void) { int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, " +
				"0); " +
				"if (p != MAP_FAILED) { assert(p[1] == 0); p[1] = 3; assert(p[1] == 3); munmap(p, 4096); } return 0; }",
			nil, solver.Safe,
		},
		{
			"#include <sys/stat.h>\n#include <assert.h>\n" +
				"int main(void) { struct stat s = { 0 }; if (stat(\"x\", &s) == 0) assert(s.st_size == 0); return 0; }",
			nil, solver.Unsafe,
		},
		{"#include <signal.h>\n#include <assert.h>\n" +
			"int main(void) { signal(SIGPIPE, SIG_IGN); sigset_t s; sigemptyset(&s); return 0; }", nil, solver.Safe},
	} {
		task := solver.VerifyTask{Model: "rc11", Defines: c.defines}
		v := verified(t, c.source, task)
		if v.Verdict != c.want || v.Error != "" {
			t.Errorf("got %s %s%s, want %s: %v\n%s", v.Verdict, v.Error, v.Reason, c.want, c.defines, c.source)
		}
		if len(v.Remarks) == 0 && v.Verdict != solver.Undecided {
			t.Errorf("no remark that the system is not modelled\n%s", c.source)
		}
	}
	for source, want := range map[string]string{
		"#include <signal.h>\nstatic void h(int s) { }\n" +
			"int main(void) { signal(SIGINT, h); return 0; }": "call the handler in a thread of its own",
		"#include <unistd.h>\nint main(void) { return fork(); }": "fork is not",
		"#include <sys/syscall.h>\n#include <unistd.h>\n" +
			"int main(void) { return (int)syscall(SYS_membarrier, 8, 0); }": "system call 324 is not supported",
		"#include <sys/socket.h>\nint main(void) { struct msghdr m = { 0 }; " +
			"return (int)recvmsg(0, &m, 0); }": "recvmsg is not",
	} {
		if v := verified(t, source, solver.VerifyTask{Model: "rc11"}); !strings.Contains(v.Error, want) {
			t.Errorf("got %s%s, want %s\n%s", v.Verdict, v.Error, want, source)
		}
	}
	if v := verified(t, futex,
		solver.VerifyTask{
			Model: "rc11", Defines: []string{"ORDER=memory_order_release"},
			Verify: solver.Verify{Properties: []ir.Property{ir.Termination}},
		}); !strings.Contains(v.Error,
		"termination of programs with futexes is not supported") {
		t.Errorf("termination with a futex: %s%s", v.Verdict, v.Error)
	}
}
