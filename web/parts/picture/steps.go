package picture

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/models/play"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// StepsView shows the run that leads to an outcome: as a list, and in a frame that the page's script fills.
type StepsView struct {
	Problem string // why there is none
	Why     string // why the run is an order of events, although the model has a machine
	Stuck   string // where the run stops on the way to a forbidden execution
	Steps   []stepView
	Threads []playerThread
	Memory  []string // the locations' names; nil where each thread has its own view
	Lists   []string // … of those that have a write list
	Kind    string   // what is stepped through, in words
	Waits   bool     // some store is not seen by all on the way
	// Messages: memory is a list of messages, and threads have Bounds.
	Messages bool
	Orders   bool // Memory lists the messages of each location in coherence order
	// Propagates: messages are what has been committed, and reaches threads one by one; Memory is as with Orders.
	Propagates bool
	Run        runData
}

// boundsLabel names what bounds a thread's next accesses.
func (v StepsView) boundsLabel(t playerThread) string {
	if v.Propagates {
		return "Instructions in flight of " + t.Name + ", and what has reached it"
	}
	return "Views of " + t.Name
}

// stepView is a step in words.
type stepView struct {
	Thread string
	Key    string // of the instruction, as in cellView
	Round  string // "round 2", of its first step
	Action string
	Note   string
	After  []string // memory, views, buffers and clock
}

type playerThread struct {
	Name  string
	Cells []playerCell // none of a program, whose text is beside it
	Regs  []string
	Views []string // the names of locations, where the thread has a view of its own
	// Bounds are the names of what bounds the thread's next accesses in a memory of messages.
	Bounds []string
}

// playerCell is an instruction.
type playerCell struct {
	Key  string // as in cellView
	Text string
}

// runData is a run as the page's script has it.
type runData struct {
	Machine bool       `json:"machine"` // other steps can be chosen
	Threads []string   `json:"threads"` // their names
	Frames  []RunFrame `json:"frames"`
	Events  []int      `json:"events"` // of the drawing, but initial writes
}

// RunFrame is a frame with what engines that have rounds, a clock or write lists add.
type RunFrame struct {
	play.Frame
	Text  string             `json:"text,omitempty"` // of the step's statement, of a program
	Round int                `json:"round,omitempty"`
	Clock *int               `json:"clock,omitempty"`
	Lists []solver.WriteList `json:"lists,omitempty"`
}

// viewSteps returns the run that leads to an outcome of the test in source: a run of the engine, a run of the model's
// machine that has the same execution, or one order of the execution's events.
func (s *Pictures) viewSteps(ctx context.Context, source string, o DrawnOutcome) *StepsView {
	if o.Outcome.Graph == nil {
		return nil
	}
	w, err := s.Walk(ctx, engines.Stroll{Source: source, Model: o.Model, Outcome: &o.Outcome, Processor: o.Processor})
	var frames []RunFrame
	var problem, why string
	machine := false
	switch {
	case err == nil:
		machine, why = w.Machine != "", w.Why
		for i, f := range w.Frames {
			frame := RunFrame{Frame: f}
			if i > 0 && len(o.Outcome.Trace) == len(w.Frames)-1 {
				st := o.Outcome.Trace[i-1]
				frame.Round, frame.Clock, frame.Lists = st.Round, st.Clock, st.Lists
				for t := range frame.Threads {
					if t < len(st.Buffers) && len(st.Buffers[t]) == len(frame.Threads[t].Buffer) {
						frame.Threads[t].Buffer = bufferCells(st.Buffers[t]) // with their times
					}
				}
			}
			frames = append(frames, frame)
		}
	default:
		problem = s.Server.Fault(ctx, err).View.String()
	}
	if frames == nil && len(o.Outcome.Trace) > 0 {
		frames = TracedFrames(o)
	}
	if frames == nil {
		return &StepsView{Problem: problem}
	}
	v := Arrange(o, frames, machine)
	v.Why = why
	return v
}

// viewStuck returns a run of the model's machine that goes as far as it can towards a forbidden execution; nil if the
// model has no machine, or the search for such a run does not end.
func (s *Pictures) viewStuck(ctx context.Context, source string, o DrawnOutcome) *StepsView {
	w, err := s.Walk(ctx, engines.Stroll{
		Source: source, Model: o.Model, Outcome: &o.Outcome, Processor: o.Processor, Forbidden: true,
	})
	if err != nil || w.Stuck == "" || len(w.Frames) < 2 {
		return nil
	}
	var frames []RunFrame
	for _, f := range w.Frames {
		frames = append(frames, RunFrame{Frame: f})
	}
	v := Arrange(o, frames, true)
	v.Stuck = w.Stuck
	return v
}

