package graphs

import (
	"litmuscope/solver/graphs/graph"
)

func init() { Audit, graph.MostPlaces = true, 8 }
