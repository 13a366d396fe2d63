package synth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/change"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/hitting"
	"litmuscope/solver/testdiff"
)

// Answer answers a question. A text that cannot be read, or a limit, gives a reply that says so; an error is a
// cancelled context's.
func Answer(ctx context.Context, q Question) (*Reply, error) {
	began := time.Now()
	within, cancel := q.Options.Within(ctx)
	defer cancel()
	s := &search{Question: q, ctx: within, reply: &Reply{Path: q.Path, Status: solver.OK, Repairs: []Repair{}}}
	s.Source = strings.ReplaceAll(q.Source, "\r\n", "\n")
	err := s.read()
	if err == nil {
		err = s.solve()
	}
	r := s.reply
	var undecided *undecided
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &undecided):
		r.Status, r.Reason, r.Minimal = solver.Unknown, undecided.why, false
	case err != nil && within.Err() != nil:
		r.Status, r.Reason, r.Minimal = solver.Unknown, fmt.Sprintf("time limit of %v reached", q.Options.Timeout),
			false
	case err != nil:
		r.Status, r.Error, r.Repairs = solver.Failed, err.Error(), []Repair{}
	}
	r.MS = float64(time.Since(began)) / float64(time.Millisecond)
	return r, nil
}

// undecided is what an engine could not tell.
type undecided struct{ why string }

// Error is the reason.
func (u *undecided) Error() string { return u.why }

// search is one question being answered.
type search struct {
	Question
	ctx   context.Context
	reply *Reply

	test    *litmus.Test
	models  []*models.Model
	labels  []string
	changes *change.Changes
	made    map[string]*prepared
	found   []*witness
	hitting hitting.Set
	uneven  string // a model under which less order forbids more
}

// prepared is the test with a choice made.
type prepared struct {
	source  string
	asking  string      // the same, asking for the outcome
	program *ir.Program // of that
	loops   map[*models.Model]*ir.Program
}

// solve answers what has been read.
func (s *search) solve() error {
	as := s.changes.As()
	w, err := s.ask(as)
	if err != nil {
		return err
	}
	s.reply.Verdict = solver.Forbidden
	if w != nil {
		s.reply.Verdict = solver.Allowed
	}
	s.hitting = hitting.Set{Slots: s.changes.Slots}
	switch {
	case s.Weaken && w != nil:
		s.reply.Impossible, s.reply.Reason = true, "the outcome is "+s.how(w)+", so there is nothing to preserve"
		return nil
	case !s.Weaken && w == nil:
		s.reply.Already, s.reply.Minimal = true, true
		return nil
	case !s.Weaken:
		most := s.changes.Most()
		if w, err = s.ask(most); err != nil {
			return err
		} else if w != nil {
			s.reply.Impossible = true
			s.reply.Reason = s.remains(w)
			return nil
		}
	}
	if err := s.cheapest(as); err != nil {
		return err
	}
	for i := range s.reply.Repairs {
		if err := s.explain(&s.reply.Repairs[i], s.hitting.Answers[i]); err != nil {
			return err
		}
		s.reply.Repairs[i].sort()
	}
	return nil
}

// read reads the test, the models and the prices, and lists the changes.
func (s *search) read() error {
	costs, err := ReadCosts("costs", s.Costs)
	if err != nil {
		return err
	}
	if s.test, err = litmus.Parse(s.Path, s.Source); err == nil {
		_, err = dialect.Runnable(s.test)
	}
	if err != nil {
		s.reply.BadTest = dialect.Errors(s.Path, s.Source)
		return err
	}
	s.reply.Name, s.reply.Arch = s.test.Name, s.test.Arch
	if len(s.Under) == 0 {
		s.Under = []solver.Task{{}}
	}
	var p *ir.Program
	for _, t := range s.Under {
		t.Path, t.Source, t.Options, t.Engine = s.Path, s.Source, s.Options, ""
		program, m, err := engines.Prepared(t)
		if err != nil {
			return err
		}
		p = program
		s.models, s.labels = append(s.models, m), append(s.labels, m.Name)
	}
	s.reply.Model = strings.Join(s.labels, "+")
	direction := change.Stronger
	if s.Weaken {
		direction = change.Weaker
	}
	s.made = map[string]*prepared{}
	s.changes, err = change.Of(s.test, p, direction, prices(costs[dialect.Tongue(s.Source)]), testdiff.Adds)
	return err
}

