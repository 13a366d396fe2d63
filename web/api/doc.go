// Package api serves the REST interface: its OpenAPI document, the page that describes it, and the operations that
// belong to no page, such as the list of models. [New] makes it, with the operations of the other pages; each page
// registers its own.
//
// On a static site, the interface is built with the first request to it, because hardly anybody asks for it there.
//
// It imports web/server and web/parts/question, and calls engines only through the runner.
package api
