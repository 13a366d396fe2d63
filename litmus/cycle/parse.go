package cycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// source is the file name in the places of a cycle's errors.
const source = "cycle"

// word is a word of a cycle, with its place. An end that the word leaves open is made like the edge next to it.
type word struct {
	pos  litmus.Pos
	text string
	open bool
	edge Edge
}

// ParseCycle parses a cycle in the words of a dialect, as on diyone7's command line: separated by blanks or commas,
// composites in brackets, and Wse also as Coe. An edge without a mark takes the marks and parts of its neighbours; if
// some access has a part, the others access the first word. An edge between threads without a scope agrees with those
// that have one (settle). A composite means its edges, and a cumulative fence
// (ACSyncdRW, BCSyncdWW, ABCSyncdRR) includes its Rfe. The error is a litmus.ErrorList with the places of the words.
//
// The words of C are those of C11 or, if the cycle uses those, the kernel's.
func ParseCycle(arch, text string) (Cycle, error) {
	c, err := parseCycle(arch, text)
	if err != nil && arch == ofC {
		// If neither fits, report the errors of the dialect that knows more of the words.
		if k, kerr := parseCycle(kernel, text); len(litmus.Errors(kerr)) < len(litmus.Errors(err)) {
			return k, kerr
		}
	}
	return c, err
}

// parseCycle is ParseCycle for one dialect: it splits the text, completes open ends, and checks each edge and then the
// cycle.
//
// Open ends are completed in two steps: an atomic operation of C gets a memory order first, since it determines both
// halves, and then each open end is made like the end that it meets.
func parseCycle(arch, text string) (Cycle, error) {
	groups, errs := scan(arch, text)
	if errs != nil {
		return nil, errs
	}
	v := find(arch)
	var words []word
	for _, g := range groups {
		if len(g.alternatives) > 1 {
			errs = append(errs,
				litmus.Errorf(g.pos, "%s stands for several edges: write one of %s", g.text, spell(g.alternatives)))
			continue
		}
		words = append(words, g.alternatives[0]...)
	}
	if errs != nil {
		return nil, errs
	}
	for i := range words {
		words[i].setOrder(v, words[(i+len(words)-1)%len(words)], words[(i+1)%len(words)])
	}
	// An open end is made like the end that it meets: Rfe between AP and PX is RfePX.
	for i := range words {
		before, after := &words[(i+len(words)-1)%len(words)], &words[i]
		from, to := &before.edge.To, &after.edge.From
		switch {
		case from.Write != to.Write:
		case before.open:
			*from = *to
		case after.open:
			*to = *from
		}
	}
	c := make(Cycle, len(words))
	for i, w := range words {
		c[i] = w.edge
	}
	c.fill()
	for i, w := range words {
		w.edge = c[i]
		if p := v.misfit(arch, w.edge); p != "" {
			errs = append(errs, litmus.Errorf(w.pos, "%s", p))
		}
	}
	if errs != nil {
		return nil, errs
	}
	c = c.Settled(arch)
	for _, p := range c.problems() {
		pos := litmus.Pos{File: source, Line: 1, Col: 1}
		if p.at >= 0 {
			pos = words[p.at].pos
		}
		errs = append(errs, litmus.Errorf(pos, "%s", p.text))
	}
	if errs != nil {
		return nil, errs.Sorted()
	}
	return c, nil
}

// ParseRelaxations parses a list of relaxations, each an edge or, in brackets or for a cumulative fence, several edges
// in sequence. A * means every letter that makes a word: Pod*W is PodRW and PodWW.
func ParseRelaxations(arch, text string) ([][]Edge, error) {
	groups, errs := scan(arch, text)
	if errs != nil {
		return nil, errs
	}
	var out [][]Edge
	for _, g := range groups {
		for _, words := range g.alternatives {
			edges := make([]Edge, len(words))
			for i, w := range words {
				w.setOrder(find(arch), word{open: true}, word{open: true})
				edges[i] = w.edge
			}
			out = append(out, edges)
		}
	}
	return out, nil
}

