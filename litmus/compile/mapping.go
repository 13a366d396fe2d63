package compile

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// Architecture is a target of compilation.
type Architecture struct {
	Arch   string   // in the header of the compiled test
	Names  []string // its names in requests, in lower case
	Title  string
	Source string // the publication of its tables
	// Scoped: threads are in scopes. Tests in C are compiled to it, with each thread in a group of its own, and tests
	// in OpenCL; whole programs are not, because they do not say where their threads are.
	Scoped bool
	// Partial: some operations of C11 have no mapping.
	Partial  bool
	Variants []Variant
}

// Variant is one of several ways to compile an operation. The variants of a group exclude each other, and the first one
// is the default.
type Variant struct {
	Name  string
	Group string
	Text  string // a description in one line
	apply func(*mapping)
}

type order = c.Order

const (
	relaxed = c.Relaxed
	acquire = c.Acquire // also for consume, as in every compiler
	release = c.Release
	acqRel  = c.AcqRel
	seqCst  = c.SeqCst
)

// rows are the instructions for an operation, by order: instructions separated by semicolons, with * for the access
// itself, followed by its marks. The marks of a load-reserved and a store-conditional are on either side of a /. The
// word branch stands for a branch on the read value to the next instruction; with !, it is omitted if the operation has
// such a branch already.
type rows map[order]string

// mapping has the tables of an architecture.
type mapping struct {
	to                      target
	load, store, rmw, fence rows
	// scopes are the words for OpenCL's scopes, by their tags, and for operations that name none, as in C: "". In rows,
	// $scope stands for the word, and $class and $semantics for the regions of memory, in Vulkan's words. barrier is
	// the row of OpenCL's control barrier, in which $instance is its number.
	scopes  map[ir.Tag]string
	barrier string
	// missing: there are no rows for seq_cst, for this reason.
	missing string
	// strict: a relaxed store behind a release of its location in its thread is a release, because the architecture's
	// release sequences do not contain it.
	strict bool
	// ctrl: a branch follows each read that is not an acquire, or each read if acquires are pairwise: they order
	// nothing unless they read from a release.
	ctrl, pairwise bool
	// bound: nothing but a dependency has a store-exclusive wait for its load-exclusive. The
	// tables, which give compare-exchange alone, have a branch between the two; without a
	// dependency of some kind an exchange would break release sequences.
	bound bool
}

// line is a parsed row.
type line struct {
	before, after []string
	mark, second  string // second is that of the store-conditional
}

func (r rows) row(o order) (row string, ok bool) {
	if o == c.Consume {
		o = acquire
	}
	row, ok = r[o]
	return row, ok
}

// line parses the row of an order.
func (r rows) line(o order) line {
	row, ok := r.row(o)
	if !ok {
		panic(fmt.Sprintf("BUG: no row for order %d", o))
	}
	return parseRow(row)
}

func parseRow(row string) (l line) {
	to := &l.before
	for _, word := range strings.Split(row, ";") {
		word = strings.TrimSpace(word)
		if marks, ok := strings.CutPrefix(word, "*"); ok {
			l.mark, l.second, _ = strings.Cut(marks, "/")
			to = &l.after
		} else if word != "" {
			*to = append(*to, word)
		}
	}
	return l
}

// The group that every weak architecture has.
const (
	loadBuffering = "relaxed loads"
	// Branches is the variant that orders relaxed loads before later stores.
	Branches     = "ctrl"
	branchesText = "a branch after every relaxed read, so that no later write comes before it: rc11, which forbids " +
		"load buffering, needs it"
)

func plainLoads() Variant {
	return Variant{
		"plain", loadBuffering,
		"nothing after a relaxed load, as in compilers: later writes may come before it", func(*mapping) {},
	}
}

func branches() Variant {
	return Variant{Branches, loadBuffering, branchesText, func(m *mapping) { m.ctrl = true }}
}

var cambridge = "Batty, Owens, Sarkar, Sewell, Weber, Mathematizing C++ Concurrency, POPL 2011, and the tables kept " +
	"at Cambridge since"

