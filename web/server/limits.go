package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"litmuscope/models/cat"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
)

// WrongMost is how many wrong codes of classes, and of courses, one address may send at once.
const WrongMost = 30

// MaxDifferences bounds the tests that a comparison lists.
const MaxDifferences = 10_000

// FamilyWait is how long a family of cycles, or a comparison of models or suites, waits for its turn.
const FamilyWait = 10 * time.Second

// Bounds on comparisons of own models with others, over all classic tests of a dialect.
const (
	VersusMost = 8 // that run at once
	VersusEach = 1 // that run at once for one client
)

// Limits holds the bounds of a server that flags of serve set. Most are fields of [LimitTable].
type Limits struct {
	// Options has the largest value of each option that a visitor may ask for.
	Options      solver.Options
	Jobs         int     // questions that run at once, in each lane
	Rate         float64 // questions per second from one client; 0: no limit
	Connections  int
	Source       int // bytes of a test, and of a question's own models together; it has no flag
	Cache, Links MiB
	Memory       MiB // of the server's own process; 0: a quarter of the machine's or container's memory
	ChildMemory  MiB // of all child processes together; 0: five eighths of the machine's or container's memory

	SuiteJobs        int
	Suites, Tests    int
	Upload, Unpacked MiB
	Keep             time.Duration // of suites that are done; 0: forever

	table []Limit // the limits of the server and its pages; nil: LimitTable
}

// rows lists all limits.
func (l *Limits) rows() []Limit {
	if l.table == nil {
		return LimitTable
	}
	return l.table
}

// withTable returns a copy with another table of limits.
func (l *Limits) withTable(table []Limit) *Limits {
	out := *l
	out.table = table
	return &out
}

// Bytes is a size in bytes.
type Bytes int64

// MiB is a size in MiB, the unit of flags.
type MiB int

// Bytes returns the size in bytes.
func (m MiB) Bytes() int64 { return int64(m) << 20 }

func (m MiB) String() string { return Bytes(m.Bytes()).String() }

// String formats the size in the largest unit that gives a whole number.
func (b Bytes) String() string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if n := Bytes(1) << (30 - 10*i); b >= n && b%n == 0 {
			return fmt.Sprintf("%d %s", b/n, unit)
		}
	}
	return Thousands(int(b)) + " bytes"
}

// Limit is one limit of the server: a row of LimitTable, or of a page's limits.
type Limit struct {
	Name string // in the REST interface, and of the flag if it has one
	What string // what the limit bounds; also the flag's help
	// Value is the default: a Bytes, a MiB, a time.Duration, an int or a float64.
	Value any
	// Answer is the HTTP status of a request beyond the limit; 0: the server answers as Beyond says.
	Answer int
	Beyond string // what happens beyond the limit, and further details
	// Field returns a pointer to the field that the flag sets, which has the type of Value; nil: there is no flag.
	// Limits of pages have none.
	Field func(*Limits) any
	Short string // the flag's letter
	Zero  bool   // the flag may be 0, which What explains
	// Processors: the value is the machine's number of processors.
	Processors bool
}

// MaxAnswer bounds an answer that the server accepts from a child process, in bytes. MaxWaiting bounds the visitors'
// questions that wait in a lane.
const (
	MaxAnswer  = 8 << 20
	MaxWaiting = 1024
)

// Bounds on links that contain a question in their fragment.
const (
	maxFragment = 120_000   // characters
	MaxUnpacked = 1_000_000 // bytes, unpacked
	maxLinked   = 64        // entries of a list
)

// Bounds on parts of any request.
const (
	MaxWord     = 255 // bytes of a name
	MaxChoices  = 32  // entries in a list of choices
	MaxBindings = 256 // registers and locations in an outcome
	MaxSheet    = 40  // tests on a sheet, each of which is a question
)

// maxHeader bounds a request's header, in bytes.
const maxHeader = 64 << 10

// ceilings holds the largest values of options that a visitor may ask for and that no flag sets.
var ceilings = solver.Options{
	Unroll: 32, States: 1 << 16, Executions: 1 << 16, Rounds: 256, Buffer: 256, Timestamps: 256, Nodes: 256, K: 256,
}

