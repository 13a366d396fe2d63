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

// classRole is the role of a client in a class.
type classRole string

const (
	asStudent     classRole = "student"
	asTeacherRole classRole = "teacher"
	asScreen      classRole = "screen"
)

// classView is a class as one role sees it at one moment. It contains nothing that the role must not see yet: no answer
// before it is revealed.
type classView struct {
	Role     classRole
	Code     string
	Base     string // path of the role's addresses
	Address  string // full address where students join
	Local    bool   // Address is a loopback address
	QR       qrView
	Over     bool
	Live     bool
	Wide     bool
	Crowded  bool // people are waiting to join
	Version  int
	Votes    int // in the current round
	Solved   int // number of them with edits that solve the exercise
	Present  int
	Step     int
	N        int // index of the item, from 0
	Of       int
	Item     *class.Item // nil: none yet
	Phase    class.Phase
	Round    int
	Left     time.Duration // until the vote ends; 0: no time limit
	Revealed bool
	Mine     class.Ballot   // the voter's ballot in this round; nil: none
	Before   class.Ballot   // the voter's ballot in the previous round
	Wrote    string         // the voter's written answer in this round; "": none
	WroteOld string         // the voter's written answer in the previous round
	Tried    *triedView     // result for the voter's edits; nil: none yet
	Rounds   []roundView    // the tallies that the role sees
	Evidence string         // address of the picture; "": none
	Shown    int            // the index in Steps of the picture
	Steps    []string       // the names of the available pictures
	Leads    string         // address of a lesson with more
	Board    bool           // voters have names and points
	Player   class.Player   // the voter
	Leading  bool           // the projector shows the leaders
	Leaders  []class.Player // the leaders, for the projector or the teacher
	Alike    int            // number of further players with as many points as the last leader
	Devices  *devicesView   // the last run on the class's devices; nil: none, or not shown
	Runnable bool           // the class's devices can be asked to run the question's test
	Counting bool           // the projector shows what they have counted
	Insecure bool           // phones cannot run tests: their connection is not encrypted
	Past     []pastView
	Run      []runView // the teacher's list of questions
	Lessons  []*lesson.Entry
}

// roundView is the tally of a round.
type roundView struct {
	Round  int
	Voters int
	Parts  []tallyPart
}

type tallyPart struct {
	Label, HTML string
	Bars        []barView
	Pair        bool // two bars, drawn as one
	Written     bool // the bars are written answers
}

// barView is a bar of a tally.
type barView struct {
	Key         string // unique in the page
	Label, HTML string
	Votes, Of   int
	Mark        string // "right", "wrong" or "open" after the reveal; otherwise ""
	Note        string // the mark in words
	Mine        bool
	Hide        string // the action of the teacher's button; "": no button
	Hidden      bool
}

// Share returns the bar's length in percent.
func (b barView) Share() string {
	if b.Of == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f", float64(b.Votes)*100/float64(b.Of))
}

// pastView is the voter's vote on a revealed question.
type pastView struct {
	N       int
	Title   string
	Outcome string
	Says    []saidView
}

type saidView struct{ Label, Text, Mark string }

// runView is a line in the teacher's list of questions.
type runView struct {
	N       int
	Title   string
	Asks    string
	Phase   class.Phase
	Round   int
	Current bool
}

// viewClass returns the class as a role sees it. It is the only place that decides what a role may see.
func (s *page) viewClass(r *http.Request, c classRequest, role classRole) classView {
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
		v.Insecure = !v.Local && !server.CallerOf(r.Context()).HTTPS
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
		return v // the question stays secret until it is opened
	}
	if v.Item = item; !v.Revealed {
		v.Item = unlinked(item)
	}
	v.Devices, v.Counting = viewDevices(c, &now, role), now.Counts
	v.Runnable = canRun(item) && p.Phase != class.Opened && p.Phase != class.Waiting && p.Runs < class.MaxRuns
	if mine, voted := c.Mine(c.voter, now.Current, p.Round); voted {
		v.Mine, v.Wrote = mine.Ballot, mine.Text
	}
	if last, voted := c.Mine(c.voter, now.Current, p.Round-1); voted {
		v.Before, v.WroteOld = last.Ballot, last.Text
	}
	asks := askOf(item)
	var last class.Tally
	if role != asStudent || v.Revealed { // students must not see the tally before the reveal
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
	if v.Revealed || shownFirst(item) { // there the picture is part of the question
		v.Steps = evidenceNames(item, asks, &last)
		if len(v.Steps) > 0 {
			v.Shown = min(p.Part, len(v.Steps)-1)
			v.Evidence = fmt.Sprintf("/class/%s/evidence?item=%d&part=%d", c.Code, now.Current, v.Shown)
		}
	}
	return v
}

