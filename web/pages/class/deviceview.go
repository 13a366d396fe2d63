package class

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"litmuscope/solver"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// devicesView is the part of a class's page about a run of a test on the class's devices. It has verdicts only after
// the answer is revealed.
type devicesView struct {
	Item, Run int
	Asking    bool // devices can still take part
	Mine      class.Report
	Sum       class.DeviceSum
	Total     class.KindSum
	Shows     bool     // the role sees the counts
	Models    []string // the columns of verdicts
	Kinds     []kindView
	Rows      []countRow
	More      int // further outcomes, which are not listed
	MoreRuns  int64
	Filtered  int64 // runs whose outcome the test's filter leaves out
	Alarms    []alarmView
}

// kindView is the column of a kind of device.
type kindView struct {
	Name string
	class.KindSum
}

// countRow is an outcome and how often devices have seen it.
type countRow struct {
	Outcome  string
	Asked    bool             // the question is about it
	Verdicts []solver.Verdict // of Models
	Counts   []int64          // of Kinds
	Total    int64
	Mine     int64
	Alarm    bool // it was seen although a model forbids it
}

// alarmView is an outcome that was seen although models forbid it.
type alarmView struct {
	Outcome, Models string
	Count           int64
}

// The maximum number of listed outcomes, for everybody and for the teacher.
const (
	outcomesShown  = 12
	outcomesListed = class.MaxOutcomes
	alarmsShown    = 4
)

// runTime is how long a device runs a test.
const runTime = 10 * time.Second

// viewDevices returns the view of the current question's last run; nil if there is none, or while students vote.
func viewDevices(c classRequest, now *class.View, role classRole) *devicesView {
	_, p := now.Item()
	if p.Runs == 0 || p.Phase == class.Waiting || p.Phase == class.Opened || role == asScreen && !now.Counts {
		return nil
	}
	v := &devicesView{Item: now.Current, Run: p.Runs, Asking: p.Asking, Sum: c.Sum(now.Current, p.Runs)}
	v.Total = v.Sum.Total()
	if role == asStudent {
		v.Mine, _ = c.ReportOf(c.voter, now.Current, p.Runs)
	}
	v.Shows = role != asStudent || v.Mine.Answer != "" || !p.Asking
	if !v.Shows {
		return v
	}
	if role != asStudent { // a phone has no room for them
		for _, k := range class.DeviceKinds {
			if sum := v.Sum.Kinds[k.ID]; sum.Devices > 0 {
				v.Kinds = append(v.Kinds, kindView{k.Name, sum})
			}
		}
	}
	v.list(aboutOf(p), p.Phase == class.Revealed, role)
	return v
}

// list adds the rows: what was seen although a model forbids it, what was seen most often, and what was not seen.
// Before the reveal it has no verdicts, and no row that was not seen except the one that the question is about.
func (v *devicesView) list(about runAbout, revealed bool, role classRole) {
	outcomes := slices.Clone(about.Asked)
	for outcome := range v.Sum.Counts {
		outcomes = append(outcomes, outcome)
	}
	if revealed {
		for _, m := range about.Models {
			v.Models = append(v.Models, m.Label)
			outcomes = append(outcomes, m.Allowed...)
		}
	}
	slices.Sort(outcomes)
	var rows []countRow
	for _, outcome := range slices.Compact(outcomes) {
		row := v.row(outcome, &about, revealed)
		if outcome == "" {
			v.Filtered = row.Total
			continue
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b countRow) int {
		first := func(r *countRow) int {
			switch {
			case r.Alarm:
				return 0
			case r.Total > 0:
				return 1
			case r.Asked:
				return 2
			}
			return 3
		}
		return cmp.Or(cmp.Compare(first(&a), first(&b)), cmp.Compare(b.Total, a.Total))
	})
	most := outcomesShown
	if role == asTeacherRole {
		most = outcomesListed
	}
	for _, row := range rows {
		if row.Alarm {
			v.Alarms = append(v.Alarms, row.alarm(v.Models))
		}
		if len(v.Rows) == most {
			v.More++
			v.MoreRuns += row.Total
			continue
		}
		v.Rows = append(v.Rows, row)
	}
}

func (v *devicesView) row(outcome string, about *runAbout, revealed bool) countRow {
	row := countRow{Outcome: outcome, Asked: slices.Contains(about.Asked, outcome), Mine: v.Mine.Counts[outcome]}
	for _, n := range v.Sum.Counts[outcome] {
		row.Total += n
	}
	for _, k := range class.DeviceKinds {
		if v.Sum.Kinds[k.ID].Devices > 0 {
			row.Counts = append(row.Counts, v.Sum.Counts[outcome][k.ID])
		}
	}
	if revealed {
		for m := range about.Models {
			verdict := about.Models[m].verdict(outcome)
			row.Verdicts = append(row.Verdicts, verdict)
			row.Alarm = row.Alarm || row.Total > 0 && verdict == solver.Forbidden
		}
	}
	return row
}

func (r *countRow) alarm(models []string) alarmView {
	var forbid []string
	for m, verdict := range r.Verdicts {
		if verdict == solver.Forbidden {
			forbid = append(forbid, models[m])
		}
	}
	return alarmView{r.Outcome, strings.Join(forbid, ", "), r.Total}
}

// Taking counts the voters by what they answered.
func (v *devicesView) Taking() string {
	return fmt.Sprintf("%s ran it, %d declined, %d cannot, %d not answered", solver.Count(v.Sum.Ran, "device"),
		v.Sum.Declined, v.Sum.Cannot, v.Sum.Unanswered)
}

// countColumns returns the number of columns with counts: one for each kind of device, and their sum if there are more.
func (v *devicesView) countColumns() int {
	if len(v.Kinds) > 1 {
		return len(v.Kinds) + 1
	}
	return 1
}

// countText formats a number of runs.
func countText(n int64) string { return server.Thousands(int(n)) }

// timesText formats how often something was seen.
func timesText(n int64) string {
	if n == 1 {
		return "once"
	}
	return countText(n) + " times"
}

// runsText formats a number of runs as words.
func runsText(n int64) string {
	if n == 1 {
		return "1 run"
	}
	return countText(n) + " runs"
}
