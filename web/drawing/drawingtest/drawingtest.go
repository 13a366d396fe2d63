package drawingtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Sketch is an execution in short: each thread's events as "W x 1", "R y 0" or
// "F MFENCE", with tags behind a slash. Values say who reads from whom, and the
// order of co is that of the values. Other relations are named pairs: "addr b c".
type Sketch struct {
	Name    string
	Threads []string
	More    []string
}

// Classics are small.
var Classics = []Sketch{
	{"SB", []string{"W x 1; R y 0", "W y 1; R x 0"}, nil},
	{"MP", []string{"W x 1; W y 1", "R y 1; R x 0"}, []string{"addr c d", "ctrl c d"}},
	{"LB", []string{"R x 1; W y 1", "R y 1; W x 1"}, []string{"data a b", "data c d"}},
	{"IRIW", []string{"W x 1", "R x 1; R y 0", "W y 1", "R y 1; R x 0"}, []string{"addr b c"}},
	{"WRC", []string{"W x 1", "R x 1; W y 1", "R y 1; R x 0"}, []string{"data b c", "addr d e"}},
	{"2+2W", []string{"W x 1; W y 2", "W y 1; W x 2"}, nil},
	{"R", []string{"W x 1; W y 1", "W y 2; R x 0"}, nil},
	{"S", []string{"W x 2; W y 1", "R y 1; W x 1"}, []string{"data c d"}},
	{"ISA2", []string{"W x 1; W y 1", "R y 1; W z 1", "R z 1; R x 0"}, []string{"data c d", "addr e f"}},
	{"CoRR", []string{"W x 1", "R x 1; R x 0"}, nil},
	{
		"RMW",
		[]string{"R x 0/X; W x 1/X; R y 0", "R y 0/X; W y 1/X; R x 0"},
		[]string{"rmw a b", "rmw d e", "data a b", "data d e"},
	},
	{"SB+mfences", []string{"W x 1; F MFENCE; R y 0", "W y 1; F MFENCE; R x 0"}, []string{"mfence a c", "mfence d f"}},
}

// Big are more than a glance takes in.
var Big = []Sketch{
	{
		"ring",
		[]string{"W a 1; R b 0", "W b 1; R c 0", "W c 1; R d 0", "W d 1; R e 0", "W e 1; R f 0", "W f 1; R a 0"},
		nil,
	},
	{
		"long",
		[]string{"W x 1; R x 1; W y 1; R z 0; W x 2; R y 1; R x 2; W z 1; R x 2; W y 2; R z 1; R y 2"},
		[]string{"addr b c", "ctrl b g", "data d h", "addr b l"},
	},
	{
		"two long",
		[]string{
			"W x 1; R y 0; R y 1; W z 1; R z 1; W x 2; R y 1; F SYNC; R x 2; W z 2; R z 2; R x 2",
			"R x 1; W y 1; R z 0; R x 2; R z 1; W y 2; R y 2; W x 3; R x 3",
		},
		[]string{"addr b d", "sync a i", "data m n", "ctrl m r"},
	},
	{"six", []string{
		"W x 1/REL; R y 1; W z 1", "R x 1; W y 1; R w 0", "R z 1/ACQ; W w 1; R x 0", "W y 2; R w 1",
		"R x 0; R z 0; W x 2", "F SYNC; R y 2; R x 2",
	}, []string{"addr b c", "hb a d", "hb a e", "hb d m", "hb a m", "ppo a c", "ppo d f"}},
}

