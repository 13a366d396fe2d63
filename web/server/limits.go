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

// Bounds on models that are held against others, over all classic tests of a dialect.
const (
	VersusMost = 8 // at once
	VersusEach = 1 // … of one client
)

// Limits are those of a server's bounds that may be set.
type Limits struct {
	// Options are what a visitor may ask for at most, of each option.
	Options      solver.Options
	Jobs         int     // questions that run at once, in each lane
	Rate         float64 // questions a second of one client; 0: no limit
	Connections  int
	Source       int // bytes of a test, and of a question's own models together; it has no flag
	Cache, Links MiB
	Memory       MiB // of the server's own process; 0: a quarter of what there is

	SuiteJobs        int
	Suites, Tests    int
	Upload, Unpacked MiB
	Keep             time.Duration // of suites that are done; 0: for good

	table []Limit // of the server that they are the limits of; nil: LimitTable
}

// rows lists what is bounded.
func (l *Limits) rows() []Limit {
	if l.table == nil {
		return LimitTable
	}
	return l.table
}

// of returns the limits of a server that bounds what a table lists.
func (l *Limits) of(table []Limit) *Limits {
	out := *l
	out.table = table
	return &out
}

// Bytes is a size, and MiB one as flags take it.
type (
	Bytes int64
	MiB   int
)

// Bytes is the size in bytes.
func (m MiB) Bytes() int64 { return int64(m) << 20 }

func (m MiB) String() string { return Bytes(m.Bytes()).String() }

// String is the size in the largest unit of which it is a whole number.
func (b Bytes) String() string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if n := Bytes(1) << (30 - 10*i); b >= n && b%n == 0 {
			return fmt.Sprintf("%d %s", b/n, unit)
		}
	}
	return Thousands(int(b)) + " bytes"
}

// Limit is a row of LimitTable, or of a page's limits: something that the server bounds.
type Limit struct {
	Name string // as REST has it; of the flag, too, where there is one
	What string // is bounded, in the words of a flag's help
	// Value is a Bytes, a MiB, a time.Duration, an int or a float64: the bound of a server that is told nothing.
	Value any
	// Answer is the status of what is beyond; 0: it is answered all the same, as Beyond says.
	Answer int
	Beyond string // what else there is to know
	// Field is what a flag sets, of the type of Value; nil: there is no flag. Rows of pages have none.
	Field func(*Limits) any
	Short string // the flag's letter
	Zero  bool   // the flag may be 0, which What explains
	// Processors: the value is how many of them there are.
	Processors bool
}

// MaxAnswer bounds an answer that the server takes from a child, MaxWaiting the questions of
// people that wait in a lane.
const (
	MaxAnswer  = 8 << 20
	MaxWaiting = 1024
)

// Bounds on links that hold a question in their fragment, in characters, and in bytes of what it
// unpacks to; their lists are bounded by maxLinked.
const (
	maxFragment = 120_000
	MaxUnpacked = 1_000_000
	maxLinked   = 64
)

// Bounds on what any request may have: the bytes of a name, the choices in a list of them, the registers and locations
// of an outcome, and the tests on a sheet.
const (
	MaxWord     = 255
	MaxChoices  = 32
	MaxBindings = 256
	MaxSheet    = 40 // tests, each of which is asked about
)

// maxHeader bounds a request's header, in bytes.
const maxHeader = 64 << 10

// ceilings is what a visitor may ask for at most, of those options that have no flag.
var ceilings = solver.Options{
	Unroll: 32, States: 1 << 16, Executions: 1 << 16, Rounds: 256, Buffer: 256, Timestamps: 256, Nodes: 256, K: 256,
}

// LimitTable lists the server's own limits. Flags of serve and what pages' scripts know of limits are made from it;
// GET /api/v1/limits and the table in static/docs/limits.md list those of the pages, too (Config.LimitTable).
var LimitTable = slices.Concat(QuestionLimits, RequestLimits)

// QuestionLimits and RequestLimits are the two parts of LimitTable, between which lists have limits of pages.
var (
	QuestionLimits = slices.Concat(aboutQuestions, optionLimits(), aboutPrograms)
	RequestLimits  = aboutRequests
)

