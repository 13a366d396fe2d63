package class

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"rsc.io/qr"

	"litmuscope/litmus/change"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/lesson"
)

// classRole is what somebody is in a class.
type classRole string

const (
	asStudent     classRole = "student"
	asTeacherRole classRole = "teacher"
	asScreen      classRole = "screen"
)

// classView is a class as somebody sees it at a moment. It has nothing that they are not to
// see yet: of what is right, nothing before it is revealed.
type classView struct {
	Role     classRole
	Code     string
	Base     string // the address's path
	Address  string // where students go, in full
	Local    bool   // … which is this machine's own
	QR       qrView
	Over     bool
	Live     bool
	Wide     bool
	Crowded  bool // somebody has to wait to join
	Version  int
	Votes    int // in the round at hand
	Solved   int // … of edits, how many of them do what is asked for
	Present  int
	Step     int
	N        int // of the item, from 0
	Of       int
	Item     *class.Item // nil: there is none yet
	Phase    class.Phase
	Round    int
	Left     time.Duration // until the vote ends by itself; 0: it does not
	Revealed bool
	Mine     class.Ballot   // of the voter; nil: none in this round
	Before   class.Ballot   // … in the round before
	Wrote    string         // … what they have written in this round; "": nothing
	WroteOld string         // … in the round before
	Tried    *triedView     // what was said of the voter's edits; nil: nothing yet
	Rounds   []roundView    // the tallies that are seen
	Evidence string         // where the evidence is; "" for none
	Shown    int            // the part, or placement, whose evidence it is
	Steps    []string       // the names of what evidence can be shown of
	Leads    string         // where there is more
	Board    bool           // there are names and points
	Player   class.Player   // the voter's own
	Leading  bool           // those who have most points are shown to all
	Leaders  []class.Player // … or to the teacher alone
	Alike    int            // how many others have as many as the last of them
	Past     []pastView
	Run      []runView // the teacher's list
	Lessons  []*lesson.Entry
}

// roundView is a tally as it is drawn.
type roundView struct {
	Round  int
	Voters int
	Parts  []tallyPart
}

type tallyPart struct {
	Label, HTML string
	Bars        []barView
	Pair        bool // there are two, which are drawn as one
	Written     bool // they are what voters have written
}

// barView is a bar of a tally.
type barView struct {
	Key         string // unique in the page
	Label, HTML string
	Votes, Of   int
	Mark        string // "right", "wrong", "open" once it is known; else ""
	Note        string // in words
	Mine        bool
	Hide        string // what a teacher does by the button beside it; "": there is none
	Hidden      bool
}

// Share is the bar's length, of 100.
func (b barView) Share() string {
	if b.Of == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f", float64(b.Votes)*100/float64(b.Of))
}

// pastView is what a voter has said to something that has been revealed.
type pastView struct {
	N       int
	Title   string
	Outcome string
	Says    []saidView
}

type saidView struct{ Label, Text, Mark string }

// runView is a line of the list of questions.
type runView struct {
	N       int
	Title   string
	Asks    string
	Phase   class.Phase
	Round   int
	Current bool
}

