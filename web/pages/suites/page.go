// Package suites serves the pages and REST operations on suites: submitting one, following it while it runs, its matrix
// of tests and models, and the comparison of suites and logs. [New] makes them over a suites.Coordinator and a store;
// [Comparing] serves the comparison of logs alone, where there are no suites.
//
// Rows and events are streamed, so that a suite of any size takes little memory.
//
// It imports web/server, web/parts, solver/suites, solver/compare and store: no other page.
package suites

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

type page struct {
	server    *server.Server
	questions *question.Service
	families  *family.Maker
	Suites    *suites.Coordinator
	Store     *store.Store

	openTest  func(http.ResponseWriter, *http.Request, question.Question, textpage.From)
	archives  *server.Turns // limits the archives that are read at once
	following *server.Turns // limits the event streams
	comparing *server.Turns // limits the comparisons that run at once
}

// Comparing returns the page that compares logs, for servers without suites.
func Comparing(m *family.Maker) server.Page {
	s := &page{server: m.Server, comparing: newComparing()}
	return server.Page{Mount: func(chi.Router) {}, Operations: s.restCompare}
}

// New returns the pages of suites. A store keeps the suites; openTest shows a suite's test in the explorer.
func New(
	m *family.Maker, service *suites.Coordinator, kept *store.Store,
	openTest func(http.ResponseWriter, *http.Request, question.Question, textpage.From),
) server.Page {
	s := &page{
		server: m.Server, questions: m.Questions, families: m, Suites: service, Store: kept, openTest: openTest,
		archives: server.NewTurns(server.ArchivesMost, 0, server.ArchiveWait,
			"The server is reading other archives. Try again soon."),
		following: server.NewFollowing(m.Server.Limits.Connections),
		comparing: newComparing(),
	}
	return server.Page{
		Nav:   &server.NavEntry{Group: server.Suites, Title: "Suites", Path: "/suites", Kind: "suite-pages"},
		Mount: s.suitePages, Operations: s.restSuites,
		Costs: map[string]server.Cost{
			"GET /compare": server.Asks, "POST /suites": server.Keeps, "POST /suites/*": server.Keeps,
			"POST /api/v1/suites": server.Keeps, "POST /api/v1/suites/*": server.Keeps,
		},
	}
}
