// Package ptx lowers litmus tests in PTX, the instructions of NVIDIA's GPUs: "ld.acquire.gpu r0, x", "st.weak x, 1",
// "atom.relaxed.cta.add r1, x, 1", "fence.sc.sys", "bar.cta.sync 0". Semantics follow the PTX ISA 7.5. [Dialect]
// implements lower.Dialect.
//
// Each thread is in a CTA and on a GPU (P0@cta 0,gpu 0). Instructions name locations directly, with or without
// brackets. Registers and locations have 32 bits. A location may have other names, for the proxies generic, texture,
// surface and constant: "t @ texture aliases x".
//
// Accesses and fences have the tags of their order, of their scope (CTA, GPU, SYS) and of their proxy (GEN, TEX, SUR,
// CON), as published models name them.
//
// It imports litmus, litmus/ir, litmus/lower and litmus/isa/gpuasm: no model and no solver.
package ptx

import (
	"maps"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/gpuasm"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect for PTX.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"PTX"} }

const (
	tagWeak   ir.Tag = "WEAK"
	tagRLX    ir.Tag = "RLX"
	tagACQ    ir.Tag = "ACQ"
	tagREL    ir.Tag = "REL"
	tagAcqRel ir.Tag = "ACQ_REL"
	tagSC     ir.Tag = "SC"
	tagAlias  ir.Tag = "ALIAS"
	tagBar    ir.Tag = "CBAR"
	tagProxy  ir.Tag = "PROXY"
	tagNoRet  ir.Tag = "NORETURN"
)

// scopeTags and proxyTags have the tags of scopes and proxies, by their words.
var (
	scopeTags = map[string]ir.Tag{"cta": "CTA", "gpu": "GPU", "sys": "SYS"}
	proxyTags = map[string]ir.Tag{"generic": "GEN", "texture": "TEX", "surface": "SUR", "constant": "CON"}
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag {
	return []ir.Tag{
		tagWeak, tagRLX, tagACQ, tagREL, tagAcqRel, tagSC, tagAlias, tagBar, tagProxy, tagNoRet,
		"CTA", "GPU", "SYS", "GEN", "TEX", "SUR", "CON",
	}
}

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	b := gpuasm.NewBuilder(Dialect{}, t)
	for _, item := range t.Init {
		if item.Aliases != "" && proxyTags[item.Proxy] == "" {
			b.Failf(item.Pos, "PTX: unknown proxy %s: want generic, texture, surface or constant", item.Proxy)
		}
	}
	b.Declare()
	computed := gpuasm.ComputesBarriers(t, "bar", "barrier")
	b.Lines(nil, func(cell litmus.Cell) {
		x := &instr{gpuasm.Read(b, cell)}
		x.Computed = computed
		name := x.Parts[0]
		if in, ok := own[name]; ok {
			if b.HasOperands(x.Name, in.least, in.most, len(x.Ops)) {
				in.lower(x)
			}
		} else if in, ok := gpuasm.Common[name]; !ok {
			b.Unknown(x.Name, lower.WhyNot(features, name))
		} else if b.HasOperands(x.Name, in.Least, in.Most, len(x.Ops)) {
			in.Lower(x.Instr)
		}
	})
	return b.Finish()
}

// instr is one instruction being lowered.
type instr struct{ *gpuasm.Instr }

// features are instructions of PTX that the dialect does not support, by the feature that they need.
var features = []lower.Feature{
	{Why: "addresses are locations, and not computed", Names: `cvta mapa isspacep`},
	{Why: "threads run once, and call nothing", Names: `call ret exit trap brkpt`},
	{Why: "there are no predicates: compare in the branch, as in bne r0, 1, LC00", Names: `setp selp slct`},
	{Why: "there are no textures beyond the proxy: use tld", Names: `tex tld4 txq`},
	{Why: "asynchronous copies are not in PTX 7.5's memory model", Names: `cp mbarrier`},
	{Why: "there are no warps", Names: `shfl vote match redux activemask`},
}

// Words implements lower.Dialect.
func (Dialect) Words(string) lower.Words {
	return lower.Words{
		Forms: lower.Forms(slices.Concat(forms, gpuasm.Forms)), Register: gpuasm.Register,
		Registers: gpuasm.Registers(),
		Barriers: []string{
			"fence.sc.sys", "fence.sc.gpu", "fence.sc.cta", "fence.acq_rel.sys", "fence.acq_rel.gpu",
			"fence.acq_rel.cta",
		},
		Modifiers: append(lower.Names(maps.Clone(scopeTags)), "weak", "relaxed", "acquire", "release"),
		Scoped:    scoped,
		Cycles:    cycles,
	}
}

const scopes = "<cta=the CTA|gpu=the GPU|sys=the system>"

var forms = [][3]string{
	{"ld.weak", "r0, x", "loads; may race"},
	{"ld.<relaxed|acquire>." + scopes, "r0, x", "loads, for the threads of $2"},
	{"st.weak", "x, 1", "stores; may race"},
	{"st.<relaxed|release>." + scopes, "x, 1", "stores, for the threads of $2"},
	{"ld", "r0, 1", "sets a register to a number"},
	{
		"set.<eq=equal to|ne=not equal to|lt=less than|le=at most|gt=greater than|ge=at least>.u32.s32", "r0, r1, 1",
		"sets all bits of a register if the second operand is $1 the third, or else none",
	},
	{"shl.b32", "r0, r1, 2", "shifts left by a number of bits"},
	{"shr.<u32=zeros|s32=copies of the sign>", "r0, r1, 2", "shifts right by a number of bits, and fills with $1"},
	{
		"atom.<relaxed|acquire|release|acq_rel>." + scopes + ".<add=adds to|exch=replaces>", "r0, x, 1",
		"$3 memory in one atomic step, and returns the old value; for the threads of $2",
	},
	{
		"atom.<relaxed|acquire|release|acq_rel>." + scopes + ".cas", "r0, x, 0, 1",
		"stores the second number if memory equals the first; returns the old value; for the threads of $2",
	},
	{"red.<relaxed|release>." + scopes + ".add", "x, 1", "adds to memory in one atomic step; for the threads of $2"},
	{"fence.sc." + scopes, "", "full fence, for the threads of $1"},
	{"fence.acq_rel." + scopes, "", "fence: release and acquire, for the threads of $1"},
	{"fence.proxy.alias", "", "orders accesses by different names of a location"},
	{
		"fence.proxy.<texture|surface|constant>", "",
		"orders accesses through the $1 proxy with those through the generic one",
	},
	{"bar.cta.sync", "0", "waits until all threads of the CTA that call it arrive"},
	{"bar.cta.sync", "0, 1, 1", "waits until 1 thread arrives at barrier 1"},
	{"bar.cta.arrive", "0", "arrives at a barrier without waiting"},
}
