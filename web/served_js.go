package web

import (
	"litmuscope/web/pages/lessons"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// served are the rooms that a server alone has: in a browser there are none.
func (Config) served(*picture.Studio, *textpage.Permalinks, *family.Maker, *lessons.Lessons, *lesson.Library) ([]server.Room, error) {
	return nil, nil
}
