package class

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/store"
)

func newHall(t *testing.T) (*Hall, *store.Store) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return NewHall(s, time.Now), s
}

func newRoom(t *testing.T, h *Hall, items ...Item) (*Room, string) {
	t.Helper()
	r, secret, err := h.Open(t.Context(), "", items)
	if err != nil {
		t.Fatal(err)
	}
	return r, secret
}

func does(t *testing.T, r *Room, actions ...Action) {
	t.Helper()
	for _, a := range actions {
		if err := r.Do(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
}

// clock is a time that stands still until the test moves it.
type clock struct{ at time.Time }

func newClock() *clock                { return &clock{time.Unix(1_700_000_000, 123_456_789)} }
func (c *clock) now() time.Time       { return c.at }
func (c *clock) goOn(d time.Duration) { c.at = c.at.Add(d) }

// A vote ends by itself as by the button, at its time, whether the server has run all the while or not.
func TestVotesEndByThemselves(t *testing.T) {
	_, kept := newHall(t)
	clock := newClock()
	hall := NewHall(kept, clock.now)
	room, _ := newRoom(t, hall, sb(), sb())
	wants := func(phase Phase, left time.Duration) {
		t.Helper()
		v := room.View()
		if v.Progress[0].Phase != phase || v.Left != left {
			t.Errorf("the vote is %s with %v left, want %s with %v", v.Progress[0].Phase, v.Left, phase, left)
		}
	}
	votes := func(want error) {
		t.Helper()
		if _, err := room.Vote(t.Context(), VoterOf("ann"), 0, room.View().Progress[0].Round, Ballot{0, 0},
			0); !errors.Is(err, want) {
			t.Errorf("a vote: %v, want %v", err, want)
		}
	}
	restarts := func() {
		t.Helper()
		again, err := NewHall(kept, clock.now).ByCode(t.Context(), room.Code)
		if err != nil {
			t.Fatal(err)
		}
		room = again
	}
	does(t, room, Action{Do: Timer, N: 30})
	wants(Opened, 30*time.Second)
	clock.goOn(20 * time.Second)
	wants(Opened, 10*time.Second)
	does(t, room, Action{Do: More, N: 30})
	restarts()
	clock.goOn(39 * time.Second)
	wants(Opened, time.Second)
	votes(nil)
	clock.goOn(time.Second)
	wants(Closed, 0)
	votes(nil) // it was on its way
	if err := room.Do(t.Context(), Action{Do: Close}); !errors.Is(err, ErrNotNow) {
		t.Errorf("closed again: %v", err)
	}
	clock.goOn(Grace)
	votes(ErrClosed)
	restarts()
	wants(Closed, 0)
	votes(ErrClosed)

	// Its end passes while the server is away, and another question comes up.
	does(t, room, Action{Do: Timer, N: 60})
	clock.goOn(time.Hour)
	does(t, room, Action{Do: Goto, N: 1})
	restarts()
	wants(Closed, 0)
	votes(ErrClosed)

	does(t, room, Action{Do: Goto, N: 0}, Action{Do: Timer, N: MaxTimer}, Action{Do: More, N: MaxTimer})
	wants(Opened, MaxTimer*time.Second)
	does(t, room, Action{Do: Timer, N: 0})
	wants(Opened, 0)
	clock.goOn(24 * time.Hour)
	wants(Opened, 0)
	does(t, room, Action{Do: Timer, N: 60}, Action{Do: Close}, Action{Do: Open})
	wants(Opened, 0)
}

// A lecture is what it was after a restart, whatever was done before: votes are those that
// were acknowledged, one for each voter and round, and tallies are their sums.
func TestLecturesOutliveRestarts(t *testing.T) {
	_, kept := newHall(t)
	clock := newClock()
	verbs := []Verb{
		Open, Close, Timer, More, Discuss, Reveal, Cover, Goto, Show, Step, Live, Wide, Hide,
		Unhide, Board, Leaders, Devices, Counts,
	}
	text := rapid.SampledFrom([]string{"a fence", " A\nFence", "=1", "a \x00", "", strings.Repeat("x", MaxText+1)})
	rapid.Check(t, func(rt *rapid.T) {
		hall := NewHall(kept, clock.now)
		room, secret, err := hall.Open(context.Background(), "", []Item{sb(), why(), fences()})
		if err != nil {
			rt.Fatal(err)
		}
		acknowledged := map[round]map[Voter]Vote{}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 11).Draw(rt, "what") {
			case 0: // restart
				hall = NewHall(kept, clock.now)
				again, err := hall.ByCode(context.Background(), room.Code)
				if err != nil {
					rt.Fatal(err)
				}
				before, after := room.View(), again.View()
				before.Version, after.Version = 0, 0
				if !maps.Equal(room.names, again.names) || !before.Board && len(again.names) > 0 {
					rt.Fatalf("before the restart the names are %v, after it %v", room.names, again.names)
				}
				if !reflect.DeepEqual(before, after) {
					rt.Fatalf("before the restart %+v, after it %+v", before, after)
				}
				room = again
				if driven, err := hall.BySecret(context.Background(), secret); err != nil || driven != room {
					rt.Fatalf("by its secret: %v, %v", driven, err)
				}
			case 1:
				clock.goOn(time.Duration(rapid.IntRange(0, 3).Draw(rt, "seconds")) * time.Second)
			case 11:
				err := room.AskDevices(context.Background(), []byte(`{"models":[]}`))
				if err != nil && !errors.Is(err, ErrNotNow) {
					rt.Fatal(err)
				}
			case 10:
				by := VoterOf(rapid.StringMatching(`[abcd]`).Draw(rt, "joins"))
				if err := room.Join(context.Background(), by); err != nil {
					rt.Fatal(err)
				}
				if p := room.Player(by); (p.Name != "") != room.View().Board {
					rt.Fatalf("%+v while names are wanted: %v", p, room.View().Board)
				}
			case 2, 3, 4:
				a := Action{
					rapid.SampledFrom(verbs).Draw(rt, "verb"), rapid.IntRange(-1, 2).Draw(rt, "n"),
					text.Draw(rt, "text"),
				}
				if err := room.Do(context.Background(), a); err != nil && !errors.Is(err, ErrNotNow) {
					rt.Fatal(err)
				}
			default:
				by := VoterOf(rapid.StringMatching(`[abc]`).Draw(rt, "voter"))
				v := room.View()
				item := rapid.IntRange(-1, 3).Draw(rt, "item")
				n := rapid.IntRange(0, 2).Draw(rt, "round")
				if rapid.Bool().Draw(rt, "as asked") {
					item, n = v.Current, v.Progress[v.Current].Round
				}
				b := Ballot{int8(rapid.IntRange(-1, 2).Draw(rt, "a")), int8(rapid.IntRange(-1, 2).Draw(rt, "b"))}
				made := rapid.Int64Range(0, 5).Draw(rt, "made")
				cast, got, err := Vote{Ballot: b}, Vote{}, error(nil)
				if item == 1 || rapid.Bool().Draw(rt, "writes") {
					written := text.Draw(rt, "written")
					got, err = room.Write(context.Background(), by, item, n, written, made)
					cast = Vote{}
					cast.Text, _ = ReadText(written)
				} else {
					got, err = room.Vote(context.Background(), by, item, n, b, made)
				}
				if errors.Is(err, ErrClosed) || errors.Is(err, ErrBallot) || errors.Is(err, ErrLong) {
					continue
				}
				if err != nil {
					rt.Fatal(err)
				}
				if v.Progress[item].Phase == Revealed || v.Progress[item].Round != n {
					rt.Fatalf("a vote counts in round %d of a question that is %+v", n, v.Progress[item])
				}
				key := round{item, n}
				if acknowledged[key] == nil {
					acknowledged[key] = map[Voter]Vote{}
				}
				if last, voted := acknowledged[key][by]; voted && got.Made < last.Made {
					rt.Fatalf("vote %v is replaced by an older one, %v", last, got)
				}
				if made != 0 && got.Made == made &&
					(got.Ballot.String() != cast.Ballot.String() || got.Text != cast.Text) {
					rt.Fatalf("voted %v, got %v", cast, got)
				}
				acknowledged[key][by] = got
			}
			for item := range 3 {
				for n := range MaxRounds {
					check(rt, room, round{item, n}, acknowledged[round{item, n}])
				}
			}
		}
		if err := room.End(context.Background()); err != nil {
			rt.Fatal(err)
		}
	})
}

