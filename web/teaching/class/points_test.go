package class

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// Points are those of what has been revealed: of parts, of later rounds, of exercises. Who has as many is as far up.
func TestPoints(t *testing.T) {
	hall, kept := newHall(t)
	choice := Item{
		Kind: Choice, Prompt: "Which?",
		Parts: []Part{{Choices: []Answer{{Text: "a"}, {Text: "b"}}, Right: 1}},
	}
	open := choice
	open.Parts = []Part{{Choices: choice.Parts[0].Choices, Right: -1}}
	room, secret := newRoom(t, hall, sb(), choice, fences(), open, why())
	people := []string{"ann", "bob", "eve"}
	votes := func(item, n int, ballots ...Ballot) {
		t.Helper()
		for i, b := range ballots {
			if _, err := room.Vote(t.Context(), VoterOf(people[i]), item, n, b, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	wants := func(want ...int) {
		t.Helper()
		for n, who := range people {
			if p := room.Player(VoterOf(who)); p.Points != want[n] || p.Name == "" {
				t.Errorf("%s: %+v, want %d points", who, p, want[n])
			}
		}
	}
	does(t, room, Action{Do: Open})
	votes(0, 1, Ballot{1, 0}, Ballot{1, 1}, Ballot{0, 1})
	if p := room.Player(VoterOf("ann")); p != (Player{}) {
		t.Errorf("nobody wants points, and ann is %+v", p)
	}
	if names, err := kept.RoomNames(t.Context(), room.Number); len(names) > 0 || err != nil {
		t.Errorf("nobody wants names, and there are %v, %v", names, err)
	}
	does(t, room, Action{Do: Board, N: 1})
	wants(0, 0, 0)
	does(t, room, Action{Do: Discuss}, Action{Do: Open})
	votes(0, 2, Ballot{0, 1}, Ballot{1, 0}, Ballot{None, 0})
	wants(0, 0, 0)
	does(t, room, Action{Do: Reveal})
	wants(100, 50, 25)
	does(t, room, Action{Do: Cover})
	wants(0, 0, 0)
	does(t, room, Action{Do: Reveal}, Action{Do: Goto, N: 1}, Action{Do: Open})
	votes(1, 1, Ballot{0}, Ballot{1})
	does(t, room, Action{Do: Reveal})
	wants(100, 150, 25)
	does(t, room, Action{Do: Goto, N: 2}, Action{Do: Open})
	votes(2, 1, Ballot{1, 1}, Ballot{0, 0})
	for b, j := range map[[2]int8]Judged{{1, 1}: {Is: Done}, {0, 0}: {Is: Missed}} {
		if err := room.Judge(t.Context(), 2, b[:], j); err != nil {
			t.Fatal(err)
		}
	}
	does(t, room, Action{Do: Reveal})
	wants(200, 150, 25)
	does(t, room, Action{Do: Goto, N: 3}, Action{Do: Open})
	votes(3, 1, Ballot{0}, Ballot{1}, Ballot{1})
	does(t, room, Action{Do: Reveal}, Action{Do: Goto, N: 4}, Action{Do: Open})
	if _, err := room.Write(t.Context(), VoterOf("ann"), 4, 1, "why not", 0); err != nil {
		t.Fatal(err)
	}
	does(t, room, Action{Do: Reveal})
	wants(200, 150, 25)

	// Somebody who comes later gets a name, and what has been there stays after a restart.
	if err := room.Join(t.Context(), VoterOf("late")); err != nil || room.Player(VoterOf("late")).Name == "" {
		t.Errorf("who comes later is %+v, %v", room.Player(VoterOf("late")), err)
	}
	leaders, alike := room.Leaders(2)
	if len(leaders) != 2 || leaders[0].Name != room.Player(VoterOf("ann")).Name || leaders[1].Points != 150 ||
		leaders[1].Rank != 2 || alike != 0 {
		t.Errorf("leaders are %+v and %d", leaders, alike)
	}
	again, err := NewHall(kept, time.Now).BySecret(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := again.Leaders(2); !reflect.DeepEqual(after, leaders) {
		t.Errorf("after a restart leaders are %+v, and were %+v", after, leaders)
	}
	room = again
	does(t, room, Action{Do: Board})
	if p := room.Player(VoterOf("ann")); p != (Player{}) {
		t.Errorf("nobody wants points any more, and ann is %+v", p)
	}
	if names, err := kept.RoomNames(t.Context(), room.Number); len(names) > 0 || err != nil {
		t.Errorf("nobody wants names any more, and there are %v, %v", names, err)
	}
	does(t, room, Action{Do: Board, N: 1})
	if after, _ := room.Leaders(2); !reflect.DeepEqual(after, leaders) {
		t.Errorf("wanted again, leaders are %+v, and were %+v", after, leaders)
	}
}

func TestLeadersAlike(t *testing.T) {
	hall, _ := newHall(t)
	choice := Item{
		Kind: Choice, Prompt: "Which?",
		Parts: []Part{{Choices: []Answer{{Text: "a"}, {Text: "b"}}, Right: 1}},
	}
	room, _ := newRoom(t, hall, choice)
	does(t, room, Action{Do: Board, N: 1}, Action{Do: Open})
	for n := range 8 {
		by := VoterOf(fmt.Sprint(n))
		if err := room.Join(t.Context(), by); err != nil {
			t.Fatal(err)
		}
		if _, err := room.Vote(t.Context(), by, 0, 1, Ballot{int8(min(n, 1))}, 0); err != nil {
			t.Fatal(err)
		}
	}
	if all, alike := room.Leaders(5); len(all) != 0 || alike != 0 {
		t.Errorf("before it is revealed %+v and %d lead", all, alike)
	}
	does(t, room, Action{Do: Reveal})
	all, alike := room.Leaders(5)
	if len(all) != 5 || all[4].Rank != 1 || alike != 2 {
		t.Errorf("%+v and %d lead", all, alike)
	}
}