// evidenceNames returns the names of the available pictures: of each model's verdict, of each edit that voters tried,
// or of the question's execution.
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

// leadersShown is the number of leaders that are listed.
const leadersShown = 5

// answersOnScreen is the maximum number of parts whose answers the projector lists beside the tally; with more, the
// tally's last row shows them.
const answersOnScreen = 3

// editsShown is the maximum number of edits that are listed.
const editsShown = 8

// shownEdits returns the edits that have pictures: the cheapest solution and the most frequent edits.
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

// viewRound returns the tally of round n. Marks appear only after the reveal.
func viewRound(of *classView, c classRequest, n int, t class.Tally) roundView {
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

// viewEdits has one bar for each set of edits, the most frequent first.
func viewEdits(
	c classRequest, at int, item *class.Item, n int, t *class.Tally, revealed bool, mine class.Ballot,
) tallyPart {
	var v tallyPart
	all := item.Edits(t)
	for i, e := range all {
		if i == editsShown {
			rest := 0
			for _, other := range all[i:] {
				rest += other.Votes
			}
			v.Bars = append(v.Bars, barView{
				Key: fmt.Sprint(n, "-rest"), Label: "other edits",
				Votes: rest, Of: t.Voters,
			})
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

// The maximum number of listed answers for everybody, and for the teacher, who can read further answers when some are
// hidden.
const (
	textsShown  = 10
	textsListed = 60
)

// viewTexts has one bar for each written answer, the most frequent first. Only the teacher sees hidden answers.
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

// judgedMark returns the mark and note for a result.
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

// reason is a group of changes with the cycle that each of them breaks.
type reason struct {
	Changes       []string
	Cycle, Events string
}

// reasons groups the changes of the cheapest solution by the cycle that they break.
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

// triedView is the result that a voter sees for an edit.
type triedView struct {
	Mark string `json:"mark"` // as in barView
	Text string `json:"text"`
}

// viewTried returns the result for an edit in words.
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

// viewPast lists the voter's votes on revealed questions.
func viewPast(c classRequest, now *class.View) []pastView {
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

// viewRun returns the teacher's list of questions.
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

// Status describes the state of the class in a sentence, for screen readers.
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

// Threads returns the test's threads with their editable places. Editable values of the condition follow as a thread
// without a name.
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

// chosen returns the voter's choice for a part: in this round, in the previous round, or the original.
func (v *classView) chosen(part int) int {
	for _, b := range []class.Ballot{v.Mine, v.Before} {
		if part < len(b) {
			return int(b[part])
		}
	}
	return v.Item.Parts[part].Was
}

// editThread is a thread as rows of statements and editable places.
type editThread struct {
	Name string // "" for the condition
	Rows []editRow
}

type editRow struct {
	Text  string
	Place *placeView // nil: the row is only text
}

type placeView struct {
	change.Place
	Part    int
	Choices []class.Answer
	Chosen  int
}

// Legend describes what the reader chooses in a place.
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

// qrView is a QR code as an SVG path; one module is one unit.
type qrView struct {
	Size int
	Path string
}

// viewQR encodes an address as a QR code. It returns the zero value if the address is too long.
func viewQR(address string) qrView {
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		return qrView{}
	}
	const quiet = 4 // width of the white border, in modules
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

// composeView is the page where the teacher chooses what to ask about a test.
type composeView struct {
	Action    string
	Name      string
	Condition string
	Hidden    [][2]string
	Columns   []composeColumn
	Names     []string
	Rows      []composeRow
	Fences    []composeColumn // the models under which the teacher can ask for fences
}

type composeColumn struct {
	Column, Label string
	Chosen        bool
}

type composeRow struct {
	State   string // as in form fields
	Outcome string
	Asked   bool
	Cells   []answer.OutcomeCell
}

// viewCompose makes the form from the answers of the test. It leaves out columns whose engine failed and ticks the
// outcome of the condition.
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
			// Only models that allow the outcome: the others need no fences.
			if slices.ContainsFunc(t.Rows,
				func(row answer.OutcomeRow) bool { return row.Answers && row.Cells[n].Verdict == solver.Allowed }) {
				v.Fences = append(v.Fences, composeColumn{Column: c.String(), Label: c.Label()})
			}
		}
	}
	return v
}
