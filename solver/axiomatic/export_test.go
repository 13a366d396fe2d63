package axiomatic

// KeepOrders has the solver keep orders of any size, or as always.
func KeepOrders(all bool) {
	mostRings = 5000
	if all {
		mostRings = -1
	}
}
