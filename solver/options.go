package solver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"litmuscope/litmus"
)

// Options limit and shape an exploration. OptionTable lists all of them.
type Options struct {
	Timeout    time.Duration `json:"timeout"` // per test; 0 = none
	Unroll     int           `json:"unroll"`
	States     int           `json:"states"`
	Executions int           `json:"executions"`
	List       int           `json:"list,omitempty"`
	Acyclicity string        `json:"acyclicity"`
	Memory     int           `json:"memory"` // MiB per child process
	Witnesses  bool          `json:"witnesses"`
	Explain    bool          `json:"explain"`
	Rounds     int           `json:"rounds"`
	Buffer     int           `json:"buffer"`
	Timestamps int           `json:"timestamps"`
	Nodes      int           `json:"nodes"`
	K          int           `json:"k"`
	Least      bool          `json:"least"`
	Solver     string        `json:"solver"`
	Certify    bool          `json:"certify"`
	Progress   Progress      `json:"progress"`
	litmus.Processor
}

// Option describes one option: its flag, its range and its default. The flags, the REST schema and the page's controls
// come from it; which engines heed it is in their own table.
type Option struct {
	Name     string
	Help     string
	Default  any // time.Duration, int, string or bool
	Min, Max int // for ints; Max 0 = none
	Choices  []string
	// Unlimited: 0 is no limit, of a number.
	Unlimited bool
	// Counts is the unit of the bound with this name, in the singular, "node per location"; "" for a bound that is a
	// mere number.
	Counts string
	Field  func(*Options) any // pointer to the field
	// Arch is the architecture whose tests it is about, "" for all.
	Arch string
}

// OptionTable lists every option of an exploration.
var OptionTable = []Option{
	{
		Name: "timeout", Help: "time limit for one test under one model; 0 = none", Default: 10 * time.Second,
		Field: func(o *Options) any { return &o.Timeout },
	},
	{
		Name: "unroll", Help: "how many times a backward jump is taken; loops that count to at most 100 run in " +
			"full", Default: 2,
		Min: 1, Max: 64,
		Field: func(o *Options) any { return &o.Unroll },
	},
	{
		Name: "states", Help: "list at most this many outcomes; 0 = only the verdict", Default: 4096,
		Field: func(o *Options) any { return &o.States },
	},
	{
		Name: "executions", Help: "count executions up to this many; above it, give no counts",
		Default: 2048,
		Field:   func(o *Options) any { return &o.Executions },
	},
	{
		Name: "list", Help: "list at most this many executions that satisfy the condition's proposition; 0 = none",
		Default: 0, Max: 1 << 12,
		Field: func(o *Options) any { return &o.List },
	},
	{
		Name: "acyclicity", Help: "how acyclicity is encoded: a variable per pair of events, or a clock per event",
		Default: "order", Choices: []string{"order", "clocks"},
		Field: func(o *Options) any { return &o.Acyclicity },
	},
	{
		Name: "memory", Help: "memory limit for one test, in MiB; 0 = none", Default: 2048, Max: 1 << 20,
		Unlimited: true,
		Field:     func(o *Options) any { return &o.Memory },
	},
	{
		Name: "witnesses", Help: "add an execution graph or trace to each outcome", Default: false,
		Field: func(o *Options) any { return &o.Witnesses },
	},
	{
		Name: "explain", Help: "explain why an outcome is forbidden: the axiom and a cycle",
		Default: false,
		Field:   func(o *Options) any { return &o.Explain },
	},
	{
		Name: "rounds", Help: "rounds of the schedule; 0 = enough for every outcome",
		Default: 0, Max: 1 << 10, Counts: "round",
		Field: func(o *Options) any { return &o.Rounds },
	},
	{
		Name: "buffer", Help: "capacity of a store buffer, in stores; 0 = enough for every outcome",
		Default: 0, Max: 1 << 10, Counts: "store per buffer",
		Field: func(o *Options) any { return &o.Buffer },
	},
	{
		Name: "timestamps", Help: "K: number of times at which stores reach memory; 0 = enough for every outcome",
		Default: 0, Max: 1 << 10, Counts: "timestamp",
		Field: func(o *Options) any { return &o.Timestamps },
	},
	{
		Name: "nodes", Help: "N: nodes of a location's write list; 0 = enough for every outcome",
		Default: 0, Max: 1 << 10, Counts: "node per location",
		Field: func(o *Options) any { return &o.Nodes },
	},
	{
		Name:    "k",
		Help:    "a thread's last round, from 0, or the rounds that a store may wait; -1 = enough for every outcome",
		Default: -1, Min: -1, Max: 1 << 10,
		Field: func(o *Options) any { return &o.K },
	},
	{
		Name: "least", Help: "find minimal bounds that still show the condition's outcome, each as low as the " +
			"others allow",
		Default: false,
		Field:   func(o *Options) any { return &o.Least },
	},
	{
		Name: "solver", Help: "SAT solver; auto: gophersat for verdicts of small formulas, otherwise cdcl; cadical, " +
			"kissat and minisat must be on the PATH and give verdicts only",
		Default: "auto", Choices: []string{"auto", "gophersat", "cdcl", "cadical", "kissat", "minisat"},
		Field: func(o *Options) any { return &o.Solver },
	},
	{
		Name: "certify", Help: "write and check a proof for every outcome that the answer rules out",
		Default: false,
		Field:   func(o *Options) any { return &o.Certify },
	},
	{
		Name: "progress", Help: "also answer whether all executions end, under an assumption about the threads that " +
			"the scheduler runs again",
		Default: string(NoProgress), Choices: ProgressNames,
		Field: func(o *Options) any {
			o.Progress = cmp.Or(o.Progress, NoProgress) // stored options may be older than this one
			return (*string)(&o.Progress)
		},
	},
	{
		Name: "lse2",
		Help: "AArch64: LDP, LDNP, STP, LDIAPP and STILP are one single-copy atomic access each (FEAT_LSE2), not " +
			"two",
		Default: false,
		Field:   func(o *Options) any { return &o.LSE2 },
		Arch:    "AArch64",
	},
	{
		Name: "little-endian", Help: "PPC: little-endian mode, in which a number's lowest byte comes first",
		Default: false,
		Field:   func(o *Options) any { return &o.LittleEndian },
		Arch:    "PPC",
	},
	{
		Name: "rcpc", Help: "RISCV: lw.aq and sw.rl are RCpc, as tools read them before Zalasr 1.0, not RCsc",
		Default: false,
		Field:   func(o *Options) any { return &o.RCpc },
		Arch:    "RISCV",
	},
}

