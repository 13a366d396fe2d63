package course

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"litmuscope/litmus"
)

//go:embed example
var embedded embed.FS

// Example returns the files of a course of eight weeks with the program's lessons. Its students have no codes yet.
func Example() fs.FS {
	sub, err := fs.Sub(embedded, "example")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return sub
}

var date = litmus.Pattern(`\d{4}-\d{2}-\d{2}`)

// WriteExample writes the example into a new or empty folder. It moves the first week to the given day and all other
// dates by as much, and makes codes for the students.
func WriteExample(dir string, begins time.Time) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if there, err := os.ReadDir(dir); err != nil {
		return err
	} else if len(there) > 0 {
		return fmt.Errorf("%s: the folder is not empty: want a new or empty folder", dir)
	}
	var first time.Time // of the example's days
	return fs.WalkDir(Example(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(Example(), name)
		if err != nil {
			return err
		}
		switch name {
		case File:
			text = date().ReplaceAllFunc(text, func(day []byte) []byte {
				at, err := time.Parse(time.DateOnly, string(day))
				if err != nil {
					panic("BUG: the example's dates: " + err.Error())
				}
				if first.IsZero() {
					first = at
				}
				return []byte(begins.Add(at.Sub(first)).Format(time.DateOnly))
			})
		case RosterFile:
			roster, err := ReadRoster(Example())
			if err != nil {
				panic("BUG: the example's roster: " + err.Error())
			}
			if _, err := roster.AddCodes(0); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, name), []byte(roster.String()), 0o600)
		}
		return os.WriteFile(filepath.Join(dir, name), text, 0o644)
	})
}
