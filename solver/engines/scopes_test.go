package engines_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// columns makes a test of two threads in two places.
func columns(arch, init, places, rows, condition string) string {
	return arch + " t\n" + init + "\n" + places + " ;\n" + rows + " ;\n" + condition + "\n"
}

const (
	farCTAs  = "P0@cta 0, gpu 0 | P1@cta 1, gpu 0"
	nearCTAs = "P0@cta 0, gpu 0 | P1@cta 0, gpu 0"
	xy       = "{ x=0; y=0; }"
)

func mp(places, scope string) string {
	return columns("PTX", xy, places, "st.weak x, 1 | ld.acquire."+scope+" r0, y ;\nst.release."+scope+
		" y, 1 | ld.weak r1, x", "exists (1:r0=1 /\\ 1:r1=0)")
}

func sb(places, fence string) string {
	return columns("PTX", xy, places, "st.weak x, 1 | st.weak y, 1 ;\n"+fence+" | "+fence+
		" ;\nld.weak r0, y | ld.weak r0, x", "exists (0:r0=0 /\\ 1:r0=0)")
}

// What scopes, proxies, names and control barriers decide, under each model of GPUs.
func TestScopesDecide(t *testing.T) {
	const (
		alias = "{ x=0; y aliases x; s @ surface aliases x; }"
		one   = "P0@cta 0, gpu 0"
		vk    = "P0@sg 0, wg 0, qf 0 | P1@sg 0, wg 1, qf 0"
	)
	vulkan := func(av, vis, scope string) string {
		return columns("VULKAN", xy, vk, "st."+av+".sc0 x, 1 | ld.atom.acq."+scope+".sc0.semsc0 r0, y ;\nst.atom.rel."+
			scope+".sc0.semsc0 y, 1 | ld."+vis+".sc0 r1, x", "exists (1:r0=1 /\\ 1:r1=0)")
	}
	opencl := func(dev, scope string) string {
		return "OPENCL t\n{ [x]=0; [y]=0; }\nP0@wg 0, dev 0 (global int *x, global atomic_int *y) {\n *x = 1;\n" +
			" atomic_store_explicit(y, 1, memory_order_release, memory_scope_" + scope + ");\n}\nP1@wg 1, dev " + dev +
			" (global int *x, global atomic_int *y) {\n int r1 = 2;\n" +
			" int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_" + scope + ");\n" +
			" if (r0) { r1 = *x; }\n}\nexists (1:r0=1 /\\ 1:r1=0)\n"
	}
	for _, c := range []struct {
		source, models string
		verdict        solver.Verdict
		race           bool
	}{
		{mp(farCTAs, "cta"), "ptx ptx-v6.0", solver.Allowed, true},
		{mp(nearCTAs, "cta"), "ptx ptx-v6.0", solver.Forbidden, true},
		{mp(farCTAs, "gpu"), "ptx ptx-v6.0", solver.Forbidden, true},
		{mp("P0@cta 0, gpu 0 | P1@cta 0, gpu 1", "gpu"), "ptx ptx-v6.0", solver.Allowed, true},
		{mp("P0@cta 0, gpu 0 | P1@cta 0, gpu 1", "cta"), "ptx ptx-v6.0", solver.Allowed, true},
		{mp("P0@cta 0, gpu 0 | P1@cta 0, gpu 1", "sys"), "ptx ptx-v6.0", solver.Forbidden, true},
		{sb(farCTAs, "fence.sc.cta"), "ptx ptx-v6.0", solver.Allowed, true},
		{sb(farCTAs, "fence.sc.gpu"), "ptx ptx-v6.0", solver.Forbidden, true},
		{sb(farCTAs, "fence.acq_rel.sys"), "ptx ptx-v6.0", solver.Allowed, true},
		{sb(nearCTAs, "bar.cta.sync 0"), "ptx ptx-v6.0", solver.Forbidden, false},
		{sb(farCTAs, "bar.cta.sync 0"), "ptx ptx-v6.0", solver.Allowed, true},
		{columns("PTX", alias, one, "st.weak x, 1 ;\nld.weak r0, y", "exists (0:r0=0)"), "ptx", solver.Allowed, false},
		{
			columns("PTX", alias, one, "st.weak x, 1 ;\nfence.proxy.alias ;\nld.weak r0, y", "exists (0:r0=0)"), "ptx",
			solver.Forbidden, false,
		},
		{
			columns("PTX", alias, one, "sust.weak s, 1 ;\nld.weak r0, x", "exists (0:r0=0)"), "ptx",
			solver.Allowed, false,
		},
		{
			columns("PTX", alias, one, "sust.weak s, 1 ;\nfence.proxy.surface ;\nld.weak r0, x", "exists (0:r0=0)"),
			"ptx", solver.Forbidden, false,
		},
		{vulkan("av.dv", "vis.dv", "dv"), "vulkan vulkan-nochains", solver.Forbidden, true},
		{vulkan("av.wg", "vis.wg", "wg"), "vulkan vulkan-nochains", solver.Allowed, true},
		{vulkan("nonpriv", "nonpriv", "dv"), "vulkan vulkan-nochains", solver.Allowed, true},
		{opencl("0", "device"), "opencl", solver.Forbidden, false},
		{opencl("1", "device"), "opencl", solver.Allowed, true},
		{opencl("1", "all_svm_devices"), "opencl", solver.Forbidden, false},
		{opencl("0", "work_group"), "opencl", solver.Allowed, true},
	} {
		for model := range strings.FieldsSeq(c.models) {
			r := asked(t, c.source, model, "axiomatic")
			race := false
			for _, f := range r.Flags {
				race = race || f.Name == "data-race" && f.Raised != nil && *f.Raised
			}
			if r.Verdict != c.verdict || race != c.race {
				t.Errorf("%s: %s, race %v, want %s, %v\n%s", model, r.Verdict, race, c.verdict, c.race, c.source)
			}
		}
	}
}

