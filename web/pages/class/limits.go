package class

import (
	"fmt"
	"net/http"
	"time"

	"litmuscope/store"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// Bounds on what one address, be it a lecture hall's, does to classes. A class that its teacher has opened wide has
// room for all its voters from one.
const (
	OpenMost  = 30 // classes opened at once
	OpenEvery = 5 * time.Minute
	JoinMost  = 500 // places in a class at once
	JoinEvery = 10 * time.Second
	WideEvery = time.Second
)

// Limits are those of classes, and AddressLimits those of an address that opens or joins them.
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

// faults are the errors of classes that a visitor can mend.
var faults = []server.FaultKind{
	server.AnswerTo(http.StatusConflict, "", class.ErrNotNow, class.ErrClosed),
	server.AnswerTo(http.StatusUnprocessableEntity, "", class.ErrBallot, class.ErrLong, class.ErrMany),
	server.AnswerTo(http.StatusForbidden, "", class.ErrFull),
}
