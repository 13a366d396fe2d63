package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sync"
)

// hash tells lists of texts apart.
func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// libraryKey is a hash of the library's files, which every model may include.
var libraryKey = sync.OnceValue(func() string {
	var parts []string
	names, err := fs.Glob(embedded, "library/*.cat")
	for _, name := range names {
		var text []byte
		if text, err = embedded.ReadFile(name); err != nil {
			break
		}
		parts = append(parts, name, string(text))
	}
	if err != nil {
		panic("BUG: " + err.Error()) // the files are embedded
	}
	return hash(parts...)
})
