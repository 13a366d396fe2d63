package cmd

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/agreement"
	"litmuscope/solver/pool"
)

var frontends = flag.Int("frontends", 30, "how many programs of the corpus, and a third as many of csmith's, "+
	"TestFrontends sends through clang")

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

// TestFrontends sends programs of the corpus through clang at three levels of optimisation, and compares the verdicts
// with the references and, where they differ, with those of our front end for C. A difference is explained if ours
// says what clang's module says. The log counts what agrees, is explained, is open, and is wrong.
func TestFrontends(t *testing.T) {
	if _, err := exec.LookPath("clang"); err != nil {
		t.Skip("clang is not installed")
	}
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
		for _, r := range refs {
			if r.Model != "lkmm" && r.Model != "vmm" && r.Progress == "" && r.Option == "" {
				all = append(all, r)
			}
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	levels := []string{"-O0", "-O1", "-O2"}
	p, err := pool.New(pool.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	headers := t.TempDir() // clang's own headers come first; 32-bit programs need a file that only another package has
	makeHeaders(t, headers)
	counts := map[string]int{}
	for i, r := range all[:min(*frontends, len(all))] {
		for k, level := range levels {
			if testing.Short() && i%len(levels) != k {
				continue
			}
			verdict, detail := compareFrontends(t.Context(), p, r, level, headers, t.TempDir())
			counts[level+" "+verdict]++
			if verdict == "wrong" {
				t.Errorf("%s %s under %s: %s", r.Label(), level, r.Model, detail)
			} else if verdict != "agreed" {
				t.Logf("%s: %s %s under %s: %s", verdict, r.Label(), level, r.Model, detail)
			}
		}
	}
	t.Logf("%v", counts)
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
	for name, text := range map[string]string{"gnu/stubs-32.h": "", "genmc.h": string(genmc)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// compareFrontends compares a program's verdict through clang with its reference: agreed, explained, open or wrong.
func compareFrontends(
	ctx context.Context, p *pool.Pool, r agreement.ProgramReference, level, headers, dir string,
) (verdict, detail string) {
	source := filepath.Join(r.Folder, r.Path)
	flags := []string{"-D__CONFIG_GENMC_INODE_DATA_SIZE=64", "-I" + filepath.Join(r.Folder, "include")}
	for _, d := range r.Includes {
		flags = append(flags, "-I"+filepath.Join(r.Folder, d))
	}
	for _, m := range r.Macros() {
		flags = append(flags, "-D"+m)
	}
	if r.DataModel == "ILP32" { // ThreadSanitizer has no 32 bits; the data model of the task has
		flags = append(flags, "-m32", "-fno-sanitize=thread", "-idirafter", "/usr/include/x86_64-linux-gnu")
	}
	text, err := clangIR(ctx, dir, source, level, append(flags, "-idirafter", headers)...)
	if err != nil {
		return "open", err.Error()
	}
	task := solver.VerifyTask{Model: models.ByReferenceName(r.Model), Options: solver.DefaultOptions()}
	task.Verify = task.With(strings.Split(r.Property, "+"))
	task.Options.Timeout = 20 * time.Second
	if testing.Short() {
		task.Options.Timeout = 3 * time.Second
	}
	if r.Unroll != nil {
		task.Options.Unroll = *r.Unroll
	}
	v, err := askIR(ctx, p, text, task)
	if err != nil {
		return "open", err.Error()
	}
	found := agreement.CompareProgram(r, v)
	switch {
	case found.Verdict == agreement.Agreed:
		return "agreed", ""
	case v.Status != solver.OK || v.Verdict != solver.Safe && v.Verdict != solver.Unsafe || r.Open(v):
		return "open", cmp.Or(v.Error, v.Reason, string(v.Status))
	}
	return explainDifference(ctx, p, r, task, v, found.Detail)
}

// explainDifference asks our front end for C, too.
func explainDifference(
	ctx context.Context, p *pool.Pool, r agreement.ProgramReference, task solver.VerifyTask, v *solver.Verification,
	detail string,
) (verdict, text string) {
	ours, err := (&agreement.Request{Options: task.Options}).ProgramTask(r)
	if err != nil {
		return "wrong", detail
	}
	w, err := solver.Ask(ctx, p, ours)
	if err != nil || w.Verdict != v.Verdict {
		return "wrong", detail
	}
	return "explained", "our front end for C says the same: " + detail
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
		count = 3
	}
	agreed, open := 0, 0
	for seed := range count {
		sum, source := csmithProgram(t, dir, seed)
		if sum == "" {
			open++
			continue
		}
		level := []string{"-O0", "-O1", "-O2"}[seed%3]
		text, err := clangIR(t.Context(), dir, source, level, "-I"+dir, "-DCHECKSUM="+sum, "-DEND")
		if err != nil {
			t.Fatal(err)
		}
		options := solver.DefaultOptions()
		options.Timeout, options.Unroll = 10*time.Second, 64
		v, err := askIR(t.Context(), p, text, solver.VerifyTask{Model: "sc", Options: options})
		switch {
		case err != nil || v.Status != solver.OK || v.Verdict != solver.Unsafe:
			if err == nil {
				err = fmt.Errorf("%s %s %s %s", v.Status, v.Verdict, v.Error, v.Reason)
			}
			t.Logf("open: csmith --seed %d %s: %v", seed, level, err)
			open++
		case strings.Contains(v.Failure.Text, "the end"): // the assertion behind that of the checksum
			agreed++
		default:
			t.Errorf("csmith --seed %d %s: the checksum is not %s: %s", seed, level, sum, v.Failure.Text)
		}
	}
	t.Logf("%d agreed, %d open", agreed, open)
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
