package code

import (
	"slices"
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/cprog/read"
)

// What tests in C can call, of C11 and of the kernel, programs can call as well, with as many arguments: but for
// two words that herd has for mutexes.
func TestProgramsKnowWhatTestsCall(t *testing.T) {
	words := map[string]Word{}
	for _, w := range Words() {
		words[w.Name] = w
	}
	checked := 0
	for _, tongue := range []string{"C", "LKMM"} {
		for _, f := range (c.Dialect{}).Words(tongue).Forms {
			if !strings.HasPrefix(f.Operands, "(") || f.Mnemonic == "lock" || f.Mnemonic == "unlock" {
				continue
			}
			w, declared := words[f.Mnemonic]
			if !declared && builtins[f.Mnemonic] == nil {
				t.Errorf("tests call %s, programs cannot", f.Mnemonic)
			}
			if !declared {
				continue
			}
			checked++
			if got, want := parameters(w.Takes), parameters(f.Operands); got != want {
				t.Errorf("%s takes %s in programs, %s in tests", f.Mnemonic, w.Takes, f.Operands)
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d calls are declared in headers", checked)
	}
}

func parameters(list string) int {
	if list = strings.Trim(list, "() "); list == "" || list == "void" {
		return 0
	}
	return strings.Count(list, ",") + 1
}

// What a header declares is known, or refused by its name when a program calls it.
func TestHeadersDeclareWhatIsKnown(t *testing.T) {
	refused := strings.Fields("realloc atexit atoi atol getenv sprintf snprintf getchar fopen strncpy strerror sysconf pthread_cancel" +
		" __ccgo__types_compatible_p __builtin_va_arg __builtin_object_size")
	for _, name := range read.BuiltInHeaders() {
		units, err := read.Translate(alone("#include <"+name+">\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		for function, nodes := range units[0].Scope.Nodes {
			d, ok := nodes[0].(*cc.Declarator)
			if !ok || d.IsTypename() || d.Type().Kind() != cc.Function || slices.Contains(refused, function) || strings.HasPrefix(function, "__litmus_end") {
				continue
			}
			if builtins[function] == nil {
				t.Errorf("<%s> declares %s, which nothing knows", name, function)
			}
		}
	}
}
