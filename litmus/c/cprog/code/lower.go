package code

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// lowerer makes code of one function's syntax tree. Its parts share what they know of the function.
type lowerer struct {
	program      *program
	build        *builder
	types        *types
	values       *values
	position     *position
	symbols      *symbols
	statements   *statements
	declarations *declarations
	initialisers *initialisers
	calls        *calls
	flow         *flow
}

// newLowerer makes the parts that lower a function, or an initialiser, of a translation unit into f.
func newLowerer(p *program, ast *cc.AST, f *Function, inMemory map[*cc.Declarator]bool) *lowerer {
	t := p.types.of(ast)
	b := &builder{function: f}
	at := &position{lines: p.lines, build: b}
	v := &values{unit: p.unit, build: b, types: t, overflow: p.overflow}
	m := &memory{unit: p.unit, build: b, types: t, values: v}
	known := &locals{bindings: map[*cc.Declarator]binding{}, inMemory: inMemory}
	s := &symbols{program: p, build: b, types: t, position: at}
	fl := &flow{
		build: b, gotos: map[string][]int{}, labels: map[string]label{}, cases: map[*cc.LabeledStatement][]int{},
	}
	seen := &effectsAnalysis{types: t, symbols: s, locals: known, lines: p.lines}
	order := &evaluationOrder{build: b, values: v, effects: seen}
	e := &expressions{
		program: p, build: b, types: t, values: v, memory: m, literals: p.literals, symbols: s, locals: known, flow: fl, order: order,
	}
	order.expressions = e
	c := &calls{program: p, build: b, position: at, types: t, values: v, memory: m, symbols: s, expressions: e}
	in := &initialisers{program: p, build: b, types: t, values: v, memory: m, expressions: e}
	d := &declarations{
		program: p, build: b, types: t, values: v, memory: m, symbols: s, locals: known, flow: fl, position: at,
		expressions: e, initialisers: in,
	}
	st := &statements{
		program: p, build: b, types: t, values: v, memory: m, symbols: s, flow: fl, position: at,
		expressions: e, calls: c, declarations: d,
	}
	e.calls, e.declarations, e.statements = c, d, st
	return &lowerer{
		program: p, build: b, types: t, position: at, symbols: s, statements: st, declarations: d, initialisers: in,
		calls: c, flow: fl, values: v,
	}
}

// builder adds steps to a function.
type builder struct {
	function *Function
	line     int // of the statement at hand
	landed   int // the last step that a jump goes to
}

// position says which line the steps that come next are of.
type position struct {
	lines   *lines
	build   *builder
	isFixed bool // all steps are of one line: they are of a function of the library
}

// locals are those of a function, and its parameters.
type locals struct {
	bindings map[*cc.Declarator]binding
	inMemory map[*cc.Declarator]bool
}

// symbols finds what names at file scope refer to, from within a function.
type symbols struct {
	program  *program
	build    *builder
	types    *types
	position *position
}

// values computes values: conversions, arithmetic and comparisons.
type values struct {
	unit     *Unit
	build    *builder
	types    *types
	overflow bool                          // whether arithmetic is asked about
	static   bool                          // of an initialiser that is known before the program runs
	lengths  map[cc.ExpressionNode]ir.Expr // of arrays, where they are not constant, by what says them
}

// memory reads and writes objects.
type memory struct {
	unit   *Unit
	build  *builder
	types  *types
	values *values
	// converted is the expression, if it is one of a bit-field, whose value is converted at once.
	converted cc.Node
}

// literals are the variables of string literals.
type literals struct {
	strings map[string]*Variable
}

// expressions evaluates expressions, and finds the objects that they designate.
type expressions struct {
	program      *program
	build        *builder
	types        *types
	values       *values
	memory       *memory
	literals     *literals
	symbols      *symbols
	locals       *locals
	flow         *flow
	order        *evaluationOrder
	calls        *calls
	declarations *declarations
	statements   *statements
	pointsTo     cc.ExpressionNode // the object, if it is one, whose address alone is taken
	pointsAt     cc.ExpressionNode // the address whose object is accessed
}

// evaluationOrder evaluates full expressions, whose operands may come in several orders.
type evaluationOrder struct {
	build       *builder
	values      *values
	expressions *expressions
	effects     *effectsAnalysis
	atParts     map[cc.ExpressionNode][]Op    // what a conditional part does first
	within      bool                          // a full expression is being evaluated
	done        map[cc.ExpressionNode]operand // what is evaluated already, of that
}

// effectsAnalysis finds out what evaluating an expression may do to memory.
type effectsAnalysis struct {
	types   *types
	symbols *symbols
	locals  *locals
	lines   *lines
}

// calls lowers calls of functions.
type calls struct {
	program     *program
	build       *builder
	types       *types
	values      *values
	memory      *memory
	symbols     *symbols
	expressions *expressions
	position    *position
	variable    ir.Expr               // where the arguments are that have no parameter; nil where there are none
	discards    *cc.PostfixExpression // the call, if it is one, whose value nothing uses
}

// initialisers reads what initialisers say.
type initialisers struct {
	program     *program
	build       *builder
	types       *types
	values      *values
	memory      *memory
	expressions *expressions
}

// declarations lowers declarations in blocks, and parameters.
type declarations struct {
	program      *program
	build        *builder
	types        *types
	values       *values
	memory       *memory
	symbols      *symbols
	locals       *locals
	flow         *flow
	position     *position
	expressions  *expressions
	initialisers *initialisers
}

