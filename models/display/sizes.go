package display

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// addSizes sets which bytes each event accesses, in executions whose accesses overlap in part. It also joins the pieces
// of one access, and those of the initial value of a location that was split.
//
// Pieces of an access are consecutive events, and pieces of a split location are linked by Location.Next. The initial
// write of a location has the number of the location as its ID.
func addSizes(x *models.Execution, events []models.GraphEvent) {
	p := x.Program
	before := make([]int, len(p.Locs)) // the location right before each, from 1
	for i, l := range p.Locs {
		if l.Next > 0 {
			before[l.Next] = i + 1
		}
	}
	for i := 0; i < len(x.Events); {
		of := []int{i} // the pieces of an access, or of the initial value of a location, by address
		e := x.Events[i]
		i++
		if e.Loc < 0 || e.Kind == models.Fence {
			continue
		}
		if e.Thread == models.InitThread { // whose initial write has its number
			for k := p.Locs[e.Loc].Next; k > 0 && p.Locs[k].Offset > 0 &&
				p.Locs[e.Loc].Offset == 0; k = p.Locs[k].Next {
				of = append(of, k)
				events[k].Within = p.Locs[e.Loc].Name
			}
		} else {
			for ; i < len(x.Events) && x.Events[i].Piece > 0; i++ {
				of = append(of, i)
			}
		}
		for _, id := range of {
			at := x.Events[id].Loc
			begin := at
			for before[begin] > 0 {
				begin = before[begin] - 1
			}
			events[id].Bytes, events[id].At = p.Locs[at].Bits/8, int(p.Locs[at].Address-p.Locs[begin].Address)
		}
		if len(of) > 1 {
			joinPieces(x, events, of)
		}
	}
}

// joinPieces gives the first of several pieces the value of the whole access, and numbers the pieces of an access.
//
// On a big-endian architecture the first piece, at the lowest address, has the highest bits. A value of more than 64
// bits is two numbers.
func joinPieces(x *models.Execution, events []models.GraphEvent, of []int) {
	p := x.Program
	bits := 0
	for _, id := range of {
		bits += p.Locs[x.Events[id].Loc].Bits
	}
	first := &events[of[0]]
	a := &models.GraphAccess{Name: first.Name, Bytes: bits / 8}
	var value [2]uint64
	below := 0
	for k, id := range of {
		n := p.Locs[x.Events[id].Loc].Bits
		lo := below
		if p.BigEndian {
			lo = bits - below - n
		}
		which, in := ir.Piece{Lo: lo}.Half()
		value[which] |= (x.Events[id].Value & ir.Mask(n)) << in.Lo
		below += n
		if x.Events[id].Thread != models.InitThread {
			events[id].Name = fmt.Sprint(a.Name, k+1)
		}
	}
	a.Value = p.FormatValue(value[0], min(bits, 64), false)
	if bits > 64 { // two numbers, the first at the access's address
		a.Value += "," + p.FormatValue(value[1], bits-64, false)
	}
	first.Access = a
}
