package course

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/store"
	"litmuscope/web/parts/judge"
	"litmuscope/web/server"
	"litmuscope/web/teaching/course"
	"litmuscope/web/teaching/lesson"
)

// loginView is the form where a student logs in, or the student's name.
type loginView struct {
	Name    string // the student's name; "": not logged in
	Nobody  bool   // the course has no students
	Problem string // an error with the code
	Sheet   string // the sheet to return to
}

// courseView is the page of all weeks.
type courseView struct {
	*course.Course
	Login loginView
	Weeks []weekView
	Got   course.Points
	Of    int
}

type weekView struct {
	*course.Week
	Now         bool // it is the current week
	Assignments []assignmentView
}

type assignmentView struct {
	*course.Assignment
	Due    string
	Over   bool   // the due date has passed
	Result string // the student's results in words; "": not logged in
	Done   bool   // the student has all points
}

// sheetView is the page of a sheet.
type sheetView struct {
	*course.Assignment
	Course *course.Course
	Login  loginView
	Terms  []string // due date and points, on time and late
	Blocks []templ.Component
}

// resultsView is the student's results for an exercise.
type resultsView struct {
	Mark  course.Mark
	Said  string // about the submission of this request
	Kept  bool   // submissions are stored: the client is a student
	Tries []tryView
}

type tryView struct {
	At, Verdict string
	Late        bool
	Counts      bool
}

func address(a *course.Assignment) string { return "/course/" + a.Slug }

// clock formats a time in the course's time zone.
func clock(c *course.Course, t time.Time) string {
	return t.In(c.Zone).Format("Monday 2 January 2006, 15:04 MST")
}

// submissions has a student's submissions by sheet and exercise, oldest first.
type submissions map[[2]string][]store.Try

func (h submissions) add(t store.Try) {
	at := [2]string{t.Sheet, t.Exercise}
	h[at] = append(h[at], t)
}

// of returns the submissions for an exercise.
func (h submissions) of(a *course.Assignment, x *lesson.Exercise) []store.Try {
	return h[[2]string{a.Slug, x.ID}]
}

// mark returns the mark for the submissions to exercise i.
func (h submissions) mark(a *course.Assignment, i int) course.Mark {
	return a.Mark(i, tries(h.of(a, a.Exercises[i])))
}

// submissionsOf returns a student's submissions; nil if student is nil.
func (s *page) submissionsOf(ctx context.Context, c *course.Course, student *course.Student) (submissions, error) {
	if student == nil {
		return nil, nil
	}
	list, err := s.keeper.Tries(ctx, c.Name, student.Name)
	h := submissions{}
	for _, t := range list {
		h.add(t)
	}
	return h, err
}

func (s *page) getCourse(w http.ResponseWriter, r *http.Request) {
	s.showCourse(w, r, http.StatusOK, "")
}

// showCourse answers with the page of all weeks. problem is an error with the student's code.
func (s *page) showCourse(w http.ResponseWriter, r *http.Request, status int, problem string) {
	c := s.folder.Course()
	student, err := s.student(r, c)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	h, err := s.submissionsOf(r.Context(), c, student)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	now := s.server.Clock()
	v := courseView{Course: c, Login: loginOf(c, student)}
	v.Login.Problem = problem
	for i, week := range c.Weeks {
		w := weekView{Week: week, Now: !now.Before(week.Begins) &&
			(i+1 == len(c.Weeks) || now.Before(c.Weeks[i+1].Begins))}
		if i+1 == len(c.Weeks) {
			w.Now = w.Now && now.Before(week.Begins.AddDate(0, 0, 7))
		}
		for _, a := range week.Assignments {
			one := assignmentView{Assignment: a, Due: clock(c, a.Due), Over: now.After(a.Due)}
			if student != nil {
				var got course.Points
				got, one.Result = resultOf(h, a)
				one.Done = int(got) == 100*a.Of()
				v.Got += got
			}
			v.Of += a.Of()
			w.Assignments = append(w.Assignments, one)
		}
		v.Weeks = append(v.Weeks, w)
	}
	s.server.Render(w, r, status, coursePage(server.Nonce(r.Context()), v))
}

