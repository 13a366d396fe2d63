package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/agreement"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
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

// programRow is a reference, and how its program's answer compares.
type programRow struct {
	ref     agreement.ProgramReference
	task    solver.VerifyTask
	finding agreement.ProgramFinding
	err     error
}

// agreePrograms holds answers for C programs against their references.
func (f *agreeFlags) agreePrograms(ctx context.Context, folders []string, known []agreement.Difference) error {
	rows, leftOut, err := f.programRows(folders)
	if err != nil {
		return err
	}
	children, err := pool.New(pool.Options{Workers: f.workers})
	if err != nil {
		return err
	}
	defer children.Close()
	tally := agreement.NewProgramTally(known)
	tally.LeftOut = leftOut
	err = batch.InOrder(ctx, f.workers, slices.Values(rows),
		func(ctx context.Context, r programRow) programRow {
			r.finding, r.err = f.ask(ctx, children, r)
			return r
		},
		func(r programRow) error {
			if r.err == nil {
				tally.Add(r.finding)
			}
			return r.err
		})
	if err != nil && !batch.Interrupted(err) {
		fmt.Fprintln(os.Stderr, "litmuscope:", err)
		return errNotAll
	}
	if err := tally.Print(os.Stdout); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "litmuscope: interrupted")
		return errNotAll
	case tally.Count(agreement.Disagreed)+tally.Miscounted() > 0, f.all && tally.Count(agreement.Unsupported)+tally.Count(agreement.Undecided) > 0:
		return errNotAll
	}
	return nil
}

// programRows are the references with what is asked for each, and how many are left out by name.
func (f *agreeFlags) programRows(folders []string) (rows []programRow, leftOut int, err error) {
	var skip []agreement.Difference
	if f.skip != "" {
		text, err := os.ReadFile(f.skip)
		if err != nil {
			return nil, 0, fmt.Errorf("--skip: %w", err)
		}
		if skip, err = agreement.ParseDifferences(f.skip, string(text)); err != nil {
			return nil, 0, err
		}
	}
	for _, folder := range folders {
		refs, err := agreement.LoadPrograms(folder)
		if err != nil {
			return nil, 0, err
		}
		for _, ref := range refs {
			if !f.wants(ref.Model) {
				continue
			}
			if _, ok := agreement.Find(skip, path.Join(filepath.Base(folder), ref.Path), ref.Model); ok {
				leftOut++
				continue
			}
			t, err := f.programTask(ref)
			if err != nil {
				return nil, 0, err
			}
			rows = append(rows, programRow{ref: ref, task: t})
		}
	}
	if len(rows) == 0 {
		return nil, 0, fmt.Errorf("there is nothing to compare in the given paths")
	}
	return rows, leftOut, nil
}

// theirNames are models by the names that references have for them, where ours are others.
var theirNames = map[string]string{"c11-orig": "c11", "c11": "c11-psc"}

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
		Defines: append(ref.Macros(), "__CONFIG_GENMC_INODE_DATA_SIZE=64"), ILP32: ref.DataModel == "ILP32",
		Model: ref.Model, Engine: f.engine, Options: f.options,
	}
	for _, dir := range append([]string{"include"}, ref.Includes...) {
		dir = path.Join(filepath.ToSlash(ref.Folder), dir)
		if info, err := os.Stat(filepath.FromSlash(dir)); err == nil && info.IsDir() {
			t.Dirs = append(t.Dirs, dir)
		}
	}
	if t.Include, err = suite.Includes(map[string]string{name: file.Text}, t.Dirs); err != nil {
		return t, err
	}
	if as, ok := f.instead[ref.Model]; ok {
		t.Model, t.ModelText, t.ModelFiles = as.Model, as.ModelText, as.ModelFiles
	} else if ours, ok := theirNames[ref.Model]; ok {
		t.Model = ours
	}
	for p := range strings.SplitSeq(ref.Property, "+") {
		t.Properties = append(t.Properties, ir.Property(p))
	}
	if ref.Unroll != nil {
		t.Options.Unroll = *ref.Unroll
	}
	// The default engine alone counts executions.
	t.Count = ref.Counted() && f.engine == engines.Names()[0]
	t.ByReads = t.Count && ref.CountKind == agreement.RFClasses
	return t, nil
}

// ask has a row's program verified. Where the reference has no bound on loops, the bound is raised for
// as long as it leaves something open and there is time.
func (f *agreeFlags) ask(ctx context.Context, children *pool.Pool, r programRow) (agreement.ProgramFinding, error) {
	switch r.ref.Progress {
	case "", "fair":
	default:
		return agreement.CompareProgram(r.ref, engines.Unread(r.task, fmt.Errorf("%s: progress of threads that is %s", r.task.Path, r.ref.Progress))), nil
	}
	began := time.Now()
	limit := r.task.Options.Timeout
	var last *solver.Verification
	for {
		v, err := solver.Ask(ctx, children, r.task)
		var died *solver.Died
		switch {
		case errors.As(err, &died) && ctx.Err() == nil:
			v, err = engines.Unread(r.task, died), nil
		case err == nil:
			err = ctx.Err()
		}
		if err != nil {
			return agreement.ProgramFinding{}, fmt.Errorf("%s: %w", r.task.Path, err)
		}
		if last == nil || v.Status == solver.OK {
			last = v
		}
		last.MS = float64(time.Since(began)) / float64(time.Millisecond)
		r.task.Options.Unroll *= 2
		if !r.ref.Open(v) || r.task.Options.Unroll > maxUnroll || limit > 0 && time.Since(began) > limit/2 {
			return agreement.CompareProgram(r.ref, last), nil
		}
		if limit > 0 {
			r.task.Options.Timeout = limit - time.Since(began)
		}
	}
}
