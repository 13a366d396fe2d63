package agreement

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/suite"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// maxUnroll is the highest bound on loops to try for a reference that has none.
const maxUnroll = 16

// programFolders lists the folders below paths that have references for C programs. There are none if the paths are for
// tests.
func (r *Request) programFolders(paths []string) ([]string, error) {
	if r.Against != "" || r.Expect != "" || r.Within != "" {
		return nil, nil
	}
	var all []string
	for _, p := range paths {
		folders, err := ProgramFolders(p)
		if err != nil {
			return nil, err
		}
		if len(folders) == 0 && len(all) > 0 || len(folders) > 0 && len(all) == 0 && p != paths[0] {
			return nil, fmt.Errorf("%s: tests and programs cannot be compared in one command: run agree once for "+
				"each", p)
		}
		all = append(all, folders...)
	}
	return all, nil
}

// programs lists the comparisons of C programs, nil if the paths are for tests. The tally counts the programs that Skip
// leaves out.
func (r *Request) programs(paths []string, tally *Tally) ([]comparison, error) {
	folders, err := r.programFolders(paths)
	if err != nil || len(folders) == 0 {
		return nil, err
	}
	var skip []Difference
	if r.Skip != "" {
		text, err := os.ReadFile(r.Skip)
		if err != nil {
			return nil, fmt.Errorf("--skip: %w", err)
		}
		if skip, err = ParseDifferences(r.Skip, string(text)); err != nil {
			return nil, err
		}
	}
	out := []comparison{}
	for _, folder := range folders {
		refs, err := LoadPrograms(folder)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			if !r.wants(ref.Model) {
				continue
			}
			if _, ok := Find(skip, path.Join(filepath.Base(folder), ref.Path), ref.Model); ok {
				tally.LeftOut++
				continue
			}
			t, err := r.ProgramTask(ref)
			if err != nil {
				return nil, err
			}
			out = append(out, func(ctx context.Context, runner solver.Runner) (Finding, error) {
				return askProgram(ctx, runner, ref, t)
			})
		}
	}
	return out, nil
}

// ProgramTask makes the task that answers a reference: its program with the macros, folders, properties and bound of
// the reference.
func (r *Request) ProgramTask(ref ProgramReference) (solver.VerifyTask, error) {
	name := path.Join(filepath.ToSlash(ref.Folder), ref.Path)
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		list := filepath.Join(ref.Folder, "reference.jsonl")
		return solver.VerifyTask{}, fmt.Errorf("%s lists a program that cannot be read: %w", list, err)
	}
	file := solver.SourceFile{Name: name, Text: string(text)}
	if ref.Option == "malloc returns zeroed memory" {
		file.Text = fmt.Sprintf("#include <stdlib.h>\n#define malloc(n) calloc(1, n)\n#line 1 %q\n", name) + file.Text
	}
	t := solver.VerifyTask{
		Path: name, Files: []solver.SourceFile{file},
		Defines:   append(ref.Macros(), "__CONFIG_GENMC_INODE_DATA_SIZE=64"),
		DataModel: cmp.Or(strings.ToLower(ref.DataModel), "lp64"), Char: "signed",
		Model: models.ByReferenceName(ref.Model), Engine: r.Engine, Options: r.Options,
	}
	dirs := ref.Includes
	if !slices.Contains(dirs, "include") {
		dirs = append([]string{"include"}, dirs...)
	}
	for _, dir := range dirs {
		dir = path.Join(filepath.ToSlash(ref.Folder), dir)
		if info, err := os.Stat(filepath.FromSlash(dir)); err == nil && info.IsDir() {
			t.Dirs = append(t.Dirs, dir)
		}
	}
	if t.Include, err = suite.Includes(map[string]string{name: file.Text}, t.Dirs, t.Defines); err != nil {
		return t, err
	}
	if as, ok := r.Instead[ref.Model]; ok {
		t.Model, t.ModelText, t.ModelFiles = as.Model, as.ModelText, as.ModelFiles
	}
	for p := range strings.SplitSeq(ref.Property, "+") {
		t.Properties = append(t.Properties, ir.Property(p))
	}
	if ref.Unroll != nil {
		t.Options.Unroll = *ref.Unroll
	}
	// Not all engines count executions.
	t.Count, t.ByReads = ref.Counted(), ref.Counted() && ref.CountKind == RFClasses
	if e, err := engines.Find(r.Engine); err != nil || !e.Counts() {
		t.Count, t.ByReads = false, false
	}
	return t, nil
}

// askProgram verifies a program and compares the answer with its reference. If the reference has no bound on loops, it
// doubles the bound until everything is decided or half of the time is up.
func askProgram(ctx context.Context, runner solver.Runner, ref ProgramReference, t solver.VerifyTask) (Finding, error) {
	switch ref.Progress {
	case "", "fair":
	default:
		err := fmt.Errorf("%s: unknown progress %q: leave it out for fair threads", t.Path, ref.Progress)
		return CompareProgram(ref, engines.Unread(t, err)), nil
	}
	began := time.Now()
	limit := t.Options.Timeout
	var last *solver.Verification
	for {
		v, err := batch.Ask(ctx, runner, t)
		if err != nil {
			return Finding{}, fmt.Errorf("%s: %w", t.Path, err)
		}
		if last == nil || v.Status == solver.OK {
			last = v
		}
		last.MS = float64(time.Since(began)) / float64(time.Millisecond)
		t.Options.Unroll *= 2
		if !ref.Open(v) || t.Options.Unroll > maxUnroll || limit > 0 && time.Since(began) > limit/2 {
			return CompareProgram(ref, last), nil
		}
		if limit > 0 {
			t.Options.Timeout = limit - time.Since(began)
		}
	}
}
