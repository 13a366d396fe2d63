package witness

import (
	"encoding/xml"
	"fmt"
	"strings"

	"litmuscope/solver"
)

// graphKeys are the attributes that a witness has, each of what.
var graphKeys = [][3]string{
	{"witness-type", "string", "graph"},
	{"sourcecodelang", "string", "graph"},
	{"producer", "string", "graph"},
	{"specification", "string", "graph"},
	{"programfile", "string", "graph"},
	{"programhash", "string", "graph"},
	{"architecture", "string", "graph"},
	{"creationtime", "string", "graph"},
	{"entry", "boolean", "node"},
	{"violation", "boolean", "node"},
	{"originfile", "string", "edge"},
	{"startline", "int", "edge"},
	{"endline", "int", "edge"},
	{"sourcecode", "string", "edge"},
	{"threadId", "string", "edge"},
	{"createThread", "string", "edge"},
	{"enterFunction", "string", "edge"},
}

// graphML writes version 1.0.
func (t *telling) graphML(b *strings.Builder) {
	data := func(indent, key string, value any) {
		fmt.Fprintf(b, "%s<data key=%q>", indent, key)
		_ = xml.EscapeText(b, []byte(fmt.Sprint(value))) // a builder takes all
		b.WriteString("</data>\n")
	}
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	b.WriteString("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" " +
		"xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n")
	for _, k := range graphKeys {
		fmt.Fprintf(b, "  <key id=%q attr.name=%q attr.type=%q for=%q", k[0], k[0], k[1], k[2])
		if k[1] == "boolean" {
			b.WriteString("><default>false</default></key>\n")
		} else {
			b.WriteString("/>\n")
		}
	}
	b.WriteString("  <graph edgedefault=\"directed\">\n")
	kind, width := "correctness_witness", "64bit"
	if t.v.Verdict == solver.Unsafe {
		kind = "violation_witness"
	}
	if t.ILP32 {
		width = "32bit"
	}
	for _, d := range [][2]string{
		{"witness-type", kind},
		{"sourcecodelang", "C"},
		{"producer", "litmuscope"},
		{"specification", t.specification()},
		{"programfile", t.Files[0].Name},
		{"programhash", hash(t.Files[0].Text)},
		{"architecture", width},
		{"creationtime", t.created()},
	} {
		data("    ", d[0], d[1])
	}
	node := func(i int, key string) {
		if key == "" {
			fmt.Fprintf(b, "    <node id=\"n%d\"/>\n", i)
			return
		}
		fmt.Fprintf(b, "    <node id=\"n%d\"><data key=%q>true</data></node>\n", i, key)
	}
	edge := func(i int, file string, line int, thread int, more func()) {
		fmt.Fprintf(b, "    <edge source=\"n%d\" target=\"n%d\">\n", i, i+1)
		data("      ", "originfile", file)
		data("      ", "startline", line)
		data("      ", "endline", line)
		data("      ", "threadId", thread)
		if i == 0 {
			data("      ", "enterFunction", t.entry())
		}
		more()
		b.WriteString("    </edge>\n")
	}
	node(0, "entry")
	if t.v.Verdict == solver.Unsafe {
		for i, s := range t.steps {
			node(i+1, "")
			edge(i, s.place.File, s.place.Line, s.thread, func() {
				data("      ", "sourcecode", s.text)
				if s.starts >= 0 {
					data("      ", "createThread", s.starts)
				}
			})
		}
		thread, f := t.target()
		last := len(t.steps)
		node(last+1, "violation")
		edge(last, f.File, f.Line, thread, func() { data("      ", "sourcecode", f.Text) })
	}
	b.WriteString("  </graph>\n</graphml>\n")
}
