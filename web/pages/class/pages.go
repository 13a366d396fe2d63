package class

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/solver/report"
	"litmuscope/store"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// classPages mounts the class pages. A code is enough to join and a secret to teach, without a token: people without
// tokens get these links. If the server requires tokens, opening a class needs one.
func (s *page) classPages(r chi.Router) {
	r.Get("/class", s.getClass)
	r.Get("/class/join", s.joinClass)
	r.Group(func(r chi.Router) {
		r.Use(s.server.Require(store.Submit))
		r.Post("/class/compose", s.composeClass)
		r.Post("/class/open", s.openClass)
		r.Post("/class/deck", s.openDeck)
	})
	r.Route(TeachPath+"{secret}", func(r chi.Router) {
		r.Get("/", s.asTeacher(s.teachPage))
		r.Get("/events", s.asTeacher(s.teacherEvents))
		r.Get("/results.csv", s.asTeacher(s.classResults))
		r.Get("/votes.csv", s.asTeacher(s.classVotes))
		r.Get("/devices.csv", s.asTeacher(s.classDeviceResults))
		r.Post("/compose", s.asTeacher(s.composeMore))
		r.Post("/add", s.asTeacher(s.addToClass))
		r.Get("/deck.md", s.asTeacher(s.saveDeck))
		r.Post("/deck", s.asTeacher(s.addDeck))
		r.Post("/do", s.asTeacher(s.driveClass))
		r.Post("/end", s.asTeacher(s.endClass))
	})
	r.Route("/class/{code}", func(r chi.Router) {
		r.Get("/", s.inClass(s.studentPage))
		r.Post("/vote", s.inClass(s.voteInClass))
		r.Get("/device", s.inClass(s.sendTest))
		r.Post("/report", s.inClass(s.reportRun))
		r.Get("/events", s.inClass(s.studentEvents))
		r.Get("/screen", s.inClass(s.screenPage))
		r.Get("/screen/events", s.inClass(s.screenEvents))
		r.Get("/evidence", s.inClass(s.classEvidence))
	})
}

// classRequest is the class of a request and the role of its client.
type classRequest struct {
	*class.Room
	secret string      // the teacher's secret; "" for other roles
	voter  class.Voter // zero: the client is not a voter
}

type classHandler func(http.ResponseWriter, *http.Request, classRequest)

// asTeacher calls next if the address has the secret of a class; otherwise it answers 403.
func (s *page) asTeacher(next classHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		secret := chi.URLParam(r, "secret")
		room, err := s.hall.BySecret(r.Context(), secret)
		if errors.Is(err, store.ErrNoRoom) {
			s.server.Fail(w, r, http.StatusForbidden, "Only the person who opened a class can run it, with the link "+
				"that "+
				"the server gave them. A class ends one day after its last use.")
			return
		}
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		next(w, r, classRequest{Room: room, secret: secret})
	}
}

// inClass calls next if the address has the code of a class; otherwise it answers.
func (s *page) inClass(next classHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		room := s.findClass(w, r, chi.URLParam(r, "code"))
		if room == nil {
			return
		}
		voter, err := placeOf(r, room)
		if err != nil {
			s.failClass(w, r, err)
			return
		}
		next(w, r, classRequest{Room: room, voter: voter})
	}
}

// findClass returns the class with a code. If there is none, it answers the request and returns nil. An address with
// too many wrong codes must wait before the next wrong one, but a right code always works, since the address may be
// that of a lecture hall.
func (s *page) findClass(w http.ResponseWriter, r *http.Request, text string) *class.Room {
	code := class.ReadCode(text)
	room, err := (*class.Room)(nil), store.ErrNoRoom
	if code != "" {
		room, err = s.hall.ByCode(r.Context(), code)
	}
	switch {
	case errors.Is(err, store.ErrNoRoom):
		if wait := s.wrong.TakeOf(r.Context(), "", s.server.Clock()); wait > 0 {
			s.server.TurnAway(w, r, http.StatusTooManyRequests, wait, "There is no class with this code, and too "+
				"many wrong codes came from your network. The right code still works.")
			return nil
		}
		if server.WantsPage(r) {
			s.server.Render(w, r, http.StatusNotFound, wrongCode(server.Nonce(r.Context()), litmus.Shorten(text)))
			return nil
		}
		s.server.Fail(w, r, http.StatusNotFound,
			"There is no class with this code. Check the letters; the class may also have ended.")
		return nil
	case err != nil:
		s.failClass(w, r, err)
		return nil
	}
	return room
}

