package web

import (
	"slices"

	"litmuscope/web/drawing"
	"litmuscope/web/drawing/layout"
	"litmuscope/web/parts/family"
	"litmuscope/web/server"
)

// LimitTable lists all that a server bounds, in the order of the manual: the server's own limits, and those of its
// parts and pages.
func LimitTable() []server.Limit {
	return slices.Concat(server.QuestionLimits, family.Limits, server.RequestLimits, servedLimits())
}

// withFeatures completes a server's configuration by what drawings and pages have for all of it.
func withFeatures(c server.Config) server.Config {
	c.LimitTable, c.Colours = LimitTable(), layout.Variables()
	for _, f := range drawing.Formats {
		c.Compressed = append(c.Compressed, f.Media)
	}
	return c
}