// viewClass looks at a class as somebody may.
func (s *page) viewClass(r *http.Request, c theClass, role classRole) classView {
	now := c.View()
	v := classView{
		Role: role, Code: c.Code, Base: "/class/" + c.Code, Over: now.Over, Live: now.Live, Wide: now.Wide,
		Board: now.Board, Leading: now.Leaders, Version: now.Version,
		N: now.Current, Of: len(now.Items), Present: c.Present(),
	}
	v.Address, v.Local = server.Origin(r)+v.Base, isLocal(r.Host)
	switch role {
	case asTeacherRole:
		v.Base = TeachPath + c.secret
		v.Run, v.Crowded = viewRun(&now), now.Crowded
	case asStudent:
		v.Past = viewPast(c, &now)
		v.Player = c.Player(c.voter)
	}
	if role != asStudent {
		v.QR = viewQR(v.Address)
	}
	item, p := now.Item()
	if item == nil {
		return v
	}
	v.Left = now.Left
	v.Phase, v.Round, v.Revealed, v.Step = p.Phase, p.Round, p.Phase == class.Revealed, p.Step
	if p.Phase == class.Waiting && role != asTeacherRole {
		return v // what is asked is not told before
	}
	if v.Item = item; !v.Revealed {
		v.Item = unlinked(item)
	}
	if mine, voted := c.Mine(c.voter, now.Current, p.Round); voted {
		v.Mine, v.Wrote = mine.Ballot, mine.Text
	}
	if last, voted := c.Mine(c.voter, now.Current, p.Round-1); voted {
		v.Before, v.WroteOld = last.Ballot, last.Text
	}
	asks := askOf(item)
	var last class.Tally
	if role != asStudent || v.Revealed { // others are told nothing of it
		last = c.Tally(now.Current, p.Round)
	}
	v.Votes = last.Voters
	if item.Kind == class.Edits {
		v.Solved = c.Solved(now.Current, &last)
		if j, known := c.Judged(now.Current, v.Mine); known && v.Mine != nil {
			v.Tried = viewTried(item, v.Mine, j)
		}
	}
	if v.Revealed || role == asTeacherRole || role == asScreen && now.Live && item.Kind != class.Text {
		for n := 1; n <= p.Round; n++ {
			v.Rounds = append(v.Rounds, viewRound(&v, c, n, c.Tally(now.Current, n)))
		}
	}
	if v.Revealed {
		v.Leads = asks.Leads
		if role == asTeacherRole && now.Board || now.Leaders && role == asScreen {
			v.Leaders, v.Alike = c.Leaders(leadersShown)
		}
	}
	if v.Revealed || shownFirst(item) { // of which it is what is asked about, not the answer
		v.Steps = evidenceNames(item, asks, &last)
		if len(v.Steps) > 0 {
			v.Shown = min(p.Part, len(v.Steps)-1)
			v.Evidence = fmt.Sprintf("/class/%s/evidence?item=%d&part=%d", c.Code, now.Current, v.Shown)
		}
	}
	return v
}

// evidenceNames are what there is evidence of: the verdict of each model, each of the
// edits that voters came up with, or the execution that a question speaks of.
func evidenceNames(item *class.Item, asks classAsk, t *class.Tally) []string {
	var out []string
	switch item.Kind {
	case class.Choice, class.Text:
		for _, m := range asks.Asks.Models {
			out = append(out, question.ReadColumn(m).Label())
		}
	case class.Verdicts:
		for _, p := range item.Parts {
			out = append(out, p.Label)
		}
	case class.Edits:
		for n, b := range shownEdits(item, t) {
			words := item.Words(b)
			if n == 0 && item.Best != nil {
				words = "The cheapest: " + words
			}
			out = append(out, words)
		}
	}
	return out
}

// leadersShown bounds those who are named.
const leadersShown = 5

// answersOnScreen bounds the answers that have lines of their own beside the tally, where the
// last row is to read them.
const answersOnScreen = 3

// editsShown bounds the edits that are listed.
const editsShown = 8

// shownEdits are those that there is evidence of: the cheapest, and what most voters came up with.
func shownEdits(item *class.Item, t *class.Tally) (out []class.Ballot) {
	if item.Best != nil {
		out = append(out, item.Best)
	}
	for _, e := range item.Edits(t) {
		if len(out) < editsShown && !slices.Equal(e.Ballot, item.Best) {
			out = append(out, e.Ballot)
		}
	}
	return out
}

func viewRound(of *classView, c theClass, n int, t class.Tally) roundView {
	v, item, mine := roundView{Round: n, Voters: t.Voters}, of.Item, of.Mine
	switch item.Kind {
	case class.Edits:
		v.Parts = []tallyPart{viewEdits(c, of.N, item, n, &t, of.Revealed, mine)}
		return v
	case class.Text:
		v.Parts = []tallyPart{viewTexts(of, n, &t)}
		return v
	}
	for i, part := range item.Parts {
		pv := tallyPart{Label: part.Label, HTML: part.HTML}
		sum := 0
		for _, votes := range t.Parts[i] {
			sum += votes
		}
		for k, a := range part.Choices {
			b := barView{
				Key: fmt.Sprintf("%d-%d-%d", n, i, k), Label: a.Text, HTML: a.HTML, Votes: t.Parts[i][k],
				Of: sum, Mine: i < len(mine) && mine[i] == int8(k),
			}
			if of.Revealed {
				b.Mark = choiceMark(part.Right, k)
				if b.Mark == "right" {
					b.Note = "right"
				}
			}
			pv.Bars = append(pv.Bars, b)
		}
		pv.Pair = item.Kind == class.Verdicts && len(pv.Bars) == 2
		v.Parts = append(v.Parts, pv)
	}
	return v
}

