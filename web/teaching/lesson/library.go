package lesson

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/models"
)

//go:embed lessons
var embedded embed.FS

// BuiltIn are the lessons of the program.
func BuiltIn() fs.FS {
	sub, err := fs.Sub(embedded, "lessons")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return sub
}

// Bounds on a folder: what is beyond is left out, and said so.
const (
	maxLessons = 500
	maxImage   = 8 << 20
)

// Library has the lessons of the program and those of a folder, which it looks at again when
// it is asked: a lesson is added by adding its file. It may be used from many goroutines.
type Library struct {
	reader  func() *Reader
	folder  fs.FS // nil: none
	builtIn func() []*Entry

	mu     sync.Mutex
	looked time.Time
	own    []*Entry
	read   map[string]stamped
}

// Entry is a lesson of a library, and what is wrong with it. One that cannot be read takes
// nothing from the others.
type Entry struct {
	*Lesson
	Faults litmus.ErrorList // it cannot be shown because of them
	Broken litmus.ErrorList // links that lead nowhere
}

type stamped struct {
	size  int64
	at    time.Time
	entry *Entry
}

// lookAgain is how long the folder is taken to be as it was.
const lookAgain = 300 * time.Millisecond

// NewLibrary has the lessons of the program, read when they are first asked for, and of a folder unless its
// name is "". Words in brackets lead to terms, by their names in lower case.
func NewLibrary(dir string, terms func() map[string]string) (*Library, error) {
	l := &Library{reader: sync.OnceValue(func() *Reader { return &Reader{Terms: terms()} }), read: map[string]stamped{}}
	if dir != "" {
		root, err := os.OpenRoot(dir) // nothing outside is opened, whatever links say
		if err != nil {
			return nil, err
		}
		l.folder = root.FS()
	}
	l.builtIn = sync.OnceValue(func() []*Entry {
		list := l.list(BuiltIn(), false)
		for _, e := range list {
			if err := errors.Join(e.Faults.Err(), e.Broken.Err()); err != nil {
				panic(fmt.Sprintf("BUG: built-in lesson: %v", err))
			}
		}
		return list
	})
	return l, nil
}

// All gives the lessons of the program and those of the folder, each in order.
func (l *Library) All() (builtIn, own []*Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.folder != nil && time.Since(l.looked) > lookAgain {
		l.looked = time.Now()
		l.own = l.list(l.folder, true)
	}
	return l.builtIn(), l.own
}

// Deck asks for a deck to be read, as [ReadDeck] does.
func (l *Library) Deck(file, text string) DeckText {
	return DeckText{File: file, Text: text, Terms: l.reader().Terms}
}

// Find is the lesson with a slug, that of the folder if both have one, with those before and
// behind it in its group, which may be nil.
func (l *Library) Find(slug string) (e, before, behind *Entry) {
	builtIn, own := l.All()
	for _, group := range [][]*Entry{own, builtIn} {
		i := slices.IndexFunc(group, func(e *Entry) bool { return e.Slug == slug })
		if i < 0 {
			continue
		}
		if i > 0 {
			before = group[i-1]
		}
		if i+1 < len(group) {
			behind = group[i+1]
		}
		return group[i], before, behind
	}
	return nil, nil, nil
}

// list reads what has changed of a folder.
func (l *Library) list(in fs.FS, own bool) []*Entry {
	files, err := fs.ReadDir(in, ".")
	if err != nil {
		return []*Entry{faulty(".", own, fmt.Errorf("the folder cannot be read: %w", err))}
	}
	var out []*Entry
	for _, f := range files {
		name := f.Name()
		if path.Ext(name) != ".md" || strings.EqualFold(name, "README.md") || strings.HasPrefix(name, ".") {
			continue
		}
		if len(out) == maxLessons {
			out = append(out, faulty(name, own, fmt.Errorf("there are more than %d lessons", maxLessons)))
			break
		}
		out = append(out, l.one(in, name, own))
	}
	slices.SortStableFunc(out, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Slug, b.Slug))
	})
	for i, e := range out {
		for _, other := range out[:i] {
			if other.Slug == e.Slug {
				e.Faults = append(e.Faults,
					litmus.Errorf(litmus.Pos{File: e.File, Line: 1, Col: 1}, "%s has the same address, /learn/%s",
						other.File, e.Slug))
			}
		}
	}
	all := out
	if own {
		all = slices.Concat(out, l.builtIn())
	}
	l.resolve(in, out, all)
	return out
}

