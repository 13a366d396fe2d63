package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"litmuscope/solver"
	"litmuscope/solver/suites"
)

// Observation is what one session of a machine has shown of a test.
type Observation struct {
	// Program is the litmus.ProgramHash of the test; empty if its source is not known. Such an observation is kept
	// under the test's name alone, and no test of the pages has it.
	Program []byte
	Test    string // its name
	Machine solver.Computer
	// Session names what the machine did: a run of a suite, or a log. To store an observation of the same test, machine
	// and session again replaces the first one, so that no run counts twice.
	Session string
	// Add has the runs added to those of the session, instead of replacing them.
	Add      bool
	Date     time.Time
	Runs     int64
	Outcomes []solver.SeenState // their counts are at most Runs together
}

// Bounds on observations.
const (
	MaxMachines     = 100
	MaxMachineName  = 64      // bytes, as of its processor, its architecture and its system
	MaxSession      = 200     // bytes of a session's name
	MaxSessions     = 1000    // of one machine with one test
	MaxSeen         = 10_000  // different outcomes in one session
	maxSeenBytes    = 4 << 20 // of the outcomes of one session, as JSON
	programBytes    = 32
	observedAtOnce  = 500 // tests that one query looks up
	processorLength = 200 // bytes
)

// BadObservation says why the store refuses an observation.
type BadObservation struct{ Msg string }

// Error is the reason.
func (b *BadObservation) Error() string { return b.Msg }

func badObservation(format string, args ...any) error {
	return &BadObservation{fmt.Sprintf(format, args...)}
}

func ofObservations(err error) error {
	if bad := (*BadObservation)(nil); err == nil || errors.As(err, &bad) {
		return err
	}
	return fmt.Errorf("observations: %w", err)
}

// check refuses what is beyond a bound, or does not add up.
func (o *Observation) check() error {
	m := o.Machine
	switch {
	case len(o.Program) != 0 && len(o.Program) != programBytes:
		return fmt.Errorf("BUG: a program's hash of %d bytes", len(o.Program))
	case m.Name == "":
		return badObservation("the machine has no name")
	case len(m.Name) > MaxMachineName || len(m.Arch) > MaxMachineName || len(m.System) > MaxMachineName:
		return badObservation("the machine's name %.80q is longer than %d bytes", m.Name, MaxMachineName)
	case len(m.Processor) > processorLength:
		return badObservation("the name of the processor of %s is longer than %d bytes", m.Name, processorLength)
	case o.Test == "" || len(o.Test) > suites.MaxName:
		return badObservation("the test's name %.80q has %d bytes: want 1 to %d", o.Test, len(o.Test), suites.MaxName)
	case o.Session == "" || len(o.Session) > MaxSession:
		return badObservation(
			"the session's name %.80q has %d bytes: want 1 to %d",
			o.Session,
			len(o.Session),
			MaxSession,
		)
	case len(o.Outcomes) > MaxSeen:
		return badObservation("%s has %d different outcomes: the database keeps at most %d", o.Test, len(o.Outcomes),
			MaxSeen)
	}
	for _, text := range []string{m.Name, m.Arch, m.Processor, m.System, o.Test, o.Session} {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
			return badObservation("%.80q is not a name in one line of UTF-8", text)
		}
	}
	var sum int64
	seen := map[string]bool{}
	for _, s := range o.Outcomes {
		if s.Count < 0 || s.Count > o.Runs-sum {
			return badObservation(
				"%s on %s: the counts of the outcomes are negative, or more than the %d runs",
				o.Test,
				m.Name,
				o.Runs,
			)
		}
		sum += s.Count
		key := s.State.Key()
		if seen[key] {
			return badObservation("%s on %s: the outcome %s is listed twice", o.Test, m.Name, key)
		}
		seen[key] = true
	}
	return nil
}

// PutObservations stores observations, all or none. Its error is a BadObservation, or the database's.
func (s *Store) PutObservations(ctx context.Context, list []Observation) error {
	for i := range list {
		if err := list[i].check(); err != nil {
			return err
		}
	}
	return ofObservations(s.update(ctx, func(tx *sql.Tx) error {
		for i := range list {
			if err := putObservation(ctx, tx, &list[i]); err != nil {
				return err
			}
		}
		return nil
	}))
}

// sameSession selects the row of an observation: program, machine, session and test are its arguments, in this order.
const sameSession = `program = ?1 AND machine = ?2 AND session = ?3 AND (program <> x'' OR test = ?4)`

