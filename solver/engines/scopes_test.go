package engines_test

import (
	"strings"
	"testing"

	"litmuscope/litmus/cycle"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// scopeWords are the scopes of an architecture's instructions, the narrowest first, as marks and as fences have them,
// and the edges between two threads whose narrowest common scope each is.
var scopeWords = map[string]struct{ marks, fences, edges []string }{
	"PTX": {[]string{"Cta", "Gpu", "Sys"}, []string{"cta", "gpu", "sys"}, []string{".cta", "", ".sys"}},
	"VULKAN": {
		[]string{"Sg", "Wg", "Qf", "Dv"}, []string{"sg", "wg", "qf", "dv"}, []string{".sg", ".wg", "", ".dv"},
	},
	"OPENCL": {[]string{"Wg", "Dev", "All"}, []string{"wg", "dev", "all"}, []string{".wg", "", ".all"}},
}

// inclusive says when operations of two scopes synchronise, given the narrowest scope of both threads.
type inclusive func(first, second, common int) bool

var (
	// inBoth: the scope of each contains the thread of the other. PTX: Lustig and others, ASPLOS 2019, “morally
	// strong”; Vulkan: “in scope of each other”.
	inBoth inclusive = func(first, second, common int) bool { return first >= common && second >= common }
	// inEqual: both also name the same scope. OpenCL: Batty and others, POPL 2016, “inclusive scopes”.
	inEqual inclusive = func(first, second, common int) bool { return first == second && first >= common }
	inNone  inclusive = func(int, int, int) bool { return false }
	inAll   inclusive = func(int, int, int) bool { return true }
)

// The shapes with orders, in all scopes, with threads in all places: what the publications say of each in a sentence is
// what the engine finds. $1 and $2 are the scopes of the first and of the second side as marks have them, %1 and %2 as
// fences have them, and @ is the scope that the threads share.
func TestShapesInScopes(t *testing.T) {
	for _, shape := range []struct {
		models, cycle string
		forbids       inclusive
	}{
		// PTX: a release synchronises with an acquire that observes it if the two are morally strong.
		{"ptx ptx-v6.0", "PodWWPRel$1 Rfe@ PodRRAcq$2P Fre@", inBoth},
		{"ptx ptx-v6.0", "Fence.acq_rel.%1dWWPRlx$1 Rfe@ Fence.acq_rel.%2dRRRlx$2P Fre@", inBoth},
		{"ptx ptx-v6.0", "PodWWPRlx$1 Rfe@ PodRRRlx$2P Fre@", inNone},
		{"ptx ptx-v6.0", "PodWWPRel$1 Rfe@ PodRRRlx$2P Fre@", inNone},
		{"ptx ptx-v6.0", "PodWWRlx$1Rlx$1 Rfe@ PodRRAcq$2Rlx$2 Fre@", inNone},
		{"ptx ptx-v6.0", "PodWW Rfe@ PodRR Fre@", inNone},
		// Morally strong fence.sc are in one order; other fences are not.
		{"ptx ptx-v6.0", "Fence.sc.%1dWR Fre@ Fence.sc.%2dWR Fre@", inBoth},
		{"ptx ptx-v6.0", "Fence.sc.%1dWRRlx$1Rlx$1 Fre@ Fence.sc.%2dWRRlx$2Rlx$2 Fre@", inBoth},
		{"ptx ptx-v6.0", "Fence.acq_rel.%1dWRRlx$1Rlx$1 Fre@ Fence.acq_rel.%2dWRRlx$2Rlx$2 Fre@", inNone},
		{"ptx ptx-v6.0", "PodWRRel$1Acq$1 Fre@ PodWRRel$2Acq$2 Fre@", inNone},
		{"ptx ptx-v6.0", "Fence.sc.%1dWWRlx$1Rlx$1 Wse@ Fence.sc.%2dWWRlx$2Rlx$2 Wse@", inBoth},
		{"ptx ptx-v6.0", "PodWWRlx$1Rlx$1 Wse@ PodWWRlx$2Rlx$2 Wse@", inNone},
		// Independent reads are in one order behind fence.sc if the reads observe the writes.
		{"ptx ptx-v6.0", "Rfe@Rlx$1Rlx$1 Fence.sc.%1dRR Fre@ Rfe@Rlx$2Rlx$2 Fence.sc.%2dRR Fre@", inBoth},
		{"ptx ptx-v6.0", "Rfe@Rlx$1Acq$1 PodRRAcq$1Acq$1 Fre@ Rfe@Rlx$2Acq$2 PodRRAcq$2Acq$2 Fre@", inNone},
		// No value comes out of thin air, in whatever scope; without dependencies, writes may come before reads.
		{"ptx ptx-v6.0", "DpDatadWRlx$1Rlx$1 Rfe@ DpDatadWRlx$2Rlx$2 Rfe@", inAll},
		{"ptx ptx-v6.0", "DpCtrldW Rfe@ DpDatadW Rfe@", inAll},
		{"ptx ptx-v6.0", "PodRWRlx$1Rlx$1 Rfe@ PodRWRlx$2Rlx$2 Rfe@", inNone},
		{"ptx ptx-v6.0", "PodRWAcq$1Rel$1 Rfe@ PodRWAcq$2Rel$2 Rfe@", inBoth},
		// Morally strong accesses of a location are coherent.
		{"ptx ptx-v6.0", "Rfe@Rlx$1Rlx$2 PosRRRlx$2Rlx$2 Fre@", inBoth},
		{"ptx ptx-v6.0", "Rfe@ PosRR Fre@", inNone},

		// Vulkan: a release that makes available, and an acquire that makes visible, in scope of each other.
		{"vulkan vulkan-nochains", "PodWWNpRelAv$1 Rfe@ PodRRAcqVis$2Np Fre@", inBoth},
		{"vulkan vulkan-nochains", "PodWWNpRel$1 Rfe@ PodRRAcqVis$2Np Fre@", inNone},
		{"vulkan vulkan-nochains", "PodWWNpRelAv$1 Rfe@ PodRRAcq$2Np Fre@", inNone},
		{"vulkan vulkan-nochains", "PodWWPRelAv$1 Rfe@ PodRRAcqVis$2P Fre@", inNone},
		{"vulkan vulkan-nochains", "Membar.rel.%1dWWNpRlx$1 Rfe@ Membar.acq.%2dRRRlx$2Np Fre@", inBoth},
		{"vulkan vulkan-nochains", "PodWWNpRlx$1 Rfe@ PodRRRlx$2Np Fre@", inNone},
		// There is no order of all fences.
		{"vulkan vulkan-nochains", "Membar.acq_rel.%1dWRRlx$1Rlx$1 Fre@ Membar.acq_rel.%2dWRRlx$2Rlx$2 Fre@", inNone},
		{
			"vulkan vulkan-nochains",
			"Rfe@Rlx$1Rlx$1 Membar.acq_rel.%1dRR Fre@ Rfe@Rlx$2Rlx$2 Membar.acq_rel.%2dRR Fre@", inNone,
		},

		// OpenCL: inclusive scopes are the same scope, and contain both threads.
		{"opencl", "PodWWPRel$1 Rfe@ PodRRAcq$2P Fre@", inEqual},
		{"opencl", "PodWWRlx$1Rel$1 Rfe@ PodRRAcq$2Rlx$2 Fre@", inEqual},
		{"opencl", "FenceRel.%1dWWRlx$1Rlx$1 Rfe@ FenceAcq.%2dRRRlx$2Rlx$2 Fre@", inEqual},
		{"opencl", "PodWWRlx$1Rlx$1 Rfe@ PodRRRlx$2Rlx$2 Fre@", inNone},
		{"opencl", "PodWRSc$1Sc$1 Fre@ PodWRSc$2Sc$2 Fre@", inEqual},
		{"opencl", "PodWRRel$1Acq$1 Fre@ PodWRRel$2Acq$2 Fre@", inNone},
		{"opencl", "FenceSc.%1dWRRlx$1Rlx$1 Fre@ FenceSc.%2dWRRlx$2Rlx$2 Fre@", inEqual},
		{"opencl", "PodWWSc$1Sc$1 Wse@ PodWWSc$2Sc$2 Wse@", inEqual},
		{"opencl", "PodRWRlx$1Rlx$1 Rfe@ PodRWRlx$2Rlx$2 Rfe@", inNone},
		{"opencl", "PodRWAcq$1Rel$1 Rfe@ PodRWAcq$2Rel$2 Rfe@", inEqual},
		{"opencl", "Rfe@Sc$1Sc$1 PodRRSc$1Sc$1 Fre@ Rfe@Sc$2Sc$2 PodRRSc$2Sc$2 Fre@", inEqual},
		{"opencl", "Rfe@Rlx$1Acq$1 PodRRAcq$1Acq$1 Fre@ Rfe@Rlx$2Acq$2 PodRRAcq$2Acq$2 Fre@", inNone},
	} {
		for model := range strings.FieldsSeq(shape.models) {
			arch := strings.ToUpper(strings.Split(model, "-")[0])
			checkInScopes(t, arch, model, shape.cycle, shape.forbids)
		}
	}
}

// checkInScopes asks a model about a shape in all scopes of its two sides and all places of its threads.
func checkInScopes(t *testing.T, arch, model, shape string, forbids inclusive) {
	t.Helper()
	options := solver.DefaultOptions()
	options.States, options.Executions = 0, 0
	words := scopeWords[arch]
	seen := map[string]bool{}
	for first := range words.marks {
		for second := range words.marks {
			for common, edge := range words.edges {
				text := strings.NewReplacer("$1", words.marks[first], "$2", words.marks[second],
					"%1", words.fences[first], "%2", words.fences[second], "@", edge).Replace(shape)
				if seen[text] {
					continue
				}
				seen[text] = true
				c, err := cycle.ParseCycle(arch, text)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				source, err := cycle.Generate(arch, c, "")
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				r, err := engines.Run(t.Context(), solver.Task{
					Path: c.Name(), Source: source, Model: model, Options: options,
				})
				if err != nil || r.Status != solver.OK {
					t.Fatalf("%s under %s: %v %s%s\n%s", text, model, err, r.Error, r.Reason, source)
				}
				want := solver.Allowed
				if forbids(first, second, common) {
					want = solver.Forbidden
				}
				if r.Verdict != want {
					t.Errorf("%s under %s: %s, want %s\n%s", text, model, r.Verdict, want, source)
				}
			}
		}
	}
}
