package completion

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
)

// Instructions are of the kind that their reader makes of them.
func TestKindsOfInstructions(t *testing.T) {
	for _, c := range []struct {
		arch, name string
		kind       dialect.Kind
	}{
		{"X86", "MFENCE", dialect.Fence},
		{"C", "atomic_load_explicit", dialect.Access},
		{"C", "mtx_lock", dialect.Atomic},
		{"C", "while", dialect.Jump},
		{"C", "int", dialect.Value},
		{"LKMM", "synchronize_rcu", dialect.Fence},
		{"LKMM", "WRITE_ONCE", dialect.Access},
		{"X86", "XCHG", dialect.Atomic},
		{"X86", "JNE", dialect.Jump},
		{"X86_64", "movl", dialect.Access},
		{"PPC", "lwarx", dialect.Atomic},
		{"PPC", "isync", dialect.Fence},
		{"RISCV", "amoadd.w.aq", dialect.Atomic},
		{"RISCV", "fence", dialect.Fence},
		{"AArch64", "LDAR", dialect.Access},
		{"AArch64", "STXR", dialect.Atomic},
		{"ARM", "DMB", dialect.Fence},
		{"MIPS", "addu", dialect.Value},
	} {
		words, _ := OfTests(c.arch)
		i := slices.IndexFunc(words.Instructions, func(in Instruction) bool { return in.Name == c.name })
		if i < 0 {
			t.Errorf("%s: no %s", c.arch, c.name)
		} else if got := words.Instructions[i].Kind; got != c.kind {
			t.Errorf("%s: %s is a %s, want a %s", c.arch, c.name, got, c.kind)
		}
	}
}

// C's words are those that its readers know, of tests and of programs: the page's scripts have none of their own.
func TestWordsOfC(t *testing.T) {
	c, _ := OfTests("C")
	kernel, _ := OfTests("LKMM")
	x86, _ := OfTests("X86")
	p := OfPrograms()
	for _, of := range []struct {
		what       string
		have, want []string
	}{
		{"controls of tests", c.Controls, []string{"if", "while", "goto"}},
		{"types of tests", c.Types, []string{"int", "const", "struct", "atomic_uint", "mtx_t"}},
		{"types of the kernel's tests", kernel.Types, []string{"spinlock_t", "u32"}},
		{"controls of programs", p.Controls, []string{"if", "switch"}},
		{
			"types of programs", p.Types,
			[]string{"int", "typedef", "atomic_uint_fast8_t", "pthread_mutex_t", "sem_t", "spinlock_t"},
		},
		{"what programs ask by", p.Asks, []string{"assert", "__VERIFIER_assume", "__CPROVER_atomic_begin", "abort"}},
	} {
		for _, w := range of.want {
			if !slices.Contains(of.have, w) {
				t.Errorf("%s: no %s", of.what, w)
			}
		}
	}
	if slices.Contains(p.Asks, "malloc") || len(x86.Types) > 0 {
		t.Error("malloc asks nothing, and X86 has no types")
	}
}

// A model that names everything that completion offers can be read.
func TestModelsMayUseTheWordsOffered(t *testing.T) {
	words := OfModels()
	names := map[string]string{}
	for _, w := range words.Words {
		if w.Name == "" || w.Help == "" {
			t.Errorf("%s %q has no help", w.Kind, w.Name)
		}
		names[w.Name] = w.Kind
		if w.Kind != "set" && w.Kind != "relation" {
			continue
		}
		text := "let mine = " + w.Name + " | emptyset\nacyclic po"
		if _, err := models.Parse("mine", text, dialect.Vocabulary()); err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
	for name, kind := range map[string]string{
		"po": "relation", "fr": "relation", "MFENCE": "set", "FWR": "set",
		"fencerel": "function", "acyclic": "keyword",
	} {
		if names[name] != kind {
			t.Errorf("%s is a %q, want a %s", name, names[name], kind)
		}
	}
	alone := 0
	for _, f := range words.Files {
		if f.Help == "" || strings.Contains(f.Help, "\n") {
			t.Errorf("%s: help %q", f.Name, f.Help)
		}
		if _, err := models.Parse("mine", "include \""+f.Name+"\"\nacyclic po", dialect.Vocabulary()); err != nil {
			continue // it rests on names of who includes it
		}
		alone++
		for _, d := range f.Defines {
			if d.Kind != "relation" {
				continue
			}
			if _, err := models.Parse("mine", "include \""+f.Name+"\"\nlet mine = "+d.Name+"\nacyclic po",
				dialect.Vocabulary()); err != nil {
				t.Errorf("%s: %s: %v", f.Name, d.Name, err)
			}
		}
	}
	if alone < 20 {
		t.Errorf("%d files to include", alone)
	}
}
