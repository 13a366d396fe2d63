package course

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"litmuscope/web/server"
	"litmuscope/web/teaching/course"
)

// wrongEach is the rate, per second, of wrong codes that one address may try after server.WrongMost.
const wrongEach = rate.Limit(.5)

// studentCookie is the name of the cookie with a student's code and, after a dot, the server's signature. The server
// ignores a cookie without a valid signature, so that cookies cannot be used to guess codes.
const studentCookie = "litmuscope_student"

// keepStudent is the lifetime of that cookie: a term and the time until the grades are final.
const keepStudent = 240 * 24 * time.Hour

// student returns the student who sent a request; nil if nobody is logged in.
func (s *page) student(r *http.Request, c *course.Course) (*course.Student, error) {
	cookie, err := r.Cookie(studentCookie)
	if err != nil {
		return nil, nil //nolint:nilerr // there is no cookie
	}
	code, given, _ := strings.Cut(cookie.Value, ".")
	word, err := s.signature(r.Context(), c, code)
	if err != nil || !hmac.Equal([]byte(word), []byte(given)) {
		return nil, err
	}
	return c.Student(code), nil
}

// signature returns the server's signature of a code.
func (s *page) signature(ctx context.Context, c *course.Course, code string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key == nil {
		key, err := s.keeper.VoterKey(ctx)
		if err != nil {
			return "", err
		}
		s.key = key
	}
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte("course " + c.Name + " " + code)) // the prefix separates these signatures from those of classes
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16]), nil
}

// postCode logs a student in with form field code, or logs out without it, and redirects to the sheet in field sheet.
// After too many wrong codes, an address has to wait even with a right one.
func (s *page) postCode(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	c := s.folder.Course()
	cookie := &http.Cookie{
		Name: studentCookie, Path: "/course", MaxAge: -1,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: server.CallerOf(r.Context()).HTTPS,
	}
	if r.PostForm.Has("code") {
		client := server.Client(r.Context())
		if wait := s.wrong.Wait(client, s.server.Clock()); wait > 0 {
			s.server.TurnAway(w, r, http.StatusTooManyRequests, wait,
				"Too many wrong codes came from your network. Wait a few seconds and try again.")
			return
		}
		code := course.PlainCode(r.PostForm.Get("code"))
		if c.Student(code) == nil {
			s.wrong.Take(client, s.server.Clock())
			s.showCourse(w, r, http.StatusForbidden, "This course has no such code. Check the letters.")
			return
		}
		word, err := s.signature(r.Context(), c, code)
		if err != nil {
			s.server.FailOf(w, r, err)
			return
		}
		cookie.Value, cookie.MaxAge = code+"."+word, int(keepStudent.Seconds())
	}
	http.SetCookie(w, cookie)
	to := "/course"
	if a := c.Assignment(r.PostForm.Get("sheet")); a != nil {
		to = address(a)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}
