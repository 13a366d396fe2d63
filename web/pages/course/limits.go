package course

import (
	"net/http"

	"litmuscope/store"
	"litmuscope/web/server"
)

// Limits lists the limits on submissions.
var Limits = []server.Limit{
	{
		Name: "course-codes", What: "wrong course codes at once, from one address",
		Value: server.WrongMost, Answer: http.StatusTooManyRequests,
		Beyond: "then one every two seconds; right codes wait, too",
	},
	{
		Name: "course-try", What: "a student's submission",
		Value: server.Bytes(store.MaxTry), Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "course-tries", What: "… for one exercise",
		Value: store.MaxTries, Answer: http.StatusUnprocessableEntity,
	},
}
