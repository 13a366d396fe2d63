package mutants

import (
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/library"
)

// Mutant is a built-in model with one part left out.
type Mutant struct {
	Name  string     // aarch64~external; "dob without ctrl-dep ; [W]", with its line where there are two of the name
	In    string     // the axiom, or the definition that contains the term
	Term  string     // "" if an axiom is left out
	Pos   litmus.Pos // of the term
	Text  string     // the changed text; "" if Name names a variant
	Files map[string]string
	Model *models.Model // the resulting model
}

// shared is the file that gives the generic tags of instructions a meaning, in the models of all architectures.
const shared = "generic.cat"

// Of lists the mutants of a built-in model: without each of its axioms in turn, and without each operand of a union in
// its definitions and axioms, including those in files that no other architecture uses. A mutant whose text does not
// resolve is left out. Of returns nil for a name that is not built in.
func Of(name string) []Mutant {
	m, ok := models.Find(name)
	if !ok || !m.IsBuiltIn() {
		return nil
	}
	var out []Mutant
	for _, axiom := range m.Axioms {
		if less, err := m.Less([]string{axiom.Name}); err == nil {
			out = append(out, Mutant{Name: name + "~" + axiom.Name, In: axiom.Name, Model: less})
		}
	}
	files, _ := models.Texts(name)
	for i, f := range files {
		if f.Name == shared || f.Name == library.Prelude {
			continue
		}
		for _, t := range cat.Terms(f.Name, f.Text) {
			mutant := Mutant{
				Name: fmt.Sprintf("%s without %s", t.In, t.Text), Pos: t.Pos, In: t.In, Term: t.Text,
				Text: files[0].Text,
			}
			if less := t.Without(f.Text); i == 0 {
				mutant.Text = less
			} else {
				mutant.Files = map[string]string{f.Name: less}
			}
			if slices.ContainsFunc(out, func(other Mutant) bool { return other.Name == mutant.Name }) {
				mutant.Name += fmt.Sprintf(" in line %d", t.Pos.Line)
			}
			var err error
			if mutant.Model, err = models.ParseWith(mutant.Name, mutant.Text, mutant.Files,
				dialect.Vocabulary()); err == nil {
				out = append(out, mutant)
			}
		}
	}
	return out
}
