package class

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// alphabet has no two symbols that look or sound the same: it lacks I, L, O, 0 and 1. There are 31⁶ ≈ 888 million codes
// of six symbols, so with a thousand open rooms one guess in 888 thousand finds a room. Only the rate of requests
// limits guesses, since a right code is accepted whatever came before it. With the default of 200 pages a second, an
// address finds one of a thousand rooms in about 75 minutes, and a given room in 26 days on average; rooms are deleted
// a day after their last use. A guessed code lets its user vote, as often as an address may join, but does not give
// control of the room.
const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

const codeLength = 6

// newCode returns a random code.
func newCode() string {
	code := make([]byte, 0, codeLength)
	var random [2 * codeLength]byte
	for len(code) < codeLength {
		_, _ = rand.Read(random[:]) // never fails
		for _, b := range random {
			// 248 is the last multiple of 31: all symbols are as likely.
			if b < 248 && len(code) < codeLength {
				code = append(code, alphabet[b%31])
			}
		}
	}
	return string(code)
}

// ReadCode normalises a code as people type it; "" if the text is not a code.
func ReadCode(text string) string {
	code := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(text))
	if len(code) != codeLength || strings.Trim(code, alphabet) != "" {
		return ""
	}
	return code
}

// NewSecret returns a random teacher's secret or voter's token of 128 bits.
func NewSecret() string {
	var bits [16]byte
	_, _ = rand.Read(bits[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(bits[:])
}

// IsSecret reports whether NewSecret may have made a text.
func IsSecret(text string) bool {
	b, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && len(b) == 16
}

// hashOf returns the hash of a secret that the store keeps. Secrets are random, so a fast hash is enough.
func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Voter identifies a voter by the hash of a token.
type Voter [16]byte

// VoterOf returns the voter with a token.
func VoterOf(token string) Voter {
	return Voter(hashOf(token)[:16])
}