// What says nothing of scopes refuses them by name, and models of GPUs what has none.
func TestScopesAreRefused(t *testing.T) {
	named := columns("PTX", "{ x=0; y aliases x; }", "P0@cta 0, gpu 0", "st.weak y, 1", "exists (x=1)")
	for _, c := range []struct{ source, model, engine, want string }{
		{mp(farCTAs, "gpu"), "tso", "machine", "the engine machine does not support scopes: use the engine axiomatic"},
		{mp(farCTAs, "gpu"), "sc", "graphs", "the engine graphs does not support scopes"},
		{mp(farCTAs, "gpu"), "sc", "lazy-cseq", "the engine lazy-cseq does not support scopes"},
		{mp(farCTAs, "gpu"), "vulkan", "axiomatic", "Vulkan is a model for tests in VULKAN: choose one for PTX tests"},
		{named, "ptx-v6.0", "axiomatic", "does not define accesses by several names of a location"},
		{sb(nearCTAs, "bar.cta.sync 0"), "sc", "axiomatic", "sc does not define control barriers"},
		{"X86 t\n{ }\nP0;\nMOV [x],$1;\nexists (x=1)\n", "ptx", "axiomatic", "PTX uses the scopes of threads (scta)"},
	} {
		r, err := solver.Ask(t.Context(), engines.Local{},
			solver.Task{Source: c.source, Model: c.model, Engine: c.engine, Options: solver.DefaultOptions()})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = r.Error
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: got %q, want %q", c.model, c.engine, got, c.want)
		}
	}
	if err := engines.Admit(solver.VerifyTask{Model: "opencl", Options: solver.DefaultOptions()}); err == nil ||
		!strings.Contains(err.Error(), "and programs have none") {
		t.Errorf("a program under opencl: %v", err)
	}
}

// A control barrier that not all threads reach is an answer: no execution ends.
func TestBarriersDeadlock(t *testing.T) {
	for rows, dead := range map[string]bool{
		"bar.cta.sync 0 | bar.cta.sync 0":                                                             false,
		"bar.cta.sync 0 | bar.cta.sync 1 ;\nbar.cta.sync 1 | bar.cta.sync 0":                          true,
		"bar.cta.sync 0 | bar.cta.arrive 1 ;\nbar.cta.arrive 1 | bar.cta.sync 0":                      false,
		"bar.cta.sync 0, 1, 3 | bar.cta.sync 0, 1, 3":                                                 true,
		"bar.cta.sync 0, 1, 1 | bar.cta.sync 0, 1, 1":                                                 false,
		"ld.weak r0, x | bar.cta.sync 0 ;\nbne r0, 1, L0 | st.weak x, 1 ;\nbar.cta.sync 0 | ;\nL0: |": true,
	} {
		source := columns("PTX", xy, nearCTAs, rows, "exists (x=0)")
		r := asked(t, source, "ptx", "axiomatic")
		said := slices.ContainsFunc(r.Remarks, func(remark solver.Remark) bool {
			return strings.HasPrefix(remark.Message, "deadlock: no execution ends")
		})
		if r.Deadlock != dead || said != dead {
			t.Errorf("deadlock %v, said %v, want %v\n%s", r.Deadlock, said, dead, source)
		}
	}
}

// Published models of the corpus run as they are, and answer as ours.
func TestPublishedModelsOfGPUs(t *testing.T) {
	corpus := os.Getenv("LITMUSCOPE_CORPUS")
	if corpus == "" {
		corpus = "../../../shared/corpus"
	}
	for ours, file := range map[string]string{
		"ptx": "ptx/cats/ptx-v7.5.cat", "ptx-v6.0": "ptx/cats/ptx-v6.0.cat", "vulkan": "vulkan/cats/vulkan.cat",
		"vulkan-nochains": "vulkan/cats/vulkan-nochains.cat", "opencl": "opencl/cats/opencl.cat",
	} {
		text, err := os.ReadFile(filepath.Join(corpus, file))
		if err != nil {
			t.Skip("there is no corpus")
		}
		folder := filepath.Join(corpus, strings.Split(file, "/")[0])
		compared := 0
		err = filepath.WalkDir(folder, func(path string, _ os.DirEntry, _ error) error {
			if !strings.HasSuffix(path, ".litmus") {
				return nil
			}
			compared++
			if testing.Short() && compared%8 != 0 {
				return nil
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			o := solver.DefaultOptions()
			o.States = 0
			task := solver.Task{Path: path, Source: string(source), Model: ours, Options: o}
			a, err := solver.Ask(t.Context(), engines.Local{}, task)
			if err != nil || a.Status != solver.OK {
				return nil // as for names under ptx-v6.0, or loops
			}
			task.Model, task.ModelText = filepath.Base(file), string(text)
			b, err := solver.Ask(t.Context(), engines.Local{}, task)
			known := err == nil && b.Status == solver.OK && b.Observation != "" && a.Observation != ""
			if known && b.Observation != a.Observation {
				t.Errorf("%s: %s under %s, %s as published", path, a.Observation, ours, b.Observation)
			}
			return nil
		})
		if err != nil || compared == 0 {
			t.Errorf("%s: %d tests, %v", folder, compared, err)
		}
	}
}
