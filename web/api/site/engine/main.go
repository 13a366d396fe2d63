//go:build js && wasm

// Engine is the program of a static site: it runs the site's handlers and answers questions in a worker of a browser,
// with other workers as child processes (solver/pool). A page sends it requests, as fetch makes them, through the
// global object engine, which static/src/engine.js creates:
//
//	engine.base: the path of the site; engine.jobs: how many questions may run at once
//	engine.assets: what pages need to know of the assets (static.Table), as JSON
//	engine.ask = (id, method, address, headers, body) => …: set by this program; answers a request
//	engine.stop = (id) => …: set by this program; nobody waits for the answer any more
//	engine.head(id, status, headers), engine.piece(id, bytes), engine.end(id, fault): the answer
//	engine.ready(made): the program can answer; made names what it was built from
//
// It imports web, web/api/site, web/parts/childwork, web/server, solver, solver/batch and solver/pool.
package main

import (
	"log/slog"
	"os"
	"syscall/js"

	"litmuscope/solver/batch"
	"litmuscope/solver/pool"
	"litmuscope/web"
	"litmuscope/web/api/site"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// mostMemory is what a question may take, in MiB: a browser has no more than four times as much for a worker.
const mostMemory = 1024

func main() {
	pool.MaybeChild(childwork.Work...)
	if err := serve(js.Global().Get("engine")); err != nil {
		slog.Error("the engine does not start", "error", err)
		os.Exit(1)
	}
	select {}
}

// serve builds the handler of all pages with two worker pools, one for questions and one for reading and drawing, and
// registers it with the page's worker script as engine.ask and engine.stop.
func serve(engine js.Value) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	asked, err := pool.New(pool.Options{Workers: engine.Get("jobs").Int(), MaxAnswer: server.MaxAnswer, Log: log})
	if err != nil {
		return err
	}
	aside, err := pool.New(pool.Options{Workers: 1, MaxAnswer: server.MaxAnswer, Log: log})
	if err != nil {
		return err
	}
	limits := server.DefaultLimits()
	limits.Rate = 0 // there is nobody else
	limits.Options.Memory = min(limits.Options.Memory, mostMemory)
	h, err := web.New(web.Config{
		Config: server.Config{Log: log, Limits: limits, Static: &server.Static{Base: engine.Get("base").String()}},
		Runner: &batch.Cached{Runner: asked, Cache: &kept{}}, Sandbox: aside,
	})
	if err != nil {
		return err
	}
	desk := &desk{handler: h, engine: engine, stops: map[int]func(){}}
	engine.Set("ask", js.FuncOf(desk.ask))
	engine.Set("stop", js.FuncOf(desk.stop))
	engine.Call("ready", site.Made())
	return nil
}
