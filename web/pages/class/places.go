package class

import (
	"fmt"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// wrongEach is how many wrong codes a second one address may try, beyond server.WrongMost.
const wrongEach = rate.Limit(.5)

// placeCookie keeps a place in a class, which keeps who votes there apart from all others, and says nothing else. Each
// class has one of its own.
const placeCookie = "litmuscope_voter"

// keepPlace is for how long a browser keeps one.
const keepPlace = 7 * 24 * time.Hour

// placeOf is the voter whose place a request comes from; zero where that is none that the server has given in this
// class.
func placeOf(r *http.Request, room *class.Room) (class.Voter, error) {
	cookie, err := r.Cookie(placeCookie)
	if err != nil {
		return class.Voter{}, nil //nolint:nilerr // there is none
	}
	return room.VoterAt(r.Context(), cookie.Value)
}

// givePlace gives a browser a place in a class; false, and it has answered, where it has to wait for one.
func (s *page) givePlace(w http.ResponseWriter, r *http.Request, c *theClass) bool {
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

// crowded says why an address has to wait, wideText what a teacher does about it.
var crowded = fmt.Sprintf("%d people have joined this class from your network; one more can join every %g seconds. "+
	"The teacher can let more in at once with the button “%s”.",
	JoinMost, JoinEvery.Seconds(), wideText)

const wideText = "Let more join from one network"
