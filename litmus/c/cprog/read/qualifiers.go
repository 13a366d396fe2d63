package read

import (
	"reflect"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// Qualifiers says which lvalues are atomic or volatile. The C parser's types omit atomic, and lose volatile where types
// share their attributes, so Qualifiers reads both from the declarations.
//
// They decide what an access is: a plain access of an atomic object is an atomic access with sequential consistency,
// and a data race on an object that is not atomic is undefined behaviour. A qualifier may be in a typedef, on an
// array's element or behind a pointer, so the qualifiers of an lvalue are derived in the same way as its type, from
// specifiers and declarators.
type Qualifiers struct {
	specifiers map[*cc.Declarator]cc.Node // the specifiers of a declarator
	known      map[*cc.Declarator]*qualified

	Mentions map[string]bool // names in expressions
	options  RelaxedOptions
	fields   map[*cc.Declarator]*BitField
	bits     bool // there are bit-fields

	// Attributes:
	ast     *cc.AST                               // the unit that is being read
	word    int                                   // width of a pointer in bits
	Refused litmus.ErrorList                      // errors for unknown attributes
	placed  map[*cc.AttributeValue]bool           // attributes at a supported position
	Around  []Runs                                // functions that run before or after main
	Cleanup map[*cc.Declarator]cc.ExpressionNode  // by variable: the function to call at the end of its scope
	misfit  map[*cc.Declarator]*cc.AttributeValue // declarations whose attribute mode has a wrong width
}

// qualified is the qualifiers of a type and of its parts.
type qualified struct {
	atomic, volatile bool
	relaxed          bool // declared by a name of RelaxedOptions.Names
	kind             shape
	of               *qualified // the pointee, the array element, or the function result
}

type shape int

const (
	plainShape shape = iota
	pointerShape
	arrayShape
	functionShape
)

var unqualified = &qualified{}

// NewQualifiers reads all declarations of the units. pointer is the width of a pointer in bits.
func NewQualifiers(units []*cc.AST, pointer int) *Qualifiers {
	q := &Qualifiers{
		specifiers: map[*cc.Declarator]cc.Node{}, known: map[*cc.Declarator]*qualified{},
		fields: map[*cc.Declarator]*BitField{}, Mentions: map[string]bool{}, word: pointer,
		placed:  map[*cc.AttributeValue]bool{},
		Cleanup: map[*cc.Declarator]cc.ExpressionNode{}, misfit: map[*cc.Declarator]*cc.AttributeValue{},
	}
	for _, ast := range units {
		q.ast = ast
		for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
			q.collect(u.ExternalDeclaration)
		}
		if q.bits {
			q.bitFields(ast)
		}
	}
	return q
}

// collect records the specifiers of all declarators in a part of the tree.
func (q *Qualifiers) collect(n cc.Node) {
	if v := reflect.ValueOf(n); v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	switch n := n.(type) {
	case *cc.FunctionDefinition:
		q.specifiers[n.Declarator] = n.DeclarationSpecifiers
		q.recordConstructor(n.Declarator, attributeValues(n.DeclarationSpecifiers))
	case *cc.DeclarationSpecifiers:
		if n.TypeSpecifier != nil && n.TypeSpecifier.Case == cc.TypeSpecifierEnum {
			for _, a := range attributeValues(n) {
				if attributeName(a) == "packed" {
					q.refuse(a, "attribute packed is not supported for an enumeration: use members of type char")
				}
			}
		}
	case *cc.Declaration:
		for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			d := l.InitDeclarator.Declarator
			q.specifiers[d] = n.DeclarationSpecifiers
			values := attributeValues(n.DeclarationSpecifiers, n.AttributeSpecifierList, l.AttributeSpecifierList,
				l.InitDeclarator.AttributeSpecifierList)
			if len(values) > 0 && d.Type().Kind() == cc.Function {
				q.recordConstructor(d, values)
			} else if len(values) > 0 {
				q.recordCleanup(d, values)
				q.mode(d, values)
			}
		}
		if n.Case == cc.DeclarationAuto {
			q.specifiers[n.Declarator] = n.Initializer
		}
	case *cc.ParameterDeclaration:
		if n.Declarator != nil {
			q.specifiers[n.Declarator] = n.DeclarationSpecifiers
		}
	case *cc.StructDeclaration:
		for l := n.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
			q.bits = q.bits || l.StructDeclarator.Case == cc.StructDeclaratorBitField
			if d := l.StructDeclarator.Declarator; d != nil {
				q.specifiers[d] = n.SpecifierQualifierList
			}
		}
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionIdent {
			q.Mentions[n.Token.SrcStr()] = true
		}
	case *cc.Enumerator:
		return
	case *cc.AttributeValue:
		q.attribute(n)
	case *cc.TypeSpecifier:
		if d := typedefOf(n); len(q.misfit) > 0 && d != nil && q.misfit[d] != nil {
			q.refuse(n, "%s has attribute mode(%s), which is not supported: %s", d.Name(),
				cc.NodeSource(q.misfit[d].ArgumentExpressionList), attributes["mode"])
		}
	}
	for child := range children(n) {
		q.collect(child)
	}
}

