package class

import (
	"fmt"
	"net/http"
	"time"

	"litmuscope/store"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// Limits for one client address, which may be that of a whole lecture hall. If the teacher opens a class wide, all its
// voters can come from one address.
const (
	OpenMost  = 30 // classes opened in a burst
	OpenEvery = 5 * time.Minute
	JoinMost  = 500 // voters that join in a burst
	JoinEvery = 10 * time.Second
	WideEvery = time.Second
)

// Limits for the reports of one voter's device.
const (
	maxReport   = 16 << 10 // bytes
	reportMost  = 30       // in a burst; a run of ten seconds sends about twelve
	reportEvery = 500 * time.Millisecond
)

// Limits lists the limits of classes, and AddressLimits those per client address.
var (
	Limits = []server.Limit{
		{
			Name: "classes", What: "classes at once",
			Value: store.DefaultMaxRooms, Answer: http.StatusServiceUnavailable,
			Beyond: "only if each has been joined or is on a screen; otherwise the server drops one that nobody " +
				"joined, from the address that opened the most of those",
		},
		{Name: "class-time", What: "how long the server keeps a class that nobody uses", Value: store.DefaultKeepRoom},
		{
			Name: "class-questions", What: "questions in a class",
			Value: class.MaxItems, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-prompt", What: "characters in a question that a teacher writes",
			Value: class.MaxPrompt, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-answer", What: "… in an answer to it",
			Value: class.MaxAnswer, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-text", What: "… in an answer that a voter writes",
			Value: class.MaxText, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-hidden", What: "answers to a question that a teacher can hide",
			Value: class.MaxHidden, Answer: http.StatusConflict,
		},
		{Name: "class-voters", What: "voters in a class", Value: class.MaxVoters, Answer: http.StatusForbidden},
		{
			Name: "class-streams", What: "pages that receive the events of a class", Value: class.MaxStreams,
			Answer: http.StatusServiceUnavailable,
			Beyond: fmt.Sprintf("%d of them from clients that do not vote", class.MaxScreens),
		},
		{
			Name: "class-runs", What: "runs of a question's test on the devices of a class", Value: class.MaxRuns,
			Answer: http.StatusConflict,
		},
		{
			Name: "class-outcomes", What: "different outcomes that these devices report in a run",
			Value: class.MaxOutcomes, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-counted", What: "… how often one device runs the test in a run", Value: class.MaxCounted,
			Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-reports", What: "reports at once from the device of one voter", Value: reportMost,
			Answer: http.StatusTooManyRequests,
			Beyond: fmt.Sprintf("then one every %s; a report has at most %d KiB", server.ShortTime(reportEvery),
				maxReport>>10),
		},
		{
			Name: "class-codes", What: "wrong class codes at once, from one address",
			Value: server.WrongMost, Answer: http.StatusTooManyRequests,
			Beyond: "then one every two seconds; a right code is always accepted",
		},
	}
	AddressLimits = []server.Limit{
		{
			Name: "class-opened", What: "classes that one address can open at once", Value: OpenMost,
			Answer: http.StatusTooManyRequests,
			Beyond: fmt.Sprintf("then one every %s", server.ShortTime(OpenEvery)),
		},
		{
			Name: "class-joins", What: "voters that can join a class from one address at once", Value: JoinMost,
			Answer: http.StatusTooManyRequests,
			Beyond: fmt.Sprintf("then one every %s; a teacher can raise this: %s at once, then one every %s",
				server.ShortTime(JoinEvery), server.Thousands(class.MaxVoters), server.ShortTime(WideEvery)),
		},
	}
)

// faults maps the errors of classes that a visitor can correct to statuses.
var faults = []server.FaultKind{
	server.AnswerTo(http.StatusConflict, "", class.ErrNotNow, class.ErrClosed, class.ErrNotAsked,
		class.ErrOtherPage),
	server.AnswerTo(http.StatusUnprocessableEntity, "", class.ErrBallot, class.ErrLong, class.ErrMany,
		class.ErrReport, class.ErrOutcomes),
	server.AnswerTo(http.StatusForbidden, "", class.ErrFull),
}
