package code

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// lowerer makes code of one function's syntax tree.
type lowerer struct {
	*program
	ast  *cc.AST // that the function is in
	f    *Function
	line int // of the statement at hand

	isFixed bool // all of its steps are of one line: it is a function of the library
	static  bool // it is no function, but an initialiser that is known before the program runs

	locals   map[*cc.Declarator]binding
	lengths  map[cc.ExpressionNode]ir.Expr // of arrays, where they are not constant, by what says them
	inMemory map[*cc.Declarator]bool
	result   cc.Type
	// converted is the expression, if it is one of a bit-field, whose value is converted at once.
	converted cc.Node
	into      ir.Expr // where the caller wants a struct that is returned
	variable  ir.Expr // where the arguments are that have no parameter; nil where there are none
	// Jumps to places that are yet to come, and places that have been.
	breaks, continues *[]int
	gotos             map[string][]int
	labels            map[string]label
	addressed         []string // labels whose address the function takes
	cases             map[*cc.LabeledStatement][]int
	atParts           map[cc.ExpressionNode][]Op    // what a conditional part does first
	within            bool                          // a full expression is being evaluated
	done              map[cc.ExpressionNode]operand // what is evaluated already, of that
	landed            int                           // the last step that a jump goes to
	pointsTo          cc.ExpressionNode             // the object, if it is one, whose address alone is taken
	pointsAt          cc.ExpressionNode             // the address whose object is accessed
	discards          *cc.PostfixExpression         // the call, if it is one, whose value nothing uses
	scopes            []*scope
	cleans            []*cc.Declarator
	loopScopes        [2]int // scopes around what a break leaves, and a continue
}

// scope is a block, with what is called at its end, and the locals in memory that end with it.
type scope struct {
	calls  []Call
	lines  []int
	locals []*Variable
	arrays []ir.Reg // where the arrays of variable length begin
	lasts  bool     // its value is looked at behind it
}

// label is a place that has a name, with the scopes around.
type label struct {
	at     int
	scopes []*scope
}

// inScope lowers what is in a scope, and calls what is to be called at its end.
func (l *lowerer) inScope(do func()) {
	depth := len(l.scopes)
	l.scopes = append(l.scopes, &scope{})
	do()
	l.leaveScopes(depth)
	l.scopes = l.scopes[:depth]
}

// leaveScopes calls what is to be called at the end of all scopes but for so many.
func (l *lowerer) leaveScopes(but int) {
	line := l.line
	for _, s := range slices.Backward(l.scopes[but:]) {
		for i, c := range slices.Backward(s.calls) {
			l.line = s.lines[i]
			l.emit(c)
		}
		for _, v := range s.locals {
			l.emit(Life{Of: v, Ends: true})
		}
		for _, at := range s.arrays {
			l.emit(Life{Array: at, Ends: true})
		}
	}
	l.line = line
}

// cleaned has a variable cleaned up at the end of the scope at hand.
func (l *lowerer) cleaned(d *cc.Declarator, o object, by cc.ExpressionNode) {
	f := functionNamed(by)
	if f == nil || l.functionOf(f) == nil {
		l.failf(by, "attribute cleanup wants a function that the program defines, got %s", cc.NodeSource(by))
	}
	fn := l.functionOf(f)
	if t := l.find(f).declared.Type().(*cc.FunctionType); len(t.Parameters()) != 1 {
		l.failf(by, "%s has %d parameters, want one", f.Name(), len(t.Parameters()))
	}
	c := Call{Dst: -1, Fn: fn, Args: []ir.Expr{o.addr}}
	s := l.scopes[len(l.scopes)-1]
	s.calls, s.lines = append(s.calls, c), append(s.lines, l.line)
	l.cleans = append(l.cleans, d)
}

// operand is the value of an expression, with its C type. The value's width is the type's.
type operand struct {
	x ir.Expr // nil for void
	t cc.Type
}

// failure is an error on its way out of the lowering, which recover turns round.
type failure struct{ error }

// failf refuses what is at a place of the source.
func (l *lowerer) failf(n cc.Node, format string, args ...any) {
	panic(failure{litmus.Errorf(read.Place(n), format, args...)})
}

// remark says something of what is at a place of the source, once.
func (l *lowerer) remark(n cc.Node, text string) {
	if r := litmus.Remarkf(read.Place(n), "%s", text); !slices.Contains(l.Remarks, r) {
		l.Remarks = append(l.Remarks, r)
	}
}

// emit adds a step, and gives its number.
func (l *lowerer) emit(o Op) int {
	l.f.Code = append(l.f.Code, Step{o, l.line})
	return len(l.f.Code) - 1
}

// temp is a new register.
func (l *lowerer) temp(bits int) int {
	l.f.Regs = append(l.f.Regs, Register{Bits: bits})
	return len(l.f.Regs) - 1
}

// reg reads a register.
func (l *lowerer) reg(i int) ir.Expr { return ir.Reg{Index: i, Bits: l.f.Regs[i].Bits} }

// keep evaluates x here and now.
func (l *lowerer) keep(x ir.Expr) ir.Expr {
	switch x.(type) {
	case ir.Const:
		return x
	}
	r := l.temp(x.Width())
	l.emit(Assign{r, x})
	return l.reg(r)
}

// settle has x be what it is now, whatever is assigned to locals later. Temporaries do not change.
func (l *lowerer) settle(x ir.Expr) ir.Expr {
	if x == nil {
		return nil
	}
	stable := true
	ir.Registers(x, func(i int) { stable = stable && l.f.Regs[i].Name == "" })
	if stable {
		return x
	}
	return l.keep(x)
}

// jump goes somewhere, where cond (nil: always) is 1; land says where.
func (l *lowerer) jump(cond ir.Expr) (from int) { return l.emit(Branch{cond, -1}) }

// land has jumps lead to the step that comes next.
func (l *lowerer) land(from ...int) {
	for _, i := range from {
		b, ok := l.f.Code[i].Op.(Branch)
		if !ok {
			panic(fmt.Sprintf("BUG: step %d is no jump", i))
		}
		b.Target = len(l.f.Code)
		l.f.Code[i].Op = b
		l.landed = b.Target
	}
}

// calling is a call of a builtin.
type calling struct {
	*lowerer
	node *cc.PostfixExpression
	name string
	args []operand
	raw  []operand // the same, of the types that they have as written
}
