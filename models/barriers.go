package models

import (
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// BarrierTags returns [ir.BarrierTags] and the tags of a full fence in every model's own terms. A spawn and a join need
// no fence, because program order has the order that the language gives them. Both ends of an atomic section are fences
// of C too, because nothing else orders them.
func BarrierTags(op ir.Op) ir.Tags {
	generic := ir.BarrierTags(op)
	switch {
	case generic == nil:
		return nil
	case generic.Has(ir.TagSection):
		return slices.Concat(generic, dialect.Strongest(), ir.Tags{"SC"})
	}
	return slices.Concat(generic, dialect.Strongest())
}
