package cmd

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
	"litmuscope/solver/agreement"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// maxUnroll is how far a bound on loops is raised for a reference that has none.
const maxUnroll = 16

// programFolders are the folders below paths that have references for C programs. There
// are none where the paths are for tests.
func (f *agreeFlags) programFolders(paths []string) ([]string, error) {
	if f.against != "" || f.expect != "" || f.within != "" {
		return nil, nil
	}
	var all []string
	for _, p := range paths {
		folders, err := agreement.ProgramFolders(p)
		if err != nil {
			return nil, err
		}
		if len(folders) == 0 && len(all) > 0 || len(folders) > 0 && len(all) == 0 && p != paths[0] {
			return nil, fmt.Errorf("%s: tests and programs are not compared at once", p)
		}
		all = append(all, folders...)
	}
	return all, nil
}

// programs lists what is to be compared of C programs; nil where the paths are for tests.
func (f *agreeFlags) programs(paths []string, tally *agreement.Tally) ([]comparison, error) {
	folders, err := f.programFolders(paths)
	if err != nil || len(folders) == 0 {
		return nil, err
	}
	var skip []agreement.Difference
	if f.skip != "" {
		text, err := os.ReadFile(f.skip)
		if err != nil {
			return nil, fmt.Errorf("--skip: %w", err)
		}
		if skip, err = agreement.ParseDifferences(f.skip, string(text)); err != nil {
			return nil, err
		}
	}
	out := []comparison{}
	for _, folder := range folders {
		refs, err := agreement.LoadPrograms(folder)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			if !f.wants(ref.Model) {
				continue
			}
			if _, ok := agreement.Find(skip, path.Join(filepath.Base(folder), ref.Path), ref.Model); ok {
				tally.LeftOut++
				continue
			}
			t, err := f.programTask(ref)
			if err != nil {
				return nil, err
			}
			out = append(out, func(ctx context.Context) (agreement.Finding, error) { return f.askProgram(ctx, ref, t) })
		}
	}
	return out, nil
}

// programTask is what is asked for a reference.
func (f *agreeFlags) programTask(ref agreement.ProgramReference) (solver.VerifyTask, error) {
	name := path.Join(filepath.ToSlash(ref.Folder), ref.Path)
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		return solver.VerifyTask{}, fmt.Errorf("%s names a program that cannot be read: %w", filepath.Join(ref.Folder, "reference.jsonl"), err)
	}
	file := solver.SourceFile{Name: name, Text: string(text)}
	if ref.Option == "malloc returns zeroed memory" {
		file.Text = fmt.Sprintf("#include <stdlib.h>\n#define malloc(n) calloc(1, n)\n#line 1 %q\n", name) + file.Text
	}
	t := solver.VerifyTask{
		Path: name, Files: []solver.SourceFile{file},
		Defines: append(ref.Macros(), "__CONFIG_GENMC_INODE_DATA_SIZE=64"), DataModel: cmp.Or(strings.ToLower(ref.DataModel), "lp64"), Char: "signed",
		Model: models.Ours(ref.Model), Engine: f.engine, Options: f.options,
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
	if as, ok := f.instead[ref.Model]; ok {
		t.Model, t.ModelText, t.ModelFiles = as.Model, as.ModelText, as.ModelFiles
	}
	for p := range strings.SplitSeq(ref.Property, "+") {
		t.Properties = append(t.Properties, ir.Property(p))
	}
	if ref.Unroll != nil {
		t.Options.Unroll = *ref.Unroll
	}
	// Not all engines count executions.
	t.Count, t.ByReads = ref.Counted(), ref.Counted() && ref.CountKind == agreement.RFClasses
	if e, err := engines.Find(f.engine); err != nil || !e.Counts() {
		t.Count, t.ByReads = false, false
	}
	return t, nil
}

// askProgram has a program verified. Where the reference has no bound on loops, the bound is raised for
// as long as it leaves something open and there is time.
func (f *agreeFlags) askProgram(ctx context.Context, ref agreement.ProgramReference, t solver.VerifyTask) (agreement.Finding, error) {
	switch ref.Progress {
	case "", "fair":
	default:
		return agreement.CompareProgram(ref, engines.Unread(t, fmt.Errorf("%s: progress of threads that is %s", t.Path, ref.Progress))), nil
	}
	began := time.Now()
	limit := t.Options.Timeout
	var last *solver.Verification
	for {
		v, err := batch.Ask(ctx, f.runner, t)
		if err != nil {
			return agreement.Finding{}, fmt.Errorf("%s: %w", t.Path, err)
		}
		if last == nil || v.Status == solver.OK {
			last = v
		}
		last.MS = float64(time.Since(began)) / float64(time.Millisecond)
		t.Options.Unroll *= 2
		if !ref.Open(v) || t.Options.Unroll > maxUnroll || limit > 0 && time.Since(began) > limit/2 {
			return agreement.CompareProgram(ref, last), nil
		}
		if limit > 0 {
			t.Options.Timeout = limit - time.Since(began)
		}
	}
}