// LimitTable lists the server's own limits. The flags of serve and the limits in pages' scripts come from it.
// GET /api/v1/limits and the table in static/docs/limits.md also list the limits of pages (Config.LimitTable).
var LimitTable = slices.Concat(QuestionLimits, RequestLimits)

// QuestionLimits and RequestLimits are the two parts of LimitTable. Lists show the limits of pages between them.
var (
	QuestionLimits = slices.Concat(aboutQuestions, optionLimits(), aboutPrograms)
	RequestLimits  = aboutRequests
)

var aboutQuestions = []Limit{
	{
		Name: "max-timeout", What: "time for a test under one model", Value: time.Minute,
		Beyond: "larger values are reduced to the limit", Field: func(l *Limits) any { return &l.Options.Timeout },
	},
	{
		Name: "max-memory", What: "memory for a test under one model, in MiB", Value: MiB(2048),
		Beyond: "larger values are reduced to the limit",
		Field:  func(l *Limits) any { return (*MiB)(&l.Options.Memory) },
	},
	{
		Name: "question", What: "time for all models of a question", Value: MaxQuestion,
		Beyond: "models without an answer by then are unknown",
	},
	{
		Name: "jobs", Short: "j", What: "tests that run at once", Value: runtime.NumCPU(), Processors: true,
		Beyond: "each of two lanes has this many; a test that takes longer than 1 s restarts in the slow lane, " +
			"which has " +
			"a lower priority",
		Field: func(l *Limits) any { return &l.Jobs },
	},
	{
		Name: "waiting", What: "questions that wait in each lane", Value: MaxWaiting,
		Answer: http.StatusServiceUnavailable,
		Beyond: "a single client may fill half of a lane, two clients a third each",
	},
	{
		Name: "rate", What: "questions per second from one client; 0 = no limit", Value: 20., Zero: true,
		Answer: http.StatusTooManyRequests,
		Beyond: fmt.Sprintf("bursts: %g times the rate; reads: %g times the rate; writes (permalinks, suites): "+
			"1/%g of "+
			"the rate; a client is a token, an IPv4 address or an IPv6 /64; the clients of one IPv6 /48 share 4 "+
			"times the rate",
			budgetTable[Asks].burst, budgetTable[Reads].rate, 1/budgetTable[Keeps].rate),
		Field: func(l *Limits) any { return &l.Rate },
	},
	{
		Name: "connections", What: "open connections", Value: 4096,
		Beyond: "further connections wait; one address may use a quarter, one IPv6 /48 half; local addresses and " +
			"trusted proxies may use all",
		Field: func(l *Limits) any { return &l.Connections },
	},
	{
		Name: "running", What: "share of the connections for the running requests of one client",
		Value: 1. / runningShare, Answer: http.StatusServiceUnavailable,
		Beyond: "also through proxies; health checks are not counted",
	},
	{
		Name: "following", What: "suites that one client may follow at once", Value: followEach,
		Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("all clients together may use 1/%d of the connections", followShare),
	},
	{
		Name: "attending", What: "share of the connections for streams of classes", Value: 1. / classShare,
		Answer: http.StatusServiceUnavailable, Beyond: fmt.Sprintf("one client may use %d/4 of it", hallShare),
	},
	{
		Name: "test", What: "size of a test, and of all own models of a question together",
		Value:  Bytes(suites.MaxTest),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name:  "memory",
		What:  "memory of the server's own process, in MiB; 0 = a quarter of the machine's or container's memory",
		Value: MiB(0), Zero: true,
		Beyond: "the server collects garbage more often; child processes have their own limits",
		Field:  func(l *Limits) any { return &l.Memory },
	},
	{
		Name: "child-memory",
		What: "memory of all child processes together, in MiB; " +
			"0 = five eighths of the machine's or container's memory",
		Value: MiB(0), Zero: true,
		Beyond: "questions wait for memory, in the order in which they arrived",
		Field:  func(l *Limits) any { return &l.ChildMemory },
	},
	{
		Name: "name", What: "length of a name in a request: of a model, an engine, a file", Value: Bytes(MaxWord),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "values", What: "values in a request's JSON", Value: maxValues, Answer: http.StatusBadRequest,
		Beyond: "except in requests for suites and comparisons",
	},
	{
		Name: "choices", What: "entries of a list of choices: properties of a program, kinds of differences",
		Value:  MaxChoices,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "models", What: "models in a question or a suite", Value: suites.MaxModels,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "state", What: "registers and locations in an outcome that a question names", Value: MaxBindings,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "own-models", What: "own models in a question", Value: engines.MaxOwn,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "model-files", What: "files that a model includes", Value: cat.MaxFiles,
		Answer: http.StatusUnprocessableEntity,
	},
}

