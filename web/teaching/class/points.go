package class

import (
	"cmp"
	"slices"
)

// A right answer earns points: a question is worth MaxPoints, in equal shares for its parts, and so is a solved
// exercise. An answer that is right only in a later round, after discussion, earns half of that. Of several rounds the
// best counts. Questions that are not revealed yet earn nothing, nor do written answers and questions without a known
// answer.
const MaxPoints = 100

// Player is a voter with a name and points.
type Player struct {
	Name   string // "" where there are no names, or none were left
	Points int
	Rank   int // among others, from 1: those who have as many have the same
}

// Player returns a voter's name and points. Its rank is not set.
func (r *Room) Player(by Voter) Player {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names[by] == "" {
		return Player{}
	}
	return Player{Name: r.names[by], Points: r.points(by)}
}

// Leaders returns the players with the most points, in order, and how many further players have as many points as the
// last of them.
func (r *Room) Leaders(most int) (all []Player, alike int) {
	r.mu.Lock()
	for by, name := range r.names {
		if n := r.points(by); n > 0 {
			all = append(all, Player{Name: name, Points: n})
		}
	}
	r.mu.Unlock()
	slices.SortFunc(all, func(a, b Player) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Name, b.Name))
	})
	for n := range all {
		if all[n].Rank = n + 1; n > 0 && all[n].Points == all[n-1].Points {
			all[n].Rank = all[n-1].Rank
		}
	}
	if len(all) <= most {
		return all, 0
	}
	for _, p := range all[most:] {
		if p.Points == all[most-1].Points {
			alike++
		}
	}
	return all[:most], alike
}

// points returns a voter's points. The caller holds the room's lock.
func (r *Room) points(by Voter) (sum int) {
	for item, p := range r.progress {
		if p.Phase != Revealed {
			continue
		}
		best := 0
		for n := 1; n <= p.Round; n++ {
			v, voted := r.votes[round{item, n}][by]
			if !voted {
				continue
			}
			worth := r.worth(item, v.Ballot)
			if n > 1 {
				worth /= 2
			}
			best = max(best, worth)
		}
		sum += best
	}
	return sum
}

// worth returns the points of a ballot on an item in its first round. The caller holds the room's lock.
func (r *Room) worth(item int, b Ballot) int {
	if r.does(item, b) {
		return MaxPoints
	}
	known, right := 0, 0
	for n, p := range r.items[item].Parts {
		if p.Right >= 0 {
			known++
			if n < len(b) && int(b[n]) == p.Right {
				right++
			}
		}
	}
	return MaxPoints * right / max(known, 1)
}