func check(t *rapid.T, r *Room, key round, want map[Voter]Vote) {
	tally := r.Tally(key.item, key.round)
	if tally.Voters != len(want) {
		t.Fatalf("%v: %d voters, want %d", key, tally.Voters, len(want))
	}
	v := r.View()
	sums := v.Items[key.item].tally(want)
	if v.Items[key.item].Kind == Text {
		sums.Texts = written(want, v.Progress[key.item].Hidden)
	}
	if !reflect.DeepEqual(tally, sums) {
		t.Fatalf("%v: tally %v, want %v", key, tally, sums)
	}
	for by, vote := range want {
		if got, ok := r.Mine(by, key.item, key.round); !ok || !reflect.DeepEqual(got, vote) {
			t.Fatalf("%v: vote %v, want %v", key, got, vote)
		}
	}
}

// failing loses votes now and then, and says so.
type failing struct {
	Keeper
	mu sync.Mutex
	n  int
}

func (f *failing) SaveVotes(ctx context.Context, votes []store.RoomVote) error {
	f.mu.Lock()
	f.n++
	fails := f.n%3 == 0
	f.mu.Unlock()
	if fails {
		return errors.New("the disk is full")
	}
	return f.Keeper.SaveVotes(ctx, votes)
}

// Many vote at once, some of them in vain: a vote counts if, and only if, it was acknowledged.
func TestVotesAtOnce(t *testing.T) {
	_, kept := newHall(t)
	hall := NewHall(&failing{Keeper: kept}, time.Now)
	room, _ := newRoom(t, hall, sb())
	does(t, room, Action{Do: Open})
	var voters sync.WaitGroup
	var mu sync.Mutex
	counted := map[Voter]bool{}
	for i := range 300 {
		voters.Go(func() {
			by := VoterOf(fmt.Sprint(i))
			_, err := room.Vote(t.Context(), by, 0, 1, Ballot{int8(i % 2), None}, 0)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				counted[by] = true
			}
		})
	}
	voters.Wait()
	again, err := NewHall(kept, time.Now).ByCode(t.Context(), room.Code)
	if err != nil {
		t.Fatal(err)
	}
	for what, r := range map[string]*Room{"in memory": room, "in the store": again} {
		votes := r.Votes(0, 1)
		if len(votes) != len(counted) || len(counted) == 0 {
			t.Errorf("%s are %d votes, %d were acknowledged", what, len(votes), len(counted))
		}
		for by := range votes {
			if !counted[by] {
				t.Errorf("%s is a vote that was not acknowledged", what)
			}
		}
	}
}

