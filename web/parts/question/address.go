package question

import (
	"net/url"

	"litmuscope/web/teaching/lesson"
)

// CatalogueAddress returns the address of a part of the catalogue.
func CatalogueAddress(shape, arch, fragment string) string {
	q := url.Values{}
	if shape != "" {
		q.Set("shape", shape)
	}
	if arch != "" {
		q.Set("arch", arch)
	}
	return "/catalogue?" + q.Encode() + "#" + fragment
}

// CycleURL returns the address of a cycle's page.
func CycleURL(arch, text string) string {
	return "/cycles?" + CycleQuery(arch, text)
}

// CycleQuery returns the query of the cycles page for a cycle.
func CycleQuery(arch, text string) string {
	return "arch=" + url.QueryEscape(arch) + "&cycle=" + url.QueryEscape(text)
}

// LessonAddress returns the address of a lesson's page.
func LessonAddress(e *lesson.Entry) string { return "/learn/" + url.PathEscape(e.Slug) }
