package web

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// column is what a column of the answer is about, as text "tso", "tso~uniproc" for a model
// less one of its axioms, "tso@machine" for another engine than the question's.
type column struct{ Model, Engine string }

func readColumn(text string) column {
	model, engine, _ := strings.Cut(text, "@")
	return column{model, engine}
}

func (c column) String() string {
	if c.Engine == "" {
		return c.Model
	}
	return c.Model + "@" + c.Engine
}

// Base is the model's name, with all its axioms.
func (c column) Base() string {
	base, _ := models.Split(c.Model)
	return base
}

// inOrder sorts columns: built-in models from the strongest on, each with its kin, then those
// of the visitor's own as they come.
func inOrder(texts []string) {
	place := func(text string) int {
		if i := slices.Index(models.Names(), readColumn(text).Base()); i >= 0 {
			return i
		}
		return len(models.Names())
	}
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
}

// Label is the column as people write it: "TSO", "TSO · machine".
func (c column) Label() string {
	label := modelLabel(c.Model)
	if c.Engine != "" {
		label += " · " + c.Engine
	}
	return label
}

// task is a question under a column. An engine of the column's own heeds those options that
// it has.
func (c column) task(q engines.Question) solver.Task {
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
