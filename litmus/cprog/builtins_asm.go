package cprog

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

// asmBarriers are the instructions that inline assembly may consist of.
var asmBarriers = map[string]ir.Tags{
	"mfence": tagsOf("MFENCE", ir.FullFence...), "lfence": tagsOf("LFENCE", ir.TagRR, ir.TagRW), "sfence": tagsOf("SFENCE", ir.TagWW),
	"lock; addl $0,0(%rsp)": tagsOf("MFENCE", ir.FullFence...), "lock; addl $0,0(%esp)": tagsOf("MFENCE", ir.FullFence...),
	"sync": tagsOf("SYNC", ir.FullFence...), "hwsync": tagsOf("SYNC", ir.FullFence...), "lwsync": tagsOf("LWSYNC", ir.TagRR, ir.TagRW, ir.TagWW),
	"isync": tagsOf("ISYNC", ir.TagBranch), "eieio": tagsOf("EIEIO", ir.TagWW),
	"dmb": tagsOf("DMB.SY", ir.FullFence...), "dmb sy": tagsOf("DMB.SY", ir.FullFence...), "dmb ish": tagsOf("DMB.ISH", ir.FullFence...),
	"dmb ishld": tagsOf("DMB.ISHLD", ir.TagRR, ir.TagRW), "dmb ishst": tagsOf("DMB.ISHST", ir.TagWW),
	"dmb ld": tagsOf("DMB.LD", ir.TagRR, ir.TagRW), "dmb st": tagsOf("DMB.ST", ir.TagWW),
	"dsb": tagsOf("DSB.SY", ir.FullFence...), "dsb sy": tagsOf("DSB.SY", ir.FullFence...), "dsb ish": tagsOf("DSB.ISH", ir.FullFence...),
	"isb": tagsOf("ISB", ir.TagBranch), "isb sy": tagsOf("ISB", ir.TagBranch),
	"fence": tagsOf("Fence.rw.rw", ir.FullFence...), "fence rw,rw": tagsOf("Fence.rw.rw", ir.FullFence...), "fence iorw,iorw": tagsOf("Fence.rw.rw", ir.FullFence...),
	"fence r,rw": tagsOf("Fence.r.rw", ir.TagRR, ir.TagRW), "fence rw,w": tagsOf("Fence.rw.w", ir.TagRW, ir.TagWW),
	"fence r,r": tagsOf("Fence.r.r", ir.TagRR), "fence w,w": tagsOf("Fence.w.w", ir.TagWW), "fence.tso": tagsOf("Fence.tso", ir.TagRR, ir.TagRW, ir.TagWW),
	// These order nothing that other threads see.
	"": nil, "nop": nil, "pause": nil, "rep; nop": nil, "rep nop": nil, "yield": nil, "wfe": nil, "sev": nil,
}

func tagsOf(name ir.Tag, generic ...ir.Tag) ir.Tags { return slices.Concat(ir.Tags{name}, generic) }

var (
	asmSpace     = regexp.MustCompile(`\s+`)
	asmSeparator = regexp.MustCompile(`\s*[;\n]\s*`)
)

// asmFence is what inline assembly of a text does, where that is a barrier, or nothing.
func asmFence(text string) (ops []op, ok bool) {
	normal := func(s string) string {
		s = asmSpace.ReplaceAllString(strings.ToLower(strings.TrimSpace(s)), " ")
		return strings.ReplaceAll(strings.ReplaceAll(s, ", ", ","), "%%", "%")
	}
	parts := []string{text}
	if _, whole := asmBarriers[normal(text)]; !whole {
		parts = asmSeparator.Split(text, -1)
	}
	for _, part := range parts {
		tags, ok := asmBarriers[normal(part)]
		if !ok {
			return nil, false
		}
		if tags != nil {
			ops = append(ops, fence{tags: tags})
		}
	}
	return ops, true
}

// inlineAsm makes code of inline assembly.
func (l *lowerer) inlineAsm(n *cc.Asm) {
	text, err := strconv.Unquote(n.Token3.SrcStr())
	if err != nil {
		l.failf(n, "inline assembly %s is not supported", n.Token3.SrcStr())
	}
	lists := 0 // results, arguments, and what is clobbered
	for list := n.AsmArgList; list != nil; list = list.AsmArgList {
		if lists++; lists <= 2 && list.AsmExpressionList != nil {
			l.failf(n, "inline assembly with operands is not supported: want barriers alone")
		}
	}
	ops, ok := asmFence(text)
	if !ok {
		l.failf(n, "inline assembly %q is not supported: want a barrier, such as mfence, dmb ish or lwsync", text)
	}
	for _, o := range ops {
		l.emit(o)
	}
}
