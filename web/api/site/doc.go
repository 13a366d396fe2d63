// Package site writes the website as files for a static host, below any path: the pages as their handlers answer, the
// assets, and the program that answers questions in the browser (web/api/site/engine, with static/src/site.js). [Write]
// writes the files, [Build] compiles the [Engine] and [Load] reads one.
//
// A static site uses the same handlers as a server, with server.Config.Static. Addresses are written relative to the
// page. Pages that need a server are replaced by those of web/pages/serveronly. Code that differs in the browser has
// the build tag js.
//
// It imports static, solver/engines and web/server; its caller supplies the handler.
package site
