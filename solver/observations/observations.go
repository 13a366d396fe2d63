// Package observations reads what machines have shown of tests, from logs of litmus7 and from the JSON lines of
// litmuscope hw, and finds the tests that the logs are about.
//
// A log of litmus7 names tests, but has none that can be relied on. [Read] therefore matches each test of a log with
// the tests that the user supplies, as [Source]s: by its name, and by the registers and locations of its outcomes.
// What matches none, or several, keeps its name alone, and [Found] says why. JSON lines have the test's source.
//
// It imports litmus, litmus/dialect, solver, solver/hardware and solver/report.
package observations

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/hardware"
	"litmuscope/solver/report"
)

// Source is a test that the user supplies.
type Source struct {
	Path, Test, Arch string
	Program          []byte   // litmus.ProgramHash
	Names            []string // registers and locations of its outcomes, sorted
}

// ReadSource reads a test. Its error has positions in the text.
func ReadSource(path, text string) (Source, error) {
	t, err := litmus.Parse(path, text)
	if err != nil {
		return Source{}, err
	}
	p, err := dialect.Lower(t)
	if err != nil {
		return Source{}, err
	}
	names, _ := p.Format(p.Visible(make([]uint64, len(p.Observed))))
	slices.Sort(names)
	hash := litmus.ProgramHash(t)
	return Source{Path: path, Test: t.Name, Arch: t.Arch, Program: hash[:], Names: names}, nil
}

// Found is what a log says of a test, all its entries of that test together.
type Found struct {
	Test    string
	Source  string // the path of the test that matches, or that the log contains; "" for none
	Program []byte // … and its hash; nil for none
	Why     string // why no test matches
	// Machine is the one that the log names; empty in logs of litmus7.
	Machine  solver.Computer
	Date     time.Time // of the last entry; zero where the log has none
	Runs     int64
	Outcomes []solver.SeenState
}

// Bounds on a log.
const (
	maxLine  = 64 << 20 // bytes of a line of JSON
	maxTests = 100_000
)

// Read reads a log and returns what it says, in the order in which it first names the tests. skipped lists entries
// without counts, each with its reason. file is the log's name in errors, which have line and column.
func Read(file string, log io.Reader, sources []Source) (found []Found, skipped []string, err error) {
	r := reading{sources: sources, at: map[string]int{}}
	in := bufio.NewReaderSize(log, 1<<16)
	begin, _ := in.Peek(in.Size())
	if text := bytes.TrimSpace(begin); len(text) > 0 && text[0] == '{' {
		err = r.lines(file, in)
	} else {
		err = r.litmus7(file, in)
	}
	return r.found, r.skipped, err
}

// Match finds the test of a name whose outcomes bind some registers and locations. arch is the log's; "" if it has
// none.
func Match(sources []Source, test, arch string, outcome solver.State) (s *Source, why string) {
	names := make([]string, len(outcome))
	for i, b := range outcome {
		names[i] = b.Name
	}
	slices.Sort(names)
	why = "no supplied test has this name"
	var match *Source
	for i := range sources {
		s := &sources[i]
		switch {
		case s.Test != test:
		case arch != "" && s.Arch != arch:
			why = fmt.Sprintf("%s is for %s, and the log's test is for %s", s.Path, s.Arch, arch)
		case !slices.Equal(s.Names, names):
			why = fmt.Sprintf("the outcomes of %s have %s, and the log's have %s", s.Path, strings.Join(s.Names, ", "),
				strings.Join(names, ", "))
		case match != nil && !bytes.Equal(match.Program, s.Program):
			return nil, fmt.Sprintf("%s and %s have this name and these outcomes", match.Path, s.Path)
		default:
			match = s
		}
	}
	if match == nil {
		return nil, why
	}
	return match, ""
}

// reading is a log in progress.
type reading struct {
	sources []Source
	found   []Found
	at      map[string]int // index in found, by program, name and machine
	skipped []string
}

