package family

import (
	"fmt"
	"net/http"
	"time"

	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/server"
)

// Bounds on families of cycles.
const (
	familyTime   = 2 * time.Minute // to generate a whole family
	familiesMost = 16              // families at once; clients may read them slowly
	familiesEach = 2               // families of one client at once
)

// Limits lists the limits of cycles and families.
var Limits = []server.Limit{
	{
		Name: "cycle", What: "edges in a cycle",
		Value: cyclediagram.MaxEdges, Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "cycle-text", What: "length of the text of a cycle, or of a family's relaxations",
		Value: server.Bytes(cyclediagram.MaxText), Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "relaxations", What: "relaxations in a family, with each * expanded",
		Value: cyclediagram.MaxRelaxations, Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "accesses", What: "accesses in a family's cycles",
		Value: cyclediagram.MaxSize, Answer: http.StatusUnprocessableEntity,
	},
	{Name: "family", What: "time to generate a family", Value: familyTime, Beyond: "the server stops and reports it"},
	{
		Name: "families", What: "families that the server generates at once",
		Value: familiesMost, Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("after waiting for %v; one client may have %d", server.FamilyWait, familiesEach),
	},
}
