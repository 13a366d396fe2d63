package picture

import (
	"context"
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"litmuscope/models"
	"litmuscope/models/relaxed"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/drawing"
	"litmuscope/web/drawing/layout"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/question"
)

// Beside shows the same outcome under two models. If possible, both drawings show one execution in one layout: the
// execution of the model that allows the outcome, or the nearest miss if both forbid it. Marks and the caption then say
// what the models do differently.
type Beside struct {
	Views   [2]*View
	Caption string
	second  bool // which drawing a file is of
}

// Part implements [Shown].
func (b *Beside) Part() templ.Component { return besidePart(*b) }

// Drawn implements [Shown].
func (b *Beside) Drawn() (*DrawingView, string) {
	if b.second {
		return b.Views[1].Drawn()
	}
	return b.Views[0].Drawn()
}

// Executions returns the pictures of single executions that a page shows.
func Executions(v Shown) []*View {
	switch v := v.(type) {
	case *View:
		return []*View{v}
	case *Beside:
		return v.Views[:]
	}
	return nil
}

// besideOf returns the pictures that a form asks for with the fields of [Pictures.AskPicture] and "beside", the column
// to compare with. Field "second" asks for the file of the second drawing.
func (s *Pictures) besideOf(ctx context.Context, f url.Values, q question.Question, p answer.Pick) (Shown, error) {
	b := &Beside{second: f.Get("second") != ""}
	other := p
	other.Column, other.Flag = f.Get("beside"), ""
	if b.second {
		p.Column, other.Column = other.Column, p.Column
	}
	var err error
	if b.Views[0], err = s.ViewPicture(ctx, q, p); err != nil {
		return nil, err
	}
	if own := b.Views[0].Pick.State; own != nil {
		other.State = own
	}
	if b.Views[1], err = s.ViewPicture(ctx, q, other); err != nil {
		return nil, err
	}
	return b, s.compare(ctx, b)
}

// compare has both drawings show one execution, with marks for what differs. If there is no such execution, the
// drawings stay as they are.
func (s *Pictures) compare(ctx context.Context, b *Beside) error {
	first, second := b.Views[0], b.Views[1]
	if first.request.Graph == nil || second.request.Graph == nil || first.Pick.Flag != "" {
		return nil
	}
	from := []int{0, 1}
	if first.Verdict == solver.Forbidden && second.Verdict == solver.Allowed {
		from = []int{1, 0}
	}
	for _, i := range from {
		p := engines.Pairing{
			Tasks: [2]solver.Task{first.task, second.task}, Labels: [2]string{first.Label, second.Label},
			Graph: b.Views[i].request.Graph,
		}
		c, err := childwork.Comparing.Call(ctx, s.Questions.Sandbox, p)
		if err != nil {
			_ = s.Server.Fault(ctx, err) // which logs what is the server's
			b.Caption = "The server could not compare the models on one execution. Each drawing shows its own."
			return ctx.Err()
		}
		if c.Sides[0].Allowed != (first.Verdict == solver.Allowed) ||
			c.Sides[1].Allowed != (second.Verdict == solver.Allowed) {
			continue
		}
		b.Caption = c.Sentence
		s.drawShared(ctx, b, b.Views[i], c)
		return nil
	}
	b.Caption = "There is no single execution that shows this outcome under both models. Each drawing shows its own."
	return nil
}

// drawShared draws the execution of one of the views twice, in one layout.
func (s *Pictures) drawShared(ctx context.Context, b *Beside, from *View, c *relaxed.Comparison) {
	g := from.request.Graph
	own, both := sharedGraphs(g, c)
	var cycle []models.Pair
	for _, side := range c.Sides {
		for _, p := range side.Steps {
			if !slices.Contains(cycle, p) {
				cycle = append(cycle, p)
			}
		}
	}
	for i, v := range b.Views {
		side := c.Sides[i]
		v.Compared, v.Second = b.Views[1-i].Pick.Column, i == 1
		switch {
		case side.Broken != nil:
			v.Why = viewCycle(explanationOf(side, own[i]), v.task.Model)
		case drawnAs(v.request.Graph) != drawnAs(g):
			s.pictureOf(ctx, v, v.answers, solver.Outcome{State: from.Pick.State, Graph: g})
		}
		v.Cycle = side.Steps
		shared := &layout.Shared{Relations: own[i].Relations, Cycle: side.Steps}
		for _, m := range side.Marks {
			shared.Marks = append(shared.Marks, layout.Mark{Pair: m.Pair, Word: m.Word, Help: markHelp[m.Word]})
		}
		v.DrawingView = s.draw(ctx, drawing.Request{
			Title: v.ExecutionView.Title, Caption: b.Caption,
			Request: layout.Request{Graph: both, Cycle: cycle, Shared: shared},
		}, v.FileName)
	}
}

// markHelp explains the words of marks.
var markHelp = map[string]string{
	relaxed.Kept:     "the model keeps this order, and the other model gives it up",
	relaxed.GivenUp:  "the model gives this order up, and the other model keeps it",
	relaxed.OnlyHere: "only this model’s cycle has this step",
}

// sharedGraphs returns what each model shows of an execution, and one graph with all of that and with the marks of
// both.
func sharedGraphs(g *models.Graph, c *relaxed.Comparison) (own [2]*models.Graph, both *models.Graph) {
	base := func() *models.Graph {
		out := *g
		out.Relations = nil
		for _, r := range g.Relations {
			if !r.Shown && !r.Flag {
				r.Edges, r.Cyclic = slices.Clone(r.Edges), slices.Clone(r.Cyclic)
				out.Relations = append(out.Relations, r)
			}
		}
		for _, side := range c.Sides {
			if side.Broken != nil {
				out.Mark((&solver.Explanation{Cycle: side.Broken.Cycle}).BasePath())
			}
		}
		return &out
	}
	both = base()
	marked := models.GraphEdges{Name: layout.Marked, Shown: true}
	for i, side := range c.Sides {
		own[i] = base()
		own[i].Relations = append(own[i].Relations, side.Shown...)
		for _, r := range side.Shown {
			addEdges(both, r)
		}
		for _, m := range side.Marks {
			if !slices.Contains(marked.Edges, m.Pair) {
				marked.Edges = append(marked.Edges, m.Pair)
			}
		}
	}
	if marked.Cyclic = marked.Edges; len(marked.Edges) > 0 {
		both.Relations = append(both.Relations, marked)
	}
	return own, both
}

// addEdges adds a relation to a graph, which may have edges of the name already.
func addEdges(g *models.Graph, r models.GraphEdges) {
	i := slices.IndexFunc(g.Relations, func(o models.GraphEdges) bool { return o.Name == r.Name })
	if i < 0 {
		g.Relations = append(g.Relations, models.GraphEdges{Name: r.Name, Shown: r.Shown, Help: r.Help})
		i = len(g.Relations) - 1
	}
	to := &g.Relations[i]
	for _, p := range r.Edges {
		if !slices.Contains(to.Edges, p) {
			to.Edges = append(to.Edges, p)
		}
	}
	for _, p := range r.Cyclic {
		if !slices.Contains(to.Cyclic, p) {
			to.Cyclic = append(to.Cyclic, p)
		}
	}
}

// explanationOf returns the explanation why a model forbids the compared execution.
func explanationOf(side relaxed.Side, g *models.Graph) *solver.Explanation {
	b := side.Broken
	return &solver.Explanation{
		Axiom: b.Axiom, Kind: b.Kind, Sentence: b.Sentence, Source: b.Source, Definitions: b.Definitions,
		Also:  side.Also,
		Cycle: b.Cycle, Graph: g,
	}
}
