package engines

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"litmuscope/models"
)

// Fingerprint identifies what answers depend on beside their tasks: the engines, with
// their versions, what reads texts, and the built-in models. Programs of one fingerprint give the same
// answers.
var Fingerprint = sync.OnceValue(func() string {
	h := sha256.New()
	fmt.Fprintln(h, readers())
	for _, e := range table {
		fmt.Fprintf(h, "%s %d\n", e.Name, e.Version())
	}
	keys := models.BuiltInKeys()
	for i, name := range models.AllNames() {
		fmt.Fprintf(h, "%s %s\n", name, keys[i])
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
})
