package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/agreement"
	"litmuscope/solver/pool"
)

var (
	frontends = flag.Int("frontends", 30, "how many rows of the corpus, and a third as many programs of csmith, "+
		"TestFrontends and TestFrontendsCsmith send through clang")
	frontendLevels = flag.String("levels", "-O0 -O1 -O2", "the levels of optimisation of these tests")
	frontendTable  = flag.String("table", "", "a file of the answers of TestFrontends: it has those that are asked "+
		"already, and gets the others")
	frontendPage  = flag.String("page", "", "the file that TestFrontendsPage writes the manual's page to")
	frontendLimit = flag.Duration("limit", 20*time.Second, "how long a program may take")
	frontendAgain = flag.String("again", "", "a regular expression of the details of answers in -table to ask again")
)

// clangIR compiles a C program to LLVM IR in a folder, for an optimisation level.
func clangIR(ctx context.Context, dir, source, level string, flags ...string) (string, error) {
	output := filepath.Join(dir, "program.ll")
	args := append([]string{"-w", "-std=gnu17", level}, frontend.Faithful()...)
	args = append(append(args, flags...), "-o", output, source)
	if out, err := exec.CommandContext(ctx, "clang", args...).CombinedOutput(); err != nil {
		first, _, _ := strings.Cut(string(out), "\n")
		return "", fmt.Errorf("clang: %w: %s", err, first)
	}
	text, err := os.ReadFile(output)
	return string(text), err
}

// askIR verifies a module.
func askIR(ctx context.Context, p *pool.Pool, text string, t solver.VerifyTask) (*solver.Verification, error) {
	m, err := assembly.Parse("program.ll", text)
	if err != nil {
		return nil, err
	}
	t.Path, t.Files = "program.ll", []solver.SourceFile{{Name: "program.ll", Text: text}}
	t.Include = frontend.Sources(m)
	return solver.Ask(ctx, p, t)
}

// answer is what TestFrontends found out about a row of the corpus at a level. Verdict is agreed, explained, open or
// wrong, and Detail says why.
type answer struct {
	Level, Folder, Label, Model, Property, Reference, Verdict, Detail string
	Seconds                                                           float64
}

func (a answer) key() string {
	return strings.Join([]string{a.Level, a.Folder, a.Label, a.Model, a.Property}, "\t")
}

// explained is the answer with what testdata/frontends.txt says of a difference.
func (a answer) explained(reasons map[string]string) answer {
	if why := reasons[strings.Join([]string{a.Level, a.Label, a.Model}, " ")]; a.Verdict == "wrong" && why != "" {
		a.Verdict, a.Detail = "explained", why
	}
	return a
}

// TestFrontends sends programs of the corpus through clang at levels of optimisation, and compares the verdicts with
// those of our front end for C and with the references. A difference from a reference is explained if both front ends
// say the same. A difference between the front ends is explained only by testdata/frontends.txt. The log counts what
// agrees, is explained, is open, and is wrong.
func TestFrontends(t *testing.T) {
	if _, err := exec.LookPath("clang"); err != nil {
		t.Skip("clang is not installed")
	}
	all := frontendRows(t)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	p, err := pool.New(pool.Options{Workers: 2, Nice: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	headers := t.TempDir() // clang's own headers come first; 32-bit programs need a file that only another package has
	makeHeaders(t, headers)
	known, reasons := readAnswers(t), frontendReasons(t)
	counts, ours := map[string]int{}, &frontendForC{pool: p, known: map[string]*solver.Verification{}}
	for i, r := range all[:min(*frontends, len(all))] {
		for k, level := range strings.Fields(*frontendLevels) {
			if testing.Short() && i%9 != k {
				continue
			}
			a := answer{
				Level: level, Folder: filepath.Base(r.Folder), Label: r.Label(), Model: r.Model, Property: r.Property,
				Reference: r.Verdict,
			}
			if old, ok := known[a.key()]; ok {
				a = old
			} else {
				began := time.Now()
				a.Verdict, a.Detail = compareFrontends(t.Context(), ours, r, level, headers, t.TempDir())
				a.Seconds = time.Since(began).Seconds()
				addAnswer(t, a)
			}
			a = a.explained(reasons)
			counts[level+" "+a.Verdict]++
			if a.Verdict == "wrong" {
				t.Errorf("%s %s under %s: %s", a.Label, level, a.Model, a.Detail)
			} else if a.Verdict != "agreed" {
				t.Logf("%s: %s %s under %s: %s", a.Verdict, a.Label, level, a.Model, a.Detail)
			}
		}
	}
	t.Logf("%v", counts)
}

// frontendRows lists the corpus's rows.
func frontendRows(t *testing.T) []agreement.ProgramReference {
	t.Helper()
	folders, err := agreement.ProgramFolders(filepath.Join(corpusFolder(t), "programs"))
	if err != nil {
		t.Fatal(err)
	}
	var all []agreement.ProgramReference
	for _, folder := range folders {
		refs, err := agreement.LoadPrograms(folder)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, refs...)
	}
	return all
}

// frontendReasons reads testdata/frontends.txt: by level, label and model, why a verdict differs.
func frontendReasons(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/frontends.txt")
	if err != nil {
		text, err = os.ReadFile("cmd/testdata/frontends.txt")
	}
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if key, why, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			out[key] = why
		}
	}
	return out
}