func TestRoomsAreApart(t *testing.T) {
	hall, _ := newHall(t)
	a, secretA := newRoom(t, hall, sb())
	b, secretB := newRoom(t, hall, sb())
	does(t, a, Action{Do: Open})
	by := VoterOf("ann")
	if _, err := a.Vote(t.Context(), by, 0, 1, Ballot{0, 0}, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Vote(t.Context(), by, 0, 1, Ballot{0, 0}, 0); !errors.Is(err, ErrClosed) {
		t.Errorf("a vote in the other room: %v", err)
	}
	if n := b.Tally(0, 1).Voters; n != 0 {
		t.Errorf("the other room has %d votes", n)
	}
	for secret, want := range map[string]*Room{secretA: a, secretB: b} {
		if got, err := hall.BySecret(t.Context(), secret); got != want || err != nil {
			t.Errorf("a secret opens %v, %v", got, err)
		}
	}
	for _, no := range []string{"", a.Code, NewSecret(), secretA + "x"} {
		if got, err := hall.BySecret(t.Context(), no); !errors.Is(err, store.ErrNoRoom) {
			t.Errorf("%q opens %v, %v", no, got, err)
		}
	}
	if err := a.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := hall.ByCode(t.Context(), a.Code); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("after its end: %v", err)
	}
	if err := a.Do(t.Context(), Action{Do: Close}); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("driven after its end: %v", err)
	}
	if !a.View().Over || b.View().Over {
		t.Error("the wrong room is over")
	}
}

