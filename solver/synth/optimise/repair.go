package optimise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/litmus/change"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth"
	"litmuscope/solver/synth/hitting"
)

// Repair finds the cheapest stronger orders and additional fences that make a program correct. It searches the files
// and functions of q.Only; by default the program's files and what these include with quotes. costs is a table that
// extends the built-in one.
//
// The search is the one of package synth (implicit hitting sets), with engines as judges of choices instead of moved
// executions. The search enlarges a failing choice while it still fails; every sufficient choice must contain something
// outside of the enlarged one, which is a clause. Next, it asks about the cheapest choice that hits all clauses. So
// each answer is sufficient, because the engines say so, and no cheaper one is, because it would be part of a choice
// that failed.
//
// Fences are places too: before the search, it inserts a relaxed fence, which has no effect, into each gap between
// statements, and strengthening it is a change. Unused ones disappear from the printed text.
func Repair(ctx context.Context, q Question, costs string) (*synth.Reply, error) {
	r, err := repairing(ctx, q, costs)
	if err != nil {
		return nil, err
	}
	return r.reply, nil
}

// repairing returns the repairer after its search, for tests.
func repairing(ctx context.Context, q Question, costs string) (*repairer, error) {
	r, err := newRepairer(q, costs)
	if err != nil {
		return nil, err
	}
	return r, r.run(ctx)
}

// newRepairer reads the program.
func newRepairer(q Question, costs string) (*repairer, error) {
	prices, err := synth.ReadCosts("costs", costs)
	if err != nil {
		return nil, err
	}
	r := &repairer{
		asker: newAsker(q), began: time.Now(), price: prices["C"], texts: map[string]string{},
		fences: map[string][]int{}, reply: newReply(q.Pairs),
	}
	return r, r.read()
}

// newReply returns a reply with the names of program and models.
func newReply(pairs []solver.VerifyTask) *synth.Reply {
	r := &synth.Reply{Arch: "C", Status: solver.OK, Repairs: []synth.Repair{}, Remarks: remarksOf(pairs)}
	var names []string
	for _, t := range pairs {
		r.Path = cmp.Or(r.Path, t.Path)
		model := t.Model
		if model == "" {
			_, model = engines.VerifyModels(t)
		}
		if !slices.Contains(names, model) {
			names = append(names, model)
		}
	}
	r.Name, r.Model = strings.TrimSuffix(path.Base(r.Path), path.Ext(r.Path)), strings.Join(names, "+")
	return r
}

// remarksOf says which plain accesses of the programs count as relaxed atomics.
func remarksOf(pairs []solver.VerifyTask) (out []string) {
	for _, t := range pairs {
		for _, r := range t.RelaxedRemarks() {
			if !slices.Contains(out, r.Message) {
				out = append(out, r.Message)
			}
		}
	}
	return out
}

// run searches and completes the reply. After an error, the reply has the results so far.
func (r *repairer) run(ctx context.Context) error {
	err := r.solve(ctx)
	r.reply.Asked, r.reply.MS = r.asked, float64(time.Since(r.began).Microseconds())/1000
	var left *undecided
	if errors.As(err, &left) {
		r.reply.Status, r.reply.Reason, r.reply.Minimal, err = solver.Unknown, left.why, false, nil
	}
	return err
}

// undecided is an error: the engines could not decide a question.
type undecided struct{ why string }

// Error returns the reason.
func (u *undecided) Error() string { return u.why }

// repairer is the state of a repair.
type repairer struct {
	*asker
	began  time.Time
	price  map[string]int
	reply  *synth.Reply
	texts  map[string]string // original texts of the files
	left   []string          // files with orders that the search skips
	fences map[string][]int  // by file, the lines of inserted fences
	base   []c.Order         // by slot: the order in the original program
	orders [][]c.Order       // by slot: its options, the original order first
	set    hitting.Set
	// refused has the objects in data races that _Atomic does not fit, with reasons.
	refused []string
}

