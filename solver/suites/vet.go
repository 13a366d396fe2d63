package suites

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"litmuscope/solver/engines"
)

// vet returns the part of a report that the coordinator may record. Whoever has the queue's password can report, and
// workers of other versions do: it drops rows that no job of the suite can have asked for. The job, and not the report,
// names the key under which the cache keeps an answer.
func (c *Coordinator) vet(r *Report) (fit []Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, j := c.active[r.Number], c.jobs[r.Job]
	if a == nil || a.Version != r.Version {
		return nil // the suite has ended, or begun anew
	}
	if j != nil && j.Number != r.Number {
		j = nil
	}
	dropped, more := 0, 0
	for _, row := range r.Rows {
		if !a.asks(&row) || j != nil && !j.asks(&row) {
			dropped++
			continue
		}
		row.Suite, row.Version = r.Number, r.Version
		switch {
		case a.Request.Program == nil:
			row.RestPaths = nil
		case c.MaxTests > 0 && a.Tests+more+len(row.RestPaths) > c.MaxTests:
			row = a.tooMany(row, c.MaxTests)
		}
		more += len(row.RestPaths)
		if row.ForCache && j != nil {
			t := j.Tests[slices.IndexFunc(j.Tests, func(t JobTest) bool { return t.N == row.Test })]
			if key, err := engines.Key(j.Request.Task(row.Model, t.Path, t.Source)); err == nil {
				row.Key = &key
			}
		}
		fit = append(fit, row)
	}
	if dropped > 0 {
		c.stats.Dropped += int64(dropped)
		c.Log.Warn("dropping rows that no job asked for", "suite", r.Suite, "worker", r.Worker,
			"rows", dropped)
	}
	return fit
}

// tooMany is in the place of a row of a part that leaves more parts than a suite may have tests.
func (s *Suite) tooMany(row Row, most int) Row {
	path := s.Request.Program.Path
	failed, err := NewRow(row.Test, row.Model, engines.Failed(s.Request.Task(row.Model, path, ""),
		fmt.Errorf("%s: the executions need more than %d parts, the limit for a suite: submit a smaller program",
			path, most)), false)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	failed.Suite, failed.Version = row.Suite, row.Version
	return failed
}

// asks reports whether a row can be one of the suite's.
func (s *Suite) asks(row *Row) bool {
	return row.Test >= 0 && row.Test < s.Tests && row.Model >= 0 && row.Model < len(s.Request.Models) &&
		slices.Contains([]Code{Allowed, Forbidden, Undecided, Failed}, row.Code) &&
		row.MS >= 0 && row.MS < math.MaxInt32 && json.Valid(row.Body)
}

// asks reports whether a row is one of the job's.
func (j *Job) asks(row *Row) bool {
	return slices.ContainsFunc(j.Tests,
		func(t JobTest) bool { return t.N == row.Test && slices.Contains(t.Models, row.Model) })
}
