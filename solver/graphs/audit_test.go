package graphs

import (
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/graph"
)

func init() { consistency.Audit, graph.MostPlaces = true, 8 }
