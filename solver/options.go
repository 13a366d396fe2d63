package solver

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Options bound and shape an exploration. Every one is in OptionTable.
type Options struct {
	Timeout    time.Duration `json:"timeout"` // per test; 0 = none
	Unroll     int           `json:"unroll"`
	States     int           `json:"states"`
	Executions int           `json:"executions"`
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
}

// Option describes one option: its flag, its range and its default. Flags, the
// REST schema and the page's controls are made from it.
type Option struct {
	Name     string
	Help     string
	Engines  []string // that heed it; none means every one
	Default  any      // time.Duration, int, string or bool
	Min, Max int      // for ints; Max 0 = none
	Choices  []string
	// Counts is what the bound of this name counts, in the singular, "node a location";
	// "" for a bound that is a mere number.
	Counts string
	Field  func(*Options) any // pointer to the field
}

// sequential are the engines that run threads in rounds.
var sequential = []string{"lazy-cseq", "tso-sma", "pso-sma", "etso", "epso", "k-round", "k-store-age"}

// OptionTable lists every option of an exploration.
var OptionTable = []Option{
	{
		Name: "timeout", Help: "time limit for one test under one model; 0 = none", Default: 10 * time.Second,
		Field: func(o *Options) any { return &o.Timeout },
	},
	{
		Name: "unroll", Help: "how often a backward jump is taken", Default: 2, Min: 1, Max: 64,
		Field: func(o *Options) any { return &o.Unroll },
	},
	{
		Name: "states", Help: "list at most this many final states; 0 = none, the verdict only", Default: 4096,
		Field: func(o *Options) any { return &o.States },
	},
	{
		Name: "executions", Help: "count at most this many executions; beyond it no counts are given",
		Engines: []string{"axiomatic"}, Default: 2048,
		Field: func(o *Options) any { return &o.Executions },
	},
	{
		Name: "acyclicity", Help: "how acyclicity is encoded: a variable a pair of events, or a clock an event",
		Engines: []string{"axiomatic"}, Default: "order", Choices: []string{"order", "clocks"},
		Field: func(o *Options) any { return &o.Acyclicity },
	},
	{
		Name: "memory", Help: "memory limit for one test, in MiB; 0 = none", Default: 2048, Max: 1 << 20,
		Field: func(o *Options) any { return &o.Memory },
	},
	{
		Name: "witnesses", Help: "give each outcome its execution graph or trace", Default: false,
		Field: func(o *Options) any { return &o.Witnesses },
	},
	{
		Name: "explain", Help: "say why an outcome is forbidden: the axiom and a cycle",
		Engines: []string{"axiomatic"}, Default: false,
		Field: func(o *Options) any { return &o.Explain },
	},
	{
		Name: "rounds", Help: "rounds of the schedule; 0 = enough to lose nothing",
		Engines: sequential, Default: 0, Max: 1 << 10, Counts: "round",
		Field: func(o *Options) any { return &o.Rounds },
	},
	{
		Name: "buffer", Help: "stores that a store buffer holds; 0 = enough to lose nothing",
		Engines: []string{"tso-sma", "pso-sma"}, Default: 0, Max: 1 << 10, Counts: "store a buffer",
		Field: func(o *Options) any { return &o.Buffer },
	},
	{
		Name: "timestamps", Help: "K: times at which stores reach memory; 0 = enough to lose nothing",
		Engines: []string{"etso", "epso"}, Default: 0, Max: 1 << 10, Counts: "timestamp",
		Field: func(o *Options) any { return &o.Timestamps },
	},
	{
		Name: "nodes", Help: "N: nodes of a location's write list; 0 = enough to lose nothing",
		Engines: []string{"etso", "epso"}, Default: 0, Max: 1 << 10, Counts: "node a location",
		Field: func(o *Options) any { return &o.Nodes },
	},
	{
		Name: "k", Help: "k-round: a thread's last round, from 0; k-store-age: the rounds that a store may wait; -1 = enough to lose nothing",
		Engines: []string{"k-round", "k-store-age"}, Default: -1, Min: -1, Max: 1 << 10,
		Field: func(o *Options) any { return &o.K },
	},
	{
		Name: "least", Help: "find bounds that still show the condition, none of which can be lowered by itself",
		Engines: sequential, Default: false,
		Field: func(o *Options) any { return &o.Least },
	},
}

// Usage is what an option does, and with which engines.
func (opt Option) Usage() string {
	if len(opt.Engines) == 0 {
		return opt.Help
	}
	return fmt.Sprintf("%s (%s)", opt.Help, strings.Join(opt.Engines, ", "))
}

// DefaultOptions has every option at its default.
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

// UnmarshalJSON leaves what is not there at its default.
func (o *Options) UnmarshalJSON(data []byte) error {
	type fields Options
	f := fields(DefaultOptions())
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*o = Options(f)
	return nil
}

// Fit says which option is set though an engine does not heed it.
func (o Options) Fit(engine string) error {
	defaults := DefaultOptions()
	for _, opt := range OptionTable {
		heeded := len(opt.Engines) == 0 || slices.Contains(opt.Engines, engine)
		if !heeded && !reflect.DeepEqual(opt.Field(&o), opt.Field(&defaults)) {
			return fmt.Errorf("%s: an option of %s, not of %s", opt.Name, strings.Join(opt.Engines, ", "), engine)
		}
	}
	return nil
}

// Validate says which option is out of its range.
func (o Options) Validate() error {
	for _, opt := range OptionTable {
		switch f := opt.Field(&o).(type) {
		case *time.Duration:
			if *f < 0 {
				return fmt.Errorf("%s: %v is negative", opt.Name, *f)
			}
		case *int:
			if *f < opt.Min || opt.Max > 0 && *f > opt.Max {
				return fmt.Errorf("%s: %d is out of range (%s)", opt.Name, *f, opt.rangeText())
			}
		case *string:
			if !slices.Contains(opt.Choices, *f) {
				return fmt.Errorf("%s: %q is not one of %v", opt.Name, *f, opt.Choices)
			}
		}
	}
	return nil
}

func (opt Option) rangeText() string {
	if opt.Max > 0 {
		return fmt.Sprintf("%d to %d", opt.Min, opt.Max)
	}
	return fmt.Sprintf("%d or more", opt.Min)
}
