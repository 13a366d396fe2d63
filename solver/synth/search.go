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
	"litmuscope/litmus/recognise"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/hitting"
	"litmuscope/solver/testdiff"
)

// Answer answers a question. A test that does not parse, or a limit, gives a reply that says so; the error is that of a
// cancelled context.
//
// The search is a loop between a hitting-set solver and an engine (implicit hitting sets). The solver proposes the
// cheapest choice of changes that hits all clauses found so far. The engine looks for an execution with the outcome
// under this choice. If there is none, the choice is an answer, and it is cheapest because every cheaper one misses
// some clause. Otherwise the execution is a witness against the choice, and against every larger choice that the
// execution survives. grow finds a maximal such choice; every repair must contain a change outside of it, which is
// the next clause. A larger choice gives a stronger clause, so that few questions to the engine suffice.
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

// Two things bound the work. The cache has texts and parsed programs by choice, because growing a witness checks many
// neighbouring choices. And before it asks an engine, the search tries the witnesses of earlier choices against each
// later one (killer): moving an execution and evaluating the model on it costs far less than a question.

// undecided is an error: the engine could not decide a question. It ends the search, because neither a repair nor a
// clause follows from a question without an answer; the reply then keeps the repairs so far.
type undecided struct{ why string }

// Error returns the reason.
func (u *undecided) Error() string { return u.why }

// search is the state of answering one question.
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
	answers []change.Choice // of the repairs
	uneven  string          // a model under which weaker orders forbade more
}

// prepared is the test with a choice of changes made. The search prepares each choice once, because it parses and
// unrolls the text again.
type prepared struct {
	source  string
	asking  string      // source, with a condition that asks for the outcome
	program *ir.Program // of asking
	loops   map[*models.Model]*ir.Program
}

// solve answers the question after read. It first asks about the unchanged test, then about all changes together, so
// that trivial answers need two questions.
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
	case !s.Weaken && s.changes.Monotone():
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
	if len(s.reply.Repairs) == 0 {
		return s.helpless(w)
	}
	for i := range s.reply.Repairs {
		if err := s.explain(&s.reply.Repairs[i], s.answers[i]); err != nil {
			return err
		}
		s.reply.Repairs[i].sort()
	}
	return nil
}

