package class

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"litmuscope/store"
)

// A teacher asks the class's devices to run the test of a question, several times if they want. In each of these runs,
// numbered from 1, a voter's device reports what it has counted so far, again and again while it runs the test. The
// last report replaces those before, so that a report that arrives twice counts once. A voter who leaves keeps what
// they reported.

// DeviceKind is a kind of device, as far as browsers say what they run on.
type DeviceKind struct{ ID, Name string }

// DeviceKinds lists the kinds, in the order in which tables show them.
var DeviceKinds = []DeviceKind{
	{"arm-android", "Arm phone (Android)"},
	{"android", "Android, processor unknown"},
	{"ios", "iPhone or iPad"},
	{"arm", "Arm computer"},
	{"mac", "Mac (Arm or x86 unknown)"},
	{"x86", "x86 computer"},
	{"windows", "Windows, processor unknown"},
	{"other", "Other device"},
}

// Participation is a voter's answer to the request to run a test.
type Participation string

// The values of Participation.
const (
	Ran      Participation = "ran"      // the device runs the test, or has run it
	Declined Participation = "declined" // the voter does not want to
	Cannot   Participation = "cannot"   // the device cannot run it
)

// Report is what a voter's device has counted so far in one run. It has no counts unless the device ran the test.
type Report struct {
	Answer Participation `json:"answer"`
	// Page tells the voter's pages apart, so that only one of them reports. Its page chooses it.
	Page   string           `json:"page,omitempty"`
	Kind   string           `json:"kind,omitempty"` // the ID of a DeviceKind
	Runs   int64            `json:"runs,omitempty"` // the sum of Counts
	Left   int64            `json:"left,omitempty"` // further runs that could not be counted
	Counts map[string]int64 `json:"counts,omitempty"`
}

// Bounds on the runs of a test.
const (
	MaxRuns     = 9           // of one question
	MaxOutcomes = 100         // different outcomes in one run, of all devices together
	MaxCounted  = 100_000_000 // runs of the test in one report
	maxPage     = 64          // bytes
)

// RunGrace is how long after the teacher stops asking a report still counts: a device that has just begun goes on for
// ten seconds.
const RunGrace = 20 * time.Second

// The errors for rejected reports.
var (
	ErrNotAsked  = errors.New("the class's devices are not asked to run this test now")
	ErrReport    = errors.New("the report is not valid")
	ErrOtherPage = errors.New("another page of yours already runs this test")
	ErrReporting = errors.New("the server is still storing your last report")
	ErrOutcomes  = fmt.Errorf("the class has seen %d different outcomes, which is the limit", MaxOutcomes)
)

// check returns an error for a report that no device can give.
func (r *Report) check() error {
	if r.Answer != Ran {
		if r.Answer != Declined && r.Answer != Cannot || r.Page+r.Kind != "" || r.Runs|r.Left != 0 ||
			len(r.Counts) > 0 {
			return fmt.Errorf("%w: only a device that ran the test has counts", ErrReport)
		}
		return nil
	}
	known := false
	for _, k := range DeviceKinds {
		known = known || k.ID == r.Kind
	}
	sum := int64(0)
	for _, n := range r.Counts {
		if n < 1 || n > MaxCounted {
			return fmt.Errorf("%w: a count must be between 1 and %d", ErrReport, MaxCounted)
		}
		sum += n // at most MaxOutcomes numbers, each at most MaxCounted
	}
	switch {
	case !known:
		return fmt.Errorf("%w: there is no such kind of device", ErrReport)
	case r.Page == "" || len(r.Page) > maxPage:
		return fmt.Errorf("%w: the page has no name", ErrReport)
	case len(r.Counts) > MaxOutcomes:
		return ErrOutcomes
	case r.Runs < 0 || r.Left < 0 || r.Runs > MaxCounted || r.Left > MaxCounted:
		return fmt.Errorf("%w: a device reports at most %d runs", ErrReport, MaxCounted)
	case sum != r.Runs:
		return fmt.Errorf("%w: the counts have the sum %d, not %d", ErrReport, sum, r.Runs)
	}
	return nil
}

