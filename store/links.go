package store

import (
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

// Link is what a permalink leads to: a test as written and how it was explored.
type Link struct {
	Source    string         `json:"source"`
	Models    []string       `json:"models"`               // built-in names, or the name of ModelText
	ModelText string         `json:"model_text,omitempty"` // a model of the user's own
	Engine    string         `json:"engine,omitempty"`
	Options   solver.Options `json:"options"`
}

// ErrNoLink is the error for an id that no link has.
var ErrNoLink = errors.New("there is no such link")

// ErrLinkTooLong is the error for a link beyond MaxLink.
var ErrLinkTooLong = fmt.Errorf("the test and its model are longer than %d bytes, the limit for a link", MaxLink)

// MaxLink bounds a link, in bytes of its JSON form.
const MaxLink = 1 << 20

// idLength is how many characters an id has, unless two links clash: 62^10 ids
// make that unlikely, and it is looked for all the same.
const idLength = 10

// SaveLink keeps a link and returns its id, a hash: the same link has the same id
// every time. The error may be ErrLinkTooLong.
func (s *Store) SaveLink(ctx context.Context, l Link) (id string, err error) {
	body, err := json.Marshal(l)
	if err != nil {
		return "", err
	}
	if len(body) > MaxLink {
		return "", ErrLinkTooLong
	}
	full := linkHash(body)
	for n := idLength; n <= len(full); n++ {
		id := full[:n]
		saved, err := s.saveLink(ctx, id, body)
		if err != nil {
			return "", fmt.Errorf("links: %w", err)
		}
		if saved {
			return id, nil
		}
	}
	return "", errors.New("BUG: two links with one hash")
}

// saveLink says false when another link has the id.
func (s *Store) saveLink(ctx context.Context, id string, body []byte) (saved bool, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO links (id, body, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			id, body, time.Now().Unix())
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT body = ? FROM links WHERE id = ?`, body, id).Scan(&saved)
	})
	return saved, err
}

// Link returns the link with an id, or ErrNoLink.
func (s *Store) Link(ctx context.Context, id string) (Link, error) {
	var body []byte
	err := s.db.QueryRowContext(ctx, `SELECT body FROM links WHERE id = ?`, id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return Link{}, ErrNoLink
	}
	var l Link
	if err == nil {
		err = json.Unmarshal(body, &l)
	}
	if err != nil {
		return Link{}, fmt.Errorf("links: %w", err)
	}
	return l, nil
}

// linkHash is a hash of body in letters and digits, 43 of them.
func linkHash(body []byte) string {
	sum := sha256.Sum256(body)
	digits := new(big.Int).SetBytes(sum[:]).Text(62)
	return strings.Repeat("0", 43-len(digits)) + digits
}
