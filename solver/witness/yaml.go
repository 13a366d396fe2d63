package witness

import (
	"fmt"
	"strings"

	"litmuscope/solver"
)

// yaml writes version 2.0. That knows no threads: comments say which thread a statement belongs to.
func (t *telling) yaml(b *strings.Builder) {
	line := func(indent int, format string, args ...any) {
		b.WriteString(strings.Repeat("  ", indent))
		fmt.Fprintf(b, format, args...)
		b.WriteByte('\n')
	}
	kind, data := "invariant_set", "LP64"
	if t.v.Verdict == solver.Unsafe {
		kind = "violation_sequence"
	}
	if t.ILP32 {
		data = "ILP32"
	}
	line(0, "- entry_type: %s", kind)
	line(1, "metadata:")
	line(2, "format_version: '2.0'")
	line(2, "uuid: %s", quoted(t.uuid()))
	line(2, "creation_time: %s", quoted(t.created()))
	line(2, "producer:")
	line(3, "name: litmuscope")
	line(3, "version: %s", quoted(fmt.Sprintf("%s %d", t.v.Engine, t.v.Version)))
	line(2, "task:")
	line(3, "input_files:")
	for _, f := range t.Files {
		line(4, "- %s", quoted(f.Name))
	}
	line(3, "input_file_hashes:")
	for _, f := range t.Files {
		line(4, "%s: %s", quoted(f.Name), quoted(hash(f.Text)))
	}
	line(3, "specification: %s", quoted(t.specification()))
	line(3, "data_model: %s", data)
	line(3, "language: C")
	if t.v.Verdict != solver.Unsafe {
		line(1, "content: []")
		return
	}
	line(1, "content:")
	waypoint := func(thread int, kind, file string, at, column int) {
		line(2, "# %s", strings.Map(func(r rune) rune {
			if r < ' ' {
				return ' '
			}
			return r
		}, t.v.Failure.Graph.Threads[thread].Name))
		line(2, "- segment:")
		line(3, "- waypoint:")
		line(5, "type: %s", kind)
		line(5, "action: follow")
		line(5, "location:")
		line(6, "file_name: %s", quoted(file))
		line(6, "line: %d", at)
		if column > 0 {
			line(6, "column: %d", column)
		}
		if kind == "assumption" {
			line(5, "constraint:")
			line(6, "value: '1'")
			line(6, "format: c_expression")
		}
	}
	for _, s := range t.steps {
		waypoint(s.thread, "assumption", s.place.File, s.place.Line, s.place.Column)
	}
	thread, f := t.target()
	waypoint(thread, "target", f.File, f.Line, f.Column)
}

// quoted is text as YAML has it between single quotes, on one line.
func quoted(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
