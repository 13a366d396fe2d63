package llvm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// drawn writes a random function f(i8 %a, i8 %b) that always ends: its blocks jump forward, and each jump back counts
// in memory, which ends the function after a few rounds.
type drawn struct {
	*rapid.T
	text   strings.Builder
	blocks int
}

func (d *drawn) pick(what string, from ...string) string {
	return rapid.SampledFrom(from).Draw(d.T, what)
}

// operand is a parameter, a number, or what the blocks that dominate a block have computed: block 0.
func (d *drawn) operand(extra ...string) string {
	return d.pick("operand", append(extra, "%a", "%b", "%p0", "0", "1", "2", "3", "-1")...)
}

// condition writes a truth value of a block from an operand.
func (d *drawn) condition(k int, of string) string {
	kind := d.pick("kind", "eq", "ne", "ult", "sgt")
	fmt.Fprintf(&d.text, "  %%c%d = icmp %s i8 %s, %s\n", k, kind, of, d.pick("with", "0", "1", "2", "%a"))
	if rapid.Bool().Draw(d.T, "not") {
		fmt.Fprintf(&d.text, "  %%d%d = xor i1 %%c%d, true\n", k, k)
		return fmt.Sprintf("%%d%d", k)
	}
	return fmt.Sprintf("%%c%d", k)
}

// function writes the function. Block k has a phi xk, a truth value of it, and a value pk made of the truth value.
func (d *drawn) function() string {
	d.blocks = rapid.IntRange(3, 7).Draw(d.T, "blocks")
	type edge struct {
		from  int
		value string
	}
	into := make([][]edge, d.blocks+1)
	bodies := make([]string, d.blocks+1)
	for k := range d.blocks {
		d.text.Reset()
		x := fmt.Sprintf("%%x%d", k)
		if k == 0 {
			x = "%a"
		}
		cond := d.condition(k, x)
		p := fmt.Sprintf("%%p%d", k)
		switch d.pick("make", "zext", "select", "add") {
		case "zext":
			fmt.Fprintf(&d.text, "  %s = zext i1 %s to i8\n", p, d.pick("of", cond, fmt.Sprintf("%%c%d", k)))
		case "select":
			fmt.Fprintf(&d.text, "  %s = select i1 %s, i8 %s, i8 %s\n", p, d.pick("of", cond, fmt.Sprintf("%%c%d", k)),
				d.pick("then", x, "%b", "1", "0"), d.pick("else", x, "%a", "1", "2"))
		default:
			fmt.Fprintf(&d.text, "  %s = add i8 %s, %s\n", p, x, d.pick("addend", "%a", "%b", "1", "-1"))
		}
		later := func(what string) int { return rapid.IntRange(k+1, d.blocks).Draw(d.T, what) }
		way := func(what string) int {
			if to := k - rapid.IntRange(0, 2).Draw(d.T, "back"); to > 0 &&
				rapid.IntRange(0, 3).Draw(d.T, "is back") == 0 {
				return to
			}
			return later(what)
		}
		value := func() string {
			if k == 0 {
				return d.pick("operand", "%a", "%b", "%p0", "0", "1")
			}
			return d.operand(x, p, x, p)
		}
		if rapid.IntRange(0, 3).Draw(d.T, "effect") == 0 { // such a block is not copied
			fmt.Fprintf(&d.text, "  store i8 %s, ptr @memory\n", p)
		}
		switch d.pick("end", "br", "br", "br", "jump", "switch") {
		case "br":
			yes, no := way("yes"), way("no")
			into[yes] = append(into[yes], edge{k, value()})
			if no != yes {
				into[no] = append(into[no], edge{k, value()})
			} else {
				into[no] = append(into[no], into[yes][len(into[yes])-1])
			}
			fmt.Fprintf(&d.text, "  br i1 %s, label %%l%d, label %%l%d\n", cond, yes, no)
		case "jump":
			to := way("to")
			into[to] = append(into[to], edge{k, value()})
			fmt.Fprintf(&d.text, "  br label %%l%d\n", to)
		default:
			to, other := later("case"), later("default")
			v := value()
			into[to], into[other] = append(into[to], edge{k, v}), append(into[other], edge{k, v})
			fmt.Fprintf(&d.text, "  switch i8 %s, label %%l%d [\n    i8 1, label %%l%d\n  ]\n", p, other, to)
		}
		bodies[k] = d.text.String()
	}
	last := d.blocks
	bodies[last] = fmt.Sprintf("  %%m = load i8, ptr @memory\n  %%r = mul i8 %%x%d, 17\n  %%s = add i8 %%r, %%m\n"+
		"  ret i8 %%s\n", last)
	var out strings.Builder
	out.WriteString("@memory = global i8 0\ndefine i8 @f(i8 %a, i8 %b) {\n")
	for k, body := range bodies {
		fmt.Fprintf(&out, "l%d:\n", k)
		if k > 0 {
			if len(into[k]) == 0 { // out of reach
				fmt.Fprintf(&out, "  %%x%d = add i8 0, 0\n%s", k, body)
				continue
			}
			var from []string
			for _, e := range into[k] {
				from = append(from, fmt.Sprintf("[ %s, %%l%d ]", e.value, e.from))
			}
			fmt.Fprintf(&out, "  %%x%d = phi i8 %s\n", k, strings.Join(from, ", "))
		}
		out.WriteString(body)
	}
	out.WriteString("}\n")
	return out.String()
}

