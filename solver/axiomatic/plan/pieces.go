package plan

import (
	"slices"

	"litmuscope/models/cat"
)

// Where accesses consist of pieces, an order of events that leads from one piece's to all pieces of the next access is
// one of accesses: if each step of a relation does, a cycle of accesses is one of events as well. So sc, tso, pso and
// riscv have an order of accesses, whose variables are as few as where each is whole. Under AArch64, what a piece is
// forwarded orders that piece alone.

// ToAll tells of a relation whether it leads, by what its expression says, from an event to all pieces of an access or
// to none.
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

// keepsPieces reports whether what a relation adds to one that leads to all pieces leaves that so: it is a test on what
// pieces have in common, or a step that need not be taken.
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

// ofAll reports whether a set has all pieces of an access or none.
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
