package c

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// scopedOpenCL says how atomic operations and fences of OpenCL are made stronger or weaker: another order, another
// scope. Two operations synchronise if they name the same scope, and one that contains both threads; so Equal.
var scopedOpenCL = &lower.Scoped{
	Ways: waysOpenCL, Fences: fencesOpenCL, Equal: true,
	Includes: map[ir.Tag]ir.Tags{
		tagACQ: {tagRLX}, tagREL: {tagRLX}, tagACQREL: {tagACQ, tagREL, tagRLX},
		tagSC: {tagACQREL, tagACQ, tagREL, tagRLX},
	},
	Scopes: []ir.Tag{tagWI, tagWG, tagDV, tagAll},
}

// scopeNames are the scopes of atomic operations that contain several threads, the narrowest first, without their
// prefix.
var scopeNames = []string{"work_group", "device", "all_svm_devices"}

const scopePrefix = "memory_scope_"

// waysOpenCL returns the orders and scopes that each atomic operation of a statement could have.
func waysOpenCL(_ *litmus.Test, statement string) (out []lower.Alternative) {
	calls := called().FindAllStringSubmatchIndex(statement, -1)
	for i, m := range calls {
		name := statement[m[2]:m[3]]
		args, end := arguments(statement, m[1])
		f, known := Callees()[C11][name]
		if end < 0 || !known || !strings.HasPrefix(name, "atomic_") || f.Effect == Fence ||
			f.Effect == SignalFence || slices.ContainsFunc(calls[i+1:], func(n []int) bool { return n[0] < end }) {
			continue
		}
		scope := ""
		if last := len(args) - 1; len(args) == f.Arity()+1 {
			scope, args = args[last].Text, args[:last]
		}
		if len(args) != f.Arity() || scope != "" && memoryScopes[scope] == "" {
			continue
		}
		whole := statement[m[0]:end]
		if ways := callWays(f, whole, name, args, scope); len(ways) > 1 {
			out = append(out, lower.Alternative{At: m[0], Length: end - m[0], Ways: ways})
		}
	}
	return out
}

// callWays returns the ways to write a call with its order and its scope, which may be "". It returns nothing for a
// call without an order.
func callWays(f Callee, whole, name string, args []litmus.Word, scope string) (out []lower.Way) {
	at, own := f.At("order"), SeqCst
	switch {
	case at >= 0:
		order, known := Orders[args[at].Text]
		if !known {
			return nil
		}
		own = order
	case f.How != SeqCst || f.Effect == CompareExchange:
		return nil
	}
	is := tagDV
	if scope != "" {
		is = memoryScopes[scope]
	}
	for _, o := range []Order{Relaxed, Acquire, Release, AcqRel, SeqCst} {
		if f.Misfit(o) != "" {
			continue
		}
		for _, s := range scopeNames {
			w := way11(f, o, whole)
			w.Scope = s
			if o != own || memoryScopes[scopePrefix+s] != is {
				texts := slices.Clone(args)
				function := name
				if at >= 0 {
					texts[at].Text = o.String()
				} else {
					function, texts = name+"_explicit", append(texts, litmus.Word{Text: o.String()})
				}
				w.Text = function + "(" + joined(texts) + ", " + scopePrefix + s + ")"
			}
			out = append(out, w)
		}
	}
	return out
}

// fencesOpenCL returns the fences of the regions of memory that the test has, or of both.
func fencesOpenCL(t *litmus.Test) [][]lower.Way {
	has := map[ir.Tag]bool{}
	for _, th := range t.Threads {
		for _, p := range th.Params {
			for _, w := range strings.Fields(p.Type) {
				if r, is := regions[w]; is {
					has[r] = true
				}
			}
		}
	}
	flags := []string{"CLK_GLOBAL_MEM_FENCE"}
	if has[tagLocal] {
		flags = append(flags, "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE")
	}
	var all []lower.Way
	for i, flag := range flags {
		for _, o := range []Order{Acquire, Release, AcqRel, SeqCst} {
			for _, s := range scopeNames {
				name := "atomic_work_item_fence " + strings.TrimPrefix(o.String(), "memory_order_")
				if i == 2 {
					name += " of both"
				}
				all = append(all, lower.Way{
					Text: "atomic_work_item_fence(" + flag + ", " + o.String() + ", " + scopePrefix + s + ");",
					Name: name, Scope: s,
				})
			}
		}
	}
	return [][]lower.Way{all}
}
