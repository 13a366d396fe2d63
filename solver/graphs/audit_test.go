package graphs

import (
	"litmuscope/solver/graphs/graph"
)

func init() { audited, graph.MostPlaces = true, 8 }