// read inserts a fence into each gap, finds the places, and lists the options of each with their costs.
func (r *repairer) read() error {
	if isModule(r.Pairs[0]) {
		r.texts = r.Pairs[0].Include
		r.asker = newAsker(r.Question)
		if err := r.readModule(true); err != nil {
			return err
		}
		r.slots()
		return nil
	}
	if len(r.Only) == 0 {
		r.Only = searched(r.Pairs)
	}
	named := func(file string) bool {
		return slices.ContainsFunc(r.Only, func(only string) bool { return path.Clean(only) == path.Clean(file) })
	}
	fenced := map[string]string{}
	for _, t := range r.Pairs {
		for name, text := range programTexts(t) {
			r.texts[name] = text
			all := named(name)
			fenced[name], r.fences[name] = orders.Fenced(text,
				func(function string) bool { return all || slices.Contains(r.Only, function) })
		}
		for _, name := range included(t, false) {
			if text := r.texts[name]; !named(name) && len(r.fences[name]) == 0 && !slices.Contains(r.left, name) &&
				orders.Has(text) {
				r.left = append(r.left, name)
			}
		}
	}
	for again := true; again; again = r.dropUnread(fenced) {
		for i, t := range r.Pairs {
			r.Pairs[i] = Changed(t, fenced)
		}
		r.asker = newAsker(r.Question)
		if err := r.readText(); err != nil {
			return err
		}
	}
	r.slots()
	asWritten := r.text.With(r.base, true)
	for name, lines := range r.fences {
		if len(lines) > 0 && asWritten[name] != r.texts[name] {
			return fmt.Errorf("BUG: %s: an inserted fence cannot be removed again", name)
		}
	}
	return nil
}

// slots lists the options of each place with their costs.
func (r *repairer) slots() {
	for _, p := range r.text.places() {
		was := p.Was
		if p.Fence && slices.Contains(r.fences[p.File], p.Line) {
			was = c.Relaxed
		}
		slot, options := change.Slot{}, []c.Order{was}
		for _, o := range p.Can {
			if _, ok := r.cost(p, o); ok && orders.Weaker(was, o) {
				options = append(options, o)
			}
		}
		before, _ := r.cost(p, was)
		for _, o := range options {
			option := change.Option{}
			if o != was {
				after, _ := r.cost(p, o)
				option.Cost = max(after-before, 1)
			}
			for j, than := range options {
				if than == o || orders.Weaker(than, o) {
					option.Below = append(option.Below, j)
				}
			}
			slot.Options = append(slot.Options, option)
		}
		r.base, r.orders, r.set.Slots = append(r.base, was), append(r.orders, options), append(r.set.Slots, slot)
	}
}

// Inserted fences are real lines of the text, so that the search parses the programs with all possible changes present,
// and a choice only changes the words in place. before and line translate line numbers in answers back.

// dropUnread removes inserted fences that no program contains, for example in text that the preprocessor skips. It
// reports whether there were any; the caller must then parse the texts again.
func (r *repairer) dropUnread(fenced map[string]string) bool {
	read := map[string][]int{}
	for _, p := range r.text.places() {
		if p.Fence {
			read[p.File] = append(read[p.File], p.Line)
		}
	}
	dropped := false
	for name, lines := range r.fences {
		var kept []int
		text := strings.SplitAfter(fenced[name], "\n")
		for n, line := range lines {
			if slices.Contains(read[name], line) {
				kept = append(kept, line-(n-len(kept)))
				continue
			}
			text[line-1] = ""
			dropped = true
		}
		fenced[name], r.fences[name] = strings.Join(text, ""), kept
	}
	return dropped
}

// If no repair exists in the searched files but other files contain orders, then the answer is unknown, not "no
// repair": the cause may be in one of the others.

// unsearched names the files that a repair could change, but the question excludes.
func (r *repairer) unsearched() string {
	if len(r.left) == 1 {
		return r.left[0] + " is not searched: add --only " + r.left[0]
	}
	return strings.Join(r.left, ", ") + " are not searched: name the files to search with --only"
}

// A place may order several operations at once, if a macro or an argument contains its order. Then its cost is the sum
// of theirs, and an order is possible only if all of them have a price for it.

// cost returns the cost of an order at a place, the sum over all operations there. ok is false if the table excludes
// the order.
func (r *repairer) cost(p orders.Place, o c.Order) (cost int, ok bool) { return priceOf(r.price, p, o) }

// priceOf is cost with a table of prices.
func priceOf(prices map[string]int, p orders.Place, o c.Order) (cost int, ok bool) {
	if o == c.Relaxed {
		return 0, true
	}
	for _, does := range p.Does {
		key := fmt.Sprintf("order %s %s", does, orders.Word(o, false))
		switch does {
		case orders.Atomics:
			key = string(change.Atomic) + " object"
		case "fence":
			key = fmt.Sprintf("fence atomic_thread_fence(%s)", o)
		}
		price, is := prices[key]
		if !is {
			return 0, false
		}
		cost += price
	}
	return cost, true
}

