package course

import (
	"net/http"

	"litmuscope/store"
	"litmuscope/web/server"
)

// Limits are those of what students hand in.
var Limits = []server.Limit{
	{
		Name: "course-codes", What: "wrong codes of courses at once, of one address",
		Value: server.WrongMost, Answer: http.StatusTooManyRequests,
		Beyond: "then one in two seconds, and right ones wait, too",
	},
	{
		Name: "course-try", What: "what a student hands in",
		Value: server.Bytes(store.MaxTry), Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "course-tries", What: "… of one exercise",
		Value: store.MaxTries, Answer: http.StatusUnprocessableEntity,
	},
}