// mostMade bounds the texts that are kept.
const mostMade = 4096

// prepared is the test with a choice made, ready to be asked about.
func (s *search) prepared(c change.Choice) (*prepared, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	key := make([]byte, len(c))
	for i, o := range c {
		key[i] = byte(o)
	}
	if p := s.made[string(key)]; p != nil {
		return p, nil
	}
	source, err := s.changes.Text(c)
	if err != nil {
		return nil, err
	}
	p := &prepared{source: source, asking: source}
	if s.State != nil || s.test.Condition.Quantifier == litmus.Forall {
		t, err := litmus.Parse(s.Path, source)
		if err != nil {
			return nil, err
		}
		p.asking = engines.Asking(t, s.State)
	}
	if p.program, err = dialect.ParseFor(s.Path, p.asking, s.Options.Processor); err != nil {
		return nil, err
	}
	if len(s.made) > mostMade {
		clear(s.made)
	}
	s.made[string(key)] = p
	return p, nil
}

// ask has the engine look for the outcome with a choice made, under each model; nil where all forbid it.
func (s *search) ask(c change.Choice) (*witness, error) {
	p, err := s.prepared(c)
	if err != nil {
		return nil, err
	}
	for i := range s.models {
		f, err := s.find(p, i, false)
		if err != nil {
			return nil, err
		}
		if f.Execution != nil {
			w := newWitness(i, f.Execution)
			s.found = append(s.found, w)
			return w, nil
		}
	}
	return nil, nil
}

// find asks under one model.
func (s *search) find(p *prepared, model int, certify bool) (*axiomatic.Found, error) {
	s.reply.Asked++
	o := s.Options
	o.Certify = certify
	f, err := axiomatic.Find(s.ctx, solver.Query{Program: p.program, Model: s.models[model], Options: o})
	if err != nil {
		return nil, err
	}
	if f.Execution == nil && f.Result.Status == solver.Unknown && !f.Result.Complete && s.models[model].HasMachine() {
		settled, err := s.settle(p, model)
		if err != nil {
			return nil, err
		}
		if settled {
			return &axiomatic.Found{Result: f.Result}, nil
		}
	}
	if s.Anyhow && f.Execution != nil && !p.program.Satisfies(p.program.Condition.Prop, f.Execution.Final()) {
		f.Execution = nil
	}
	switch {
	case f.Execution == nil &&
		(f.Result.Status != solver.OK || f.Result.Verdict != solver.Forbidden || !s.Anyhow &&
			f.Result.Undefined() == solver.Open):
		why := f.Result.Reason
		if why == "" {
			why = "the engine left the outcome undecided"
		}
		return nil, &undecided{why}
	}
	return f, nil
}

// settle reports whether the machine, which repeats loops as they are, says that the outcome is forbidden.
func (s *search) settle(p *prepared, model int) (bool, error) {
	t := s.Under[model]
	t.Path, t.Source, t.Engine = s.Path, p.asking, ""
	t.Options = solver.DefaultOptions()
	t.Options.States, t.Options.Timeout, t.Options.Unroll = 0, 0, s.Options.Unroll
	t.Options.Processor = s.Options.Processor
	r, err := engines.Run(s.ctx, t)
	return err == nil && r.Status == solver.OK && r.Verdict == solver.Forbidden, err
}

