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

// BuiltIn returns the files of the program's lessons.
func BuiltIn() fs.FS {
	sub, err := fs.Sub(embedded, "lessons")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return sub
}

// Limits of a folder. The library reports and ignores whatever exceeds them.
const (
	maxLessons = 500
	maxImage   = 8 << 20
)

// Library holds the lessons of the program and those of a folder. It checks the folder again when it is asked: to add a
// lesson, add its file. It is safe for concurrent use.
type Library struct {
	reader  func() *Reader
	folder  fs.FS // nil: none
	builtIn func() []*Entry

	mu     sync.Mutex
	looked time.Time
	own    []*Entry
	read   map[string]stamped
}

// Entry is a lesson of a library with its faults. A lesson that cannot be read does not affect the others.
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

// lookAgain is how long the folder is assumed to be unchanged.
const lookAgain = 300 * time.Millisecond

// NewLibrary returns a library of the program's lessons, which it reads when they are first needed, and of the lessons
// in a folder, unless its name is "". Terms maps the terms of links in brackets, in lower case, to the glossary's
// anchors.
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

// All returns the lessons of the program and then those of the folder, each in order.
func (l *Library) All() (builtIn, own []*Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.folder != nil && time.Since(l.looked) > lookAgain {
		l.looked = time.Now()
		l.own = l.list(l.folder, true)
	}
	return l.builtIn(), l.own
}

// Deck reads a deck in a child process, as [ReadDeck] does.
func (l *Library) Deck(file, text string) DeckText {
	return DeckText{File: file, Text: text, Terms: l.reader().Terms}
}

// Find returns the lesson with a slug, the folder's if both have one, and the lessons before and after it in its group,
// which may be nil.
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

// list reads the files of a folder that have changed.
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

// Sheet reads a file in the format of lessons that is not part of the library, such as a course's sheet. It is in its
// own folder, and may link to the library's lessons.
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

// resolve reports broken links; links to lessons may lead to any lesson of all.
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

// has reports whether a lesson has an anchor.
func (l *Lesson) has(anchor string) bool {
	return slices.ContainsFunc(l.Sections, func(s Section) bool { return s.ID == anchor }) || l.Find(anchor) != nil
}

// term reports whether the glossary has an anchor. Without a glossary, every anchor is accepted.
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

// imageTypes are the media types of the images that the server serves from a folder.
var imageTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".avif": "image/avif", ".svg": "image/svg+xml",
}

// IsImage reports whether a file's name is that of an image.
func IsImage(name string) bool { return imageTypes[strings.ToLower(path.Ext(name))] != "" }

// image returns what is wrong with an image's name, or nil.
func (l *Library) image(in fs.FS, name string) error {
	if imageTypes[strings.ToLower(path.Ext(name))] == "" {
		return errors.New("want a png, jpg, gif, webp, avif or svg file beside the lesson")
	}
	if _, err := fs.Stat(in, name); err != nil {
		return errors.New("there is no such file beside the lesson")
	}
	return nil
}

// Image returns an image beside the lessons and its media type, as [ImageOf] does.
func (l *Library) Image(name string) (body []byte, kind string, err error) {
	if l.folder == nil {
		return ImageOf(name, BuiltIn())
	}
	return ImageOf(name, l.folder, BuiltIn())
}

// ImageOf returns an image, from the first of some folders that has it, and its media type. The error is
// fs.ErrNotExist, or says what is wrong with the file.
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