// made returns the orders of a choice.
func (r *repairer) made(choice change.Choice) []c.Order {
	out := make([]c.Order, len(choice))
	for i, o := range choice {
		out[i] = r.orders[i][o]
	}
	return out
}

// solve asks about the original program and about all changes together, and then searches between the two.
func (r *repairer) solve(ctx context.Context) error {
	least, most := make(change.Choice, len(r.orders)), make(change.Choice, len(r.orders))
	changes := 0
	for i := range most {
		if most[i] = len(r.orders[i]) - 1; most[i] > 0 {
			changes++
		}
	}
	j, err := r.decided(ctx, least, true)
	if err != nil {
		return err
	}
	r.reply.Verdict = solver.Safe
	if j.verdict == safe {
		r.reply.Already, r.reply.Minimal = true, true
		return nil
	}
	r.reply.Verdict = solver.Unsafe
	offer := r.offerAtomics
	if isModule(r.Pairs[0]) {
		offer = r.refusePlain
	}
	if err := offer(ctx); err != nil {
		return err
	}
	for i := len(most); i < len(r.orders); i++ {
		least, most = append(least, 0), append(most, 1)
		changes++
	}
	if changes == 0 {
		under, how := models.Label(j.answer.Model), r.fails(j.answer)
		if len(r.left) > 0 {
			return &undecided{
				fmt.Sprintf("it fails under %s, and %s already uses the strongest orders%s; %s", under,
					strings.Join(r.Only, ", "), how+r.refusals(), r.unsearched()),
			}
		}
		r.reply.Impossible, r.reply.Reason = true,
			fmt.Sprintf("it fails under %s, and every access that can be strengthened already uses the strongest "+
				"order%s%s", under, how, r.refusals())
		return nil
	}
	switch j, err = r.decided(ctx, most, false); {
	case err != nil:
		return err
	case j.verdict == unsafe:
		why := fmt.Sprintf("it fails under %s even with %s together%s", models.Label(j.answer.Model),
			solver.Count(changes, "change"), r.fails(j.answer)) + r.refusals()
		if len(r.left) > 0 {
			return &undecided{why + "; " + r.unsearched()}
		}
		r.reply.Impossible, r.reply.Reason = true, why
		return nil
	}
	bound := hitting.NoBound
	for {
		choice := r.set.Next(bound)
		if choice == nil {
			r.reply.Minimal = true
			break
		}
		if len(r.reply.Repairs) == mostRepairs {
			r.reply.More, r.reply.Minimal = true, true
			break
		}
		hopeless := r.hopeless(r.made(choice))
		if !hopeless {
			if j, err = r.decided(ctx, choice, false); err != nil {
				return err
			}
		}
		if hopeless || j.verdict == unsafe {
			large, err := r.grow(ctx, choice)
			if err != nil {
				return err
			}
			r.set.Add(large)
			continue
		}
		if j, err = r.decided(ctx, choice, true); err != nil {
			return err
		}
		if j.verdict == unsafe {
			return errors.New("BUG: a program that was safe with blank lines fails without them")
		}
		repair, err := r.repair(ctx, choice)
		if err != nil {
			return err
		}
		r.reply.Repairs = append(r.reply.Repairs, *repair)
		r.set.Answers = append(r.set.Answers, choice)
		bound = repair.Cost + 1
	}
	return nil
}

// Verdicts here are three-valued. The search can enlarge a failing choice only as long as failures are certain, and a
// sufficient choice counts only if all pairs are safe. If a choice stays without a verdict, the search ends with status
// unknown, because it cannot form the next clause.

// mostRepairs bounds the number of listed repairs.
const mostRepairs = 24

// The search asks about every choice with blank lines first, then, if it is safe, about the printed text. The two
// differ in line numbers only, so that a different verdict is a BUG.

// decided asks about a choice and returns an error if there is no verdict.
func (r *repairer) decided(ctx context.Context, choice change.Choice, neat bool) (judged, error) {
	j, err := r.check(ctx, r.made(choice), neat)
	switch {
	case err != nil:
		return j, err
	case j.verdict == open && j.answer.Status == solver.Failed:
		return j, errors.New(j.reason)
	case j.verdict == open:
		return j, &undecided{fmt.Sprintf("%s under %s: %s", j.answer.Path, j.answer.Model, j.reason)}
	}
	return j, nil
}

