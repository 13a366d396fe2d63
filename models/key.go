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

// hash returns a hash of a list of texts. Different lists have different hashes.
func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TextKey returns the [Model.Key] that [ParseWith] gives a model.
func TextKey(text string, files map[string]string) string {
	recentKeys.Lock()
	defer recentKeys.Unlock()
	i := slices.IndexFunc(recentKeys.keys, func(k textKey) bool { return k.text == text && maps.Equal(k.files, files) })
	if i < 0 {
		if len(recentKeys.keys) == maxLately {
			recentKeys.keys = recentKeys.keys[1:]
		}
		recentKeys.keys = append(recentKeys.keys, textKey{text, maps.Clone(files), keyOf(text, files)})
		i = len(recentKeys.keys) - 1
	}
	return recentKeys.keys[i].key
}

// recentKeys has the keys that were computed last: a suite asks for those of its models with each of its tests.
var recentKeys struct {
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
