package cat

import "litmuscope/litmus"

// File is the syntax tree of one cat file.
type File struct {
	Name   string
	Title  string
	Decls  []Decl
	Broken bool // it has errors: parts are missing
	unions []union
}

// Decl is a declaration: Let, Check, Show, Include, Procedure, Invoke, With, Enum,
// Instructions, Forall, MatchDecl, Choice, or Broken.
type Decl interface{ decl() }

// The declarations.
type (
	// Let binds names, in a recursive group when Rec.
	Let struct {
		Rec      bool
		Bindings []Binding
	}
	// Check is an axiom, or another check according to Role.
	Check struct {
		Pos     litmus.Pos
		Source  Source
		Kind    CheckKind
		Negated bool
		Role    Role
		Expr    Expr
		Name    string
	}
	// Show lists a relation to draw, or with Hide one not to draw.
	Show struct {
		Pos    litmus.Pos
		Source Source
		Hide   bool
		Expr   Expr
		Name   string
	}
	// Include inserts the declarations of another file.
	Include struct {
		Pos  litmus.Pos
		File string
	}
	// Procedure is a sequence of declarations with parameters.
	Procedure struct {
		Pos    litmus.Pos
		Name   string
		Params []string
		Body   []Decl
	}
	// Invoke calls a procedure. Its checks get Name, if Name is set.
	Invoke struct {
		Pos       litmus.Pos
		Source    Source
		Procedure string
		Args      []Expr
		Name      string
	}
	// With binds a name to each member of a set in turn.
	With struct {
		Pos    litmus.Pos
		Source Source
		Name   string
		From   Expr
	}
	// Instructions lists the tags that the events of a kind of instruction may have.
	Instructions struct {
		Pos  litmus.Pos
		Kind string
		Tags Expr
	}
	// Forall repeats its declarations for each member of a set, bound to Name.
	Forall struct {
		Pos  litmus.Pos
		Name string
		In   Expr
		Body []Decl
	}
	// MatchDecl contains the declarations of the first of Match's cases that fits. The bodies of the cases are in
	// Decls.
	MatchDecl struct {
		Match Match
		Decls [][]Decl
	}
	// Choice contains one or the other list of declarations, according to a condition.
	Choice struct {
		If         Condition
		Then, Else []Decl
	}
	// Enum lists the tags of a type.
	Enum struct {
		Pos  litmus.Pos
		Name string
		Tags []string
	}
	// Broken is a declaration with errors, and the names that it would have defined.
	Broken struct{ Names []string }
)

func (Let) decl()     {}
func (Check) decl()   {}
func (Show) decl()    {}
func (Include) decl() {}

func (Procedure) decl() {}
func (Invoke) decl()    {}
func (With) decl()      {}
func (Enum) decl()      {}
func (Choice) decl()    {}

func (Instructions) decl() {}
func (Forall) decl()       {}
func (MatchDecl) decl()    {}
func (Broken) decl()       {}

// Condition tests which variants of the tool are on: one by name, or with Op "not", "&&" or "||" a combination of
// operands. With "=", "subset" or "in" it compares X and Y.
type Condition struct {
	Op       string // "" for a variant
	Variant  string
	Operands []Condition
	Pos      litmus.Pos
	X, Y     Expr
}

// Binding is name = body, or a function name(params) = body. It may bind several names at once, to the members of a
// tuple.
type Binding struct {
	Pos    litmus.Pos
	Source Source
	Name   string
	Names  []string // (a, b) = …; then Name is empty
	Params []string // of a function; may be empty but is not nil
	Body   Expr
}

// CheckKind is the property that an axiom requires of its relation.
type CheckKind int

// The kinds of axioms.
const (
	Acyclic CheckKind = iota
	Irreflexive
	Empty
)

func (k CheckKind) String() string { return [...]string{"acyclic", "irreflexive", "empty"}[k] }

// Role is the meaning of a check's result.
type Role int