// Sheet reads a file in the manner of lessons that is none of the library's: it stands in a folder of its own,
// and leads to the library's lessons.
func (l *Library) Sheet(in fs.FS, name string) *Entry {
	builtIn, own := l.All()
	e := l.one(in, name, false)
	l.resolve(in, []*Entry{e}, slices.Concat(own, builtIn))
	return e
}

func (l *Library) one(in fs.FS, name string, own bool) *Entry {
	info, err := fs.Stat(in, name)
	if err != nil {
		return faulty(name, own, err)
	}
	if kept, ok := l.read[name]; own && ok && kept.size == info.Size() && kept.at.Equal(info.ModTime()) {
		fresh := *kept.entry
		return &fresh
	}
	if info.Size() > maxLesson || !info.Mode().IsRegular() {
		return faulty(name, own, fmt.Errorf("it is not a file, or it is longer than %d KiB", maxLesson>>10))
	}
	text, err := fs.ReadFile(in, name)
	if err != nil {
		return faulty(name, own, err)
	}
	lesson, err := l.reader().Read(name, text)
	lesson.Own = own
	e := &Entry{Lesson: lesson, Faults: litmus.Errors(err)}
	if own {
		l.read[name] = stamped{info.Size(), info.ModTime(), e}
	}
	fresh := *e
	return &fresh
}

func faulty(name string, own bool, err error) *Entry {
	return &Entry{
		Lesson: &Lesson{Slug: strings.TrimSuffix(path.Base(name), ".md"), Title: name, File: name, Own: own},
		Faults: litmus.ErrorList{litmus.Errorf(litmus.Pos{File: name, Line: 1, Col: 1}, "%v", err)},
	}
}

// resolve finds links that lead nowhere; those to lessons lead to one of all.
func (l *Library) resolve(in fs.FS, list, all []*Entry) {
	known := func(slug string) *Entry {
		i := slices.IndexFunc(all, func(e *Entry) bool { return e.Slug == slug })
		if i < 0 {
			return nil
		}
		return all[i]
	}
	for _, e := range list {
		if e.Lesson.Text == "" {
			continue
		}
		wrong := func(pos litmus.Pos, format string, args ...any) {
			e.Broken = append(e.Broken, litmus.Errorf(pos, format, args...))
		}
		for _, slug := range e.Needs {
			if known(slug) == nil {
				wrong(litmus.Pos{File: e.File, Line: 1, Col: 1}, "the lesson needs %q, but there is no such lesson",
					litmus.Shorten(slug))
			}
		}
		for _, link := range e.Links {
			to, anchor, _ := strings.Cut(link.To, "#")
			page, query, _ := strings.Cut(to, "?")
			switch {
			case link.Image:
				if err := l.image(in, link.To); err != nil {
					wrong(link.Pos, "the image %q: %v", litmus.Shorten(link.To), err)
				}
			case strings.Contains(to, ":") || page == "/" && query == "" || strings.HasPrefix(to, "/suites") ||
				page == "/compare" || page == "/catalogue" || page == "/museum" || page == "/lattice" ||
				page == "/distinguish" || page == "/cycles" || page == "/class" || page == "/course" ||
				page == "/learn" || page == "/exploration" || page == "/api/docs":
			case to == "":
				if anchor != "" && !e.has(anchor) {
					wrong(link.Pos, "the lesson has no section #%s", litmus.Shorten(anchor))
				}
			case page == "/":
				id := strings.ReplaceAll(strings.TrimPrefix(query, "test="), "%2B", "+")
				if _, ok := catalogue.Find(id); !ok {
					wrong(link.Pos, "there is no classic test %q", litmus.Shorten(id))
				}
			case page == "/glossary":
				if !l.term(anchor) {
					wrong(link.Pos, "the glossary has no term %q", litmus.Shorten(anchor))
				}
			case strings.HasPrefix(page, "/museum/"):
				if _, ok := catalogue.FindExhibit(strings.TrimPrefix(page, "/museum/")); !ok {
					wrong(link.Pos, "the museum has no exhibit %q",
						litmus.Shorten(strings.TrimPrefix(page, "/museum/")))
				}
			case strings.HasPrefix(page, "/models/"):
				if !models.IsBuiltIn(strings.TrimPrefix(page, "/models/")) {
					wrong(link.Pos, "there is no model %q", litmus.Shorten(strings.TrimPrefix(page, "/models/")))
				}
			case strings.HasPrefix(page, "/learn/"):
				if other := known(strings.TrimPrefix(page, "/learn/")); other == nil {
					wrong(link.Pos, "there is no lesson %q", litmus.Shorten(strings.TrimPrefix(page, "/learn/")))
				} else if anchor != "" && !other.has(anchor) {
					wrong(link.Pos, "the lesson %s has no section #%s", other.Slug, litmus.Shorten(anchor))
				}
			default:
				wrong(link.Pos, "the link %q leads nowhere: name a lesson by its file, 03-fences.md, and a page by "+
					"its address, /?test=SB", litmus.Shorten(link.To))
			}
		}
	}
}

