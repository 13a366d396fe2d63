package drawingtest

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Found are executions of a test under a model: one of each state, and the near miss of
// what is forbidden.
func Found(ctx context.Context, name, source, model string, states int) ([]*models.Graph, error) {
	o := solver.DefaultOptions()
	o.Witnesses, o.Explain, o.States, o.Executions = true, true, states, 0
	r, err := engines.Run(ctx, solver.Task{Path: name, Source: source, Model: model, Engine: "axiomatic", Options: o})
	if err != nil {
		return nil, err
	}
	var out []*models.Graph
	for _, o := range r.Outcomes {
		if o.Graph != nil {
			out = append(out, o.Graph)
		}
	}
	if r.Explanation != nil && r.Explanation.Graph != nil {
		out = append(out, r.Explanation.Graph)
	}
	return out, nil
}

// Failure is how a program of the catalogue fails, if it is known to.
func Failure(ctx context.Context, p catalogue.Program, b catalogue.Build, k catalogue.Known) (*models.Graph, error) {
	if k.Verdict != "unsafe" || b.Large {
		return nil, nil
	}
	o := solver.DefaultOptions()
	o.Witnesses, o.Timeout = true, 20*time.Second
	if b.Unroll > 0 {
		o.Unroll = b.Unroll
	}
	v, err := engines.Run(ctx, solver.VerifyTask{
		Path: p.File(), Files: []solver.SourceFile{{Name: p.File(), Text: p.Source}}, Defines: b.Defines,
		Model: k.Model, Options: o,
	})
	if err != nil || v.Failure == nil {
		return nil, err
	}
	return v.Failure.Graph, nil
}

// Corpus are the reference corpus's tests in an order that mixes dialects, and is always the same; none where there
// is no corpus. LITMUSCOPE_CORPUS says where it is.
func Corpus() []string {
	folder := os.Getenv("LITMUSCOPE_CORPUS")
	if folder == "" {
		folder = "../../../../shared/corpus"
	}
	var files []string
	for _, arch := range []string{"x86", "x86_64", "ppc", "arm", "aarch64", "riscv", "mips", "c11", "lkmm"} {
		_ = filepath.WalkDir(filepath.Join(folder, arch), func(path string, e fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".litmus" {
				files = append(files, path)
			}
			return nil
		})
	}
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(files), func(i, k int) { files[i], files[k] = files[k], files[i] })
	return files
}
