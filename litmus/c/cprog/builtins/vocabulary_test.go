package builtins

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/read"
)

// Headers declare functions with as many parameters as they take.
func TestHeadersDeclareWhatIsTaken(t *testing.T) {
	checked := 0
	read.EachHeader(func(header, text string) {
		for _, form := range []*regexp.Regexp{defined(), declared()} {
			for _, m := range form.FindAllStringSubmatch(text, -1) {
				b, list := All()[m[1]], strings.Trim(m[2], "() ")
				if b == nil || list == "" || strings.Contains(list, "...") {
					continue
				}
				if f, ok := c.Callees()[c.Kernel][m[1]]; ok && read.IsKernels(header) {
					b = &Builtin{Params: parameters(f.Params)}
				}
				checked++
				n := strings.Count(regexp.MustCompile(`\(\*\)\([^)]*\)`).ReplaceAllString(list, ""), ",") + 1
				if list == "void" {
					n = 0
				}
				most := len(b.Params)
				if slices.Contains(b.Params, "...") {
					most = n
				}
				if n < b.leastArguments() || n > most {
					t.Errorf("<%s> declares %s%s, which takes (%s)", header, m[1], m[2], strings.Join(b.Params, ", "))
				}
			}
		}
	})
	if checked < 200 {
		t.Errorf("%d calls are declared in headers", checked)
	}
}

// The front end supports every declaration of a header, or rejects a call of it by name.
func TestHeadersDeclareWhatIsKnown(t *testing.T) {
	refused := strings.Fields("getenv getchar fopen sysconf pthread_cancel" +
		" __ccgo__types_compatible_p __builtin_object_size" +
		" verr verrx vwarn vwarnx posix_fallocate posix_fadvise sigwait pthread_kill sigwaitinfo sigsuspend " +
		"sigtimedwait sigpending sigismember" +
		" mlockall munlockall posix_madvise shm_open shm_unlink sendmsg recvmsg recvfrom getsockname getpeername " +
		"getsockopt socketpair umask" +
		" mkfifo wait waitpid getcwd gethostname vfork fork execl execlp execv execve execvp pwrite pause getopt " +
		"getpagesize")
	for _, name := range read.BuiltInHeaders() {
		units, err := read.Translate(read.Source{Files: []read.File{{Name: "a.c", Text: "#include <" + name + ">\n"}}},
			nil)
		if err != nil {
			t.Fatal(err)
		}
		for function, nodes := range units[0].Scope.Nodes {
			d, ok := nodes[0].(*cc.Declarator)
			if !ok || d.IsTypename() || d.Type().Kind() != cc.Function || slices.Contains(refused, function) ||
				strings.HasPrefix(function, "_mm_") || name == "math.h" || strings.HasPrefix(function, "__litmus_end") {
				continue
			}
			if All()[function] == nil {
				t.Errorf("<%s> declares %s, which nothing knows", name, function)
			}
		}
	}
}

// Each function has a description of one line, and no two parameters with one name.
func TestEachIsToldOf(t *testing.T) {
	for name, b := range All() {
		if b.help == "" || strings.Contains(b.help, "\n") {
			t.Errorf("%s: %q", name, b.help)
		}
		for i, p := range b.Params {
			if slices.Contains(b.Params[:i], p) {
				t.Errorf("%s takes %s twice", name, p)
			}
		}
	}
}
