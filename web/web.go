// Package web builds the handler of the website: every page, and the REST interface that /api/openapi.json describes.
// [New] makes the pages in web/pages, connects them to the services in web/parts that they use, and registers them with
// web/server.
//
//	h, err := web.New(web.Config{Config: server.Config{Log: log}, Runner: pool, Links: store})
//	err = server.Serve(ctx, server.Listen{Addr: "127.0.0.1:8080"}, h)
//
// The server renders pages from plain view models (types named …View) with the components in .templ files; scripts
// fetch fragments of the same components. Forms work without scripts. No page fetches anything from another host, and a
// strict Content-Security-Policy enforces that. served.go lists the pages that only a server has, not a static site.
//
// It may import every package of the program except cmd, the engines and the helpers of tests.
package web

import (
	"errors"
	"fmt"
	"net/http"

	"litmuscope/solver"
	"litmuscope/solver/pool"
	service "litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/api"
	"litmuscope/web/pages/catalogue"
	coursepages "litmuscope/web/pages/course"
	"litmuscope/web/pages/cycles"
	"litmuscope/web/pages/exploration"
	"litmuscope/web/pages/explore"
	"litmuscope/web/pages/help"
	"litmuscope/web/pages/lattice"
	"litmuscope/web/pages/lessons"
	"litmuscope/web/pages/manual"
	"litmuscope/web/pages/modelcompare"
	"litmuscope/web/pages/museum"
	"litmuscope/web/pages/programs"
	"litmuscope/web/pages/serveronly"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/course"
	"litmuscope/web/teaching/lesson"
)

// Config is what the server needs of the rest of the program.
type Config struct {
	server.Config
	Runner  solver.Runner
	Sandbox pool.Doer // does [litmuscope/web/parts/childwork.Work], or has it done
	// Compilers runs the compilers that visitors may choose; nil: there are none.
	Compilers question.Compilers
	Links     textpage.LinkStore

	// Suites runs suites, which Store keeps; both nil: there are none.
	Suites *service.Coordinator
	Store  *store.Store
	// Native runs tests on the server's own machine for visitors, and needs Store; nil: the server runs none.
	Native explore.NativeRunner

	// Lessons is a folder of lessons beside the program's own; "": there is none.
	Lessons string
	Rooms   class.Keeper // keeps classes; nil: there are none

	// Course is a folder with a course, of which Tries keeps what is handed in; "": there is none.
	Course string
	Tries  coursepages.Keeper
}

// New makes the handler of all pages and of the REST interface.
func New(c Config) (http.Handler, error) {
	switch {
	case c.Runner == nil:
		return nil, errors.New("web: no Runner")
	case c.Sandbox == nil:
		return nil, errors.New("web: no Sandbox")
	case c.Links == nil && c.Static == nil:
		return nil, errors.New("web: no Links")
	case c.Static != nil:
		c.Links = NoLinks{}
	}
	sh, err := server.New(withFeatures(c.Config))
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	folder := c.Lessons
	if c.Course != "" {
		switch own := course.LessonsOf(c.Course); {
		case c.Tries == nil:
			return nil, errors.New("web: Course needs Tries")
		case own != "" && c.Lessons != "":
			return nil, fmt.Errorf("web: there are lessons in %s and in %s: use only one of them", own,
				c.Lessons)
		case own != "":
			folder = own
		}
	}
	library, err := lesson.NewLibrary(folder, glossary.LessonTerms)
	if err != nil {
		return nil, fmt.Errorf("web: lessons: %w", err)
	}
	questions := question.New(sh, c.Runner, c.Sandbox)
	if c.Store != nil {
		questions.Observed = c.Store.Observed
	}
	questions.Compilers = c.Compilers
	pictures := picture.New(questions)
	links := &textpage.Permalinks{Server: sh, Store: c.Links}
	families := family.New(questions)
	var native *explore.Native
	if c.Native != nil {
		if c.Store == nil {
			return nil, errors.New("web: Native needs Store")
		}
		native = explore.NewNative(c.Native, c.Store)
	}
	reading := lessons.New(pictures, library)

	pages := []server.Page{
		explore.New(pictures, links, programs.Open, native),
		programs.New(pictures, links),
		modelcompare.New(questions),
		exploration.New(pictures),
		catalogue.New(sh, library),
		museum.New(pictures),
		lattice.New(questions),
		cycles.New(families),
		reading.Page(),
	}
	if c.Static != nil {
		pages = append(pages, serveronly.Class(sh), serveronly.Suites(sh))
	} else {
		served, err := c.served(pictures, links, families, reading, library)
		if err != nil {
			return nil, err
		}
		pages = append(pages, served...)
	}
	pages = append(pages, help.New(sh), manual.New(sh))
	return sh.Handler(append(pages, api.New(questions, pages...))...), nil
}
