package engines

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/recognise"
	"litmuscope/models"
	"litmuscope/solver"
)

// VerifyOptions are the options that verification has, some with words of their own. Which engines heed
// one is as Heeding says.
var VerifyOptions = verifyOptions(map[string]string{
	"timeout":   "time limit for one program under one model; 0 = none",
	"unroll":    "rounds of a loop whose number of rounds is not known in advance, and depth of recursion",
	"memory":    "memory limit for one program, in MiB; 0 = none",
	"witnesses": "add the execution of an unsafe program",
	"rounds":    "", "buffer": "", "timestamps": "", "nodes": "", "k": "", "solver": "",
})

func verifyOptions(words map[string]string) []solver.Option {
	var out []solver.Option
	for _, opt := range solver.OptionTable {
		if help, ok := words[opt.Name]; ok {
			opt.Help = cmp.Or(help, opt.Help)
			out = append(out, opt)
		}
	}
	return out
}

// Verifiers are the engines that verify programs, the default first.
func Verifiers() []Engine {
	all := append([]Engine{auto}, slices.DeleteFunc(All(), func(e Engine) bool { return !e.verifies() })...)
	for i := range all {
		if s, ok := all[i].engine.(selective); ok {
			all[i].Models = s.Verifies()
		}
	}
	return all
}

// VerifierNames lists the names of [Verifiers].
func VerifierNames() []string {
	names := []string{Auto}
	for _, e := range table {
		if e.verifies() {
			names = append(names, e.Name)
		}
	}
	return names
}

// VerifyModels lists the built-in models that make sense for a task's program, and says which is the default.
func VerifyModels(t solver.VerifyTask) (all []string, own string) {
	tongue := ProgramTongue(t)
	own = models.Default(tongue)
	if e, err := Find(t.Engine); err == nil {
		own = e.ModelFor("", tongue)
	}
	for _, name := range models.Names() {
		if models.FactsOf(name).IsLanguage() && !slices.Contains(models.For(tongue), name) {
			continue
		}
		all = append(all, name)
	}
	return all, own
}

// ProgramReading describes a program before its verification.
type ProgramReading struct {
	Bad    litmus.ErrorList `json:"bad,omitempty"` // why it cannot be
	Kernel bool             `json:"kernel"`        // it uses the kernel's primitives
	Models []string         `json:"models"`        // that make sense for it
	Model  string           `json:"model"`         // the default
}

// programErrors lists the errors of a program: one, if its only file is no C program but a text of another kind.
func programErrors(t solver.VerifyTask, err error) litmus.ErrorList {
	errs := litmus.Errors(err)
	if len(t.Files) != 1 || len(errs) == 0 || errs[0].Pos.File != t.Files[0].Name ||
		strings.HasSuffix(t.Files[0].Name, ".ll") {
		return errs
	}
	return recognise.ProgramErrors(t.Files[0].Name, t.Files[0].Text, errs)
}

// ReadProgram reads a task's program, and runs nothing.
func ReadProgram(t solver.VerifyTask) (*ProgramReading, error) {
	r := &ProgramReading{Kernel: ProgramTongue(t) == dialect.Kernel}
	r.Models, r.Model = VerifyModels(t)
	s, err := source(t, nil)
	if err != nil {
		return nil, err
	}
	if err := cprog.Check(context.Background(), s,
		cprog.Options{
			Entry: t.Entry, Unroll: t.Options.Unroll, Properties: t.Properties,
			Relaxed: relaxedOf(t),
		}); err != nil {
		r.Bad = few(programErrors(t, err))
	}
	return r, nil
}
