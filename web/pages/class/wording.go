package class

import (
	"litmuscope/solver"
	"litmuscope/web/teaching/class"
)

// wording is the set of words for voting in one kind of question.
type wording struct {
	Open, Close, On, Again string // the teacher's buttons
	Round, Closed, Soon    string
	Did, In, None          string // what voters see
}

var (
	ofVotes = wording{
		Open: "Open the vote", Close: "Close the vote", On: "Continue voting", Again: "Vote again",
		Round: "vote", Closed: "The vote is closed", Soon: "You will vote again in a moment.",
		Did: "voted", In: "Your vote is in.", None: "You have not voted.",
	}
	ofTexts = wording{
		Open: "Open answers", Close: "Close answers", On: "Continue answers", Again: "Answer again",
		Round: "round", Closed: "Answers are closed", Soon: "You will answer again in a moment.",
		Did: "answered", In: "Your answer is in.", None: "You have not answered.",
	}
)

func (v *classView) words() *wording {
	if v.Item != nil && v.Item.Kind == class.Text {
		return &ofTexts
	}
	return &ofVotes
}

// voted reports whether the voter has voted in this round.
func (v *classView) voted() bool { return v.Mine != nil || v.Wrote != "" }

func pointsText(n int) string { return solver.Count(n, "point") }
