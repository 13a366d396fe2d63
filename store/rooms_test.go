package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

func newRoom(t *testing.T, s *Store, code string, items ...RoomItem) *Room {
	t.Helper()
	r := &Room{
		Code: code, Secret: []byte("hash of " + code), Created: time.Now(), Used: time.Now(),
		State: []byte(`{}`), Items: items,
	}
	if err := s.CreateRoom(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRooms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rooms.db")
	s := open(t, path)
	r := newRoom(t, s, "AAAAAA", RoomItem{[]byte("a"), []byte("0")}, RoomItem{[]byte("b"), []byte("0")})
	if err := s.CreateRoom(t.Context(),
		&Room{Code: "AAAAAA", Secret: []byte("x"), Used: time.Now(), State: []byte(`{}`)}); !errors.Is(err,
		ErrCodeTaken) {
		t.Errorf("a second room with the code: %v", err)
	}
	if err := s.SaveRoom(t.Context(), r.Number, []byte(`{"at":1}`), map[int][]byte{1: []byte("1")}); err != nil {
		t.Fatal(err)
	}
	if err := s.AddRoomItems(t.Context(), r.Number, []byte(`{"at":2}`), 2,
		[]RoomItem{{[]byte("c"), []byte("0")}}); err != nil {
		t.Fatal(err)
	}
	vote := func(item int, voter string, ballot byte, made int64) {
		t.Helper()
		v := RoomVote{Room: r.Number, Item: item, Round: 1, Voter: []byte(voter), Ballot: []byte{ballot}, Made: made}
		if err := s.SaveVotes(t.Context(), []RoomVote{v}); err != nil {
			t.Fatal(err)
		}
	}
	vote(0, "ann", 1, 10)
	vote(0, "bob", 0, 10)
	vote(0, "ann", 0, 20)
	vote(0, "ann", 1, 15) // came late
	vote(2, "ann", 1, 30)
	s.Close()

	s = open(t, path) // all is as it was
	for what, find := range map[string]func() (*Room, error){
		"code":   func() (*Room, error) { return s.RoomByCode(t.Context(), "AAAAAA") },
		"secret": func() (*Room, error) { return s.RoomBySecret(t.Context(), r.Secret) },
	} {
		got, err := find()
		if err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprintf("%s %s", got.State, got.Items); text != `{"at":2} [{a 0} {b 1} {c 0}]` {
			t.Errorf("by %s: %s", what, text)
		}
	}
	votes, err := s.RoomVotes(t.Context(), r.Number)
	var text string
	for _, v := range votes {
		text += fmt.Sprintf("%d %s %d; ", v.Item, v.Voter, v.Ballot[0])
	}
	if text != "0 ann 0; 0 bob 0; 2 ann 1; " || err != nil {
		t.Errorf("votes: %s %v", text, err)
	}
	named := func(want string) {
		t.Helper()
		names, err := s.RoomNames(t.Context(), r.Number)
		var text string
		for _, n := range names {
			text += fmt.Sprintf("%s %s; ", n.Voter, n.Name)
		}
		if text != want || err != nil {
			t.Errorf("names: %s, %v, want %s", text, err, want)
		}
	}
	name := func(voter, name string) RoomName { return RoomName{r.Number, []byte(voter), name} }
	if err := s.SaveRoomNames(t.Context(),
		[]RoomName{name("ann", "Oak"), name("bob", "Elm"), name("ann", "Ash")}); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveRoomNames(t.Context(), []RoomName{name("cat", "Fir"), name("dan", "Elm")}); err == nil {
		t.Error("two have one name")
	}
	named("ann Ash; bob Elm; ")
	if err := s.DropRoomNames(t.Context(), r.Number); err != nil {
		t.Fatal(err)
	}
	named("")
	if err := s.SaveRoomNames(t.Context(), []RoomName{name("ann", "Oak")}); err != nil {
		t.Fatal(err)
	}
	if err := s.DropRoom(t.Context(), r.Number); err != nil {
		t.Fatal(err)
	}
	named("")
	if err := s.SaveRoomNames(t.Context(), []RoomName{name("ann", "Oak")}); !errors.Is(err, ErrNoRoom) {
		t.Errorf("named after the end: %v", err)
	}
	if _, err := s.RoomByCode(t.Context(), "AAAAAA"); !errors.Is(err, ErrNoRoom) {
		t.Errorf("after the end: %v", err)
	}
	vote(0, "cat", 1, 40) // leaves nothing behind
	if votes, err := s.RoomVotes(t.Context(), r.Number); len(votes) != 0 || err != nil {
		t.Errorf("votes of a room that is gone: %v %v", votes, err)
	}
	if err := s.SaveRoom(t.Context(), r.Number, []byte(`{}`), nil); !errors.Is(err, ErrNoRoom) {
		t.Errorf("saved after the end: %v", err)
	}
}

func TestRoomsExpireAndAreBounded(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "rooms.db"))
	s.MaxRooms = 2
	old, young := newRoom(t, s, "OLDOLD"), newRoom(t, s, "YOUNGS")
	full := &Room{Code: "THIRDS", Secret: []byte("3"), Used: time.Now(), State: []byte(`{}`)}
	if err := s.CreateRoom(t.Context(), full); !errors.Is(err, ErrRoomsFull) {
		t.Errorf("a third room: %v", err)
	}
	if _, err := s.exec(t.Context(), `UPDATE rooms SET used = ? WHERE number = ?`, time.Now().Add(-25*time.Hour).Unix(),
		old.Number); err != nil {
		t.Fatal(err)
	}
	if _, err := s.RoomByCode(t.Context(), "OLDOLD"); !errors.Is(err, ErrNoRoom) {
		t.Errorf("a day later: %v", err)
	}
	if err := s.CreateRoom(t.Context(), full); err != nil {
		t.Errorf("a room in the place of one that nobody uses: %v", err)
	}
	if err := s.SaveVotes(t.Context(),
		[]RoomVote{{Room: old.Number, Round: 1, Voter: []byte("v"), Ballot: []byte{1}}}); err != nil {
		t.Fatal(err)
	}
	// A vote is a use, so both are there again; then nobody comes for a day.
	if _, err := s.exec(t.Context(), `UPDATE rooms SET used = ? WHERE number = ?`, time.Now().Add(-25*time.Hour).Unix(),
		old.Number); err != nil {
		t.Fatal(err)
	}
	if err := s.tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	var rooms, votes int
	if err := s.db.QueryRowContext(t.Context(),
		`SELECT (SELECT count(*) FROM rooms), (SELECT count(*) FROM room_votes)`).Scan(&rooms, &votes); err != nil {
		t.Fatal(err)
	}
	if rooms != 2 || votes != 0 {
		t.Errorf("%d rooms and %d votes are left, want 2 and 0", rooms, votes)
	}
	if _, err := s.RoomByCode(t.Context(), young.Code); err != nil {
		t.Errorf("one in use: %v", err)
	}
}