// Kernel are executions of C tests. An order stands behind a slash with an equals sign, what an
// event does with a colon: "R x 0/=acq", "F _/:rcu_read_lock".
var Kernel = []Sketch{
	{"C11 MP", []string{"W x 1/=na; W y 1/=rel", "R y 1/=acq; R x 0/=na"}, []string{"Dr a d"}},
	{"RCU MP", []string{
		"W x 1/=once; F _/:synchronize_rcu; W y 1/=once",
		"F _/:rcu_read_lock; R y 1/=once; R x 0/=once; F _/:rcu_read_unlock",
	}, []string{"section RCU d g"}},
	{"RCU nested", []string{
		"F _/:rcu_read_lock; R y 0/=once; F _/:rcu_read_lock; W x 1/=once; F _/:rcu_read_unlock; R z 0/=plain; F " +
			"_/:rcu_read_unlock",
		"F _/:rcu_read_lock; R x 1/=once; F _/:rcu_read_unlock; F _/=mb; F _/:rcu_read_lock; W z 1/=release; F " +
			"_/:rcu_read_unlock",
		"W y 1/=once; F _/:synchronize_rcu; R z 1/=acquire",
	}, []string{"section RCU a g", "section RCU c e", "section RCU h j", "section RCU l n"}},
	{"locks", []string{
		"R s 0/:lock; W s 1/:lock; W x 1/=once; W s 2/:unlock; R y 0/=once",
		"R s 2/:lock; W s 3/:lock; R x 1/=once; R t 0/:lock; W t 1/:lock; W s 4/:unlock; W y 1/=plain; W t 2/:unlock",
		"R y 1/=plain; R t 2/:lock; W t 3/:lock; R x 0/=plain; W t 4/:unlock",
	}, []string{
		"rmw a b", "rmw f g", "rmw i j", "rmw o p", "section lock.s a d", "section lock.s f k",
		"section lock.t i m", "section lock.t o r", "Dr c q",
	}},
	{"SRCU", []string{
		"R ss 0/:srcu_read_lock; R y 1/=once; R x 0/=once; W ss 1/:srcu_read_unlock",
		"W x 1/=once; F ss/:synchronize_srcu; W y 1/=once",
	}, []string{"data a d", "section SRCU.ss a d"}},
}

// Wide are executions whose threads do not all fit beside one another as they are: for their names, or for their
// number.
var Wide = []Sketch{
	{"long names", []string{
		"W nodes[1].next &nodes[0].value/=rlx; W head &nodes[1].value/=rel",
		"R head &nodes[1].value/=acq; R nodes[1].next 0/=rlx",
		"R x 0; F _/:synchronize_rcu; R nodes[1].next &nodes[0].value/X",
	}, nil},
	{"five threads", []string{
		"W x 1/=release; W y 1/=once", "R y 1/=acquire; W z 1/=release", "R z 1/=acquire; W u 1/=release",
		"R u 1/=acquire; W v 1/=release", "R v 1/=acquire; R x 0/=once",
	}, nil},
	{"eight threads", []string{
		"W a 1/=release; R b 0/=once", "W b 1/=release; R c 0/=once", "W c 1/=release; R d 0/=once",
		"W d 1/=release; R e 0/=once",
		"W e 1/=release; R f 0/=once", "W f 1/=release; R g 0/=once", "W g 1/=release; R h 0/=once",
		"W h 1/=release; R a 0/=once",
	}, nil},
}

// Long is store buffering with much else done in between, so much that nobody sees it at once.
func Long(writes int) Sketch {
	threads := []string{"W x 1", "W y 1"}
	for t, loc := range []string{"a", "b"} {
		for i := range writes {
			threads[t] += fmt.Sprintf("; W %s %d", loc, i+1)
		}
	}
	return Sketch{"much in between", []string{threads[0] + "; R y 0", threads[1] + "; R x 0"}, nil}
}

// All are the sketches above.
func All() []Sketch { return slices.Concat(Classics, Big, Kernel, Wide) }

