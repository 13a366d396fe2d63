package class

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"litmuscope/store"
)

// Room is a lecture in progress. It is safe for concurrent use.
type Room struct {
	Number  int64
	Code    string
	Created time.Time
	secret  []byte // a hash
	hall    *Hall

	acting sync.Mutex // held by who changes anything but votes, until it is stored

	mu       sync.Mutex
	state    State
	items    []Item
	progress []Progress
	votes    map[round]map[Voter]Vote
	// answers caches the grouped written answers, until something changes them.
	written map[round][]Written
	judged  map[int]map[string]Judged // by item, and by ballot as text
	// reports has the reports of devices, by item and run, and sums caches their sums. reporting has the voters one of
	// whose reports is being stored.
	reports   map[round]map[Voter]Report
	sums      map[round]*DeviceSum
	reporting map[Voter]bool

	voters  map[Voter]bool        // who has ever voted here
	names   map[Voter]string      // where the teacher wants them
	streams map[Voter][]*listener // who listens, in which places
	screens []*listener           // … and in none, the first first
	crowded bool                  // somebody has had to wait for a place
	seen    map[Voter]time.Time
	touched time.Time
	over    bool
	version int // of all but votes and who is there
	changed signal
	counted signal
}

// round holds the votes of one round of an item.
type round struct{ item, round int }

// Vote is one voter's vote.
type Vote struct {
	Ballot Ballot
	Text   string // … or what they have written
	Made   int64  // when, in milliseconds since 1970, by their own clock
}

// voteOf converts a stored vote on an item.
func (i *Item) voteOf(v *store.RoomVote) Vote {
	if i.Kind == Text {
		return Vote{Text: string(v.Ballot), Made: v.Made}
	}
	return Vote{Ballot: ballotOf(v.Ballot), Made: v.Made}
}

func (v *Vote) bytes() []byte {
	if v.Text != "" {
		return []byte(v.Text)
	}
	return v.Ballot.bytes()
}

// View is a snapshot of a room. The caller must not change its items.
type View struct {
	State
	Items    []Item
	Progress []Progress
	Version  int
	Left     time.Duration // until the vote on the current item ends by itself; 0: it does not
	Over     bool
	Crowded  bool // somebody had to wait for a place, as too many came from one address
}

// Item returns the current item and its progress; nil if there is none.
func (v *View) Item() (*Item, Progress) {
	if len(v.Items) == 0 {
		return nil, Progress{}
	}
	return &v.Items[v.Current], v.Progress[v.Current]
}

// View returns a snapshot of the room.
func (r *Room) View() View {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := View{
		State: r.state, Items: slices.Clip(r.items), Progress: slices.Clone(r.progress), Version: r.version,
		Over: r.over, Crowded: r.crowded && !r.state.Wide,
	}
	now := r.hall.now()
	for n := range v.Progress {
		if v.Progress[n].closeExpired(now); n == v.Current {
			v.Left = v.Progress[n].left(now)
		}
	}
	return v
}

// The errors for rejected votes and actions.
var (
	ErrClosed = errors.New("the vote is closed")
	ErrBallot = errors.New("the vote does not fit the question")
	ErrFull   = errors.New("the class has too many voters")
	ErrMany   = fmt.Errorf("a class has at most %d questions", MaxItems)
)

// Vote stores a voter's vote in a round of an item, and returns the voter's current vote: this vote, or a later one
// that the same voter made elsewhere. Made is the time by the voter's clock; 0 is before all others. The errors are
// ErrClosed, ErrBallot, ErrFull, store.ErrNoRoom, and the store's.
func (r *Room) Vote(ctx context.Context, by Voter, item, n int, b Ballot, made int64) (Vote, error) {
	return r.take(ctx, by, item, n, Vote{Ballot: b, Made: made}, nil)
}