// putObservation stores one, after its machine. The sum of the runs of a test on a machine stays an int64.
func putObservation(ctx context.Context, tx *sql.Tx, o *Observation) error {
	machine, err := putMachine(ctx, tx, o.Machine)
	if err != nil {
		return err
	}
	program := o.Program
	if program == nil {
		program = []byte{}
	}
	of := []any{program, machine, o.Session, o.Test}
	runs, outcomes := o.Runs, o.Outcomes
	var (
		number, had int64
		packed      bool
		body        []byte
	)
	err = tx.QueryRowContext(ctx, `SELECT number, runs, packed, body FROM observations WHERE `+sameSession, of...).
		Scan(&number, &had, &packed, &body)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return err
	case o.Add:
		var old []solver.SeenState
		if err := unpack(body, packed, maxRow, &old); err != nil {
			return err
		}
		if had > math.MaxInt64-runs {
			return badObservation("%s on %s has more runs than a number can count", o.Test, o.Machine.Name)
		}
		if runs, outcomes = runs+had, addSeen(old, outcomes); len(outcomes) > MaxSeen {
			return badObservation("%s has shown %d different outcomes on %s: the database keeps at most %d", o.Test,
				len(outcomes), o.Machine.Name, MaxSeen)
		}
	}
	var others sql.NullInt64
	var sessions int
	if err := tx.QueryRowContext(ctx, `SELECT sum(runs), count(*) FROM observations
		WHERE program = ?1 AND machine = ?2 AND session <> ?3 AND (program <> x'' OR test = ?4)`, of...).
		Scan(&others, &sessions); err != nil {
		return err
	}
	if others.Int64 > math.MaxInt64-runs {
		return badObservation("%s on %s has more runs than a number can count", o.Test, o.Machine.Name)
	}
	if sessions >= MaxSessions {
		return badObservation("%s has %d sessions of %s, which is the limit", o.Machine.Name, sessions, o.Test)
	}
	text, err := json.Marshal(outcomes)
	if err != nil {
		return err
	}
	if len(text) > maxSeenBytes {
		return badObservation("the outcomes of %s on %s take %d KiB: the database keeps at most %d KiB", o.Test,
			o.Machine.Name, len(text)>>10, maxSeenBytes>>10)
	}
	if body, packed, err = squeeze(text); err != nil {
		return err
	}
	if number > 0 {
		_, err = tx.ExecContext(ctx,
			`UPDATE observations SET test = ?, made = ?, runs = ?, packed = ?, body = ? WHERE number = ?`,
			o.Test, o.Date.UnixMilli(), runs, packed, body, number)
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO observations (program, machine, session, test, made, runs, packed, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, append(of, o.Date.UnixMilli(), runs, packed, body)...)
	return err
}

// putMachine is the number of a machine, whose description is brought up to date.
func putMachine(ctx context.Context, tx *sql.Tx, m solver.Computer) (number int64, err error) {
	var others int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM machines WHERE name <> ?`, m.Name).Scan(&others); err != nil {
		return 0, err
	}
	if others >= MaxMachines {
		return 0, badObservation("the database has %d machines, which is the limit", others)
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO machines (name, arch, processor, system, cores) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET
			arch = CASE excluded.arch WHEN '' THEN arch ELSE excluded.arch END,
			processor = CASE excluded.processor WHEN '' THEN processor ELSE excluded.processor END,
			system = CASE excluded.system WHEN '' THEN system ELSE excluded.system END,
			cores = CASE excluded.cores WHEN 0 THEN cores ELSE excluded.cores END
		RETURNING number`, m.Name, m.Arch, m.Processor, m.System, m.Cores).Scan(&number)
	return number, err
}

// addSeen adds counts state by state.
func addSeen(a, b []solver.SeenState) []solver.SeenState {
	at := map[string]int{}
	out := make([]solver.SeenState, 0, len(a)+len(b))
	for _, s := range slices.Concat(a, b) {
		key := s.State.Key()
		if i, ok := at[key]; ok {
			out[i].Count += s.Count
			continue
		}
		at[key] = len(out)
		out = append(out, solver.SeenState{State: s.State, Count: s.Count})
	}
	return out
}

// observed is a session as the database has it.
type observed struct {
	solver.MachineRuns
	program string
}

const observationColumns = `SELECT o.program, m.name, m.arch, m.processor, m.system, m.cores, o.runs, o.made, o.packed,
	o.body FROM observations o JOIN machines m ON m.number = o.machine `

