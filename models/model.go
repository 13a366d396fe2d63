package models

import (
	"fmt"
	"slices"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models/analysis"
	"litmuscope/models/cat"
	"litmuscope/models/plan"
)

// Model is a memory model, ready to be evaluated.
type Model struct {
	Name  string // "tso", or the name of its file
	Title string // the model's own title
	Text  string // its source
	*cat.Model

	key   func() string
	plan  func() *plan.Plan // for checkers
	mixed func() (*Model, error)

	forgetful func() *Model // [Model.Forgetful]

	words ir.Vocabulary
	ready *prepared
	said  []cat.Axiom // its axioms, including those that others imply
	added []litmus.Remark

	// Properties of the axioms, found once.
	coherent, forbidsThinAir bool
	forgets                  analysis.Forgetting
	total                    bool            // it preserves all of program order
	names                    map[string]bool // of the sets and relations that they rest on
}

// Parse parses a model in the cat language that uses the tags of a vocabulary. It may include the library's files.
func Parse(name, text string, words ir.Vocabulary) (*Model, error) {
	return ParseWith(name, text, nil, words)
}

// Key identifies the model's meaning: models with equal keys give equal answers. It is a hash of the model's text and
// of all that it may include.
func (m *Model) Key() string { return m.key() }

// Plan returns what checkers compute for the model. It is planned once.
func (m *Model) Plan() *plan.Plan { return m.plan() }

// Mixed returns the model for tests in which accesses overlap in part, so that they consist of pieces: there, sm is
// larger than the identity. It fails for a model that does not use sm.
func (m *Model) Mixed() (*Model, error) {
	mixed, err := m.mixed()
	if err != nil {
		if why := m.facts().Unsettled; why != "" {
			return nil, fmt.Errorf("%s does not define accesses of mixed size: %s; choose another model",
				Label(m.Name), why)
		}
		return nil, fmt.Errorf("%s %w", Label(m.Name), err)
	}
	if mixed.Name != m.Name {
		named := *mixed
		named.Name = m.Name
		return &named, nil
	}
	return mixed, nil
}

func newModel(name, text, title string, m *cat.Model, words ir.Vocabulary) *Model {
	out := &Model{
		Name: name, Title: title, Text: text, Model: m, words: words, said: m.Axioms,
		coherent: analysis.Coherent(m), forbidsThinAir: analysis.ForbidsThinAir(m),
		forgets: analysis.Forgets(m, words.Unread),
		total:   analysis.Keeps(m, "po"), names: analysis.Bases(m), ready: &prepared{},
		plan: sync.OnceValue(func() *plan.Plan { return plan.New(m) }),
	}
	out.forgetful = sync.OnceValue(out.makeForgetful)
	return out
}

// prepared caches what an engine has made of a model.
type prepared struct {
	once sync.Once
	made any
}

// Prepared returns the value that made returns on the first call, for the engine that encodes models.
func (m *Model) Prepared(made func() any) any {
	m.ready.once.Do(func() { m.ready.made = made() })
	return m.ready.made
}

// Without returns the model without the given axioms, and without its flags, which do not matter to a search for
// executions that the model forbids. The result keeps the model's name; [Model.Less] makes a model with a name of its
// own.
func (m *Model) Without(axioms []string) *Model {
	weaker := *m.Model
	weaker.Flags = nil
	weaker.Axioms = slices.DeleteFunc(slices.Clone(m.Axioms),
		func(a cat.Axiom) bool { return slices.Contains(axioms, a.Name) })
	out := newModel(m.Name, m.Text, m.Title, &weaker, m.words)
	out.key = sync.OnceValue(func() string { return hash(append([]string{m.Key(), "without"}, axioms...)...) })
	out.mixed = func() (*Model, error) {
		mixed, err := m.mixed()
		if err != nil {
			return nil, err
		}
		return mixed.Without(axioms), nil
	}
	return out
}

// Coherent reports whether the model has an axiom that implies coherence: an acyclic union with po-loc (or po), rf, fr
// and co among its members. Under such a model, a read never takes its value from a later write of its thread nor from
// one that its thread has overwritten before it, and co follows po.
func (m *Model) Coherent() bool { return m.coherent }

// ForbidsThinAir reports whether the model has an axiom that forbids values out of thin air: an acyclic union with rf
// (or rfe) and all of program order from reads to writes among its members. What a thread reads from itself stays
// within its program order, so a cycle of rf and data dependencies would be a cycle there.
func (m *Model) ForbidsThinAir() bool { return m.forbidsThinAir }

// Bases are the base sets and relations that the model's axioms rest on.
func (m *Model) Bases() map[string]bool { return m.names }

// Includes reports whether the texts of both models show that the other model allows every execution that m allows, if
// the sets and relations in missing are empty ([analysis.Includes]).
func (m *Model) Includes(other *Model, missing analysis.Missing) bool {
	return analysis.Includes(m.said, other.Axioms, missing)
}