func TestVotersAreBounded(t *testing.T) {
	hall, _ := newHall(t)
	room, _ := newRoom(t, hall, sb())
	does(t, room, Action{Do: Open})
	for i := range MaxVoters {
		room.voters[VoterOf(fmt.Sprint(i))] = true
	}
	if _, err := room.Vote(t.Context(), VoterOf("one more"), 0, 1, Ballot{0, 0}, 0); !errors.Is(err, ErrFull) {
		t.Errorf("one more voter: %v", err)
	}
	if _, err := room.Vote(t.Context(), VoterOf("7"), 0, 1, Ballot{0, 0}, 0); err != nil {
		t.Errorf("one of them: %v", err)
	}
}

func TestPresence(t *testing.T) {
	hall, _ := newHall(t)
	room, _ := newRoom(t, hall, sb())
	ann, bob := VoterOf("ann"), VoterOf("bob")
	_, leave1, _ := room.Listen(ann)
	_, leave2, _ := room.Listen(ann) // another tab
	_, leaveBob, _ := room.Listen(bob)
	_, leaveScreen := room.Watch("", false)
	if n := room.Present(); n != 2 {
		t.Errorf("%d are there, want 2", n)
	}
	leave1()
	leave1()
	leaveBob()
	if n := room.Present(); n != 2 {
		t.Errorf("a moment later %d are there, want 2", n)
	}
	room.seen[bob] = time.Now().Add(-2 * around)
	if n := room.Present(); n != 1 {
		t.Errorf("later %d are there, want 1", n)
	}
	if room.idleSince(time.Now().Add(time.Hour)) != 0 {
		t.Error("a room with people in it is idle")
	}
	leave2()
	leaveScreen()
	if room.idleSince(time.Now().Add(time.Hour)) < 59*time.Minute {
		t.Error("an empty room is not idle")
	}
	changed := room.Changed()
	does(t, room, Action{Do: Open})
	select {
	case <-changed:
	default:
		t.Error("nobody hears that a question is open")
	}
}

// Who takes a class's streams without a place leaves those of voters; a voter's newest streams are the ones that go on.
func TestStreamsAreBounded(t *testing.T) {
	hall, _ := newHall(t)
	room, _ := newRoom(t, hall, sb())
	ended := func(ch <-chan struct{}) bool {
		select {
		case <-ch:
			return true
		default:
			return false
		}
	}
	teacher, _ := room.Watch("teacher", true)
	projector, _ := room.Watch("hall", false)
	var last <-chan struct{}
	for range 3 * MaxScreens {
		last, _ = room.Watch("hostile", false)
	}
	if ended(teacher) || ended(projector) || ended(last) {
		t.Error("screens from one address end the teacher's stream, the projector's at another, or their own last one")
	}
	for n := range 3 * MaxScreens {
		room.Watch(fmt.Sprint("hostile ", n%20), false)
	}
	if ended(teacher) || ended(projector) {
		t.Error("screens from many addresses end the teacher's stream, or the projector's")
	}
	if n := len(room.screens); n != MaxScreens+1 {
		t.Errorf("%d screens and teachers, want %d", n, MaxScreens+1)
	}
	room.screens = room.screens[:MaxScreens] // as if the teacher, say, had gone
	var replaced [maxTabs + 1]<-chan struct{}
	var leave [maxTabs + 1]func()
	for i := range replaced {
		var ok bool
		if replaced[i], leave[i], ok = room.Listen(VoterOf("ann")); !ok {
			t.Fatal("a voter is turned away")
		}
	}
	for i, ch := range replaced {
		select {
		case <-ch:
			if i > 0 {
				t.Errorf("stream %d is replaced", i)
			}
		default:
			if i == 0 {
				t.Error("the first stream goes on")
			}
		}
	}
	for _, leave := range leave {
		if leave(); room.Present() != 1 { // or were a moment ago
			t.Errorf("%d are there", room.Present())
		}
	}
	if n := len(room.streams); n != 0 {
		t.Errorf("%d still have streams", n)
	}
	for i := range MaxVoters {
		if _, _, ok := room.Listen(VoterOf(fmt.Sprint(i))); !ok {
			t.Fatalf("voter %d is turned away", i)
		}
	}
	if _, _, ok := room.Listen(VoterOf("one more")); ok {
		t.Errorf("more than %d streams", MaxStreams)
	}
}