// setOrder gives an open atomic operation with an order the strongest one that its neighbours allow.
func (w *word) setOrder(v *vocabulary, before, after word) {
	for _, o := range named(v.Atomics, w.edge.Name).Orders {
		if w.open && (before.open || before.edge.To.Mark == o.Read) && (after.open || after.edge.From.Mark == o.Write) {
			w.open, w.edge.From.Mark, w.edge.To.Mark = false, o.Read, o.Write
		}
	}
}

// Bounds on the expansion of *: stars in a word, and sequences of edges in a text. No relaxation has more
// than two directions, and a letter d or s, before its marks.
const (
	maxStars = 4
	maxRows  = 4096
)

// group is a word or a composite as written, with the sequences of edges that it means; more than one if it has a *.
type group struct {
	pos          litmus.Pos
	text         string
	alternatives [][]word
}

// scan splits a text into words and composites.
func scan(arch, text string) (groups []group, errs litmus.ErrorList) {
	pos := litmus.Pos{File: source, Line: 1, Col: 1}
	v := find(arch)
	if v == nil {
		return nil, litmus.ErrorList{litmus.Errorf(pos, "there are no cycles for architecture %q: want one of %s", arch,
			strings.Join(Archs(), ", "))}
	}
	var composite []group
	depth, opened, start := 0, 0, 0
	for i := 0; i <= len(text); {
		if i < len(text) && !strings.ContainsRune(" \t\r\n,[]", rune(text[i])) {
			end := i + 1
			for end < len(text) && !strings.ContainsRune(" \t\r\n,[]", rune(text[end])) {
				end++
			}
			g, err := v.read(arch, word{pos: pos, text: text[i:end]})
			if err != nil {
				errs = append(errs, err)
			} else if depth > 0 {
				composite = append(composite, g)
			} else {
				groups = append(groups, g)
			}
			pos.Col += end - i
			i = end
			continue
		}
		if i == len(text) {
			break
		}
		switch text[i] {
		case '[':
			if depth++; depth == 1 {
				opened, start, composite = pos.Col, i, nil
			}
		case ']':
			if depth--; depth < 0 {
				return nil, append(errs, litmus.Errorf(pos, "this ] closes no ["))
			}
			if depth == 0 && len(composite) > 0 {
				at := pos
				at.Col = opened
				rows, edges := 1, 0
				for _, g := range composite {
					rows = min(rows*len(g.alternatives), maxRows+1)
					edges += len(g.alternatives[0])
				}
				if rows > maxRows || rows*edges > 64*maxRows {
					return nil,
						append(errs,
							litmus.Errorf(at, "the composite stands for too many sequences of edges: write fewer *"))
				}
				groups = append(groups, group{at, text[start : i+1], product(composite)})
			}
		case '\n':
			pos.Line++
			pos.Col = 0
		}
		pos.Col++
		i++
	}
	if depth > 0 {
		pos.Col = max(pos.Col, 1)
		errs = append(errs, litmus.Errorf(pos, "a ] is missing"))
	}
	if errs != nil {
		return nil, errs
	}
	return groups, nil
}

// product returns all ways to choose an alternative of each group, concatenated.
func product(groups []group) [][]word {
	rows := [][]word{nil}
	for _, g := range groups {
		var longer [][]word
		for _, row := range rows {
			for _, words := range g.alternatives {
				longer = append(longer, slices.Concat(row, words))
			}
		}
		rows = longer
	}
	return rows
}

// spell writes alternatives for an error.
func spell(rows [][]word) string {
	var out []string
	for _, row := range rows {
		edges := make(Cycle, len(row))
		for i, w := range row {
			edges[i] = w.edge
		}
		out = append(out, strings.Join(strings.Fields(edges.String()), ","))
	}
	return strings.Join(out, ", ")
}

