package class

import (
	"fmt"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// wrongEach is the rate, per second, of wrong codes that one address may try after server.WrongMost.
const wrongEach = rate.Limit(.5)

// placeCookie is the name of the cookie that identifies a voter in one class. It contains nothing else, and each class
// has its own.
const placeCookie = "litmuscope_voter"

// keepPlace is the lifetime of that cookie.
const keepPlace = 7 * 24 * time.Hour

// placeOf returns the voter of a request's cookie; zero if this class did not issue the cookie.
func placeOf(r *http.Request, room *class.Room) (class.Voter, error) {
	cookie, err := r.Cookie(placeCookie)
	if err != nil {
		return class.Voter{}, nil //nolint:nilerr // there is none
	}
	return room.VoterAt(r.Context(), cookie.Value)
}

// givePlace gives the client a place in the class. If the client has to wait, it answers the request and returns false.
func (s *page) givePlace(w http.ResponseWriter, r *http.Request, c *classRequest) bool {
	if wait := s.joining[c.View().Wide].TakeOf(r.Context(), c.Code+" ", s.server.Clock()); wait > 0 {
		c.Crowd()
		server.RetryAfter(w.Header(), wait)
		if server.WantsPage(r) {
			s.server.Render(w, r, http.StatusTooManyRequests, classCrowded(server.Nonce(r.Context()), c.Code))
			return false
		}
		s.server.Fail(w, r, http.StatusTooManyRequests, crowded)
		return false
	}
	place, err := c.NewPlace(r.Context())
	if err == nil {
		c.voter, err = c.VoterAt(r.Context(), place)
	}
	if err != nil {
		s.failClass(w, r, err)
		return false
	}
	http.SetCookie(w, &http.Cookie{
		Name: placeCookie, Value: place, Path: "/class/" + c.Code, MaxAge: int(keepPlace.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: server.CallerOf(r.Context()).HTTPS,
	})
	return true
}

// crowded tells people why they have to wait; wideText is the teacher's button.
var crowded = fmt.Sprintf("%d people have joined this class from your network; one more can join every %g seconds. "+
	"The teacher can let more in at once with the button “%s”.",
	JoinMost, JoinEvery.Seconds(), wideText)

const wideText = "Let more join from one network"
