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

// Mutant is a built-in model with a part of it left out.
type Mutant struct {
	Name  string     // aarch64~external; "dob without ctrl-dep ; [W]", with its line where there are two of the name
	In    string     // the axiom, or what the term is a part of
	Term  string     // "" where an axiom is left out
	Pos   litmus.Pos // of the term
	Text  string     // its own text, "" where Name is that of a variant
	Files map[string]string
	Model *models.Model // what all this is
}

// shared gives instructions' generic tags their meaning, in the models of all architectures.
const shared = "generic.cat"

// Of lists the mutants of a built-in model: it without each of its axioms in turn, and without each operand of
// a union in its definitions and axioms, those of the files among them that it shares with no other architecture's.
// A text that is no model without the part is left out: where a definition would have no kind, say. There are
// none by other names.
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