func loginOf(c *course.Course, student *course.Student) loginView {
	v := loginView{Nobody: len(c.Students) == 0}
	if student != nil {
		v.Name = student.Name
	}
	return v
}

// resultOf returns a student's points for an assignment, and the results in words.
func resultOf(h submissions, a *course.Assignment) (got course.Points, words string) {
	tries, late, unjudged := 0, false, 0
	for i := range a.Exercises {
		m := h.mark(a, i)
		got, tries, late, unjudged = got+m.Points, tries+m.Tries, late || m.Late, unjudged+m.Unjudged
	}
	switch {
	case tries == 0:
		return 0, "nothing submitted"
	case unjudged > 0:
		words = ", some not checked yet"
	case late:
		words = ", late"
	}
	return got, fmt.Sprintf("%s of %s%s", got, points(a.Of()), words)
}

// points formats a number of points.
func points(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}

// tries converts submissions from the store for computing a mark.
func tries(list []store.Try) (out []course.Try) {
	for _, t := range list {
		out = append(out, course.Try{At: t.At, Verdict: verdictOf(t)})
	}
	return out
}

func verdictOf(t store.Try) course.Verdict {
	switch {
	case !t.Judged:
		return course.Unjudged
	case t.Met:
		return course.Met
	}
	return course.Missed
}

// terms returns an assignment's due date and rules, one sentence each.
func terms(c *course.Course, a *course.Assignment) []string {
	out := []string{fmt.Sprintf("Due %s, for %s.", clock(c, a.Due), points(a.Of()))}
	if a.Days > 0 {
		out = append(out,
			fmt.Sprintf("Late work counts %[2]d %% until %[1]s, and nothing after that.", clock(c, a.Closes()),
				a.Percent))
	} else {
		out = append(out, "Late work is stored but gets no points.")
	}
	if a.Last {
		return append(out, "Your last submission for each exercise counts.")
	}
	return append(out, "Your best submission for each exercise counts.")
}

func (s *page) getSheet(w http.ResponseWriter, r *http.Request) {
	if slug := chi.URLParam(r, "slug"); lesson.IsImage(slug) {
		body, kind, err := s.folder.Image(slug)
		s.server.SendImage(w, r, body, kind, err)
		return
	}
	s.showSheet(w, r, http.StatusOK, "", "", nil)
}

// found returns the course, the assignment in the address, and the student, nil if nobody is logged in. If there is no
// such assignment, it answers the request and returns ok false.
func (s *page) found(
	w http.ResponseWriter, r *http.Request,
) (c *course.Course, a *course.Assignment, student *course.Student, ok bool) {
	c = s.folder.Course()
	if a = c.Assignment(chi.URLParam(r, "slug")); a == nil {
		s.server.Fail(w, r, http.StatusNotFound, "The course has no exercise sheet at this address.")
		return nil, nil, nil, false
	}
	student, err := s.student(r, c)
	if err != nil {
		s.server.FailOf(w, r, err)
		return nil, nil, nil, false
	}
	return c, a, student, true
}

// showSheet answers with the page of a sheet. For the exercise with the ID exercise, it shows text and result instead
// of the student's last submission.
func (s *page) showSheet(
	w http.ResponseWriter, r *http.Request, status int, exercise, text string, result templ.Component,
) {
	c, a, student, ok := s.found(w, r)
	if !ok {
		return
	}
	h, err := s.submissionsOf(r.Context(), c, student)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	v := sheetView{Assignment: a, Course: c, Login: loginOf(c, student), Terms: terms(c, a)}
	v.Login.Sheet = a.Slug
	button := "Submit"
	if student == nil {
		button = "Check"
	}
	v.Blocks = s.reading.Blocks(r, a.Entry, address(a), button,
		func(x *lesson.Exercise) (string, bool, templ.Component) {
			if x.ID == exercise {
				return text, a.Open(s.server.Clock()), result
			}
			last := ""
			if list := h.of(a, x); len(list) > 0 {
				last = list[len(list)-1].Text
			}
			return last, a.Open(s.server.Clock()), results(viewResults(c, a, x, h, student != nil))
		})
	s.server.Render(w, r, status, sheetPage(server.Nonce(r.Context()), v))
}

