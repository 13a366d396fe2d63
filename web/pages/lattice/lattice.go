package lattice

import (
	"cmp"
	"net/http"
	"net/url"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/models/published"
	"litmuscope/solver"
	"litmuscope/solver/synth/distinguish"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// usualArch is the architecture on which the page opens.
const usualArch = "AArch64"

// getLattice shows the stored order of an architecture's models.
func (s *page) getLattice(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query().Get("arch")
	arch := cmp.Or(asked, usualArch)
	l := distinguish.LatticeOf(arch)
	if l == nil {
		s.server.FailOf(w, r, server.Refuse("No order of models is available for tests in %q.", litmus.Shorten(arch)))
		return
	}
	v, err := viewLattice(l, nil, "")
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	v.Usual = asked == ""
	s.server.Render(w, r, http.StatusOK, latticePage(server.Nonce(r.Context()), v))
}

// addressOfOwn returns the address of an order with the visitor's models.
func addressOfOwn(arch string, own []solver.OwnModel) server.Address {
	f := url.Values{"arch": {arch}}
	for _, o := range own {
		formfields.AddOwn(f, o)
	}
	return server.AddressOf("/lattice/own", f)
}

// postLattice computes the order with the visitor's models.
func (s *page) postLattice(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	own, err := question.OwnFromForm(r.PostForm)
	if err == nil && len(own) == 0 {
		err = server.Refuse("Enter a model to place in the order.")
	}
	arch := cmp.Or(r.PostForm.Get("arch"), usualArch)
	q := &surveyParams{Own: own, Arch: arch, Size: usualSize, Most: 1, Options: solver.DefaultOptions()}
	q.Models = models.For(arch)
	for _, v := range published.Of(arch) {
		q.Models = append(q.Models, v.Name)
	}
	for _, o := range own {
		q.Models = append(q.Models, o.Name)
	}
	var survey distinguish.Survey
	if err == nil {
		survey, err = s.survey(r.Context(), q)
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	ctx, over, err := question.InTurn(r.Context(), s.turns)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	defer over()
	l, broken := survey.Lattice(ctx, func() {})
	v, err := viewLattice(l, own, s.ended(ctx, broken))
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	v.Address = addressOfOwn(arch, own)
	s.server.Render(w, r, http.StatusOK, latticePage(server.Nonce(r.Context()), v))
}
