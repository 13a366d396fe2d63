package class

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Results returns the votes as a table, with a row for each answer of each part in each round.
func (r *Room) Results() ([][]string, error) {
	rows := [][]string{{"question", "title", "asks", "round", "part", "answer", "right", "votes", "voters"}}
	v := r.View()
	for i := range v.Items {
		item := &v.Items[i]
		for n := 1; n <= v.Progress[i].Round; n++ {
			t := r.Tally(i, n)
			line := func(part, answer, right string, votes int) {
				rows = append(rows, []string{
					fmt.Sprint(i + 1), item.Title, item.asks(), fmt.Sprint(n), part, answer, right, fmt.Sprint(votes),
					fmt.Sprint(t.Voters),
				})
			}
			for _, key := range slices.Sorted(maps.Keys(t.Whole)) {
				b, err := ParseBallot(key)
				if err != nil {
					return nil, err
				}
				line("", item.Words(b), r.isDone(i, b), t.Whole[key])
			}
			for _, w := range t.Texts {
				line("", w.Text, "", w.Votes)
			}
			if t.Whole != nil {
				continue
			}
			for p, part := range item.Parts {
				for c, a := range part.Choices {
					line(part.Label, a.Text, part.isRight(c), t.Parts[p][c])
				}
			}
		}
	}
	return rows, nil
}

// AllVotes returns every vote as a table. A voter has the same number in all rows, and the number says nothing else
// about the voter.
func (r *Room) AllVotes() ([][]string, error) {
	rows := [][]string{{"voter", "question", "title", "round", "part", "answer", "right"}}
	v := r.View()
	r.mu.Lock()
	all := slices.SortedFunc(maps.Keys(r.voters), func(a, b Voter) int { return bytes.Compare(a[:], b[:]) })
	r.mu.Unlock()
	for i := range v.Items {
		item := &v.Items[i]
		for n := 1; n <= v.Progress[i].Round; n++ {
			votes := r.Votes(i, n)
			for who, by := range all {
				vote, ok := votes[by]
				if !ok {
					continue
				}
				line := func(part, answer, right string) {
					rows = append(rows,
						[]string{
							fmt.Sprint(who + 1), fmt.Sprint(i + 1), item.Title, fmt.Sprint(n),
							part, answer, right,
						})
				}
				switch item.Kind {
				case Edits:
					line("", item.Words(vote.Ballot), r.isDone(i, vote.Ballot))
					continue
				case Text:
					line("", vote.Text, "")
					continue
				}
				for p, c := range vote.Ballot {
					if c != None {
						line(item.Parts[p].Label, item.Parts[p].Choices[c].Text, item.Parts[p].isRight(int(c)))
					}
				}
			}
		}
	}
	return rows, nil
}

func (p Part) isRight(choice int) string {
	switch p.Right {
	case -1:
		return ""
	case choice:
		return "yes"
	}
	return "no"
}

func (r *Room) isDone(item int, b Ballot) string {
	j, _ := r.Judged(item, b)
	return map[Judgement]string{Done: "yes", Missed: "no"}[j.Is]
}

func (i *Item) asks() string {
	if i.Outcome != "" {
		return i.Outcome
	}
	return i.Prompt
}

// Words describes a ballot of edits in words.
func (i *Item) Words(b Ballot) string {
	var out []string
	for n, c := range b {
		if n < len(i.Parts) && c >= 0 && int(c) < len(i.Parts[n].Choices) && int(c) != i.Parts[n].Was {
			out = append(out, strings.TrimSpace(i.Parts[n].Choices[c].Text+" "+i.Parts[n].Label))
		}
	}
	if len(out) == 0 {
		return "no change"
	}
	return strings.Join(out, "; ")
}