// Of the reports of one voter in one run the last stays; a room with reports is in use, and its end deletes them.
func TestRoomReports(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "rooms.db"))
	r := newRoom(t, s, "AAAAAA", RoomItem{[]byte("a"), []byte("0")})
	report := func(run int, voter, text string) RoomReport {
		return RoomReport{Room: r.Number, Run: run, Voter: []byte(voter), Report: []byte(text)}
	}
	lists := func(want string) {
		t.Helper()
		reports, err := s.RoomReports(t.Context(), r.Number)
		var text string
		for _, r := range reports {
			text += fmt.Sprintf("%d %d %s %s; ", r.Item, r.Run, r.Voter, r.Report)
		}
		if text != want || err != nil {
			t.Errorf("reports: %s, %v, want %s", text, err, want)
		}
	}
	gone := report(1, "ann", "c")
	gone.Room++
	for _, batch := range [][]RoomReport{
		{report(1, "bob", "a"), report(1, "ann", "a")},
		{report(1, "ann", "b"), report(2, "ann", "c"), gone},
	} {
		if err := s.SaveReports(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	lists("0 1 ann b; 0 1 bob a; 0 2 ann c; ")
	if unused, err := s.UnusedRooms(t.Context()); len(unused) > 0 || err != nil {
		t.Errorf("unused: %v, %v", unused, err)
	}
	if err := s.DropRoom(t.Context(), r.Number); err != nil {
		t.Fatal(err)
	}
	lists("")
}
