package read

import (
	"strings"
	"testing"
)

// The error for a type, a macro, a function or a constant of a built-in header that a program has not included names
// the header.
func TestNotDeclared(t *testing.T) {
	for text, want := range map[string]string{
		"ssize_t f(int n) { return n; }\nint main(void) { return 0; }": "1:1: ssize_t is not " +
			"declared; add #include <sys/types.h>",
		"static pthread_t t;\nint main(void) { return 0; }": "1:8: pthread_t is not " +
			"declared; add #include <pthread.h>",
		"int f(uint32_t n);\nint main(void) { return 0; }": "1:7: uint32_t is not " +
			"declared; add #include <stdint.h>",
		"struct s { int a; size_t n; };\nint main(void) { return 0; }": "1:19: size_t is not " +
			"declared; add #include <stddef.h>",
		"int main(void) { int x = 0; return (int)((uint8_t)x); }": "1:43: uint8_t is not " +
			"declared; add #include <stdint.h>",
		"int main(void) { atomic_int x; return 0; }": "1:18: atomic_int is not " +
			"declared; add #include <stdatomic.h>",
		"const uint64_t *p;\nint main(void) { return 0; }": "1:7: uint64_t is not " +
			"declared; add #include <stdint.h>",
		"FILE *f;\nint main(void) { return 0; }": "1:1: FILE is not " +
			"declared; add #include <stdio.h>",
		"int main(void) { return ECANCELED; }": "1:25: ECANCELED is not " +
			"declared; add #include <errno.h>",
		"int main(void) { return O_RDONLY + memory_order_relaxed; }": "1:25: O_RDONLY is not " +
			"declared; add #include <fcntl.h>",
		"int main(void) { return sizeof(struct { int x; }) + sizeof(socklen_t); }": "socklen_t is not " +
			"declared; add #include <sys/socket.h>",
		"my_t x;\nint main(void) { return 0; }": "1:1: my_t is not " +
			"declared: want a type or a defined macro here",
		"static my_t *f(void);\nint main(void) { return 0; }": "1:8: my_t is not " +
			"declared: want a type or a defined macro here",
		"int main(void) { int y = 1, z; y = 2\n z = 3; return z; }": "want ';' before it",
		"#include <stdio.h>\nssize_t f(int n) { return n }\nint main(void) { return 0; }": "2:28: got '}', want ';' " +
			"before it",
	} {
		_, err := Translate(Source{Files: []File{{"t.c", text}}}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
	// What is inside structures and parameters is nobody's name.
	for name, want := range map[string]string{
		"events": "", "l_type": "", "sival_int": "",
		"pthread_create": "pthread.h", "SIGINT": "signal.h", "sighandler_t": "signal.h", "optarg": "unistd.h",
		"opterr": "unistd.h", "PTHREAD_MUTEX_NORMAL": "pthread.h", "TAILQ_INSERT_TAIL": "sys/queue.h",
		"mmap": "sys/mman.h",
	} {
		if got := declares()[name]; got != want {
			t.Errorf("%s is declared in %q, want %q", name, got, want)
		}
	}
}
