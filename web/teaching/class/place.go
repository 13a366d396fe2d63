package class

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// A place in a room is a token and, after a dot, the server's signature, which says that the server gave this token to
// a client in this room. The voter is known by the token's hash. Without the signature, a client could invent tokens
// and vote any number of times. The signing key is in the store, so places survive a restart.

// NewPlace returns a new place in the room.
func (r *Room) NewPlace(ctx context.Context) (string, error) {
	token := NewSecret()
	word, err := r.word(ctx, token)
	return token + "." + word, err
}

// VoterAt returns the voter of a place; the zero Voter if the place is not of this room.
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

// voterKey returns the keeper's key, and asks for it once.
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