// cheapest goes through choices from the cheapest on, until one costs more than what is enough, or, where something is
// to go, until there is none that does not have all of one that is enough.
func (s *search) cheapest(as change.Choice) error {
	bound := hitting.NoBound
	for {
		c := s.hitting.Next(bound)
		if c == nil {
			s.reply.Minimal = s.uneven == ""
			if s.uneven != "" {
				s.reply.Reason = "under " + s.uneven +
					", weaker orders may forbid more, so that a cheaper answer is not ruled out"
			}
			return nil
		}
		w := s.known(c)
		if w == nil {
			var err error
			if w, err = s.ask(c); err != nil {
				return err
			}
		}
		if w != nil {
			most := s.grow(w, c)
			if slices.Equal(most, s.changes.Most()) {
				return fmt.Errorf("BUG: %s both allows and forbids the outcome with all changes",
					s.labels[w.model])
			}
			s.hitting.Add(most)
			continue
		}
		if len(s.reply.Repairs) == mostRepairs {
			s.reply.More = true
			s.reply.Minimal = s.uneven == ""
			return nil
		}
		r, err := s.repair(c, as)
		if err != nil {
			return err
		}
		s.reply.Repairs = append(s.reply.Repairs, *r)
		s.hitting.Answers = append(s.hitting.Answers, c)
		if !s.Weaken {
			bound = s.changes.Cost(c) + 1
		}
	}
}

// known is a witness against a choice that has been found for another one.
func (s *search) known(c change.Choice) *witness {
	for _, w := range s.found {
		if s.survives(w, c) {
			return w
		}
	}
	return nil
}

// grow adds to a choice what a witness survives, as much of it as it can.
func (s *search) grow(w *witness, c change.Choice) change.Choice {
	most := slices.Clone(c)
	var add func(from, to int)
	add = func(from, to int) {
		if from == to {
			return
		}
		try := slices.Clone(most)
		for i := from; i < to; i++ {
			try[i] = len(s.changes.Slots[i].Options) - 1
		}
		if slices.Equal(try, most) {
			return
		}
		if s.survives(w, try) {
			most = try
			return
		}
		if to-from > 1 {
			add(from, (from+to)/2)
			add((from+to)/2, to)
			return
		}
		for o := len(s.changes.Slots[from].Options) - 2; o > most[from]; o-- {
			if !slices.Contains(s.changes.Slots[from].Options[o].Below, most[from]) {
				continue
			}
			try[from] = o
			if s.survives(w, try) {
				most = try
				return
			}
		}
	}
	add(0, len(most))
	s.even(w, most)
	return most
}

// even tries whether a witness survives less than the most that it does, as it should: with nothing, and with either
// half.
func (s *search) even(w *witness, most change.Choice) {
	least := s.changes.Least()
	for part := range 3 {
		try := slices.Clone(least)
		for i := range try {
			if part > 0 && i%2 == part-1 {
				try[i] = most[i]
			}
		}
		if !s.survives(w, try) && s.ctx.Err() == nil {
			s.uneven = s.labels[w.model]
		}
	}
}

