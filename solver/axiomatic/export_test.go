package axiomatic

// KeepOrders has the solver keep orders of any size, and find what leads round about, or as always.
func KeepOrders(all bool) {
	mostRings, fewForWays = 5000, manyEvents
	if all {
		mostRings, fewForWays = -1, 0
	}
}
