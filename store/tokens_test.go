package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	s := open(t, path)
	secret, err := s.AddToken(t.Context(), Token{Name: "ci", Scopes: []Scope{Read, Submit}})
	if err != nil || !strings.HasPrefix(secret, tokenPrefix) || len(secret) != len(tokenPrefix)+43 {
		t.Fatal(secret, err)
	}
	old, err := s.AddToken(t.Context(),
		Token{Name: "old", Scopes: []Scope{Admin}, Expires: time.Now().Add(-time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []Token{
		{Name: "ci", Scopes: []Scope{Read}},
		{Name: "none"},
		{Name: "odd", Scopes: []Scope{"all"}},
		{Name: "a b", Scopes: []Scope{Read}},
		{Scopes: []Scope{Read}},
		{Name: strings.Repeat("x", 65), Scopes: []Scope{Read}},
	} {
		if _, err := s.AddToken(t.Context(), bad); err == nil {
			t.Errorf("made %+v", bad)
		}
	}
	got, err := s.Token(t.Context(), secret)
	if err != nil || got.Name != "ci" || !got.May(Read) || !got.May(Submit) || got.May(Admin) ||
		!got.Expires.IsZero() || time.Since(got.Created) > time.Minute {
		t.Error(got, err)
	}
	for _, worthless := range []string{"", "ci", secret + "x", secret[:len(secret)-1], old} {
		if got, err := s.Token(t.Context(), worthless); !errors.Is(err, ErrNoToken) {
			t.Errorf("%q: %v, %v", worthless, got, err)
		}
	}
	list, err := s.Tokens(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "ci" || !slices.Equal(list[0].Scopes, []Scope{Read, Submit}) ||
		list[1].Expires.IsZero() {
		t.Error(list, err)
	}
	if err := s.RevokeToken(t.Context(), "ci"); err != nil {
		t.Error(err)
	}
	if err := s.RevokeToken(t.Context(), "ci"); !errors.Is(err, ErrNoToken) {
		t.Error(err)
	}
	if _, err := s.Token(t.Context(), secret); !errors.Is(err, ErrNoToken) {
		t.Error(err)
	}
	boss := Token{Scopes: []Scope{Admin}}
	if !boss.May(Read) || !boss.May(Submit) {
		t.Error("an administrator may do all")
	}
	for _, end := range []string{"", "-wal"} {
		if text, err := os.ReadFile(path + end); err != nil || bytes.Contains(text, []byte(secret)) ||
			bytes.Contains(text, []byte(old)) {
			t.Errorf("l.db%s has a token, or cannot be read: %v", end, err)
		}
	}
}