// failClass answers the request with an error of a class.
func (s *page) failClass(w http.ResponseWriter, r *http.Request, err error) {
	if s.server.Fault(r.Context(), err).Ours {
		s.server.TurnAway(w, r, http.StatusServiceUnavailable, time.Second,
			"The server could not store this; its log says why.")
		return
	}
	s.server.FailOf(w, r, err)
}

// joinClass redirects to the class whose code was entered.
func (s *page) joinClass(w http.ResponseWriter, r *http.Request) {
	if room := s.findClass(w, r, r.URL.Query().Get("code")); room != nil {
		http.Redirect(w, r, "/class/"+room.Code, http.StatusSeeOther)
	}
}

// isLocal reports whether phones cannot reach a host, because it is a loopback address.
func isLocal(host string) bool {
	name := server.HostName(host)
	a, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && a.IsLoopback()
}

// studentPage is the page where students vote. It gives a new student a place in the class.
func (s *page) studentPage(w http.ResponseWriter, r *http.Request, c classRequest) {
	if c.voter == (class.Voter{}) && !s.givePlace(w, r, &c) {
		return
	}
	if err := c.Join(r.Context(), c.voter); err != nil {
		s.failClass(w, r, err)
		return
	}
	s.server.Render(w, r, http.StatusOK, classPage(server.Nonce(r.Context()), s.viewClass(r, c, asStudent)))
}

func (s *page) screenPage(w http.ResponseWriter, r *http.Request, c classRequest) {
	c.voter = class.Voter{} // a screen has no voter
	s.server.Render(w, r, http.StatusOK, classPage(server.Nonce(r.Context()), s.viewClass(r, c, asScreen)))
}

func (s *page) teachPage(w http.ResponseWriter, r *http.Request, c classRequest) {
	v := s.viewClass(r, c, asTeacherRole)
	v.Lessons = s.teachable()
	s.server.Render(w, r, http.StatusOK, classPage(server.Nonce(r.Context()), v))
}

// cast is the JSON answer to a vote.
type cast struct {
	Item   int    `json:"item"`
	Round  int    `json:"round"`
	Ballot string `json:"ballot"`
	Text   string `json:"text,omitempty"` // the written answer, instead of a ballot
	Made   int64  `json:"made"`
	// Tried is the result for the edits in this request, which need not be the edits that count.
	Tried *triedView `json:"tried,omitempty"`
}

const noCookie = "Your browser did not send the cookie that voting needs. Allow cookies and open the class page again."

// voteInClass stores a vote. The form has "item", "round", and one of: "ballot" (a whole ballot) with "made", its time;
// "text" (a written answer) with "made"; without scripts, "set" (PART:CHOICE) or, for edits, "place-N" with the choice
// for each place.
func (s *page) voteInClass(w http.ResponseWriter, r *http.Request, c classRequest) {
	if !s.server.ParseForm(w, r) {
		return
	}
	if c.voter == (class.Voter{}) {
		s.server.Fail(w, r, http.StatusForbidden, noCookie)
		return
	}
	f := r.PostForm
	item, err1 := strconv.Atoi(f.Get("item"))
	round, err2 := strconv.Atoi(f.Get("round"))
	var made int64
	var err3 error
	if text := f.Get("made"); text != "" {
		made, err3 = strconv.ParseInt(text, 10, 64)
	}
	if err := errors.Join(err1, err2, err3); err != nil || made < 0 {
		s.failClass(w, r, class.ErrBallot)
		return
	}
	out := cast{Item: item, Round: round}
	var v class.Vote
	var err error
	if f.Has("text") {
		v, err = c.Write(r.Context(), c.voter, item, round, f.Get("text"), made)
	} else {
		v, err = s.choose(r, c, &out, made)
	}
	switch {
	case errors.Is(err, errJudging):
		s.server.TurnAway(w, r, http.StatusTooManyRequests, time.Second, err.Error())
		return
	case err != nil:
		s.failClass(w, r, err)
		return
	}
	if !server.IsFragment(r) {
		http.Redirect(w, r, "/class/"+c.Code, http.StatusSeeOther)
		return
	}
	out.Ballot, out.Text, out.Made = v.Ballot.String(), v.Text, v.Made
	s.server.WriteJSON(w, out)
}