// architectures is the table of mappings.
var architectures = []Architecture{
	{
		Arch: "X86_64", Names: []string{"x86_64", "x86", "x86-64", "amd64"}, Title: "x86, 64 bits", Source: cambridge,
		Variants: []Variant{
			{"xchg", "seq_cst", "a seq_cst store is an XCHG", func(m *mapping) {
				*m = mapping{
					to:    x86{},
					load:  rows{relaxed: "*", acquire: "*", seqCst: "*"},
					store: rows{relaxed: "*", release: "*", seqCst: "*xchg"},
					rmw:   same("*"),
					fence: rows{acquire: "", release: "", acqRel: "", seqCst: "mfence"},
				}
			}},
			{"mfence", "seq_cst", "a seq_cst store is a MOV followed by an MFENCE", func(m *mapping) {
				m.store = rows{relaxed: "*", release: "*", seqCst: "*; mfence"}
			}},
			{
				"mfence-load", "seq_cst", "a seq_cst load is an MFENCE followed by a MOV, a seq_cst store a MOV",
				func(m *mapping) {
					m.load = rows{relaxed: "*", acquire: "*", seqCst: "mfence; *"}
					m.store = same("*")
				},
			},
		},
	},
	{
		Arch: "PPC", Names: []string{"ppc", "power", "powerpc", "ppc64"}, Title: "Power",
		Source: "McKenney, Silvera, Example POWER implementation for C/C++ memory model, N2745, 2008; Batty, " +
			"Memarian, Owens, Sarkar, Sewell, Clarifying and Compiling C/C++ Concurrency: from C++11 to POWER, POPL " +
			"2012",
		Variants: []Variant{
			{"leading", "seq_cst", "a sync before every seq_cst access", func(m *mapping) {
				*m = mapping{
					to:    ppc{},
					load:  rows{relaxed: "*", acquire: "*; branch; isync", seqCst: "sync; *; branch; isync"},
					store: rows{relaxed: "*", release: "lwsync; *", seqCst: "sync; *"},
					rmw: rows{
						relaxed: "*", acquire: "*; branch!; isync", release: "lwsync; *",
						acqRel: "lwsync; *; branch!; isync",
						seqCst: "sync; *; branch!; isync",
					},
					fence: rows{acquire: "lwsync", release: "lwsync", acqRel: "lwsync", seqCst: "sync"},
				}
			}},
			{"trailing", "seq_cst", "a sync after every seq_cst access", func(m *mapping) {
				m.load = rows{relaxed: "*", acquire: "*; branch; isync", seqCst: "*; sync"}
				m.store = rows{relaxed: "*", release: "lwsync; *", seqCst: "lwsync; *; sync"}
				m.rmw[seqCst] = "lwsync; *; sync"
			}},
			plainLoads(), branches(),
		},
	},
	{
		Arch: "ARM", Names: []string{"arm", "armv7", "arm32"}, Title: "Arm, 32 bits (Armv7)", Source: cambridge,
		Variants: []Variant{
			{"trailing", "seq_cst", "a DMB after every seq_cst access, and before those that write", func(m *mapping) {
				*m = mapping{
					to:    arm{},
					load:  rows{relaxed: "*", acquire: "*; branch; ISB", seqCst: "*; DMB ISH"},
					store: rows{relaxed: "*", release: "DMB ISH; *", seqCst: "DMB ISH; *; DMB ISH"},
					rmw: rows{
						relaxed: "*", acquire: "*; branch!; ISB", release: "DMB ISH; *",
						acqRel: "DMB ISH; *; branch!; ISB",
						seqCst: "DMB ISH; *; DMB ISH",
					},
					fence: same("DMB ISH"),
					bound: true,
				}
			}},
			{"leading", "seq_cst", "a DMB before every seq_cst access", func(m *mapping) {
				m.load[seqCst] = "DMB ISH; *; branch; ISB"
				m.store[seqCst] = "DMB ISH; *"
				m.rmw[seqCst] = "DMB ISH; *; branch!; ISB"
			}},
			{"isb", "acquire", "an acquire is a branch and an ISB", func(*mapping) {}},
			{"dmb", "acquire", "an acquire is a DMB, as GCC and LLVM compile it", func(m *mapping) {
				for _, r := range []rows{m.load, m.rmw} {
					for o, row := range r {
						r[o] = strings.NewReplacer("branch!; ISB", "DMB ISH", "branch; ISB", "DMB ISH").Replace(row)
					}
				}
			}},
			plainLoads(), branches(),
		},
	},
	{
		Arch: "AArch64", Names: []string{"aarch64", "arm64", "armv8"}, Title: "Arm, 64 bits (Armv8)",
		Source: cambridge + "; Arm, C/C++ Atomics ABI for the Arm 64-bit Architecture, 2024",
		Variants: []Variant{
			{"lse", "read-modify-writes", "atomic instructions: SWP, LDADD, CAS (LSE)", func(m *mapping) {
				*m = mapping{
					to:    aarch64{lse: true},
					load:  rows{relaxed: "*", acquire: "*A", seqCst: "*A"},
					store: rows{relaxed: "*", release: "*L", seqCst: "*L"},
					rmw:   rows{relaxed: "*", acquire: "*A", release: "*L", acqRel: "*AL", seqCst: "*AL"},
					fence: rows{acquire: "DMB ISHLD", release: "DMB ISH", acqRel: "DMB ISH", seqCst: "DMB ISH"},
				}
			}},
			{"llsc", "read-modify-writes", "loops of a load-exclusive and a store-exclusive", func(m *mapping) {
				m.to = aarch64{}
				m.rmw = rows{relaxed: "*", acquire: "*A/", release: "*/L", acqRel: "*A/L", seqCst: "*A/L"}
			}},
			{"ldar", "acquire loads", "an acquire load is an LDAR", func(*mapping) {}},
			{
				"ldapr", "acquire loads", "an acquire load is an LDAPR, which may come before an earlier STLR",
				func(m *mapping) { m.load[acquire] = "*Q" },
			},
			plainLoads(), branches(),
		},
	},
	{
		Arch: "RISCV", Names: []string{"riscv", "riscv64", "rv64"}, Title: "RISC-V, 64 bits (RVWMO)",
		Source: "The RISC-V Instruction Set Manual, Volume I, RVWMO Explanatory Material, mappings from C/C++ " +
			"primitives (table A.6)",
		Variants: []Variant{
			{
				"amo", "read-modify-writes",
				"atomic instructions where there are any (Zaamo), loops for compare-exchange",
				func(m *mapping) {
					*m = mapping{
						to:    riscv{amo: true},
						load:  rows{relaxed: "*", acquire: "*; fence r,rw", seqCst: "fence rw,rw; *; fence r,rw"},
						store: rows{relaxed: "*", release: "fence rw,w; *", seqCst: "fence rw,w; *"},
						rmw: rows{
							relaxed: "*", acquire: "*.aq/", release: "*/.rl", acqRel: "*.aq/.rl", seqCst: "*.aq.rl/.rl",
						},
						fence: rows{
							acquire: "fence r,rw", release: "fence rw,w", acqRel: "fence.tso",
							seqCst: "fence rw,rw",
						},
					}
				},
			},
			{
				"lrsc", "read-modify-writes", "loops of a load-reserved and a store-conditional (Zalrsc)",
				func(m *mapping) { m.to = riscv{} },
			},
			plainLoads(), branches(),
		},
	},
	{
		Arch: "PTX", Names: []string{"ptx", "nvidia", "cuda"}, Title: "NVIDIA GPUs (PTX)", Scoped: true,
		Source: "NVIDIA, PTX Writer's Guide to Interoperability, Atomics Application Binary Interface, CUDA 12.8, " +
			"which refers to Lustig, Sahasrabuddhe, Giroux, A Formal Analysis of the NVIDIA PTX Memory Consistency " +
			"Model, ASPLOS 2019, for a proof; C11's operations have scope sys, and OpenCL's their own",
		Variants: []Variant{
			{
				"acq-rel", "seq_cst", "a seq_cst access is a fence.sc, and an acquire or a release (CUDA 12)",
				func(m *mapping) {
					*m = mapping{
						to: ptx{}, barrier: "bar.cta.sync $instance",
						scopes: map[ir.Tag]string{"": "sys", "WI": "cta", "WG": "cta", "DV": "gpu", "ALL": "sys"},
						load: rows{
							relaxed: "*relaxed.$scope", acquire: "*acquire.$scope",
							seqCst: "fence.sc.$scope; *acquire.$scope",
						},
						store: rows{
							relaxed: "*relaxed.$scope", release: "*release.$scope",
							seqCst: "fence.sc.$scope; *release.$scope",
						},
						rmw: rows{
							relaxed: "*relaxed.$scope", acquire: "*acquire.$scope", release: "*release.$scope",
							acqRel: "*acq_rel.$scope", seqCst: "fence.sc.$scope; *acq_rel.$scope",
						},
						fence: rows{
							acquire: "fence.acq_rel.$scope", release: "fence.acq_rel.$scope",
							acqRel: "fence.acq_rel.$scope", seqCst: "fence.sc.$scope",
						},
						pairwise: true,
					}
				},
			},
			{
				"acq", "seq_cst",
				"a seq_cst store is a fence.sc and a relaxed store, a seq_cst update acquires (later CUDA)",
				func(m *mapping) {
					m.store[seqCst] = "fence.sc.$scope; *relaxed.$scope"
					m.rmw[seqCst] = "fence.sc.$scope; *acquire.$scope"
				},
			},
			plainLoads(),
			{
				Branches, loadBuffering, "a branch after every atomic read, so that no later write comes before it: " +
					"an acquire does not do that if it reads from a relaxed write", branches().apply,
			},
		},
	},
	{
		Arch: "VULKAN", Names: []string{"vulkan", "spirv"}, Title: "Vulkan (SPIR-V)", Scoped: true, Partial: true,
		Source: "Khronos Group, Vulkan specification, appendix Memory Model, and SPIR-V specification, Memory " +
			"Semantics: a release makes available, and an acquire makes visible",
		Variants: []Variant{
			{
				"c11", "release sequences", "a relaxed store behind a release of its location in the thread is a " +
					"release: C11's and OpenCL's release sequences contain it, and Vulkan's do not",
				func(m *mapping) {
					const acquires = "acq.$scope.sc$class.semsc$class.semvis"
					const releases = "rel.$scope.sc$class.semsc$class.semav"
					*m = mapping{
						to:   vulkan{},
						load: rows{relaxed: "*atom.$scope.sc$class", acquire: "*atom." + acquires},
						store: rows{
							relaxed: "*atom.$scope.sc$class", release: "*atom." + releases,
						},
						rmw: rows{
							relaxed: "*atom.$scope.sc$class", acquire: "*atom." + acquires,
							release: "*atom." + releases,
							acqRel:  "*atom.acq_rel.$scope.sc$class.semsc$class.semav.semvis",
						},
						fence: rows{
							acquire: "membar.acq.$scope.$semantics.semvis",
							release: "membar.rel.$scope.$semantics.semav",
							acqRel:  "membar.acq_rel.$scope.$semantics.semav.semvis",
						},
						barrier: "cbar.acq_rel.wg.$semantics.semav.semvis $instance",
						scopes:  map[ir.Tag]string{"": "dv", "WI": "sg", "WG": "wg", "DV": "dv", "ALL": "dv"},
						missing: "Vulkan's memory model has no sequentially consistent order (Vulkan specification, " +
							"appendix Memory Model); want acquire, release or acq_rel",
						strict: true,
					}
				},
			},
			{
				"c20", "release sequences", "a relaxed store is relaxed: right for release sequences as in C++20",
				func(m *mapping) { m.strict = false },
			},
		},
	},
}

