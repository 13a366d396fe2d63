package compile

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// OpenCL's operations name scopes, and its fences and control barriers name regions of memory: global, local or both.
// Vulkan has a storage class for each region.

// classOf returns the storage class of a region: 0 for global and 1 for local memory.
func classOf(local bool) string { return map[bool]string{false: "0", true: "1"}[local] }

// region returns the storage class of the memory of an access.
func (t *thread) region(at memory) []string { return []string{classOf(t.inLocal[at.loc])} }

// everywhere returns the storage classes of all locations of the test.
func (t *thread) everywhere() []string {
	for _, local := range t.inLocal {
		if local {
			return []string{classOf(false), classOf(true)}
		}
	}
	return []string{classOf(false)}
}

// spell replaces the words of a row that stand for the current scope and for regions of memory.
func (t *thread) spell(row string, regions []string) string {
	return strings.NewReplacer("$scope", t.scope, "$class", regions[0],
		"$semantics", "semsc"+strings.Join(regions, ".semsc")).Replace(row)
}

// line returns the row of an operation with an order, on regions of memory.
func (t *thread) line(r rows, o order, regions []string) line {
	row, ok := r.row(o)
	if !ok && t.m.missing != "" {
		at := t.operation
		if at == (litmus.Pos{}) {
			at = t.at
		}
		t.failf(at, "cannot compile a seq_cst operation to %s: %s", t.arch, t.m.missing)
	}
	if !ok || !strings.Contains(row, "$") {
		return r.line(o)
	}
	return parseRow(t.spell(row, regions))
}

// ofOpenCL compiles a fence or a control barrier of OpenCL. It reports false for another call.
func (t *thread) ofOpenCL(x *c.Call) bool {
	switch x.Func {
	case "atomic_work_item_fence":
		o := c.Orders[x.Args[1].(*c.Name).Text]
		if o == relaxed {
			return true
		}
		outer := t.scope
		t.scope = t.m.scopes[c.ScopeOf(x.Args[2])]
		t.words(t.line(t.m.fence, o, regionsOf(x.Args[0])).before, none, 0, false)
		t.scope = outer
	case "barrier", "work_group_barrier":
		// Calls with one label meet, and calls without a label in their order, as in the dialect.
		if t.calls == nil {
			t.calls = map[string]int{"": 0}
		}
		instance, known := t.calls[x.Label]
		if !known {
			instance = len(t.calls)
			t.calls[x.Label] = instance
		}
		t.emit("%s", strings.ReplaceAll(t.spell(t.m.barrier, regionsOf(x.Args[0])), "$instance", fmt.Sprint(instance)))
	default:
		return false
	}
	return true
}

// regionsOf returns the storage classes of the regions that CLK_GLOBAL_MEM_FENCE and CLK_LOCAL_MEM_FENCE name.
func regionsOf(flags c.Expr) (classes []string) {
	tags, _ := c.RegionsOf(flags)
	for _, local := range []bool{false, true} {
		if tags.Has(map[bool]ir.Tag{false: "GLOBAL", true: "LOCAL"}[local]) {
			classes = append(classes, classOf(local))
		}
	}
	return classes
}

// releases finds the locations on which a thread has an operation that releases. Operations through a pointer are on
// the location "".
func releases(body []c.Stmt) map[string]bool {
	out := map[string]bool{}
	c.Walk(body, func(x c.Expr) {
		call, ok := x.(*c.Call)
		if !ok {
			return
		}
		f := c.Callees()[c.C11][call.Func]
		switch f.Effect {
		case c.Store, c.Modify, c.CompareExchange:
		default:
			return
		}
		o := seqCst
		if i := f.At("order"); i >= 0 && i < len(call.Args) {
			if name, ok := call.Args[i].(*c.Name); ok {
				o = c.Orders[name.Text]
			}
		}
		if o != release && o != acqRel && o != seqCst {
			return
		}
		name, _ := call.Args[0].(*c.Name)
		if name == nil {
			name = &c.Name{}
		}
		out[name.Text] = true
	})
	return out
}
