// Package site writes the site as files, for any static host and below any path of it: its pages, as handlers answer for
// them, what pages fetch beside themselves, and the program that answers in the browser all that is asked there
// ([litmuscope/web/api/site/engine], with static/src/site.js).
package site
