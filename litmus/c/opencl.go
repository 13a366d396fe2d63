package c

import (
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// OpenCL's tests are C tests whose threads are in work groups and on devices, P0@wg 0, dev 0 (global atomic_int *x).
// Atomic operations of <stdatomic.h> take a memory scope as their last argument, and a device is the scope of those
// that name none (OpenCL C 3.0, 6.15.12.11). Locations are in global or local memory, as their parameters say. Fences
// order one of these or both, and control barriers make the threads of a work group wait for each other.

// OpenCL implements lower.Dialect for OpenCL.
type OpenCL struct{}

// Archs implements lower.Dialect.
func (OpenCL) Archs() []string { return []string{"OPENCL"} }

// The tags of scopes, of regions of memory, and of control barriers.
const (
	tagWI     ir.Tag = "WI"
	tagWG     ir.Tag = "WG"
	tagDV     ir.Tag = "DV"
	tagAll    ir.Tag = "ALL"
	tagGlobal ir.Tag = "GLOBAL"
	tagLocal  ir.Tag = "LOCAL"
	tagCBar   ir.Tag = "CBAR"
)

// memoryScopes are the scopes of OpenCL's atomic operations, with their tags.
var memoryScopes = map[string]ir.Tag{
	"memory_scope_work_item": tagWI, "memory_scope_work_group": tagWG, "memory_scope_device": tagDV,
	"memory_scope_all_svm_devices": tagAll, "memory_scope_all_devices": tagAll,
}

// memoryFlags are the flags of OpenCL's fences, with the tags of the regions that they order.
var memoryFlags = map[string]ir.Tag{"CLK_GLOBAL_MEM_FENCE": tagGlobal, "CLK_LOCAL_MEM_FENCE": tagLocal}

// regions are the address spaces of parameters, with the tags of their locations.
var regions = map[string]ir.Tag{
	"global": tagGlobal, "__global": tagGlobal, "local": tagLocal, "__local": tagLocal,
}

// Tags implements lower.Dialect.
func (OpenCL) Tags() []ir.Tag {
	return []ir.Tag{
		tagAtomic, tagNA, tagVolatile, tagRMW, tagRLX, tagACQ, tagREL, tagACQREL, tagSC, tagWI, tagWG, tagDV, tagAll,
		tagGlobal, tagLocal, tagCBar,
	}
}

// Lower implements lower.Dialect. Address spaces are no part of C's types, so it takes them from the parameters and
// lowers the rest as C.
func (OpenCL) Lower(t *litmus.Test) (*ir.Program, error) {
	bare, spaces, errs := withoutSpaces(t)
	if len(errs) > 0 {
		return nil, errs
	}
	u, bad := parse(bare, true)
	p, _, err := lowerUnit(bare, u, bad, false)
	if err != nil {
		return nil, err
	}
	for i := range p.Locs {
		name, _, _ := strings.Cut(p.Locs[i].Name, "[")
		s := spaces[name]
		if s.region == "" {
			s.region = tagGlobal
		}
		p.Locs[i].Tags = append(p.Locs[i].Tags, s.region)
		if !s.atomic {
			p.Locs[i].Tags = append(p.Locs[i].Tags, tagNA)
		}
	}
	return p, nil
}

// withoutSpaces takes the address spaces from a test's parameters, and returns them by location.
func withoutSpaces(t *litmus.Test) (bare *litmus.Test, spaces map[string]space, errs litmus.ErrorList) {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	spaces = map[string]space{}
	for i := range out.Threads {
		th := &out.Threads[i]
		th.Params = slices.Clone(th.Params)
		for k := range th.Params {
			p := &th.Params[k]
			var words []string
			region := ir.Tag("")
			for _, w := range strings.Fields(p.Type) {
				if r, is := regions[w]; is {
					if region != "" && region != r {
						errs = append(errs, litmus.Errorf(p.Pos, "OPENCL: %s is in two address spaces", p.Name))
					}
					region = r
					continue
				}
				words = append(words, w)
			}
			p.Type = strings.Join(words, " ")
			typ, _ := TypeOf(p.Type)
			s, again := spaces[p.Name]
			if again && region != "" && s.region != "" && s.region != region {
				errs = append(errs, litmus.Errorf(p.Pos, "OPENCL: %s is in global memory for one thread and in local "+
					"memory for another: want one address space", p.Name))
			}
			if s.region == "" {
				s.region = region
			}
			s.atomic = s.atomic || typ.atomic
			spaces[p.Name] = s
		}
	}
	return &out, spaces, errs
}

// space is what parameters say of a location: its region, and whether one of them has an atomic type.
type space struct {
	region ir.Tag
	atomic bool
}

// ofOpenCL lowers a call in a test of OpenCL. ok is false for a call that is neither OpenCL's own nor in C's
// <stdatomic.h>.
func (l *lowerer) ofOpenCL(c *Call) (v value, ok bool) {
	switch c.Func {
	case "atomic_work_item_fence":
		return l.workItemFence(c), true
	case "barrier", "work_group_barrier":
		return l.workGroupBarrier(c), true
	case "atomic_thread_fence", "atomic_signal_fence", "atomic_is_lock_free":
		return v, false
	}
	if !strings.HasPrefix(c.Func, "atomic_") {
		return v, false
	}
	bare, scope := *c, tagDV
	if args, at := SplitScope(c); at != nil {
		scope, bare.Args = l.memoryScope(at), args
	}
	f, known := Callees()[C11][c.Func]
	if !known {
		return v, false
	}
	if len(bare.Args) != f.Arity() {
		l.Failf(c.Pos, "OPENCL: %s takes (%s), and may take a memory scope, got %d arguments", c.Func, f.Params,
			len(bare.Args))
		return poison(), true
	}
	from := l.here()
	v = (&calling{lowerer: l, c: &bare, f: f}).does()
	code := l.Program.Threads[l.Thread].Code
	for pc := from; pc < len(code); pc++ {
		code[pc].Op = scoped(code[pc].Op, scope)
	}
	return v, true
}

// SplitScope splits a memory scope from the arguments of a call in OpenCL; at is nil if the call names none. Its scope
// is then the device.
func SplitScope(c *Call) (args []Expr, at Expr) {
	if n := len(c.Args) - 1; n > 0 {
		if name, is := c.Args[n].(*Name); is && strings.HasPrefix(name.Text, "memory_scope_") {
			return c.Args[:n], c.Args[n]
		}
	}
	return c.Args, nil
}

// ScopeOf returns the tag of an expression that is a memory scope: WI, WG, DV or ALL; "" for another one.
func ScopeOf(x Expr) ir.Tag {
	name, _ := x.(*Name)
	if name == nil {
		return ""
	}
	return memoryScopes[name.Text]
}

// RegionsOf returns the tags of the flags that an expression joins, GLOBAL and LOCAL. ok is false if it has others.
func RegionsOf(x Expr) (tags ir.Tags, ok bool) {
	switch x := x.(type) {
	case *Binary:
		if x.Op == "|" {
			a, is := RegionsOf(x.X)
			b, too := RegionsOf(x.Y)
			return append(a, b...), is && too
		}
	case *Name:
		if tag := memoryFlags[x.Text]; tag != "" {
			return ir.Tags{tag}, true
		}
	}
	return nil, false
}

// IsOpenCLConstant reports whether a name is that of a memory scope or of a flag of OpenCL's fences.
func IsOpenCLConstant(name string) bool { return memoryScopes[name] != "" || memoryFlags[name] != "" }

// scoped adds a scope to the tags of an atomic access that has none.
func scoped(op ir.Op, scope ir.Tag) ir.Op {
	with := func(tags ir.Tags) ir.Tags {
		for _, known := range memoryScopes {
			if tags.Has(known) {
				return tags
			}
		}
		if !tags.Has(tagAtomic) {
			return tags
		}
		return append(slices.Clone(tags), scope)
	}
	switch op := op.(type) {
	case ir.Load:
		op.Tags = with(op.Tags)
		return op
	case ir.Store:
		op.Tags = with(op.Tags)
		return op
	case ir.RMW:
		op.Tags, op.WriteTags = with(op.Tags), with(op.WriteTags)
		return op
	}
	return op
}

// memoryScope returns the tag of an argument that is a memory scope.
func (l *lowerer) memoryScope(x Expr) ir.Tag {
	if tag := ScopeOf(x); tag != "" {
		return tag
	}
	hint := litmus.Guess{}
	if name, _ := x.(*Name); name != nil {
		hint = litmus.DidYouMean(name.Text, lower.Names(memoryScopes))
	}
	l.Failf(x.Where().Pos, "OPENCL: want a memory scope here, such as memory_scope_device%s", hint)
	return tagDV
}

// memoryRegions returns the tags of CLK_GLOBAL_MEM_FENCE and CLK_LOCAL_MEM_FENCE, or of both.
func (l *lowerer) memoryRegions(x Expr) ir.Tags {
	tags, ok := RegionsOf(x)
	if !ok {
		l.Failf(x.Where().Pos, "OPENCL: want CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE or both, joined by |")
	}
	return tags
}

// workItemFence lowers atomic_work_item_fence(flags, order, scope).
func (l *lowerer) workItemFence(c *Call) value {
	if len(c.Args) != 3 {
		l.Failf(c.Pos, "OPENCL: atomic_work_item_fence takes (flags, order, scope), got %d arguments", len(c.Args))
		return poison()
	}
	k := &calling{lowerer: l, c: c, f: Callee{Effect: Fence}}
	order := k.order(1, true)
	tags := append(order.Fence(), l.memoryRegions(c.Args[0])...)
	return k.fence(append(tags, l.memoryScope(c.Args[2])))
}

// workGroupBarrier lowers barrier(flags) and work_group_barrier(flags, scope). Calls with one label meet; calls without
// a label meet in their order.
func (l *lowerer) workGroupBarrier(c *Call) value {
	if len(c.Args) < 1 || len(c.Args) > 2 {
		l.Failf(c.Pos, "OPENCL: %s takes (flags), and may take a memory scope, got %d arguments", c.Func, len(c.Args))
		return poison()
	}
	scope := tagWG
	if len(c.Args) == 2 {
		scope = l.memoryScope(c.Args[1])
	}
	tags := append(ir.Tags{tagCBar, scope}, l.memoryRegions(c.Args[0])...)
	if l.labels == nil {
		l.labels = map[string]int{"": 0}
	}
	instance, known := l.labels[c.Label]
	if !known {
		instance = len(l.labels)
		l.labels[c.Label] = instance
	}
	l.Barrier(ir.Barrier{Instance: instance, Scope: "wg"}, append(tags, ir.FullFence...), nil)
	return void()
}

// Words implements lower.Dialect.
func (OpenCL) Words(string) lower.Words {
	return lower.Words{
		Forms:     sync.OnceValue(openCLForms),
		Registers: []string{"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"},
		Modifiers: append(lower.Names(Orders), lower.Names(memoryScopes)...), Bodies: true, Controls: Controls,
		Types: append(Types(), lower.Names(regions)...),
		Barriers: []string{
			"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_all_svm_devices);",
			"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);",
		},
		Scoped: scopedOpenCL, Cycles: cyclesOpenCL,
	}
}

// openCLForms returns the calls and statements of OpenCL's threads.
func openCLForms() (forms []lower.Form) {
	all := Callees()[C11]
	for _, name := range lower.Names(all) {
		f := all[name]
		if !strings.HasPrefix(name, "atomic_") || f.Effect == Fence || f.Effect == SignalFence ||
			f.Effect == IsLockFree {
			continue
		}
		form := lower.Form{Mnemonic: name, Operands: AsWritten(f.Params), Help: f.Help}
		forms = append(forms, form)
		if strings.HasSuffix(name, "_explicit") {
			form.Operands = strings.TrimSuffix(form.Operands, ")") + ", memory_scope_device)"
			form.Help += ", for the threads of a scope"
			forms = append(forms, form)
		}
	}
	for _, flag := range []string{"CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE"} {
		forms = append(forms,
			lower.Form{
				Mnemonic: "atomic_work_item_fence",
				Operands: "(" + flag + ", memory_order_seq_cst, memory_scope_device)",
				Help:     "a fence of one region of memory, for the threads of a scope",
			},
			lower.Form{
				Mnemonic: "work_group_barrier", Operands: "(" + flag + ")",
				Help: "waits until all threads of the work group arrive; orders one region of memory",
			})
	}
	return append(forms, statements...)
}
