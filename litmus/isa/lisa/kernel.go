package lisa

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Tags of the Linux kernel's events, by the names that its model has for C tests.
const (
	tagOnce      ir.Tag = "ONCE"
	tagPlain     ir.Tag = "NA"
	tagNoreturn  ir.Tag = "NORETURN"
	tagMB        ir.Tag = "MB"
	tagRcuLock   ir.Tag = "Rcu-lock"
	tagRcuUnlock ir.Tag = "Rcu-unlock"
	tagRMW       ir.Tag = "RMW"
)

// Tags implements lower.Dialect. Tags of annotations are not among them: a test may have any.
func (Dialect) Tags() []ir.Tag {
	tags := ir.Tags{tagOnce, tagPlain, tagNoreturn, tagRMW}
	for _, f := range kernelFences {
		if len(f.tags) > 0 && !tags.Has(f.tags[0]) {
			tags = append(tags, f.tags[0])
		}
	}
	return tags
}

// kernelFence is a fence of the kernel's models: its names in their bell files, older ones too, and its tags.
type kernelFence struct {
	names string
	help  string
	tags  ir.Tags
}

// kernelFences has the fences, and the calls, of the kernel's models. In names, - stands for _ as well.
var kernelFences = []kernelFence{
	{"mb", "smp_mb: a full fence", full(tagMB)},
	{"rmb", "smp_rmb: orders earlier reads before later reads", ir.Tags{"Rmb", ir.TagRR}},
	{"wmb", "smp_wmb: orders earlier writes before later writes", ir.Tags{"Wmb", ir.TagWW}},
	{"barrier", "barrier: a compiler-only fence", ir.Tags{"Barrier"}},
	{"rcu-read-lock rcu-lock lock", "enters an RCU read-side critical section", ir.Tags{tagRcuLock}},
	{"rcu-read-unlock rcu-unlock unlock", "leaves an RCU read-side critical section", ir.Tags{tagRcuUnlock}},
	{
		"sync sync-rcu synchronize-rcu synchronize-rcu-expedited",
		"synchronize_rcu: waits until all RCU read-side critical sections that have begun end", full("Sync-rcu"),
	},
	{"before-atomic", "smp_mb__before_atomic: a full fence before an atomic update", full("Before-atomic")},
	{"after-atomic", "smp_mb__after_atomic: a full fence after an atomic update", full("After-atomic")},
	// smp_read_barrier_depends: the kernel's model keeps dependent reads in order without it.
	{"rb-dep read-barrier-depends", "smp_read_barrier_depends: orders nothing that is not ordered without it", nil},
}

func full(t ir.Tag) ir.Tags { return slices.Concat(ir.Tags{t}, ir.FullFence) }

// kernelName is an annotation as kernelFences writes it.
func kernelName(text string) string { return strings.ReplaceAll(strings.ToLower(text), "_", "-") }

// fenceOf returns the fence of the kernel with an annotation.
func fenceOf(name string) (kernelFence, bool) {
	for _, f := range kernelFences {
		if slices.Contains(strings.Fields(f.names), kernelName(name)) {
			return f, true
		}
	}
	return kernelFence{}, false
}

// kernelReads and kernelWrites have the tags of accesses by their annotations, "" for none. rcu_dereference and
// lockless_dereference are READ_ONCE, and rcu_assign_pointer is smp_store_release.
var (
	kernelReads = map[string]ir.Tags{
		"": {tagPlain}, "once": {tagOnce}, "deref": {tagOnce}, "lderef": {tagOnce}, "acquire": {ir.TagAcquire},
	}
	kernelWrites = map[string]ir.Tags{
		"": {tagPlain}, "once": {tagOnce}, "assign": {ir.TagRelease}, "release": {ir.TagRelease},
	}
)

// kernelUpdates has the tags of the read and the write of atomic updates. One without an annotation orders nothing.
var kernelUpdates = map[string][2]ir.Tags{
	"": {{tagOnce}, {tagOnce}}, "once": {{tagOnce}, {tagOnce}}, "noreturn": {{tagNoreturn}, {tagOnce}},
	"acquire": {{ir.TagAcquire}, {tagOnce}}, "release": {{tagOnce}, {ir.TagRelease}},
	"mb": {{tagMB, ir.TagFull}, {tagMB, ir.TagFull}},
}

// annotated records the annotations of an instruction. It returns their tags as a bell file has them, and the word by
// which the kernel's models know the instruction; known says whether they do.
func (x *instr) annotated(kind string, has func(name string) bool) (own ir.Tags, name string, known bool) {
	a := x.Program.Annotated
	a.Uses = append(a.Uses, ir.Annotation{Kind: kind, Pos: x.name.Pos, Tags: x.notes})
	for _, n := range x.notes {
		own = append(own, ir.BellTag(n.Text))
	}
	if len(x.notes) == 0 {
		return nil, "", has("")
	}
	name = strings.ToLower(x.notes[0].Text)
	if known = len(x.notes) == 1 && has(name); known {
		return own, name, true
	}
	at := 0
	for at+1 < len(x.notes) && has(strings.ToLower(x.notes[at].Text)) {
		at++
	}
	x.foreign(x.notes[at], "annotation "+litmus.Shorten(x.notes[at].Text)+" of "+x.name.Text)
	return own, "", false
}

// firstField returns the first word of a text.
func firstField(text string) string { return strings.Fields(text)[0] }

// fenceWord is the first name of a fence as tests write it.
func fenceWord(name string) string {
	if strings.HasPrefix(name, "rcu-read") {
		return strings.ReplaceAll(name, "-", "_")
	}
	return name
}
