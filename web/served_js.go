package web

import (
	"litmuscope/web/pages/lessons"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// servedLimits are the limits of pages that only a server has: in a browser there are none.
func servedLimits() []server.Limit { return nil }

// served are the pages that only a server has: in a browser there are none.
func (Config) served(
	*picture.Pictures, *textpage.Permalinks, *family.Maker, *lessons.Lessons, *lesson.Library,
) ([]server.Page, error) {
	return nil, nil
}
