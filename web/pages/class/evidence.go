package class

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// pictureCache caches the pictures that classes show: hundreds of phones ask for the same picture at the same moment.
type pictureCache struct {
	mu   sync.Mutex
	kept []*cachedPicture // oldest first
}

// cachedPicture is a cached picture. once computes view and err.
type cachedPicture struct {
	key  string
	once sync.Once
	view *picture.View
	err  error
}

// maxCachedPictures is the maximum number of cached pictures, for all classes together.
const maxCachedPictures = 32

// get returns the picture with a key, and adds an empty one if there is none. The oldest picture leaves a full cache.
func (e *pictureCache) get(key string) *cachedPicture {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.kept {
		if x.key == key {
			return x
		}
	}
	x := &cachedPicture{key: key}
	if e.kept = append(e.kept, x); len(e.kept) > maxCachedPictures {
		e.kept = e.kept[1:]
	}
	return x
}

// drop removes a failed picture, so that the next request tries again.
func (e *pictureCache) drop(x *cachedPicture) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, other := range e.kept {
		if other == x {
			e.kept = append(e.kept[:i:i], e.kept[i+1:]...)
			return
		}
	}
}

// shownFirst reports whether a question's picture belongs to the question itself rather than to the answer.
func shownFirst(i *class.Item) bool { return i.Kind == class.Choice || i.Kind == class.Text }

// showing limits the time to make a picture.
const showing = time.Minute

// classEvidence sends the picture for a question and part, query fields "item" and "part". The pictures of answers
// exist only after the teacher has revealed the answer.
func (s *page) classEvidence(w http.ResponseWriter, r *http.Request, c classRequest) {
	n, err1 := strconv.Atoi(r.URL.Query().Get("item"))
	part, err2 := strconv.Atoi(r.URL.Query().Get("part"))
	v := c.View()
	if err1 != nil || err2 != nil || n < 0 || n >= len(v.Items) {
		s.server.Fail(w, r, http.StatusNotFound, "The class has no such question.")
		return
	}
	item := &v.Items[n]
	if v.Progress[n].Phase != class.Revealed && (!shownFirst(item) || v.Progress[n].Phase == class.Waiting) {
		s.server.Fail(w, r, http.StatusForbidden, "The teacher has not revealed the answer yet.")
		return
	}
	var edits class.Ballot
	count := len(item.Parts)
	if item.Kind == class.Edits {
		t := c.Tally(n, v.Progress[n].Round)
		all := shownEdits(item, &t)
		if count = len(all); part >= 0 && part < count {
			edits = all[part]
		}
	}
	if shownFirst(item) {
		count = len(askOf(item).Asks.Models)
	}
	if part < 0 || part >= count {
		s.server.Fail(w, r, http.StatusNotFound, "This answer has no picture.")
		return
	}
	x := s.cache.get(fmt.Sprint(c.Number, " ", n, " ", part, " ", edits))
	x.once.Do(func() {
		// The picture is for all clients, so it continues if this client disconnects.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), showing)
		defer cancel()
		x.view, x.err = s.drawEvidence(ctx, item, part, edits)
	})
	if x.err != nil {
		s.cache.drop(x)
		s.server.FailOf(w, r, x.err)
		return
	}
	if server.IsFragment(r) {
		s.server.Render(w, r, http.StatusOK, picture.Part(*x.view))
		return
	}
	s.server.Render(w, r, http.StatusOK, evidencePage(server.Nonce(r.Context()), c.Code, *x.view))
}

// drawEvidence draws the picture behind the answer to one part of a question.
func (s *page) drawEvidence(
	ctx context.Context, item *class.Item, part int, edits class.Ballot,
) (*picture.View, error) {
	asks := askOf(item)
	q := question.FromLink(asks.Asks)
	p := answer.Pick{State: asks.State, N: 1}
	if edits != nil {
		text, err := s.edited(ctx, asks.Edits, edits)
		if err != nil {
			return nil, err
		}
		q.Source, q.Models, part = text, asks.Edits.Exercise.Columns(), 0
	}
	if part >= len(q.Models) {
		return nil, server.Refuse("This answer has no picture.")
	}
	p.Column = q.Models[part]
	q.Again, q.Options.Witnesses = true, true
	return s.pictures.ViewPicture(ctx, q, p)
}
