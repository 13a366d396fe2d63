package picture

import (
	"context"
	"errors"
	"fmt"
	"html"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// TourView shows the tree of graphs that an engine visits, and one selected graph.
type TourView struct {
	ID    string // of the element
	Title string
	Words string
	Cut   bool
	Left  int
	Rows  []TourRow
	Shown TourShown
}

// TourRow is a line of the tree.
type TourRow struct {
	solver.Stop
	N       int // from 1
	Address string
	Current bool
	Rail    string // an SVG
	Parts   []TourPart
}

// TourPart has the events that one thread adds, or its read that is revisited.
type TourPart struct {
	Thread, Text string
	Again        bool
}

// TourShown is the selected graph.
type TourShown struct {
	Row   TourRow
	Of    int
	Axiom string // that it breaks
	ExecutionView
}

// TourAddress returns the address of a tour's page on which a graph is selected.
func TourAddress(f url.Values, at int) string {
	f = maps.Clone(f)
	f.Set("at", strconv.Itoa(at+1))
	return "/exploration?" + f.Encode()
}

// MostStops bounds the graphs of a tour that a page shows.
const MostStops = 150

// ViewTour returns the tour through the executions of a test or a program. address returns the address of the page on
// which a graph is selected.
func (s *Pictures) ViewTour(ctx context.Context, q engines.Touring, address func(at int) string) (*TourView, error) {
	toured, err := childwork.Touring.Call(ctx, s.Questions.Sandbox, q)
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Exploring this")
	case toured.Refused != "":
		return nil, question.RefusalOf(errors.New(toured.Refused))
	case len(toured.Bad) > 0 && q.Test != nil:
		return nil, &question.BadTest{Source: q.Test.Source, Errs: toured.Bad}
	case len(toured.Bad) > 0:
		return nil, server.Refuse("The program cannot be explored: %v", toured.Bad[0])
	}
	t := toured.Tour
	v := &TourView{Title: t.Name, Words: t.Words(), Cut: t.Cut, Left: t.Left}
	rails := t.Rails()
	columns := 1
	for _, r := range rails {
		columns = max(columns, r.Col+1)
	}
	for i, stop := range t.Stops {
		row := TourRow{
			Stop: stop, N: i + 1, Address: address(i), Current: i == q.At,
			Rail: railSVG(rails[i], &stop, min(columns, 24)),
		}
		for i, e := range stop.Events {
			if n := len(row.Parts); n > 0 && row.Parts[n-1].Thread == e.Thread && !row.Parts[n-1].Again {
				row.Parts[n-1].Text += ", " + e.Text
			} else {
				row.Parts = append(row.Parts, TourPart{e.Thread, e.Text, false})
			}
			if r := stop.Revisited; r != nil && i == 0 {
				row.Parts = append(row.Parts, TourPart{r.Thread, r.Text, true})
			}
		}
		v.Rows = append(v.Rows, row)
	}
	if q.At < 0 || q.At >= len(v.Rows) || t.Graph == nil {
		return v, nil
	}
	v.Shown = TourShown{Row: v.Rows[q.At], Of: len(v.Rows), Axiom: t.Axiom}
	v.Shown.Title = fmt.Sprintf("%s, graph %d", t.Name, q.At+1)
	v.Shown.FileName = strings.Map(FileRune, fmt.Sprintf("%s-%s-graph-%d", t.Name, t.Model, q.At+1))
	v.Shown.Cycle = t.Cycle
	s.Show(ctx, &v.Shown.ExecutionView, t.Graph)
	return v, nil
}

// Sizes of the rails, in pixels.
const (
	railWidth = 18 // of a column
	railNode  = 16 // from a row's top to its node
)

// railSVG returns the lines of the tree beside a row. They are as high as the row's text.
func railSVG(r solver.Rail, s *solver.Stop, columns int) string {
	var b strings.Builder
	at := func(col int) int { return railWidth/2 + railWidth*min(col, columns-1) }
	line := func(class string, col int, from, to string) {
		fmt.Fprintf(&b, `<line class="%s" x1="%d" x2="%[2]d" y1="%s" y2="%s"/>`, class, at(col), from, to)
	}
	fmt.Fprintf(&b, `<svg class="rail" width="%d" aria-hidden="true">`, at(columns-1)+railWidth/2)
	for col, through := range r.Through {
		if through && col != r.Col {
			line("trunk", col, "0", "100%")
		}
	}
	kind := "trunk"
	if s.Revisited != nil {
		kind = "revisit"
	}
	node := fmt.Sprint(railNode)
	switch {
	case s.From < 0:
	case r.From == r.Col:
		line(kind, r.Col, "0", node)
	default:
		fmt.Fprintf(&b, `<path class="%s" d="M%d 0C%[2]d 11 %[3]d 3 %[3]d %d"/>`, kind, at(r.From), at(r.Col), railNode)
	}
	if r.Down {
		line("trunk", r.Col, node, "100%")
	}
	x := at(r.Col)
	switch s.End {
	case solver.Refused:
		fmt.Fprintf(&b, `<path class="node refused" d="M%d %dl8 8m0 -8l-8 8"/>`, x-4, railNode-4)
	case solver.Blocked, solver.Bounded, solver.Fails:
		fmt.Fprintf(&b, `<rect class="node %s" x="%d" y="%d" width="9" height="9"/>`, html.EscapeString(string(s.End)),
			x-4, railNode-4)
	case solver.Executed:
		fmt.Fprintf(&b, `<circle class="node execution" cx="%d" cy="%d" r="5.5"/>`, x, railNode)
	default:
		fmt.Fprintf(&b, `<circle class="node" cx="%d" cy="%d" r="4"/>`, x, railNode)
	}
	b.WriteString(`</svg>`)
	return b.String()
}
