package static

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

func fetch(path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler(http.NotFound).ServeHTTP(w, r)
	return w
}

func TestAssetsAreKeptForGood(t *testing.T) {
	for _, name := range []string{"page.js", "theme.js", "page.css", "icon.svg", "licenses.txt"} {
		w := fetch(Path(name))
		if w.Code != http.StatusOK || w.Body.Len() == 0 ||
			!strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, %d bytes, %v", name, w.Code, w.Body.Len(), w.Header())
		}
		again := fetch(Path(name), "If-None-Match", w.Header().Get("ETag"))
		if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s: asked again: status %d", name, again.Code)
		}
	}
}

func TestScriptsAreCompressed(t *testing.T) {
	plain, zipped := fetch(Path("page.js")), fetch(Path("page.js"), "Accept-Encoding", "gzip")
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() > plain.Body.Len()/2 {
		t.Errorf("%d bytes of %d", zipped.Body.Len(), plain.Body.Len())
	}
}

func TestOtherAddresses(t *testing.T) {
	for _, path := range []string{
		"/static/page.js", "/static/", "/static/../static.go",
		"/static/page.000000000000.js",
	} {
		if w := fetch(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, w.Code)
		}
	}
}

// What scripts import, at their start or later, is where they look for it.
func TestChunksAreWhereScriptsLookForThem(t *testing.T) {
	any := regexp.MustCompile(`(?:from|import\(?)\s*"(\.[^"]*)"`)
	chunks := 0
	for name, address := range AssetTable().Paths {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		for _, m := range any.FindAllSubmatch(assets()[address].body, -1) {
			chunks++
			if w := fetch(path.Join(path.Dir(address), string(m[1]))); w.Code != http.StatusOK {
				t.Errorf("%s imports %s: status %d", name, m[1], w.Code)
			}
		}
	}
	if chunks == 0 {
		t.Error("no script imports anything")
	}
	first := Imports("page.js")
	for _, address := range first {
		if w := fetch(address); w.Code != http.StatusOK {
			t.Errorf("page.js starts with %s: status %d", address, w.Code)
		}
	}
	if len(first) == 0 {
		t.Error("page.js starts with nothing")
	}
}

// A page requests the typefaces of its style sheet at once, and the server sends them unchanged.
func TestTypefacesAreThere(t *testing.T) {
	for _, sheet := range []string{"page.css", "embed.css"} {
		faces := Typefaces(sheet)
		if len(faces) != 2 {
			t.Errorf("%s has the typefaces %q, want one for text and one for code", sheet, faces)
		}
		for _, f := range faces {
			w := fetch(f, "Accept-Encoding", "gzip")
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "font/woff2" ||
				!strings.HasPrefix(w.Body.String(), "wOF2") {
				t.Errorf("%s: status %d, %v", f, w.Code, w.Header())
			}
		}
	}
	for _, licence := range []string{
		"The Inter Project Authors", "The JetBrains Mono Project Authors",
		"SIL OPEN FONT LICENSE",
	} {
		if !strings.Contains(fetch(Path("licenses.txt")).Body.String(), licence) {
			t.Errorf("the licences have nothing of %s", licence)
		}
	}
}

// The style sheet and the scripts load nothing from elsewhere.
func TestNothingIsFetchedFromElsewhere(t *testing.T) {
	remote := regexp.MustCompile(`@import|url\(\s*["']?(https?:)?//|import\s*\(?["']https?:`)
	for name, address := range AssetTable().Paths {
		if m := remote.Find(assets()[address].body); m != nil {
			t.Errorf("%s: %s", name, m)
		}
	}
}

// The program contains every page and every picture of the manual.
func TestManualIsEmbedded(t *testing.T) {
	pages := 0
	err := fs.WalkDir(os.DirFS("docs"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" && path.Ext(name) != ".png" {
			return err
		}
		pages++
		if path.Ext(name) == ".png" {
			if AssetTable().Paths[path.Base(name)] == "" {
				t.Errorf("%s is no asset", name)
			}
			return nil
		}
		info, err := fs.Stat(Manual(), name)
		if err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil || pages < 20 {
		t.Errorf("%d pages and pictures, %v", pages, err)
	}
}
