//go:build !js

package web

import (
	"fmt"
	"slices"

	classpages "litmuscope/web/pages/class"
	coursepages "litmuscope/web/pages/course"
	"litmuscope/web/pages/explore"
	"litmuscope/web/pages/lessons"
	"litmuscope/web/pages/suites"
	"litmuscope/web/parts/compilers"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
	"litmuscope/web/teaching/course"
	"litmuscope/web/teaching/lesson"
)

// servedLimits are the limits of pages that only a server has.
func servedLimits() []server.Limit {
	return slices.Concat(explore.NativeLimits, classpages.Limits, coursepages.Limits, classpages.AddressLimits,
		compilers.Limits)
}

// served are the pages that only a server has.
func (c Config) served(
	pictures *picture.Pictures, links *textpage.Permalinks, families *family.Maker, reading *lessons.Lessons,
	library *lesson.Library,
) (pages []server.Page, err error) {
	if c.Rooms != nil {
		pages = append(pages, classpages.New(pictures, library, c.Rooms))
	}
	if c.Course != "" {
		held, err := course.Open(c.Course, library,
			func(err error) { pictures.Server.Log.Warn("course", "error", err) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Course, err)
		}
		pages = append(pages, coursepages.New(pictures.Questions, reading, held, c.Tries))
	}
	if c.Suites != nil {
		pages = append(pages, suites.New(families, c.Suites, c.Store, explore.Opener(pictures, links)))
	} else {
		pages = append(pages, suites.Comparing(families))
	}
	return pages, nil
}
