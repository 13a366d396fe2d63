package vulkan

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/gpuasm"
	"litmuscope/litmus/lower"
)

// cycles declares Vulkan's words for cycles of relaxations, and how to write their tests. All accesses are of storage
// class 0. A plain access is private; marks have a strength and, for most, a scope.
var cycles = &lower.Cycles{
	Apart: "dv", Exchange: "Atom.Exch", Update: updateWord,
	Fences:  cycleFences(),
	Atomics: cycleUpdates(),
	Marks:   cycleMarks(),
	Standard: "Rfe Fre Wse Pod**RlxDvRlxDv Pod*WRlxDvRelDv PodR*AcqDvRlxDv PodRWAcqDvRelDv PodWWNpRelDv PodRRAcqDvNp " +
		"PodWWNpRelAvDv PodRRAcqVisDvNp PodWWAvDvRelDv PodRRAcqDvVisDv Membar.acq_rel.dvd**RlxDvRlxDv",
	Finer: "Pos**RlxDvRlxDv RfiRlxDvRlxDv FriRlxDvRlxDv WsiRlxDvRlxDv Atom.ExchRlxDvRlxDv Rfe.wg " +
		"Fre.wg Wse.wg PodWWNpRelAvWg PodRRAcqVisWgNp PodRWAcqVisWgRelAvDv",
	Presets: []lower.Preset{
		{Name: "release and acquire", List: "Rfe Fre Wse Pod**RlxDvRlxDv Pod*WRlxDvRelDv PodR*AcqDvRlxDv"},
		{
			Name: "one work group",
			List: "Rfe.wg Fre.wg Wse.wg Pod**RlxWgRlxWg Pod*WRlxWgRelWg PodR*AcqWgRlxWg",
		},
		{
			Name: "available and visible",
			List: "Rfe Fre PodWWNpRelDv PodRRAcqDvNp PodWWNpRelAvDv PodRRAcqVisDvNp PodWWAvDvRelDv PodRRAcqDvVisDv",
		},
	},
	Assembler: assembler,
}

// cycleScopes are the scopes in the order in which cycles list them.
var cycleScopes = []struct {
	name, mark string
	tag        ir.Tag
	reach      int
	like       string // behind the common names of words
}{
	{"dv", "Dv", "DV", 4, ""},
	{"wg", "Wg", "WG", 2, lower.InGroup},
	{"sg", "Sg", "SG", 1, " in a subgroup"},
	{"qf", "Qf", "QF", 3, " in a queue family"},
}

// cycleMarks lists the marks, each after those whose tags it has, too.
func cycleMarks() (all []lower.Mark) {
	all = append(all, lower.Mark{
		Mark: "Np", Tags: ir.Tags{tagNonPriv}, Reads: true, Writes: true, Alone: true,
		Text: "nonpriv: not private, but not atomic",
	})
	for _, s := range cycleScopes {
		all = append(all, lower.Mark{
			Mark: "Vis" + s.mark, Tags: ir.Tags{tagVIS}, All: ir.Tags{s.tag}, Reads: true, Alone: true, Reach: s.reach,
			Text: "vis: makes the location visible from scope " + s.name + " first",
		}, lower.Mark{
			Mark: "Av" + s.mark, Tags: ir.Tags{tagAV}, All: ir.Tags{s.tag}, Writes: true, Alone: true, Reach: s.reach,
			Text: "av: makes the location available to scope " + s.name,
		})
	}
	for _, s := range cycleScopes {
		all = append(all, lower.Mark{
			Mark: "Rlx" + s.mark, Tags: ir.Tags{tagAtom}, All: ir.Tags{s.tag}, Reads: true, Writes: true,
			Text: "atomic, with scope " + s.name + ", without order", Like: lower.Relaxed + s.like, Reach: s.reach,
		})
	}
	for _, s := range cycleScopes {
		for _, m := range []struct {
			mark, text, like string
			tags             ir.Tags
			read             bool
		}{
			{"Acq", "acquire", "acquire", ir.Tags{tagACQ}, true},
			{"AcqVis", "acquire that makes storage class 0 visible", "", ir.Tags{tagACQ, tagSemVIS}, true},
			{"Rel", "release", "release", ir.Tags{tagREL}, false},
			{"RelAv", "release that makes storage class 0 available", "", ir.Tags{tagREL, tagSemAV}, false},
		} {
			mark := lower.Mark{
				Mark: m.mark + s.mark, Tags: ir.Tags{tagAtom}, All: append(ir.Tags{s.tag}, m.tags...), Reads: m.read,
				Writes: !m.read, Text: "atomic, with scope " + s.name + ": " + m.text, Reach: s.reach,
			}
			if m.like != "" {
				mark.Like = m.like + s.like
			}
			all = append(all, mark)
		}
	}
	return all
}

