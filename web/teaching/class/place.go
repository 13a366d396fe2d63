package class

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// A place in a room is a token, by whose hash its voter is known, and behind a dot the server's word that it has given
// the token to somebody in this room: whoever could make tokens up could vote as often. The key for that is in the
// store, so that places outlive the server.

// NewPlace makes a place up.
func (r *Room) NewPlace(ctx context.Context) (string, error) {
	token := NewSecret()
	word, err := r.word(ctx, token)
	return token + "." + word, err
}

// VoterAt is the voter who has a place; zero if it is none of this room's.
func (r *Room) VoterAt(ctx context.Context, place string) (Voter, error) {
	token, given, _ := strings.Cut(place, ".")
	if !IsSecret(token) {
		return Voter{}, nil
	}
	word, err := r.word(ctx, token)
	if err != nil || !hmac.Equal([]byte(word), []byte(given)) {
		return Voter{}, err
	}
	return VoterOf(token), nil
}

func (r *Room) word(ctx context.Context, token string) (string, error) {
	key, err := r.hall.voterKey(ctx)
	if err != nil {
		return "", err
	}
	h := hmac.New(sha256.New, key)
	h.Write(r.secret) // of a fixed length, and no other room's, whatever the rooms' numbers and codes
	h.Write([]byte(token))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16]), nil
}

// voterKey is the keeper's, which is asked once.
func (h *Hall) voterKey(ctx context.Context) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.key == nil {
		key, err := h.keeper.VoterKey(ctx)
		if err != nil {
			return nil, err
		}
		h.key = key
	}
	return h.key, nil
}