// choose stores the ballot in a request's form. It checks edits first.
func (s *page) choose(r *http.Request, c classRequest, out *cast, made int64) (class.Vote, error) {
	b, err := readBallot(r.PostForm, c, out.Item, out.Round)
	if err != nil {
		return class.Vote{}, class.ErrBallot
	}
	return c.Try(r.Context(), c.voter, out.Item, out.Round, b, made, func(i *class.Item) error {
		if i.Kind != class.Edits {
			return nil
		}
		j, err := s.attempt(r.Context(), c, out.Item, i, b)
		out.Tried = viewTried(i, b, j)
		return err
	})
}

// readBallot reads a ballot from a form. Fields that are absent keep the choices of the voter's last ballot.
func readBallot(f map[string][]string, c classRequest, item, round int) (class.Ballot, error) {
	if text := f["ballot"]; len(text) > 0 {
		return class.ParseBallot(text[0])
	}
	items := c.View().Items
	if item < 0 || item >= len(items) {
		return nil, class.ErrBallot
	}
	b := slices.Repeat(class.Ballot{class.None}, len(items[item].Parts))
	if last, voted := c.Mine(c.voter, item, round); voted {
		copy(b, last.Ballot)
	}
	put := func(part int, choice string) error {
		n, err := strconv.ParseInt(choice, 10, 8)
		if err != nil || part < 0 || part >= len(b) {
			return class.ErrBallot
		}
		b[part] = int8(n)
		return nil
	}
	if set := f["set"]; len(set) > 0 {
		text, choice, _ := strings.Cut(set[0], ":")
		part, err := strconv.Atoi(text)
		return b, errors.Join(err, put(part, choice))
	}
	for part := range b {
		if chosen := f[fmt.Sprint("place-", part)]; len(chosen) > 0 {
			if err := put(part, chosen[0]); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// driveClass runs a teacher's action: form field "do" has a verb, optionally with a number or a written answer after a
// colon: "goto:3", "hide:A fence".
func (s *page) driveClass(w http.ResponseWriter, r *http.Request, c classRequest) {
	if !s.server.ParseForm(w, r) {
		return
	}
	verb, what, has := strings.Cut(r.PostForm.Get("do"), ":")
	a := class.Action{Do: class.Verb(verb), Text: what}
	var err error
	if has && a.Do != class.Hide && a.Do != class.Unhide {
		if a.N, err = strconv.Atoi(what); err != nil {
			s.server.Fail(w, r, http.StatusUnprocessableEntity, "do: want a number after the colon.")
			return
		}
	}
	if a.Do == class.Reveal {
		err = s.judgeClass(r.Context(), c)
	}
	switch {
	case err != nil:
	case a.Do == class.Devices && a.N != 0:
		err = s.askDevices(r.Context(), c)
	default:
		err = c.Do(r.Context(), a)
	}
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	if server.IsFragment(r) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	http.Redirect(w, r, TeachPath+c.secret, http.StatusSeeOther)
}

// maxUnjudged is the maximum number of unchecked edits that the engine checks when the answer is revealed.
const maxUnjudged = 60

// judgeClass checks the edits that voters chose and that have no result yet, before the teacher reveals the answer. It
// checks the most frequent ones first, up to maxUnjudged.
func (s *page) judgeClass(ctx context.Context, c classRequest) error {
	v := c.View()
	item, p := v.Item()
	if item == nil || item.Kind != class.Edits {
		return nil
	}
	asked := 0
	for round := p.Round; round > 0; round-- {
		t := c.Tally(v.Current, round)
		for _, e := range item.Edits(&t) {
			if _, known := c.Judged(v.Current, e.Ballot); known || asked == maxUnjudged {
				continue
			}
			asked++
			if _, err := s.judged(ctx, c, v.Current, item, e.Ballot); err != nil &&
				(ctx.Err() != nil || s.server.Ours(err)) {
				return err
			}
		}
	}
	return nil
}

func (s *page) endClass(w http.ResponseWriter, r *http.Request, c classRequest) {
	if err := c.End(r.Context()); err != nil {
		s.failClass(w, r, err)
		return
	}
	http.Redirect(w, r, "/class", http.StatusSeeOther)
}

func (s *page) classResults(w http.ResponseWriter, r *http.Request, c classRequest) {
	s.classCSV(w, r, c, "results", c.Results)
}

func (s *page) classVotes(w http.ResponseWriter, r *http.Request, c classRequest) {
	s.classCSV(w, r, c, "votes", c.AllVotes)
}

// classCSV sends a table as a CSV file. Spreadsheets must not run text of voters as formulas.
func (s *page) classCSV(
	w http.ResponseWriter, r *http.Request, c classRequest, what string, table func() ([][]string, error),
) {
	rows, err := table()
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	format, _ := report.Find("csv")
	w.Header().Set("Content-Type", format.Media)
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="class-%s-%s.csv"`, c.Code, what))
	w.Header().Set("Cache-Control", "no-store")
	for _, row := range rows {
		report.NoFormulas(row)
	}
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		s.server.Log.DebugContext(r.Context(), "class results", "error", err) // the client has gone
	}
}

// openClass opens a class with the questions of a form; see itemsFromForm.
func (s *page) openClass(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	items, err := s.itemsFromForm(r.Context(), r.PostForm)
	s.openItems(w, r, items, err)
}

// openItems opens a class with questions and redirects to it, or answers with err.
func (s *page) openItems(w http.ResponseWriter, r *http.Request, items []class.Item, err error) {
	var secret string
	if err == nil {
		if wait := s.opening.TakeOf(r.Context(), "", s.server.Clock()); wait > 0 {
			s.server.TurnAway(w, r, http.StatusTooManyRequests, wait,
				"Too many classes were opened from your network. Try again later.")
			return
		}
		_, secret, err = s.hall.Open(r.Context(), server.Client(r.Context()), items)
	}
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	http.Redirect(w, r, TeachPath+secret, http.StatusSeeOther)
}

func (s *page) addToClass(w http.ResponseWriter, r *http.Request, c classRequest) {
	if !s.server.ParseForm(w, r) {
		return
	}
	items, err := s.itemsFromForm(r.Context(), r.PostForm)
	s.addItems(w, r, c, items, err)
}

// addItems adds questions to a class, or answers with err.
func (s *page) addItems(w http.ResponseWriter, r *http.Request, c classRequest, items []class.Item, err error) {
	if err == nil {
		err = c.Add(r.Context(), items)
	}
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	http.Redirect(w, r, TeachPath+c.secret, http.StatusSeeOther)
}

func (s *page) composeClass(w http.ResponseWriter, r *http.Request) { s.compose(w, r, "/class/open") }

func (s *page) composeMore(w http.ResponseWriter, r *http.Request, c classRequest) {
	s.compose(w, r, TeachPath+c.secret+"/add")
}

// compose shows the page where the teacher chooses what to ask about a test: the text in "source", or the classic test
// named by "test".
func (s *page) compose(w http.ResponseWriter, r *http.Request, action string) {
	if !s.server.ParseForm(w, r) {
		return
	}
	f := r.PostForm
	if strings.TrimSpace(f.Get("source")) == "" {
		r.URL.RawQuery = "test=" + url.QueryEscape(f.Get("test"))
		e, ok := classic.Chosen(s.server, w, r, classic.First)
		if !ok {
			return
		}
		f.Set("source", e.Source)
		f.Set("arch", dialect.Tongue(e.Source))
		if len(f["model"]) == 0 {
			f["model"] = question.FirstModelsOf(e)
		}
	}
	q, err := question.FromForm(f)
	var a *question.Answers
	if err == nil {
		a, err = s.questions.Explore(r.Context(), q)
	}
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	q.Source = a.Source
	q.Models = nil
	for _, c := range a.Columns {
		q.Models = append(q.Models, c.String())
	}
	s.server.Render(w, r, http.StatusOK, composePage(server.Nonce(r.Context()), viewCompose(q, a, action)))
}
