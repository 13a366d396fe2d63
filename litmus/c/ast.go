package c

import (
	"reflect"

	"litmuscope/litmus"
)

// Unit contains the functions of a test.
type Unit struct {
	Threads []Thread
	// Local are the locations in local memory, in a test of OpenCL.
	Local map[string]bool
}

// Thread is one function.
type Thread struct {
	ID     int
	Params []litmus.Param
	Body   []Stmt
}

// Stmt is a statement: Declare, Do, If, While, For, Break, Continue, Return or Block.
type Stmt interface{ stmt() }

// Place is the position of a statement or an expression: in the text, and the cell of its thread.
type Place struct {
	Pos  litmus.Pos
	Cell int
}

// The statements.
type (
	// Declare is a local with a type and, unless Value is nil, a value.
	Declare struct {
		Place
		Type  Type
		Name  string
		Value Expr
	}
	// Do is an expression evaluated for its effects.
	Do struct {
		Place
		X Expr
	}
	// If is if (Cond) Then else Else.
	If struct {
		Place
		Cond       Expr
		Then, Else []Stmt
	}
	// While is while (Cond) Body or, with Post, do Body while (Cond).
	While struct {
		Place
		Cond Expr
		Body []Stmt
		Post bool
	}
	// For is for (Init; Cond; Step) Body; Cond and Step may be nil.
	For struct {
		Place
		Init       []Stmt
		Cond, Step Expr
		Body       []Stmt
	}
	// Break leaves the loop.
	Break struct{ Place }
	// Continue starts the loop's next round.
	Continue struct{ Place }
	// Return ends the thread.
	Return struct {
		Place
		X Expr // nil when nothing is returned
	}
	// Block is { Body }.
	Block struct {
		Place
		Body []Stmt
	}
)

func (*Declare) stmt()  {}
func (*Do) stmt()       {}
func (*If) stmt()       {}
func (*While) stmt()    {}
func (*For) stmt()      {}
func (*Break) stmt()    {}
func (*Continue) stmt() {}
func (*Return) stmt()   {}
func (*Block) stmt()    {}

// Expr is an expression: Number, Name, Unary, Postfix, Binary, Assign, Cast, Call, Index,
// Member or Ternary.
type Expr interface{ Where() Place }

// The expressions.
type (
	// Number is a constant.
	Number struct {
		Place
		Value    uint64
		Unsigned bool
	}
	// Name is a local, a parameter, or a constant such as memory_order_acquire.
	Name struct {
		Place
		Text string
	}
	// Unary is Op X, where Op is one of - + ! ~ * & ++ and --.
	Unary struct {
		Place
		Op string
		X  Expr
	}
	// Postfix is X Op, where Op is ++ or --.
	Postfix struct {
		Place
		Op string
		X  Expr
	}
	// Binary is X Op Y.
	Binary struct {
		Place
		Op   string
		X, Y Expr
	}
	// Assign is To = X, or To Op= X.
	Assign struct {
		Place
		Op string // "" for =
		To Expr
		X  Expr
	}
	// Cast is (Type) X.
	Cast struct {
		Place
		Type Type
		X    Expr
	}
	// Call is Func(Args).
	Call struct {
		Place
		Func string
		Args []Expr
		// Label is that of a control barrier of OpenCL, or "".
		Label string
	}
	// Index is X[At].
	Index struct {
		Place
		X, At Expr
	}
	// Member is X->Field.
	Member struct {
		Place
		X     Expr
		Field string
	}
	// Ternary is If ? Then : Else.
	Ternary struct {
		Place
		If, Then, Else Expr
	}
)

// Where implements Expr.
func (p Place) Where() Place { return p }

// Walk calls f on every expression in some statements, including nested ones.
func Walk(body []Stmt, f func(Expr)) { walk(reflect.ValueOf(body), f) }

// walk implements Walk for a statement, an expression, a list of them, or a part of one.
func walk(v reflect.Value, f func(Expr)) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), f)
		}
	case reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), f)
		}
	case reflect.Pointer:
		if x, ok := v.Interface().(Expr); ok {
			if _, statement := x.(Stmt); !statement { // statements have a place, too
				f(x)
			}
		}
		for i := range v.Elem().NumField() {
			walk(v.Elem().Field(i), f)
		}
	}
}

// Acts reports whether an expression does more than compute a value.
func Acts(x Expr) (yes bool) {
	Walk([]Stmt{&Do{X: x}}, func(x Expr) {
		switch x := x.(type) {
		case *Call, *Assign, *Postfix, *Index, *Member:
			yes = true
		case *Unary:
			yes = yes || x.Op == "*" || x.Op == "++" || x.Op == "--"
		}
	})
	return yes
}
