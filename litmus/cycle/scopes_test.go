package cycle

import (
	"strings"
	"testing"

	"litmuscope/litmus"
)

// TestGenerateScopes compares whole tests of dialects with scopes.
func TestGenerateScopes(t *testing.T) {
	for _, test := range []struct{ arch, text, want string }{
		{"PTX", "PodWWPRelCta Rfe.cta PodRRAcqCtaP Fre", `PTX MP+poprelcta+poacqctap+cta
"PodWWPRelCta Rfe.ctaRelCtaAcqCta PodRRAcqCtaP Fre.cta"
Cycle=PodWWPRelCta Rfe.ctaRelCtaAcqCta PodRRAcqCtaP Fre.cta
Orig=PodWWPRelCta Rfe.ctaRelCtaAcqCta PodRRAcqCtaP Fre.cta
{
}
 P0@cta 0, gpu 0     | P1@cta 0, gpu 0      ;
 st.weak x, 1        | ld.acquire.cta r0, y ;
 st.release.cta y, 1 | ld.weak r1, x        ;
exists
(1:r0=1 /\ 1:r1=0)
`},
		// Two threads of a CTA, and one on another GPU.
		{"PTX", "PodWW.cta Rfe.cta DpDatadW.cta Rfe.sys Fence.sc.sysdRR.cta Fre", `PTX ISA2+porlxctarlxcta+datarlxctarlxcta+fence.sc.sysrlxctarlxcta+cta-sys-sys
"PodWWRlxCtaRlxCta Rfe.ctaRlxCtaRlxCta DpDatadWRlxCtaRlxCta Rfe.sysRlxCtaRlxCta Fence.sc.sysdRRRlxCtaRlxCta Fre.sysRlxCtaRlxCta"
Cycle=PodWWRlxCtaRlxCta Rfe.ctaRlxCtaRlxCta DpDatadWRlxCtaRlxCta Rfe.sysRlxCtaRlxCta Fence.sc.sysdRRRlxCtaRlxCta Fre.sysRlxCtaRlxCta
Orig=PodWWRlxCtaRlxCta Rfe.ctaRlxCtaRlxCta DpDatadWRlxCtaRlxCta Rfe.sysRlxCtaRlxCta Fence.sc.sysdRRRlxCtaRlxCta Fre.sysRlxCtaRlxCta
{
}
 P0@cta 0, gpu 0     | P1@cta 0, gpu 0      | P2@cta 0, gpu 1      ;
 st.relaxed.cta x, 1 | ld.relaxed.cta r0, y | ld.relaxed.cta r0, z ;
 st.relaxed.cta y, 1 | xor r1, r0, r0       | fence.sc.sys         ;
                     | add r1, r1, 1        | ld.relaxed.cta r1, x ;
                     | st.relaxed.cta z, r1 |                      ;
exists
(1:r0=1 /\ 2:r0=1 /\ 2:r1=0)
`},
		{"VULKAN", "PodWWNpRelAvWg Rfe.wg PodRRAcqVisWgVisSg Fre.wg", `VULKAN MP+ponprelavwg+poacqviswgvissg+wg
"PodWWNpRelAvWg Rfe.wgRelAvWgAcqVisWg PodRRAcqVisWgVisSg Fre.wgVisSgNp"
Cycle=PodWWNpRelAvWg Rfe.wgRelAvWgAcqVisWg PodRRAcqVisWgVisSg Fre.wgVisSgNp
Orig=PodWWNpRelAvWg Rfe.wgRelAvWgAcqVisWg PodRRAcqVisWgVisSg Fre.wgVisSgNp
{
}
 P0@sg 0, wg 0, qf 0                  | P1@sg 1, wg 0, qf 0                    ;
 st.nonpriv.sc0 x, 1                  | ld.atom.acq.wg.sc0.semsc0.semvis r0, y ;
 st.atom.rel.wg.sc0.semsc0.semav y, 1 | ld.vis.sg.sc0 r1, x                    ;
exists
(1:r0=1 /\ 1:r1=0)
`},
		{"OPENCL", "PodWWPRelAll Rfe.all ExchAcqAllRlxAll PodWRRlxAllP Fre", `OPENCL MP+poprelall+exchacqallrlxall-porlxallp+all
"PodWWPRelAll Rfe.allRelAllAcqAll ExchAcqAllRlxAll PodWRRlxAllP Fre.all"
Cycle=PodWWPRelAll Rfe.allRelAllAcqAll ExchAcqAllRlxAll PodWRRlxAllP Fre.all
Orig=PodWWPRelAll Rfe.allRelAllAcqAll ExchAcqAllRlxAll PodWRRlxAllP Fre.all
{
}

P0@wg 0, dev 0 (global int *x, global atomic_int *y)
{
    *x = 1;
    atomic_store_explicit(y, 1, memory_order_release, memory_scope_all_svm_devices);
}

P1@wg 0, dev 1 (global atomic_int *y, global int *x)
{
    int r0 = atomic_exchange_explicit(y, 2, memory_order_acquire, memory_scope_all_svm_devices);
    int r1 = *x;
}

exists
(y=2 /\ 1:r0=1 /\ 1:r1=0)
`},
	} {
		c, err := ParseCycle(test.arch, test.text)
		if err != nil {
			t.Errorf("%s %s: %v", test.arch, test.text, err)
			continue
		}
		got, err := Generate(test.arch, c, "")
		if err != nil || got != test.want {
			t.Errorf("%s %s: %v\n%s", test.arch, test.text, err, got)
		}
	}
}