func (r *reading) skip(test, why string) { r.skipped = append(r.skipped, test+": "+why) }

// add adds an entry to those of the same test on the same machine.
func (r *reading) add(f Found) error {
	key := fmt.Sprintf("%x\x00%s", f.Program, f.Machine.Name)
	if f.Program == nil {
		key += "\x00" + f.Test
	}
	i, known := r.at[key]
	if !known {
		if len(r.found) == maxTests {
			return fmt.Errorf("the log has more than %d tests, the limit: split it", maxTests)
		}
		i = len(r.found)
		r.at[key] = i
		outcomes := f.Outcomes
		f.Outcomes, f.Runs = nil, 0
		r.found = append(r.found, f)
		f.Outcomes = outcomes
	}
	sum := &r.found[i]
	if f.Date.After(sum.Date) {
		sum.Date = f.Date
	}
	places := make(map[string]int, len(sum.Outcomes))
	for j, o := range sum.Outcomes {
		places[o.State.Key()] = j
	}
	for _, o := range f.Outcomes {
		if o.Count < 0 || o.Count > math.MaxInt64-sum.Runs {
			return fmt.Errorf("%s: the counts are negative, or more than a number can count", f.Test)
		}
		sum.Runs += o.Count
		j, ok := places[o.State.Key()]
		if !ok {
			j = len(sum.Outcomes)
			places[o.State.Key()] = j
			sum.Outcomes = append(sum.Outcomes, solver.SeenState{State: o.State})
		}
		sum.Outcomes[j].Count += o.Count
	}
	return nil
}

// litmus7 reads a log of litmus7.
func (r *reading) litmus7(file string, log io.Reader) error {
	rows := report.NewReader(file, log)
	for {
		row, err := rows.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case row.Status != solver.OK:
			r.skip(row.Test, row.Error)
			continue
		case !row.Hardware:
			r.skip(row.Test, "the log has a model's states, and no counts of a machine")
			continue
		case len(row.States) == 0:
			r.skip(row.Test, "the log has no states")
			continue
		}
		f := Found{Test: row.Test}
		for _, s := range row.States {
			if s.Count == nil || *s.Count > math.MaxInt64 {
				return fmt.Errorf("%s: %s: a state has no count, or one that is too large", file, row.Test)
			}
			f.Outcomes = append(f.Outcomes, solver.SeenState{State: s.State, Count: int64(*s.Count)})
		}
		source, why := Match(r.sources, row.Test, row.Arch, row.States[0].State)
		if f.Why = why; source != nil {
			f.Source, f.Program = source.Path, source.Program
		}
		if err := r.add(f); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
}

// lines reads the JSON lines of litmuscope hw, which have the tests' sources.
func (r *reading) lines(file string, log io.Reader) error {
	in := bufio.NewScanner(log)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var o struct {
			hardware.Observation
			Error string `json:"error"`
		}
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			return fmt.Errorf("%s:%d:1: %w", file, n, err)
		}
		if o.Machine.Name == "" && o.Error == "" {
			return fmt.Errorf("%s:%d:1: want an observation of litmuscope hw -f jsonl, or a log of litmus7", file, n)
		}
		if len(o.Counts) == 0 {
			why := o.Error
			if why == "" {
				why = "no run ended"
			}
			r.skip(fmt.Sprintf("%s:%d", file, n), why)
			continue
		}
		m := o.Machine
		f := Found{
			Test: o.Test, Date: o.Date,
			Machine: solver.Computer{
				Name: m.Name, Arch: m.Arch, Processor: m.Processor, System: m.System, Cores: m.Cores,
			},
		}
		if s, err := ReadSource(o.Path, o.Source); err != nil {
			f.Why = err.Error()
		} else {
			f.Source, f.Program = o.Path, s.Program
		}
		for _, c := range o.Counts {
			f.Outcomes = append(f.Outcomes, solver.SeenState{State: c.State, Count: c.N})
		}
		if err := r.add(f); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return in.Err()
}