func choiceMark(right, choice int) string {
	switch right {
	case -1:
		return "open"
	case choice:
		return "right"
	}
	return "wrong"
}

// viewEdits has a bar for each way in which the test was edited, those that most have
// first.
func viewEdits(
	c theClass, at int, item *class.Item, n int, t *class.Tally, revealed bool, mine class.Ballot,
) tallyPart {
	var v tallyPart
	all := item.Edits(t)
	for i, e := range all {
		if i == editsShown {
			rest := 0
			for _, other := range all[i:] {
				rest += other.Votes
			}
			v.Bars = append(v.Bars, barView{Key: fmt.Sprint(n, "-rest"), Label: "other edits", Votes: rest, Of: t.Voters})
			break
		}
		key := strings.ReplaceAll(e.Ballot.String(), " ", "")
		b := barView{
			Key: fmt.Sprint(n, "-", key), Label: item.Words(e.Ballot), Votes: e.Votes, Of: t.Voters,
			Mine: slices.Equal(mine, e.Ballot),
		}
		if revealed {
			j, _ := c.Judged(at, e.Ballot)
			if b.Mark, b.Note = judgedMark(item, j, e.Ballot); b.Mark == "right" || b.Mark == "wrong" {
				b.Note = "" // the mark says it
			}
		}
		v.Bars = append(v.Bars, b)
	}
	return v
}

// Bounds on the answers that are listed: for all, and for the teacher, who is to see what comes after those when some
// are hidden.
const (
	textsShown  = 10
	textsListed = 60
)

// viewTexts has a bar for each answer that was written, those that most have first. What is hidden only the teacher
// sees.
func viewTexts(of *classView, n int, t *class.Tally) tallyPart {
	v, most, listed, rest := tallyPart{Written: true}, textsShown, 0, 0
	if of.Role == asTeacherRole {
		most = textsListed
	}
	for _, w := range t.Texts {
		switch {
		case w.Hidden && of.Role != asTeacherRole:
			continue
		case w.Hidden:
		case listed == most:
			rest += w.Votes
			continue
		default:
			listed++
		}
		key := class.Fold(w.Text)
		b := barView{
			Key: fmt.Sprintf("%d-%x", n, sha256.Sum256([]byte(key))), Label: w.Text, Votes: w.Votes,
			Of: t.Voters, Hidden: w.Hidden,
		}
		b.Mine = of.Wrote != "" && class.Fold(of.Wrote) == key
		switch {
		case of.Role != asTeacherRole:
		case w.Hidden:
			b.Hide, b.Note = "unhide:"+w.Text, "hidden"
		default:
			b.Hide = "hide:" + w.Text
		}
		v.Bars = append(v.Bars, b)
	}
	if rest > 0 {
		v.Bars = append(v.Bars, barView{Key: fmt.Sprint(n, "-rest"), Label: "other answers", Votes: rest, Of: t.Voters})
	}
	return v
}

// judgedMark says what edits are worth.
func judgedMark(item *class.Item, j class.Judged, b class.Ballot) (mark, note string) {
	switch {
	case j.Is == class.Missed:
		return "wrong", "does not work"
	case j.Is == class.Done && item.Best != nil && item.Cost(b) > item.Cost(item.Best):
		return "more", "works, at a higher cost"
	case j.Is == class.Done:
		return "right", "works"
	}
	return "open", "not known"
}

// reason is why some changes are made: the cycle that each of them breaks.
type reason struct {
	Changes       []string
	Cycle, Events string
}

