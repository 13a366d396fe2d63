package models

import (
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// BarrierTags are [ir.BarrierTags] with those of a full fence in every model's own terms. The order
// that a language has from a spawn to the thread is in program order already, and is no more than that;
// but both ends of a section are fences of C, too, for nothing else is before or after one.
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
