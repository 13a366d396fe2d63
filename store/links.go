package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"litmuscope/solver"
)

// Link is what a permalink leads to: a test in its text, and the options of its exploration.
type Link struct {
	Source     string            `json:"source"`
	Models     []string          `json:"models"` // built-in names, and those of the user's own
	Own        []solver.OwnModel `json:"own_models,omitempty"`
	ModelText  string            `json:"model_text,omitempty"`  // the only own model, of older links
	ModelFiles map[string]string `json:"model_files,omitempty"` // what it includes
	Engine     string            `json:"engine,omitempty"`
	Options    solver.Options    `json:"options"`
	View       json.RawMessage   `json:"view,omitempty"` // the visible part of the answer, in the page's own terms
	// Program: the source is a C program, with this question.
	Program *LinkedProgram `json:"program,omitempty"`
}

// LinkedProgram is what a link asks of a program.
type LinkedProgram struct {
	Property string              `json:"property"` // as results have it
	Defines  []string            `json:"defines,omitempty"`
	Entry    string              `json:"entry,omitempty"`
	File     string              `json:"file,omitempty"`  // the name of the source; "" = as usual
	Files    []solver.SourceFile `json:"files,omitempty"` // the program's others
	// ILP32 is what older links have instead of the data model ilp32.
	ILP32     bool   `json:"ilp32,omitempty"`
	DataModel string `json:"data_model,omitempty"`
	Char      string `json:"char,omitempty"`
	Target    string `json:"target,omitempty"`
	Volatile  string `json:"volatile,omitempty"`
	Plain     string `json:"plain,omitempty"`
	Count     bool   `json:"count,omitempty"`
	Minimise  bool   `json:"minimise,omitempty"`
	Language  string `json:"language,omitempty"` // c, c++, rust or llvm-ir; "": as the file's name or its text says
	Level     string `json:"level,omitempty"`    // of the compiler's optimisation, such as O1
}

// ErrNoLink is the error for an id that no link has.
var ErrNoLink = errors.New("the link does not exist")

// ErrLinkTooLong is the error for a link beyond MaxLink.
var ErrLinkTooLong = fmt.Errorf("the test and its model are too long for a link: the limits are %d KiB and, "+
	"compressed, %d KiB",
	MaxLink>>10, MaxPacked>>10)

// MaxLink bounds a link, in bytes of its JSON form, and MaxPacked, which few texts come near, in bytes of its stored
// form.
const (
	MaxLink   = 1 << 20
	MaxPacked = 64 << 10
)

// DefaultMaxLinkBytes is what all links may take unless MaxLinkBytes says otherwise.
const DefaultMaxLinkBytes = 256 << 20

// idLength is how many characters an id has, unless two links clash: 62^10 ids make that unlikely, and the store checks
// for it all the same.
const idLength = 10

// SaveLink keeps a link and returns its id, a hash: the same link has the same id every time. If there is no room left,
// it removes the least recently opened links. The error may be ErrLinkTooLong.
func (s *Store) SaveLink(ctx context.Context, l Link) (id string, err error) {
	plain, err := json.Marshal(l)
	if err != nil {
		return "", err
	}
	if len(plain) > MaxLink {
		return "", ErrLinkTooLong
	}
	body, packed, err := pack(l)
	if err != nil {
		return "", err
	}
	if len(body) > MaxPacked {
		return "", ErrLinkTooLong
	}
	full := linkHash(plain)
	for n := idLength; n <= len(full); n++ {
		id := full[:n]
		there, err := s.saveLink(ctx, id, body, packed)
		if err != nil {
			return "", fmt.Errorf("links: %w", err)
		}
		if same, err := json.Marshal(there); err == nil && bytes.Equal(same, plain) {
			return id, nil
		}
	}
	return "", errors.New("BUG: two links have the same hash")
}

// saveLink stores a link unless its id belongs to another, and returns that one.
func (s *Store) saveLink(ctx context.Context, id string, body []byte, packed bool) (there Link, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		now := time.Now().Unix()
		_, err := tx.ExecContext(ctx,
			`INSERT INTO links (id, packed, bytes, created, used, body) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET used = excluded.used`, id, packed, len(body)+rowOverhead, now, now, body)
		if err == nil {
			err = tx.QueryRowContext(ctx, `SELECT packed, body FROM links WHERE id = ?`, id).Scan(&packed, &body)
		}
		return err
	})
	if err == nil {
		_, err = s.evict(ctx, links)
	}
	if err == nil {
		err = unpack(body, packed, maxRow, &there)
	}
	return there, err
}

// Link returns the link with an id, or ErrNoLink.
func (s *Store) Link(ctx context.Context, id string) (Link, error) {
	var (
		used   int64
		packed bool
		body   []byte
		l      Link
	)
	err := s.db.QueryRowContext(ctx, `SELECT used, packed, body FROM links WHERE id = ?`,
		id).Scan(&used, &packed, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return Link{}, ErrNoLink
	}
	if err == nil {
		err = unpack(body, packed, maxRow, &l)
	}
	if err != nil {
		return Link{}, fmt.Errorf("links: %w", err)
	}
	s.noteUse(links, id, used)
	return l, nil
}

// linkHash is a hash of body in letters and digits, 43 of them.
func linkHash(body []byte) string {
	sum := sha256.Sum256(body)
	digits := new(big.Int).SetBytes(sum[:]).Text(62)
	return strings.Repeat("0", 43-len(digits)) + digits
}