// read returns the meaning of a word.
func (v *vocabulary) read(arch string, w word) (group, *litmus.Error) {
	g := group{pos: w.pos, text: w.text}
	if stars := strings.Count(w.text, "*"); stars > maxStars {
		return g, litmus.Errorf(w.pos, "%s has %d *: want at most %d", litmus.Shorten(w.text), stars, maxStars)
	}
	if at := strings.IndexByte(w.text, '*'); at >= 0 {
		for _, letter := range "RWds" {
			wild := w
			wild.text = w.text[:at] + string(letter) + w.text[at+1:]
			if more, err := v.read(arch, wild); err == nil {
				g.alternatives = append(g.alternatives, more.alternatives...)
			}
		}
		if g.alternatives == nil {
			return g, litmus.Errorf(w.pos, "%s has no relaxation like %s", arch, w.text)
		}
		return g, nil
	}
	for _, prefix := range []string{"ABC", "AC", "BC"} {
		rest, ok := strings.CutPrefix(w.text, prefix)
		if !ok {
			continue
		}
		fence, err := v.edge(arch, word{pos: w.pos, text: rest})
		if err != nil || fence.edge.Kind != Fence {
			continue
		}
		rfe := word{w.pos, "Rfe", true, Edge{Kind: Rf, Turn: Across, Same: true, From: write, To: read}}
		row := []word{fence}
		if prefix != "BC" {
			row = append([]word{rfe}, row...)
		}
		if prefix != "AC" {
			row = append(row, rfe)
		}
		g.alternatives = [][]word{row}
		return g, nil
	}
	w, err := v.edge(arch, w)
	g.alternatives = [][]word{{w}}
	return g, err
}

// edge parses a word for one edge: one of the vocabulary, and marks.
//
// The longest prefix that is a word of the vocabulary is taken. The rest must be the annotations of both ends or, in a
// dialect with scopes, the scope of two accesses without order: PodWW.cta.
func (v *vocabulary) edge(arch string, w word) (word, *litmus.Error) {
	text := w.text
	if rest, ok := strings.CutPrefix(text, "Co"); ok {
		text = "Ws" + rest
	}
	for _, alias := range []string{"Rmw", "Exch"} {
		if rest, ok := strings.CutPrefix(text, alias); ok && v.Exchange != "" && !strings.HasPrefix(text, v.Exchange) {
			text = v.Exchange + rest
		}
	}
	var longest Edge
	length := 0
	for n := len(text); n > 0 && length == 0; n-- {
		if e, ok := v.words[text[:n]]; ok {
			longest, length = e, n
		}
	}
	if mark := v.scoped(text[length:]); mark != "" && !longest.Com() {
		w.edge = longest
		w.edge.From.Mark, w.edge.To.Mark = mark, mark
		return w, nil
	}
	if length == 0 || length < len(text) && len(v.split(text[length:])) == 0 {
		return w, v.unknown(arch, w, text, length)
	}
	w.edge, w.open = longest, length == len(text)
	if w.open {
		return w, nil
	}
	ends := v.split(text[length:])
	for i, end := range []*Access{&w.edge.From, &w.edge.To} {
		end.Mark, end.Part = ends[i].Mark, ends[i].Part
	}
	if p := v.misfit(arch, w.edge); p != "" {
		return w, litmus.Errorf(w.pos, "%s", p)
	}
	return w, nil
}

// misfit returns why an edge is not one of the dialect's, "" if it is.
func (v *vocabulary) misfit(arch string, e Edge) string {
	bare := Cycle{e}.Whole()[0]
	bare.From.Mark, bare.To.Mark = "", ""
	if known, ok := v.words[bare.String()]; !ok || known != bare {
		return fmt.Sprintf("%s has no relaxation %s", arch, bare)
	}
	for _, end := range []Access{e.From, e.To} {
		if p := v.unsized(e, end); p != "" {
			return p
		}
		if end.Mark == "" {
			continue
		}
		i := slices.IndexFunc(v.Marks, func(m Mark) bool { return m.Mark == end.Mark })
		if i < 0 || end.Write && !v.Marks[i].Writes || !end.Write && !v.Marks[i].Reads {
			return fmt.Sprintf("%s: %s cannot be the mark of a %s", e, end.Mark, access[Access{Write: end.Write}])
		}
	}
	return e.misfit(named(v.Atomics, e.Name).Orders)
}