// has tells whether a lesson has a place that can be led to.
func (l *Lesson) has(anchor string) bool {
	return slices.ContainsFunc(l.Sections, func(s Section) bool { return s.ID == anchor }) || l.Find(anchor) != nil
}

// term tells whether the glossary has an anchor; without a glossary, any.
func (l *Library) term(anchor string) bool {
	if len(l.reader().Terms) == 0 || anchor == "" {
		return true
	}
	for _, id := range l.reader().Terms {
		if id == anchor {
			return true
		}
	}
	return false
}

// imageTypes are what is served of a folder beside lessons.
var imageTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".avif": "image/avif", ".svg": "image/svg+xml",
}

// IsImage tells names of images from those of lessons.
func IsImage(name string) bool { return imageTypes[strings.ToLower(path.Ext(name))] != "" }

// image tells what is wrong with an image's name.
func (l *Library) image(in fs.FS, name string) error {
	if imageTypes[strings.ToLower(path.Ext(name))] == "" {
		return errors.New("want a png, jpg, gif, webp, avif or svg file beside the lesson")
	}
	if _, err := fs.Stat(in, name); err != nil {
		return errors.New("there is no such file beside the lesson")
	}
	return nil
}

// Image is an image from beside the lessons, and its media type, as [ImageOf] has it.
func (l *Library) Image(name string) (body []byte, kind string, err error) {
	if l.folder == nil {
		return ImageOf(name, BuiltIn())
	}
	return ImageOf(name, l.folder, BuiltIn())
}

// ImageOf is an image from the first of some folders that has it, and its media type. An error is fs.ErrNotExist, or
// one that says what is wrong with the file.
func ImageOf(name string, folders ...fs.FS) (body []byte, kind string, err error) {
	kind = imageTypes[strings.ToLower(path.Ext(name))]
	if kind == "" || !fs.ValidPath(name) {
		return nil, "", fs.ErrNotExist
	}
	for _, in := range folders {
		info, err := fs.Stat(in, name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if info.Size() > maxImage {
			return nil, "", fmt.Errorf("%s is larger than %d MiB", name, maxImage>>20)
		}
		body, err := fs.ReadFile(in, name)
		return body, kind, err
	}
	return nil, "", fs.ErrNotExist
}