// Graph works a sketch out.
func (s Sketch) Graph() *models.Graph {
	g := &models.Graph{}
	var locs []string
	type access struct{ kind, loc, value, tags string }
	var threads [][]access
	for t, text := range s.Threads {
		th := models.GraphThread{Name: fmt.Sprintf("P%d", t)}
		var list []access
		for ev := range strings.SplitSeq(text, "; ") {
			ev, tags, _ := strings.Cut(ev, "/")
			f := append(strings.Fields(ev), "")
			a := access{f[0], f[1], f[2], tags}
			th.Source = append(th.Source, ev)
			if a.kind != "F" && !slices.Contains(locs, a.loc) {
				locs = append(locs, a.loc)
			}
			list = append(list, a)
		}
		g.Threads = append(g.Threads, th)
		threads = append(threads, list)
	}
	slices.Sort(locs)
	for i, l := range locs {
		g.Events = append(g.Events,
			models.GraphEvent{ID: i, Name: "i" + l, Thread: -1, Source: -1, Kind: "W", Loc: l, Value: "0"})
	}
	rel := map[string]*models.GraphEdges{}
	add := func(name string, a, b int) {
		if rel[name] == nil {
			rel[name] = &models.GraphEdges{Name: name}
		}
		rel[name].Edges = append(rel[name].Edges, models.Pair{a, b})
	}
	for t, list := range threads {
		for k, a := range list {
			id := len(g.Events)
			e := models.GraphEvent{ID: id, Name: letters(id - len(locs)), Thread: t, Source: k, Kind: a.kind}
			order, does := strings.CutPrefix(a.tags, "=")
			deed, isDeed := strings.CutPrefix(a.tags, ":")
			switch {
			case does:
				e.Order, a.tags = order, ""
			case isDeed:
				e.Does, a.tags = deed, ""
			}
			if a.kind == "F" && (does || isDeed) {
				if a.loc != "_" {
					e.Loc = a.loc
				}
			} else if a.kind == "F" {
				e.Tags = ir.Tags{ir.Tag(a.loc), ir.TagRR, ir.TagWR}
			} else {
				e.Loc, e.Value = a.loc, a.value
			}
			if a.tags != "" {
				for tag := range strings.FieldsSeq(a.tags) {
					e.Tags = append(e.Tags, ir.Tag(tag))
				}
			}
			g.Events = append(g.Events, e)
			if k > 0 {
				add("po", id-1, id)
			}
		}
	}
	for _, l := range locs {
		writes := map[string]int{}
		var order []string
		for _, e := range g.Events {
			if e.Kind == "W" && e.Loc == l {
				writes[e.Value] = e.ID
				order = append(order, e.Value)
			}
		}
		slices.SortFunc(order, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		for k := 1; k < len(order); k++ {
			add("co", writes[order[k-1]], writes[order[k]])
		}
		for _, e := range g.Events {
			if e.Kind == "R" && e.Loc == l {
				add("rf", writes[e.Value], e.ID)
				for _, v := range order {
					if slices.Index(order, v) > slices.Index(order, e.Value) {
						add("fr", e.ID, writes[v])
					}
				}
			}
		}
	}
	for _, m := range s.More {
		f := strings.Fields(m)
		id := func(n string) int { return len(locs) + int(n[0]-'a') }
		if f[0] == "section" {
			kind, loc, _ := strings.Cut(f[1], ".")
			g.Sections = append(g.Sections,
				models.GraphSection{
					Kind: kind, Loc: loc, Thread: g.Events[id(f[2])].Thread, First: id(f[2]),
					Last: id(f[3]),
				})
			continue
		}
		add(f[0], id(f[1]), id(f[2]))
	}
	for _, name := range []string{
		"po", "rf", "co", "fr", "rmw", "addr", "data", "ctrl", "mfence",
		"sync", "hb", "ppo",
	} {
		if r := rel[name]; r != nil {
			delete(rel, name)
			g.Relations = append(g.Relations, *r)
		}
	}
	if r := rel["Dr"]; r != nil {
		g.Flag("Dr", r.Edges)
	}
	MarkCycles(g)
	return g
}

// letters names events a to z, then aa and so on.
func letters(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letters(n/26-1) + letters(n%26)
}

// MarkCycles sets Cyclic, by reachability over po, rf, co and fr.
func MarkCycles(g *models.Graph) {
	n := len(g.Events)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
	}
	base := func(name string) bool { return slices.Contains([]string{"po", "rf", "co", "fr"}, name) }
	for _, r := range g.Relations {
		if base(r.Name) {
			for _, p := range r.Edges {
				reach[p[0]][p[1]] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range g.Relations {
		r := &g.Relations[i]
		for _, p := range r.Edges {
			if base(r.Name) && reach[p[1]][p[0]] {
				r.Cyclic = append(r.Cyclic, p)
			}
		}
	}
}