// Qualified reports whether the lvalue e is atomic or volatile.
func (q *Qualifiers) Qualified(e cc.ExpressionNode) (atomic, volatile bool) {
	t := q.expression(e)
	for t.kind == arrayShape { // an array has the qualifiers of its elements
		t = t.of
	}
	return t.atomic, t.volatile || t.relaxed
}

// below returns the qualifiers of t's pointee, element or result.
func (t *qualified) below() *qualified {
	if t.of == nil {
		return unqualified
	}
	return t.of
}

// value returns t without its own qualifiers, as for a value.
func (t *qualified) value() *qualified {
	if t.kind == arrayShape {
		return &qualified{kind: pointerShape, of: t.of}
	}
	if !t.atomic && !t.volatile && !t.relaxed {
		return t
	}
	return &qualified{kind: t.kind, of: t.of}
}

// expression returns the qualifiers of an expression's type. It follows the structure of C's typing rules.
func (q *Qualifiers) expression(e cc.ExpressionNode) *qualified {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		return q.primary(n)
	case *cc.PostfixExpression:
		return q.postfix(n)
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionDeref:
			t := q.expression(n.CastExpression)
			if t.kind == functionShape {
				return t
			}
			return t.below()
		case cc.UnaryExpressionAddrof:
			return &qualified{kind: pointerShape, of: q.expression(n.CastExpression)}
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return q.expression(n.UnaryExpression).value()
		}
	case *cc.CastExpression:
		return q.typeName(n.TypeName).value()
	case *cc.AssignmentExpression:
		return q.expression(n.UnaryExpression).value()
	case *cc.ExpressionList:
		for n.ExpressionList != nil {
			n = n.ExpressionList
		}
		return q.expression(n.AssignmentExpression).value()
	case *cc.ConditionalExpression:
		yes := cc.ExpressionNode(n.LogicalOrExpression)
		if n.ExpressionList != nil {
			yes = n.ExpressionList
		}
		return q.either(q.expression(yes).value(), q.expression(n.ConditionalExpression).value())
	case *cc.AdditiveExpression:
		// The sum of a pointer and a number has the pointer's type.
		return q.either(q.expression(n.AdditiveExpression).value(), q.expression(n.MultiplicativeExpression).value())
	}
	return unqualified
}

// either returns the pointer type among two types. If both are pointers, the pointee has the qualifiers of both.
func (q *Qualifiers) either(a, b *qualified) *qualified {
	switch {
	case a.kind != pointerShape:
		return b
	case b.kind != pointerShape:
		return a
	}
	to := *a.below()
	to.atomic, to.volatile = to.atomic || b.below().atomic, to.volatile || b.below().volatile
	to.relaxed = to.relaxed || b.below().relaxed
	return &qualified{kind: pointerShape, of: &to}
}

