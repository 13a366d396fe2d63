package axiomatic

// KeepOrders has the solver keep orders of any size, or as always.
func KeepOrders(all bool) {
	mostRings = 5000
	if all {
		mostRings = -1
	}
}

// ToAll tells whether a relation leads to all pieces of an access or to none, by what its expression says.
var ToAll = toAll
