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
	familyTime   = 2 * time.Minute // for all of one
	familiesMost = 16              // that are under way at once, to whoever reads them however slowly
	familiesEach = 2               // … of one client
)

// Limits are those of cycles and their families.
var Limits = []server.Limit{
	{
		Name: "cycle", What: "edges of a cycle",
		Value: cyclediagram.MaxEdges, Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "cycle-text", What: "a cycle, or a family's relaxations, as they are written",
		Value: server.Bytes(cyclediagram.MaxText), Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "relaxations", What: "relaxations of a family, each * written out",
		Value: cyclediagram.MaxRelaxations, Answer: http.StatusUnprocessableEntity,
	},
	{
		Name: "accesses", What: "accesses of a family's cycles",
		Value: cyclediagram.MaxSize, Answer: http.StatusUnprocessableEntity,
	},
	{Name: "family", What: "time to make a family", Value: familyTime, Beyond: "it breaks off, and says so"},
	{
		Name: "families", What: "families that are made at once",
		Value: familiesMost, Answer: http.StatusServiceUnavailable,
		Beyond: fmt.Sprintf("after a wait of %v; one client may have %d of them", server.FamilyWait, familiesEach),
	},
}