// Arrange returns the view of frames.
func Arrange(o DrawnOutcome, frames []RunFrame, machine bool) *StepsView {
	g := o.Outcome.Graph
	v := &StepsView{Kind: "one order of the execution's events"}
	if machine {
		v.Kind = fmt.Sprintf("a run of the %s machine", question.Label(o.Model))
	}
	v.Run = runData{Machine: machine, Frames: frames}
	first := frames[0]
	for i, t := range g.Threads {
		th := playerThread{Name: t.Name}
		if t.Places == nil {
			for j, text := range indented(t.Source) {
				th.Cells = append(th.Cells, playerCell{Key: answer.CellKey(i, j), Text: text})
			}
		}
		if i < len(first.Threads) {
			th.Regs, th.Views = cellNames(first.Threads[i].Regs), cellNames(first.Threads[i].View)
			th.Bounds = cellNames(first.Threads[i].Bounds)
		}
		v.Threads = append(v.Threads, th)
		v.Run.Threads = append(v.Run.Threads, t.Name)
	}
	for i, f := range frames {
		if f.Thread >= 0 && f.Source >= 0 && f.Source < len(g.Threads[f.Thread].Places) {
			frames[i].Text = g.Threads[f.Thread].Source[f.Source]
		}
	}
	v.Messages = slices.ContainsFunc(first.Threads, func(t play.Thread) bool { return t.Bounds != nil })
	v.Orders, v.Propagates = first.Orders, first.Propagates
	if !v.Messages || v.Orders || v.Propagates {
		v.Memory = cellNames(first.Memory)
	}
	for _, e := range g.Events {
		if e.Thread >= 0 {
			v.Run.Events = append(v.Run.Events, e.ID)
		}
	}
	round := 0
	for _, f := range frames[1:] {
		step := viewStep(f, v.Run.Threads)
		if f.Text != "" {
			line := g.Threads[f.Thread].Places[f.Source].Line
			step.After = slices.Insert(step.After, 0, fmt.Sprintf("line %d", line))
		}
		if f.Round != round {
			round = f.Round
			step.Round = fmt.Sprintf("round %d", round)
		}
		v.Steps = append(v.Steps, step)
		if len(v.Lists) == 0 {
			for _, l := range f.Lists {
				v.Lists = append(v.Lists, l.Loc)
			}
		}
		v.Waits = v.Waits || slices.ContainsFunc(f.Threads, func(t play.Thread) bool { return len(t.Buffer) > 0 })
	}
	// Whoever takes steps of their own may have stores wait that the run does not.
	v.Waits = v.Waits || machine && models.FactsOf(o.Model).Buffers
	return v
}

// indented returns a thread's statements, with those of C indented by their braces.
func indented(source []string) []string {
	out := make([]string, len(source))
	for i, depth := range litmus.Nesting(source) {
		out[i] = strings.Repeat("\u00a0\u00a0", min(depth, 12)) + source[i]
	}
	return out
}

func cellNames(cells []play.Cell) []string {
	var out []string
	for _, c := range cells {
		out = append(out, c.Name)
	}
	return out
}

// viewStep returns a step in words, with what the frame after it shows of memory and of the threads.
func viewStep(f RunFrame, threads []string) stepView {
	v := stepView{Action: f.Did, Note: f.Note}
	if f.Thread >= 0 && f.Thread < len(threads) {
		v.Thread = threads[f.Thread]
	}
	if f.Source >= 0 {
		v.Key = answer.CellKey(f.Thread, f.Source)
	}
	if f.Clock != nil {
		v.After = append(v.After, fmt.Sprintf("clock %d", *f.Clock))
	}
	if len(f.Messages) > 0 {
		v.After = append(v.After, "messages "+messagesText(f.Messages, threads))
	}
	if f.Orders || f.Propagates {
		v.After = append(v.After, "coherence order "+cellsText(f.Memory, "; "))
	} else if len(f.Messages) == 0 && len(f.Memory) > 0 {
		v.After = append(v.After, "memory "+cellsText(f.Memory, " "))
	}
	for i, t := range f.Threads {
		if len(t.Buffer) > 0 && i < len(threads) {
			v.After = append(v.After, threads[i]+" holds "+cellsText(t.Buffer, ", "))
		}
		if len(t.View) > 0 && i < len(threads) {
			verb := " sees "
			if t.Bounds != nil && !f.Propagates {
				verb = " can read "
			}
			v.After = append(v.After, threads[i]+verb+cellsText(t.View, " "))
		}
	}
	return v
}

// messagesText lists messages, such as "#1 x=1 (P0) #2 y=1 (P1, promised)".
func messagesText(messages []play.Message, threads []string) string {
	var out []string
	for i, m := range messages {
		by := ""
		if m.Thread < len(threads) {
			by = threads[m.Thread]
		}
		if m.Promised {
			by += ", promised"
		}
		out = append(out, fmt.Sprintf("#%d %s (%s)", i+1, m.Text, by))
	}
	return strings.Join(out, " ")
}

func cellsText(cells []play.Cell, between string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = c.Name + "=" + c.Value
		if c.Until != nil {
			out[i] += fmt.Sprintf(" (until %d)", *c.Until)
		}
	}
	return strings.Join(out, between)
}