// Edges between threads agree on which threads share a scope: the others are settled by those that say one.
func TestScopesAgree(t *testing.T) {
	const differ = "other edges put its two threads closer together"
	for _, test := range []struct{ arch, text, want string }{
		{"PTX", "PodWR Fre PodWR Fre", "PodWR Fre PodWR Fre"},
		{"PTX", "PodWR Fre.cta PodWR Fre", "PodWR Fre.cta PodWR Fre.cta"},
		{"PTX", "PodWR Fre PodWR Fre.sys", "PodWR Fre.sys PodWR Fre.sys"},
		{"VULKAN", "PodWR Fre.sg PodWR Fre", "PodWR Fre.sg PodWR Fre.sg"},
		{"OPENCL", "PodWR Fre.all PodWR Fre", "PodWR Fre.all PodWR Fre.all"},
		{"PTX", "PodWR Fre.cta PodWR Fre PodWR Fre", "PodWR Fre.cta PodWR Fre PodWR Fre"},
		{"PTX", "PodWR Fre.cta PodWR Fre.sys PodWR Fre", "PodWR Fre.cta PodWR Fre.sys PodWR Fre.sys"},
		{"PTX", "PodWR Fre.cta PodWR Fre.sys", "cycle:1:21: Fre.sys: " + differ},
		{"PTX", "PodWR Fre.cta PodWR Fre.cta PodWR Fre.sys", "cycle:1:35: Fre.sys: " + differ},
		{"PTX", "PodWW Rfe FrLeave.cta RfBack.cta PodRR Fre", "PodWW Rfe FrLeave.cta RfBack.cta PodRR Fre"},
		{"PTX", "PodWR.cta Fre PodWR.sys Fre", "PodWRRlxCtaRlxCta FreRlxCtaRlxSys PodWRRlxSysRlxSys FreRlxSysRlxCta"},
		{"PTX", "PodWR.wg Fre PodWR Fre", `cycle:1:1: PodWR is a relaxation, but ".wg" after it is unknown`},
		{"PTX", "PodWR Fre.wg PodWR Fre", `cycle:1:7: Fre is a relaxation, but ".wg" after it is unknown`},
		{"X86", "PodWR Fre.cta PodWR Fre", `cycle:1:7: Fre is a relaxation, but ".cta" after it is unknown`},
	} {
		got := ""
		c, err := ParseCycle(test.arch, test.text)
		if err != nil {
			got = err.Error()
		} else {
			got = c.String()
		}
		if got != test.want && (err == nil || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%s %s: %s, want %s", test.arch, test.text, got, test.want)
		}
	}
}

// A test with the same instructions whose threads are elsewhere is another test.
func TestPlacesMatter(t *testing.T) {
	const source = `PTX MP
{}
 P0@FIRST            | P1@cta 0, gpu 0      ;
 st.weak x, 1        | ld.acquire.gpu r0, y ;
 st.release.gpu y, 1 | ld.weak r1, x        ;
exists (1:r0=1 /\ 1:r1=0)`
	c, err := ParseCycle("PTX", "PodWWPRelGpu Rfe PodRRAcqGpuP Fre")
	if err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]string{
		"cta 1, gpu 0": "MP+poprelgpu+poacqgpup", "cta 7, gpu 0": "MP+poprelgpu+poacqgpup",
		"cta 0, gpu 0": "MP+poprelgpu+poacqgpup+cta", "cta 0, gpu 1": "MP+poprelgpu+poacqgpup+sys",
	} {
		test, err := litmus.Parse("test", strings.Replace(source, "FIRST", place, 1))
		if err != nil {
			t.Fatal(err)
		}
		found, err := Of(test)
		if err != nil || found.Name() != want || !found.IsOf(test) {
			t.Errorf("%s: %s, %v; want %s", place, found.Name(), err, want)
		}
		if usual := !strings.Contains(want, "+cta") && !strings.Contains(want, "+sys"); c.IsOf(test) != usual {
			t.Errorf("%s: the test of %s is taken for that of %s", place, found, c)
		}
	}
}

// Every scope of another dialect comes back, or the threads are in their usual places.
func TestRescoped(t *testing.T) {
	for _, test := range []struct{ from, to, text, want string }{
		{"PTX", "VULKAN", "PodWR Fre.cta PodWR Fre.cta", "PodWR Fre.wg PodWR Fre.wg"},
		{"VULKAN", "OPENCL", "PodWR Fre.dv PodWR Fre.dv", "PodWR Fre.all PodWR Fre.all"},
		{"VULKAN", "PTX", "PodWR Fre.sg PodWR Fre.sg", ""},
		{"PTX", "X86", "PodWR Fre.sys PodWR Fre.sys", ""},
	} {
		c, err := ParseCycle(test.from, test.text)
		if err != nil {
			t.Fatal(err)
		}
		out, ok := c.Rescoped(test.to)
		if test.want == "" && (ok || out.String() != "PodWR Fre PodWR Fre") ||
			test.want != "" && (!ok || out.String() != test.want) {
			t.Errorf("%s of %s in %s: %s, %v; want %s", c, test.from, test.to, out, ok, test.want)
		}
	}
}
