package engines

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"litmuscope/models"
)

// Fingerprint identifies what answers depend on beside their tasks: the engines, with
// their versions, and the built-in models. Programs of one fingerprint give the same
// answers.
var Fingerprint = sync.OnceValue(func() string {
	h := sha256.New()
	for _, e := range table {
		fmt.Fprintf(h, "%s %d\n", e.Name, e.Version())
	}
	for _, name := range models.Names() {
		m, _ := models.Find(name)
		fmt.Fprintf(h, "%s %s\n", name, m.Key())
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
})