// The roles of checks.
const (
	Required        Role = iota // an axiom: the model forbids executions that break it
	Flagged                     // flag: marks an execution where it holds
	UndefinedUnless             // an execution where it fails has undefined behaviour
	Asserted                    // assert: the model does not apply to a test where it fails
)

// Expr is an expression. In a Model, only Unary, Binary, Nothing, Base, Ref and Chosen remain.
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
	Differing                 // different-values(r): the pairs of r whose values differ
)

// The operators of two operands.
const (
	Union     BinaryOp = iota // a | b
	Inter                     // a & b
	Diff                      // a \ b
	Seq                       // a ; b
	Cartesian                 // S * T
	Add                       // x ++ S: S with x added; not in a Model
)

// The expressions.
type (
	// Name is an identifier, not yet bound.
	Name struct {
		Pos  litmus.Pos
		Name string
	}
	// Call applies a function. Arg is a Tuple if there are several arguments.
	Call struct {
		Pos  litmus.Pos
		Func Expr
		Arg  Expr // a Tuple for several arguments
	}
	// Tuple is (a, b …), or () without members.
	Tuple struct {
		Pos     litmus.Pos
		Members []Expr
	}
	// Fun is fun params -> body.
	Fun struct {
		Pos    litmus.Pos
		Params []string
		Body   Expr
	}
	// LetIn is let … in Body.
	LetIn struct {
		Let  Let
		Body Expr
	}
	// Try is X, or Else if X uses a name that is not defined.
	Try struct {
		X, Else Expr
	}
	// If is Then or Else, according to a condition.
	If struct {
		Cond       Condition
		Then, Else Expr
	}
	// Tag is a member of an Enum, 'tag.
	Tag struct {
		Pos  litmus.Pos
		Name string
	}
	// Members is a set of the members listed.
	Members struct {
		Pos litmus.Pos
		Of  []Expr
	}
	// Match chooses a case by the value of a tag, or splits a set.
	Match struct {
		Pos   litmus.Pos
		X     Expr
		Cases []Case
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
	// Base is a set or relation that executions provide.
	Base struct {
		Name string
		Kind Kind
	}
	// Ref is the value of a definition.
	Ref struct{ Def *Def }
	// Chosen is an order that an execution of the model chooses.
	Chosen struct{ Order *Order }
)

func (Name) expr()    {}
func (Call) expr()    {}
func (Tuple) expr()   {}
func (Fun) expr()     {}
func (LetIn) expr()   {}
func (Try) expr()     {}
func (If) expr()      {}
func (Tag) expr()     {}
func (Match) expr()   {}
func (Members) expr() {}

func (Unary) expr()   {}
func (Binary) expr()  {}
func (Nothing) expr() {}
func (Base) expr()    {}
func (Ref) expr()     {}
func (Chosen) expr()  {}

// Case is one arm of a Match. The parts of a matched set are bound to Member and Rest.
type Case struct {
	Pattern      Pattern
	Tag          string
	Member, Rest string
	Body         Expr
}

// Pattern is the kind of value that a Case matches.
type Pattern int

// The patterns.
const (
	MatchAny    Pattern = iota // _
	MatchTag                   // 'tag
	MatchEmpty                 // {}
	MatchMember                // member ++ rest
)

// Kind distinguishes sets of events from relations over them.
type Kind int

// The kinds of values. Either is the kind of the empty set or relation.
const (
	Either Kind = iota
	Set
	Relation
)

func (k Kind) String() string { return [...]string{"set or relation", "set", "relation"}[k] }

// Includes lists the files that f includes, on both sides of a Choice.
func (f *File) Includes() []string { return includes(f.Decls) }

func includes(decls []Decl) []string {
	var out []string
	for _, d := range decls {
		switch d := d.(type) {
		case Include:
			out = append(out, d.File)
		case Procedure:
			out = append(out, includes(d.Body)...)
		case Choice:
			out = append(append(out, includes(d.Then)...), includes(d.Else)...)
		case Forall:
			out = append(out, includes(d.Body)...)
		case MatchDecl:
			for _, decls := range d.Decls {
				out = append(out, includes(decls)...)
			}
		}
	}
	return out
}
