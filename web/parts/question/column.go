package question

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Label is a model's name as people write it, see [models.Label], the visitor's own among them.
func Label(name string) string {
	label := models.Label(name)
	if rest, ok := strings.CutPrefix(label, OwnModel); ok && (rest == "" || rest[0] == ' ') {
		label = "Your model" + rest
	}
	return label
}

// BaseOf returns the model of a column, given as text, with all its axioms.
func BaseOf(column string) string { return ReadColumn(column).Base() }

// Column is what a column of the answer is about, as text "tso", "tso~uniproc" for a model
// less one of its axioms, "tso@machine" for another engine than the question's.
type Column struct{ Model, Engine string }

// ReadColumn reads a column's text.
func ReadColumn(text string) Column {
	model, engine, _ := strings.Cut(text, "@")
	return Column{model, engine}
}

// String returns the column's text, which ReadColumn reads.
func (c Column) String() string {
	if c.Engine == "" {
		return c.Model
	}
	return c.Model + "@" + c.Engine
}

// Base is the model's name, with all its axioms.
func (c Column) Base() string {
	base, _ := models.Split(c.Model)
	return base
}

// InOrder sorts columns: built-in models from the strongest on, each with its kin, then those
// of the visitor's own as they come.
func InOrder(texts []string) {
	place := func(text string) int {
		if i := slices.Index(models.Names(), ReadColumn(text).Base()); i >= 0 {
			return i
		}
		return len(models.Names())
	}
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
}

// Label is the column as people write it: "TSO", "TSO · machine".
func (c Column) Label() string {
	label := Label(c.Model)
	if c.Engine != "" {
		label += " · " + c.Engine
	}
	return label
}

// Task is a question under a column. An engine of the column's own heeds those options that
// it has.
func (c Column) Task(q engines.Question) solver.Task {
	t := q.Task(c.Model)
	if c.Engine == "" {
		return t
	}
	t.Engine = c.Engine
	if e, err := engines.Find(c.Engine); err == nil {
		t.Options = e.Heeded(t.Options)
	}
	return t
}