var aboutPrograms = []Limit{
	{
		Name: "program", What: "size of a program, all its files together", Value: Bytes(MaxProgram),
		Answer: http.StatusUnprocessableEntity,
	},
	{Name: "program-files", What: "files of a program", Value: MaxProgramFiles, Answer: http.StatusUnprocessableEntity},
	{
		Name: "program-defines", What: "macro definitions of a program", Value: MaxDefines,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "program-models", What: "models in a question about a program", Value: MaxVerified,
		Answer: http.StatusUnprocessableEntity,
	},
	{Name: "sheet", What: "tests on a sheet", Value: MaxSheet, Answer: http.StatusUnprocessableEntity},
}

var aboutRequests = []Limit{
	{
		Name: "versus", What: "comparisons of own models that run at once", Value: VersusMost,
		Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("after waiting for %v; one client may run %d", FamilyWait, VersusEach),
	},
	{Name: "body", What: "size of a request's body", Value: Bytes(MaxBody), Answer: http.StatusRequestEntityTooLarge},
	{
		Name: "body-time", What: "time to receive a request's body", Value: bodyPatience,
		Answer: http.StatusRequestTimeout, Beyond: fmt.Sprintf("plus 1 s for each %v", Bytes(bodyRate)),
	},
	{
		Name: "header", What: "size of a request's header", Value: Bytes(maxHeader),
		Answer: http.StatusRequestHeaderFieldsTooLarge,
	},
	{
		Name: "header-time", What: "time to receive a request's header", Value: headerPatience,
		Beyond: "the server closes the connection",
	},
	{Name: "answer", What: "size of an answer", Value: Bytes(MaxAnswer), Beyond: "further outcomes are left out"},
	{
		Name: "reader-time", What: "time for a client to read an answer", Value: writePatience,
		Beyond: fmt.Sprintf("for each %v; then the server closes the connection", Bytes(pieceBytes)),
	},
	{
		Name: "held", What: "total size of large answers that slow clients are still reading", Value: Bytes(maxHeld),
		Answer: http.StatusServiceUnavailable,
	},
	{
		Name: "max-cache", What: "size of the result cache on disk, in MiB", Value: MiB(store.DefaultMaxBytes >> 20),
		Beyond: "the least recently used results are deleted", Field: func(l *Limits) any { return &l.Cache },
	},
	{
		Name: "max-links", What: "size of all permalinks on disk, in MiB", Value: MiB(store.DefaultMaxLinkBytes >> 20),
		Beyond: "the least recently opened links are deleted", Field: func(l *Limits) any { return &l.Links },
	},
	{
		Name: "link", What: "size of a permalink", Value: Bytes(store.MaxLink),
		Answer: http.StatusRequestEntityTooLarge,
		Beyond: fmt.Sprintf("or %v compressed", Bytes(store.MaxPacked)),
	},
	{
		Name: "view", What: "size of the view in a permalink", Value: Bytes(MaxView),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "fragment", What: "characters of a link that contains its question", Value: maxFragment,
		Beyond: "use a permalink",
	},
	{
		Name: "fragment-unpacked", What: "size of such a link, unpacked", Value: Bytes(MaxUnpacked),
		Beyond: "the page rejects the link",
	},
	{
		Name: "fragment-list", What: "entries of a list in such a link", Value: maxLinked,
		Beyond: "the page rejects the link",
	},
	{
		Name: "suite-jobs", What: "tests of suites that run in this server at once, while visitors do not need the " +
			"processors; 0 = none, workers elsewhere run them",
		Value: runtime.NumCPU(), Processors: true, Zero: true, Beyond: "they run at the lowest priority",
		Field: func(l *Limits) any { return &l.SuiteJobs },
	},
	{
		Name: "max-suites", What: "suites that run at once", Value: 100, Answer: http.StatusServiceUnavailable,
		Field: func(l *Limits) any { return &l.Suites },
	},
	{
		Name: "max-tests", What: "tests in a suite", Value: 100_000,
		Answer: http.StatusRequestEntityTooLarge,
		Field:  func(l *Limits) any { return &l.Tests },
	},
	{
		Name: "max-upload", What: "size of a submission, in MiB", Value: MiB(256),
		Answer: http.StatusRequestEntityTooLarge,
		Beyond: fmt.Sprintf("as JSON: %v", Bytes(MaxListed)), Field: func(l *Limits) any { return &l.Upload },
	},
	{
		Name: "max-unpacked", What: "size of a submission's tests, in MiB", Value: MiB(1024),
		Answer: http.StatusRequestEntityTooLarge,
		Field:  func(l *Limits) any { return &l.Unpacked },
	},
	{
		Name: "keep", What: "time to keep suites that are done; 0 = forever",
		Value: 90 * 24 * time.Hour, Zero: true,
		Field: func(l *Limits) any { return &l.Keep },
	},
	{
		Name: "archives", What: "zip archives whose directories the server reads at once", Value: ArchivesMost,
		Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("after waiting for %v", ArchiveWait),
	},
	{
		Name: "suite-catalogue", What: "patterns that select a suite's classic tests", Value: maxPatterns,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "suite-name", What: "length of a suite's name", Value: Bytes(suites.MaxName),
		Answer: http.StatusUnprocessableEntity,
	},
	{Name: "suite-labels", What: "labels of a suite", Value: suites.MaxLabels, Answer: http.StatusUnprocessableEntity},
	{
		Name: "suite-label", What: "length of a label's key, and of its value", Value: Bytes(suites.MaxLabel),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "suite-label-pair", What: "length of a label as key=value", Value: Bytes(2*suites.MaxLabel + 1),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "suite-models", What: "size of a suite's own models", Value: Bytes(suites.MaxModelText),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "suite-path", What: "length of the path of a suite's test", Value: Bytes(suites.MaxPath),
		Beyond: "the path is cut",
	},
	{
		Name: "differences", What: "tests that a comparison lists", Value: MaxDifferences,
		Beyond: "further tests are only counted",
	},
}