// replaces reports whether a report counts instead of the voter's last one. It does not if it is the same, or older. It
// returns an error if the two cannot be of one run.
func (r *Report) replaces(last *Report) (bool, error) {
	switch {
	case last.Answer != Ran:
		return r.Answer != last.Answer, nil
	case r.Answer != Ran:
		return false, nil
	case r.Page != last.Page:
		return false, ErrOtherPage
	case r.Runs+r.Left <= last.Runs+last.Left:
		return false, nil
	case r.Kind != last.Kind || r.Left < last.Left:
		return false, fmt.Errorf("%w: it contradicts an earlier one", ErrReport)
	}
	for outcome, n := range last.Counts {
		if r.Counts[outcome] < n {
			return false, fmt.Errorf("%w: a count is smaller than before", ErrReport)
		}
	}
	return true, nil
}

// AskDevices asks the class's devices to run the test of the current item. about is data of the pages about this run;
// this package does not read it. Its errors are those of Do.
func (r *Room) AskDevices(ctx context.Context, about json.RawMessage) error {
	return r.change(ctx, func(s *State, items []Item, progress []Progress) ([]int, error) {
		if len(items) == 0 {
			return nil, fmt.Errorf("%w: the class has no question yet", ErrNotNow)
		}
		p := &progress[s.Current]
		p.closeExpired(r.hall.now())
		if err := p.canRun(); err != nil {
			return nil, err
		}
		p.Runs, p.Asking, p.Stopped, p.About = p.Runs+1, true, 0, about
		s.Counts, s.Leaders = true, false
		return []int{s.Current}, nil
	})
}

// canRun returns why devices cannot be asked in the current phase, or nil.
func (p *Progress) canRun() error {
	switch {
	case p.Phase == Waiting || p.Phase == Opened:
		return fmt.Errorf("%w: devices run a test after the vote, and the question is %s", ErrNotNow, p.Phase)
	case p.Runs == MaxRuns:
		return fmt.Errorf("%w: devices run the test of a question at most %d times", ErrNotNow, MaxRuns)
	}
	return nil
}

// stop ends the request to the devices, and reports whether there was one.
func (p *Progress) stop(now time.Time) bool {
	was := p.Asking
	if was {
		p.Asking, p.Stopped = false, now.UnixMilli()
	}
	return was
}

// takesReport reports whether reports that arrive now count in a run.
func (p *Progress) takesReport(run int, now time.Time) bool {
	return run > 0 && run == p.Runs && (p.Asking || now.Sub(time.UnixMilli(p.Stopped)) < RunGrace)
}

// Report stores the report of a voter's device in a run of an item's test, and returns the report that counts now. The
// errors are ErrNotAsked, ErrReport, ErrOtherPage, ErrReporting, ErrOutcomes, ErrFull, store.ErrNoRoom, and the
// store's.
func (r *Room) Report(ctx context.Context, by Voter, item, run int, report Report) (Report, error) {
	if err := report.check(); err != nil {
		return Report{}, err
	}
	key := round{item, run}
	last, replaces, err := r.admitReport(by, key, &report)
	if err != nil || !replaces {
		return last, err
	}
	stored := func(err error) {
		r.mu.Lock()
		if delete(r.reporting, by); err == nil {
			r.countReport(by, key, report)
		}
		r.mu.Unlock()
		r.counted.send()
	}
	body, err := json.Marshal(report)
	if err != nil {
		stored(err)
		return Report{}, err
	}
	err = r.hall.reports.add(ctx,
		store.RoomReport{Room: r.Number, Item: item, Run: run, Voter: by[:], Report: body}, stored)
	return report, err
}

// admitReport decides whether a report replaces the voter's last one, which it returns. If it does, no other report of
// the voter is admitted until this one is stored.
func (r *Room) admitReport(by Voter, key round, report *Report) (last Report, replaces bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.over:
		return last, false, store.ErrNoRoom
	case key.item < 0 || key.item >= len(r.items) || !r.progress[key.item].takesReport(key.round, r.hall.now()):
		return last, false, ErrNotAsked
	case !r.voters[by] && len(r.voters) >= MaxVoters:
		return last, false, ErrFull
	case r.reporting[by]:
		return last, false, ErrReporting
	}
	last, answered := r.reports[key][by]
	if replaces, err = true, nil; answered {
		replaces, err = report.replaces(&last)
	}
	if err != nil || !replaces {
		return last, false, err
	}
	seen := r.sum(key).Counts
	more := 0
	for outcome := range report.Counts {
		if seen[outcome] == nil {
			more++
		}
	}
	if len(seen)+more > MaxOutcomes {
		return last, false, ErrOutcomes
	}
	r.voters[by], r.reporting[by] = true, true
	r.seen[by], r.touched = time.Now(), time.Now()
	return last, true, nil
}

