package read

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// attributes lists the attributes that compilers know, without underscores around them. The value "" means that the
// attribute has no effect on the checked properties, or is implemented. Other attributes are rejected with the value as
// advice, and so are unknown ones.
var attributes = func() map[string]string {
	known := map[string]string{
		"address_space": "",
		"alias":         "use the function or object that it stands for",
		"ifunc":         "call the function that it chooses",
		"weakref":       "call the function that it stands for", "vector_size": "use scalars",
		"mode":              "use a type of that width",
		"transparent_union": "", "scalar_storage_order": "use the byte order of the architecture",
		"section": "", "designated_init": "", "noinit": "use the initial values of C",
		"overloadable": "use functions with different names",
		"naked":        "write the function in C", "interrupt": "call the function from a thread",
		"signal": "call the function from a thread",
	}
	for _, harmless := range strings.Fields(
		`access alloc_align alloc_size always_inline analyzer_noreturn artificial assume assume_aligned
		availability cold common const counted_by deprecated diagnose_as_builtin diagnose_if enable_if enum_extensibility error
		externally_visible fallthrough fd_arg fd_arg_read fd_arg_write flag_enum flatten format format_arg gnu_inline guarded_by hot
		internal_linkage lea leaf malloc may_alias minsize no_icf no_instrument_function no_profile_instrument_function no_reorder
		no_sanitize no_sanitize_address no_sanitize_memory no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_limit
		no_stack_protector no_thread_safety_analysis nocf_check noclone nocommon noescape noinline noipa nonnull nonstring noplt noreturn
		not_tail_called nothrow null_terminated_string_arg optimize optnone ownership_returns patchable_function_entry pure
		regparm retain returns_nonnull returns_twice sentinel simd speculative_load_hardening stack_protect symver target target_clones
		tls_model type_visibility unavailable unused uninitialized used visibility warn_if_not_aligned warn_unused_result warning weak zero_call_used_regs
		cdecl stdcall fastcall ms_abi sysv_abi nodebug acquire_capability release_capability requires_capability capability
		` + strings.Join(implementedAttributes, " ")) {
		known[harmless] = ""
	}
	return known
}()

// implementedAttributes lists the attributes that are implemented.
var implementedAttributes = []string{"constructor", "destructor", "cleanup", "packed", "aligned"}

// packed is the attribute of structures that #pragma pack packs.
const packed = "__litmus_packed"

// attributeName returns the name of an attribute without underscores around it.
func attributeName(n *cc.AttributeValue) string {
	return bare(n.Token.SrcStr())
}

func bare(name string) string { return strings.TrimSuffix(strings.TrimPrefix(name, "__"), "__") }

// attribute rejects an attribute that is unknown or not supported.
func (q *Qualifiers) attribute(n *cc.AttributeValue) {
	name := attributeName(n)
	what, known := attributes[name]
	switch {
	case n.Token.SrcStr() == packed || name == "mode": // handled where they are used
	case !known:
		near := litmus.DidYouMean(name, slices.Sorted(func(yield func(string) bool) {
			for k := range attributes {
				if !yield(k) {
					return
				}
			}
		}))
		if near.Near == "" {
			q.refuse(n, "unknown attribute %s: remove it if it has no effect", name)
			break
		}
		q.refuse(n, "unknown attribute %s%s", name, near)
	case what != "":
		q.refuse(n, "attribute %s is not supported: %s", name, what)
	case name == "aligned" && n.Case == cc.AttributeValueIdent:
		q.refuse(n, "attribute aligned is not supported without a number: write aligned(16), for example")
	case (name == "constructor" || name == "destructor" || name == "cleanup") && !q.placed[n]:
		q.refuse(n, "attribute %s is not supported here: move it to the beginning of the declaration", name)
	}
}

func (q *Qualifiers) refuse(n cc.Node, format string, args ...any) {
	q.Refused = append(q.Refused, litmus.Errorf(Place(n), format, args...))
}

// Runs is a function that runs before or after main.
type Runs struct {
	Of       *cc.Declarator
	Ast      *cc.AST // the function's translation unit
	priority int64
	after    bool
}

// latest is the priority of a function without one.
const latest = 1 << 16

// recordConstructor records that a function runs before or after main, according to its attributes.
func (q *Qualifiers) recordConstructor(d *cc.Declarator, values []*cc.AttributeValue) {
	for _, a := range values {
		name := attributeName(a)
		if name != "constructor" && name != "destructor" {
			continue
		}
		q.placed[a] = true
		r := Runs{Of: d, Ast: q.ast, priority: latest, after: name == "destructor"}
		if a.Case == cc.AttributeValueExpr {
			v, ok := a.ArgumentExpressionList.AssignmentExpression.Value().(cc.Int64Value)
			if !ok {
				q.refuse(a, "got %s, want a constant", cc.NodeSource(a.ArgumentExpressionList))
			}
			r.priority = int64(v)
		}
		same := func(o Runs) bool {
			return o.after == r.after && o.Of.Name() == d.Name() && (o.Of.Linkage() == cc.External || o.Of == d)
		}
		if !slices.ContainsFunc(q.Around, same) {
			q.Around = append(q.Around, r)
		}
	}
}