var aboutQuestions = []Limit{
	{
		Name: "max-timeout", What: "time that a test may ask for under one model", Value: time.Minute,
		Beyond: "more is brought down to this", Field: func(l *Limits) any { return &l.Options.Timeout },
	},
	{
		Name: "max-memory", What: "memory that a test may ask for under one model, in MiB", Value: MiB(2048),
		Beyond: "more is brought down to this", Field: func(l *Limits) any { return (*MiB)(&l.Options.Memory) },
	},
	{
		Name: "question", What: "time for all models of a question", Value: MaxQuestion,
		Beyond: "what has not been answered by then is unknown",
	},
	{
		Name: "jobs", Short: "j", What: "how many tests to run at once", Value: runtime.NumCPU(), Processors: true,
		Beyond: "in each of two lanes: what takes over a second starts anew in the slow one, whose priority is lower",
		Field:  func(l *Limits) any { return &l.Jobs },
	},
	{
		Name: "waiting", What: "questions that wait in each lane", Value: MaxWaiting,
		Answer: http.StatusServiceUnavailable,
		Beyond: "one client alone may fill half of it, two a third each",
	},
	{
		Name: "rate", What: "questions a second that one client may ask; 0 = no limit", Value: 20., Zero: true,
		Answer: http.StatusTooManyRequests,
		Beyond: fmt.Sprintf("%g times that at once; %g times that to read, 1/%g to keep (permalinks, suites); a "+
			"client is a token, or an address, of IPv6 a /64; the clients of one IPv6 /48 have 4 times as much "+
			"together",
			budgetTable[Asks].burst, budgetTable[Reads].rate, 1/budgetTable[Keeps].rate),
		Field: func(l *Limits) any { return &l.Rate },
	},
	{
		Name: "connections", What: "connections open at once", Value: 4096,
		Beyond: "others wait; one address has a quarter of them, one IPv6 /48 half, but this machine's and trusted " +
			"proxies' may have all",
		Field: func(l *Limits) any { return &l.Connections },
	},
	{
		Name: "running", What: "share of the connections that one client's requests under way may take",
		Value: 1. / runningShare, Answer: http.StatusServiceUnavailable,
		Beyond: "whatever proxies it comes through; checks of the server's health are not counted",
	},
	{
		Name: "following", What: "streams of suites that one client may follow at once", Value: followEach,
		Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("all clients together 1/%d of the connections", followShare),
	},
	{
		Name: "attending", What: "share of the connections that streams of classes may take", Value: 1. / classShare,
		Answer: http.StatusServiceUnavailable, Beyond: fmt.Sprintf("one client %d/4 of that", hallShare),
	},
	{
		Name: "test", What: "a test, and a question's own models together", Value: Bytes(suites.MaxTest),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name:  "memory",
		What:  "memory that the server's own process keeps to, in MiB; 0 = a quarter of the machine's or container's",
		Value: MiB(0), Zero: true,
		Beyond: "garbage is collected more often; children have limits of their own",
		Field:  func(l *Limits) any { return &l.Memory },
	},
	{
		Name: "name", What: "a name that a request has: of a model, an engine, a file", Value: Bytes(MaxWord),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "values", What: "values in a request's JSON", Value: maxValues, Answer: http.StatusBadRequest,
		Beyond: "but in that of a suite or a comparison",
	},
	{
		Name: "choices", What: "a list of choices: properties of a program, kinds of differences", Value: MaxChoices,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "models", What: "models of a question or a suite", Value: suites.MaxModels,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "state", What: "registers and locations of an outcome that a question names", Value: MaxBindings,
		Answer: http.StatusUnprocessableEntity,
	},
	{Name: "own-models", What: "… of the visitor's own", Value: engines.MaxOwn, Answer: http.StatusUnprocessableEntity},
	{
		Name: "model-files", What: "files that a model includes", Value: cat.MaxFiles,
		Answer: http.StatusUnprocessableEntity,
	},
}

