package read

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// Packed structures. The C parser ignores attribute packed, but respects a lower alignment of a member's type. So the
// members of packed structures get such an alignment in the text that the parser reads, and its layout is compared with
// the intended one.

// edit is an insertion into a file.
type edit struct {
	line, col int
	text      string
}

// edited returns a text with edits, which do not change line numbers.
func edited(text string, edits []edit) string {
	if len(edits) == 0 {
		return text
	}
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits,
		func(a, b edit) int { return cmp.Or(cmp.Compare(b.line, a.line), cmp.Compare(b.col, a.col)) })
	lines := strings.SplitAfter(text, "\n")
	for _, e := range edits {
		if l := e.line - 1; l < len(lines) && e.col-1 <= len(lines[l]) {
			lines[l] = lines[l][:e.col-1] + e.text + lines[l][e.col-1:]
		}
	}
	return strings.Join(lines, "")
}

// packing1 is the attribute that allows a member at any byte.
const packing1 = "__attribute__((aligned(1))) "

// most is the argument of attribute aligned if it has none.
const most = "(16)"

// pack returns the edits that pack and align structures as attributes say, by file.
//
// An alignment of one byte on each member is what packing means, and the parser respects it. Members with an alignment
// of their own keep it, as in GCC.
func pack(ast *cc.AST) map[string][]edit {
	out := map[string][]edit{}
	put := func(n cc.Node, text string) {
		p := Place(n)
		out[p.File] = append(out[p.File], edit{p.Line, p.Col, text})
	}
	member := func(m *cc.StructDeclaration) {
		list := m.StructDeclaratorList
		if list == nil || list.StructDeclarator.Declarator == nil || list.StructDeclarator.Declarator.Pointer == nil ||
			list.StructDeclaratorList != nil {
			put(m, packing1)
			return
		}
		// On a pointer, the attribute would apply to its pointee.
		put(m, "__typeof__(")
		put(list.StructDeclarator.Declarator.DirectDeclarator, ") "+packing1)
	}
	EachTree(ast, func(n cc.Node) bool {
		if a, ok := n.(*cc.AttributeValue); ok && a.Case == cc.AttributeValueIdent && attributeName(a) == "aligned" {
			p := Place(a)
			out[p.File] = append(out[p.File], edit{p.Line, p.Col + len(a.Token.SrcStr()), most})
		}
		s, ok := n.(*cc.StructOrUnionSpecifier)
		if !ok {
			return true
		}
		whole := packWidth(s) == 1
		for l := s.StructDeclarationList; l != nil; l = l.StructDeclarationList {
			if m := l.StructDeclaration; m.Case == cc.StructDeclarationDecl && !isAligned(m) &&
				(whole || len(memberSays(m, "packed")) > 0) {
				member(m)
			}
		}
		return true
	})
	return out
}

// EachTree calls f on the nodes of a translation unit. It skips the children of a node if f returns false.
func EachTree(ast *cc.AST, f func(cc.Node) bool) {
	for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		Walk(u.ExternalDeclaration, f)
	}
}

// packWidth returns the maximum alignment of a packed structure's members in bytes, or 0.
func packWidth(s *cc.StructOrUnionSpecifier) int {
	width := 0
	if s.Case != cc.StructOrUnionSpecifierDef {
		return 0
	}
	for _, a := range attributeValues(nil, s.AttributeSpecifierList, s.AttributeSpecifierList2) {
		switch {
		case attributeName(a) == "packed":
			return 1
		case a.Token.SrcStr() == packed && a.Case == cc.AttributeValueExpr:
			if e, ok := a.ArgumentExpressionList.AssignmentExpression.(*cc.PrimaryExpression); ok {
				for _, digit := range e.Token.SrcStr() {
					width = 10*width + int(digit-'0')
				}
			}
		}
	}
	return width
}

// memberSays returns a member's attributes with a name.
func memberSays(m *cc.StructDeclaration, name string) []*cc.AttributeValue {
	lists := []*cc.AttributeSpecifierList{m.AttributeSpecifierList}
	for s := m.SpecifierQualifierList; s != nil; s = s.SpecifierQualifierList {
		lists = append(lists, s.AttributeSpecifierList)
		if s.TypeQualifier != nil {
			lists = append(lists, s.TypeQualifier.AttributeSpecifierList)
		}
	}
	return slices.DeleteFunc(attributeValues(nil, lists...),
		func(a *cc.AttributeValue) bool { return attributeName(a) != name })
}

// isAligned reports whether a member has its own alignment attribute.
func isAligned(m *cc.StructDeclaration) bool {
	return slices.ContainsFunc(memberSays(m, "aligned"),
		func(a *cc.AttributeValue) bool { return !strings.Contains(packing1, cc.NodeSource(a)) })
}

// isPackedWell rejects structures whose layout is not the intended one. bitfield.go checks those with bit-fields.
func isPackedWell(ast *cc.AST) error {
	var bad litmus.ErrorList
	EachTree(ast, func(n cc.Node) bool {
		if s, ok := n.(*cc.StructOrUnionSpecifier); ok && packWidth(s) > 0 && !hasBitFields(s) && len(bad) < MaxErrors {
			if why := misplaced(s); why != "" {
				bad = append(bad,
					litmus.Errorf(Place(s),
						"packing this structure is not supported: %s: declare the members one by one, and use pack(1)",
						why))
			}
		}
		return true
	})
	return bad.Err()
}

// misplaced describes the first member of a packed structure at a wrong offset, or returns "".
func misplaced(s *cc.StructOrUnionSpecifier) string {
	t, ok := s.Type().(interface {
		cc.Type
		FieldByIndex(int) *cc.Field
	})
	if !ok {
		return ""
	}
	width := packWidth(s)
	aligned := map[string]bool{}
	for l := s.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		for d := l.StructDeclaration.StructDeclaratorList; d != nil; d = d.StructDeclaratorList {
			if of := d.StructDeclarator.Declarator; of != nil {
				aligned[of.Name()] = isAligned(l.StructDeclaration)
			}
		}
	}
	up := func(n int64, to int) int64 { return (n + int64(to) - 1) / int64(to) * int64(to) }
	end, align := int64(0), 1
	for i := 0; t.FieldByIndex(i) != nil; i++ {
		f := t.FieldByIndex(i)
		own := f.Type().Align()
		if !aligned[f.Name()] {
			own = min(own, width)
		}
		at := up(end, own)
		if t.Kind() == cc.Union {
			at = 0
		}
		if f.Offset() != at {
			return "member " + f.Name() + " is not at its offset"
		}
		end, align = max(end, at+f.Type().Size()), max(align, own)
	}
	if slices.ContainsFunc(attributeValues(nil, s.AttributeSpecifierList, s.AttributeSpecifierList2),
		func(a *cc.AttributeValue) bool { return attributeName(a) == "aligned" }) {
		align = max(align, t.Align())
	}
	if t.Size() != up(end, align) {
		return fmt.Sprintf("its size is %d bytes instead of %d", t.Size(), up(end, align))
	}
	return ""
}