// repair puts an answer together.
func (s *search) repair(c, as change.Choice) (*Repair, error) {
	p, err := s.prepared(c)
	if err != nil {
		return nil, err
	}
	r := &Repair{Cost: s.changes.Cost(c), Source: p.source, Diff: difference(s.Source, p.source), Changes: []Change{}}
	if s.Weaken {
		r.Saved = s.changes.Cost(as) - r.Cost
	}
	for i, o := range c {
		slot := &s.changes.Slots[i]
		if o == slot.Was {
			continue
		}
		kind := slot.Kind
		if slot.Replaces() && slot.Options[o].Text != "" {
			kind = change.Order
		}
		r.Changes = append(r.Changes, Change{
			Thread: s.test.Threads[slot.Thread].ID, Line: s.changes.Line(slot), Kind: kind,
			Text:  strings.TrimSuffix(s.changes.Words(slot, o), ";"),
			Cost:  slot.Options[o].Cost - slot.Options[slot.Was].Cost,
			Place: strings.TrimSuffix(s.changes.Statement(slot), ";"),
		})
	}
	if !s.Options.Certify {
		return r, nil
	}
	all := true
	r.Certified, r.Certificate = &all, &solver.Certificate{}
	for i := range s.models {
		f, err := s.find(p, i, true)
		if err != nil {
			return nil, err
		}
		if f.Execution != nil {
			return nil, fmt.Errorf("BUG: %s allows with proofs what it forbids without", s.labels[i])
		}
		if by := f.Result.Certificate; by != nil && *f.Result.Certified {
			r.Certificate.Refutations += by.Refutations
			r.Certificate.Lemmas += by.Lemmas
			r.Certificate.Bytes += by.Bytes
			r.Certificate.CheckMS += by.CheckMS
		} else {
			all = false
		}
	}
	return r, nil
}

// explain says of each change of a repair what it is there for. A weakening has nothing to say of what has gone.
func (s *search) explain(r *Repair, c change.Choice) error {
	if s.Weaken {
		return nil
	}
	p, err := s.prepared(c)
	if err != nil {
		return err
	}
	n := 0
	for i, o := range c {
		if o == s.changes.Slots[i].Was {
			continue
		}
		without := slices.Clone(c)
		without[i] = s.changes.Slots[i].Was
		w := s.known(without)
		if w == nil {
			if w, err = s.ask(without); err != nil {
				return err
			}
		}
		if w == nil {
			return fmt.Errorf("BUG: a cheapest repair has an unnecessary change, at line %d", r.Changes[n].Line)
		}
		if x := w.moved(p.unrolled(s.models[w.model], s.Options.Unroll)); x != nil {
			if e := axiomatic.Broken(s.models[w.model], x); e != nil {
				r.Changes[n].Breaks = &Broken{Model: s.labels[w.model], Axiom: e.Axiom}
				if len(e.Cycle) > 0 {
					r.Changes[n].Breaks.Cycle, r.Changes[n].Breaks.Events = e.Chain(), e.Legend()
				}
			}
		}
		n++
	}
	return nil
}

// sort puts the changes of an answer in the order of the text.
func (r *Repair) sort() {
	slices.SortStableFunc(r.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Line, b.Line))
	})
}

// how says why a witness is one.
func (s *search) how(w *witness) string {
	x := w.execution
	if x.Program.Satisfies(x.Program.Condition.Prop, x.Final()) {
		return "allowed under " + models.Label(s.labels[w.model])
	}
	return "of a test whose behaviour is undefined under " + models.Label(s.labels[w.model])
}

// remains says that all changes together do not forbid the outcome, and by which execution.
func (s *search) remains(w *witness) string {
	x := w.execution
	n := 0
	for i := range s.changes.Slots {
		if len(s.changes.Slots[i].Options) > 1 {
			n++
		}
	}
	if n == 0 {
		return "the outcome is " + s.how(w) + ", and no available change applies to its execution"
	}
	var reads []string
	events := display.Events(x)
	for r, from := range x.RF {
		if from >= 0 {
			e, by := events[r], events[from]
			source := "the beginning"
			if by.Thread >= 0 {
				source = fmt.Sprintf("P%d", x.Program.Threads[by.Thread].ID)
			}
			reads = append(reads,
				fmt.Sprintf("P%d reads %s=%s from %s", x.Program.Threads[e.Thread].ID, e.Loc, e.Value, source))
		}
	}
	text := fmt.Sprintf("the outcome is %s even with %s together", s.how(w), solver.Count(n, "change"))
	if len(reads) > 0 && len(reads) <= 12 {
		text += ": " + strings.Join(reads, ", ")
	}
	return text
}

func tongues() []string { return dialect.Tongues() }

func known(tongue string) bool { return slices.Contains(tongues(), tongue) }
