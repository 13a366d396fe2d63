package class

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"litmuscope/store"
)

// Keeper keeps rooms. [store.Store] does.
type Keeper interface {
	// CreateRoom returns store.ErrCodeTaken and store.ErrRoomsFull.
	CreateRoom(ctx context.Context, r *store.Room) error
	// RoomByCode and RoomBySecret return store.ErrNoRoom.
	RoomByCode(ctx context.Context, code string) (*store.Room, error)
	RoomBySecret(ctx context.Context, hash []byte) (*store.Room, error)
	SaveRoom(ctx context.Context, room int64, state []byte, items map[int][]byte) error
	AddRoomItems(ctx context.Context, room int64, state []byte, from int, items []store.RoomItem) error
	SaveVotes(ctx context.Context, votes []store.RoomVote) error
	RoomVotes(ctx context.Context, room int64) ([]store.RoomVote, error)
	SaveEdit(ctx context.Context, e store.RoomEdit) error
	RoomEdits(ctx context.Context, room int64) ([]store.RoomEdit, error)
	DropRoom(ctx context.Context, room int64) error
	// UnusedRooms are rooms without votes, edits and names, the one first that was not used for longest.
	UnusedRooms(ctx context.Context) ([]int64, error)
	SaveRoomNames(ctx context.Context, names []store.RoomName) error
	RoomNames(ctx context.Context, room int64) ([]store.RoomName, error)
	DropRoomNames(ctx context.Context, room int64) error
	// VoterKey is the key by which places are signed: always the same.
	VoterKey(ctx context.Context) ([]byte, error)
}

// idle is how long a room stays in memory that nobody is in.
const idle = 10 * time.Minute

// saving bounds the time in which votes are stored.
const saving = 10 * time.Second

// Hall has the rooms that are in use. It may be used from many goroutines.
type Hall struct {
	keeper Keeper
	now    func() time.Time // by which votes end

	mu    sync.Mutex
	rooms map[int64]*Room // in memory
	// opened says from which address a room was opened, of those that this process has opened.
	opened map[int64]string
	key    []byte // nil: not asked for yet

	// Votes are stored together, as many as have come while others were: a phone's vote does
	// not wait for two hundred others one by one.
	queue   sync.Mutex
	pending []*pendingVote
	busy    bool // somebody is storing
}

type pendingVote struct {
	room *Room
	vote store.RoomVote
	done chan error
}

// maxOpened bounds Hall.opened: the store drops classes by itself that nobody used for long.
const maxOpened = 10 * store.DefaultMaxRooms

// NewHall makes a hall of the rooms that a keeper has. Votes end by a clock.
func NewHall(k Keeper, now func() time.Time) *Hall {
	return &Hall{keeper: k, now: now, rooms: map[int64]*Room{}, opened: map[int64]string{}}
}

// Open makes a room for somebody at an address, and the secret that drives it, which nobody can find out later. Where
// there are as many rooms as may be, one goes that nobody has joined. Its errors are those of items, and
// store.ErrRoomsFull.
func (h *Hall) Open(ctx context.Context, client string, items []Item) (r *Room, secret string, err error) {
	secret = NewSecret()
	now := time.Now()
	kept := &store.Room{Secret: hashOf(secret), Created: now, Used: now}
	if kept.State, err = json.Marshal(State{}); err != nil {
		return nil, "", err
	}
	if kept.Items, err = keptItems(items, 0); err != nil {
		return nil, "", err
	}
	for {
		kept.Code = newCode()
		err = h.keeper.CreateRoom(ctx, kept)
		if errors.Is(err, store.ErrRoomsFull) && h.evict(ctx) {
			continue
		}
		if !errors.Is(err, store.ErrCodeTaken) {
			break
		}
	}
	if err != nil {
		return nil, "", err
	}
	h.mu.Lock()
	if len(h.opened) >= maxOpened {
		clear(h.opened) // most of these have expired
	}
	h.opened[kept.Number] = client
	h.mu.Unlock()
	r, err = h.enter(ctx, kept)
	return r, secret, err
}

// evict drops a room that nobody has joined and nobody looks at, and tells whether there was one: of the address that
// has opened most of them, the one that was not used for longest. So who opens very many loses those, and not another's
// that is yet to begin.
func (h *Hall) evict(ctx context.Context) bool {
	unused, err := h.keeper.UnusedRooms(ctx)
	if err != nil {
		return false
	}
	h.mu.Lock()
	unused = slices.DeleteFunc(unused, func(n int64) bool { return h.rooms[n] != nil && h.rooms[n].inUse() })
	of := map[string]int{}
	for _, n := range unused {
		of[h.opened[n]]++
	}
	most := slices.IndexFunc(unused, func(n int64) bool {
		for _, count := range of {
			if count > of[h.opened[n]] {
				return false
			}
		}
		return true
	})
	if most < 0 {
		h.mu.Unlock()
		return false
	}
	number := unused[most]
	delete(h.rooms, number)
	delete(h.opened, number)
	h.mu.Unlock()
	return h.keeper.DropRoom(ctx, number) == nil
}