// same returns a table with the same row for all orders.
func same(row string) rows {
	r := rows{}
	for _, o := range []order{relaxed, acquire, release, acqRel, seqCst} {
		r[o] = row
	}
	return r
}

// Unmapped says why there is no mapping to an architecture, as a clause that ends with a semicolon; "" if there is no
// reason to report.
func Unmapped(name string) string {
	switch strings.ToLower(name) {
	case "amd", "amdgpu", "gcn", "rocm":
		return "no formal model of AMD's instructions is built in, so nothing could check LLVM's mapping (User Guide " +
			"for AMDGPU Backend, Memory Model); "
	case "bpf":
		return "C11's atomics have no complete mapping to it, because LLVM does not compile fences between threads " +
			"for it " +
			"(llvm-project, pull requests 108636 and 196734); "
	}
	return ""
}

// Architectures lists the architectures that tests are compiled to, with their variants.
func Architectures() []Architecture { return slices.Clone(architectures) }

// Machines lists the architectures whose threads are in no scopes, to which whole programs are compiled, too.
func Machines() []Architecture {
	return slices.DeleteFunc(Architectures(), func(a Architecture) bool { return a.Scoped })
}

// Find returns the architecture with a name, in any case. The error lists the names.
func Find(name string) (Architecture, error) {
	var names []string
	for _, a := range architectures {
		if slices.Contains(a.Names, strings.ToLower(name)) {
			return a, nil
		}
		names = append(names, a.Names[0])
	}
	return Architecture{}, fmt.Errorf("cannot compile tests to %q: %swant one of %s", name, Unmapped(name),
		strings.Join(names, ", "))
}