// optionLimits are the ceilings of options that have no flag.
func optionLimits() (out []Limit) {
	var unset solver.Options
	for _, o := range solver.OptionTable {
		if !o.Same(&ceilings, &unset) {
			out = append(out,
				Limit{
					Name: o.Name, What: "option " + o.Name, Value: *o.Field(&ceilings).(*int),
					Beyond: "larger values are reduced to the limit",
				})
		}
	}
	return out
}

// DefaultLimits returns the limits of a server without flags.
func DefaultLimits() *Limits {
	l := &Limits{Options: ceilings, Source: suites.MaxTest}
	for _, row := range LimitTable {
		if row.Field != nil {
			row.field(l).Set(reflect.ValueOf(row.Value))
		}
	}
	return l
}

func (row Limit) field(l *Limits) reflect.Value { return reflect.ValueOf(row.Field(l)).Elem() }

// In returns the row's bound on a server with these limits.
func (row Limit) In(l *Limits) any {
	if row.Field == nil {
		return row.Value
	}
	return row.field(l).Interface()
}

// Check returns an error that names the flag of the first limit that is out of range.
func (l *Limits) Check() error {
	for _, row := range LimitTable {
		value := row.In(l)
		n, _ := measure(value)
		switch _, isTime := value.(time.Duration); {
		case row.Field == nil || n > 0 || n == 0 && row.Zero:
		case row.Zero:
			return fmt.Errorf("--%s: %v is out of range (0 or more)", row.Name, value)
		case isTime:
			return fmt.Errorf("--%s: %v is out of range (more than 0)", row.Name, value)
		default:
			return fmt.Errorf("--%s: %d is out of range (1 or more)", row.Name, value)
		}
	}
	return nil
}

