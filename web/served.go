//go:build !js

package web

import (
	"fmt"

	"litmuscope/web/pages/class"
	"litmuscope/web/pages/course"
	"litmuscope/web/pages/explore"
	"litmuscope/web/pages/lessons"
	"litmuscope/web/pages/suites"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
	"litmuscope/web/teaching/course"
	"litmuscope/web/teaching/lesson"
)

// served are the rooms that a server alone has.
func (c Config) served(desk *bench.Desk, families *family.Maker, reading *learn.Lessons, lessons *lesson.Library) (rooms []shell.Room, err error) {
	if c.Rooms != nil {
		rooms = append(rooms, classroom.Room(desk.Studio, lessons, c.Rooms))
	}
	if c.Course != "" {
		held, err := syllabus.Open(c.Course, lessons, func(err error) { desk.Log.Warn("course", "error", err) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Course, err)
		}
		rooms = append(rooms, course.Room(desk.Asker, reading, held, c.Tries))
	}
	if c.Suites != nil {
		rooms = append(rooms, suites.Room(families, c.Suites, c.Store, explore.Opener(desk)))
	} else {
		rooms = append(rooms, suites.Comparing(families))
	}
	return rooms, nil
}
