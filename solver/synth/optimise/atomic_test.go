package optimise_test

import (
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/optimise"
)

// passing passes a message from one thread to another one, by plain objects.
const passing = `#include <pthread.h>
#include <assert.h>
DECLARATIONS
void *writer(void *p) { DATA = 1; FLAG = 1; return 0; }
void *reader(void *p) { if (FLAG) assert(DATA == 1); return 0; }
int main(void) {
  pthread_t a, b;
  START
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
`

// A repair declares a plain object in a data race _Atomic, at its declaration, and the result is correct. If the object
// does not allow that, the reply says why.
func TestRepairDeclaresAtomic(t *testing.T) {
	for _, c := range []struct {
		name, declarations, flag, start string
		want                            string // what the declaration becomes, or why there is none
	}{
		{"by itself", "int data;\nint flag;", "flag", "", "int data;\n_Atomic int flag;"},
		{"the second of two", "int data, flag;", "flag", "", "int data; _Atomic int flag;"},
		{"the first of two", "int flag = 0, data;", "flag", "", "_Atomic int flag = 0; int data;"},
		{
			"the middle one", "static int data, flag, more;", "flag", "",
			"static int data; static _Atomic int flag; static int more;",
		},
		{"volatile", "int data;\nstatic volatile long flag;", "flag", "", "static volatile _Atomic long flag;"},
		{"two words", "int data;\nunsigned char flag;", "flag", "", "_Atomic unsigned char flag;"},
		{"beside a pointer", "int data, *p, flag;", "flag", "", "int data, *p; _Atomic int flag;"},
		{"a pointer", "int data, *flag;", "flag", "", "int data, *_Atomic flag;"},
		{
			"a field", "int data;\nstruct { int other, ready; } s;", "s.ready", "",
			"struct { int other; _Atomic int ready; } s;",
		},
		{
			"by a pointer", "int data;\nstruct box { int other, ready; } first, *q;", "q->ready", "q = &first;",
			"struct box { int other; _Atomic int ready; } first, *q;",
		},
		{"the only field", "int data;\nstruct { int ready; } s;", "s.ready", "", "struct { _Atomic int ready; } s;"},
		{"an element", "int data;\nint flags[2] = { 0, 0 };", "flags[1]", "", "_Atomic int flags[2] = { 0, 0 };"},
		{
			"declared twice", "extern int flag;\nint data;\nint flag;", "flag", "",
			"extern _Atomic int flag;\nint data;\n_Atomic int flag;",
		},
		{"a typedef", "typedef unsigned word;\nint data;\nword flag;", "flag", "", "_Atomic word flag;"},
		{
			"a bit-field", "int data;\nstruct { unsigned ready : 1, other : 1; } s;", "s.ready", "",
			"ready cannot be made _Atomic: it is a bit-field",
		},
		{
			"pointed to", "int data, flag;", "flag", "int *p = &flag; *p = 0;",
			"flag cannot be made _Atomic: its address is taken in line 8 of random.c",
		},
		{"by a macro", "#define BOTH int data, flag\nBOTH;", "flag", "", "cannot be made _Atomic: a macro declares it"},
		{
			"as a pointer", "int data;\nint flags[2];", "flags[1]", "int *p = flags; *p = 0;",
			"flags cannot be made _Atomic: its address is taken in line 9 of random.c",
		},
	} {
		one := "1"
		if strings.Contains(c.declarations, "*flag") {
			one = "(void *)1"
		}
		text := strings.NewReplacer("DECLARATIONS", c.declarations, "DATA", "data",
			"FLAG = 1", c.flag+" = "+one, "FLAG",
			c.flag, "START", c.start).Replace(passing)
		options := solver.DefaultOptions()
		options.Timeout = 0
		task := solver.VerifyTask{
			Path: "random.c", Files: []solver.SourceFile{{Name: "random.c", Text: text}}, Options: options,
			Model:  "rc11",
			Engine: engines.Auto,
		}
		q := optimise.Question{Pairs: []solver.VerifyTask{task}, Runner: engines.Local{}, Workers: 1}
		q.Each = true
		r, err := optimise.Repair(t.Context(), q, "")
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
			continue
		}
		if strings.Contains(c.want, "cannot") {
			if !r.Impossible || !strings.Contains(r.Reason, c.want) {
				t.Errorf("%s: %s, want %s", c.name, r.Summary(false), c.want)
			}
			continue
		}
		if len(r.Repairs) != 1 || r.Repairs[0].Cost != 17 || !r.Minimal ||
			!strings.Contains(r.Repairs[0].Source, c.want) {
			t.Errorf("%s: %s %+v, want %s", c.name, r.Summary(false), r.Repairs, c.want)
			continue
		}
		task.Files[0].Text = r.Repairs[0].Source
		if v, err := engines.Run(t.Context(), task); err != nil || v.Verdict != solver.Safe {
			t.Errorf("%s: the repaired program is %s, %v", c.name, v.Verdict, err)
		}
	}
}

// An object that the table of costs has no price for is not on offer.
func TestRepairWithoutAtomics(t *testing.T) {
	text := strings.NewReplacer("DECLARATIONS", "int data, flag;", "DATA", "data", "FLAG", "flag", "START", "").
		Replace(passing)
	task := solver.VerifyTask{
		Path: "random.c", Files: []solver.SourceFile{{Name: "random.c", Text: text}}, Options: solver.DefaultOptions(),
		Model: "rc11", Engine: engines.Auto,
	}
	q := optimise.Question{Pairs: []solver.VerifyTask{task}, Runner: engines.Local{}, Workers: 1}
	r, err := optimise.Repair(t.Context(), q, "[C]\natomic object = -\n")
	if err != nil || !r.Impossible {
		t.Errorf("%v, %+v", err, r)
	}
}