// statements lowers statements.
type statements struct {
	program      *program
	build        *builder
	types        *types
	values       *values
	memory       *memory
	symbols      *symbols
	flow         *flow
	position     *position
	expressions  *expressions
	calls        *calls
	declarations *declarations
	result       cc.Type  // of the function
	into         ir.Expr  // where the caller wants a struct that is returned
	addressed    []string // labels whose address the function takes
}

// flow knows the blocks around a statement, and the jumps out of them.
type flow struct {
	build *builder
	// Jumps to places that are yet to come, and places that have been.
	breaks, continues *[]int
	gotos             map[string][]int
	labels            map[string]label
	cases             map[*cc.LabeledStatement][]int
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
func (fl *flow) inScope(do func()) {
	depth := len(fl.scopes)
	fl.scopes = append(fl.scopes, &scope{})
	do()
	fl.leaveScopes(depth)
	fl.scopes = fl.scopes[:depth]
}

// leaveScopes calls what is to be called at the end of all scopes but for so many.
func (fl *flow) leaveScopes(but int) {
	line := fl.build.line
	for _, s := range slices.Backward(fl.scopes[but:]) {
		for i, c := range slices.Backward(s.calls) {
			fl.build.line = s.lines[i]
			fl.build.emit(c)
		}
		for _, v := range s.locals {
			fl.build.emit(Life{Of: v, Ends: true})
		}
		for _, at := range s.arrays {
			fl.build.emit(Life{Array: at, Ends: true})
		}
	}
	fl.build.line = line
}

// cleaned has a variable cleaned up at the end of the scope at hand.
func (ds *declarations) cleaned(d *cc.Declarator, o object, by cc.ExpressionNode) {
	f := functionNamed(by)
	if f == nil || ds.symbols.functionOf(f) == nil {
		failf(by, "attribute cleanup wants a function that the program defines, got %s", cc.NodeSource(by))
	}
	fn := ds.symbols.functionOf(f)
	if t := ds.symbols.find(f).declared.Type().(*cc.FunctionType); len(t.Parameters()) != 1 {
		failf(by, "%s has %d parameters, want one", f.Name(), len(t.Parameters()))
	}
	c := Call{Dst: -1, Fn: fn, Args: []ir.Expr{o.addr}}
	s := ds.flow.scopes[len(ds.flow.scopes)-1]
	s.calls, s.lines = append(s.calls, c), append(s.lines, ds.build.line)
	ds.flow.cleans = append(ds.flow.cleans, d)
}

// operand is the value of an expression, with its C type. The value's width is the type's.
type operand struct {
	x ir.Expr // nil for void
	t cc.Type
}

// failure is an error on its way out of the lowering, which recover turns round.
type failure struct{ error }

// failf refuses what is at a place of the source.
func failf(n cc.Node, format string, args ...any) {
	panic(failure{litmus.Errorf(read.Place(n), format, args...)})
}

// remark says something of what is at a place of the source, once.
func (u *Unit) remark(n cc.Node, text string) {
	if r := litmus.Remarkf(read.Place(n), "%s", text); !slices.Contains(u.Remarks, r) {
		u.Remarks = append(u.Remarks, r)
	}
}

// emit adds a step, and gives its number.
func (b *builder) emit(o Op) int {
	b.function.Code = append(b.function.Code, Step{o, b.line})
	return len(b.function.Code) - 1
}

// temp is a new register.
func (b *builder) temp(bits int) int {
	b.function.Regs = append(b.function.Regs, Register{Bits: bits})
	return len(b.function.Regs) - 1
}

// reg reads a register.
func (b *builder) reg(i int) ir.Expr { return ir.Reg{Index: i, Bits: b.function.Regs[i].Bits} }

// keep evaluates x here and now.
func (b *builder) keep(x ir.Expr) ir.Expr {
	switch x.(type) {
	case ir.Const:
		return x
	}
	r := b.temp(x.Width())
	b.emit(Assign{r, x})
	return b.reg(r)
}

// settle has x be what it is now, whatever is assigned to locals later. Temporaries do not change.
func (b *builder) settle(x ir.Expr) ir.Expr {
	if x == nil {
		return nil
	}
	stable := true
	ir.Registers(x, func(i int) { stable = stable && b.function.Regs[i].Name == "" })
	if stable {
		return x
	}
	return b.keep(x)
}

// jump goes somewhere, where cond (nil: always) is 1; land says where.
func (b *builder) jump(cond ir.Expr) (from int) { return b.emit(Branch{cond, -1}) }

// land has jumps lead to the step that comes next.
func (b *builder) land(from ...int) {
	for _, i := range from {
		branch, ok := b.function.Code[i].Op.(Branch)
		if !ok {
			panic(fmt.Sprintf("BUG: step %d is no jump", i))
		}
		branch.Target = len(b.function.Code)
		b.function.Code[i].Op = branch
		b.landed = branch.Target
	}
}

// caller is the function that calls a builtin, and what builtins ask of it.
type caller interface {
	object(e cc.ExpressionNode) object // what an lvalue designates
	variableArguments() ir.Expr        // where the arguments are that have no parameter; nil where there are none
	// The library's functions have names that begin with inLibrary.
	callLibrary(name string, args ...ir.Expr) operand
	libraryType(name string) *cc.FunctionType
	libraryFunction(name string) *Function // nil where the program does not have it
	runLast(status ir.Expr)                // calls what runs when the program ends
}

// calling is a call of a builtin.
type calling struct {
	unit     *Unit
	build    *builder
	types    *types
	values   *values
	memory   *memory
	literals *literals
	shared   *shared
	caller   caller
	node     *cc.PostfixExpression
	name     string
	args     []operand
	raw      []operand // the same, of the types that they have as written
}
