package analysis

import (
	"slices"

	"litmuscope/models/cat"
)

// Coherent tells whether some axiom implies coherence: an acyclic union with po-loc (or po), rf, fr and co among its
// members.
func Coherent(m *cat.Model) bool { return Keeps(m, "po", "po-loc") }

// Keeps reports whether some axiom forbids every cycle of rf, fr, co and one of the given relations: an acyclic union
// that has all of them as members.
func Keeps(m *cat.Model, orders ...string) bool {
	for _, a := range m.Axioms {
		if a.Kind != cat.Acyclic || a.Negated {
			continue
		}
		has := map[string]bool{}
		members(a.Expr, has)
		if slices.ContainsFunc(orders, func(r string) bool { return has[r] }) && has["rf"] && has["fr"] && has["co"] {
			return true
		}
	}
	return false
}

// members records the named members of a union. A derived relation has the name that the prelude gives it.
func members(e cat.Expr, has map[string]bool) {
	anyMember(e, func(e cat.Expr) bool {
		switch e := e.(type) {
		case cat.Base:
			has[e.Name] = true
		case cat.Ref:
			if e.Def.Prelude {
				has[e.Def.Name] = true
			}
		}
		return false
	})
}

// ForbidsThinAir reports whether some axiom forbids values out of thin air: an acyclic union that has rf (or rfe) and
// all of program order from reads to writes among its members.
func ForbidsThinAir(m *cat.Model) bool {
	for _, a := range m.Axioms {
		if a.Kind != cat.Acyclic || a.Negated {
			continue
		}
		has := map[string]bool{}
		members(a.Expr, has)
		if (has["rf"] || has["rfe"]) && anyMember(a.Expr, ordersReadWrite) && Coherent(m) {
			return true
		}
	}
	return false
}

// anyMember reports whether f holds for a union as a whole, for one of its members, or for the definition of one of
// them.
func anyMember(e cat.Expr, f func(cat.Expr) bool) bool {
	seen := map[*cat.Def]bool{}
	var visit func(cat.Expr) bool
	visit = func(e cat.Expr) bool {
		if f(e) {
			return true
		}
		switch e := e.(type) {
		case cat.Ref:
			if seen[e.Def] || e.Def.Group != nil {
				return false
			}
			seen[e.Def] = true
			return visit(e.Def.Body)
		case cat.Binary:
			switch {
			case e.Op == cat.Union:
				return visit(e.X) || visit(e.Y)
			case e.Op == cat.Seq && isPieces(e.Y): // more than the other
				return visit(e.X)
			case e.Op == cat.Seq && isPieces(e.X):
				return visit(e.Y)
			}
		}
		return false
	}
	return visit(e)
}

// isPieces recognises sm.
func isPieces(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Base:
		return e.Name == "sm"
	case cat.Ref:
		return e.Def.Group == nil && isPieces(e.Def.Body)
	}
	return false
}

// ordersReadWrite recognises po, and po & S where S holds R * W or R * M.
func ordersReadWrite(e cat.Expr) bool {
	isPO := func(e cat.Expr) bool { b, ok := e.(cat.Base); return ok && b.Name == "po" }
	if isPO(e) {
		return true
	}
	b, ok := e.(cat.Binary)
	return ok && b.Op == cat.Inter && isPO(b.X) && anyMember(b.Y, func(e cat.Expr) bool {
		p, ok := e.(cat.Binary)
		if !ok || p.Op != cat.Cartesian {
			return false
		}
		x, okX := p.X.(cat.Base)
		y, okY := p.Y.(cat.Base)
		return okX && okY && (x.Name == "R" || x.Name == "M") && (y.Name == "W" || y.Name == "M")
	})
}

// Bases collects the base sets and relations that a model's axioms rest on.
func Bases(m *cat.Model) map[string]bool {
	return BasesBut(m, nil)
}

// BasesBut is like [Bases], but does not look into the definitions for which pass returns true.
func BasesBut(m *cat.Model, pass func(*cat.Def) bool) map[string]bool {
	found, seen := map[string]bool{}, map[*cat.Def]bool{}
	for _, a := range m.Axioms {
		basesIn(a.Expr, found, seen, pass)
	}
	return found
}

// SpeaksOfPieces reports whether the axioms use sm, the relation between the pieces of an access. The prelude's amo
// does not count, though it includes all pieces of an instruction's accesses.
func SpeaksOfPieces(m *cat.Model) bool {
	return BasesBut(m, func(d *cat.Def) bool { return d.Prelude && d.Name == "amo" })["sm"]
}

// basesIn adds the base sets and relations of e to found. It visits each definition once and skips those that pass
// accepts.
func basesIn(e cat.Expr, found map[string]bool, seen map[*cat.Def]bool, pass func(*cat.Def) bool) {
	switch e := e.(type) {
	case cat.Base:
		found[e.Name] = true
	case cat.Ref:
		if !seen[e.Def] && (pass == nil || !pass(e.Def)) {
			seen[e.Def] = true
			basesIn(e.Def.Body, found, seen, pass)
		}
	case cat.Chosen:
		basesIn(e.Order.Set, found, seen, pass)
	case cat.Unary:
		basesIn(e.X, found, seen, pass)
	case cat.Binary:
		basesIn(e.X, found, seen, pass)
		basesIn(e.Y, found, seen, pass)
	}
}