// viewResults returns the submissions to an exercise and their mark.
func viewResults(c *course.Course, a *course.Assignment, x *lesson.Exercise, h submissions, kept bool) resultsView {
	i := indexOf(a, x)
	v := resultsView{Mark: h.mark(a, i), Kept: kept}
	for n, t := range h.of(a, x) {
		words := map[course.Verdict]string{
			course.Unjudged: "not checked yet", course.Missed: "not solved",
			course.Met: "done",
		}
		v.Tries = append(v.Tries,
			tryView{
				At: clock(c, t.At), Verdict: words[verdictOf(t)], Late: t.At.After(a.Due),
				Counts: n == v.Mark.Counts,
			})
	}
	return v
}

func indexOf(a *course.Assignment, x *lesson.Exercise) int {
	for i, other := range a.Exercises {
		if other.ID == x.ID {
			return i
		}
	}
	panic("BUG: no sheet contains exercise " + x.ID)
}

// postTry checks an answer to an exercise, form fields exercise and text. It stores a student's answer first. Scripts
// get the result, browsers without scripts the whole page.
func (s *page) postTry(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	c, a, student, ok := s.found(w, r)
	if !ok {
		return
	}
	x, ok := a.Find(r.PostForm.Get("exercise")).(*lesson.Exercise)
	if !ok {
		s.server.Fail(w, r, http.StatusNotFound,
			"The sheet has no such exercise. It may have changed: reload the page.")
		return
	}
	text := server.UnixLines(r.PostForm.Get("text"))
	try := store.Try{Course: c.Name, Sheet: a.Slug, Exercise: x.ID, At: s.server.Clock(), Text: text}
	if student != nil {
		try.Student = student.Name
		if err := s.keeper.HandIn(r.Context(), &try); err != nil {
			s.server.FailOf(w, r, err)
			return
		}
	}
	verdict, err := judge.Judge(r.Context(), s.questions, x, text)
	status, judged := http.StatusOK, err == nil && (verdict.Met || !undecided(verdict))
	var problem templ.Component
	if err != nil {
		if status, problem = s.server.ErrorPart(w, r, err); problem == nil {
			return // the stored answer is checked when the student submits it again
		}
		judged = status == http.StatusUnprocessableEntity // the text itself is wrong
	}
	if student != nil && judged {
		// Store the result even if the student has closed the page.
		if err := s.keeper.JudgeTry(context.WithoutCancel(r.Context()), try.Number, verdict != nil &&
			verdict.Met); err != nil {
			s.server.FailOf(w, r, err)
			return
		}
	}
	h, err := s.submissionsOf(r.Context(), c, student)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	v := viewResults(c, a, x, h, student != nil)
	v.Said = said(c, a, try, student != nil, judged)
	result := templ.Join(s.reading.Verdict(x, verdict, problem), results(v))
	if server.IsFragment(r) {
		s.server.Render(w, r, status, result)
		return
	}
	s.showSheet(w, r, status, x.ID, text, result)
}

// undecided reports whether an engine has not decided a goal.
func undecided(v *judge.Verdict) bool {
	for _, g := range v.Goals {
		if g.Undecided {
			return true
		}
	}
	return false
}

// said describes what happened to a submission.
func said(c *course.Course, a *course.Assignment, t store.Try, kept, judged bool) string {
	late := ""
	if t.At.After(a.Due) {
		late = ", late"
	}
	switch {
	case !kept && len(c.Students) == 0:
		return "This course does not store submissions."
	case !kept:
		return "Not submitted. To submit, enter your code at the top of the page."
	case !judged:
		return fmt.Sprintf("Submitted on %s%s and stored, but the server could not check it. Submit the same answer "+
			"again "+
			"later; the time of this submission counts.", clock(c, t.At), late)
	}
	return fmt.Sprintf("Submitted on %s%s.", clock(c, t.At), late)
}