// mostBlocks is the number of blocks that a run of a function may execute.
const mostBlocks = 60

// interpret runs the function as the language reference says, and lists what it stores and returns. ends is false if it
// runs for long.
func interpret(f *assembly.Function, a, b uint64) (trace []uint64, ends bool) {
	locals := map[string]uint64{"a": a, "b": b}
	value := func(v *assembly.Value) uint64 {
		if v.Kind == assembly.Local {
			return locals[v.Name]
		}
		n, _ := bitsOf(v)
		return n
	}
	blocks := map[string]*assembly.Block{}
	for _, b := range f.Blocks {
		blocks[b.Name] = b
	}
	truth := map[bool]uint64{true: 1}
	at, from, memory := f.Blocks[0], "", uint64(0)
	for range mostBlocks {
		here := at
		phis := map[string]uint64{}
		for _, i := range here.Instructions {
			for k, name := range i.From {
				if name == from {
					phis[i.Result] = value(i.Operands[k])
				}
			}
		}
		for name, v := range phis {
			locals[name] = v
		}
		for _, i := range here.Instructions {
			v := func(k int) uint64 { return value(i.Operands[k]) }
			switch i.Op {
			case "icmp":
				x, y := v(0), v(1)
				locals[i.Result] = truth[map[string]bool{
					"eq": x == y, "ne": x != y, "ult": x < y, "sgt": int8(x) > int8(y),
				}[i.Kind]]
			case "xor":
				locals[i.Result] = v(0) ^ v(1)
			case "zext":
				locals[i.Result] = v(0)
			case "select":
				locals[i.Result] = v(2 - int(v(0)))
			case "add":
				locals[i.Result] = (v(0) + v(1)) & 0xff
			case "mul":
				locals[i.Result] = v(0) * v(1) & 0xff
			case "store":
				memory = v(0)
				trace = append(trace, memory)
			case "load":
				locals[i.Result] = memory
			case "ret":
				return append(trace, v(0)|1<<8), true
			case "br", "switch":
				to := i.Targets[0]
				if i.Op == "br" && len(i.Targets) > 1 && v(0) == 0 {
					to = i.Targets[1]
				}
				for k, c := range i.Cases {
					if v(0) == value(c) {
						to = i.Targets[k+1]
					}
				}
				from, at = here.Name, blocks[to]
			}
		}
	}
	return trace, false
}

// execute runs the code of the function.
func execute(t *rapid.T, f *code.Function, args ...uint64) (trace []uint64) {
	regs := make([]uint64, len(f.Regs))
	for k, r := range f.Params {
		regs[r] = args[k]
	}
	p := &ir.Program{}
	eval := func(x ir.Expr) uint64 { return p.Eval(x, regs, 0) }
	memory := uint64(0)
	for pc, steps := 0, 0; steps < 100*mostBlocks; pc, steps = pc+1, steps+1 {
		switch o := f.Code[pc].Op.(type) {
		case code.Assign:
			regs[o.Dst] = eval(o.Value)
		case code.Locate:
			regs[o.Dst] = 1
		case code.Load:
			regs[o.Dst] = memory
		case code.Store:
			memory = eval(o.Value)
			trace = append(trace, memory)
		case code.Branch:
			if o.Cond == nil || eval(o.Cond) == 1 {
				pc = o.Target - 1
			}
		case code.Ret:
			return append(trace, eval(o.Value)|1<<8)
		default:
			t.Fatalf("the step %T", o)
		}
	}
	return append(trace, 1<<9) // it does not end
}

// The code of a function with phis, branches and loops computes what the function does, and some of its blocks are
// copied to the ends of edges.
func TestJumpsAreThreaded(t *testing.T) {
	shorter := 0
	rapid.Check(t, func(t *rapid.T) {
		d := &drawn{T: t}
		text := d.function()
		m, err := assembly.Parse("t.ll", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		u, err := Make(m, Options{Entry: "f"})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, a := range []uint64{0, 1, 2, 3, 128, 255} {
			for _, b := range []uint64{0, 1, 255} {
				want, ends := interpret(m.Functions[0], a, b)
				if !ends {
					continue
				}
				if got := execute(t, u.Functions["f'"], a, b); !slices.Equal(got, want) {
					t.Fatalf("f(%d, %d): %v, want %v\n%s", a, b, got, want, text)
				}
			}
		}
		if threaded(u.Functions["f'"], m.Functions[0]) {
			shorter++
		}
	})
	if shorter < 5 {
		t.Errorf("only %d functions have a copied block", shorter)
	}
}

// threaded reports whether the code has more branches on conditions than the function has.
func threaded(f *code.Function, of *assembly.Function) bool {
	n := 0
	for _, s := range f.Code {
		if b, ok := s.Op.(code.Branch); ok && b.Cond != nil {
			n++
		}
	}
	for _, b := range of.Blocks {
		if last := b.Instructions[len(b.Instructions)-1]; len(last.Targets) > 1 {
			n--
		}
	}
	return n != 0
}