// keptItems are new items as they are kept, beside so many that there are.
func keptItems(items []Item, there int) ([]store.RoomItem, error) {
	if there+len(items) > MaxItems {
		return nil, ErrMany
	}
	var out []store.RoomItem
	for i := range items {
		if err := items[i].Check(); err != nil {
			return nil, err
		}
		body, err := json.Marshal(items[i])
		if err != nil {
			return nil, err
		}
		state, err := json.Marshal(Progress{Phase: Waiting, Step: -1})
		if err != nil {
			return nil, err
		}
		out = append(out, store.RoomItem{Body: body, State: state})
	}
	return out, nil
}

// ByCode is the room that one joins by a code, as ReadCode gives it, or store.ErrNoRoom.
func (h *Hall) ByCode(ctx context.Context, code string) (*Room, error) {
	if r := h.find(func(r *Room) bool { return r.Code == code }); r != nil {
		return r, nil
	}
	kept, err := h.keeper.RoomByCode(ctx, code)
	if err != nil {
		return nil, err
	}
	return h.enter(ctx, kept)
}

// BySecret is the room that a secret drives, or store.ErrNoRoom.
func (h *Hall) BySecret(ctx context.Context, secret string) (*Room, error) {
	if !IsSecret(secret) {
		return nil, store.ErrNoRoom
	}
	hash := hashOf(secret)
	if r := h.find(func(r *Room) bool { return subtle.ConstantTimeCompare(r.secret, hash) == 1 }); r != nil {
		return r, nil
	}
	kept, err := h.keeper.RoomBySecret(ctx, hash)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(kept.Secret, hash) != 1 {
		return nil, store.ErrNoRoom
	}
	return h.enter(ctx, kept)
}

// find looks for a room in memory.
func (h *Hall) find(is func(*Room) bool) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.rooms {
		if is(r) {
			r.touch()
			return r
		}
	}
	return nil
}

// enter takes a room into memory, unless it is there, and those out that nobody is in.
func (h *Hall) enter(ctx context.Context, kept *store.Room) (*Room, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.rooms[kept.Number]; r != nil {
		r.touch()
		return r, nil
	}
	votes, err := h.keeper.RoomVotes(ctx, kept.Number)
	if err != nil {
		return nil, err
	}
	edits, err := h.keeper.RoomEdits(ctx, kept.Number)
	if err != nil {
		return nil, err
	}
	names, err := h.keeper.RoomNames(ctx, kept.Number)
	if err != nil {
		return nil, err
	}
	r, err := load(h, kept, votes, edits, names)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	for number, other := range h.rooms {
		if other.idleSince(now) > idle {
			delete(h.rooms, number)
		}
	}
	h.rooms[kept.Number] = r
	return r, nil
}

func load(
	h *Hall, kept *store.Room, votes []store.RoomVote, edits []store.RoomEdit, names []store.RoomName,
) (*Room, error) {
	r := &Room{
		Number: kept.Number, Code: kept.Code, Created: kept.Created, secret: bytes.Clone(kept.Secret), hall: h,
		votes: map[round]map[Voter]Vote{}, written: map[round][]Written{}, judged: map[int]map[string]Judged{},
		voters: map[Voter]bool{}, names: map[Voter]string{}, streams: map[Voter][]*listener{},
		seen: map[Voter]time.Time{}, touched: time.Now(),
	}
	if err := json.Unmarshal(kept.State, &r.state); err != nil {
		return nil, err
	}
	for n, i := range kept.Items {
		var item Item
		var progress Progress
		if err := errors.Join(json.Unmarshal(i.Body, &item), json.Unmarshal(i.State, &progress)); err != nil {
			return nil, err
		}
		judged, err := renew(&item, i.State)
		if err != nil {
			return nil, err
		}
		r.judged[n] = judged
		r.items, r.progress = append(r.items, item), append(r.progress, progress)
	}
	for _, e := range edits {
		r.note(e.Item, ballotOf(e.Edit), Judged{Judgement(e.Judged), e.Hint})
	}
	for _, n := range names {
		if len(n.Voter) == len(Voter{}) {
			r.names[Voter(n.Voter)] = n.Name
		}
	}
	for _, v := range votes {
		if len(v.Voter) == len(Voter{}) && v.Item < len(r.items) {
			r.count(v)
		}
	}
	return r, nil
}

// save stores a vote, together with others, and counts it. It is stored though who voted
// goes away meanwhile.
func (h *Hall) save(ctx context.Context, r *Room, v store.RoomVote) error {
	p := &pendingVote{room: r, vote: v, done: make(chan error, 1)}
	h.queue.Lock()
	h.pending = append(h.pending, p)
	if !h.busy {
		h.busy = true
		go h.saveAll()
	}
	h.queue.Unlock()
	select {
	case err := <-p.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *Hall) saveAll() {
	for {
		h.queue.Lock()
		batch := h.pending
		h.pending = nil
		if h.busy = len(batch) > 0; !h.busy {
			h.queue.Unlock()
			return
		}
		h.queue.Unlock()
		votes := make([]store.RoomVote, len(batch))
		for i, p := range batch {
			votes[i] = p.vote
		}
		ctx, cancel := context.WithTimeout(context.Background(), saving)
		err := h.keeper.SaveVotes(ctx, votes)
		cancel()
		for _, p := range batch {
			if err == nil {
				p.room.voted(p.vote)
			}
			p.done <- err
		}
	}
}

// forget takes a room out of memory that has ended.
func (h *Hall) forget(r *Room) {
	h.mu.Lock()
	delete(h.rooms, r.Number)
	delete(h.opened, r.Number)
	h.mu.Unlock()
}