var aboutPrograms = []Limit{
	{
		Name: "program", What: "a program, all its files", Value: Bytes(MaxProgram),
		Answer: http.StatusUnprocessableEntity,
	},
	{Name: "program-files", What: "a program's files", Value: MaxProgramFiles, Answer: http.StatusUnprocessableEntity},
	{
		Name: "program-defines", What: "a program's definitions", Value: MaxDefines,
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "program-models", What: "models of a question about a program", Value: MaxVerified,
		Answer: http.StatusUnprocessableEntity,
	},
	{Name: "sheet", What: "tests on a sheet", Value: MaxSheet, Answer: http.StatusUnprocessableEntity},
}

var aboutRequests = []Limit{
	{
		Name: "versus", What: "comparisons of own models at once", Value: VersusMost,
		Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("after a wait of %v; one client may have %d of them", FamilyWait, VersusEach),
	},
	{Name: "body", What: "a request's body", Value: Bytes(MaxBody), Answer: http.StatusRequestEntityTooLarge},
	{
		Name: "body-time", What: "time that a body may take to arrive", Value: bodyPatience,
		Answer: http.StatusRequestTimeout, Beyond: fmt.Sprintf("and 1 s more per %v", Bytes(bodyRate)),
	},
	{
		Name: "header", What: "a request's header", Value: Bytes(maxHeader),
		Answer: http.StatusRequestHeaderFieldsTooLarge,
	},
	{
		Name: "header-time", What: "time that a header may take to arrive", Value: headerPatience,
		Beyond: "the connection is closed",
	},
	{Name: "answer", What: "an answer", Value: Bytes(MaxAnswer), Beyond: "states beyond it are left out"},
	{
		Name: "reader-time", What: "time that an answer's reader may take", Value: writePatience,
		Beyond: fmt.Sprintf("for each %v; then the connection is closed", Bytes(pieceBytes)),
	},
	{
		Name: "held", What: "large answers on their way to slow readers, together", Value: Bytes(maxHeld),
		Answer: http.StatusServiceUnavailable,
	},
	{
		Name: "max-cache", What: "size of the result cache on disk, in MiB", Value: MiB(store.DefaultMaxBytes >> 20),
		Beyond: "what was not asked for the longest goes", Field: func(l *Limits) any { return &l.Cache },
	},
	{
		Name: "max-links", What: "size of all permalinks on disk, in MiB", Value: MiB(store.DefaultMaxLinkBytes >> 20),
		Beyond: "what was not opened for the longest goes", Field: func(l *Limits) any { return &l.Links },
	},
	{
		Name: "link", What: "a permalink", Value: Bytes(store.MaxLink), Answer: http.StatusRequestEntityTooLarge,
		Beyond: fmt.Sprintf("or %v compressed", Bytes(store.MaxPacked)),
	},
	{
		Name: "view", What: "the view that a permalink keeps", Value: Bytes(MaxView),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "fragment", What: "characters of a link that holds its question", Value: maxFragment,
		Beyond: "a permalink does",
	},
	{Name: "fragment-unpacked", What: "… unpacked", Value: Bytes(MaxUnpacked), Beyond: "the page does not open it"},
	{Name: "fragment-list", What: "… each of its lists", Value: maxLinked, Beyond: "the page does not open it"},
	{
		Name: "suite-jobs", What: "how many tests of suites to run here at once, when nobody at the page needs the " +
			"processors; 0 = none, there are workers elsewhere",
		Value: runtime.NumCPU(), Processors: true, Zero: true, Beyond: "at the lowest priority",
		Field: func(l *Limits) any { return &l.SuiteJobs },
	},
	{
		Name: "max-suites", What: "suites that may run at once", Value: 100, Answer: http.StatusServiceUnavailable,
		Field: func(l *Limits) any { return &l.Suites },
	},
	{
		Name: "max-tests", What: "tests that a suite may have", Value: 100_000,
		Answer: http.StatusRequestEntityTooLarge,
		Field:  func(l *Limits) any { return &l.Tests },
	},
	{
		Name: "max-upload", What: "size of a submission, in MiB", Value: MiB(256),
		Answer: http.StatusRequestEntityTooLarge,
		Beyond: fmt.Sprintf("in JSON %v", Bytes(MaxListed)), Field: func(l *Limits) any { return &l.Upload },
	},
	{
		Name: "max-unpacked", What: "size of a submission's tests, in MiB", Value: MiB(1024),
		Answer: http.StatusRequestEntityTooLarge,
		Field:  func(l *Limits) any { return &l.Unpacked },
	},
	{
		Name: "keep", What: "keep suites for so long once they are done; 0 = for good",
		Value: 90 * 24 * time.Hour, Zero: true,
		Field: func(l *Limits) any { return &l.Keep },
	},
	{
		Name: "archives", What: "zip archives whose directories are read at once", Value: ArchivesMost,
		Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("after a wait of %v", ArchiveWait),
	},
	{
		Name: "suite-catalogue", What: "patterns that name a suite's classic tests", Value: maxPatterns,
		Answer: http.StatusUnprocessableEntity,
	},
	{Name: "suite-name", What: "a suite's name", Value: Bytes(suites.MaxName), Answer: http.StatusUnprocessableEntity},
	{Name: "suite-labels", What: "a suite's labels", Value: suites.MaxLabels, Answer: http.StatusUnprocessableEntity},
	{
		Name: "suite-label", What: "a label's key, and its value", Value: Bytes(suites.MaxLabel),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "suite-label-pair", What: "… both, with = between them", Value: Bytes(2*suites.MaxLabel + 1),
		Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "suite-models", What: "the text of a suite's own models", Value: Bytes(suites.MaxModelText),
		Answer: http.StatusUnprocessableEntity,
	},
	{Name: "suite-path", What: "the path of a suite's test", Value: Bytes(suites.MaxPath), Beyond: "it is cut"},
	{
		Name: "differences", What: "tests that a comparison lists", Value: MaxDifferences,
		Beyond: "the others are counted",
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
					Beyond: "more is brought down to this",
				})
		}
	}
	return out
}

