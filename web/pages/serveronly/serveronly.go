package serveronly

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"litmuscope/web/server"
)

// missing is a page for a feature that only a server has.
type missing struct {
	server.NavEntry
	Does string // what the feature needs a server for
}

// Class returns the page that stands in for classes.
func Class(sh *server.Server) server.Page {
	return page(sh,
		missing{
			server.NavEntry{
				Group:  server.Teach,
				Title:  "Class",
				Path:   "/class",
				Kind:   "class",
				Script: "elsewhere.js",
			},
			"A class needs a server, which collects the votes and shows the results to everybody.",
		})
}

// Suites returns the page that stands in for suites.
func Suites(sh *server.Server) server.Page {
	return page(sh,
		missing{
			server.NavEntry{
				Group:  server.Suites,
				Title:  "Suites",
				Path:   "/suites",
				Kind:   "suite-pages",
				Script: "elsewhere.js",
			},
			"A suite needs a server, which runs many tests on many processors for hours and stores the answers.",
		})
}

func page(sh *server.Server, v missing) server.Page {
	return server.Page{Nav: &v.NavEntry, Mount: func(r chi.Router) {
		r.Get(v.Path, func(w http.ResponseWriter, r *http.Request) {
			sh.Render(w, r, http.StatusOK, fullPage(server.Nonce(r.Context()), v))
		})
	}}
}
