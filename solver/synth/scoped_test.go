package synth

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"litmuscope/models"
	"litmuscope/solver"
)

// scopedDialect has the spellings of random tests in a dialect with scopes: S is a scope, R a register, L a location.
type scopedDialect struct {
	tongue                string
	scopes                []string
	reads, writes, fences []string
	place                 func(r *rand.Rand) string
}

var scopedDialects = []scopedDialect{
	{
		"PTX",
		[]string{"cta", "gpu", "sys"},
		[]string{"ld.weak R, L", "ld.relaxed.S R, L", "ld.acquire.S R, L", "atom.acq_rel.S.add R, L, 0"},
		[]string{"st.weak L, 1", "st.relaxed.S L, 1", "st.release.S L, 1"},
		[]string{"fence.acq_rel.S", "fence.sc.S"},
		func(r *rand.Rand) string { return fmt.Sprintf("@cta %d, gpu %d", r.IntN(2), r.IntN(4)/3) },
	},
	{
		"VULKAN",
		[]string{"sg", "wg", "qf", "dv"},
		[]string{"ld.sc0 R, L", "ld.nonpriv.sc0 R, L", "ld.atom.S.sc0 R, L", "ld.atom.acq.S.sc0.semsc0.semvis R, L"},
		[]string{"st.sc0 L, 1", "st.av.S.sc0 L, 1", "st.atom.S.sc0 L, 1", "st.atom.rel.S.sc0.semsc0.semav L, 1"},
		[]string{"membar.acq_rel.S.semsc0.semav.semvis", "membar.rel.S.semsc0"},
		func(r *rand.Rand) string {
			return fmt.Sprintf("@sg %d, wg %d, qf %d", r.IntN(2), r.IntN(2), r.IntN(4)/3)
		},
	},
	{
		"OPENCL",
		[]string{"work_group", "device", "all_svm_devices"},
		[]string{
			"int R = atomic_load_explicit(L, memory_order_relaxed, memory_scope_S);",
			"int R = atomic_load_explicit(L, memory_order_acquire, memory_scope_S);", "int R = atomic_load(L);",
		},
		[]string{
			"atomic_store_explicit(L, 1, memory_order_relaxed, memory_scope_S);",
			"atomic_store_explicit(L, 1, memory_order_release, memory_scope_S);", "atomic_store(L, 1);",
		},
		[]string{"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_S);"},
		func(r *rand.Rand) string { return fmt.Sprintf("@wg %d, dev %d", r.IntN(2), r.IntN(4)/3) },
	},
}

// draw returns a test of message passing, store buffering or load buffering with random orders, scopes and places.
func (d scopedDialect) draw(r *rand.Rand) string {
	shapes := []struct{ first, second, condition string }{
		{"Wx Wy", "Ry Rx", `1:r0=1 /\ 1:r1=0`},
		{"Wx Ry", "Wy Rx", `0:r0=0 /\ 1:r0=0`},
		{"Rx Wy", "Ry Wx", `0:r0=1 /\ 1:r0=1`},
	}
	shape := shapes[r.IntN(len(shapes))]
	var columns [2][]string
	var places [2]string
	for i, accesses := range []string{shape.first, shape.second} {
		places[i] = d.place(r)
		registers := 0
		for n, a := range strings.Fields(accesses) {
			one := func(of []string) {
				text := of[r.IntN(len(of))]
				scope := d.scopes[r.IntN(len(d.scopes))]
				text = strings.NewReplacer("scope_S", "scope_"+scope, ".S", "."+scope,
					" R", fmt.Sprint(" r", registers), " L", " "+a[1:], "(L", "("+a[1:]).Replace(text)
				columns[i] = append(columns[i], text)
			}
			if n > 0 && r.IntN(3) == 0 {
				one(d.fences)
			}
			if a[0] == 'W' {
				one(d.writes)
			} else {
				one(d.reads)
				registers++
			}
		}
	}
	text := d.tongue + " T\n{ x=0; y=0; }\n"
	if d.tongue == "OPENCL" {
		text = d.tongue + " T\n{ [x]=0; [y]=0; }\n"
		for i, c := range columns {
			text += fmt.Sprintf("P%d%s (global atomic_int *x, global atomic_int *y) {\n  %s\n}\n", i, places[i],
				strings.Join(c, "\n  "))
		}
		return text + "exists (" + shape.condition + ")\n"
	}
	text += fmt.Sprintf(" P0%s | P1%s ;\n", places[0], places[1])
	for row := range max(len(columns[0]), len(columns[1])) {
		for i, c := range columns {
			cell := ""
			if row < len(c) {
				cell = c[row]
			}
			text += []string{" ", " | "}[i] + cell
		}
		text += " ;\n"
	}
	return text + "exists (" + shape.condition + ")\n"
}