// scanObservations reads sessions and passes each to f.
func (s *Store) scanObservations(
	ctx context.Context, f func(observed), query string, args ...any,
) error {
	rows, err := s.db.QueryContext(ctx, observationColumns+query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			o             observed
			program, body []byte
			made          int64
			packed        bool
		)
		if err := rows.Scan(&program, &o.Name, &o.Arch, &o.Processor, &o.System, &o.Cores, &o.Runs, &made, &packed,
			&body); err != nil {
			return err
		}
		if err := unpack(body, packed, maxRow, &o.Outcomes); err != nil {
			return err
		}
		o.program, o.Sessions = string(program), 1
		o.First = time.UnixMilli(made).UTC()
		o.Last = o.First
		f(o)
	}
	return rows.Err()
}

// Observed is what machines have shown of the test with a litmus.ProgramHash: for each machine, by its name, the sum of
// its sessions.
func (s *Store) Observed(ctx context.Context, program []byte) ([]solver.MachineRuns, error) {
	all, err := s.ObservedOf(ctx, [][]byte{program})
	return all[string(program)], err
}

// ObservedOf is [Store.Observed] for several tests at once. Tests of which no machine has shown anything are absent.
func (s *Store) ObservedOf(ctx context.Context, programs [][]byte) (map[string][]solver.MachineRuns, error) {
	out := map[string][]solver.MachineRuns{}
	add := func(o observed) {
		list := out[o.program]
		if last := len(list) - 1; last >= 0 && list[last].Name == o.Name {
			sum := &list[last]
			sum.Runs += o.Runs
			sum.Sessions++
			sum.Last = o.Last
			sum.Outcomes = addSeen(sum.Outcomes, o.Outcomes)
			return
		}
		out[o.program] = append(list, o.MachineRuns)
	}
	for some := range slices.Chunk(programs, observedAtOnce) {
		list := make([]string, 0, len(some))
		for _, p := range some {
			if len(p) == programBytes {
				list = append(list, hex.EncodeToString(p))
			}
		}
		text, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		if err := s.scanObservations(ctx, add, `WHERE o.program IN (SELECT unhex(value) FROM json_each(?))
			ORDER BY m.name, o.made, o.number`, string(text)); err != nil {
			return nil, ofObservations(err)
		}
	}
	for _, list := range out {
		for i := range list {
			slices.SortFunc(list[i].Outcomes, func(a, b solver.SeenState) int {
				return strings.Compare(a.State.Key(), b.State.Key())
			})
		}
	}
	return out, nil
}

// Unattached lists the observations of tests whose source is not known, of one machine or, with "", of all.
func (s *Store) Unattached(ctx context.Context, machine string) ([]Observation, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT m.name, o.test, o.session, o.made, o.runs, o.packed, o.body
		FROM observations o JOIN machines m ON m.number = o.machine
		WHERE o.program = x'' AND (?1 = '' OR m.name = ?1) ORDER BY m.name, o.test, o.made, o.number`, machine)
	if err != nil {
		return nil, ofObservations(err)
	}
	defer rows.Close()
	var out []Observation
	for rows.Next() {
		var (
			o      Observation
			made   int64
			packed bool
			body   []byte
		)
		if err := rows.Scan(&o.Machine.Name, &o.Test, &o.Session, &made, &o.Runs, &packed, &body); err != nil {
			return nil, ofObservations(err)
		}
		if err := unpack(body, packed, maxRow, &o.Outcomes); err != nil {
			return nil, ofObservations(err)
		}
		o.Date = time.UnixMilli(made).UTC()
		out = append(out, o)
	}
	return out, ofObservations(rows.Err())
}

// Attach gives an observation of [Store.Unattached] the program of its test.
func (s *Store) Attach(ctx context.Context, o Observation, program []byte) error {
	o.Program = program
	if err := o.check(); err != nil {
		return err
	}
	return ofObservations(s.update(ctx, func(tx *sql.Tx) error {
		if err := putObservation(ctx, tx, &o); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM observations WHERE program = x'' AND session = ? AND test = ?
			AND machine = (SELECT number FROM machines WHERE name = ?)`, o.Session, o.Test, o.Machine.Name)
		return err
	}))
}

// ForgetMachine removes a machine with all that it has shown, and returns how many sessions of tests that was.
func (s *Store) ForgetMachine(ctx context.Context, name string) (sessions int64, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM observations o JOIN machines m ON m.number = o.machine
			WHERE m.name = ?`, name).Scan(&sessions); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM machines WHERE name = ?`, name)
		return err
	})
	return sessions, ofObservations(err)
}

