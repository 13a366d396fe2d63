package c

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// called matches the beginning of a call.
var called = litmus.Pattern(`\b([A-Za-z_]\w*)\s*\(`)

// alternatives returns the orders that each atomic access of a statement could have: C11's by their arguments, the
// kernel's by their names. Locks, critical sections and plain accesses have no alternatives.
func alternatives(statement string) (out []lower.Alternative) {
	calls := called().FindAllStringSubmatchIndex(statement, -1)
	for i, m := range calls {
		name := statement[m[2]:m[3]]
		args, end := arguments(statement, m[1])
		if end < 0 {
			continue
		}
		f, ok := Find(name, len(args), func(i int) bool { return i == len(args)-1 })
		if !ok || len(args) != f.Arity() {
			continue
		}
		inner := slices.ContainsFunc(calls[i+1:], func(n []int) bool { return n[0] < end })
		a := lower.Alternative{At: m[0], Length: end - m[0]}
		switch {
		case f.Of == C11 && f.At("order") >= 0 && f.Effect != Fence && f.Effect != SignalFence:
			arg := args[f.At("order")]
			a.At, a.Length = arg.Pos.Col-1, len(arg.Text)
			for _, o := range []Order{Relaxed, Acquire, Release, AcqRel, SeqCst} {
				if f.Misfit(o) == "" {
					a.Ways = append(a.Ways, way11(f, o, o.String()))
				}
			}
			if _, known := Orders[arg.Text]; !known {
				continue
			}
		case f.Of == C11 && f.How == SeqCst && f.Effect != Fence && f.Effect != CompareExchange && !inner:
			a.Ways = explicit(f, statement[m[0]:end], name, args)
		case f.Of == Kernel && !inner:
			a.Ways = kernelWays(f, statement[m[0]:end], name, args)
		}
		if len(a.Ways) > 1 {
			out = append(out, a)
		}
	}
	return out
}

// way11 returns a way to write a C11 access with an order. Its prices distinguish loads with acquire order, stores with
// release order, and relaxed accesses.
func way11(f Callee, o Order, text string) lower.Way {
	kind := map[Effect]string{Load: "load", Store: "store"}[f.Effect]
	if kind == "" {
		kind = "update"
	}
	if o == Relaxed {
		return lower.Way{Text: text}
	}
	return lower.Way{Text: text, Name: kind + " " + strings.TrimPrefix(o.String(), "memory_order_")}
}

// explicit returns the ways to write a call that names no order and so is sequentially consistent.
func explicit(f Callee, whole, name string, args []litmus.Word) (out []lower.Way) {
	for _, o := range []Order{Relaxed, Acquire, Release, AcqRel} {
		if f.Misfit(o) == "" {
			out = append(out, way11(f, o, name+"_explicit("+joined(args)+", "+o.String()+")"))
		}
	}
	return append(out, way11(f, SeqCst, whole))
}

func joined(args []litmus.Word) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.Text
	}
	return strings.Join(texts, ", ")
}

// kernelWays returns the ways to write a kernel primitive: READ_ONCE, WRITE_ONCE, the acquire load and the release
// store for a marked access; the suffixes of its name for an atomic update.
func kernelWays(f Callee, whole, name string, args []litmus.Word) []lower.Way {
	switch name {
	case "READ_ONCE":
		return []lower.Way{
			{Text: whole},
			{Text: "smp_load_acquire(" + addressOf(args[0].Text) + ")", Name: "smp_load_acquire"},
		}
	case "smp_load_acquire":
		return []lower.Way{{Text: "READ_ONCE(" + objectAt(args[0].Text) + ")"}, {Text: whole, Name: name}}
	case "WRITE_ONCE":
		return []lower.Way{
			{Text: whole},
			{
				Text: "smp_store_release(" + addressOf(args[0].Text) + ", " + args[1].Text + ")",
				Name: "smp_store_release",
			},
		}
	case "smp_store_release":
		return []lower.Way{
			{Text: "WRITE_ONCE(" + objectAt(args[0].Text) + ", " + args[1].Text + ")"},
			{Text: whole, Name: name},
		}
	}
	if s, is := f.How.(Strength); !is || f.Effect != Modify && f.Effect != CompareExchange || s == NoReturn {
		return nil
	}
	base := name
	for suffix := range Strengths {
		if suffix != "" {
			base = strings.TrimSuffix(base, suffix)
		}
	}
	var out []lower.Way
	for _, suffix := range []string{"_relaxed", "_acquire", "_release", ""} {
		if _, known := Callees()[Kernel][base+suffix]; !known {
			return nil
		}
		w := lower.Way{Text: base + suffix + whole[len(name):], Name: "atomic " + strings.TrimPrefix(suffix, "_")}
		switch suffix {
		case "_relaxed":
			w.Name = ""
		case "":
			w.Name = "atomic full"
		}
		out = append(out, w)
	}
	return out
}

// addressOf returns the address of an object, and objectAt the object at an address, in the usual C notation.
func addressOf(object string) string {
	if rest, ok := strings.CutPrefix(object, "*"); ok {
		return strings.TrimSpace(rest)
	}
	return "&" + object
}

func objectAt(address string) string {
	if rest, ok := strings.CutPrefix(address, "&"); ok {
		return strings.TrimSpace(rest)
	}
	return "*" + address
}

// arguments splits the text from open on, which is just after a parenthesis, at its commas. It returns the arguments
// and the end of the call, which is -1 if the parenthesis is not closed. Columns count from 1 in the statement.
func arguments(statement string, open int) (args []litmus.Word, end int) {
	depth, start := 0, open
	add := func(end int) {
		text := strings.TrimLeft(statement[start:end], " \t\r\n")
		at := end - len(text)
		if text = strings.TrimRight(text, " \t\r\n"); text != "" || len(args) > 0 {
			args = append(args, litmus.Word{Pos: litmus.Pos{Line: 1, Col: at + 1}, Text: text})
		}
		start = end + 1
	}
	for i := open; i < len(statement); i++ {
		switch statement[i] {
		case '(', '[', '{':
			depth++
		case ',':
			if depth == 0 {
				add(i)
			}
		case ')', ']', '}':
			if depth--; depth < 0 {
				add(i)
				return args, i + 1
			}
		}
	}
	return nil, -1
}
