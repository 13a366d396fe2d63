package analysis

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// Missing reports by name the base sets and relations that are empty in every execution of a program.
type Missing func(name string) bool

// Key returns a cache key: two values of Missing with the same key agree on all of bases.
func (missing Missing) Key(bases map[string]bool) string {
	var names []string
	for name := range bases {
		if missing(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// given are base sets that are no tags, and relations.
var given = []string{
	"_", "R", "W", "M", "F", "IW", "FW", "po", "int", "ext", "id", "loc", "rf", "co", "sm", "rmw",
	"addr", "data", "ctrl",
	"scta", "sgpu", "ssg", "swg", "sqf", "sdv", "vloc", "ssw", "syncbar", "LIVE", "remaps",
}

// MissingFrom returns what a test lacks: tags that no instruction has, updates, and dependencies if the test uses no
// value that it reads.
func MissingFrom(p *ir.Program) Missing {
	has := map[string]bool{}
	tags := func(tags ir.Tags) {
		for _, t := range tags {
			has[string(t)] = true
		}
	}
	for _, t := range p.Threads {
		read := map[int]bool{} // registers with a part of the value read, wherever in the code
		uses := func(e ir.Expr) (found bool) {
			if e != nil {
				ir.Registers(e, func(i int) { found = found || read[i] })
			}
			return found
		}
		for known := -1; known != len(read); {
			known = len(read)
			for _, s := range t.Code {
				switch op := s.Op.(type) {
				case ir.Assign:
					if uses(op.Value) {
						read[op.Dst] = true
					}
				case ir.Pick:
					read[op.Dst] = true
				case ir.Load:
					read[op.Dst] = true
				case ir.Take:
					read[op.Dst] = true
				case ir.RMW:
					read[op.Dst] = true
				case ir.StoreCond:
					read[op.Status] = true
				}
			}
		}
		depends := func(on string, e ir.Expr) {
			if uses(e) {
				has[on] = true
			}
		}
		for _, s := range t.Code {
			switch op := s.Op.(type) {
			case ir.Assign, ir.Take, ir.Scope:
			case ir.Load:
				tags(op.Tags)
				depends("addr", op.Addr)
			case ir.Store:
				tags(op.Tags)
				depends("addr", op.Addr)
				depends("data", op.Value)
				depends("data", op.Next)
			case ir.Fence:
				tags(op.Tags)
				has["F"] = true
				depends("addr", op.Addr)
			case ir.Branch:
				depends("ctrl", op.Cond)
			case ir.RMW:
				tags(op.Tags)
				tags(op.WriteTags)
				depends("addr", op.Addr)
				has["rmw"], has["data"], has["ctrl"] = true, true, true
			case ir.StoreCond:
				tags(op.Tags)
				depends("addr", op.Addr)
				has["rmw"], has["data"], has["ctrl"] = true, true, true
			case ir.Pick:
				has[string(ir.TagPick)], has["F"], has["data"], has["ctrl"] = true, true, true, true
			default: // what goes beyond tests
				return func(string) bool { return false }
			}
		}
	}
	return func(name string) bool {
		switch {
		case name == "F" || name == "rmw" || name == "addr" || name == "data" || name == "ctrl":
			return !has[name]
		case slices.Contains(given, name):
			return false
		}
		return !has[name]
	}
}

// Includes reports whether the text of two models shows that every execution which satisfies said also satisfies other,
// if the sets and relations in missing are empty. It looks for each axiom of other among those of said, over a relation
// that has no more pairs. False does not mean that the inclusion fails.
func Includes(said, other []cat.Axiom, missing Missing) bool {
	in := inclusion{missing: missing, left: maxSteps, empty: map[*cat.Def]bool{}, known: map[[2]*cat.Def]bool{}}
	for _, a := range other {
		if !slices.ContainsFunc(said, func(b cat.Axiom) bool {
			if a.Kind != b.Kind || a.Negated != b.Negated {
				return false
			}
			if a.Negated {
				return in.within(b.Expr, a.Expr)
			}
			return in.within(a.Expr, b.Expr)
		}) {
			return false
		}
	}
	return true
}

// inclusion compares expressions by their text.
type inclusion struct {
	missing Missing
	empty   map[*cat.Def]bool // whether there is nothing in a definition
	// which of two definitions has no more than which; assumed true during its own proof
	known map[[2]*cat.Def]bool
	trail [][2]*cat.Def // those taken for so, in order
	left  int           // steps, for expressions that fit in many ways
}

const maxSteps = 200_000

// within reports whether every pair of x is one of y.
func (in *inclusion) within(x, y cat.Expr) bool {
	if in.left--; in.left < 0 {
		return false
	}
	if in.isEmpty(x, nil) {
		return true
	}
	a, isRef := x.(cat.Ref)
	b, areRefs := y.(cat.Ref)
	if isRef && areRefs && in.definitions(a.Def, b.Def) {
		return true
	}
	if u, ok := x.(cat.Binary); ok && u.Op == cat.Union {
		return in.within(u.X, y) && in.within(u.Y, y)
	}
	if u, ok := y.(cat.Binary); ok && u.Op == cat.Union && (in.within(x, u.X) || in.within(x, u.Y)) {
		return true
	}
	if isRef && a.Def.Group == nil && in.within(a.Def.Body, y) {
		return true
	}
	if areRefs && !isRef && b.Def.Group == nil {
		return in.within(x, b.Def.Body)
	}
	switch x := x.(type) {
	case cat.Base:
		y, ok := y.(cat.Base)
		return ok && x == y
	case cat.Unary:
		y, ok := y.(cat.Unary)
		if !ok || x.Op != y.Op {
			return false
		}
		if x.Op == cat.Complement {
			return in.within(y.X, x.X)
		}
		return in.within(x.X, y.X)
	case cat.Binary:
		y, ok := y.(cat.Binary)
		switch {
		case !ok || x.Op != y.Op:
			return false
		case x.Op == cat.Diff:
			return in.within(x.X, y.X) && in.within(y.Y, x.Y)
		}
		return in.within(x.X, y.X) && in.within(x.Y, y.Y)
	}
	return false // an order that a model chooses is its own
}

// definitions is within for two definitions. For recursive ones it uses induction over the rounds of evaluation: the
// comparison may assume its own result.
func (in *inclusion) definitions(x, y *cat.Def) bool {
	pair := [2]*cat.Def{x, y}
	if is, ok := in.known[pair]; ok {
		return is
	}
	if x.Settles || y.Settles {
		return false // its rounds do more than add
	}
	from := len(in.trail)
	in.known[pair], in.trail = true, append(in.trail, pair)
	if in.within(x.Body, y.Body) {
		return true
	}
	for _, p := range in.trail[from:] { // what rests on it does not hold
		delete(in.known, p)
	}
	in.known[pair], in.trail = false, in.trail[:from]
	return false
}

// isEmpty reports whether the text of an expression shows that it is empty. within has the definitions that contain it.
func (in *inclusion) isEmpty(x cat.Expr, within []*cat.Def) bool {
	switch x := x.(type) {
	case cat.Nothing:
		return true
	case cat.Base:
		return in.missing(x.Name)
	case cat.Ref:
		if slices.Contains(within, x.Def) {
			return true // assumed for its own recursion
		}
		is, known := in.empty[x.Def]
		if !known {
			is = !x.Def.Settles && in.isEmpty(x.Def.Body, append(within, x.Def))
			if len(within) == 0 || !is {
				in.empty[x.Def] = is
			}
		}
		return is
	case cat.Unary:
		return x.Op != cat.Star && x.Op != cat.Optional && x.Op != cat.Complement && in.isEmpty(x.X, within)
	case cat.Binary:
		switch x.Op {
		case cat.Union:
			return in.isEmpty(x.X, within) && in.isEmpty(x.Y, within)
		case cat.Diff:
			return in.isEmpty(x.X, within)
		}
		return in.isEmpty(x.X, within) || in.isEmpty(x.Y, within)
	}
	return false
}