// readAnswers reads the file -table without the answers that -again wants again.
func readAnswers(t *testing.T) map[string]answer {
	t.Helper()
	out := map[string]answer{}
	if *frontendTable == "" {
		return out
	}
	text, err := os.ReadFile(*frontendTable)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	again := regexp.MustCompile(cmp.Or(*frontendAgain, "^\\x00"))
	for _, a := range parseAnswers(t, string(text)) {
		out[a.key()] = a
	}
	maps.DeleteFunc(out, func(_ string, a answer) bool { return again.MatchString(a.Verdict + ": " + a.Detail) })
	return out
}

// parseAnswers reads a table: each line has an answer. Rows that differ only in what key leaves out have several.
func parseAnswers(t *testing.T, text string) (all []answer) {
	t.Helper()
	for line := range strings.Lines(text) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

func addAnswer(t *testing.T, a answer) {
	t.Helper()
	if *frontendTable == "" {
		return
	}
	f, err := os.OpenFile(*frontendTable, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// makeHeaders writes what clang lacks to read the corpus.
func makeHeaders(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "gnu"), 0o700); err != nil {
		t.Fatal(err)
	}
	genmc, err := os.ReadFile("litmus/c/cprog/read/headers/genmc.h")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gnu/stubs-32.h": "", "genmc.h": string(genmc),
		"zeroed.h": "#include <stdlib.h>\n#define malloc(n) calloc(1, n)\n",
		// clang removes calls of an empty function, and may copy calls of others to both ways of a branch.
		"verifier.h": "void reach_error() __attribute__((noinline, optnone));\n" +
			"void __VERIFIER_atomic_begin() __attribute__((noduplicate));\n" +
			"void __VERIFIER_atomic_end() __attribute__((noduplicate));\n",
		"remove.h": "#include <stdio.h>\n#define remove own_remove\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// compareFrontends compares a program's verdict through clang with that of our front end for C and with its reference:
// agreed, explained, open or wrong.
func compareFrontends(
	ctx context.Context, ours *frontendForC, r agreement.ProgramReference, level, headers, dir string,
) (verdict, detail string) {
	switch {
	case r.Model == "lkmm":
		return "open", "not for clang: macros of the Linux kernel"
	case r.Model == "vmm":
		return "open", "not ours: the model vmm"
	case r.Progress != "" && r.Progress != "fair":
		return "open", "not for clang: threads that are not fair"
	}
	source := filepath.Join(r.Folder, r.Path)
	flags := []string{"-D__CONFIG_GENMC_INODE_DATA_SIZE=64", "-I" + filepath.Join(r.Folder, "include")}
	for _, d := range r.Includes {
		flags = append(flags, "-I"+filepath.Join(r.Folder, d))
	}
	for _, m := range r.Macros() {
		flags = append(flags, "-D"+m)
	}
	if r.Option == "malloc returns zeroed memory" {
		flags = append(flags, "-include", filepath.Join(headers, "zeroed.h"))
	}
	if strings.Contains(r.Path, "-bst/") { // it defines a function remove, which stdio.h declares otherwise
		flags = append(flags, "-include", filepath.Join(headers, "remove.h"))
	}
	if filepath.Base(r.Folder) == "svcomp" {
		flags = append(flags, "-include", filepath.Join(headers, "verifier.h"))
	}
	if r.DataModel == "ILP32" { // ThreadSanitizer has no 32 bits; the data model of the task has
		flags = append(flags, "-m32", "-fno-sanitize=thread", "-idirafter", "/usr/include/x86_64-linux-gnu")
	}
	module, err := clangIR(ctx, dir, source, level, append(flags, "-idirafter", headers)...)
	if err != nil {
		return "open", err.Error()
	}
	task := solver.VerifyTask{Model: models.ByReferenceName(r.Model), Options: solver.DefaultOptions()}
	task.Verify = task.With(strings.Split(r.Property, "+"))
	task.Options.Timeout = *frontendLimit
	if testing.Short() {
		task.Options.Timeout = 3 * time.Second
	}
	if r.Unroll != nil {
		task.Options.Unroll = *r.Unroll
	}
	v, err := deepen(r, task.Options, func(o solver.Options) (*solver.Verification, error) {
		task.Options = o
		return askIR(ctx, ours.pool, module, task)
	})
	if err != nil {
		return "open", err.Error()
	}
	found := agreement.CompareProgram(r, v)
	if found.Verdict != agreement.Agreed && (!decided(v) || r.Open(v)) {
		return "open", cmp.Or(v.Error, v.Reason, "a larger bound on loops may show a failure")
	}
	detail = found.Detail
	if v.Failure != nil {
		detail += fmt.Sprintf(" (%s:%d: %s)", filepath.Base(v.Failure.File), v.Failure.Line, v.Failure.Text)
	}
	w, err := ours.ask(ctx, r, task.Options)
	switch {
	case err == nil && decided(v) && decided(w) && v.Verdict != w.Verdict:
		return "wrong", fmt.Sprintf("through clang %s, by the front end for C %s %s", v.Verdict, w.Verdict, detail)
	case found.Verdict == agreement.Agreed:
		return "agreed", ""
	case err != nil || !decided(w):
		return "wrong", detail
	}
	return "explained", "the front end for C says the same: " + detail
}

// decided reports whether an answer has a verdict.
func decided(v *solver.Verification) bool {
	return v.Status == solver.OK && (v.Verdict == solver.Safe || v.Verdict == solver.Unsafe)
}

// deepen asks about a program of the corpus. Without a bound in the reference, it doubles the bound until everything is
// decided, or half the time is over.
func deepen(
	r agreement.ProgramReference, o solver.Options, ask func(solver.Options) (*solver.Verification, error),
) (v *solver.Verification, err error) {
	for began := time.Now(); ; {
		w, err := ask(o)
		if err != nil {
			return nil, err
		}
		if v == nil || w.Status == solver.OK {
			v = w
		}
		o.Unroll *= 2
		if !r.Open(w) || o.Unroll > 16 || time.Since(began) > o.Timeout/2 {
			return v, nil
		}
	}
}

// frontendForC asks our front end for C about rows of the corpus, once for all levels of optimisation.
type frontendForC struct {
	pool  *pool.Pool
	known map[string]*solver.Verification
}

func (f *frontendForC) ask(
	ctx context.Context, r agreement.ProgramReference, o solver.Options,
) (*solver.Verification, error) {
	key := answer{Folder: r.Folder, Label: r.Label(), Model: r.Model, Property: r.Property}.key()
	if v, ok := f.known[key]; ok {
		return v, nil
	}
	if o.Unroll = solver.DefaultOptions().Unroll; r.Unroll != nil {
		o.Unroll = *r.Unroll
	}
	v, err := deepen(r, o, func(o solver.Options) (*solver.Verification, error) {
		task, err := (&agreement.Request{Options: o}).ProgramTask(r)
		if err != nil {
			return nil, err
		}
		if task.Count, task.ByReads = false, false; r.Unroll == nil {
			task.Options.Unroll = o.Unroll
		}
		return solver.Ask(ctx, f.pool, task)
	})
	if err == nil {
		f.known[key] = v
	}
	return v, err
}

// What && and || and ?: do not evaluate orders nothing, by any front end: a compiler may branch, so the store behind
// first || second depends on the second read only if the first one has read 0. What they choose is an address that
// depends on the choice no more than behind a branch, which does not order reads.
func TestFrontendsConditions(t *testing.T) {
	p, err := pool.New(pool.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const safe, unsafe = solver.Safe, solver.Unsafe
	for _, c := range []struct {
		file, define string
		want, imm    solver.Verdict
	}{
		{"conditions.c", "CONDITION=first || second", unsafe, unsafe},
		{"conditions.c", "CONDITION=!(!first && !second)", unsafe, unsafe},
		{"conditions.c", "CONDITION=first | second", safe, safe},
		{"conditions.c", "CONDITION=first && second >= 0", safe, safe},
		{"choices.c", "CHOICE=f", safe, unsafe}, // nothing of imm orders reads of relaxed atomics
		{"choices.c", "CHOICE=f != 0", safe, unsafe},
		{"choices.c", "CHOICE=f ? 1 : 0", unsafe, unsafe},
		{"choices.c", "CHOICE=f ? f : 0", safe, unsafe},
		{"choices.c", "CHOICE=f && 1", unsafe, unsafe},
		{"choices.c", "CHOICE=f || 0", unsafe, unsafe},
		{"choices.c", "WRITES;CHOICE=f", safe, safe},
		{"choices.c", "WRITES;CHOICE=f ? 1 : 0", safe, safe},
		{"choices.c", "WRITES;CHOICE=f && 1", safe, safe},
	} {
		text, err := os.ReadFile("cmd/testdata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, model := range []string{"aarch64", "power", "riscv", "imm"} {
			want := c.want
			if model == "imm" {
				want = c.imm
			}
			task := solver.VerifyTask{Model: model, Options: solver.DefaultOptions()}
			ours := task
			ours.Path, ours.Defines = c.file, strings.Split(c.define, ";")
			ours.Files = []solver.SourceFile{{Name: ours.Path, Text: string(text)}}
			v, err := solver.Ask(t.Context(), p, ours)
			if err != nil || v.Verdict != want {
				t.Errorf("%s under %s: %v %v, want %s", c.define, model, err, v, want)
			}
			if _, err := exec.LookPath("clang"); err != nil || testing.Short() && model != "riscv" {
				continue
			}
			// An optimisation may make the dependency that the source lacks, but clang -O0 does not.
			var flags []string
			for _, d := range ours.Defines {
				flags = append(flags, "-D"+d)
			}
			module, err := clangIR(t.Context(), t.TempDir(), "cmd/testdata/"+c.file, "-O0", flags...)
			if err != nil {
				t.Fatal(err)
			}
			if v, err = askIR(t.Context(), p, module, task); err != nil || v.Verdict != want {
				t.Errorf("%s under %s by clang -O0: %v %v, want %s", c.define, model, err, v, want)
			}
		}
	}
}

// TestFrontendsCsmith verifies that programs of csmith have the checksum, through clang, that they print.
func TestFrontendsCsmith(t *testing.T) {
	for _, name := range []string{"clang", "csmith"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"checksum.h", "csmith.h"} {
		text, err := cprogtest.Headers.ReadFile("include/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := pool.New(pool.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	count := max(3, *frontends/3)
	if testing.Short() {
		count = 2
	}
	levels := strings.Fields(*frontendLevels)
	counts := map[string]int{}
	for seed := range count {
		sum, source := csmithProgram(t, dir, seed)
		a := answer{
			Level: levels[seed%len(levels)], Folder: csmithFolder, Label: fmt.Sprintf("csmith --seed %d", seed),
			Model: "sc", Property: string(ir.Assertion), Reference: sum,
			Verdict: "open", Detail: "the program runs for a second or more",
		}
		if sum != "" {
			a.Verdict, a.Detail = askCsmith(t, p, a, source)
		}
		addAnswer(t, a)
		counts[a.Verdict]++
		if a.Verdict == "wrong" {
			t.Errorf("%s %s: %s", a.Label, a.Level, a.Detail)
		} else if a.Verdict == "open" {
			t.Logf("open: %s %s: %s", a.Label, a.Level, a.Detail)
		}
	}
	t.Logf("%v", counts)
}

// csmithFolder stands for a folder of the corpus in answers about programs of csmith.
const csmithFolder = "csmith"

// askCsmith verifies that a program has the checksum of the reference.
func askCsmith(t *testing.T, p *pool.Pool, a answer, source string) (verdict, detail string) {
	t.Helper()
	text, err := clangIR(t.Context(), filepath.Dir(source), source, a.Level, "-I"+filepath.Dir(source),
		"-DCHECKSUM="+a.Reference, "-DEND")
	if err != nil {
		t.Fatal(err)
	}
	options := solver.DefaultOptions()
	options.Timeout, options.Unroll = 10*time.Second, 64
	v, err := askIR(t.Context(), p, text, solver.VerifyTask{Model: a.Model, Options: options})
	switch {
	case err != nil:
		return "open", err.Error()
	case v.Status == solver.OK && v.Verdict == solver.Safe && v.Complete:
		return "wrong", "the end is not reached"
	case v.Status != solver.OK || v.Verdict != solver.Unsafe:
		return "open", cmp.Or(v.Error, v.Reason, "a larger bound on loops may show the end")
	case strings.Contains(v.Failure.Text, "the end"): // the assertion behind that of the checksum
		return "agreed", ""
	}
	return "wrong", fmt.Sprintf("the checksum is not %s: %s", a.Reference, v.Failure.Text)
}

// csmithProgram writes a program and returns the checksum that it prints, or "" if it runs for more than a second.
func csmithProgram(t *testing.T, dir string, seed int) (sum, source string) {
	t.Helper()
	c := exec.Command("csmith", "--seed", fmt.Sprint(seed), "--no-volatiles", "--no-argc", "--concise",
		"--no-hash-value-printf")
	c.Dir = dir // it writes a log beside
	text, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	source = filepath.Join(dir, "program.c")
	if err := os.WriteFile(source, text, 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program")
	out, err := exec.Command("clang", "-w", "-std=gnu17", "-I", dir, "-o", binary, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	out, err = exec.CommandContext(ctx, binary).Output()
	if err != nil {
		return "", source
	}
	return strings.TrimSpace(string(out)), source
}

// TestFrontendsPage writes the manual's page -page from the answers in -table.
func TestFrontendsPage(t *testing.T) {
	if *frontendPage == "" {
		t.Skip("-page is the file that it writes")
	}
	version, err := exec.Command("clang", "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(version), "\n")
	var answers []answer
	reasons := frontendReasons(t)
	text, err := os.ReadFile(*frontendTable)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range parseAnswers(t, string(text)) {
		answers = append(answers, a.explained(reasons))
	}
	if err := os.WriteFile(*frontendPage, []byte(frontendsPage(first, answers)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// frontendsPage is the page for answers: what agrees by collection and level, and why the rest does not.
func frontendsPage(version string, answers []answer) string {
	levels, verdicts := []string{"-O0", "-O1", "-O2"}, []string{"agreed", "explained", "open", "wrong"}
	counts, why := map[string]int{}, map[string]map[string]int{}
	folders, rows := map[string]bool{}, 0
	for _, a := range answers {
		counts[a.Folder+a.Level+a.Verdict]++
		if folders[a.Folder] = true; a.Folder != csmithFolder && a.Level == levels[0] {
			rows++
		}
		if a.Verdict != "agreed" {
			reason := a.Verdict + " | " + frontendReason(a)
			if why[reason] == nil {
				why[reason] = map[string]int{}
			}
			why[reason]["`"+a.Label+"`"]++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Two front ends for C

Programs in C++ and Rust reach the engines [as LLVM IR](../cpp.md), and programs in C through a front end of their own.
This page compares the two. clang compiles each C program of the corpus to LLVM IR at three levels of optimisation, and
both front ends answer the same question about it. The corpus has %d rows: a program, a model, a property, and a verdict
that another tool has published. csmith writes random programs without threads; each must have the checksum that it
prints.

The compiler is %s. `+"`./task frontends`"+` asks again and writes this page.

- *agreed*: the verdict is that of the front end for C, as far as it has one, and of the reference.
- *explained*: it differs from the reference or from the other front end, and the last table says why.
- *open*: there is no verdict.
- *wrong*: it differs, and nothing explains it.

| programs |`, rows, version)
	for _, level := range levels {
		fmt.Fprintf(&b, " `clang %s` |", level)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(levels)) + "\n")
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		fmt.Fprintf(&b, "| %s |", folder)
		for _, level := range levels {
			var cell []string
			for _, verdict := range verdicts {
				if n := counts[folder+level+verdict]; n > 0 || verdict == "wrong" {
					cell = append(cell, fmt.Sprintf("%d %s", n, verdict))
				}
			}
			b.WriteString(" " + strings.Join(cell, ", ") + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## What is not agreed\n\n| answer | why | answers | programs |\n|---|---|---|---|\n")
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		n := 0
		for _, k := range why[reason] {
			n += k
		}
		programs := slices.Sorted(maps.Keys(why[reason]))
		if len(programs) > 4 {
			programs = []string{solver.Count(len(programs), "program")}
		}
		fmt.Fprintf(&b, "| %s | %d | %s |\n", reason, n, strings.Join(programs, ", "))
	}
	return b.String()
}

// frontendReason is what a page says of an answer, without figures and places.
func frontendReason(a answer) string {
	for part, says := range map[string]string{
		"time limit": "a time limit came first", "4096 memory cells": "an access may reach too many memory cells",
		"is neither defined":           "the program calls `sscanf`",
		"no multiple of the alignment": "`memmove` of a size that is no multiple of the alignment",
	} {
		if strings.Contains(a.Detail, part) {
			return says
		}
	}
	if strings.Contains(a.Detail, "behaviour is undefined") {
		return "no property fails, but behaviour is undefined"
	}
	return strings.TrimPrefix(strings.TrimPrefix(a.Detail, "the front end for C says the same: "), " ")
}