// measure returns a bound as a number, and its unit.
func measure(value any) (n float64, unit string) {
	switch v := value.(type) {
	case time.Duration:
		return v.Seconds(), "seconds"
	case Bytes:
		return float64(v), "bytes"
	case MiB:
		return float64(v.Bytes()), "bytes"
	case float64:
		return v, ""
	}
	return float64(value.(int)), ""
}

// limitInfo is a limit in the REST interface.
type limitInfo struct {
	Name   string  `json:"name"`
	What   string  `json:"what" doc:"what the limit bounds"`
	Value  float64 `json:"value" doc:"the limit on this server"`
	Unit   string  `json:"unit,omitempty" enum:"bytes,seconds" doc:"unit of the value; absent for a count"`
	Answer int     `json:"answer,omitempty" doc:"HTTP status of a request beyond the limit; absent if the server answers it nevertheless"`
	Beyond string  `json:"beyond,omitempty" doc:"what happens beyond the limit, and further details"`
	Flag   string  `json:"flag,omitempty" doc:"flag of litmuscope serve that sets the limit"`
}

// LimitsOutput is the answer of GET /api/v1/limits.
type LimitsOutput struct{ Body []limitInfo }

// Infos lists the limits for the REST interface.
func (l *Limits) Infos() (out []limitInfo) {
	for _, row := range l.rows() {
		info := limitInfo{
			Name: row.Name, What: strings.TrimSuffix(row.What, inMiB), Answer: row.Answer,
			Beyond: row.Beyond,
		}
		if info.Value, info.Unit = measure(row.In(l)); row.Field != nil {
			info.Flag = "--" + row.Name
		}
		out = append(out, info)
	}
	return out
}

// LimitsTable writes a table of limits in Markdown, for the manual.
func LimitsTable(rows []Limit) string {
	var b strings.Builder
	b.WriteString("| limit | default | flag | beyond it |\n|---|---|---|---|\n")
	for _, row := range rows {
		value, flag, beyond := fmt.Sprint(row.Value), "", row.Beyond
		switch v := row.Value.(type) {
		case int:
			value = Thousands(v)
		case time.Duration:
			value = ShortTime(v)
		}
		if row.Processors {
			value = "processors"
		}
		if row.Field != nil {
			flag = "`--" + row.Name + "`"
		}
		if row.Answer != 0 {
			beyond = strings.TrimSuffix(fmt.Sprintf("%d; %s", row.Answer, beyond), "; ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.TrimSuffix(row.What, inMiB), value, flag, beyond)
	}
	return b.String()
}

// inMiB ends the help of flags that are sizes.
const inMiB = ", in MiB"

// ScriptLimits returns the limits that the page's scripts check, by their names, as JSON.
func ScriptLimits() string {
	out := map[string]float64{}
	for _, row := range LimitTable {
		switch row.Name {
		case "fragment", "fragment-unpacked", "fragment-list", "own-models", "model-files", "sheet":
			out[row.Name], _ = measure(row.Value)
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic("BUG: limits have no JSON: " + err.Error())
	}
	return string(text)
}

// MaxView bounds the view in a permalink, in bytes of JSON.
const MaxView = 16 << 10

// MaxQuestion bounds the time for all models of a question together. It is less than the server's writeTimeout.
const MaxQuestion = 4 * time.Minute

// maxPatterns bounds the patterns that name classic tests.
const maxPatterns = 1000

// Bounds on reading the directories of zip archives, which are large.
const (
	ArchivesMost = 1           // that the server reads at once
	ArchiveWait  = time.Minute // time that a request waits for its turn
)

// MaxListed bounds a submission in JSON, in bytes: all its tests are in memory at once.
const MaxListed = 32 << 20

// Bounds on a question about a program.
const (
	MaxProgram      = 1 << 20 // bytes of all its files
	MaxProgramFiles = 64
	MaxDefines      = 256 // macro definitions
	MaxVerified     = 8   // models
)

// MaxBody bounds a request's body, in bytes.
const MaxBody = 2 << 20
