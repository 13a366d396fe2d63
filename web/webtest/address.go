package webtest

import (
	"html"
	"regexp"
)

var addressLink = regexp.MustCompile(`<p class="address"><a href="([^"]*)"`)

// AddressIn returns the address of the result on a page; "" if there is none.
func AddressIn(page string) string {
	found := addressLink.FindStringSubmatch(page)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}
