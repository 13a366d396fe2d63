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

// Keeper stores rooms. [store.Store] implements it.
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
	// UnusedRooms returns rooms without votes, edits, names and reports, the least recently used first.
	UnusedRooms(ctx context.Context) ([]int64, error)
	SaveRoomNames(ctx context.Context, names []store.RoomName) error
	RoomNames(ctx context.Context, room int64) ([]store.RoomName, error)
	DropRoomNames(ctx context.Context, room int64) error
	SaveReports(ctx context.Context, reports []store.RoomReport) error
	RoomReports(ctx context.Context, room int64) ([]store.RoomReport, error)
	// VoterKey returns the key that signs places. It never changes.
	VoterKey(ctx context.Context) ([]byte, error)
}

// idle is how long an empty room stays in memory.
const idle = 10 * time.Minute

// saving limits the time to store votes.
const saving = 10 * time.Second

// Hall holds the rooms in use. It is safe for concurrent use.
type Hall struct {
	keeper Keeper
	now    func() time.Time // by which votes end

	mu    sync.Mutex
	rooms map[int64]*Room // in memory
	// opened maps each room that this process has opened to the address that opened it.
	opened map[int64]string
	key    []byte // nil: not asked for yet

	votes   batches[store.RoomVote]
	reports batches[store.RoomReport]
}

// maxOpened limits Hall.opened: the store deletes unused classes without telling the hall.
const maxOpened = 10 * store.DefaultMaxRooms

// NewHall returns a hall of a keeper's rooms. The clock now ends timed votes.
func NewHall(k Keeper, now func() time.Time) *Hall {
	return &Hall{
		keeper: k, now: now, rooms: map[int64]*Room{}, opened: map[int64]string{},
		votes:   batches[store.RoomVote]{save: k.SaveVotes},
		reports: batches[store.RoomReport]{save: k.SaveReports},
	}
}

// Open makes a room for an address, and returns it with the secret that controls it. The secret cannot be recovered
// later. If the store is full, Open first evicts a room that nobody has joined. It returns the errors of Item.Check,
// and store.ErrRoomsFull.
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

// evict deletes a room that nobody has joined or watches, and reports whether there was one. It chooses the address
// that has opened the most such rooms, and of these the least recently used. So a client that opens very many rooms
// loses its own rooms, and not another client's room that has not begun yet.
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

// keptItems converts new items for the store, numbered after the items that the room already has.
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

// ByCode returns the room with a code, as ReadCode returns it, or store.ErrNoRoom.
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

// BySecret returns the room that a secret controls, or store.ErrNoRoom.
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

// find returns a room in memory, or nil.
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

// enter adds a room to memory, unless it is there, and removes idle rooms.
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
	reports, err := h.keeper.RoomReports(ctx, kept.Number)
	if err != nil {
		return nil, err
	}
	r, err := load(h, kept, votes, edits, names)
	if err == nil {
		err = r.loadReports(reports)
	}
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

// load makes a room of its stored parts. It skips names and votes whose voter is not a hash, and votes on items that do
// not exist.
func load(
	h *Hall, kept *store.Room, votes []store.RoomVote, edits []store.RoomEdit, names []store.RoomName,
) (*Room, error) {
	r := &Room{
		Number: kept.Number, Code: kept.Code, Created: kept.Created, secret: bytes.Clone(kept.Secret), hall: h,
		votes: map[round]map[Voter]Vote{}, written: map[round][]Written{}, judged: map[int]map[string]Judged{},
		voters: map[Voter]bool{}, names: map[Voter]string{}, streams: map[Voter][]*listener{},
		seen: map[Voter]time.Time{}, touched: time.Now(),
		reports: map[round]map[Voter]Report{}, sums: map[round]*DeviceSum{}, reporting: map[Voter]bool{},
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

// loadReports adds stored reports to a room. It skips those whose voter is not a hash.
func (r *Room) loadReports(reports []store.RoomReport) error {
	for _, kept := range reports {
		var report Report
		if err := json.Unmarshal(kept.Report, &report); err != nil {
			return err
		}
		if len(kept.Voter) == len(Voter{}) && kept.Item < len(r.items) {
			r.countReport(Voter(kept.Voter), round{kept.Item, kept.Run}, report)
		}
	}
	return nil
}

// forget removes a room that has ended from memory.
func (h *Hall) forget(r *Room) {
	h.mu.Lock()
	delete(h.rooms, r.Number)
	delete(h.opened, r.Number)
	h.mu.Unlock()
}
