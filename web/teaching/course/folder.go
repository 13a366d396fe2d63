package course

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"litmuscope/web/teaching/lesson"
)

// Folder is a course in a folder, which it reads again after a change. It is safe for concurrent use.
type Folder struct {
	files   fs.FS
	lessons *lesson.Library
	fault   func(error)

	mu     sync.Mutex
	looked time.Time
	stamp  string // of the files, when they were read last
	course *Course
}

// lookAgain is how long the folder is assumed to be unchanged.
const lookAgain = time.Second

// LessonsOf returns the folder with a course's own lessons; "" if it has none.
func LessonsOf(dir string) string {
	own := filepath.Join(dir, LessonsDir)
	if info, err := os.Stat(own); err != nil || !info.IsDir() {
		return ""
	}
	return own
}

// Open reads the course in a folder. If a later change has faults, the folder passes them to fault and keeps the course
// as it was before.
func Open(dir string, lessons *lesson.Library, fault func(error)) (*Folder, error) {
	root, err := os.OpenRoot(dir) // nothing outside is opened, whatever links say
	if err != nil {
		return nil, err
	}
	f := &Folder{files: root.FS(), lessons: lessons, fault: fault, looked: time.Now()}
	f.stamp = f.stamped()
	f.course, err = Read(f.files, lessons)
	return f, err
}

// Course returns the current course.
func (f *Folder) Course() *Course {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) < lookAgain {
		return f.course
	}
	f.looked = time.Now()
	stamp := f.stamped()
	if stamp == f.stamp {
		return f.course
	}
	f.stamp = stamp
	if c, err := Read(f.files, f.lessons); err != nil {
		f.fault(fmt.Errorf("the course is unchanged: %w", err))
	} else {
		f.course = c
	}
	return f.course
}

// Image returns an image beside the sheets, as [lesson.ImageOf] does.
func (f *Folder) Image(name string) (body []byte, kind string, err error) {
	return lesson.ImageOf(name, f.files)
}

// stamped returns a text that changes when the folder's files change.
func (f *Folder) stamped() string {
	var b strings.Builder
	files, err := fs.ReadDir(f.files, ".")
	for _, file := range files {
		info, e := file.Info()
		if err = errors.Join(err, e); e == nil {
			fmt.Fprintln(&b, file.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	fmt.Fprintln(&b, err)
	return b.String()
}
