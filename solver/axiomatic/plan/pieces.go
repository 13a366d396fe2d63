package plan

import (
	"slices"

	"litmuscope/models/cat"
)

// If accesses consist of pieces, a relation may be an order of whole accesses: each step that starts at a piece leads
// to all pieces of the next access. Then a cycle of accesses is also a cycle of events, so that one event per access
// suffices, with as few variables as if accesses were whole. This holds for sc, tso, pso and riscv. Under AArch64,
// forwarding orders single pieces.

// ToAll reports whether an expression, by its form, relates an event to all pieces of an access or to none.
func ToAll(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Base:
		return slices.Contains([]string{"po", "addr", "data", "ctrl", "int", "ext", "sm"}, e.Name)
	case cat.Nothing:
		return true
	case cat.Ref:
		return e.Def.Group == nil && ToAll(e.Def.Body)
	case cat.Unary:
		return (e.Op == cat.Plus || e.Op == cat.Complement) && ToAll(e.X)
	case cat.Binary:
		switch e.Op {
		case cat.Union, cat.Inter, cat.Diff:
			return ToAll(e.X) && ToAll(e.Y)
		case cat.Seq:
			return ToAll(e.Y) || ToAll(e.X) && keepsPieces(e.Y)
		case cat.Cartesian:
			return ofAll(e.Y)
		}
	}
	return false
}

// keepsPieces reports whether x ; e leads to all pieces if x does: e is a test of what pieces have in common, or an
// optional step.
func keepsPieces(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Ref:
		return e.Def.Group == nil && keepsPieces(e.Def.Body)
	case cat.Unary:
		switch e.Op {
		case cat.Identity:
			return ofAll(e.X)
		case cat.Star, cat.Optional:
			return ToAll(e.X)
		}
	}
	return false
}

// ofAll reports whether a set contains all pieces of an access or none.
func ofAll(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Base:
		return e.Kind == cat.Set && e.Name != "FW"
	case cat.Nothing:
		return true
	case cat.Ref:
		return e.Def.Group == nil && ofAll(e.Def.Body)
	case cat.Unary:
		return e.Op == cat.Complement && ofAll(e.X) || e.Op == cat.Range && ToAll(e.X)
	case cat.Binary:
		return (e.Op == cat.Union || e.Op == cat.Inter || e.Op == cat.Diff) && ofAll(e.X) && ofAll(e.Y)
	}
	return false
}
