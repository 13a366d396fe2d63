package class

import (
	"errors"
	"testing"
	"time"

	"litmuscope/store"
)

// What was said of edits is there after a restart, and what does what is asked for is not given up for what does not.
func TestEdits(t *testing.T) {
	hall, kept := newHall(t)
	room, secret := newRoom(t, hall, fences())
	does(t, room, Action{Do: Open})
	asked := 0
	try := func(b Ballot, j Judged) Vote {
		t.Helper()
		v, err := room.Try(t.Context(), VoterOf("ann"), 0, 1, b, 0, func(*Item) error {
			if _, known := room.Judged(0, b); known {
				return nil
			}
			asked++
			return room.Judge(t.Context(), 0, b, j)
		})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := try(Ballot{1, 0}, Judged{Missed, "Not yet."}); v.Ballot.String() != "1 0" {
		t.Errorf("the first try counts as %s", v.Ballot)
	}
	if v := try(Ballot{1, 1}, Judged{Is: Done}); v.Ballot.String() != "1 1" {
		t.Errorf("what does it counts as %s", v.Ballot)
	}
	if v := try(Ballot{0, 1}, Judged{Missed, "Not yet."}); v.Ballot.String() != "1 1" {
		t.Errorf("what does it is given up for %s", v.Ballot)
	}
	if _, err := room.Try(t.Context(), VoterOf("bob"), 0, 1, Ballot{0, 0}, 0,
		func(*Item) error { return ErrClosed }); !errors.Is(err, ErrClosed) {
		t.Errorf("what cannot be judged: %v", err)
	}
	var err error
	if room, err = NewHall(kept, time.Now).BySecret(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	if try(Ballot{1, 0}, Judged{}); asked != 3 {
		t.Errorf("%d edits were judged, want 3", asked)
	}
	if j, _ := room.Judged(0, Ballot{1, 0}); j != (Judged{Missed, "Not yet."}) {
		t.Errorf("after a restart: %+v", j)
	}
	tally := room.Tally(0, 1)
	if all := fences(); len(all.Edits(&tally)) != 1 || room.Solved(0, &tally) != 1 {
		t.Errorf("%+v, %d do it", all.Edits(&tally), room.Solved(0, &tally))
	}
}

// A room that was kept when fences were all that could be edited opens as it was.
func TestRoomsOfFences(t *testing.T) {
	hall, kept := newHall(t)
	room, secret := newRoom(t, hall)
	old := []store.RoomItem{{
		Body: []byte(
			`{"kind":"fences","title":"SB","prompt":"Where?","least":2,"parts":[{"label":"in P0","choices":[{"text":"no fence"},{"text":"MFENCE"}],"right":-1},{"label":"in P1","choices":[{"text":"no fence"},{"text":"MFENCE"}],"right":-1}]}`),
		State: []byte(`{"phase":"open","round":1,"step":-1,"judged":{"1 1":"enough","0 1":"weak","0 0":"unknown"}}`),
	}}
	if err := kept.AddRoomItems(t.Context(), room.Number, []byte(`{}`), 0, old); err != nil {
		t.Fatal(err)
	}
	room, err := NewHall(kept, time.Now).BySecret(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := room.Vote(t.Context(), VoterOf("ann"), 0, 1, Ballot{0, 1}, 0); err != nil {
		t.Error(err)
	}
	for ballot, want := range map[string]Judgement{"1 1": Done, "0 1": Missed, "0 0": Undecided} {
		b, err := ParseBallot(ballot)
		if j, known := room.Judged(0, b); err != nil || !known || j.Is != want {
			t.Errorf("%s is %+v, want %s: %v", ballot, j, want, err)
		}
	}
	item, _ := func() (*Item, Progress) { v := room.View(); return v.Item() }()
	if item.Kind != Edits || item.Words(Ballot{1, 1}) != "MFENCE in P0; MFENCE in P1" || item.Cost(Ballot{1, 1}) != 2 {
		t.Errorf("%+v", item)
	}
}
