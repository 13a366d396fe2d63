package class

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// alphabet has no two symbols that look or sound the same from the last row: no I, L, O, 0
// and 1. Codes of six are 31⁶ ≈ 888 million, so with a thousand rooms open one guess in 888
// thousand finds one. Nothing but the rate of requests bounds guesses, as a right code is let in whatever came before
// it: with the default of 200 pages a second, an address finds one of a thousand rooms in about 75 minutes, and one
// certain room in 26 days on average; rooms are gone a day after their last use. Whoever finds a room may vote there,
// as often as an address may join; none of what is guessed drives it.
const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

const codeLength = 6

// newCode makes a code up.
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

// ReadCode is a code as people type it; "" if it is none.
func ReadCode(text string) string {
	code := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(text))
	if len(code) != codeLength || strings.Trim(code, alphabet) != "" {
		return ""
	}
	return code
}

// NewSecret makes up a teacher's secret, or a voter's token: 128 bits.
func NewSecret() string {
	var bits [16]byte
	_, _ = rand.Read(bits[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(bits[:])
}

// IsSecret tells what NewSecret may have made.
func IsSecret(text string) bool {
	b, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && len(b) == 16
}

// hashOf is what is kept of a secret. As it is random, that need not be a slow hash.
func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Voter is what is known of who votes: the hash of a token.
type Voter [16]byte

// VoterOf is the voter who has a token.
func VoterOf(token string) Voter {
	return Voter(hashOf(token)[:16])
}
