package suites

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"litmuscope/solver"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/server"
)

// seenShow is the value of show that selects the tests of which a machine has shown an outcome that a model forbids.
const seenShow = "seen"

// machineView is a column of the matrix: a machine that has run tests of the suite.
type machineView struct{ Name, Label, Title string }

func (s *page) viewMachines(ctx context.Context, of *suites.Suite) (out []machineView, err error) {
	machines, err := s.Store.SuiteMachines(ctx, of)
	for _, m := range machines {
		facts := []string{server.Visible(m.Name)}
		for _, fact := range []string{m.Arch, m.Processor, m.System} {
			if fact != "" {
				facts = append(facts, server.Visible(fact))
			}
		}
		out = append(out, machineView{m.Name, facts[0], strings.Join(facts, ", ")})
	}
	return out, err
}

// judged returns what machines have shown of the tests of some places, by place, with the suite's models that forbid
// it.
func (s *page) judged(ctx context.Context, of *suites.Suite, places []int) (map[int][]solver.MachineRuns, error) {
	seen, err := s.Store.SuiteSeen(ctx, of, places)
	if err != nil || len(seen) == 0 {
		return nil, err
	}
	var tests []int
	for n := range seen {
		tests = append(tests, n)
	}
	slices.Sort(tests)
	rows, err := s.Store.RowsOf(ctx, of, tests)
	if err != nil {
		return nil, err
	}
	for _, n := range tests {
		var results []*solver.Result
		var labels []string
		for m, r := range rows[n] {
			if r != nil {
				results, labels = append(results, r), append(labels, suiteModelLabel(of.Request.Models[m].Name))
			}
		}
		seen[n] = solver.Against(seen[n], results, labels)
	}
	return seen, nil
}

// addMachines completes rows of the matrix with the cells of machines, in the order of the columns.
func (s *page) addMachines(
	ctx context.Context,
	of *suites.Suite,
	columns []machineView,
	rows []store.MatrixRow,
) error {
	if len(columns) == 0 {
		return nil
	}
	places := make([]int, len(rows))
	for i, r := range rows {
		places[i] = r.N
	}
	seen, err := s.judged(ctx, of, places)
	for i := range rows {
		for _, c := range columns {
			cell := store.MatrixSeen{Title: c.Label + ": has not run the test"}
			for _, m := range seen[rows[i].N] {
				if m.Name == c.Name {
					cell = viewSeen(c, &m)
				}
			}
			rows[i].Machines = append(rows[i].Machines, cell)
		}
	}
	return err
}

// viewSeen is a machine's cell: its runs or, loud, the runs that ended in outcomes that a model forbids.
func viewSeen(c machineView, m *solver.MachineRuns) store.MatrixSeen {
	all := server.Thousands(int(m.Runs))
	title := fmt.Sprintf("%s: %s %s, %s", c.Label, all, server.Plural(int(min(m.Runs, 2)), "run"),
		solver.Count(len(m.Outcomes), "outcome"))
	if forbidden, models := m.Forbidden(); forbidden > 0 {
		return store.MatrixSeen{
			Text: server.Thousands(int(forbidden)) + " forbidden", Alarm: true,
			Title: fmt.Sprintf("%s; %s ended in outcomes that %s forbids", title, server.Thousands(int(forbidden)),
				strings.Join(models, ", ")),
		}
	}
	return store.MatrixSeen{Text: all, Title: title + "; every outcome is allowed, or no model decides it"}
}

// seenForbidden lists the tests of which a machine has shown an outcome that a model of the suite forbids, in order.
func (s *page) seenForbidden(ctx context.Context, of *suites.Suite) (out []int, err error) {
	over, err := s.comparing.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer over()
	places, err := s.Store.SuiteObserved(ctx, of)
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(places, windowRows) {
		seen, err := s.judged(ctx, of, some)
		if err != nil {
			return nil, err
		}
		for _, n := range some {
			if slices.ContainsFunc(seen[n], func(m solver.MachineRuns) bool {
				runs, _ := m.Forbidden()
				return runs > 0
			}) {
				out = append(out, n)
			}
		}
	}
	return out, nil
}

// matching lists the tests that match a filter, in order.
func (s *page) matching(ctx context.Context, of *suites.Suite, f filter) ([]int, error) {
	list, err := s.Store.Matching(ctx, of, f.Filter)
	if err != nil || f.Show != seenShow {
		return list, err
	}
	seen, err := s.seenForbidden(ctx, of)
	return slices.DeleteFunc(list, func(n int) bool {
		_, found := slices.BinarySearch(seen, n)
		return !found
	}), err
}

// attachment adds what machines have shown to the results of a suite, as they are streamed.
type attachment struct {
	page   *page
	of     *suites.Suite
	places []int // of the tests that machines have run
	test   int   // of seen; -1: none yet
	seen   []solver.MachineRuns
}

func (s *page) newAttachment(ctx context.Context, of *suites.Suite) (*attachment, error) {
	places, err := s.Store.SuiteObserved(ctx, of)
	return &attachment{page: s, of: of, places: places, test: -1}, err
}

// add sets the machines of a result of a test.
func (a *attachment) add(ctx context.Context, test int, r *solver.Result) error {
	if _, ran := slices.BinarySearch(a.places, test); !ran {
		return nil
	}
	if a.test != test {
		seen, err := a.page.Store.SuiteSeen(ctx, a.of, []int{test})
		if err != nil {
			return err
		}
		a.test, a.seen = test, seen[test]
	}
	r.Machines = solver.Against(a.seen, []*solver.Result{r}, []string{r.Model})
	return nil
}
