package engines

import (
	"io/fs"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

// Every built-in model has what C's atomics are for it, and models of the user's own have it by
// their names, or by what they name.
func TestTargets(t *testing.T) {
	for _, name := range models.Names() {
		if models.FactsOf(name).Target == "" {
			t.Errorf("%s has no target", name)
		}
		m, _ := models.Find(name)
		own, err := models.Parse("own", m.Text, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		got := targetOf(solver.VerifyTask{Model: "own"}, own)
		want := "generic" // the models of architectures tell nothing by generic tags
		if models.FactsOf(name).IsLanguage() {
			want = models.FactsOf(name).Target
		}
		if got != want {
			t.Errorf("%s as a model of the user's own is for %s, want %s", name, got, want)
		}
		if got := targetOf(solver.VerifyTask{Model: "dir/" + name + ".cat"}, own); got != models.FactsOf(name).Target {
			t.Errorf("%s.cat is for %s, want %s", name, got, models.FactsOf(name).Target)
		}
	}
	m, _ := models.Find("tso")
	if got := targetOf(solver.VerifyTask{Model: "tso", Target: "arm"}, m); got != "arm" {
		t.Errorf("an explicit target is passed over for %s", got)
	}
	variant, err := models.Named("aarch64~external")
	if err != nil {
		t.Skip(err)
	}
	if got := targetOf(solver.VerifyTask{Model: "aarch64~external"}, variant); got != "aarch64" {
		t.Errorf("a variant of aarch64 is for %s", got)
	}
}

func TestAdmitVerify(t *testing.T) {
	o := solver.DefaultOptions()
	for want, task := range map[string]solver.VerifyTask{
		`unknown property "liveness": want one or more of assertion+`: {
			Verify: solver.Verify{Properties: []ir.Property{"liveness"}},
		},
		`unknown target "vax": want one of c, generic, lkmm, x86_64`: {
			Target: "vax",
		},
		`unknown engine "magic"`:                             {Engine: "magic"},
		`unknown model "tos"`:                                {Model: "tos"},
		`the engine lazy-cseq supports sc, not tso`:          {Engine: "lazy-cseq", Model: "tso"},
		`under aarch64, for which it runs litmus tests only`: {Engine: "machine", Model: "aarch64"},
		`under rc11, for which it runs litmus tests only`:    {Engine: "machine"},
		`the engine machine supports sc, tso, pso, aarch64, riscv, arm, power, rc11, not c11`: {
			Engine: "machine", Model: "c11",
		},
	} {
		task.Options = o
		if err := Admit(task); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	rounds := solver.VerifyTask{Options: o}
	rounds.Options.Rounds = 3
	if err := Admit(rounds); err == nil || !strings.HasPrefix(err.Error(), "rounds: used by lazy-cseq") {
		t.Error(err)
	}
}

// A program that includes the kernel's headers is the kernel's, wherever it does.
func TestTongueOfProgram(t *testing.T) {
	for text, want := range map[string]string{
		"#include <lkmm.h>": "LKMM", "x\n # include \"linux/spinlock.h\"\n": "LKMM", "#include <pthread.h>": "C",
		"// #include <lkmm.h>": "C",
	} {
		if got := tongueOf(solver.VerifyTask{Files: []solver.SourceFile{{Text: text}}}); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
		if got := tongueOf(
			solver.VerifyTask{
				Files:   []solver.SourceFile{{Text: "#include \"a.h\""}},
				Include: map[string]string{"a.h": text},
			}); got != want {
			t.Errorf("%q in a header is %s, want %s", text, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	files := texts{"../a.h": "one", "/abs/b.h": "two"}
	for name, want := range map[string]string{
		"../a.h": "one", "./../a.h": "one", "x/../../a.h": "one",
		"/abs/b.h": "two",
	} {
		if got, err := fs.ReadFile(files, name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := fs.ReadFile(files, "a.h"); err == nil {
		t.Error("a.h is none of them")
	}
}

// What a verifier's intrinsic gives has the type that its name says, without a declaration.
func TestAnyValueHasTheTypeOfItsName(t *testing.T) {
	for name, value := range map[string]string{
		"int": "-2147483648", "uint": "0x89abcdef", "long": "-0x123456789abcdef", "ulong": "0xfedcba9876543210",
		"longlong":  "1ll << 40",
		"ulonglong": "1ull << 63", "short": "-32768", "ushort": "65535", "char": "-128", "uchar": "255",
		"size_t": "1ul << 63", "uint8_t": "255",
		"int16_t": "-32768", "uint32_t": "0xffffffff", "int64_t": "-1l << 40",
	} {
		for _, header := range []string{"", "#include <stdint.h>\n#include <stddef.h>\n"} {
			text := header + "#include <assert.h>\nint main(void) { long long x = __VERIFIER_nondet_" + name +
				"(); assert(x != " + value + "); return 0; }\n"
			task := solver.VerifyTask{
				Path: "any.c", Files: []solver.SourceFile{{Name: "any.c", Text: text}},
				Model: "sc", Options: solver.DefaultOptions(),
			}
			if v, err := Run(t.Context(), task); err != nil || v.Verdict != solver.Unsafe {
				t.Errorf("__VERIFIER_nondet_%s cannot be %s: %+v, %v", name, value, v, err)
			}
		}
	}
}