// reasons are those of the cheapest solution, changes that break the same cycle together.
func reasons(e *editing) (out []reason) {
	for i := range e.Changes {
		c := &e.Changes[i]
		cycle, events := judge.Words(c)
		words := fmt.Sprintf("P%d: %s", c.Thread, c.Words())
		if n := len(out); n > 0 && out[n-1].Cycle == cycle && out[n-1].Events == events {
			out[n-1].Changes = append(out[n-1].Changes, words)
			continue
		}
		out = append(out, reason{[]string{words}, cycle, events})
	}
	return out
}

// triedView is what a voter is told of the edits that they have tried.
type triedView struct {
	Mark string `json:"mark"` // as a tally has it
	Text string `json:"text"`
}

func viewTried(item *class.Item, b class.Ballot, j class.Judged) *triedView {
	mark, _ := judgedMark(item, j, b)
	t := &triedView{Mark: mark, Text: j.Hint}
	switch {
	case mark == "more":
		t.Text = "This works, but a cheaper solution exists."
	case j.Is == class.Done && item.Minimal:
		t.Text = "This works, and no cheaper solution exists."
	case j.Is == class.Done:
		t.Text = "This works."
	case t.Text == "":
		t.Text = "This does not work."
	}
	return t
}

// viewPast lists what the voter has said so far to what has been revealed.
func viewPast(c theClass, now *class.View) []pastView {
	var out []pastView
	for n := range now.Items {
		item, p := &now.Items[n], &now.Progress[n]
		mine, voted := c.Mine(c.voter, n, p.Round)
		if p.Phase != class.Revealed || !voted || n == now.Current {
			continue
		}
		v := pastView{N: n, Title: item.Title, Outcome: item.Outcome}
		switch item.Kind {
		case class.Edits:
			j, _ := c.Judged(n, mine.Ballot)
			mark, note := judgedMark(item, j, mine.Ballot)
			v.Says = []saidView{{item.Words(mine.Ballot), note, mark}}
		case class.Text:
			v.Says = []saidView{{Text: mine.Text, Mark: "open"}}
		default:
			for i, k := range mine.Ballot {
				if k != class.None {
					part := item.Parts[i]
					v.Says = append(v.Says, saidView{part.Label, part.Choices[k].Text, choiceMark(part.Right, int(k))})
				}
			}
		}
		out = append(out, v)
	}
	return out
}

func viewRun(now *class.View) []runView {
	var out []runView
	for n := range now.Items {
		i, p := &now.Items[n], now.Progress[n]
		asks := i.Outcome
		if asks == "" && i.Prompt != i.Title {
			asks = i.Prompt
		}
		out = append(out, runView{n, i.Title, asks, p.Phase, p.Round, n == now.Current})
	}
	return out
}

// Status is where the class is, in a sentence, for those who listen.
func (v *classView) Status() string {
	switch {
	case v.Over:
		return "The class has ended."
	case v.Of == 0 || v.Phase == class.Waiting:
		return "Waiting for a question."
	}
	question := fmt.Sprintf("Question %d", v.N+1)
	switch v.Phase {
	case class.Opened:
		if v.Round > 1 {
			return question + ": " + strings.ToLower(v.words().Again) + "."
		}
		return question + " is open."
	case class.Discussing:
		return "Discuss with your neighbour."
	case class.Revealed:
		return question + ": the answer."
	}
	return question + " is closed."
}

// Threads are the test's threads, with what can be changed in them where it stands; what can be changed in the
// condition is behind them, in a thread without a name.
func (v *classView) Threads() []editThread {
	e := askOf(v.Item).Edits
	var out []editThread
	shows := func(n int) placeView {
		return placeView{Place: e.Places[n], Part: n, Choices: v.Item.Parts[n].Choices, Chosen: v.chosen(n)}
	}
	for t, th := range e.Threads {
		of := editThread{Name: th.Name}
		for cell, text := range th.Lines {
			replaced := false
			for n, p := range e.Places {
				if p.Kind != change.Value && p.Thread == t && p.Cell == cell {
					place := shows(n)
					of.Rows = append(of.Rows, editRow{Place: &place})
					replaced = replaced || p.Choices[p.Was].Text != ""
				}
			}
			if !replaced && text != "" {
				of.Rows = append(of.Rows, editRow{Text: text})
			}
		}
		out = append(out, of)
	}
	var asks editThread
	for n, p := range e.Places {
		if p.Kind == change.Value {
			place := shows(n)
			asks.Rows = append(asks.Rows, editRow{Place: &place})
		}
	}
	if len(asks.Rows) > 0 {
		out = append(out, asks)
	}
	return out
}

