package cat

import "litmuscope/litmus"

// File is the syntax tree of one cat file.
type File struct {
	Title string
	Decls []Decl
}

// Decl is a declaration: Let, Check, Show or Include.
type Decl interface{ decl() }

// The declarations.
type (
	// Let binds names, in a recursive group when Rec.
	Let struct {
		Rec      bool
		Bindings []Binding
	}
	// Check is an axiom, or with Flag a remark on the execution.
	Check struct {
		Pos     litmus.Pos
		Kind    CheckKind
		Negated bool
		Flag    bool
		Expr    Expr
		Name    string
	}
	// Show asks for a relation to be drawn, or with Hide not to be.
	Show struct {
		Pos  litmus.Pos
		Hide bool
		Expr Expr
		Name string
	}
	// Include is another file's declarations.
	Include struct {
		Pos  litmus.Pos
		File string
	}
)

func (Let) decl()     {}
func (Check) decl()   {}
func (Show) decl()    {}
func (Include) decl() {}

// Binding is name = body, or a function name(params) = body.
type Binding struct {
	Pos    litmus.Pos
	Name   string
	Params []string
	Body   Expr
}

// CheckKind is what an axiom asks of its relation.
type CheckKind int

// The kinds of axioms.
const (
	Acyclic CheckKind = iota
	Irreflexive
	Empty
)

func (k CheckKind) String() string { return [...]string{"acyclic", "irreflexive", "empty"}[k] }

// Expr is an expression. Name and Call appear in a File only, Base and Ref in a
// Model only.
type Expr interface{ expr() }

// UnaryOp and BinaryOp are the operators of cat.
type (
	UnaryOp  int
	BinaryOp int
)

// The operators.
const (
	Inverse    UnaryOp = iota // r^-1
	Plus                      // r+: transitive closure
	Star                      // r*: reflexive and transitive closure
	Optional                  // r?: r or identity
	Complement                // ~s
	Identity                  // [S]: identity on a set
	Domain                    // domain(r)
	Range                     // range(r)
)

// The operators of two operands.
const (
	Union     BinaryOp = iota // a | b
	Inter                     // a & b
	Diff                      // a \ b
	Seq                       // a ; b
	Cartesian                 // S * T
)

// The expressions.
type (
	// Name is an identifier, not yet bound.
	Name struct {
		Pos  litmus.Pos
		Name string
	}
	// Call applies a function.
	Call struct {
		Pos  litmus.Pos
		Func string
		Args []Expr
	}
	// Unary applies an operator to X.
	Unary struct {
		Pos litmus.Pos
		Op  UnaryOp
		X   Expr
	}
	// Binary applies an operator to X and Y.
	Binary struct {
		Pos  litmus.Pos
		Op   BinaryOp
		X, Y Expr
	}
	// Nothing is the empty set or relation.
	Nothing struct{ Pos litmus.Pos }
	// Base is a set or relation that the execution itself gives.
	Base struct {
		Name string
		Kind Kind
	}
	// Ref is the value of a definition.
	Ref struct{ Def *Def }
)

func (Name) expr()    {}
func (Call) expr()    {}
func (Unary) expr()   {}
func (Binary) expr()  {}
func (Nothing) expr() {}
func (Base) expr()    {}
func (Ref) expr()     {}

// Kind tells sets of events from relations over them.
type Kind int

// The kinds of values. Either is the kind of the empty set or relation.
const (
	Either Kind = iota
	Set
	Relation
)

func (k Kind) String() string { return [...]string{"set or relation", "set", "relation"}[k] }