// unsized returns why an end of an edge cannot access its part of a location, "" if it can.
func (v *vocabulary) unsized(e Edge, end Access) string {
	if end.Part.Bytes == 0 {
		return ""
	}
	if !v.Sized {
		return fmt.Sprintf("%s: cycles of %s have no access sizes", e, v.arch)
	}
	least := 0
	for _, m := range v.Marks {
		if m.Mark == end.Mark {
			least = m.Least
		}
	}
	if e.Kind == Rmw {
		least = max(least, named(v.Atomics, e.Name).Least)
	}
	if end.Part.Bytes < least {
		return fmt.Sprintf("%s: %s has no atomic access of %d bytes: want at least "+
			"%d", e, v.arch, end.Part.Bytes, least)
	}
	return ""
}

// split splits the annotation of both ends, nil if it is not two annotations.
func (v *vocabulary) split(text string) []Access {
	known := []Access{{}}
	for _, m := range v.Marks {
		known = append(known, Access{Mark: m.Mark})
	}
	if v.Sized {
		for _, a := range slices.Clone(known) {
			for _, a.Part = range Parts() {
				known = append(known, a)
			}
		}
	}
	spelled := func(a Access) string { return cmp.Or(a.how(), v.plain()) }
	for _, from := range known {
		rest, ok := strings.CutPrefix(text, spelled(from))
		if !ok {
			continue
		}
		if i := slices.IndexFunc(known, func(to Access) bool { return spelled(to) == rest }); i >= 0 {
			return []Access{from, known[i]}
		}
	}
	return nil
}

// unknown returns the error for a word of which a prefix of some length is known.
func (v *vocabulary) unknown(arch string, w word, text string, length int) *litmus.Error {
	if known := litmus.Nearest(text, v.spellings()); known != "" && (length == 0 || strings.EqualFold(known, text)) {
		return litmus.Errorf(w.pos, "%s has no relaxation %s: did you mean %s?", arch, w.text, known)
	}
	if length > 0 {
		if len(v.Marks) == 0 && !v.Sized {
			return litmus.Errorf(w.pos, "%s is a relaxation, but %q after it is unknown: accesses of %s have no marks",
				text[:length], text[length:], arch)
		}
		want := ""
		if len(v.Marks) > 0 {
			want = fmt.Sprintf(" a mark for either end, of %s and %s for a plain one", marks(v.Marks), v.plain())
		}
		if v.Sized {
			if want != "" {
				want += ", followed or replaced by"
			}
			want += " a size for either end, as in " + text[:length] +
				"h0w0, whose offset is a multiple of it"
		}
		return litmus.Errorf(w.pos, "%s is a relaxation, but %q after it is unknown: "+
			"want%s", text[:length], text[length:], want)
	}
	if others := having(text); others != nil {
		return litmus.Errorf(w.pos, "%s has no relaxation %s: %s", arch, w.text, archsHave(others))
	}
	return litmus.Errorf(w.pos, "%s has no relaxation %s: litmuscope gen --arch %s --words lists those that it has",
		arch, w.text, arch)
}

func archsHave(archs []string) string {
	if len(archs) == 1 {
		return archs[0] + " has"
	}
	return fmt.Sprintf("%s and %s have", strings.Join(archs[:len(archs)-1], ", "), archs[len(archs)-1])
}

func marks(list []Mark) string {
	words := make([]string, len(list))
	for i, m := range list {
		words[i] = m.Mark
	}
	return strings.Join(words, ", ")
}
