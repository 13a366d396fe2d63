package lisa

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// tokens are names (of annotations, with - inside), numbers and signs. What is none of them is a token of its own.
var tokens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z_%$][\w.]*(?:-[\w.]+)*|-?\d\w*|\S`)
})

// scan splits an instruction into tokens.
func scan(cell litmus.Cell) (out []litmus.Word) {
	for _, at := range tokens().FindAllStringIndex(cell.Text, -1) {
		out = append(out, litmus.Word{Pos: cell.At(at[0]), Text: cell.Text[at[0]:at[1]]})
	}
	return append(out, litmus.Word{Pos: cell.At(len(cell.Text))})
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	tokens []litmus.Word // those that are not read, and an empty one at the end
	name   litmus.Word
	notes  []litmus.Word // annotations
	dst    int           // the register of an update, which stands for the old value in its operation; -1
}

// fail ends the instruction with an error.
func (x *instr) fail(w litmus.Word, format string, args ...any) {
	panic(litmus.Errorf(w.Pos, "LISA: "+format, args...))
}

func (x *instr) next() litmus.Word {
	w := x.tokens[0]
	if w.Text != "" {
		x.tokens = x.tokens[1:]
	}
	return w
}

func (x *instr) peek(sign string) bool { return x.tokens[0].Text == sign }

func (x *instr) accept(sign string) bool {
	ok := x.peek(sign)
	if ok {
		x.next()
	}
	return ok
}

// want reads a sign.
func (x *instr) want(sign, where string) {
	if w := x.tokens[0]; !x.accept(sign) {
		x.fail(w, "got %s, want %q %s", shown(w), sign, where)
	}
}

func shown(w litmus.Word) string {
	if w.Text == "" {
		return "the end of the instruction"
	}
	return strconv.Quote(litmus.Shorten(w.Text))
}

// lower reads an instruction and emits its operations.
//
//	instruction = 'r' notes REGISTER address | 'w' notes address operation | 'rmw' notes REGISTER operation address
//	            | 'f' notes | 'call' notes | 'b' notes [operation] LABEL | 'mov' REGISTER operation | 'nop' .
//	notes       = '[' [WORD {',' WORD}] ']' .
//	address     = operation ['+' operation] .
//	operation   = REGISTER | NUMBER | LOCATION ['[' NUMBER ']'] | '(' OPERATOR operation [operation] ')' .
//
// Commas may stand between operands.
func (x *instr) lower() {
	x.name, x.dst = x.next(), -1
	lower, ok := map[string]func(){
		"r": x.read, "w": x.write, "rmw": x.update, "f": x.fence, "call": x.fence, "b": x.branch, "mov": x.move,
		"nop": func() {},
	}[x.name.Text]
	if !ok {
		x.Unknown(x.name, "")
		return
	}
	if x.name.Text != "mov" && x.name.Text != "nop" {
		x.annotations()
	}
	lower()
	if w := x.tokens[0]; w.Text != "" {
		x.fail(w, "got %s after the last operand of %s", shown(w), x.name.Text)
	}
}

// annotations reads the words in brackets.
func (x *instr) annotations() {
	x.want("[", "and annotations after "+x.name.Text+", as in "+x.name.Text+"[once]")
	for !x.accept("]") {
		if len(x.notes) > 0 {
			x.want(",", "between annotations, or ]")
		}
		w := x.next()
		if !isName(w.Text) {
			x.fail(w, "got %s, want an annotation such as once", shown(w))
		}
		x.notes = append(x.notes, w)
	}
}

// isName reports whether a token is a word, and no number or sign.
func isName(text string) bool {
	return text != "" && (text[0] == '_' || 'a' <= text[0]|0x20 && text[0]|0x20 <= 'z')
}

func (x *instr) read() {
	own, name, known := x.annotated("R", has(kernelReads))
	tags := own
	if known {
		tags = slices.Concat(kernelReads[name], own)
	}
	dst := x.register()
	x.accept(",")
	x.Emit(ir.Load{Dst: dst, Addr: x.address(), Bits: word, Tags: tags})
}

func (x *instr) write() {
	own, name, known := x.annotated("W", has(kernelWrites))
	tags := own
	if known {
		tags = slices.Concat(kernelWrites[name], own)
	}
	addr := x.address()
	x.accept(",")
	x.Emit(ir.Store{Addr: addr, Value: x.operation(), Tags: tags})
}

// has reports whether a table has an annotation.
func has[T any](table map[string]T) func(string) bool {
	return func(name string) bool {
		_, ok := table[name]
		return ok
	}
}

// update lowers an atomic update: the register gets the old value, and memory the value of the operation, in which that
// register already has the old value. (add 1), of one operand, adds to the old value; xchg replaces it, as an operand
// alone does; (cmpxchg a b) replaces it by b if it is a.
func (x *instr) update() {
	own, name, known := x.annotated("RMW", has(kernelUpdates))
	halves := [2]ir.Tags{}
	if known {
		halves = kernelUpdates[name]
	}
	more := append(ir.Tags{tagRMW, ir.TagLocked}, own...)
	op := ir.RMW{Bits: word}
	for i, half := range []*ir.Tags{&op.Tags, &op.WriteTags} {
		*half = slices.Concat(halves[i], more)
	}
	dst := x.register()
	x.accept(",")
	x.dst = dst
	old := ir.Old{Bits: word}
	open, what := x.tokens[0].Text == "(", ""
	if open && len(x.tokens) > 1 {
		what = x.tokens[1].Text
	}
	switch what {
	case "xchg", "cmpxchg":
		x.next()
		x.next()
		if what == "cmpxchg" {
			op.If = ir.Eq.Of(old, x.operation())
			x.accept(",")
		}
		op.New = x.operation()
		x.want(")", "after the operands of "+what)
	default:
		op.New = x.operation()
	}
	x.dst = -1
	x.accept(",")
	op.Addr = x.address()
	op.Dst = x.Temp(word)
	x.Emit(op)
	x.Assign(dst, x.Value(op.Dst))
}

// fence lowers a fence, or a call, which is an event as a fence is.
func (x *instr) fence() {
	if len(x.notes) == 0 {
		x.fail(x.name, "%s[] has no annotation: want one such as %[1]s[mb]", x.name.Text)
	}
	own, name, known := x.annotated("F", func(name string) bool {
		_, ok := fenceOf(name)
		return ok
	})
	tags := own
	if known {
		f, _ := fenceOf(name)
		tags = slices.Concat(f.tags, own)
	}
	if w := x.tokens[0]; w.Text == "{" || w.Text == "(" {
		x.fail(w, "a fence between sets of labels is not supported: %s[%s] orders what is before it and after it",
			x.name.Text, x.notes[0].Text)
	}
	x.Emit(ir.Fence{Tags: tags})
}

// branch lowers a jump, which is taken if the operation, if there is one, is not 0.
func (x *instr) branch() {
	if len(x.notes) > 0 {
		x.fail(x.notes[0], "b[%s]: branches are no events here, so that their annotations have no meaning: want b[]",
			litmus.Shorten(x.notes[0].Text))
	}
	var cond ir.Expr
	if len(x.tokens) > 2 {
		cond = ir.Not(ir.Eq.Of(x.operation(), number(0)))
		x.accept(",")
	}
	to := x.next()
	if !x.IsTarget(to.Text) {
		x.fail(to, "b wants a label here, got %s", shown(to))
	}
	x.Jump(cond, to)
}

func (x *instr) move() {
	dst := x.register()
	x.accept(",")
	x.Assign(dst, x.operation())
}

func number(v uint64) ir.Expr { return ir.Number(v, word) }

// register reads the name of a register.
func (x *instr) register() int {
	w := x.next()
	v, ok := x.FindRegister(w.Text)
	if !ok {
		x.fail(w, "%s wants a register here, such as r1, got %s", x.name.Text, shown(w))
	}
	return x.Reg(v.Whole)
}

// address reads an address: a location or a register, and what is added to it.
func (x *instr) address() ir.Expr {
	w := x.tokens[0]
	base := x.operation()
	if !x.accept("+") {
		return base
	}
	if at, ok := base.(ir.Addr); ok {
		if n, err := litmus.ParseNumber(x.tokens[0].Text); err == nil {
			x.next()
			return x.element(w, at.Loc, n)
		}
	}
	return ir.Add.Of(base, x.operation())
}

// element returns the address of a location that is some bytes behind the first of an array.
func (x *instr) element(w litmus.Word, first int, bytes uint64) ir.Expr {
	name, rest, array := strings.Cut(x.Program.Locs[first].Name, "[")
	index, _ := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if array && bytes%(word/8) == 0 && int64(bytes) >= 0 && bytes < 1<<16 {
		if at, ok := x.Find(name + "[" + strconv.Itoa(index+int(bytes)/(word/8)) + "]"); ok {
			x.Accessed(at, word)
			return ir.Addr{Loc: at, Bits: word}
		}
	}
	if bytes == 0 {
		return ir.Addr{Loc: first, Bits: word}
	}
	want := "declare an array of 32-bit elements, as in int " + name + "[2]"
	if array {
		want = "its elements have 4 bytes each"
	}
	x.fail(w, "%s+%d is no location: %s", litmus.Shorten(w.Text), int64(bytes), want)
	return nil
}

// operators are the functions of operations. Comparisons are signed, and give 1 or 0.
var operators = map[string]func(a, b ir.Expr) ir.Expr{
	"add": ir.Add.Of, "sub": ir.Sub.Of, "mul": ir.Mul.Of, "mult": ir.Mul.Of, "and": ir.BitAnd.Of, "or": ir.BitOr.Of,
	"xor": ir.BitXor.Of,
	"eq":  compare(ir.Eq, false, false), "neq": compare(ir.Eq, true, false), "ne": compare(ir.Eq, true, false),
	"lt": compare(ir.Slt, false, false), "ge": compare(ir.Slt, true, false), "gt": compare(ir.Slt, false, true),
	"le": compare(ir.Slt, true, true),
}

// compare returns a comparison, negated or of the operands in the other order.
func compare(op ir.BinaryOp, negated, swapped bool) func(a, b ir.Expr) ir.Expr {
	return func(a, b ir.Expr) ir.Expr {
		if swapped {
			a, b = b, a
		}
		c := op.Of(a, b)
		if negated {
			c = ir.Not(c)
		}
		return ir.Resize(c, word)
	}
}

// operation reads a value: an operand, or an operation in parentheses.
func (x *instr) operation() ir.Expr {
	w := x.next()
	switch {
	case w.Text == "(":
		return x.operated()
	case w.Text == "":
	case w.Text[0] == '-' || '0' <= w.Text[0] && w.Text[0] <= '9':
		v, err := litmus.ParseNumber(w.Text)
		if err != nil || v > ir.Mask(word) && v != ir.SignExtend(v&ir.Mask(word), word) {
			x.fail(w, "want a number of 32 bits here, got %s", shown(w))
		}
		return number(v & ir.Mask(word))
	case isName(w.Text) || w.Text[0] == '%':
		return x.named(w)
	}
	x.fail(w, "%s wants a register, a number or a location here, got %s", x.name.Text, shown(w))
	return nil
}

// named returns the value of a register, or the address of a location.
func (x *instr) named(w litmus.Word) ir.Expr {
	if v, ok := x.FindRegister(w.Text); ok {
		if r := x.Reg(v.Whole); r != x.dst {
			return x.Value(r)
		}
		return ir.Old{Bits: word}
	}
	if strings.ContainsAny(w.Text, "-.%$") {
		x.fail(w, "%s wants a register, a number or a location here, got %s", x.name.Text, shown(w))
	}
	at := x.Loc(w.Text)
	if x.accept("[") {
		n := x.next()
		i, err := litmus.ParseNumber(n.Text)
		if err != nil || i > 1<<14 {
			x.fail(n, "got %s, want the index of an element", shown(n))
		}
		x.want("]", "after an index")
		return x.element(w, at, i*word/8)
	}
	x.Accessed(at, word)
	return ir.Addr{Loc: at, Bits: word}
}

// operated reads an operation behind its parenthesis. In an update, one operand may be missing: it is the old value.
func (x *instr) operated() ir.Expr {
	w := x.next()
	op := operators[w.Text]
	if w.Text == "xchg" || w.Text == "cmpxchg" {
		x.fail(w, "%s is an operation of rmw, and no operand of another one", w.Text)
	}
	if op == nil {
		x.fail(w, "unknown operation %s%s", shown(w), litmus.DidYouMean(w.Text, operatorNames))
	}
	a := x.operation()
	x.accept(",")
	if x.dst >= 0 && x.accept(")") {
		return op(ir.Old{Bits: word}, a)
	}
	b := x.operation()
	x.want(")", "after the operands of "+w.Text)
	return op(a, b)
}