// A place is worth something where it was given, after a restart, too; nobody makes one up.
func TestPlaces(t *testing.T) {
	hall, kept := newHall(t)
	room, _ := newRoom(t, hall, sb())
	other, _ := newRoom(t, hall, sb())
	place, err := room.NewPlace(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token, word, _ := strings.Cut(place, ".")
	again, err := NewHall(kept, time.Now).ByCode(t.Context(), room.Code)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in    *Room
		place string
		want  Voter
	}{
		{room, place, VoterOf(token)},
		{again, place, VoterOf(token)},
		{other, place, Voter{}},
		{room, "", Voter{}},
		{room, ".", Voter{}},
		{room, token, Voter{}}, // as browsers had them before
		{room, token + ".", Voter{}},
		{room, NewSecret() + "." + word, Voter{}},
		{room, token + "." + NewSecret(), Voter{}},
		{room, place + "A", Voter{}},
	} {
		if got, err := c.in.VoterAt(t.Context(), c.place); err != nil || got != c.want {
			t.Errorf("%q: voter %x, %v, want %x", c.place, got, err, c.want)
		}
	}
	different, _ := newHall(t)
	room.hall = different
	if got, err := room.VoterAt(t.Context(), place); err != nil || got != (Voter{}) {
		t.Errorf("with another server's key: %x, %v", got, err)
	}
}

