package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sync"

	"litmuscope/models/library"
)

// hash tells lists of texts apart.
func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TextKey is the [Model.Key] of a model that [ParseWith] has read, or would.
func TextKey(text string, files map[string]string) string {
	lately.Lock()
	defer lately.Unlock()
	i := slices.IndexFunc(lately.keys, func(k textKey) bool { return k.text == text && maps.Equal(k.files, files) })
	if i < 0 {
		if len(lately.keys) == maxLately {
			lately.keys = lately.keys[1:]
		}
		lately.keys = append(lately.keys, textKey{text, maps.Clone(files), keyOf(text, files)})
		i = len(lately.keys) - 1
	}
	return lately.keys[i].key
}

// lately are the keys that were asked for last: a suite asks for those of its models with
// each of its tests.
var lately struct {
	sync.Mutex
	keys []textKey
}

const maxLately = 8

type textKey struct {
	text  string
	files map[string]string
	key   string
}

func keyOf(text string, files map[string]string) string {
	parts := []string{text, libraryKey()}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		parts = append(parts, file, files[file])
	}
	return hash(parts...)
}

// libraryKey is a hash of the library's files, which every model may include.
var libraryKey = sync.OnceValue(func() string {
	var parts []string
	for _, f := range library.All() {
		parts = append(parts, "library/"+f.Name, f.Text)
	}
	return hash(parts...)
})