// Choices lists all combinations of variants, in the form that Compile accepts, the default mapping first.
func (a Architecture) Choices() []string {
	choices := []string{""}
	var groups []string
	for _, v := range a.Variants {
		if !slices.Contains(groups, v.Group) {
			groups = append(groups, v.Group)
		}
	}
	for _, g := range groups {
		var longer []string
		first := true
		for _, v := range a.Variants {
			if v.Group != g {
				continue
			}
			for _, c := range choices {
				if !first {
					c = strings.TrimPrefix(c+"+"+v.Name, "+")
				}
				longer = append(longer, c)
			}
			first = false
		}
		choices = longer
	}
	return choices
}

// Describe says how a choice of variants differs from the default; "" if it does not.
func (a Architecture) Describe(choice string) string {
	var out []string
	for _, v := range a.Variants {
		if slices.Contains(strings.Split(choice, "+"), v.Name) {
			out = append(out, v.Text)
		}
	}
	return strings.Join(out, "; ")
}

// choose parses the names of variants, joined by +, into a choice for each group.
func (a Architecture) choose(variant string) (map[string]string, error) {
	chosen := map[string]string{}
	for _, name := range strings.FieldsFunc(variant, func(r rune) bool { return r == '+' }) {
		i := slices.IndexFunc(a.Variants, func(v Variant) bool { return v.Name == name })
		if i < 0 {
			var names []string
			for _, v := range a.Variants {
				names = append(names, v.Name)
			}
			return nil, fmt.Errorf("%s has no variant %q: want some of %s, with + between them", a.Names[0], name,
				strings.Join(names, ", "))
		}
		v := a.Variants[i]
		if other, again := chosen[v.Group]; again && other != name {
			return nil, fmt.Errorf("variants %s and %s exclude each other: both choose %s", other, name, v.Group)
		}
		chosen[v.Group] = name
	}
	for _, v := range a.Variants {
		if _, ok := chosen[v.Group]; !ok {
			chosen[v.Group] = v.Name
		}
	}
	return chosen, nil
}

// with returns the architecture's mapping with a variant of each group.
func (a Architecture) with(chosen map[string]string) *mapping {
	m, first := &mapping{}, map[string]bool{}
	for _, v := range a.Variants {
		if !first[v.Group] || chosen[v.Group] == v.Name {
			v.apply(m)
		}
		first[v.Group] = true
	}
	return m
}

// Check returns an error if the names of variants are invalid.
func (a Architecture) Check(variant string) error {
	_, err := a.choose(variant)
	return err
}