// primary returns the qualifiers of a primary expression's type: a name, a compound literal, a statement expression or
// a generic selection.
func (q *Qualifiers) primary(n *cc.PrimaryExpression) *qualified {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		if d, ok := n.ResolvedTo().(*cc.Declarator); ok {
			return q.declarator(d)
		}
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return &qualified{kind: arrayShape, of: unqualified}
	case cc.PrimaryExpressionExpr:
		return q.expression(n.ExpressionList)
	case cc.PrimaryExpressionGeneric:
		if a := n.GenericSelection.Associated(); a != nil {
			return q.expression(a.AssignmentExpression)
		}
	case cc.PrimaryExpressionStmt:
		var last *cc.BlockItem
		for l := n.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			last = l.BlockItem
		}
		if last != nil && last.Statement != nil && last.Statement.ExpressionStatement != nil {
			if e := last.Statement.ExpressionStatement.ExpressionList; e != nil {
				return q.expression(e).value()
			}
		}
	}
	return unqualified
}

// postfix returns the qualifiers of an element, a member or the result of a call. An index may be on either side of the
// brackets, as in 2[a].
func (q *Qualifiers) postfix(n *cc.PostfixExpression) *qualified {
	switch n.Case {
	case cc.PostfixExpressionIndex:
		return q.either(q.expression(n.PostfixExpression).value(), q.expression(n.ExpressionList).value()).below()
	case cc.PostfixExpressionCall:
		t := q.expression(n.PostfixExpression)
		if t.kind == pointerShape {
			t = t.below()
		}
		return t.below().value()
	case cc.PostfixExpressionSelect:
		return q.member(q.expression(n.PostfixExpression), selected(n))
	case cc.PostfixExpressionPSelect:
		return q.member(q.expression(n.PostfixExpression).below(), selected(n))
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return q.expression(n.PostfixExpression).value()
	case cc.PostfixExpressionComplit:
		return q.typeName(n.TypeName)
	}
	return unqualified
}

// member returns the qualifiers of a field. A field of a volatile structure is volatile.
func (q *Qualifiers) member(of *qualified, f *cc.Field) *qualified {
	if f == nil {
		return unqualified
	}
	t := q.declarator(f.Declarator()).with(false, of.volatile)
	if of.relaxed {
		t = t.asRelaxed()
	}
	return t
}

// with adds qualifiers; an array passes them to its elements.
func (t *qualified) with(atomic, volatile bool) *qualified {
	if !atomic && !volatile || t.atomic && t.volatile {
		return t
	}
	c := *t
	if t.kind == arrayShape {
		c.of = t.below().with(atomic, volatile)
	} else {
		c.atomic, c.volatile = t.atomic || atomic, t.volatile || volatile
	}
	return &c
}

// declarator returns the qualifiers of a declared object.
func (q *Qualifiers) declarator(d *cc.Declarator) *qualified {
	if d == nil {
		return unqualified
	}
	if t, ok := q.known[d]; ok {
		return t
	}
	q.known[d] = unqualified // the declaration may refer to itself, as with typeof
	var t *qualified
	switch s := q.specifiers[d].(type) {
	case *cc.DeclarationSpecifiers:
		t = q.declared(d, q.declarationSpecifiers(s))
	case *cc.SpecifierQualifierList:
		t = q.declared(d, q.specifierList(s))
	case *cc.Initializer: // __auto_type
		t = q.expression(s.AssignmentExpression).value()
	default:
		t = q.declared(d, unqualified)
	}
	if d.IsParam() {
		t = adjusted(t)
	}
	if q.options.names(d) {
		t = t.asRelaxed()
	}
	q.known[d] = t
	return t
}

// adjusted returns a parameter's type: arrays and functions become pointers.
func adjusted(t *qualified) *qualified {
	switch t.kind {
	case arrayShape:
		return &qualified{kind: pointerShape, of: t.of}
	case functionShape:
		return &qualified{kind: pointerShape, of: t}
	}
	return t
}

// declared applies a declarator to the type that its specifiers give.
func (q *Qualifiers) declared(d *cc.Declarator, base *qualified) *qualified {
	return q.direct(d.DirectDeclarator, q.pointers(d.Pointer, base))
}

// direct applies the arrays, functions and parentheses of a declarator to a type, the outermost in the text first: int
// a[2][3] is an array of arrays of int.
func (q *Qualifiers) direct(d *cc.DirectDeclarator, base *qualified) *qualified {
	if d == nil {
		return base
	}
	switch d.Case {
	case cc.DirectDeclaratorIdent:
		return base
	case cc.DirectDeclaratorDecl:
		return q.declared(d.Declarator, base)
	case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
		return q.direct(d.DirectDeclarator, &qualified{kind: functionShape, of: base})
	}
	return q.direct(d.DirectDeclarator, &qualified{kind: arrayShape, of: base})
}