// chosen is the voter's choice in a part: in this round, or as a beginning in the one before.
func (v *classView) chosen(part int) int {
	for _, b := range []class.Ballot{v.Mine, v.Before} {
		if part < len(b) {
			return int(b[part])
		}
	}
	return v.Item.Parts[part].Was
}

// editThread is a thread, row by row: its statements, and the places between them or in their stead.
type editThread struct {
	Name string // "" of the condition
	Rows []editRow
}

type editRow struct {
	Text  string
	Place *placeView // nil: the row is text
}

type placeView struct {
	change.Place
	Part    int
	Choices []class.Answer
	Chosen  int
}

// Legend says what is chosen in a place.
func (p *placeView) Legend() string {
	switch p.Kind {
	case change.Value:
		return "Value of " + strings.TrimRight(p.Statement, "!=")
	case change.Order:
		return "Form of " + p.Statement + " in " + p.Name
	case change.Dependency:
		return "Dependency of " + p.Statement + " in " + p.Name
	}
	return "Fence in " + p.Name + " before " + p.Statement
}

// qrView is a QR code as a path, a module a unit.
type qrView struct {
	Size int
	Path string
}

// viewQR draws an address; where it is too long for a code, there is none.
func viewQR(address string) qrView {
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		return qrView{}
	}
	const quiet = 4 // modules around it that are to stay white
	var b strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			n := 0
			for code.Black(x+n, y) {
				n++
			}
			if n > 0 {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, n, n)
				x += n
			}
		}
	}
	return qrView{code.Size + 2*quiet, b.String()}
}

// composeView has a teacher choose what is asked about a test.
type composeView struct {
	Action    string
	Name      string
	Condition string
	Hidden    [][2]string
	Columns   []composeColumn
	Names     []string
	Rows      []composeRow
	Fences    []composeColumn // the models under which fences can be asked for
}

type composeColumn struct {
	Column, Label string
	Chosen        bool
}

type composeRow struct {
	State   string // as a form has it
	Outcome string
	Asked   bool
	Cells   []answer.OutcomeCell
}

func viewCompose(q question.Question, a *question.Answers, action string) composeView {
	v := composeView{Action: action, Name: a.Test.Name, Condition: a.Test.Condition}
	hide := func(name string, values ...string) {
		for _, value := range values {
			v.Hidden = append(v.Hidden, [2]string{name, value})
		}
	}
	hide("source", q.Source)
	hide("arch", dialect.Tongue(q.Source))
	hide("model", q.Models...)
	hide("engine", q.Engine)
	for _, m := range q.Own {
		hide("own-name", m.Name)
		hide("own-text", m.Text)
		hide("own-files", formfields.FilesJSON(m.Files))
	}
	for _, o := range optionform.Changed(q.Options) {
		hide(optionform.Field(o.Name), o.Value)
	}
	t := answer.Tabulate(a)
	v.Names = t.Names
	for n, c := range a.Columns {
		if a.Results[n].Status == solver.Failed {
			continue
		}
		v.Columns = append(v.Columns, composeColumn{c.String(), c.Label(), len(v.Columns) < class.MaxParts})
	}
	asked := false
	for _, row := range t.Rows {
		r := composeRow{State: answer.StateJSON(row.State), Outcome: row.Outcome(a), Asked: row.Answers && !asked}
		asked = asked || r.Asked
		for n := range a.Columns {
			if a.Results[n].Status != solver.Failed {
				r.Cells = append(r.Cells, row.Cells[n])
			}
		}
		v.Rows = append(v.Rows, r)
	}
	if !a.Unasked() {
		for n, c := range a.Columns {
			// Those that allow what the test is about: the others need no fences.
			if slices.ContainsFunc(t.Rows,
				func(row answer.OutcomeRow) bool { return row.Answers && row.Cells[n].Verdict == solver.Allowed }) {
				v.Fences = append(v.Fences, composeColumn{Column: c.String(), Label: c.Label()})
			}
		}
	}
	return v
}