// Within bounds a context by the time limit, if there is one.
func (o Options) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Timeout > 0 {
		return context.WithTimeout(ctx, o.Timeout)
	}
	return ctx, func() {}
}

// DefaultOptions returns the options with their defaults.
func DefaultOptions() Options {
	var o Options
	for _, opt := range OptionTable {
		switch f := opt.Field(&o).(type) {
		case *time.Duration:
			*f = opt.Default.(time.Duration)
		case *int:
			*f = opt.Default.(int)
		case *string:
			*f = opt.Default.(string)
		case *bool:
			*f = opt.Default.(bool)
		}
	}
	return o
}

// UnmarshalJSON gives absent options their defaults.
func (o *Options) UnmarshalJSON(data []byte) error {
	type fields Options
	f := fields(DefaultOptions())
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*o = Options(f)
	return nil
}

// Same reports whether the option has the same value in a and b.
func (opt Option) Same(a, b *Options) bool {
	return reflect.ValueOf(opt.Field(a)).Elem().Equal(reflect.ValueOf(opt.Field(b)).Elem())
}

// Copy sets the option in to to its value in from.
func (opt Option) Copy(to, from *Options) {
	reflect.ValueOf(opt.Field(to)).Elem().Set(reflect.ValueOf(opt.Field(from)).Elem())
}

// Turn sets a boolean option to the opposite of its default.
func (opt Option) Turn(o *Options) { *opt.Field(o).(*bool) = opt.Default == false }

// Cap lowers options to those of most: numbers above them, and limits that are 0 for none. A 0 in most caps nothing.
func (o *Options) Cap(most Options) {
	for _, opt := range OptionTable {
		switch f := opt.Field(o).(type) {
		case *time.Duration:
			if m := *opt.Field(&most).(*time.Duration); m > 0 && (*f == 0 || *f > m) {
				*f = m
			}
		case *int:
			if m := *opt.Field(&most).(*int); m > 0 && (*f > m || *f == 0 && opt.Unlimited) {
				*f = m
			}
		}
	}
}

// Plain returns the option's value in o for JSON that people read: durations are text such as 10s.
func (opt Option) Plain(o *Options) any {
	v := reflect.ValueOf(opt.Field(o)).Elem().Interface()
	if d, ok := v.(time.Duration); ok {
		return d.String()
	}
	return v
}

// OptionError describes the wrong value of an option.
type OptionError struct{ Option, Msg string }

// Error begins with the option's name.
func (e *OptionError) Error() string { return e.Option + ": " + e.Msg }

// Validate says which option is out of its range, in an *OptionError.
func (o Options) Validate() error {
	for _, opt := range OptionTable {
		switch f := opt.Field(&o).(type) {
		case *time.Duration:
			if *f < 0 {
				return &OptionError{opt.Name, fmt.Sprintf("%v is negative", *f)}
			}
		case *int:
			if *f < opt.Min || opt.Max > 0 && *f > opt.Max {
				return &OptionError{opt.Name, fmt.Sprintf("%d is out of range (%s)", *f, opt.rangeText())}
			}
		case *string:
			if !slices.Contains(opt.Choices, *f) {
				return &OptionError{opt.Name, fmt.Sprintf("%q is not one of %v", *f, opt.Choices)}
			}
		}
	}
	if o.Certify && o.Solver == "minisat" {
		return &OptionError{"certify", "minisat writes no proofs: choose another solver"}
	}
	return nil
}

func (opt Option) rangeText() string {
	if opt.Max > 0 {
		return fmt.Sprintf("%d to %d", opt.Min, opt.Max)
	}
	return fmt.Sprintf("%d or more", opt.Min)
}