// pointers adds the pointers of a declarator, each with its own qualifiers: in int *volatile p, the pointer is
// volatile.
func (q *Qualifiers) pointers(p *cc.Pointer, base *qualified) *qualified {
	for ; p != nil; p = p.Pointer {
		base = &qualified{kind: pointerShape, of: base}
		for l := p.TypeQualifiers; l != nil; l = l.TypeQualifiers {
			base = base.by(l.TypeQualifier)
		}
	}
	return base
}

// by adds a qualifier.
func (t *qualified) by(n *cc.TypeQualifier) *qualified {
	if n == nil {
		return t
	}
	return t.with(n.Case == cc.TypeQualifierAtomic, n.Case == cc.TypeQualifierVolatile)
}

func (q *Qualifiers) typeName(n *cc.TypeName) *qualified {
	return q.abstract(n.AbstractDeclarator, q.specifierList(n.SpecifierQualifierList))
}

func (q *Qualifiers) abstract(d *cc.AbstractDeclarator, base *qualified) *qualified {
	if d == nil {
		return base
	}
	return q.directAbstract(d.DirectAbstractDeclarator, q.pointers(d.Pointer, base))
}

func (q *Qualifiers) directAbstract(d *cc.DirectAbstractDeclarator, base *qualified) *qualified {
	if d == nil {
		return base
	}
	switch d.Case {
	case cc.DirectAbstractDeclaratorDecl:
		return q.abstract(d.AbstractDeclarator, base)
	case cc.DirectAbstractDeclaratorFunc:
		return q.directAbstract(d.DirectAbstractDeclarator, &qualified{kind: functionShape, of: base})
	}
	return q.directAbstract(d.DirectAbstractDeclarator, &qualified{kind: arrayShape, of: base})
}

// declarationSpecifiers returns the type that specifiers give: that of the type specifier, with the qualifiers beside
// it, in whatever order they are written.
func (q *Qualifiers) declarationSpecifiers(n *cc.DeclarationSpecifiers) *qualified {
	base := unqualified
	for s := n; s != nil; s = s.DeclarationSpecifiers {
		if s.TypeSpecifier != nil {
			base = q.specifier(s.TypeSpecifier, base)
		}
	}
	for s := n; s != nil; s = s.DeclarationSpecifiers {
		base = base.by(s.TypeQualifier)
	}
	return base
}

func (q *Qualifiers) specifierList(n *cc.SpecifierQualifierList) *qualified {
	base := unqualified
	for s := n; s != nil; s = s.SpecifierQualifierList {
		if s.TypeSpecifier != nil {
			base = q.specifier(s.TypeSpecifier, base)
		}
	}
	for s := n; s != nil; s = s.SpecifierQualifierList {
		base = base.by(s.TypeQualifier)
	}
	return base
}

// specifier returns the type that a specifier names, or base if the specifier has no qualifiers.
func (q *Qualifiers) specifier(n *cc.TypeSpecifier, base *qualified) *qualified {
	switch n.Case {
	case cc.TypeSpecifierTypeName:
		if d := typedefOf(n); d != nil {
			return q.declarator(d)
		}
	case cc.TypeSpecifierAtomic:
		return q.typeName(n.AtomicTypeSpecifier.TypeName).with(true, false)
	case cc.TypeSpecifierTypeofExpr:
		return q.expression(n.ExpressionList)
	case cc.TypeSpecifierTypeofType:
		return q.typeName(n.TypeName)
	}
	return base
}

// typedefOf returns the declarator of the typedef that a specifier names, or nil.
func typedefOf(n *cc.TypeSpecifier) *cc.Declarator {
	if n.Case != cc.TypeSpecifierTypeName {
		return nil
	}
	name := n.Token.SrcStr()
	for s := n.LexicalScope(); s != nil; s = s.Parent {
		for _, node := range s.Nodes[name] {
			if d, ok := node.(*cc.Declarator); ok && d.IsTypename() {
				return d
			}
		}
	}
	return nil
}