// Write is Vote for a written answer. It also returns the errors of ReadText.
func (r *Room) Write(ctx context.Context, by Voter, item, n int, written string, made int64) (Vote, error) {
	text, err := ReadText(written)
	if err != nil {
		return Vote{}, err
	}
	return r.take(ctx, by, item, n, Vote{Text: text, Made: made}, nil)
}

// Try is Vote with a judge, which runs before the vote is accepted and whose error Try returns. A ballot of edits that
// reaches the goal is never replaced by one that does not.
func (r *Room) Try(
	ctx context.Context, by Voter, item, n int, b Ballot, made int64, judge func(*Item) error,
) (Vote, error) {
	return r.take(ctx, by, item, n, Vote{Ballot: b, Made: made}, judge)
}

// take checks, judges and stores a vote. It holds no lock while the judge runs, which may take long, so it checks the
// vote again afterwards.
func (r *Room) take(ctx context.Context, by Voter, item, n int, v Vote, judge func(*Item) error) (Vote, error) {
	key := round{item, n}
	r.mu.Lock()
	err := r.admit(by, key, v)
	if err == nil && judge != nil {
		i := &r.items[item]
		r.mu.Unlock()
		if err = judge(i); err != nil {
			return Vote{}, err
		}
		r.mu.Lock()
		err = r.admit(by, key, v) // it has taken its time
	}
	last, voted := r.votes[key][by]
	if err == nil && voted && r.does(item, last.Ballot) && !r.does(item, v.Ballot) {
		r.mu.Unlock()
		return last, nil
	}
	if err == nil && v.Made == 0 {
		if v.Made = time.Now().UnixMilli(); voted {
			v.Made = max(v.Made, last.Made+1)
		}
	}
	r.mu.Unlock()
	if err != nil {
		return Vote{}, err
	}
	kept := store.RoomVote{Room: r.Number, Item: item, Round: n, Voter: by[:], Ballot: v.bytes(), Made: v.Made}
	err = r.hall.votes.add(ctx, kept, func(err error) {
		if err == nil {
			r.voted(kept)
		}
	})
	if err != nil {
		return Vote{}, err
	}
	mine, _ := r.Mine(by, item, n)
	return mine, nil
}

// admit returns why a vote is rejected, or nil. The caller holds the room's lock.
func (r *Room) admit(by Voter, key round, v Vote) error {
	switch now := r.hall.now(); {
	case r.over:
		return store.ErrNoRoom
	case key.item < 0 || key.item >= len(r.items) || !r.items[key.item].takes(v):
		return ErrBallot
	case !r.progress[key.item].takes(key.round, now):
		return ErrClosed
	case !r.voters[by] && len(r.voters) >= MaxVoters:
		return ErrFull
	default:
		r.voters[by] = true // their place is taken before the vote is stored
		r.seen[by], r.touched = time.Now(), time.Now()
		return nil
	}
}

// count counts a stored vote. Like the store, it keeps the vote that was made last. The caller holds the room's lock,
// or is its only user.
func (r *Room) count(v store.RoomVote) {
	by, key := Voter(v.Voter), round{v.Item, v.Round}
	if r.votes[key] == nil {
		r.votes[key] = map[Voter]Vote{}
	}
	if last, voted := r.votes[key][by]; !voted || v.Made >= last.Made {
		r.votes[key][by] = r.items[v.Item].voteOf(&v)
		delete(r.written, key)
	}
	r.voters[by] = true
}

func (r *Room) voted(v store.RoomVote) {
	r.mu.Lock()
	r.count(v)
	r.mu.Unlock()
	r.counted.send()
}

// Mine returns a voter's vote in a round.
func (r *Room) Mine(by Voter, item, n int) (Vote, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.votes[round{item, n}][by]
	v.Ballot = slices.Clone(v.Ballot)
	return v, ok
}

