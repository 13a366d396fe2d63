package engines

import (
	"path"
	"strings"

	"litmuscope/litmus/c/cprog"
	"litmuscope/models"
	"litmuscope/solver"
)

// abiOf is that of the machine for which a model compiles a task's program: the one that its target names, or else the
// model's, with the data model and the kind of plain char that the task asks for. Models of languages, and generic
// ones, are of x86-64. Without a model, the task's name of it tells.
func abiOf(t solver.VerifyTask, m *models.Model) (cprog.ABI, error) {
	arch := ""
	if t.Target != "" {
		if _, mapping, err := target(t.Target); err == nil && mapping != nil {
			arch = mapping.Arch
		}
	}
	for _, name := range modelNames(t, m) {
		if own := models.FactsOf(name).Languages; arch == "" && len(own) > 0 {
			arch = own[0]
		}
	}
	return cprog.ABIOf(arch).With(t.DataModel, t.Char)
}

// modelNames are the built-in models' names that the model of a task may go by, the likeliest first. A user's model
// counts by its name, as aarch64.cat does, or else by the names in it.
func modelNames(t solver.VerifyTask, m *models.Model) []string {
	base, _ := models.Split(t.Model)
	names := []string{strings.TrimSuffix(path.Base(base), ".cat")}
	if m != nil {
		names = []string{m.Name, names[0], strings.SplitN(m.Name, "~", 2)[0]}
	}
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	return names
}

// Macros are the macro definitions in force before a task's program, as sorted #define lines. Its error is the user's.
func Macros(t solver.VerifyTask) ([]string, error) {
	_, m, err := admitVerify(t)
	if err != nil {
		return nil, err
	}
	s, err := source(t, m)
	if err != nil {
		return nil, err
	}
	return s.Macros()
}

// showABI says in an answer how long and plain char are, where that is unusual or asked for.
func showABI(v *solver.Verification, t solver.VerifyTask, abi cprog.ABI) {
	usual := cprog.ABI{}
	if t.DataModel != "" || abi.ILP32 {
		v.DataModel = abi.DataModel()
	}
	if t.Char != "" || abi.Char() != usual.Char() {
		v.Char = abi.Char()
	}
}

// Undefine is what a definition begins with that takes a macro away.
const Undefine = cprog.Undefine

// DataModels are the widths of long and of pointers.
func DataModels() []string { return cprog.DataModels() }

// Chars are the kinds of plain char.
func Chars() []string { return cprog.Chars() }
