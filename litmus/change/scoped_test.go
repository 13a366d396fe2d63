package change_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/change"
	"litmuscope/litmus/dialect"
	"litmuscope/solver/synth"
	"litmuscope/solver/testdiff"
)

// costs are the built-in prices of a language.
type costs map[string]int

func (c costs) Price(kind change.Kind, name string) (int, bool) {
	cost, ok := c[fmt.Sprintf("%s %s", kind, name)]
	return cost, ok
}

// changesOf lists the changes of a test by the built-in prices.
func changesOf(t *testing.T, source string, d change.Direction) *change.Changes {
	t.Helper()
	test, err := litmus.Parse("t.litmus", source)
	if err != nil {
		t.Fatal(err)
	}
	p, err := dialect.Parse("t.litmus", source)
	if err != nil {
		t.Fatal(err)
	}
	all, err := synth.ReadCosts("", "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := change.Of(test, p, d, costs(all[test.Arch]), testdiff.Adds)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What a statement of a test with scopes can become, in the order of costs: stronger orders and wider scopes, or weaker
// and narrower ones. The existing statement is in it.
func TestScopedOptions(t *testing.T) {
	const ptx, vulkan, opencl = "PTX", "VULKAN", "OPENCL"
	bare := strings.NewReplacer("atomic_store_explicit(x, 1, ", "", "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, ", "",
		"memory_order_", "", "memory_scope_", "", ");", "", ")", "")
	for _, c := range []struct{ arch, statement, stronger, weaker string }{
		{
			ptx, "ld.acquire.gpu.u32 r0, x", "ld.acquire.gpu.u32 ld.acquire.sys.u32",
			"ld.weak.u32 ld.relaxed.cta.u32 ld.relaxed.gpu.u32 ld.acquire.cta.u32 ld.acquire.gpu.u32",
		},
		{ptx, "ld.volatile r0, x", "ld.volatile ld.acquire.sys", "ld.weak ld.relaxed.cta ld.relaxed.gpu ld.volatile"},
		{ptx, "ld r0, 1", "", ""},
		{
			ptx, "red.release.cta.add x, 1", "red.release.cta.add red.release.gpu.add red.release.sys.add",
			"red.relaxed.cta.add red.release.cta.add",
		},
		{ptx, "membar.gl", "membar.gl fence.sc.sys", " fence.acq_rel.cta fence.acq_rel.gpu fence.sc.cta membar.gl"},
		{ptx, "bar.cta.sync 0", "", ""},
		{
			vulkan, "st.atom.qf.sc1 x, 1",
			"st.atom.qf.sc1 st.atom.dv.sc1 st.atom.rel.qf.sc1.semsc1 " +
				"st.atom.rel.dv.sc1.semsc1 st.atom.rel.qf.sc1.semsc1.semav st.atom.rel.dv.sc1.semsc1.semav",
			"st.sc1 st.nonpriv.sc1 st.av.sg.sc1 st.av.wg.sc1 st.atom.sg.sc1 st.atom.wg.sc1 st.av.qf.sc1 st.atom.qf.sc1",
		},
		{vulkan, "membar.acq.wg.semsc0.semvis", "membar.acq.wg.semsc0.semvis membar.acq.qf.semsc0.semvis " +
			"membar.acq.dv.semsc0.semvis membar.acq_rel.wg.semsc0.semav.semvis membar.acq_rel.qf.semsc0.semav.semvis " +
			"membar.acq_rel.dv.semsc0.semav.semvis", " membar.acq.sg.semsc0 membar.acq.wg.semsc0 " +
			"membar.acq.sg.semsc0.semvis membar.acq.wg.semsc0.semvis"},
		{
			opencl, "atomic_store_explicit(x, 1, memory_order_release, memory_scope_device);",
			"release, device; release, all_svm_devices; seq_cst, device; seq_cst, all_svm_devices",
			"relaxed, work_group; relaxed, device; release, work_group; release, device",
		},
		{
			opencl, "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);",
			"acquire, device; acq_rel, device; acquire, all_svm_devices; acq_rel, all_svm_devices; " +
				"seq_cst, device; seq_cst, all_svm_devices", "; acquire, work_group; acquire, device",
		},
	} {
		for d, want := range []string{c.stronger, c.weaker} {
			source := c.arch + " t\n{ x=0; }\nP0" + litmus.SomePlace(c.arch) + ";\n" + c.statement + ";\nexists true\n"
			if c.arch == opencl {
				source = "OPENCL t\n{ [x]=0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n  " + c.statement +
					"\n}\nexists true\n"
			}
			changes, got := changesOf(t, source, change.Direction(d)), ""
			for _, s := range changes.Slots {
				var texts []string
				for _, o := range s.Options {
					texts = append(texts, bare.Replace(o.Text))
				}
				if got = strings.Join(texts, " "); c.arch == opencl {
					got = strings.Join(texts, "; ")
				}
			}
			if got != want {
				t.Errorf("%s\n got %s\nwant %s", c.statement, got, want)
			}
		}
	}
}

// Changes keep the layout of the test.
func TestScopedText(t *testing.T) {
	c := changesOf(t, `PTX MP
{ x=0; y=0; }
 P0@cta 0, gpu 0     | P1@cta 1, gpu 0      ;
 st.weak x, 1        | ld.acquire.cta r0, y ;
 st.release.cta y, 1 | ld.weak r1, x        ;
exists (1:r0=1 /\ 1:r1=0)
`, change.Stronger)
	choice := c.As()
	for i, s := range c.Slots {
		for o, option := range s.Options {
			if option.Text == "fence.sc.sys" || option.Text == "ld.acquire.gpu" {
				choice[i] = o
			}
		}
	}
	got, err := c.Text(choice)
	if err != nil {
		t.Fatal(err)
	}
	const want = `PTX MP
{ x=0; y=0; }
 P0@cta 0, gpu 0     | P1@cta 1, gpu 0      ;
 st.weak x, 1        | ld.acquire.gpu r0, y ;
 fence.sc.sys        | fence.sc.sys         ;
 st.release.cta y, 1 | ld.acquire.gpu r1, x ;
exists (1:r0=1 /\ 1:r1=0)
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