func TestResults(t *testing.T) {
	hall, _ := newHall(t)
	odd := sb()
	odd.Title = "=1+1"
	room, _ := newRoom(t, hall, odd, fences(), why())
	does(t, room, Action{Do: Open})
	vote := func(by string, item, n int, b Ballot) {
		t.Helper()
		if _, err := room.Vote(t.Context(), VoterOf(by), item, n, b, 0); err != nil {
			t.Fatal(err)
		}
	}
	vote("ann", 0, 1, Ballot{0, 0})
	vote("bob", 0, 1, Ballot{1, None})
	does(t, room, Action{Do: Discuss}, Action{Do: Open})
	vote("ann", 0, 2, Ballot{1, 0})
	does(t, room, Action{Do: Goto, N: 1}, Action{Do: Open})
	vote("bob", 1, 1, Ballot{1, 1})
	vote("ann", 1, 1, Ballot{0, 0})
	for _, said := range []struct {
		b Ballot
		j Judged
	}{{Ballot{1, 1}, Judged{Is: Done}}, {Ballot{0, 0}, Judged{Missed, "Not yet: TSO allows it."}}} {
		if err := room.Judge(t.Context(), 1, said.b, said.j); err != nil {
			t.Fatal(err)
		}
	}
	does(t, room, Action{Do: Goto, N: 2}, Action{Do: Open}, Action{Do: Hide, Text: "A FENCE"})
	for by, text := range map[string]string{"ann": "a fence", "bob": "A  fence", "eve": "Nothing"} {
		if _, err := room.Write(t.Context(), VoterOf(by), 2, 1, text, 0); err != nil {
			t.Fatal(err)
		}
	}
	csvOf := func(rows [][]string, err error) string {
		var b strings.Builder
		if err := errors.Join(err, csv.NewWriter(&b).WriteAll(rows)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	sums, votes := csvOf(room.Results()), csvOf(room.AllVotes())
	want := `question,title,asks,round,part,answer,right,votes,voters
1,=1+1,0:EAX=0; 1:EAX=0,1,SC,allowed,no,1,2
1,=1+1,0:EAX=0; 1:EAX=0,1,SC,forbidden,yes,1,2
1,=1+1,0:EAX=0; 1:EAX=0,1,TSO,allowed,yes,1,2
1,=1+1,0:EAX=0; 1:EAX=0,1,TSO,forbidden,no,0,2
1,=1+1,0:EAX=0; 1:EAX=0,2,SC,allowed,no,0,1
1,=1+1,0:EAX=0; 1:EAX=0,2,SC,forbidden,yes,1,1
1,=1+1,0:EAX=0; 1:EAX=0,2,TSO,allowed,yes,1,1
1,=1+1,0:EAX=0; 1:EAX=0,2,TSO,forbidden,no,0,1
2,SB,Place the fences,1,,no change,no,1,2
2,SB,Place the fences,1,,MFENCE in P0; MFENCE in P1,yes,1,2
3,Why?,Why?,1,,a fence,,2,3
3,Why?,Why?,1,,Nothing,,1,3
`
	if sums != want {
		t.Errorf("results:\n%s\nwant\n%s", sums, want)
	}
	lines := strings.Split(strings.TrimSpace(votes), "\n")
	if len(lines) != 1+2+1+2+2+3 || strings.Contains(votes, "ann") {
		t.Errorf("votes:\n%s", votes)
	}
}

// Where there is no room for another class, one goes that nobody has joined and nobody looks at: of the address that
// opened most of these, the one unused for longest.
func TestUnjoinedClassesMakeRoom(t *testing.T) {
	hall, kept := newHall(t)
	kept.MaxRooms = 6
	open := func(h *Hall, client string) *Room {
		t.Helper()
		r, _, err := h.Open(t.Context(), client, []Item{sb()})
		if err != nil {
			t.Fatalf("%s opens a class: %v", client, err)
		}
		return r
	}
	exists := func(h *Hall, what string, r *Room, want bool) {
		t.Helper()
		if _, err := h.ByCode(t.Context(), r.Code); (err == nil) != want || err != nil &&
			!errors.Is(err, store.ErrNoRoom) {
			t.Errorf("%s: %v, want it there: %v", what, err, want)
		}
	}
	teacher := open(hall, "teacher")
	voted := open(hall, "flood")
	does(t, voted, Action{Do: Open})
	if _, err := voted.Vote(t.Context(), VoterOf("ann"), 0, 1, Ballot{0, 0}, 0); err != nil {
		t.Fatal(err)
	}
	listened := open(hall, "flood")
	_, leave, ok := listened.Listen(VoterOf("bob"))
	if !ok {
		t.Fatal("nobody may listen")
	}
	leave() // and is yet to come back
	watched := open(hall, "flood")
	_, gone := watched.Watch("flood", true)
	var flood []*Room
	for range 20 {
		flood = append(flood, open(hall, "flood"))
	}
	exists(hall, "a class yet to begin of another address", teacher, true)
	exists(hall, "a class with a vote", voted, true)
	exists(hall, "a class that somebody has joined", listened, true)
	exists(hall, "a class that its teacher looks at", watched, true)
	for i, r := range flood {
		exists(hall, fmt.Sprintf("class %d of the flood", i), r, i >= 18)
	}
	if n := len(hall.opened); n != 6 {
		t.Errorf("the hall notes the addresses of %d classes, want 6", n)
	}

	// Nothing is known of addresses after a restart: votes still protect a class.
	gone()
	hall = NewHall(kept, time.Now)
	for range 10 {
		open(hall, "flood")
	}
	exists(hall, "a class with a vote, after a restart", voted, true)

	// Where all are in use, none goes.
	hall, kept = newHall(t)
	kept.MaxRooms = 2
	for range 2 {
		_, leave := open(hall, "teacher").Watch("projector", false)
		defer leave()
	}
	if _, _, err := hall.Open(t.Context(), "flood", []Item{sb()}); !errors.Is(err, store.ErrRoomsFull) {
		t.Errorf("all classes are in use: %v, want %v", err, store.ErrRoomsFull)
	}
}
