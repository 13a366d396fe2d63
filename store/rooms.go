package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Room is the stored form of a classroom. What its texts say is for package class to know.
type Room struct {
	Number  int64
	Code    string // for joining
	Secret  []byte // the hash of what makes one its teacher
	Created time.Time
	Used    time.Time
	State   []byte
	Items   []RoomItem
}

// RoomItem is one of the questions of a room.
type RoomItem struct{ Body, State []byte }

// RoomVote is what a voter says to an item in one of its rounds.
type RoomVote struct {
	Room        int64
	Item, Round int
	Voter       []byte // a hash
	Ballot      []byte
	Made        int64 // of two votes the later counts
}

// RoomEdit is a reaction to an edit of a room's item.
type RoomEdit struct {
	Room         int64
	Item         int
	Edit         []byte
	Judged, Hint string
}

// RoomName is the name of a voter in a room.
type RoomName struct {
	Room  int64
	Voter []byte // a hash
	Name  string
}

// RoomReport is what a voter's device says of one of the runs of an item's test.
type RoomReport struct {
	Room      int64
	Item, Run int
	Voter     []byte // a hash
	Report    []byte
}

// ErrNoRoom is the error for a room that there is not, or not any more.
var ErrNoRoom = errors.New("the class does not exist")

// ErrCodeTaken is the error for a new room with another's code.
var ErrCodeTaken = errors.New("another class has this code")

// ErrRoomsFull is the error for a new room beyond the limit.
var ErrRoomsFull = errors.New("the server has too many classes at the moment")

// Bounds on rooms: how many there are, and how long one stays that nobody uses.
const (
	DefaultMaxRooms = 1000
	DefaultKeepRoom = 24 * time.Hour
)

func ofRooms(err error) error {
	if err == nil || errors.Is(err, ErrNoRoom) || errors.Is(err, ErrCodeTaken) || errors.Is(err, ErrRoomsFull) {
		return err
	}
	return fmt.Errorf("rooms: %w", err)
}

