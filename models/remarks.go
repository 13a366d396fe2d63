package models

import (
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models/analysis"
	"litmuscope/models/cat"
)

// Remarks returns remarks about a model and a program: which of the model's sets have no events in any test (at the
// model's place), whether a file of the library adds coherence, and which instructions of p have ordering tags that the
// model does not name. The built-in models name the tags of every dialect; a user's model may know the barriers of one
// architecture only, and then ignores those of a test in another. For accesses of mixed size, Remarks says where the
// model's verdict is experimental.
func (m *Model) Remarks(p *ir.Program) []litmus.Remark {
	out := append(cat.AbsentRemark(m.Absent), m.added...)
	if m.total {
		return out
	}
	if r, ok := m.intrinsicUnknown(p); ok {
		out = append(out, r)
	}
	base, _ := Split(m.Name)
	if why := FactsOf(base).Unsettled; why != "" && p.Split && (m.IsBuiltIn() || base != m.Name) {
		out = append(out,
			litmus.Remarkf(litmus.Pos{File: p.File, Line: 1, Col: 1},
				"the verdict of %s on accesses of mixed size is experimental: %s", Label(base), why))
	}
	heard := sync.OnceValue(func() analysis.Ignored { return analysis.IgnoredBy(m.Model, m.words.Tags, tagsIn(p)) })
	for _, th := range p.Threads {
		ops := make([][]ir.Op, len(th.Source)) // by instruction
		for _, s := range th.Code {
			ops[s.Source] = append(ops[s.Source], s.Op)
		}
		for i, cell := range th.Source {
			var all ir.Tags
			for _, op := range ops[i] {
				all = append(all, tagsOf(op)...)
			}
			slices.Sort(all)
			all = slices.Compact(all)
			if !slices.ContainsFunc(all, ir.Tag.Orders) || slices.ContainsFunc(all, m.Mentions) {
				continue
			}
			does := "adds no order"
			if slices.ContainsFunc(ops[i], heard().MayMatter) {
				if !FactsOf(base).IsLanguage() {
					continue // it may add one, by what it is
				}
				does = "does not exist in this language"
			}
			out = append(out,
				litmus.Remarkf(cell.Pos, "%s %s: the model names none of its tags, %s", litmus.Shorten(cell.Text), does,
					strings.Join(texts(all), ", ")))
		}
	}
	return out
}

// intrinsicUnknown returns a remark at the first atomic instruction of p if the model uses iico_data or iico_ctrl and p
// is not in AArch64. Only AArch64's dialect gives updates the dependencies that these two are made of.
func (m *Model) intrinsicUnknown(p *ir.Program) (litmus.Remark, bool) {
	speaks := ""
	analysis.BasesBut(m.Model, func(d *cat.Def) bool {
		if d.Prelude && (d.Name == "iico_data" || d.Name == "iico_ctrl") {
			speaks = d.Name
		}
		return false
	})
	if speaks == "" || p.Arch == "AArch64" {
		return litmus.Remark{}, false
	}
	for _, th := range p.Threads {
		for _, s := range th.Code {
			if _, update := s.Op.(ir.RMW); update {
				cell := th.Source[s.Source]
				return litmus.Remarkf(cell.Pos,
					"%s: the model uses %s, which is empty here: only AArch64's instructions have it",
					litmus.Shorten(cell.Text), speaks), true
			}
		}
	}
	return litmus.Remark{}, false
}

// tagsIn returns the tags of a program's operations.
func tagsIn(p *ir.Program) ir.Tags {
	var all ir.Tags
	for _, th := range p.Threads {
		for _, s := range th.Code {
			all = append(all, tagsOf(s.Op)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// tagsOf returns the tags of an operation.
func tagsOf(op ir.Op) ir.Tags {
	switch op := op.(type) {
	case ir.Load:
		return op.Tags
	case ir.Store:
		return op.Tags
	case ir.StoreCond:
		return op.Tags
	case ir.RMW:
		return slices.Concat(op.Tags, op.WriteTags)
	case ir.Fence:
		return op.Tags
	}
	return nil
}

// Mentions reports whether the model's axioms depend on the events with a tag.
func (m *Model) Mentions(t ir.Tag) bool { return m.names[string(t)] }
