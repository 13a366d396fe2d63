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
			Beyond: "if all have been joined or are open on a screen; else one that nobody joined is dropped, " +
				"of the address that opened most of these",
		},
		{Name: "class-time", What: "how long a class is kept that nobody uses", Value: store.DefaultKeepRoom},
		{
			Name: "class-questions", What: "questions of a class",
			Value: class.MaxItems, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-prompt", What: "characters of a question of a teacher's own",
			Value: class.MaxPrompt, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-answer", What: "… of an answer to it",
			Value: class.MaxAnswer, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-text", What: "… of an answer that a voter writes",
			Value: class.MaxText, Answer: http.StatusUnprocessableEntity,
		},
		{
			Name: "class-hidden", What: "answers to a question of a class that its teacher hides",
			Value: class.MaxHidden, Answer: http.StatusConflict,
		},
		{Name: "class-voters", What: "voters of a class", Value: class.MaxVoters, Answer: http.StatusForbidden},
		{
			Name: "class-streams", What: "pages that follow a class", Value: class.MaxStreams,
			Answer: http.StatusServiceUnavailable,
			Beyond: fmt.Sprintf("%d of them by those who do not vote", class.MaxScreens),
		},
		{
			Name: "class-codes", What: "wrong codes of classes at once, of one address",
			Value: server.WrongMost, Answer: http.StatusTooManyRequests,
			Beyond: "then one in two seconds; right ones are let in all the same",
		},
	}
	AddressLimits = []server.Limit{
		{
			Name: "class-opened", What: "classes that one address opens at once", Value: OpenMost,
			Answer: http.StatusTooManyRequests,
			Beyond: fmt.Sprintf("then one every %s", server.ShortTime(OpenEvery)),
		},
		{
			Name: "class-joins", What: "places in a class that one address is given at once", Value: JoinMost,
			Answer: http.StatusTooManyRequests,
			Beyond: fmt.Sprintf("then one every %s; a teacher can open a class wide: %s at once, then one every %s",
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