// TracedFrames returns the frames of an engine's own steps, for use if the model's machine cannot replay them.
func TracedFrames(o DrawnOutcome) []RunFrame {
	g, trace := o.Outcome.Graph, o.Outcome.Trace
	if g == nil {
		return nil
	}
	initial := map[string]string{}
	for _, e := range g.Events {
		if e.Thread < 0 {
			initial[e.Loc] = e.Value
		}
	}
	last := map[int]int{} // the last step of an event
	for i, st := range trace {
		for _, id := range st.Events {
			last[id] = i
		}
	}
	first := RunFrame{Frame: play.Frame{Thread: -1, Source: -1, Threads: make([]play.Thread, len(g.Threads))}}
	for _, b := range trace[0].Memory {
		first.Memory = append(first.Memory, play.Cell{Name: b.Name, Value: initial[b.Name]})
	}
	frames := []RunFrame{first}
	var pending []int
	next := make([]int, len(trace)*len(g.Threads)) // … statement of each thread, behind a step
	for t := range g.Threads {
		to := -1
		for i := len(trace) - 1; i >= 0; i-- {
			next[i*len(g.Threads)+t] = to
			if trace[i].Source >= 0 && slices.Index(o.Threads, trace[i].Thread) == t {
				to = trace[i].Source
			}
		}
		frames[0].Threads[t].Next = to
	}
	for i, st := range trace {
		before := frames[i]
		f := RunFrame{Round: st.Round, Clock: st.Clock, Lists: st.Lists}
		f.Did, f.Source, f.Events = st.Action, st.Source, st.Events
		f.Thread = slices.Index(o.Threads, st.Thread)
		for j, b := range st.Memory {
			f.Memory = append(f.Memory,
				play.Cell{Name: b.Name, Value: b.Value, New: j < len(before.Memory) &&
					before.Memory[j].Value != b.Value})
		}
		for _, id := range st.Events {
			if last[id] > i && !slices.Contains(pending, id) {
				pending = append(pending, id)
			}
		}
		pending = slices.DeleteFunc(slices.Clone(pending), func(id int) bool { return last[id] <= i })
		f.Waiting = pending
		for t := range g.Threads {
			th := play.Thread{Next: next[i*len(g.Threads)+t]}
			if t < len(st.Buffers) {
				th.Buffer = bufferCells(st.Buffers[t])
			}
			f.Threads = append(f.Threads, th)
		}
		frames = append(frames, f)
	}
	return frames
}

func bufferCells(entries []solver.BufferEntry) []play.Cell {
	var out []play.Cell
	for _, e := range entries {
		out = append(out, play.Cell{Name: e.Loc, Value: e.Value, Until: e.Stamp})
	}
	return out
}

// Walk computes a run in a child process. Its error is a [server.Refusal], a [question.BadTest], the context's, or a
// bug.
func (s *Pictures) Walk(ctx context.Context, q engines.Stroll) (*engines.Walk, error) {
	q.File = question.FileName
	if err := s.Questions.Fits(q.Source, &question.Question{}); err != nil {
		return nil, err
	}
	w, err := childwork.Walking.Call(ctx, s.Questions.Sandbox, q)
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Stepping through it")
	case len(w.BadTest) > 0:
		return nil, &question.BadTest{Source: q.Source, Errs: w.BadTest}
	case w.Refused != "":
		return nil, server.Refuse("%s", w.Refused)
	}
	return w, nil
}

// PostWalk runs the steps in field "path" on the machine of the model in field "column". Fields "state", "n" and "flag"
// name the drawn execution, as in AskPicture. Without a path, it returns the run to this execution.
func (s *Pictures) PostWalk(w http.ResponseWriter, r *http.Request) {
	if !s.Server.ParseForm(w, r) {
		return
	}
	f := r.PostForm
	q := engines.Stroll{Source: f.Get("source"), Model: question.ReadColumn(f.Get("column")).Model}
	if f.Has("path") {
		path := f.Get("path")
		q.Path = &path
	}
	asked, err := question.FromForm(f)
	q.Processor = asked.Options.Processor
	if err == nil && f.Has("state") {
		q.Outcome, err = s.shownOutcome(r.Context(), f)
	}
	var walk *engines.Walk
	if err == nil {
		walk, err = s.Walk(r.Context(), q)
	}
	if err != nil {
		s.Server.FailOf(w, r, err)
		return
	}
	s.Server.WriteJSON(w, walk)
}

// shownOutcome returns the outcome of the page's picture; nil if the column's answer has no execution of it.
func (s *Pictures) shownOutcome(ctx context.Context, f url.Values) (*solver.Outcome, error) {
	q, err := question.FromForm(f)
	if err != nil {
		return nil, err
	}
	p, err := ReadPick(f, s.Server.Limits.Source)
	if err != nil {
		return nil, err
	}
	q.Models = []string{p.Column}
	a, err := s.Questions.Explore(ctx, q)
	if err != nil {
		return nil, err
	}
	if o := outcomeOf(a, p.State); p.Flag == "" && o != nil && p.N > 1 {
		p.State = o.State
		all, _, err := s.executions(ctx, q, p, o)
		if err != nil {
			return nil, err
		}
		return &all[min(p.N, len(all))-1], nil
	}
	for _, flag := range a.Results[0].Flags {
		if p.Flag != "" && flag.Name == p.Flag {
			return &solver.Outcome{State: flag.State, Graph: flag.Graph}, nil
		}
	}
	return outcomeOf(a, p.State), nil
}
