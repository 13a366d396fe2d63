package c

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// cyclesOpenCL contains the words for edges of cycles in OpenCL, whose locations are in global memory: those of C11,
// with scopes.
var cyclesOpenCL = &lower.Cycles{
	Anywhere: true, Apart: "all", Exchange: "Exch",
	Fences:  fenceWordsOpenCL(),
	Atomics: atomicsOpenCL(),
	Marks:   marksOpenCL(),
	Standard: "Rfe Fre Wse Pod**RlxDevRlxDev Pod*WRlxDevRelDev PodR*AcqDevRlxDev PodRWAcqDevRelDev Pod**ScDevScDev " +
		"FenceSc.devd**RlxDevRlxDev FenceRel.devd*WRlxDevRlxDev FenceAcq.devdR*RlxDevRlxDev DpDatadWRlxDevRlxDev " +
		"DpCtrldWRlxDevRlxDev",
	Finer: "Pos**RlxDevRlxDev RfiRlxDevRlxDev FriRlxDevRlxDev WsiRlxDevRlxDev ExchRlxDevRlxDev Rfe.wg " +
		"Fre.wg Wse.wg Pod*WRlxWgRelWg PodR*AcqWgRlxWg",
	Presets: []lower.Preset{
		{Name: "release and acquire", List: "Rfe Fre Wse Pod**RlxDevRlxDev Pod*WRlxDevRelDev PodR*AcqDevRlxDev"},
		{
			Name: "one work group",
			List: "Rfe.wg Fre.wg Wse.wg Pod**RlxWgRlxWg Pod*WRlxWgRelWg PodR*AcqWgRlxWg Pod**ScWgScWg",
		},
		{Name: "sequentially consistent", List: "Rfe Fre Wse Pod**ScDevScDev FenceSc.devd**RlxDevRlxDev"},
	},
	Language: &lower.Language{
		Atomic: "global atomic_int *", Plain: "global int *", Seen: "RlxAll", Full: "FenceSc.all",
	},
}

// cycleScopesOpenCL are the scopes of OpenCL's operations in the order in which cycles list them.
var cycleScopesOpenCL = []struct {
	name, mark, scope string
	tag               ir.Tag
	reach             int
	like              string // behind the common names of words
}{
	{"dev", "Dev", "memory_scope_device", tagDV, 4, ""},
	{"wg", "Wg", "memory_scope_work_group", tagWG, 2, lower.InGroup},
	{"all", "All", "memory_scope_all_svm_devices", tagAll, 5, lower.InAll},
}

// marksOpenCL lists for each scope the orders of atomic accesses, each after those whose tags it has, too.
func marksOpenCL() (all []lower.Mark) {
	for _, s := range cycleScopesOpenCL {
		mark := func(name string, of lower.Mark) {
			of.Mark, of.All, of.Reach = name+s.mark, ir.Tags{s.tag}, s.reach
			of.Text += ", with scope " + s.scope
			if of.Like != "" {
				of.Like += s.like
			}
			order := map[string]string{"Rlx": "relaxed", "Acq": "acquire", "Rel": "release", "Sc": "seq_cst"}[name]
			if of.Reads {
				of.Load = load11 + order + ", " + s.scope + ")"
			}
			if of.Writes {
				of.Store = store11 + order + ", " + s.scope + ")"
			}
			all = append(all, of)
		}
		mark("Rlx", lower.Mark{
			Tags: ir.Tags{tagRLX}, Reads: true, Writes: true, Like: lower.Relaxed,
			Text: "atomic, with memory_order_relaxed",
		})
		mark("Acq", lower.Mark{
			Tags: ir.Tags{tagACQ, tagACQREL}, Reads: true, Like: "acquire", Text: "memory_order_acquire",
		})
		mark("Rel", lower.Mark{
			Tags: ir.Tags{tagREL, tagACQREL}, Writes: true, Like: "release", Text: "memory_order_release",
		})
		mark("Sc", lower.Mark{Tags: ir.Tags{tagSC}, Reads: true, Writes: true, Text: "memory_order_seq_cst"})
	}
	return all
}

func fenceWordsOpenCL() (all []lower.Word) {
	for _, f := range []struct {
		name, order string
		tag         ir.Tag
	}{
		{"FenceSc", "seq_cst", tagSC},
		{"FenceAR", "acq_rel", tagACQREL},
		{"FenceAcq", "acquire", tagACQ},
		{"FenceRel", "release", tagREL},
	} {
		for _, s := range cycleScopesOpenCL {
			w := lower.Word{
				Name: f.name + "." + s.name, All: ir.Tags{f.tag, s.tag, tagGlobal},
				Code: "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" + f.order + ", " + s.scope + ");",
			}
			w.Text = strings.TrimSuffix(w.Code, ";") + ": a fence of global memory"
			if f.tag == tagSC {
				w.Like = "full" + s.like
			}
			all = append(all, w)
		}
	}
	return all
}

// atomicsOpenCL are the atomic updates of C11, with orders and scopes.
func atomicsOpenCL() []lower.Word {
	all := atomics11([]lower.Word{
		{
			Name: "Cmp.Exch", Text: "the read and the write of a compare-and-exchange that succeeds",
			Code: "compare_exchange", Compares: true,
		},
		{Name: "Exch", Text: "the read and the write of an exchange", Code: "exchange", Like: "exchange"},
		{
			Name: "Fetch.Add", Text: "the read and the write of an addition", Code: "fetch_add", Makes: lower.Adds,
			Like: "addition",
		},
		{Name: "Fetch.Or", Text: "the read and the write of an or", Code: "fetch_or", Makes: lower.Sets},
		{Name: "Fetch.Xor", Text: "the read and the write of an exclusive or", Code: "fetch_xor", Makes: lower.Flips},
		{Name: "Fetch.And", Text: "the read and the write of an and", Code: "fetch_and", Makes: lower.Keeps},
	})
	for i := range all {
		var orders []lower.Order
		for _, s := range cycleScopesOpenCL {
			for _, o := range all[i].Orders {
				orders = append(orders, lower.Order{
					Text: o.Text + ", " + s.scope, Read: o.Read + s.mark, Write: o.Write + s.mark,
				})
			}
		}
		all[i].Orders = orders
	}
	return all
}