// Tally returns the tally of an item in a round.
func (r *Room) Tally(item, n int) Tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	if item < 0 || item >= len(r.items) {
		return Tally{}
	}
	key := round{item, n}
	t := r.items[item].tally(r.votes[key])
	if r.items[item].Kind == Text {
		if r.written[key] == nil {
			r.written[key] = written(r.votes[key], r.progress[item].Hidden)
		}
		t.Texts = r.written[key]
	}
	return t
}

// Votes returns all votes on an item in a round.
func (r *Room) Votes(item, n int) map[Voter]Vote {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.votes[round{item, n}])
}

// Do executes a teacher's action. Its errors are ErrNotNow, store.ErrNoRoom and the store's.
func (r *Room) Do(ctx context.Context, a Action) error {
	// A room without names stores none: Do deletes them before it stores that names are off, and gives them after it
	// stores that names are on.
	err := r.change(ctx, func(s *State, items []Item, progress []Progress) ([]int, error) {
		changed, err := apply(s, items, progress, a, r.hall.now())
		if err == nil && a.Do == Board && !s.Board {
			err = r.takeNames(ctx)
		}
		return changed, err
	})
	if err != nil || a.Do != Board {
		return err
	}
	err = r.give(ctx, r.all)
	r.changed.send() // for all who have a name now
	return err
}

// change stores a new state of the room, and then shows it to everybody.
func (r *Room) change(ctx context.Context, f func(*State, []Item, []Progress) ([]int, error)) error {
	r.acting.Lock()
	defer r.acting.Unlock()
	v := r.View()
	if v.Over {
		return store.ErrNoRoom
	}
	items, err := f(&v.State, v.Items, v.Progress)
	if err != nil {
		return err
	}
	state, err := json.Marshal(v.State)
	if err != nil {
		return err
	}
	states := map[int][]byte{}
	for _, i := range items {
		if states[i], err = json.Marshal(v.Progress[i]); err != nil {
			return err
		}
	}
	if err := r.hall.keeper.SaveRoom(ctx, r.Number, state, states); err != nil {
		return r.gone(err)
	}
	r.mu.Lock()
	r.state, r.progress = v.State, v.Progress
	clear(r.written)
	r.version++
	r.touched = time.Now()
	r.mu.Unlock()
	r.changed.send()
	return nil
}

// Add appends items to the room's items.
func (r *Room) Add(ctx context.Context, items []Item) error {
	r.acting.Lock()
	defer r.acting.Unlock()
	v := r.View()
	if v.Over {
		return store.ErrNoRoom
	}
	kept, err := keptItems(items, len(v.Items))
	if err != nil {
		return err
	}
	state, err := json.Marshal(v.State)
	if err != nil {
		return err
	}
	if err := r.hall.keeper.AddRoomItems(ctx, r.Number, state, len(v.Items), kept); err != nil {
		return r.gone(err)
	}
	r.mu.Lock()
	for _, i := range items {
		r.items, r.progress = append(r.items, i), append(r.progress, Progress{Phase: Waiting, Step: -1})
	}
	r.version++
	r.mu.Unlock()
	r.changed.send()
	return nil
}

// Crowd records that a client had to wait for a place.
func (r *Room) Crowd() {
	r.mu.Lock()
	first := !r.crowded
	if r.crowded = true; first {
		r.version++
	}
	r.mu.Unlock()
	if first {
		r.changed.send()
	}
}

// gone records that the store no longer has the room.
func (r *Room) gone(err error) error {
	if errors.Is(err, store.ErrNoRoom) {
		r.finish()
	}
	return err
}

// End ends the room, and deletes all votes.
func (r *Room) End(ctx context.Context) error {
	r.acting.Lock()
	defer r.acting.Unlock()
	if err := r.hall.keeper.DropRoom(ctx, r.Number); err != nil {
		return err
	}
	r.finish()
	return nil
}

func (r *Room) finish() {
	r.mu.Lock()
	r.over = true
	r.version++
	r.mu.Unlock()
	r.changed.send()
	r.hall.forget(r)
}