// cycleFences lists for each scope the memory barriers that make memory available and visible, the strongest first: a
// fence gets the first word whose tags it has.
func cycleFences() (all []lower.Word) {
	for _, f := range []struct {
		order, semantics, text string
		tags                   ir.Tags
	}{
		{
			"acq_rel", "semav.semvis", "a release and an acquire that make storage class 0 available and visible",
			ir.Tags{tagACQ, tagREL, tagSemAV, tagSemVIS},
		},
		{"rel", "semav", "a release that makes storage class 0 available", ir.Tags{tagREL, tagSemAV}},
		{"acq", "semvis", "an acquire that makes storage class 0 visible", ir.Tags{tagACQ, tagSemVIS}},
	} {
		for _, s := range cycleScopes {
			code := "membar." + f.order + "." + s.name + ".semsc0." + f.semantics
			w := lower.Word{
				Name: "Membar." + f.order + "." + s.name, All: append(ir.Tags{s.tag}, f.tags...), Code: code,
				Text: code + ": " + f.text + ", for scope " + s.name,
			}
			if f.order == "acq_rel" {
				w.Like = "full" + s.like
			}
			all = append(all, w)
		}
	}
	return all
}

// cycleUpdates are the words for atomic updates, with their orders.
func cycleUpdates() (all []lower.Word) {
	var orders []string
	for _, s := range cycleScopes {
		for _, o := range [][3]string{
			{"acq_rel", "Acq", "Rel"},
			{"acq", "Acq", "Rlx"},
			{"rel", "Rlx", "Rel"},
			{"", "Rlx", "Rlx"},
			{"acq_rel", "AcqVis", "RelAv"},
			{"acq", "AcqVis", "Rlx"},
			{"rel", "Rlx", "RelAv"},
		} {
			text := "atom." + o[0] + "." + s.name + ".sc0.semsc0"
			if o[0] == "" {
				text = "atom." + s.name + ".sc0"
			}
			if o[2] == "RelAv" {
				text += ".semav"
			}
			if o[1] == "AcqVis" {
				text += ".semvis"
			}
			orders = append(orders, text+" "+o[1]+s.mark+" "+o[2]+s.mark)
		}
	}
	for _, u := range []struct {
		name, text, like string
		makes            lower.Makes
	}{
		{"Exch", "an exchange", "exchange", lower.Puts},
		{"Add", "an addition", "addition", lower.Adds},
		{"Or", "an or", "", lower.Sets},
		{"Xor", "an exclusive or", "", lower.Flips},
		{"And", "an and", "", lower.Keeps},
	} {
		op := strings.ToLower(u.name)
		all = append(all, lower.Word{
			Name: "Atom." + u.name, Text: "rmw." + op + ": the read and the write of " + u.text, Code: op, Like: u.like,
			Makes: u.makes, Orders: lower.OrdersOf(orders...),
		})
	}
	return all
}

// updateWord returns the word for an atomic update, "" if cycles have none. Without an operation, it is an exchange.
func updateWord(instruction string) string {
	mnemonic, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(instruction)), " ")
	parts := strings.Split(mnemonic, ".")
	if parts[0] != "rmw" {
		return ""
	}
	for _, part := range parts[1:] {
		if gpuasm.Updates[part] == nil {
			continue
		}
		for _, w := range cycleUpdates() {
			if w.Code == part {
				return w.Name
			}
		}
		return ""
	}
	return "Atom.Exch"
}

// mnemonic writes the parts of a load or a store with a mark.
func mnemonic(first, mark string) string {
	scope := ""
	if n := len(mark) - 2; n > 0 {
		scope, mark = "."+strings.ToLower(mark[n:]), mark[:n]
	}
	form := map[string]string{
		"": "SCOPE.sc0", "Np": ".nonpriv.sc0", "Vis": ".visSCOPE.sc0", "Av": ".avSCOPE.sc0", "Rlx": ".atomSCOPE.sc0",
		"Acq": ".atom.acqSCOPE.sc0.semsc0", "AcqVis": ".atom.acqSCOPE.sc0.semsc0.semvis",
		"Rel": ".atom.relSCOPE.sc0.semsc0", "RelAv": ".atom.relSCOPE.sc0.semsc0.semav",
	}[mark]
	return first + strings.ReplaceAll(form, "SCOPE", scope)
}

// assembler names locations in instructions, as Vulkan's tests do.
var assembler = gpuasm.Assembler(&lower.Assembler{
	Full: "Membar.acq_rel.dv", Seen: "RlxDv",
	Load: func(w *lower.Writer, dst int, at lower.Place, mark string) {
		w.Emit("%s r%d, %s", mnemonic("ld", mark), dst, at.Location)
	},
	Store: func(w *lower.Writer, src, value int, at lower.Place, mark string) {
		w.Emit("%s %s, %s", mnemonic("st", mark), at.Location, gpuasm.Operand(src, value))
	},
	Atomic: func(w *lower.Writer, at lower.Place, a lower.Atomic) {
		w.Read = w.NewRegister()
		for _, o := range a.Orders {
			if o.Read == a.Load && o.Write == a.Store {
				w.Emit("rmw.%s.%s r%d, %s, %d", o.Text, a.Code, w.Read, at.Location, a.Step)
			}
		}
		w.Observe(w.Read, a.Read)
	},
})
