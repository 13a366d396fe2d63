package cprog

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// printed is a program as text, a line for each step.
func printed(p *ir.Program) string {
	var out strings.Builder
	for _, l := range p.Locs {
		init := fmt.Sprint(l.Init)
		if l.Any {
			init = "any"
		}
		fmt.Fprintf(&out, "%s:%d = %s\n", l.Name, l.Bits, init)
	}
	for _, t := range p.Threads {
		fmt.Fprintf(&out, "%s:\n", t.Name)
		to := map[int]bool{}
		for _, s := range t.Code {
			if b, ok := s.Op.(ir.Branch); ok {
				to[b.Target] = true
			}
		}
		for pc := range len(t.Code) + 1 {
			label := "  "
			if to[pc] {
				label = fmt.Sprintf("%d:", pc)
			}
			if pc < len(t.Code) {
				s := t.Code[pc]
				fmt.Fprintf(&out, "%-4s %-60s %d\n", label, printOp(p, s.Op), t.Source[s.Source].Pos.Line)
			} else if to[pc] {
				fmt.Fprintf(&out, "%s\n", label)
			}
		}
	}
	return out.String()
}

func printOp(p *ir.Program, op ir.Op) string {
	x := func(e ir.Expr) string { return printExpr(p, e) }
	at := func(addr ir.Expr, at ir.Locs) string {
		if len(at) == 1 {
			return p.Locs[at[0]].Name
		}
		var names []string
		for _, l := range at {
			names = append(names, p.Locs[l].Name)
		}
		return "*" + x(addr) + "{" + strings.Join(names, " ") + "}"
	}
	tags := func(t ir.Tags) string {
		var out []string
		for _, tag := range t {
			if !slices.Contains(
				[]ir.Tag{
					"ATOMIC", ir.TagAcquire, ir.TagRelease, ir.TagRCsc, ir.TagFull, ir.TagLocked, "RMW", "FRR",
					"FRW", "FWR", "FWW",
				}, tag) {
				out = append(out, string(tag))
			}
		}
		return strings.Join(out, ",")
	}
	switch op := op.(type) {
	case ir.Assign:
		return fmt.Sprintf("r%d = %s", op.Dst, x(op.Value))
	case ir.Choose:
		return fmt.Sprintf("r%d = either", op.Dst)
	case ir.Load:
		return fmt.Sprintf("r%d = %s [%s]", op.Dst, at(op.Addr, op.At), tags(op.Tags))
	case ir.Store:
		return fmt.Sprintf("%s = %s [%s]", at(op.Addr, op.At), x(op.Value), tags(op.Tags))
	case ir.RMW:
		when := ""
		if op.If != nil {
			when = " if " + x(op.If)
		}
		return fmt.Sprintf("r%d = %s <- %s%s [%s %s]", op.Dst, at(op.Addr, op.At), x(op.New), when, tags(op.Tags),
			tags(op.WriteTags))
	case ir.Fence:
		return fmt.Sprintf("fence [%s]", tags(op.Tags))
	case ir.Branch:
		if op.Cond == nil {
			return fmt.Sprintf("goto %d", op.Target)
		}
		return fmt.Sprintf("if %s goto %d", x(op.Cond), op.Target)
	case ir.Assume:
		return fmt.Sprintf("assume %s", x(op.Cond))
	case ir.Assert:
		return fmt.Sprintf("assert %s (%s: %s)", x(op.Cond), op.Property, op.Text)
	case ir.Spawn:
		s := fmt.Sprintf("spawn %s", p.Threads[op.Thread].Name)
		for _, a := range op.Args {
			s += fmt.Sprintf(" r%d=%s", a.Reg, x(a.Value))
		}
		return s
	case ir.Join:
		return fmt.Sprintf("join %s", p.Threads[op.Thread].Name)
	case ir.Atomic:
		return fmt.Sprintf("atomic end=%v", op.End)
	case ir.Unwound:
		if op.Spin {
			return fmt.Sprintf("spins since %d", op.Since)
		}
		return "unwound"
	}
	return fmt.Sprintf("%#v", op)
}

func printExpr(p *ir.Program, e ir.Expr) string {
	x := func(e ir.Expr) string { return printExpr(p, e) }
	switch e := e.(type) {
	case ir.Const:
		for _, l := range p.Locs {
			if l.Address == e.Value {
				return "&" + l.Name
			}
		}
		return fmt.Sprint(e.Value)
	case ir.Reg:
		return fmt.Sprintf("r%d", e.Index)
	case ir.Old:
		return "old"
	case ir.Unary:
		return [...]string{"~", "-"}[e.Op] + x(e.X)
	case ir.Binary:
		return "(" + x(e.X) + " " +
			[...]string{"+", "-", "*", "&", "|", "^", "<<", ">>", ">>>", "/u", "%u", "/", "%", "==", "<u", "<"}[e.Op] +
			" " + x(e.Y) + ")"
	case ir.Cond:
		return "(" + x(e.If) + " ? " + x(e.Then) + " : " + x(e.Else) + ")"
	case ir.Extract:
		return fmt.Sprintf("%s[%d:%d]", x(e.X), e.Lo, e.Bits)
	case ir.Extend:
		return fmt.Sprintf("%s'%d", x(e.X), e.Bits)
	}
	return fmt.Sprint(e)
}