// grow enlarges a failing choice while it fails. It adds changes to whole ranges of slots and halves a range that
// does not fail. An undecided choice does not count as failing.
func (r *repairer) grow(ctx context.Context, choice change.Choice) (change.Choice, error) {
	large := slices.Clone(choice)
	fails := func(try change.Choice) (bool, error) {
		if r.hopeless(r.made(try)) {
			return true, nil
		}
		j, err := r.check(ctx, r.made(try), false)
		return err == nil && j.verdict == unsafe, err
	}
	var add func(from, to int) error
	add = func(from, to int) error {
		try := slices.Clone(large)
		for i := from; i < to; i++ {
			try[i] = len(r.orders[i]) - 1
		}
		if slices.Equal(try, large) {
			return nil
		}
		ok, err := fails(try)
		switch {
		case err != nil:
			return err
		case ok:
			large = try
			return nil
		case to-from > 1:
			if err := add(from, (from+to)/2); err != nil {
				return err
			}
			return add((from+to)/2, to)
		}
		for o := len(r.orders[from]) - 2; o > large[from]; o-- {
			if !slices.Contains(r.set.Slots[from].Options[o].Below, large[from]) {
				continue
			}
			try[from] = o
			if ok, err := fails(try); err != nil || ok {
				large = try
				return err
			}
		}
		return nil
	}
	err := add(0, len(large))
	return large, err
}

// repair returns the answer for a choice. For each change it includes what fails without that change.
func (r *repairer) repair(ctx context.Context, choice change.Choice) (*synth.Repair, error) {
	out := &synth.Repair{Changes: []synth.Change{}}
	made := r.made(choice)
	files := r.text.With(made, true)
	for _, name := range slices.Sorted(maps.Keys(r.texts)) {
		text, ok := files[name]
		if !ok {
			text = r.texts[name]
		}
		if out.Source == "" || text != r.texts[name] {
			out.Source = text
		}
		if text != r.texts[name] {
			out.Files = append(out.Files, solver.SourceFile{Name: name, Text: text})
			out.Diff += difference(name, r.texts[name], text)
		}
	}
	for i, p := range r.text.places() {
		o := made[i]
		if o == r.base[i] {
			continue
		}
		before, _ := r.cost(p, r.base[i])
		after, _ := r.cost(p, o)
		line, isNew := r.line(p)
		isNew = isNew || r.text.isNew(i)
		ch := synth.Change{
			File: p.File, Function: p.Function, Line: line, Kind: change.Order, Cost: max(after-before, 1),
			Text:  orders.Word(o, false),
			Place: strings.TrimSuffix(strings.TrimSpace(strings.Split(r.texts[p.File], "\n")[line-1]), ";"),
		}
		if isNew {
			ch.Kind, ch.Text = change.Fence, fmt.Sprintf("atomic_thread_fence(%s)", o)
		}
		if p.IsAtomic() {
			ch.Kind, ch.Text = change.Atomic, "make "+p.Operation+" _Atomic"
		}
		out.Cost += ch.Cost
		without := slices.Clone(choice)
		without[i] = 0
		j, err := r.decided(ctx, without, false)
		if err != nil {
			return nil, err
		}
		if j.verdict == safe {
			return nil, fmt.Errorf("BUG: a cheapest repair has an unnecessary change, at line %d", line)
		}
		ch.Fails, ch.FailsUnder = models.Label(j.answer.Model)+r.fails(j.answer), j.answer.Model
		for name, text := range r.shown(r.text.With(r.made(without), true)) {
			ch.Without = append(ch.Without, solver.SourceFile{Name: name, Text: text})
		}
		out.Changes = append(out.Changes, ch)
	}
	return out, nil
}

// fails describes a client's failure, with the line in the original text.
func (r *repairer) fails(v *solver.Verification) string {
	shown := *v
	for _, f := range []**solver.Failure{&shown.Failure, &shown.Race, &shown.Undefined} {
		if *f != nil {
			moved := **f
			moved.Line -= r.before(moved.File, moved.Line)
			*f = &moved
		}
	}
	return fails(&shown)
}

// before returns the number of inserted fences before a line of a file.
func (r *repairer) before(file string, line int) int {
	n, _ := slices.BinarySearch(r.fences[file], line)
	return n
}

// line returns a place's line in the original text; for an inserted fence, the line after it.
func (r *repairer) line(p orders.Place) (line int, isNew bool) {
	return p.Line - r.before(p.File, p.Line), p.Fence && slices.Contains(r.fences[p.File], p.Line)
}
