package modelcompare

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/compare"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
)

// pageView is the content of the page; News yields the results while the page is sent.
type pageView struct {
	*modelPair
	MineLabel, AgainstLabel string
	Tests                   int
	Fields                  []formfields.OwnView
	Changed                 []optionform.Setting
	BuiltIn                 []string // the models to choose from
	Tongues                 []string
	News                    iter.Seq[progress]
}

// progress is the state after one more test.
type progress struct {
	Found     *foundView // nil: no difference
	Undecided string     // why the test does not count; "": it counts
	Name      string
	Asked     int
	Last      bool
	Tally     tally
}

// tally counts the tests on which the visitor's model allows more than the other, fewer, or neither (Other), and the
// tests without an answer.
type tally struct{ Weaker, Stronger, Other, Undecided int }

func (t tally) differ() int { return t.Weaker + t.Stronger + t.Other }

// foundView is a test on which the two models differ.
type foundView struct {
	Name, Note, URL string
	Size            string
	Verdicts        [2]verdictView
	Only            [2][]string // outcomes that only one model allows
}

type verdictView struct {
	Label   string
	Verdict solver.Verdict
}

// view returns the page's content. Reading its News runs the tests.
func (m *modelPair) view(play iter.Seq[testPair]) pageView {
	tests := len(classic.InTongue(m.Tongue))
	v := pageView{
		modelPair: m, MineLabel: question.Label(m.Mine), AgainstLabel: question.Label(m.Against), Tests: tests,
		Fields: formfields.ViewOwn(m.Own), Changed: optionform.Changed(m.Options),
		BuiltIn: models.Arranged(models.For(m.Tongue), m.Tongue),
		Tongues: tongues(),
	}
	v.News = func(yield func(progress) bool) {
		n := progress{}
		for b := range play {
			n.Asked++
			n.Last = n.Asked == tests
			n.Name, n.Found, n.Undecided = b.Name, nil, b.problem()
			switch {
			case n.Undecided != "":
				n.Tally.Undecided++
			case b.different():
				n.Found = m.viewFound(&b)
				n.Tally.add(n.Found.Only, whole(b.results[0]) && whole(b.results[1]))
			}
			if !yield(n) {
				return
			}
		}
	}
	return v
}

// tongues returns the dialects that have classic tests.
func tongues() []string {
	return slices.DeleteFunc(dialect.Tongues(), func(t string) bool { return len(classic.InTongue(t)) == 0 })
}

func (t *tally) add(only [2][]string, whole bool) {
	switch more, less := len(only[0]) > 0, len(only[1]) > 0; {
	case whole && more && !less:
		t.Weaker++
	case whole && less && !more:
		t.Stronger++
	default:
		t.Other++
	}
}

// viewFound arranges a test on which the models differ.
func (m *modelPair) viewFound(b *testPair) *foundView {
	v := &foundView{
		Name: b.Name, Note: b.Note, URL: m.link(b),
		Size: fmt.Sprintf("%d accesses, %d threads", b.Accesses, b.Threads),
	}
	for i, r := range b.results {
		v.Verdicts[i] = verdictView{question.Label(r.Model), r.Verdict}
	}
	for _, d := range b.differences {
		side := map[compare.Kind]int{compare.StatesA: 0, compare.StatesB: 1}[d.Kind]
		for _, s := range d.States {
			v.Only[side] = append(v.Only[side], answer.StateText(s.State))
		}
	}
	return v
}

// conclusion says in a sentence what the tests have shown.
func (v *pageView) conclusion(t tally) string {
	if t.Undecided == v.Tests {
		return "No test has an answer under both models."
	}
	of := fmt.Sprintf("%d of %d tests differ.", t.differ(), v.Tests)
	if t.differ() == 1 {
		of = fmt.Sprintf("1 of %d tests differs.", v.Tests)
	}
	switch {
	case t.differ() == 0:
		return fmt.Sprintf("No difference in %d tests.", v.Tests-t.Undecided)
	case t.Stronger == 0 && t.Other == 0:
		return of +
			fmt.Sprintf(" In these tests %s is weaker: it allows everything that %s allows, and more.", v.MineLabel,
				v.AgainstLabel)
	case t.Weaker == 0 && t.Other == 0:
		return of +
			fmt.Sprintf(" In these tests %s is stronger: it allows nothing that %s forbids.", v.MineLabel,
				v.AgainstLabel)
	}
	return of + fmt.Sprintf(" %s allows more outcomes in %d of them and fewer in %d.", v.MineLabel, t.Weaker,
		t.Stronger)
}

// linkView is the view of an answer as links store it; see viewOf in address.js.
type linkView struct {
	Pick   linkPick `json:"pick"`
	Beside string   `json:"beside"`
}

type linkPick struct {
	Column string `json:"column"`
	State  string `json:"state"`
}

func viewJSON(v linkView) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("BUG: cannot write a view as JSON: " + err.Error())
	}
	return text
}

// mostOnly is the maximum number of outcomes that the page lists for a test and a model.
const mostOnly = 4
