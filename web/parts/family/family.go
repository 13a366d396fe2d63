// Package family generates the tests of all critical cycles over some relaxations while a client reads them. A [Maker]
// limits how many families are made at once; a child process has read the relaxations of a [Family], so that the server
// only combines them.
//
// It imports litmus/cycle, litmus/suite, web/drawing/cyclediagram, web/parts/question and web/server: no page.
package family

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strconv"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/suite"
	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// Maker makes families, a few at once.
type Maker struct {
	Server    *server.Server
	Questions *question.Service
	Families  *server.Turns // to have one made
	making    *server.Turns // to make the next test of one
}

// New makes a Maker.
func New(a *question.Service) *Maker {
	const busy = "The server is generating other families. Try again soon."
	return &Maker{
		Server:    a.Server,
		Questions: a,
		Families:  server.NewTurns(familiesMost, familiesEach, server.FamilyWait, busy),
		making:    server.NewTurns(familyMaking, 0, server.FamilyWait, busy),
	}
}

// familyMaking is how many tests are made at once: other processors are left for people.
const familyMaking = 1

// Sizes are ?from= and ?to=, of cycles in accesses.
func Sizes(q url.Values) (least, most int, err error) {
	least, most = 4, 4
	for _, of := range []struct {
		name string
		to   *int
	}{{"from", &least}, {"to", &most}} {
		if text := q.Get(of.name); text != "" {
			if *of.to, err = strconv.Atoi(text); err != nil {
				return 4, 4, server.Refuse("Sizes are whole numbers from 2 to %d, not %q.", cyclediagram.MaxSize,
					litmus.Shorten(text))
			}
		}
	}
	return least, most, nil
}

// Family is a family of tests that is made while it is read. Its relaxations have
// been read by a child; what is left is to put them in rows, which ctx ends.
type Family struct {
	Ctx      context.Context
	Arch     string
	list     [][]cycle.Edge
	min, max int
	most     int // tests
	making   *server.Turns
	Err      error
}

// Read reads what a family is made of.
func (s *Maker) Read(ctx context.Context, arch, list string, least, most int) (*Family, error) {
	read, err := s.Questions.ReadCycle(ctx,
		cyclediagram.Request{Arch: arch, Family: &cyclediagram.Family{Relaxations: list, Min: least, Max: most}})
	if err != nil {
		return nil, err
	}
	if read.Errors != nil {
		return nil, &badRelaxations{read.Errors}
	}
	return &Family{
		Ctx: ctx, Arch: arch, list: read.Relaxations, min: least, max: most, most: s.Server.Limits.Tests,
		making: s.making,
	}, nil
}

// badRelaxations is a cycle, or a list of relaxations, that cannot be read.
type badRelaxations struct{ errs litmus.ErrorList }

func (b *badRelaxations) Error() string { return b.errs.Error() }

// Say implements [server.Mendable].
func (b *badRelaxations) Say() server.Said {
	out := server.Say("the relaxations have errors: %v", b.errs[0])
	out.View.Text, out.Details = b.errs[0].Msg, server.DetailsOf("body.family.relaxations", b.errs)
	return out
}

// errTooMany ends a family that has more tests than one may ask for.
var errTooMany = errors.New("too many tests")

// errStopped is a reader's that wants no more.
var errStopped = errors.New("stopped")

// Tests makes them. Why they end early, if they do, says err.
func (f *Family) Tests() iter.Seq[Test] {
	return func(yield func(Test) bool) {
		ctx, cancel := context.WithTimeout(f.Ctx, familyTime)
		defer cancel()
		var over func()
		if over, f.Err = f.making.Take(ctx); f.Err != nil {
			return
		}
		defer func() {
			if over != nil {
				over()
			}
		}()
		names, n := cycle.Names{}, 0
		f.Err = cycle.Family(ctx, f.list, f.min, f.max, func(c cycle.Cycle) error {
			if n++; n > f.most {
				return errTooMany
			}
			name := names.Of(c)
			source, err := cycle.Generate(f.Arch, c, name)
			if err != nil {
				source = ""
			}
			over() // while it is on its way to its reader
			over = nil
			if !yield(Test{name, c.String(), source, err}) {
				return errStopped
			}
			over, err = f.making.Take(ctx)
			return err
		})
		if errors.Is(f.Err, errStopped) {
			f.Err = nil
		}
	}
}

// Test is a test of a family; err says why it has no source.
type Test struct {
	Name, Cycle, Source string
	Err                 error
}

// Entries are the tests as those of a suite.
func (f *Family) Entries(yield func(suite.Entry) bool) {
	for t := range f.Tests() {
		if !yield(suite.Entry{Path: t.Name + ".litmus", Source: t.Source, Err: t.Err}) {
			return
		}
	}
}

// Problem says why a family ended before its end, nil where it did not.
func (f *Family) Problem() error {
	switch {
	case f.Err == nil:
		return nil
	case errors.Is(f.Err, errTooMany):
		return server.Refuse("The family has more than %s tests: use fewer relaxations or smaller cycles.",
			server.Thousands(f.most))
	case f.Ctx.Err() != nil:
		return f.Ctx.Err()
	case errors.Is(f.Err, context.DeadlineExceeded):
		return server.Refuse("Generating the family takes longer than %v: use fewer relaxations or smaller cycles.",
			familyTime)
	}
	return f.Err
}

// Span words sizes.
func Span(least, most int) string {
	if least == most {
		return fmt.Sprintf("%d accesses", least)
	}
	return fmt.Sprintf("%d to %d accesses", least, most)
}
