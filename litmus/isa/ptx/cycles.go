package ptx

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/gpuasm"
	"litmuscope/litmus/lower"
)

// cycles declares PTX's words for cycles of relaxations, and how to write their tests. Marks have an order and a scope;
// a plain access is weak.
var cycles = &lower.Cycles{
	Apart: "sys", Exchange: "Atom.Exch", Update: updateWord,
	Fences:  cycleFences(),
	Atomics: cycleUpdates(),
	Marks:   cycleMarks(),
	Standard: "Rfe Fre Wse Pod** Pod**RlxGpuRlxGpu Pod*WRlxGpuRelGpu PodR*AcqGpuRlxGpu PodRWAcqGpuRelGpu " +
		"Fence.sc.gpud**RlxGpuRlxGpu Fence.acq_rel.gpud**RlxGpuRlxGpu DpDatadWRlxGpuRlxGpu DpCtrldWRlxGpuRlxGpu",
	Finer: "Pos** Rfi Fri Wsi Pos**RlxGpuRlxGpu RfiRlxGpuRlxGpu FriRlxGpuRlxGpu WsiRlxGpuRlxGpu Pod*WPRelGpu " +
		"PodR*AcqGpuP Atom.ExchRlxGpuRlxGpu Rfe.cta Fre.cta Wse.cta PodWWPRelCta PodRRAcqCtaP",
	Presets: []lower.Preset{
		{Name: "weak accesses", List: "Rfe Fre Wse Pod**"},
		{Name: "release and acquire", List: "Rfe Fre Wse Pod**RlxGpuRlxGpu Pod*WRlxGpuRelGpu PodR*AcqGpuRlxGpu"},
		{
			Name: "one CTA",
			List: "Rfe.cta Fre.cta Wse.cta Pod**RlxCtaRlxCta Pod*WRlxCtaRelCta PodR*AcqCtaRlxCta",
		},
		{Name: "fences", List: "Rfe Fre Wse Fence.sc.gpud**RlxGpuRlxGpu Fence.acq_rel.gpud**RlxGpuRlxGpu"},
	},
	Assembler: assembler,
}

// cycleScopes are the scopes in the order in which cycles list them.
var cycleScopes = []struct {
	name, mark string
	tag        ir.Tag
	reach      int
	like       string // behind the common names of words
}{{"gpu", "Gpu", "GPU", 2, ""}, {"cta", "Cta", "CTA", 1, lower.InGroup}, {"sys", "Sys", "SYS", 3, lower.InAll}}

func cycleMarks() (all []lower.Mark) {
	for _, s := range cycleScopes {
		all = append(all,
			lower.Mark{
				Mark: "Rlx" + s.mark, Tags: ir.Tags{tagRLX}, All: ir.Tags{s.tag}, Reads: true, Writes: true,
				Text: "relaxed, with scope " + s.name + ": atomic, without order", Like: lower.Relaxed + s.like,
				Reach: s.reach,
			},
			lower.Mark{
				Mark: "Acq" + s.mark, Tags: ir.Tags{tagACQ}, All: ir.Tags{s.tag}, Reads: true,
				Text: "acquire, with scope " + s.name + ": before all later accesses", Like: "acquire" + s.like,
				Reach: s.reach,
			},
			lower.Mark{
				Mark: "Rel" + s.mark, Tags: ir.Tags{tagREL}, All: ir.Tags{s.tag}, Writes: true,
				Text: "release, with scope " + s.name + ": after all earlier accesses", Like: "release" + s.like,
				Reach: s.reach,
			})
	}
	return all
}

func cycleFences() (all []lower.Word) {
	for _, s := range cycleScopes {
		all = append(all, lower.Word{
			Name: "Fence.sc." + s.name, All: ir.Tags{tagSC, s.tag}, Code: "fence.sc." + s.name, Like: "full" + s.like,
			Text: "fence.sc." + s.name + ": orders all earlier accesses before all later ones, for scope " + s.name,
		})
	}
	for _, s := range cycleScopes {
		all = append(all, lower.Word{
			Name: "Fence.acq_rel." + s.name, All: ir.Tags{tagAcqRel, s.tag}, Code: "fence.acq_rel." + s.name,
			Text: "fence.acq_rel." + s.name + ": a release and an acquire, for scope " + s.name,
		})
	}
	return all
}