// CreateRoom keeps a new room and sets its number. Its errors are ErrCodeTaken and ErrRoomsFull.
func (s *Store) CreateRoom(ctx context.Context, r *Room) error {
	return ofRooms(s.update(ctx, func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM rooms WHERE used >= ?`,
			s.stale()).Scan(&n); err != nil {
			return err
		}
		if n >= s.MaxRooms {
			return ErrRoomsFull
		}
		done, err := tx.ExecContext(ctx,
			`INSERT INTO rooms (code, secret, created, used, state) VALUES (?, ?, ?, ?, ?)`,
			r.Code, r.Secret, r.Created.Unix(), r.Used.Unix(), r.State)
		if kindOf(err) == taken {
			return ErrCodeTaken
		}
		if err != nil {
			return err
		}
		if r.Number, err = done.LastInsertId(); err != nil {
			return err
		}
		return insertItems(ctx, tx, r.Number, 0, r.Items)
	}))
}

func insertItems(ctx context.Context, tx *sql.Tx, room int64, from int, items []RoomItem) error {
	for i, item := range items {
		if _, err := tx.ExecContext(ctx, `INSERT INTO room_items (room, item, body, state) VALUES (?, ?, ?, ?)`, room,
			from+i, item.Body, item.State); err != nil {
			return err
		}
	}
	return nil
}

// RoomByCode returns the room that one joins by a code, or ErrNoRoom.
func (s *Store) RoomByCode(ctx context.Context, code string) (*Room, error) {
	return s.room(ctx, `code = ?`, code)
}

// RoomBySecret returns the room whose teacher's secret has a hash, or ErrNoRoom.
func (s *Store) RoomBySecret(ctx context.Context, hash []byte) (*Room, error) {
	return s.room(ctx, `secret = ?`, hash)
}

// room reads the room for which an SQL condition with one argument holds, and its items. A room that nobody used for
// KeepRoom does not exist.
func (s *Store) room(ctx context.Context, where string, arg any) (*Room, error) {
	r := new(Room)
	var created, used int64
	err := s.db.QueryRowContext(ctx,
		`SELECT number, code, secret, created, used, state FROM rooms WHERE used >= ? AND `+where, s.stale(), arg).
		Scan(&r.Number, &r.Code, &r.Secret, &created, &used, &r.State)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNoRoom
	}
	if err != nil {
		return nil, ofRooms(err)
	}
	r.Created, r.Used = time.Unix(created, 0), time.Unix(used, 0)
	rows, err := s.db.QueryContext(ctx, `SELECT body, state FROM room_items WHERE room = ? ORDER BY item`, r.Number)
	if err != nil {
		return nil, ofRooms(err)
	}
	defer rows.Close()
	for rows.Next() {
		var i RoomItem
		if err := rows.Scan(&i.Body, &i.State); err != nil {
			return nil, ofRooms(err)
		}
		r.Items = append(r.Items, i)
	}
	return r, ofRooms(rows.Err())
}

// stale is the last use of rooms that are there no more.
func (s *Store) stale() int64 { return time.Now().Add(-s.KeepRoom).Unix() }

// SaveRoom keeps a room's state, and those of some of its items, by number; it counts as a use now.
func (s *Store) SaveRoom(ctx context.Context, room int64, state []byte, items map[int][]byte) error {
	return ofRooms(s.update(ctx, func(tx *sql.Tx) error {
		if err := useRoom(ctx, tx, room, state); err != nil {
			return err
		}
		for i, state := range items {
			if _, err := tx.ExecContext(ctx, `UPDATE room_items SET state = ? WHERE room = ? AND item = ?`, state, room,
				i); err != nil {
				return err
			}
		}
		return nil
	}))
}

func useRoom(ctx context.Context, tx *sql.Tx, room int64, state []byte) error {
	done, err := tx.ExecContext(ctx, `UPDATE rooms SET state = ?, used = ? WHERE number = ?`, state,
		time.Now().Unix(), room)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrNoRoom)
	}
	return nil
}

// AddRoomItems keeps further items of a room, which has so many already.
func (s *Store) AddRoomItems(ctx context.Context, room int64, state []byte, from int, items []RoomItem) error {
	return ofRooms(s.update(ctx, func(tx *sql.Tx) error {
		if err := useRoom(ctx, tx, room, state); err != nil {
			return err
		}
		return insertItems(ctx, tx, room, from, items)
	}))
}

// SaveVotes keeps votes, all of them or none: of those of one voter in one round the latest. It drops votes in rooms
// that no longer exist.
func (s *Store) SaveVotes(ctx context.Context, votes []RoomVote) error {
	return ofRooms(s.update(ctx, func(tx *sql.Tx) error {
		save, err := tx.PrepareContext(ctx, `INSERT INTO room_votes (room, item, round, voter, ballot, made)
			SELECT number, ?, ?, ?, ?, ? FROM rooms WHERE number = ?
			ON CONFLICT DO UPDATE SET ballot = excluded.ballot, made = excluded.made WHERE excluded.made >= made`)
		if err != nil {
			return err
		}
		defer save.Close()
		rooms := map[int64]bool{}
		for _, v := range votes {
			if _, err := save.ExecContext(ctx, v.Item, v.Round, v.Voter, v.Ballot, v.Made, v.Room); err != nil {
				return err
			}
			rooms[v.Room] = true
		}
		return touchRooms(ctx, tx, rooms)
	}))
}

// touchRooms counts as a use of rooms now.
func touchRooms(ctx context.Context, tx *sql.Tx, rooms map[int64]bool) error {
	for r := range rooms {
		if _, err := tx.ExecContext(ctx, `UPDATE rooms SET used = ? WHERE number = ?`, time.Now().Unix(),
			r); err != nil {
			return err
		}
	}
	return nil
}

// RoomVotes lists the votes of a room, by item, round and voter.
func (s *Store) RoomVotes(ctx context.Context, room int64) ([]RoomVote, error) {
	rows, err := s.db.QueryContext(ctx,
		`SELECT item, round, voter, ballot, made FROM room_votes WHERE room = ? ORDER BY item, round, voter`, room)
	if err != nil {
		return nil, ofRooms(err)
	}
	defer rows.Close()
	var out []RoomVote
	for rows.Next() {
		v := RoomVote{Room: room}
		if err := rows.Scan(&v.Item, &v.Round, &v.Voter, &v.Ballot, &v.Made); err != nil {
			return nil, ofRooms(err)
		}
		out = append(out, v)
	}
	return out, ofRooms(rows.Err())
}

// SaveReports keeps reports of devices, all of them or none: each replaces the voter's last one of the run. It drops
// reports in rooms that no longer exist.
func (s *Store) SaveReports(ctx context.Context, reports []RoomReport) error {
	return ofRooms(s.update(ctx, func(tx *sql.Tx) error {
		save, err := tx.PrepareContext(ctx, `INSERT INTO room_reports (room, item, run, voter, report)
			SELECT number, ?, ?, ?, ? FROM rooms WHERE number = ?
			ON CONFLICT DO UPDATE SET report = excluded.report`)
		if err != nil {
			return err
		}
		defer save.Close()
		rooms := map[int64]bool{}
		for _, r := range reports {
			if _, err := save.ExecContext(ctx, r.Item, r.Run, r.Voter, r.Report, r.Room); err != nil {
				return err
			}
			rooms[r.Room] = true
		}
		return touchRooms(ctx, tx, rooms)
	}))
}

// RoomReports lists the reports of the devices of a room, by item, run and voter.
func (s *Store) RoomReports(ctx context.Context, room int64) ([]RoomReport, error) {
	rows, err := s.db.QueryContext(ctx,
		`SELECT item, run, voter, report FROM room_reports WHERE room = ? ORDER BY item, run, voter`, room)
	if err != nil {
		return nil, ofRooms(err)
	}
	defer rows.Close()
	var out []RoomReport
	for rows.Next() {
		r := RoomReport{Room: room}
		if err := rows.Scan(&r.Item, &r.Run, &r.Voter, &r.Report); err != nil {
			return nil, ofRooms(err)
		}
		out = append(out, r)
	}
	return out, ofRooms(rows.Err())
}

// SaveEdit stores a reaction to an edit, or returns ErrNoRoom.
func (s *Store) SaveEdit(ctx context.Context, e RoomEdit) error {
	return ofRooms(s.update(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx,
			`INSERT INTO room_edits (room, item, edit, judged, hint) SELECT number, ?, ?, ?, ? FROM rooms WHERE number = ?
			ON CONFLICT DO UPDATE SET judged = excluded.judged, hint = excluded.hint`, e.Item, e.Edit,
			e.Judged, e.Hint, e.Room)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, ErrNoRoom)
		}
		return nil
	}))
}

// RoomEdits lists the edits of a room with reactions.
func (s *Store) RoomEdits(ctx context.Context, room int64) ([]RoomEdit, error) {
	rows, err := s.db.QueryContext(ctx,
		`SELECT item, edit, judged, hint FROM room_edits WHERE room = ? ORDER BY item, edit`, room)
	if err != nil {
		return nil, ofRooms(err)
	}
	defer rows.Close()
	var out []RoomEdit
	for rows.Next() {
		e := RoomEdit{Room: room}
		if err := rows.Scan(&e.Item, &e.Edit, &e.Judged, &e.Hint); err != nil {
			return nil, ofRooms(err)
		}
		out = append(out, e)
	}
	return out, ofRooms(rows.Err())
}

// UnusedRooms are rooms without votes, edits, names and reports, by number, the least recently used first.
func (s *Store) UnusedRooms(ctx context.Context) ([]int64, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT number FROM rooms
		WHERE number NOT IN (SELECT room FROM room_votes) AND number NOT IN (SELECT room FROM room_edits) AND number NOT IN (SELECT room FROM room_names)
		AND number NOT IN (SELECT room FROM room_reports)
		ORDER BY used, number`)
	if err != nil {
		return nil, ofRooms(err)
	}
	defer rows.Close()
	var out []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, ofRooms(err)
		}
		out = append(out, n)
	}
	return out, ofRooms(rows.Err())
}

