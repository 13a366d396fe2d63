package models

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"sync"
)

// Fingerprint is a hash of the library's files, which every model may include:
// two models with the same text and the same fingerprint mean the same.
var Fingerprint = sync.OnceValue(func() string {
	h := sha256.New()
	names, err := fs.Glob(files, "library/*.cat")
	for _, name := range names {
		var text []byte
		if text, err = files.ReadFile(name); err != nil {
			break
		}
		h.Write([]byte(name + "\x00"))
		h.Write(text)
		h.Write([]byte{0})
	}
	if err != nil {
		panic("BUG: " + err.Error()) // the files are embedded
	}
	return hex.EncodeToString(h.Sum(nil))
})