// cycleUpdates are the words for atomic updates. Each has the orders of atom or red.
func cycleUpdates() (all []lower.Word) {
	var atoms, reds []string
	for _, s := range cycleScopes {
		for _, o := range [][3]string{
			{"acq_rel", "Acq", "Rel"}, {"acquire", "Acq", "Rlx"}, {"release", "Rlx", "Rel"}, {"relaxed", "Rlx", "Rlx"},
		} {
			row := o[0] + "." + s.name + " " + o[1] + s.mark + " " + o[2] + s.mark
			atoms = append(atoms, row)
			if o[1] == "Rlx" {
				reds = append(reds, row)
			}
		}
	}
	for _, u := range []struct {
		name, text string
		makes      lower.Makes
	}{
		{"Exch", "an exchange", lower.Puts},
		{"Cas", "a compare-and-exchange that succeeds", lower.Puts},
		{"Add", "an addition", lower.Adds},
		{"Or", "an or", lower.Sets},
		{"Xor", "an exclusive or", lower.Flips},
		{"And", "an and", lower.Keeps},
	} {
		op := strings.ToLower(u.name)
		w := lower.Word{
			Name: "Atom." + u.name, Text: "atom." + op + ": the read and the write of " + u.text, Code: op,
			Makes: u.makes, Orders: lower.OrdersOf(atoms...),
		}
		switch u.name {
		case "Exch":
			w.Like = "exchange"
		case "Add":
			w.Like = "addition"
		}
		all = append(all, w)
		if u.makes != lower.Puts {
			all = append(all, lower.Word{
				Name: "Red." + u.name, Text: "red." + op + ": " + u.text + " that returns nothing", Code: op,
				Makes: u.makes, Unseen: true, Orders: lower.OrdersOf(reds...),
			})
		}
	}
	return all
}

// updateWord returns the word for an atomic update, "" if cycles have none.
func updateWord(instruction string) string {
	parts := strings.Split(strings.ToLower(firstWord(instruction)), ".")
	kind := map[string]string{"atom": "Atom.", "red": "Red."}[parts[0]]
	for _, part := range parts[1:] {
		for _, w := range cycleUpdates() {
			if kind != "" && strings.HasPrefix(w.Name, kind) && w.Code == part {
				return w.Name
			}
		}
	}
	return ""
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}

// orderOf writes the order and the scope of an access with a mark: "relaxed.gpu".
func orderOf(mark string) string {
	if mark == "" {
		return "weak"
	}
	order := map[string]string{"Rlx": "relaxed", "Acq": "acquire", "Rel": "release"}[mark[:3]]
	return order + "." + strings.ToLower(mark[3:])
}

// assembler names locations in instructions, as PTX's tests do.
var assembler = gpuasm.Assembler(&lower.Assembler{
	Full: "Fence.sc.sys", Seen: "RlxSys",
	Load: func(w *lower.Writer, dst int, at lower.Place, mark string) {
		w.Emit("ld.%s r%d, %s", orderOf(mark), dst, at.Location)
	},
	Store: func(w *lower.Writer, src, value int, at lower.Place, mark string) {
		w.Emit("st.%s %s, %s", orderOf(mark), at.Location, gpuasm.Operand(src, value))
	},
	Atomic: func(w *lower.Writer, at lower.Place, a lower.Atomic) {
		order := ""
		for _, o := range a.Orders {
			if o.Read == a.Load && o.Write == a.Store {
				order = o.Text
			}
		}
		if a.Unseen {
			w.Emit("red.%s.%s %s, %d", order, a.Code, at.Location, a.Step)
			return
		}
		w.Read = w.NewRegister()
		if a.Code == "cas" {
			w.Emit("atom.%s.cas r%d, %s, %d, %d", order, w.Read, at.Location, a.Read, a.Step)
		} else {
			w.Emit("atom.%s.%s r%d, %s, %d", order, a.Code, w.Read, at.Location, a.Step)
		}
		w.Observe(w.Read, a.Read)
	},
})