// DefaultLimits are those of a server that is told nothing.
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

// In is the bound of a server with these limits.
func (row Limit) In(l *Limits) any {
	if row.Field == nil {
		return row.Value
	}
	return row.field(l).Interface()
}

// Check says which of the limits cannot be, by its flag.
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

// measure is a bound as a number, and of what.
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

// limitInfo is a limit as the REST interface tells of it.
type limitInfo struct {
	Name   string  `json:"name"`
	What   string  `json:"what" doc:"what is bounded"`
	Value  float64 `json:"value" doc:"the bound on this server"`
	Unit   string  `json:"unit,omitempty" enum:"bytes,seconds" doc:"of the value; none: it is a count"`
	Answer int     `json:"answer,omitempty" doc:"the status of a request beyond the limit; none: the server answers all the same"`
	Beyond string  `json:"beyond,omitempty" doc:"what becomes of that, and what else there is to know"`
	Flag   string  `json:"flag,omitempty" doc:"of litmuscope serve, by which who runs the server sets it"`
}

type LimitsOutput struct{ Body []limitInfo }

// Told lists the limits as the REST interface does.
func (l *Limits) Told() (out []limitInfo) {
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

// LimitsTable writes a table of limits in Markdown, for who runs a server.
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

// inMiB ends what is said of flags that are sizes.
const inMiB = ", in MiB"

// ScriptLimits is what the page's scripts heed, by the names of rows, as JSON.
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

// MaxView bounds what a link may say of what is shown, in bytes of JSON.
const MaxView = 16 << 10

// MaxQuestion bounds the time for all models of a question together; it is below
// the server's writeTimeout.
const MaxQuestion = 4 * time.Minute

// maxPatterns bounds the patterns that name classic tests.
const maxPatterns = 1000

// Bounds on the archives whose directories are read: those are large.
const (
	ArchivesMost = 1           // at once
	ArchiveWait  = time.Minute // for one's turn
)

// MaxListed bounds a submission in JSON: its tests are in memory at once.
const MaxListed = 32 << 20

// Bounds on a program that visitors have verified.
const (
	MaxProgram      = 1 << 20 // bytes, of all its files
	MaxProgramFiles = 64
	MaxDefines      = 256
	MaxVerified     = 8 // models at once
)

// MaxBody bounds a request's body, in bytes.
const MaxBody = 2 << 20