// What repair and weaken say of random tests with scopes is what trying every choice by itself says.
func TestScopesAsTryingEveryChoice(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 10
	}
	for _, d := range scopedDialects {
		t.Run(d.tongue, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(d.tongue))))
			useful := 0
			for i := range n {
				under := models.For(d.tongue)
				source := d.draw(r)
				for _, weaken := range []bool{false, true} {
					if tried(t, d.tongue, source, under[i%len(under)], weaken, r) {
						useful++
					}
				}
			}
			if t.Logf("%d of %d answers change something", useful, 2*n); useful == 0 {
				t.Error("no answer changes anything")
			}
		})
	}
}

// The cheapest repairs of tests with scopes.
func TestRepairScopes(t *testing.T) {
	const (
		ptx = "PTX MP\n{ x=0; y=0; }\n P0@cta 0, gpu 0 | P1@cta 1, gpu %d ;\n" +
			" st.weak x, 1 | ld.%s r0, y ;\n st.%s y, 1 | ld.weak r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n"
		vulkan = "VULKAN MP\n{ x=0; y=0; }\n P0@sg 0, wg 0, qf 0 | P1@sg 0, wg 1, qf 0 ;\n" +
			" st.av.dv.sc0 x, 1 | ld.atom.acq.wg.sc0.semsc0 r0, y ;\n" +
			" st.atom.rel.wg.sc0.semsc0 y, 1 | ld.vis.dv.sc0 r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n"
		opencl = "OPENCL MP\n{ [x]=0; [y]=0; }\n" +
			"P0@wg 0, dev 0 (global int *x, global atomic_int *y) {\n  *x = 1;\n" +
			"  atomic_store_explicit(y, 1, memory_order_release, memory_scope_%s);\n}\n" +
			"P1@wg 1, dev 0 (global int *x, global atomic_int *y) {\n" +
			"  int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);\n" +
			"  int r1 = *x;\n}\nexists (1:r0=1 /\\ 1:r1=0)\n"
	)
	for _, c := range []struct {
		name, source, under, want string
	}{
		{"same", fmt.Sprintf(ptx, 0, "acquire.gpu", "release.gpu"), "", "already"},
		{"narrow", fmt.Sprintf(ptx, 0, "acquire.cta", "release.cta"), "", "st.release.gpu y, 1; ld.acquire.gpu r0, y"},
		{"far", fmt.Sprintf(ptx, 1, "acquire.cta", "release.gpu"), "", "st.release.sys y, 1; ld.acquire.sys r0, y"},
		{"order", fmt.Sprintf(ptx, 0, "weak", "relaxed.gpu"), "", "st.release.gpu y, 1; ld.acquire.gpu r0, y"},
		{
			"6.0", fmt.Sprintf(ptx, 0, "acquire.cta", "release.gpu"), "ptx-v6.0",
			"ld.acquire.gpu r0, y",
		},
		{
			"vulkan", vulkan, "",
			"st.atom.rel.qf.sc0.semsc0 y, 1; ld.atom.acq.qf.sc0.semsc0 r0, y",
		},
		{
			"opencl", fmt.Sprintf(opencl, "work_group"), "",
			"atomic_store_explicit(y, 1, memory_order_release, memory_scope_device)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := solver.DefaultOptions()
			o.Timeout = 0
			q := Question{Path: "MP.litmus", Source: c.source, Options: o}
			if c.under != "" {
				q.Under = []solver.Task{{Model: c.under}}
			}
			r, err := Answer(t.Context(), q)
			if err != nil || r.Status != solver.OK {
				t.Fatal(err, r.Summary(false))
			}
			got := "already"
			if !r.Already {
				const cycle = "a -po-> b -rf-> c -po-> d -fr-> a"
				for _, change := range r.Repairs[0].Changes {
					if b := change.Breaks; c.name == "narrow" && (b == nil || b.Cycle != cycle) {
						t.Errorf("%s breaks %+v", change.Text, b)
					}
				}
				var texts []string
				for _, change := range r.Repairs[0].Changes {
					texts = append(texts, change.Text)
				}
				got = strings.Join(texts, "; ")
			}
			if got != c.want || !r.Already && len(r.Repairs) != 1 || !r.Minimal {
				t.Errorf("got %q and %d more, minimal %v (%s), want %q", got, max(0, len(r.Repairs)-1), r.Minimal,
					r.Reason, c.want)
			}
		})
	}
}
