// Package lessons serves the lessons of web/teaching/lesson: tests that run on the page, and exercises that
// web/parts/judge checks. It also serves sheets of tests for printing, with figures. [Lessons] shows other files in the
// format of lessons, too, such as the sheets of a course.
//
// It imports web/server, web/parts and web/teaching: no other page.
package lessons

import (
	"github.com/go-chi/chi/v5"

	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// Lessons serves the pages of lessons.
type Lessons struct {
	Server    *server.Server
	Questions *question.Service
	Pictures  *picture.Pictures
	lessons   *lesson.Library
	lived     livedTests
}

// New returns the pages for the lessons of a library.
func New(p *picture.Pictures, lessons *lesson.Library) *Lessons {
	return &Lessons{Server: p.Server, Questions: p.Questions, Pictures: p, lessons: lessons}
}

// Page returns the pages for the server.
func (s *Lessons) Page() server.Page {
	// Reading a lesson runs its tests. Images of lessons do not match this pattern: their names have dots.
	costs := map[string]server.Cost{
		"GET /learn/{slug:[a-z0-9-]+}": server.Asks, "GET /sheet": server.Asks,
		"GET /sheet/figures": server.Asks, "GET /learn/check": server.Asks,
	}
	return server.Page{
		Nav: &server.NavEntry{
			Group:  server.Teach,
			Title:  "Lessons",
			Path:   "/learn",
			Kind:   "learn",
			Script: "learn.js",
		},
		Also:  []server.NavEntry{{Group: server.Teach, Title: "Sheets", Path: "/sheet"}},
		Costs: costs, Mount: func(r chi.Router) {
			r.Get("/learn", s.getLessons)
			r.Get("/learn/{slug}", s.getLesson)
			r.Get("/learn/{slug}/version", s.getLessonVersion)
			r.Get("/learn/*", s.getLessonImage)
			r.Get("/sheet", s.getSheet)
			r.Get("/sheet/figures", s.getFigures)
			r.Post("/learn/check", s.postLessonCheck)
			r.Get("/learn/check", s.Server.FromAddress(s.postLessonCheck))
			r.Post("/learn/run", s.postLessonRun)
		},
	}
}
