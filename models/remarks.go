package models

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// Remarks tells which instructions of p claim an order that the model does not hear of:
// it names none of their tags. The built-in models name those of every dialect; others
// may know the barriers of one architecture alone, and a test of another is then as if it
// had none.
func (m *Model) Remarks(p *ir.Program) []litmus.Remark {
	if m.total {
		return nil
	}
	everyFence := m.names["F"] && !IsLanguage(m.Name) // a language's model means its own fences by F
	var out []litmus.Remark
	for _, th := range p.Threads {
		tags := make([]ir.Tags, len(th.Source)) // by instruction
		for _, s := range th.Code {
			tags[s.Source] = append(tags[s.Source], tagsOf(s.Op)...)
		}
		for i, cell := range th.Source {
			all := tags[i]
			slices.Sort(all)
			all = slices.Compact(all)
			if slices.ContainsFunc(all, ir.Tag.Orders) && !everyFence && !slices.ContainsFunc(all, func(t ir.Tag) bool { return m.names[string(t)] }) {
				out = append(out, litmus.Remarkf(cell.Pos,
					"%s adds no order: the model names none of its tags, %s",
					litmus.Shorten(cell.Text), strings.Join(texts(all), ", ")))
			}
		}
	}
	return out
}

// tagsOf are the tags of an operation.
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

// basesOf collects the base sets and relations that a model's axioms rest on.
func basesOf(m *cat.Model) map[string]bool {
	found, seen := map[string]bool{}, map[*cat.Def]bool{}
	var visit func(cat.Expr)
	visit = func(e cat.Expr) {
		switch e := e.(type) {
		case cat.Base:
			found[e.Name] = true
		case cat.Ref:
			if !seen[e.Def] {
				seen[e.Def] = true
				visit(e.Def.Body)
			}
		case cat.Chosen:
			visit(e.Order.Set)
		case cat.Unary:
			visit(e.X)
		case cat.Binary:
			visit(e.X)
			visit(e.Y)
		}
	}
	for _, a := range m.Axioms {
		visit(a.Expr)
	}
	return found
}

// Mentions tells whether the model's axioms rest on any of some base sets or relations.
func (m *Model) Mentions(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return m.names[n] })
}