// InOrder returns the functions that run before main, or after it, in order.
func (q *Qualifiers) InOrder(after bool) []Runs {
	all := slices.DeleteFunc(slices.Clone(q.Around), func(r Runs) bool { return r.after != after })
	slices.SortStableFunc(all, func(a, b Runs) int { return cmp.Compare(a.priority, b.priority) })
	if after {
		slices.Reverse(all)
	}
	return all
}

// recordCleanup records the function that is called with a variable's address at the end of its scope.
func (q *Qualifiers) recordCleanup(d *cc.Declarator, values []*cc.AttributeValue) {
	for _, a := range values {
		if attributeName(a) == "cleanup" && a.Case == cc.AttributeValueExpr {
			q.placed[a] = true
			q.Cleanup[d] = a.ArgumentExpressionList.AssignmentExpression
		}
	}
}

// modes maps machine modes, with which old headers declare integers, to widths in bits.
var modes = map[string]int{"QI": 8, "byte": 8, "HI": 16, "SI": 32, "DI": 64}

// mode compares an integer's width with the mode in an attribute. If they differ, uses of the declaration are rejected.
func (q *Qualifiers) mode(d *cc.Declarator, values []*cc.AttributeValue) {
	for _, a := range values {
		if attributeName(a) != "mode" || a.Case != cc.AttributeValueExpr {
			continue
		}
		name := strings.Trim(cc.NodeSource(a.ArgumentExpressionList), " _")
		want, known := modes[name]
		if name == "word" || name == "pointer" || name == "unwind_word" {
			want, known = q.word, true
		}
		switch {
		case known && int(d.Type().Size())*8 == want:
		case d.IsTypename():
			q.misfit[d] = a
		default:
			q.refuse(a, "attribute mode(%s) is not supported: %s", name, attributes["mode"])
		}
	}
}

// attributeValues returns the attributes that specifiers, and the lists after a declarator, give to it.
func attributeValues(n *cc.DeclarationSpecifiers, lists ...*cc.AttributeSpecifierList) []*cc.AttributeValue {
	for ; n != nil; n = n.DeclarationSpecifiers {
		lists = append(lists, n.AttributeSpecifierList)
		if n.TypeQualifier != nil {
			lists = append(lists, n.TypeQualifier.AttributeSpecifierList)
		}
	}
	var out []*cc.AttributeValue
	for _, l := range lists {
		for ; l != nil; l = l.AttributeSpecifierList {
			for v := l.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
				out = append(out, v.AttributeValue)
			}
		}
	}
	return out
}

// given counts the attributes in a text by name. The parser's tree omits those of labels and enumerators, and parts of
// lists.
type given struct {
	counts map[string]int
	depth  int
	open   bool // within __attribute__
	next   bool // the next token is a name
}

func (g *given) token(text string) {
	switch {
	case !g.open:
		g.open = text == "__attribute__" || text == "__attribute"
	case text == "(":
		g.depth++
		g.next = g.depth == 2
	case text == ")":
		g.depth--
		g.open, g.next = g.depth > 0, false
	case text == ",":
		g.next = g.depth == 2
	case g.next:
		if g.counts == nil {
			g.counts = map[string]int{}
		}
		g.counts[bare(text)]++
		g.next = false
	}
}

// rejectDropped rejects the attributes of a file that the tree omits, if they may have an effect.
//
// It compares numbers: the preprocessor's output has all attributes, by name, and the tree some of them. If the tree
// has fewer of one that matters, some were dropped.
func (in *inclusion) rejectDropped(ast *cc.AST, g given, at litmus.Pos) error {
	kept, places := map[string]map[*cc.AttributeValue]bool{}, map[litmus.Pos]bool{}
	EachTree(ast, func(n cc.Node) bool {
		if a, ok := n.(*cc.AttributeValue); ok {
			name := attributeName(a)
			if kept[name] == nil {
				kept[name] = map[*cc.AttributeValue]bool{}
			}
			kept[name][a], places[Place(a)] = true, true
		}
		return true
	})
	var out litmus.ErrorList
	for _, name := range slices.Sorted(maps.Keys(g.counts)) {
		what, known := attributes[name]
		if len(kept[name]) >= g.counts[name] || known && what == "" && !slices.Contains(implementedAttributes, name) {
			continue
		}
		pos := at // the position is unknown if a macro contains it
		for _, file := range in.names {
			text := in.texts[file]
			for _, l := range lexemes(text) {
				before := text[:l.from]
				p := litmus.Pos{
					File: file, Line: 1 + strings.Count(before, "\n"),
					Col: l.from - strings.LastIndexByte(before, '\n'),
				}
				if pos == at && bare(text[l.from:l.to]) == name && !places[p] &&
					strings.Contains(before[strings.LastIndexByte(before, ';')+1:], "__attribute") {
					pos = p
				}
			}
		}
		out = append(out, litmus.Errorf(pos, "attribute %s is not supported here: move it to an __attribute__ of "+
			"its own at the beginning of the declaration", name))
	}
	return out.Err()
}
