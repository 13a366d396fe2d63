package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Scope is something that the bearer of a token may do.
type Scope string

// The scopes. Admin may do all.
const (
	Read   Scope = "read"   // look at suites and their results
	Submit Scope = "submit" // have tests run
	Admin  Scope = "admin"  // meddle with what others have submitted
)

// Scopes are all scopes.
var Scopes = []Scope{Read, Submit, Admin}

// Token describes a bearer token; the token itself is nowhere.
type Token struct {
	Name    string
	Scopes  []Scope
	Created time.Time
	Expires time.Time // zero: never
}

// May tells whether the token's bearer may do what a scope says.
func (t *Token) May(s Scope) bool {
	return slices.Contains(t.Scopes, s) || slices.Contains(t.Scopes, Admin)
}

// ErrNoToken is the error for a token that there is not, or not any more.
var ErrNoToken = errors.New("the token does not exist")

// tokenPrefix tells what a token found lying about is for.
const tokenPrefix = "litmuscope_"

var tokenName = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`) })

// AddToken makes a token and returns it. Nobody can find it out later: the database has its hash. As it is 256 random
// bits, that need not be a slow one.
func (s *Store) AddToken(ctx context.Context, t Token) (secret string, err error) {
	if !tokenName().MatchString(t.Name) {
		return "", fmt.Errorf("tokens: invalid name %q: want at most 64 letters, digits and . _ @ -",
			t.Name)
	}
	if len(t.Scopes) == 0 {
		return "", errors.New("tokens: a token needs at least one scope")
	}
	scopes := make([]string, len(t.Scopes))
	for i, scope := range t.Scopes {
		if !slices.Contains(Scopes, scope) {
			return "", fmt.Errorf("tokens: unknown scope %q: want %s, %s or %s", scope, Read, Submit, Admin)
		}
		scopes[i] = string(scope)
	}
	var bits [32]byte
	_, _ = rand.Read(bits[:]) // never fails
	secret = tokenPrefix + base64.RawURLEncoding.EncodeToString(bits[:])
	hash := sha256.Sum256([]byte(secret))
	result, err := s.exec(ctx, `INSERT INTO tokens (hash, name, scopes, created, expires)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`,
		hash[:], t.Name, strings.Join(scopes, ","), time.Now().Unix(), seconds(t.Expires))
	if err != nil {
		return "", fmt.Errorf("tokens: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return "", fmt.Errorf("tokens: a token named %q already exists", t.Name)
	}
	return secret, nil
}

// Token returns the description of a token, or ErrNoToken.
func (s *Store) Token(ctx context.Context, secret string) (Token, error) {
	sum := sha256.Sum256([]byte(secret))
	var hash []byte
	t, err := scanToken(
		s.db.QueryRowContext(ctx, `SELECT name, scopes, created, expires, hash FROM tokens WHERE hash = ?`, sum[:]),
		&hash)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Token{}, ErrNoToken
	case err != nil:
		return Token{}, fmt.Errorf("tokens: %w", err)
	case subtle.ConstantTimeCompare(hash, sum[:]) != 1, !t.Expires.IsZero() && !time.Now().Before(t.Expires):
		return Token{}, ErrNoToken
	}
	return t, nil
}

// Tokens are all tokens by name, expired ones included.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT name, scopes, created, expires FROM tokens ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	defer rows.Close()
	var out []Token
	for rows.Next() {
		t, err := scanToken(rows)
		if err != nil {
			return nil, fmt.Errorf("tokens: %w", err)
		}
		out = append(out, t)
	}
	return out, rows.Err()
}

// RevokeToken makes a token worthless, or returns ErrNoToken.
func (s *Store) RevokeToken(ctx context.Context, name string) error {
	result, err := s.exec(ctx, `DELETE FROM tokens WHERE name = ?`, name)
	if err != nil {
		return fmt.Errorf("tokens: %w", err)
	}
	if n, err := result.RowsAffected(); err == nil && n == 0 {
		return ErrNoToken
	}
	return nil
}

func scanToken(row interface{ Scan(...any) error }, more ...any) (t Token, err error) {
	var scopes string
	var created, expires int64
	err = row.Scan(append([]any{&t.Name, &scopes, &created, &expires}, more...)...)
	for scope := range strings.SplitSeq(scopes, ",") {
		t.Scopes = append(t.Scopes, Scope(scope))
	}
	t.Created = time.Unix(created, 0)
	if expires != 0 {
		t.Expires = time.Unix(expires, 0)
	}
	return t, err
}

// seconds is a time as the database has it: 0 for none.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