// countReport counts a stored report. The caller holds the room's lock, or is its only user.
func (r *Room) countReport(by Voter, key round, report Report) {
	if r.reports[key] == nil {
		r.reports[key] = map[Voter]Report{}
	}
	r.reports[key][by] = report
	r.voters[by] = true
	delete(r.sums, key)
}

// ReportOf returns a voter's report in a run. The caller must not change its counts.
func (r *Room) ReportOf(by Voter, item, run int) (Report, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	report, ok := r.reports[round{item, run}][by]
	return report, ok
}

// KindSum is the sum of the reports of one kind of device.
type KindSum struct {
	Devices    int
	Runs, Left int64
}

// DeviceSum is the sum of all reports in a run of a test.
type DeviceSum struct {
	Ran, Declined, Cannot int                         // voters
	Unanswered            int                         // voters who are present and have not answered
	Kinds                 map[string]KindSum          // by the ID of the kind
	Counts                map[string]map[string]int64 // by outcome, and by the ID of the kind
}

// Total returns the sum of all kinds.
func (s DeviceSum) Total() (t KindSum) {
	for _, k := range s.Kinds {
		t.Devices, t.Runs, t.Left = t.Devices+k.Devices, t.Runs+k.Runs, t.Left+k.Left
	}
	return t
}

// Sum returns the sum of the reports in a run. The caller must not change its maps.
func (r *Room) Sum(item, run int) DeviceSum {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := round{item, run}
	s := *r.sum(key)
	now := time.Now()
	present := maps.Clone(r.seen)
	maps.DeleteFunc(present, func(_ Voter, last time.Time) bool { return now.Sub(last) > around })
	for by := range r.streams {
		present[by] = now
	}
	for by := range present {
		if _, answered := r.reports[key][by]; !answered {
			s.Unanswered++
		}
	}
	return s
}

// sum returns the sum of a run, without Unanswered, from the cache or by adding it up. The caller holds the room's
// lock.
func (r *Room) sum(key round) *DeviceSum {
	if s := r.sums[key]; s != nil {
		return s
	}
	s := &DeviceSum{Kinds: map[string]KindSum{}, Counts: map[string]map[string]int64{}}
	for _, report := range r.reports[key] {
		switch report.Answer {
		case Declined:
			s.Declined++
			continue
		case Cannot:
			s.Cannot++
			continue
		}
		s.Ran++
		k := s.Kinds[report.Kind]
		k.Devices, k.Runs, k.Left = k.Devices+1, k.Runs+report.Runs, k.Left+report.Left
		s.Kinds[report.Kind] = k
		for outcome, n := range report.Counts {
			if s.Counts[outcome] == nil {
				s.Counts[outcome] = map[string]int64{}
			}
			s.Counts[outcome][report.Kind] += n
		}
	}
	r.sums[key] = s
	return s
}

// DeviceResults returns the sums of all runs as a table, with a row for each outcome that a kind of device has seen.
// Columns that belong to the run or to the kind of device are the same in all its rows.
func (r *Room) DeviceResults() [][]string {
	rows := [][]string{{
		"question", "title", "asks", "run", "declined", "cannot",
		"device", "devices", "runs", "not_counted", "outcome", "count",
	}}
	v := r.View()
	for i := range v.Items {
		for run := 1; run <= v.Progress[i].Runs; run++ {
			s := r.Sum(i, run)
			line := func(of ...any) {
				row := []string{
					fmt.Sprint(i + 1), v.Items[i].Title, v.Items[i].asks(), fmt.Sprint(run), fmt.Sprint(s.Declined),
					fmt.Sprint(s.Cannot),
				}
				for _, value := range of {
					row = append(row, fmt.Sprint(value))
				}
				rows = append(rows, row)
			}
			if s.Ran == 0 {
				line("", 0, 0, 0, "", 0)
			}
			for _, kind := range DeviceKinds {
				k := s.Kinds[kind.ID]
				if k.Devices > 0 && k.Runs == 0 {
					line(kind.Name, k.Devices, k.Runs, k.Left, "", 0)
				}
				for _, outcome := range slices.Sorted(maps.Keys(s.Counts)) {
					if n := s.Counts[outcome][kind.ID]; n > 0 {
						line(kind.Name, k.Devices, k.Runs, k.Left, outcome, n)
					}
				}
			}
		}
	}
	return rows
}