// read parses the test, the models and the prices, and lists the possible changes.
func (s *search) read() error {
	costs, err := ReadCosts("costs", s.Costs)
	if err != nil {
		return err
	}
	if s.test, err = litmus.Parse(s.Path, s.Source); err == nil {
		_, err = dialect.Runnable(s.test)
	}
	if err != nil {
		s.reply.BadTest = recognise.Errors(s.Path, s.Source)
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

// mostMade is the number of cached texts.
const mostMade = 4096

// prepared returns the test with a choice made, from a cache.
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

// ask looks for an execution with the outcome, with a choice made, under each model. It returns nil if all models
// forbid the outcome.
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

// find asks the engine under one model. If a loop bound leaves the question open, it asks the model's machine.
func (s *search) find(p *prepared, model int, certify bool) (*axiomatic.Found, error) {
	s.reply.Asked++
	o := s.Options
	o.Certify = certify
	f, err := axiomatic.Find(s.ctx, solver.Query{Program: p.program, Model: s.models[model], Options: o})
	if err != nil {
		return nil, err
	}
	if f.Execution == nil && f.Result.Status == solver.Unknown && !f.Result.Complete && s.models[model].HasMachine() {
		forbidden, err := s.forbiddenByMachine(p, model)
		if err != nil {
			return nil, err
		}
		if forbidden {
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

// forbiddenByMachine reports whether the model's machine, which executes loops without a bound, forbids the outcome.
func (s *search) forbiddenByMachine(p *prepared, model int) (bool, error) {
	t := s.Under[model]
	t.Path, t.Source, t.Engine = s.Path, p.asking, ""
	t.Options = solver.DefaultOptions()
	t.Options.States, t.Options.Timeout, t.Options.Unroll = 0, 0, s.Options.Unroll
	t.Options.Processor = s.Options.Processor
	r, err := engines.Run(s.ctx, t)
	return err == nil && r.Status == solver.OK && r.Verdict == solver.Forbidden, err
}

// cheapest finds the answers in order of cost. For a repair it stops at the first choice that costs more than an
// answer; for a weakening it continues until every remaining choice contains an answer.
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
		if s.again(c) {
			s.hitting.Answers = append(s.hitting.Answers, c)
			continue
		}
		w := s.killer(c)
		if w == nil {
			var err error
			if w, err = s.ask(c); err != nil {
				return err
			}
		}
		if w != nil {
			most := s.grow(w, c)
			if slices.Equal(most, s.changes.Most()) && s.changes.Monotone() {
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
		s.hitting.Answers = append(s.hitting.Answers, c)
		s.reply.Repairs, s.answers = append(s.reply.Repairs, *r), append(s.answers, c)
		if !s.Weaken {
			bound = s.changes.Cost(c) + 1
		}
	}
}

// again reports whether a choice has the text of an answer: it inserts the same in another place of a row.
func (s *search) again(c change.Choice) bool {
	p, err := s.prepared(c)
	return err == nil && slices.ContainsFunc(s.reply.Repairs, func(r Repair) bool { return r.Source == p.source })
}

// killer returns a witness found for another choice that also speaks against this one. It saves questions to the
// engine.
func (s *search) killer(c change.Choice) *witness {
	for _, w := range s.found {
		if s.survives(w, c) {
			return w
		}
	}
	return nil
}

// grow returns a maximal choice above c that the witness survives. It adds changes to whole ranges of slots and
// halves a range that fails, so that it takes few checks if most changes do not matter.
func (s *search) grow(w *witness, c change.Choice) change.Choice {
	most := slices.Clone(c)
	var add func(from, to int)
	add = func(from, to int) {
		if from == to {
			return
		}
		try := slices.Clone(most)
		for i := from; i < to; i++ {
			try[i] = s.changes.Slots[i].Above(most[i])
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

// even checks the assumption that more order forbids more: the witness must survive smaller choices as well. It tries
// no change and two halves. If one fails, the answers may not be minimal.
func (s *search) even(w *witness, most change.Choice) {
	least := slices.Clone(most)
	for i, o := range most {
		least[i] = slices.Min(s.changes.Slots[i].Options[o].Below)
	}
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

// The search makes certificates last, for answers only. Executions, which a checker confirms one by one, answered its
// other questions, or these led to no answer.

// repair returns the answer for a choice, with certificates if the options ask for them.
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
		if s.Weaken && slot.Options[o].Cost > 0 {
			r.Kept = append(r.Kept, s.kept(slot, o))
		}
		if o == slot.Was {
			continue
		}
		kind := slot.Kind
		if slot.Replaces() && slot.Options[o].Text != "" {
			kind = change.Order
		}
		r.Changes = append(r.Changes, Change{
			Thread: s.test.Threads[slot.Thread].ID, Line: s.changes.Line(slot), Step: slot.Step(), Kind: kind,
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

// kept describes a barrier or order that a weakened test still has, in the words of the test: the statement itself, or
// the weaker one that replaces it.
func (s *search) kept(slot *change.Slot, option int) Kept {
	k := Kept{
		Thread: s.test.Threads[slot.Thread].ID, Line: s.changes.Line(slot), Cost: slot.Options[option].Cost,
		Text: s.changes.Words(slot, option),
	}
	if option == slot.Was {
		k.Text = s.changes.Statement(slot)
	}
	k.Text = strings.TrimSuffix(k.Text, ";")
	return k
}

// explain says for each change of a repair which execution the change forbids. For a weakening, it explains nothing.
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
		w := s.killer(without)
		if w == nil {
			if w, err = s.ask(without); err != nil {
				return err
			}
		}
		if w == nil {
			return fmt.Errorf("BUG: a cheapest repair has an unnecessary change, at line %d", r.Changes[n].Line)
		}
		if x := w.moved(p.unrolled(s.models[w.model], s.Options.Unroll)); x != nil {
			if e := axiomatic.ExplainViolations(s.models[w.model], x); e != nil {
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

// sort sorts the changes, and what is kept, by their places in the text.
func (r *Repair) sort() {
	slices.SortStableFunc(r.Kept, func(a, b Kept) int {
		return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Line, b.Line))
	})
	slices.SortStableFunc(r.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Line, b.Line))
	})
}

// The texts below are for people: they end up in the reason of a reply.

// how says why a witness counts: it has the outcome, or undefined behaviour.
func (s *search) how(w *witness) string {
	x := w.execution
	if x.Program.Satisfies(x.Program.Condition.Prop, x.Final()) {
		return "allowed under " + models.Label(s.labels[w.model])
	}
	return "of a test whose behaviour is undefined under " + models.Label(s.labels[w.model])
}

// helpless replies that no choice of changes forbids the outcome, of which w is an execution of the unchanged test. It
// fails if the search has excluded choices because less order allows more, and that does not hold.
func (s *search) helpless(w *witness) error {
	if s.uneven != "" {
		return &undecided{"under " + s.uneven + ", weaker orders may forbid more, so that a repair is not ruled out"}
	}
	s.reply.Impossible, s.reply.Minimal, s.reply.Reason = true, false, s.remains(w)
	if n := s.available(); n > 0 {
		s.reply.Reason = fmt.Sprintf("the outcome is %s with every choice among %s", s.how(w),
			solver.Count(n, "change"))
	}
	return nil
}

// available returns the number of places with a change.
func (s *search) available() (n int) {
	for i := range s.changes.Slots {
		if len(s.changes.Slots[i].Options) > 1 {
			n++
		}
	}
	return n
}

// remains says that all changes together do not forbid the outcome, and describes an execution that has it.
func (s *search) remains(w *witness) string {
	x, n := w.execution, s.available()
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

// tongues returns the languages with cost tables.
func tongues() []string { return dialect.Tongues() }

// isTongue reports whether a section of a table of costs names one of them.
func isTongue(tongue string) bool { return slices.Contains(tongues(), tongue) }