// withObservations selects the tests of a suite of which machines have shown something.
const withObservations = `FROM suite_tests t WHERE t.suite = ? AND t.program IS NOT NULL
	AND EXISTS (SELECT 1 FROM observations o WHERE o.program = t.program)`

// SuiteMachines lists the machines that have shown something of a suite's tests, by their names.
func (s *Store) SuiteMachines(ctx context.Context, of *suites.Suite) ([]solver.Computer, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT name, arch, processor, system, cores FROM machines WHERE number IN
		(SELECT o.machine FROM suite_tests t JOIN observations o ON o.program = t.program WHERE t.suite = ?)
		ORDER BY name`, of.Number)
	if err != nil {
		return nil, ofObservations(err)
	}
	defer rows.Close()
	var out []solver.Computer
	for rows.Next() {
		var c solver.Computer
		if err := rows.Scan(&c.Name, &c.Arch, &c.Processor, &c.System, &c.Cores); err != nil {
			return nil, ofObservations(err)
		}
		out = append(out, c)
	}
	return out, ofObservations(rows.Err())
}

// SuiteObserved lists the places of a suite's tests of which machines have shown something, in order.
func (s *Store) SuiteObserved(ctx context.Context, of *suites.Suite) ([]int, error) {
	out, err := s.places(ctx, `SELECT t.n AS test `+withObservations, of.Number)
	return out, ofObservations(err)
}

// SuiteSeen is what machines have shown of the tests of some places of a suite, by place.
func (s *Store) SuiteSeen(ctx context.Context, of *suites.Suite, places []int) (map[int][]solver.MachineRuns, error) {
	list, err := json.Marshal(places)
	if err != nil {
		return nil, err
	}
	programs, err := s.suitePrograms(ctx, of, string(list))
	if err != nil || len(programs) == 0 {
		return nil, ofObservations(err)
	}
	var hashes [][]byte
	for _, p := range programs {
		hashes = append(hashes, []byte(p))
	}
	slices.SortFunc(hashes, bytes.Compare)
	seen, err := s.ObservedOf(ctx, slices.CompactFunc(hashes, bytes.Equal))
	out := map[int][]solver.MachineRuns{}
	for n, p := range programs {
		out[n] = seen[p]
	}
	return out, err
}

// suitePrograms has the programs of those tests of a list, a JSON array, of which machines have shown something.
func (s *Store) suitePrograms(ctx context.Context, of *suites.Suite, list string) (map[int]string, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT t.n, t.program `+withObservations+
		` AND t.n IN (SELECT value FROM json_each(?))`, of.Number, list)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[int]string{}
	for rows.Next() {
		var n int
		var program []byte
		if err := rows.Scan(&n, &program); err != nil {
			return nil, err
		}
		out[n] = string(program)
	}
	return out, rows.Err()
}

// RowsOf reads the rows of the tests of some places of a suite, by place and model; nil where there is none.
func (s *Store) RowsOf(ctx context.Context, of *suites.Suite, places []int) (map[int][]*solver.Result, error) {
	out := map[int][]*solver.Result{}
	models := len(of.Request.Models)
	for some := range slices.Chunk(places, observedAtOnce) {
		list, err := json.Marshal(some)
		if err != nil {
			return nil, err
		}
		if err := s.rowsOf(ctx, of, string(list), func(r storedRow) error {
			result := new(solver.Result)
			if err := unpack(r.body, r.packed, maxRow, result); err != nil {
				return err
			}
			if out[r.test] == nil {
				out[r.test] = make([]*solver.Result, models)
			}
			result.DropWitnesses()
			out[r.test][r.model] = result
			return nil
		}); err != nil {
			return nil, ofSuites(err)
		}
	}
	return out, nil
}

// rowsOf passes the rows of the tests of a list, a JSON array, to f.
func (s *Store) rowsOf(ctx context.Context, of *suites.Suite, list string, f func(storedRow) error) error {
	rows, err := s.db.QueryContext(ctx, `SELECT test, model, packed, body FROM suite_rows
		WHERE suite = ? AND test IN (SELECT value FROM json_each(?))`, of.Number, list)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r storedRow
		if err := rows.Scan(&r.test, &r.model, &r.packed, &r.body); err != nil {
			return err
		}
		if r.model >= len(of.Request.Models) {
			continue
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return rows.Err()
}
