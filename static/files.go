//go:build !js

package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

//go:embed dist img docs/*.png
var files embed.FS

type asset struct {
	name    string // of its file
	kind    string // media type
	hash    string
	body    []byte
	gzipped []byte // nil if compression saves less than a tenth
}

// assets maps addresses to all assets.
var assets = sync.OnceValue(func() map[string]asset {
	t := map[string]asset{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		a := asset{kind: mediaType(name), hash: hex.EncodeToString(sum[:6]), body: body, gzipped: compress(body)}
		a.name = path.Base(name)
		ext := path.Ext(name)
		address := Prefix + strings.TrimSuffix(a.name, ext) + "." + a.hash + ext
		if strings.HasPrefix(a.name, "chunk-") {
			address = Prefix + a.name
		}
		t[address] = a
		return nil
	})
	if err != nil {
		panic(fmt.Sprintf("BUG: embedded assets: %v", err))
	}
	return t
})

// mediaType returns the media type of a file name. For the types that pages use, it does not depend on the system's
// tables, which differ between machines.
func mediaType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

func compress(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(fmt.Sprintf("BUG: %v", err))
	}
	// Writes to a bytes.Buffer never fail.
	_, _ = w.Write(body)
	_ = w.Close()
	if b.Len() > len(body)*9/10 {
		return nil
	}
	return b.Bytes()
}

// imported matches a chunk that a bundled script imports at its start. Later imports have parentheses.
var imported = regexp.MustCompile(`(?:from|import)\s*"\./(chunk-[^"/]+\.js)"`)

// typeface matches the URL of a typeface in a bundled style sheet.
var typeface = regexp.MustCompile(`url\(["']?\./(chunk-[^"')/]+\.woff2)`)

// AssetTable returns the table of assets.
var AssetTable = sync.OnceValue(func() *Table {
	t := &Table{map[string]string{}, map[string][]string{}, map[string][]string{}}
	for address, a := range assets() {
		t.Paths[a.name] = address
		t.Imports[a.name] = imports(a.body)
		for _, m := range typeface.FindAllSubmatch(a.body, -1) {
			t.Typefaces[a.name] = append(t.Typefaces[a.name], Prefix+string(m[1]))
		}
	}
	return t
})

// imports returns the addresses of the chunks that a script imports at its start, directly or through other chunks.
func imports(script []byte) []string {
	var out []string
	seen := map[string]bool{}
	var visit func(script []byte)
	visit = func(script []byte) {
		for _, m := range imported.FindAllSubmatch(script, -1) {
			if chunk := Prefix + string(m[1]); !seen[chunk] {
				seen[chunk] = true
				out = append(out, chunk)
				visit(assets()[chunk].body)
			}
		}
	}
	visit(script)
	return out
}

// Handler serves the assets. Browsers may cache each for a year, because its address changes with its content. Handler
// passes requests for other addresses to missing.
func Handler(missing http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := assets()[r.URL.Path]
		if !ok {
			missing(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", a.kind)
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("ETag", `"`+a.hash+`"`)
		h.Add("Vary", "Accept-Encoding")
		if r.Header.Get("If-None-Match") == `"`+a.hash+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		body := a.body
		if a.gzipped != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = a.gzipped
		}
		h.Set("Content-Length", fmt.Sprint(len(body)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(body) // the client may have gone
		}
	})
}

// Files returns the content of every asset, by address.
func Files() map[string][]byte {
	files := map[string][]byte{}
	for address, a := range assets() {
		files[address] = a.body
	}
	return files
}

// File returns the content of the asset with a file name. It panics if there is none.
func File(name string) []byte { return assets()[Path(name)].body }