// SaveRoomNames keeps names of voters, all of them or none, or returns ErrNoRoom.
func (s *Store) SaveRoomNames(ctx context.Context, names []RoomName) error {
	return ofRooms(s.update(ctx, func(tx *sql.Tx) error {
		for _, n := range names {
			done, err := tx.ExecContext(ctx,
				`INSERT INTO room_names (room, voter, name) SELECT number, ?, ? FROM rooms WHERE number = ?
				ON CONFLICT (room, voter) DO UPDATE SET name = excluded.name`, n.Voter, n.Name, n.Room)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil || n == 0 {
				return errors.Join(err, ErrNoRoom)
			}
		}
		return nil
	}))
}

// RoomNames lists the names of a room's voters.
func (s *Store) RoomNames(ctx context.Context, room int64) ([]RoomName, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT voter, name FROM room_names WHERE room = ? ORDER BY voter`, room)
	if err != nil {
		return nil, ofRooms(err)
	}
	defer rows.Close()
	var out []RoomName
	for rows.Next() {
		n := RoomName{Room: room}
		if err := rows.Scan(&n.Voter, &n.Name); err != nil {
			return nil, ofRooms(err)
		}
		out = append(out, n)
	}
	return out, ofRooms(rows.Err())
}

// DropRoomNames forgets the names of a room's voters.
func (s *Store) DropRoomNames(ctx context.Context, room int64) error {
	_, err := s.exec(ctx, `DELETE FROM room_names WHERE room = ?`, room)
	return ofRooms(err)
}

// VoterKey is the secret key that signs places in rooms, the same for as long as the database exists.
func (s *Store) VoterKey(ctx context.Context) (key []byte, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		var fresh [32]byte
		_, _ = rand.Read(fresh[:]) // never fails
		if _, err := tx.ExecContext(ctx, `INSERT INTO voter_key VALUES (1, ?) ON CONFLICT DO NOTHING`,
			fresh[:]); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT key FROM voter_key`).Scan(&key)
	})
	return key, ofRooms(err)
}

// DropRoom forgets a room with all its votes.
func (s *Store) DropRoom(ctx context.Context, room int64) error {
	_, err := s.exec(ctx, `DELETE FROM rooms WHERE number = ?`, room)
	return ofRooms(err)
}

// sweepRooms forgets one room that nobody has used for long; more says whether there may
// be others.
func (s *Store) sweepRooms(ctx context.Context) (more bool, err error) {
	done, err := s.exec(ctx, `DELETE FROM rooms WHERE number = (SELECT number FROM rooms WHERE used < ? LIMIT 1)`,
		s.stale())
	if err != nil {
		return false, ofRooms(err)
	}
	n, err := done.RowsAffected()
	return n > 0, err
}
